"""Hosts that are alike: most of a fleet answer the same, but for their addresses and the lines on which their answers stand.

One of them is read, as if each of its answers were a file of its own, called after its number. What the others say is the same,
at their own lines and with their own addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.model import Host
from roce_audit.model.walk import named_parts
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.host.own import Own
from roce_audit.records import dataclass
from roce_audit.text.block import PartShape, PlacedParts
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Place


@dataclass(frozen=True, slots=True, eq=False)
class Port:
    """A port of such hosts; lines are counted from the first of the answer that they stand in."""

    reading: PortReading
    labels: Mapping[str, Any]
    """Its labels by their names, but for its addresses."""
    shapes: tuple[PartShape, ...]
    lines: tuple[tuple[int, int], ...]
    """The answer in which each of its parts stands, and the line on which that begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """What hosts have in common of which all answers are alike."""

    reading: DeviceReading
    ports: tuple[Port, ...]
    host: Mapping[str, Cell[Any]]
    said: Mapping[str, Cell[Any]]
    """Of the facts of the host those that a line says."""

    def placed(self, device: DeviceInput, lines: int, own: Own) -> DeviceReading:
        """The reading of one of them, of so many lines."""
        documents = device.documents
        starts = [document.first_line - 1 for document in documents]
        addresses, macs = own.addresses, own.macs
        reading = self.reading
        host = {**self.host, **{name: _moved(cell, documents) for name, cell in self.said.items()}}
        return DeviceReading(
            name=device.name,
            platform=device.platform,
            kind=reading.kind,
            device=reading.device,
            device_parts=reading.device_parts,
            ports=tuple([_port(port, documents, starts, addresses) for port in self.ports]),
            first=Place(documents[0].path, documents[0].first_line),
            host=Host(**host),
            complete_because={documents[int(path)].path: why for path, why in reading.complete_because.items()},
            macs={macs.get(digits, digits): names for digits, names in reading.macs.items()},
            lines=lines,
            lines_relevant=reading.lines_relevant,
        )


def alike(reading: DeviceReading) -> Alike | None:
    """What hosts have in common with this one; None where more than that follows from what is their own."""
    host = reading.host
    if host is None or reading.seen or reading.neighbours or reading.unrecognised or reading.inline_suppressions:
        return None
    cells = {name: getattr(host, name) for name in Host.__dataclass_fields__}
    if not cells["nic_setups"].is_absent:
        return None
    ports = tuple(map(_common, reading.ports))
    return Alike(reading, ports, cells, {name: cell for name, cell in cells.items() if any(map(_is_line, cell.at))})


def _common(reading: PortReading) -> Port:
    parts = reading.parts
    assert isinstance(parts, PlacedParts)
    paths = parts.paths * len(parts) if len(parts.paths) == 1 else parts.paths
    labels = {name: label for name, label in named_parts(reading.labels).items() if name != "addresses"}
    return Port(reading, labels, parts.shapes, tuple(zip(map(int, paths), parts.firsts, strict=True)))


def _port(
    port: Port, documents: Sequence[Document], starts: Sequence[int], addresses: Mapping[str, str]
) -> PortReading:
    files = [documents[number].path for number, _ in port.lines]
    is_one = files.count(files[0]) == len(files)
    firsts = tuple([starts[number] + line for number, line in port.lines])
    reading = port.reading
    own = Labels(**port.labels, addresses=tuple([_address(one, addresses) for one in reading.labels.addresses]))
    parts = PlacedParts(port.shapes, tuple(files[:1] if is_one else files), firsts)
    return PortReading(reading.name, reading.facts, parts, _line(reading.header, documents), own, reading.family)


def _address(address: str, addresses: Mapping[str, str]) -> str:
    """An address with its length, of what stands for it."""
    stands, slash, length = address.partition("/")
    return f"{addresses.get(stands, stands)}{slash}{length}"


def _is_line(where: object) -> bool:
    return isinstance(where, Place)


def _line(place: Place, documents: Sequence[Document]) -> Place:
    document = documents[int(place.path)]
    return Place(document.path, document.first_line - 1 + place.line if place.line else 0)


def _moved(cell: Cell[Any], documents: Sequence[Document]) -> Cell[Any]:
    """The same said by a host's own lines."""
    value = cell.value
    if isinstance(value, tuple):
        value = tuple([replace(one, value=_moved(one.value, documents)) for one in value])
    at = tuple([_line(where, documents) if isinstance(where, Place) else where for where in cell.at])
    return Cell(value, cell.why, at)
