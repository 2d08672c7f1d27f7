"""Levels that SONiC shows by themselves: bit error ratios of links, and how much of a group's headroom was ever used.

sonic-utilities, doc/Command-Reference.md: `show interfaces counters fec-stats`, `show priority-group watermark headroom`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Gauge, GaugeKind
from roce_audit.platforms.counting import number, ratio
from roce_audit.platforms.sonic.answers import table_rows
from roce_audit.platforms.sonic.counters import plain
from roce_audit.text.document import DeviceInput, Document

_FEC = re.compile(r"show interfaces? counters fec-stats\b|portstat (?:-f|--fec-stats)\b")
_HEADROOM = re.compile(
    r"show priority-group (?:persistent-)?watermark headroom\Z|watermarkstat(?: -p)? -t pg_headroom(?: -p)?\Z"
)
_RATIOS: dict[str, GaugeKind] = {"FEC_PRE_BER": "errors-before-fec", "FEC_POST_BER": "errors-after-fec"}
_GROUP = re.compile(r"PG([0-7])")


def read(device: DeviceInput) -> Iterator[Gauge]:
    """All levels in the answers of a switch."""
    for document in device.documents:
        command = plain(document.command)
        if _FEC.match(command):
            yield from _fec(document)
        elif _HEADROOM.match(command):
            yield from _headroom(document)


def _fec(document: Document) -> Iterator[Gauge]:
    for cells, place in table_rows(document):
        for heading, kind in _RATIOS.items():
            value = ratio(cells.get(heading, "")) if cells.get("STATE", "U") == "U" else None
            if value is not None:
                yield Gauge(cells.get("IFACE", ""), kind, value, place, f"{heading} {cells[heading]}")


def _headroom(document: Document) -> Iterator[Gauge]:
    for cells, place in table_rows(document):
        for heading, text in cells.items():
            group, most = _GROUP.fullmatch(heading), number(text)
            if group is not None and most is not None:
                said = f"{heading} {text}"
                yield Gauge(cells.get("Port", ""), "headroom-peak", most, place, said, int(group.group(1)))
