"""Links that run at less than is configured, by `show interfaces`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.cli.running import runs_slower
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At

if TYPE_CHECKING:
    from roce_audit.platforms.junos.config import Configuration


def slower_links(ports: Iterable[PortReading], config: Configuration) -> Iterator[Seen]:
    """One observation for each such port; a port of which nothing is configured is as fast as it comes up."""
    for port in ports:
        speed = port.facts.speed_bps
        if not speed.is_known or port.name.startswith("ae"):
            continue
        if not any(isinstance(at, At) and port.parts[at.part].kind != "state" for at in speed.at):
            continue
        for told in config.shown.get(port.name, ()):
            leaf = TABLE.parse("state", told.texts.statements[0]).value
            if (
                isinstance(leaf, Leaf)
                and leaf.name == "speed"
                and isinstance(leaf.value, int)
                and leaf.value < speed.get()
            ):
                text = f"{port.name}: {runs_slower(speed.get(), leaf.value)}"
                yield seen("slower", port.name, text, told.place(0), "", (port.name,))
