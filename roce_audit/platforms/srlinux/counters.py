"""Counters of SR Linux: `info from state / qos interfaces interface * pfc | as json`, below `statistics`, and `info from state interface`.

Nokia, srl_nokia-qos.yang: PFC frames by priority, how often deadlock recovery went off, packets discarded because the PFC buffers
were full. Numbers of 64 bits are written as texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.model.counts import Count
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import number
from roce_audit.platforms.srlinux.lines import of_text
from roce_audit.platforms.srlinux.running import pfc_of_ports
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

_SOURCE = "qos interfaces pfc statistics"
_OF_STATE = "interface statistics"
_OF_PRIORITY = {
    "pfc-pause-frames-received": "priorities.{}.pause_received",
    "pfc-pause-frames-generated": "priorities.{}.pause_sent",
    "deadlock-recovery-occurrences": "storms",
}
_OF_PORT = {"total-packet-pfc-discards": "lossless_ingress_drops"}


_INTERFACE = lazy(r"info from state (?:/ ?)?interface\b.{0,80}")
_WRONG = ("statistics", "in-error-packets")
_CHANGES = ("statistics", "carrier-transitions")


def _of_interfaces(document: Document) -> Iterator[Count]:
    """Frames that came in wrong, and how often links went down: ups and downs take turns, and the last of them led to what is shown."""
    if _INTERFACE.fullmatch(document.command or "") is None or document.text.lstrip()[:1] == "{":
        return
    down: set[str] = set()
    for line in of_text(document)[0]:
        name, leaf = line.words[1] if len(line.words) > 3 else "", line.words[2:-1]
        place = Place(document.path, line.lines[-1])
        if leaf == ("oper-state",) and line.words[-1] == "down":
            down.add(name)
        elif leaf == _WRONG:
            yield Count(name, "receive_errors", number(line.words[-1]), place, _OF_STATE)
        elif leaf == _CHANGES:
            changes = number(line.words[-1])
            downs = None if changes is None else (changes + (1 if name in down else 0)) // 2
            yield Count(name, "link_downs", downs, place, _OF_STATE)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    for document in device.documents:
        yield from _of_interfaces(document)
        for port, path, pfc, lines in pfc_of_ports(document):
            counted = pfc.get("statistics")
            if not isinstance(counted, dict):
                continue
            where = (*path, "statistics")
            for name, value in _values(counted, _OF_PORT):
                place = Place(document.path, lines((*where, name)))
                yield Count(port, _OF_PORT[name], number(value), place, _SOURCE, _epoch(counted))
            rows = counted.get("pfc-priority")
            for at, row in enumerate(rows if isinstance(rows, list) else ()):
                index = row.get("index") if isinstance(row, dict) else None
                if str(index) not in "01234567" or len(str(index)) != 1:
                    continue
                for name, value in _values(row, _OF_PRIORITY):
                    place = Place(document.path, lines((*where, "pfc-priority", at, name)))
                    counter = _OF_PRIORITY[name].format(index)
                    yield Count(port, counter, number(value), place, _SOURCE, _epoch(counted), f"{name} {index}")


def _values(row: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in names:
        value = row.get(name)
        if isinstance(value, str) or type(value) is int:
            yield name, str(value)


def _epoch(counted: Mapping[str, Any]) -> str:
    """When the device says that it last cleared them."""
    cleared = counted.get("last-clear")
    return cleared[:19] if isinstance(cleared, str) else ""
