"""What other commands of a SONiC switch show: its state as statements of ports, its running buffer profiles.

The tables are those of `tabulate`: a heading, a line of dashes that marks the columns, rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.sonic.statements import header, statement
from roce_audit.platforms.sonic.table import SHOWN
from roce_audit.platforms.sonic.values import canonical
from roce_audit.platforms.sonic.watchdogs import COMMAND as WATCHDOGS
from roce_audit.platforms.sonic.watchdogs import FIELDS as WATCHDOG_FIELDS
from roce_audit.platforms.sonic.watchdogs import STATISTICS, Watchdogs
from roce_audit.text.block import CONTEXT, Block, block
from roce_audit.text.document import Document
from roce_audit.values import Place

_DASHES = re.compile(r"-{2,}(?: {1,8}-{2,})+[ \t]*\Z")
_COLUMN = re.compile(r"-{2,}")
_BUFFERS = re.compile(r"(?:sudo )?(?:show buffer information|mmuconfig -l)\b")
_OBJECT = re.compile(r"(Pool|Profile): ([\w.@:+-]{1,128})[ \t]*\Z")
_FIELD = re.compile(r"([a-z_]{2,40})[ \t]+(\S{1,200})[ \t]*\Z")
_TABLE = {"Pool": "BUFFER_POOL", "Profile": "BUFFER_PROFILE"}
_SWITCHED = ("on", "off", "N/A")
_UNIT = {"G": 1_000, "M": 1}
_SPEED = re.compile(r"([0-9]{1,6})([GM])\Z")
_SKU = re.compile(r"^Hw[Ss][Kk][Uu] ?:[ \t]*([\w.+-]{1,80})?[ \t]*(.*)$", re.M)
_VERSION = re.compile(r"^SONiC Software Version:[ \t]*([\w.+-]{1,120})?[ \t]*(.*)$", re.M)

Line = tuple[str, Place]
_Said = Mapping[str, str]


@dataclass
class Answers:
    """Everything that was shown. `odd` are lines that concern us and were not understood."""

    ports: dict[str, list[Line]] = field(default_factory=lambda: defaultdict(list))
    of_all_ports: list[Line] = field(default_factory=list)
    """Damage that may be any port's."""
    aliases: dict[str, str] = field(default_factory=dict)
    priorities: dict[str, tuple[str, Place]] = field(default_factory=dict)
    """Port -> the priorities for which it has PFC, empty for none."""
    without_link: dict[str, Place] = field(default_factory=dict)
    """Ports that are switched on and have no link."""
    objects: dict[tuple[str, str], Block] = field(default_factory=dict)
    nameless: dict[str, Line] = field(default_factory=dict)
    """Table of an object whose name was not understood -> the line that names it."""
    model: tuple[str, Place] | None = None
    version: tuple[str, Place] | None = None
    watchdogs: Watchdogs = field(default_factory=Watchdogs)
    odd: list[Line] = field(default_factory=list)

    def take(self, document: Document) -> bool:
        """Take in the answer of a command; False where it is none that says anything here."""
        command = (document.command or "").removeprefix("sudo ")
        if _BUFFERS.match(command):
            self._buffers(document)
            return True
        if STATISTICS.match(command):
            self.watchdogs.take_statistics(document)
            return False
        if WATCHDOGS.match(command):
            self.watchdogs.take(document)
            for port, (values, place) in self.watchdogs.rows.items():
                for name, value in zip(WATCHDOG_FIELDS, values, strict=False):
                    if value != "infinite":
                        self._say(port, f"pfcwd_{name}", value, place)
            return True
        if command == "show version":
            self.model = self._first(_SKU, document) or self.model
            self.version = self._first(_VERSION, document) or self.version
            return True
        for start, (heading, reader) in _READERS.items():
            if command.startswith(start):
                self._table(document, heading, reader)
                return True
        return False

    def _table(self, document: Document, heading: str, reader: Callable[[Answers, _Said, Place], None]) -> None:
        rows = list(table_rows(document))
        for cells, place in rows:
            reader(self, cells, place)
        lost = not rows or any(heading not in cells for cells, _ in rows)
        if lost and document.text.strip():
            place = Place(document.path, document.line_at(len(document.text) - len(document.text.lstrip())))
            self.of_all_ports.append((f"{SHOWN}{CONTEXT}={canonical(document.command)}", place))

    def _say(self, port: str, name: str, value: str, place: Place) -> None:
        self.ports[port].append((statement(SHOWN, name, value), place))

    def _pfc(self, cells: _Said, place: Place) -> None:
        """A port of which `pfc_enable` is set to nothing has an empty cell (sonic-utilities, pfc/main.py, configPfcPrio)."""
        given = cells.get("Lossless priorities")
        if given is not None:
            priorities = "" if given == "N/A" else given
            self._say(cells.get("Interface", ""), "pfc_enable", priorities, place)
            self.priorities[cells.get("Interface", "")] = priorities, place

    def _status(self, cells: _Said, place: Place) -> None:
        port = cells.get("Interface", "")
        speed = _SPEED.match(cells.get("Speed", ""))
        asymmetric = cells.get("Asym PFC", "off")
        if asymmetric not in _SWITCHED:
            self._say(port, "pfc_asym", asymmetric, place)
            return
        if speed is not None:
            self._say(port, "speed", str(int(speed.group(1)) * _UNIT[speed.group(2)]), place)
        for heading, name in (("MTU", "mtu"), ("FEC", "fec"), ("Admin", "admin_status"), ("Oper", "oper_status")):
            value = cells.get(heading, "N/A")
            if value != "N/A":
                self._say(port, name, value, place)
        if (cells.get("Oper"), cells.get("Admin")) == ("down", "up"):
            self.without_link.setdefault(port, place)
        if cells.get("Alias", "N/A") != "N/A":
            self.aliases[port] = cells["Alias"]

    def _error_correction(self, cells: _Said, place: Place) -> None:
        """The code that runs is N/A where there is none to speak of: no link, or a speed without it."""
        code = cells.get("FEC Oper", "N/A")
        if code != "N/A":
            self._say(cells.get("Interface", ""), "fec_oper", code, place)

    def _buffers(self, document: Document) -> None:
        name: tuple[str, str] | None = None
        said: list[tuple[str, int]] = []
        for number, line in enumerate([*document.text.split("\n"), "Pool: -"], document.first_line):
            text = line.strip()
            heads = text.startswith(("Pool:", "Profile:"))
            given = _FIELD.match(text)
            if heads:
                if name is not None:
                    texts, lines = zip(*said, strict=True)
                    self.objects[name] = block(document.path, said[0][1], texts, lines)
                name = self._object(text, Place(document.path, number))
                said = [(name[0], number)] if name is not None else []
            elif name is not None and given is not None:
                said.append((statement(header(name[0]), *given.groups()), number))
            elif name is not None and text.strip(" -"):
                said.append((_not_a_field(name[0], text), number))

    def _object(self, text: str, place: Place) -> tuple[str, str] | None:
        found = _OBJECT.match(text)
        table = _TABLE[text.partition(":")[0]]
        if found is not None:
            return table, found.group(2)
        if text != "Pool: -":
            self.nameless[table] = _not_a_field(table, text), place
            self.odd.append((text, place))
        return None

    def _first(self, pattern: re.Pattern[str], document: Document) -> tuple[str, Place] | None:
        found = pattern.search(document.text)
        if found is None:
            return None
        place = Place(document.path, document.line_at(found.start()))
        if found.group(1) and not found.group(2):
            return found.group(1), place
        self.odd.append((found.group().strip(), place))
        return None


def _not_a_field(table: str, text: str) -> str:
    """A line below an object's name that says no field."""
    return f"{header(table)}{CONTEXT}={canonical(text)}"


def table_rows(document: Document) -> Iterator[tuple[_Said, Place]]:
    """The rows of a table by the names of its columns, each with its line."""
    lines = document.text.split("\n")
    columns: list[tuple[str, int, int | None]] = []
    for index, line in enumerate(lines):
        if index and _DASHES.match(line.strip()):
            starts = [m.start() for m in _COLUMN.finditer(line)]
            ends: list[int | None] = [*starts[1:], None]
            columns = [(lines[index - 1][a:b].strip(), a, b) for a, b in zip(starts, ends, strict=True)]
        elif columns and not line.strip(" -"):
            columns = []
        elif columns:
            yield {name: line[a:b].strip() for name, a, b in columns}, Place(document.path, document.first_line + index)


_READERS: Mapping[str, tuple[str, Callable[[Answers, _Said, Place], None]]] = {
    "show pfc priority": ("Lossless priorities", Answers._pfc),
    "show interfaces status": ("Speed", Answers._status),
    "show interface status": ("Speed", Answers._status),
    "show interfaces fec status": ("FEC Oper", Answers._error_correction),
}
"""Beginning of a command -> a column that its table must have, and what a row of it says."""
