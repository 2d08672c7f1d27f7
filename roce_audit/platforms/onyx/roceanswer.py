"""What `show roce` tells against the RoCE mode itself: PFC that is off, trust in tags alone, and the exceptions that it lists.

NVIDIA Onyx User Manual, RoCE commands, show roce: what the lossless mode brings, and below `Exception list` what differs from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import Seen, seen
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = re.compile(r"show roce\b")
_MODE = re.compile(r"^RoCE mode[ \t]{0,40}:[ \t]{0,9}lossless[ \t]*$", re.M)
_AGAINST: tuple[tuple[ObservationKind, re.Pattern[str], str], ...] = (
    (
        "not-in-force",
        re.compile(r"^(?:PFC|switch-priority 3)[ \t]{0,40}:[ \t]{0,9}disabled\b", re.M),
        "RoCE is in mode lossless, and the switch shows PFC as off: the class is not lossless",
    ),
    (
        "conflict",
        re.compile(r"^Port trust mode[ \t]{0,40}:[ \t]{0,9}L2\b", re.M),
        "RoCE is in mode lossless, and only the 802.1p tag is trusted: no DSCP leads into the class",
    ),
)
_EXCEPTIONS = re.compile(r"^Exception list:?[ \t]{0,9}([^\n]{0,200}(?:\n[^\n]{1,200}){0,49})", re.M)
_NONE = frozenset({"", "n/a", "none"})


def told(documents: Iterable[Document], ports: Iterable[str]) -> Iterator[Seen]:
    """Everything of this kind in the answers of a switch that has these ports."""
    every = tuple(ports)
    for document in documents:
        if _COMMAND.match(document.command or "show roce") is None or _MODE.search(document.text) is None:
            continue
        listed = list(_exceptions(document))
        for kind, pattern, clause in _AGAINST:
            found = pattern.search(document.text)
            if found is not None and (kind == "not-in-force" or not listed):  # the list has all that differs
                place = Place(document.path, document.line_at(found.start()))
                yield seen(kind, "roce", clause, place, " ".join(found.group().split()), every)
        yield from listed


def _exceptions(document: Document) -> Iterator[Seen]:
    found = _EXCEPTIONS.search(document.text)
    first = document.line_at(found.start(1)) if found is not None else 0
    for number, line in enumerate(found.group(1).split("\n") if found is not None else (), first):
        words = " ".join(line.split())
        if words.lower() in _NONE or not any(one.isalpha() for one in words) or "> " in words or "# " in words:
            continue
        clause = f"the switch itself reports an exception from its RoCE settings: {words}"
        yield seen("conflict", "roce", clause, Place(document.path, number), words, ())
