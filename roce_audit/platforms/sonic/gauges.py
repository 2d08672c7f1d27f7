"""Levels that SONiC shows by themselves: bit error ratios of links, light that modules receive, headroom that was ever used.

sonic-utilities, doc/Command-Reference.md: `show interfaces counters fec-stats`, `show priority-group watermark headroom`, `show
interfaces transceiver eeprom --dom`, `show interfaces transceiver status`. Of a module only alarms count, and no warnings, which modules
raise on links that run well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Gauge, GaugeKind
from roce_audit.platforms.counting import lines, number, ratio
from roce_audit.platforms.sonic import countersdb
from roce_audit.platforms.sonic.answers import table_rows
from roce_audit.platforms.sonic.counters import plain
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

_FEC = re.compile(r"show interfaces? counters fec-stats\b|portstat (?:-f|--fec-stats)\b")
_HEADROOM = re.compile(
    r"show priority-group (?:persistent-)?watermark headroom\Z|watermarkstat(?: -p)? -t pg_headroom(?: -p)?\Z"
)
_MODULE = re.compile(r"show interfaces? transceiver eeprom (?:Ethernet\d{1,4} )?(?:-d|--dom)(?: Ethernet\d{1,4})?")
_OF_MODULE = re.compile(r"(Ethernet\d{1,4}): SFP EEPROM detected\b.{0,40}")
_RECEIVED = re.compile(r"[ \t]+RX([1-8])Power: (-?\d{1,3}\.\d{1,6}|-inf)dBm")
_LOWEST = re.compile(r"[ \t]+RxPowerLowAlarm[ \t]*: (-?\d{1,3}\.\d{1,6})dBm")
_STATES = re.compile(r"show interfaces? transceiver status(?: Ethernet\d{1,4})?")
_OF_STATES = re.compile(r"(Ethernet\d{1,4}): ?")
_ALARM = re.compile(r"[ \t]+(\w[\w ]{2,40} (?:high|low) alarm) flag(?: on lane (\d))?: True[ \t]*")
_ROWS = '"TRANSCEIVER_'
_ROW = re.compile(
    r'"TRANSCEIVER_(?:STATUS|STATUS_FLAG|DOM_FLAG)\|(Ethernet\d{1,4})"[ \t\n]{0,40}:[ \t\n]{0,40}(\{[^{}]{0,20000}(?:\{[^{}]{0,20000}\})?)'
)
_FLAG = re.compile(
    r'"((?:temp|vcc|[rt]xpower|txbias|lasertemp)(?:high|low)alarm)(?:_flag)?([1-8])?"[ \t\n]{0,40}:[ \t\n]{0,40}"True"'
)
"""sonic-platform-daemons, sonic-xcvrd: flags of alarms in STATE_DB, in the names of older and newer releases."""
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
        elif _MODULE.fullmatch(command):
            yield from _received(document)
        elif _STATES.fullmatch(command):
            yield from _alarms(document)
        elif _ROWS in document.text:
            yield from _flags(document)
        elif countersdb.is_dump(document):
            yield from countersdb.stuck(document)


def _fec(document: Document) -> Iterator[Gauge]:
    for cells, place in table_rows(document):
        for heading, kind in _RATIOS.items():
            value = ratio(cells.get(heading, "")) if cells.get("STATE", "U") == "U" else None
            if value is not None:
                yield Gauge(cells.get("IFACE", ""), kind, value, place, f"{heading} {cells[heading]}")


def _received(document: Document) -> Iterator[Gauge]:
    """Channels that receive less light than the module's own alarm; where none receives more, the link is down."""
    port, found = "", list[tuple[str, float, Place]]()
    for at_line, line in document.numbered():
        head, power, lowest = (pattern.match(line) for pattern in (_OF_MODULE, _RECEIVED, _LOWEST))
        if head is not None:
            port, found = head[1], []
        elif power is not None:
            found.append((power[1], float(power[2]), Place(document.path, at_line)))
        elif lowest is not None and any(level > float(lowest[1]) for _, level, _ in found):
            for channel, level, place in found:
                if level < float(lowest[1]):
                    said = f"the module's receive power of channel {channel} is {level:g} dBm, and its alarm is at {lowest[1]} dBm"
                    yield Gauge(port, "module", level, place, said)


def _alarms(document: Document) -> Iterator[Gauge]:
    """Flags of alarms that are set (sonic-utilities, sfpshow status)."""
    port = ""
    for place, line in lines(document):
        head, alarm = _OF_STATES.fullmatch(line), _ALARM.fullmatch(line)
        if head is not None:
            port = head[1]
        elif alarm is not None and port:
            of = f" of lane {alarm[2]}" if alarm[2] else ""
            yield Gauge(port, "module", 1.0, place, f"the module's {alarm[1][:1].lower()}{alarm[1][1:]}{of} is on")


def _flags(document: Document) -> Iterator[Gauge]:
    """The same in a dump of STATE_DB."""
    at, line = 0, document.first_line
    for row in _ROW.finditer(document.text):
        for flag in _FLAG.finditer(row[2]):
            begins = row.start(2) + flag.start()
            line += document.text.count("\n", at, begins)
            at = begins
            of = f" of lane {flag[2]}" if flag[2] else ""
            yield Gauge(row[1], "module", 1.0, Place(document.path, line), f"the module's flag {flag[1]}{of} is on")


def _headroom(document: Document) -> Iterator[Gauge]:
    for cells, place in table_rows(document):
        for heading, text in cells.items():
            group, most = _GROUP.fullmatch(heading), number(text)
            if group is not None and most is not None:
                said = f"{heading} {text}"
                yield Gauge(cells.get("Port", ""), "headroom-peak", most, place, said, int(group.group(1)))
