"""What a program polled of the ports of a switch, held against what is configured.

An MTU may count the header of the frame or not, whoever polled it: it tells something only where it is below the configured MTU of IP.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.linkstate import LinkState, Runs
from roce_audit.text.document import POLLED, Document
from roce_audit.values import Place

NO_PORT = "the state of ports that this switch does not have"
_ROW = lazy(r"(\S{2,40}) (mtu|speed|link) (\w{1,12})")
_KIND = lazy(r"([a-z]{2})[a-z-]*")
_SMALLEST = 576
_MEGA = 1_000_000


def polled(documents: Iterable[Document]) -> Sequence[Document]:
    """Those documents that programs polled."""
    return [one for one in documents if one.command == POLLED]


def held_against(
    documents: Sequence[Document], ports: Sequence[PortReading]
) -> tuple[list[tuple[PortReading, list[Seen]]], set[str]]:
    """Each port as it runs, and what is told of it; and the paths of documents that name a port of the switch."""
    names: dict[str, set[str]] = defaultdict(set)
    by_name = {port.name: port for port in ports}
    for port in ports:
        for name in (port.name, *port.labels.aliases):
            names[_short(name)].add(port.name)
    links, used = LinkState(), set[str]()
    for document, number, called, what, value in _rows(documents):
        found = names.get(_short(called), set())
        if len(found) == 1:
            used.add(document.path)
            _take(links, by_name[next(iter(found))], what, value, Place(document.path, number))
    return list(links.held_against(ports)), used


def _rows(documents: Iterable[Document]) -> Iterator[tuple[Document, int, str, str, str]]:
    for document in documents:
        for number, line in document.numbered():
            row = _ROW.fullmatch(line)
            if row is not None:
                yield document, number, row[1], row[2], row[3]


def _take(links: LinkState, port: PortReading, what: str, value: str, place: Place) -> None:
    if what == "link":
        links.without_link.setdefault(port.name, place)
        return
    number = int(value) * (_MEGA if what == "speed" else 1) if value.isdecimal() else 0
    field = "speed_bps" if what == "speed" else "ip_mtu_bytes"
    configured = getattr(port.facts, field)
    said = configured.get() if configured.is_known else None
    if isinstance(said, int) and _SMALLEST <= number < said:
        words = f"speed {value} Mbit/s" if what == "speed" else f"mtu {value}"
        links.runs.setdefault((port.name, field), Runs(number, words, place))


def _short(name: str) -> str:
    """A port's name with its kind by two letters: programs write `Et1/1` and `Ethernet1/1`."""
    plain = name.lower()
    kind = _KIND.match(plain)
    return plain if kind is None else kind[1] + plain[kind.end() :]
