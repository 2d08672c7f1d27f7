"""What other commands of a SONiC switch show: its state as statements of ports, its running buffer profiles, its neighbours.

The tables are those of `tabulate`: a heading, a line of dashes that marks the columns, rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.sonic.tables import SHOWN
from roce_audit.text.block import Block, block
from roce_audit.text.document import Document
from roce_audit.values import Place

_DASHES = re.compile(r"-{2,}(?: {1,8}-{2,})+[ \t]*\Z")
_COLUMN = re.compile(r"-{2,}")
_BUFFERS = re.compile(r"(?:sudo )?(?:show buffer information|mmuconfig -l)\b")
_OBJECT = re.compile(r"(Pool|Profile): ([\w.@:+-]{1,128})[ \t]*\Z")
_FIELD = re.compile(r"([a-z_]{2,40})[ \t]+(\S{1,200})[ \t]*\Z")
_TABLE = {"Pool": "BUFFER_POOL", "Profile": "BUFFER_PROFILE"}
_UNIT = {"G": 1_000, "M": 1}
_SPEED = re.compile(r"([0-9]{1,6})([GM])\Z")
_SKU = re.compile(r"^Hw[Ss][Kk][Uu] ?: ([\w.+-]{1,80})[ \t]*$", re.M)
_VERSION = re.compile(r"^SONiC Software Version: (\S{1,120})[ \t]*$", re.M)

Line = tuple[str, Place]
_Said = Mapping[str, str]


@dataclass
class Answers:
    """Everything that was shown."""

    ports: dict[str, list[Line]] = field(default_factory=lambda: defaultdict(list))
    aliases: dict[str, str] = field(default_factory=dict)
    neighbours: dict[str, str] = field(default_factory=dict)
    objects: dict[tuple[str, str], Block] = field(default_factory=dict)
    model: tuple[str, Place] | None = None
    version: tuple[str, Place] | None = None

    def take(self, document: Document) -> bool:
        """Take in the answer of a command; False where it is none that says anything here."""
        command = (document.command or "").removeprefix("sudo ")
        if _BUFFERS.match(command):
            self._buffers(document)
            return True
        if command == "show version":
            self.model = _first(_SKU, document) or self.model
            self.version = _first(_VERSION, document) or self.version
            return True
        for start, reader in _READERS.items():
            if command.startswith(start):
                for cells, place in _rows(document):
                    reader(self, cells, place)
                return True
        return False

    def _say(self, port: str, name: str, value: str, place: Place) -> None:
        self.ports[port].append((f"{SHOWN} {name}={value}", place))

    def _pfc(self, cells: _Said, place: Place) -> None:
        given = cells.get("Lossless priorities", "")
        if given:
            self._say(cells.get("Interface", ""), "pfc_enable", "" if given == "N/A" else given, place)

    def _status(self, cells: _Said, place: Place) -> None:
        port = cells.get("Interface", "")
        speed = _SPEED.match(cells.get("Speed", ""))
        if speed is not None:
            self._say(port, "speed", str(int(speed.group(1)) * _UNIT[speed.group(2)]), place)
        for heading, name in (("MTU", "mtu"), ("FEC", "fec"), ("Admin", "admin_status"), ("Oper", "oper_status")):
            value = cells.get(heading, "N/A")
            if value != "N/A":
                self._say(port, name, value, place)
        if cells.get("Alias", "N/A") != "N/A":
            self.aliases[port] = cells["Alias"]

    def _neighbour(self, cells: _Said, place: Place) -> None:
        port, device = cells.get("LocalPort", ""), cells.get("RemoteDevice", "")
        if device:
            self.neighbours[port] = ":".join(f for f in (device, cells.get("RemotePortID", "")) if f)

    def _buffers(self, document: Document) -> None:
        name: tuple[str, str] | None = None
        said: list[tuple[str, int]] = []
        for number, line in enumerate([*document.text.split("\n"), "Pool: -"], document.first_line):
            found = _OBJECT.match(line.strip())
            given = _FIELD.match(line.strip())
            if found is not None or line.startswith(("Pool:", "Profile:")):
                if name is not None:
                    self.objects[name] = block(
                        document.path, said[0][1], tuple(t for t, _ in said), tuple(n for _, n in said)
                    )
                name = (_TABLE[found.group(1)], found.group(2)) if found is not None else None
                said = [(name[0], number)] if name is not None else []
            elif name is not None and given is not None:
                said.append((f"{name[0]} {given.group(1)}={given.group(2)}", number))


def _first(pattern: re.Pattern[str], document: Document) -> tuple[str, Place] | None:
    found = pattern.search(document.text)
    return (found.group(1), Place(document.path, document.line_at(found.start()))) if found is not None else None


def _rows(document: Document) -> Iterator[tuple[_Said, Place]]:
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


_READERS: Mapping[str, Callable[[Answers, _Said, Place], None]] = {
    "show pfc priority": Answers._pfc,
    "show interfaces status": Answers._status,
    "show interface status": Answers._status,
    "show lldp table": Answers._neighbour,
}
