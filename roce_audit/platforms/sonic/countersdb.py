"""Counters in a dump of COUNTERS_DB: rows by number of the chip, and the maps that say which port, queue or priority group each is.

Names as in sonic-swss (flexcounter, pfcwdorch: `PFC_WD_STATUS` is `stormed` while the watchdog holds a queue) and the SAI headers.
`sonic-clear` leaves them as they are: they count since the chip was started.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from roce_audit.model.counts import Count, Gauge
from roce_audit.platforms.counting import number
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

_MARK = '"COUNTERS:oid:'
_SOURCE = "COUNTERS_DB"
_ROW = re.compile(
    r'"(?:COUNTERS:(?P<oid>oid:0x[0-9a-f]{1,16})|COUNTERS_(?P<map>PORT|QUEUE|PG)_NAME_MAP)"[ \t\n]{0,40}:[ \t\n]{0,40}(?=\{)'
)
_PAUSED = re.compile(r"SAI_PORT_STAT_PFC_([0-7])_([RT]X)_PKTS")
_WAYS = {"RX": "pause_received", "TX": "pause_sent"}
_OF_PART = {
    "QUEUE": {
        "SAI_QUEUE_STAT_DROPPED_PACKETS": "queues.{}.drops",
        "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS": "queues.{}.marked",
        "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED": "queues.{}.storms",
    },
    "PG": {"SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS": "groups.{}.drops"},
}
_STATUS, _STORMED = "PFC_WD_STATUS", "stormed"
_PART = re.compile(r"([\w./-]{1,64}):([0-7])")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of counters: its fields, its text and the line that it begins on."""

    fields: Mapping[str, str]
    text: str
    first: int

    def line(self, name: str) -> int:
        return self.first + self.text.count("\n", 0, max(0, self.text.find(f'"{name}"')))


def is_dump(document: Document) -> bool:
    """Whether a document holds such rows."""
    return document.command is None and _MARK in document.text


def counts(document: Document) -> Iterator[Count]:
    """The counters of ports, queues and priority groups that are judged."""
    for kind, name, row in _named_rows(document):
        part = _PART.fullmatch(name)
        if kind == "PORT":
            for counter in row.fields:
                paused = _PAUSED.fullmatch(counter)
                if paused is not None:
                    yield _count(document, row, name, f"priorities.{paused[1]}.{_WAYS[paused[2]]}", counter)
        elif part is not None:
            for counter in _OF_PART[kind].keys() & row.fields.keys():
                yield _count(document, row, part[1], _OF_PART[kind][counter].format(part[2]), counter)


def stuck(document: Document) -> Iterator[Gauge]:
    """Queues that the watchdog holds for stuck."""
    for kind, name, row in _named_rows(document):
        part = _PART.fullmatch(name)
        if kind == "QUEUE" and part is not None and row.fields.get(_STATUS) == _STORMED:
            place = Place(document.path, document.line(row.line(_STATUS)))
            yield Gauge(part[1], "stuck", 1.0, place, f"queue {part[2]}")


def _count(document: Document, row: _Row, port: str, path: str, counter: str) -> Count:
    place = Place(document.path, document.line(row.line(counter)))
    return Count(port, path, number(row.fields[counter]), place, _SOURCE)


def _named_rows(document: Document) -> Iterator[tuple[str, str, _Row]]:
    """(what, its name, its row), up to where the dump is damaged."""
    rows: dict[str, _Row] = {}
    maps: dict[str, Mapping[str, str]] = {}
    decoder, text = json.JSONDecoder(), document.text
    at = line = 0
    while (found := _ROW.search(text, at)) is not None:
        line += text.count("\n", at, found.start())
        try:
            value, at = decoder.raw_decode(text, found.end())
        except (ValueError, RecursionError):
            break
        value = value.get("value", value)
        fields = {str(name): str(said) for name, said in value.items()} if isinstance(value, dict) else {}
        if found["map"]:
            maps[found["map"]] = fields
        else:
            rows[found["oid"]] = _Row(fields, text[found.start() : at], line)
        line += text.count("\n", found.start(), at)
    for kind, numbers in maps.items():
        for name, oid in numbers.items():
            if oid in rows:
                yield kind, name, rows[oid]
