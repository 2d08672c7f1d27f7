"""How often links went down, from counts of all their changes of state."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import lines, number
from roce_audit.platforms.shared.counterforms import Names, named
from roce_audit.text.document import Document


def link_downs(
    document: Document, head: re.Pattern[str], changes: re.Pattern[str], names: Names, source: str
) -> Iterator[Count]:
    """Each port's count. `head` has groups `port` and `state`, `changes` a group `n`.

    Ups and downs take turns, and the last of them led to the state that the head shows.
    """
    ports: tuple[str, ...] = ()
    is_up = False
    for place, text in lines(document):
        plain = text.strip()
        found, counted = head.fullmatch(plain), changes.fullmatch(plain)
        if found is not None:
            ports, is_up = tuple(named(found["port"], names)), found["state"] == "up"
        elif counted is not None:
            all_of_them = number(counted["n"])
            downs = None if all_of_them is None else (all_of_them + (0 if is_up else 1)) // 2
            for port in ports:
                yield Count(port, "link_downs", downs, place, source)
