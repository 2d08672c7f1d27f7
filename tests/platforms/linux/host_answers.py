"""Hosts for tests: from a command's answer to the facts of a NIC."""

from __future__ import annotations

from pathlib import Path

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import PortReading
from roce_audit.sources.commands import command_of
from roce_audit.text.document import DeviceInput, Document

FIXTURES = Path(__file__).parents[3] / "fixtures"


def answer(command: str | None, text: str, status: int | None = 0, path: str = "") -> Document:
    """One answer; its file is called after the command."""
    return Document(path or f"{command}.txt", text, command, exit_status=status)


def host(*documents: Document, name: str = "linux") -> DeviceReading:
    """Read these answers as those of one host."""
    return platform(name).read(DeviceInput("host", name, documents))


def only_port(reading: DeviceReading) -> PortReading:
    """The one port of a reading."""
    assert [port.name for port in reading.ports] == [reading.ports[0].name]
    return reading.ports[0]


def folder(name: str) -> tuple[Document, ...]:
    """The documents of a fixture, as a folder of answers is read."""
    found = []
    for path in sorted((FIXTURES / name).iterdir()):
        if path.name != "golden.txt":
            found.append(Document(path.name, path.read_text(encoding="utf-8"), command_of(path.name)))
    return tuple(found)
