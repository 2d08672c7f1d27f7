"""The cells of a port that a change is about: the paths to them, the lines that say them, their values in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from roce_audit.engine.conditions.logic import Path, cell_at
from roce_audit.fabric.port import FabricPort
from roce_audit.values import At, Cell, Place


def odd_settings(port: FabricPort, read: Path) -> list[Path]:
    """The settings that `joined.odd_settings` speaks of, the one that decided first: a port that differs in several is
    only like the others when all are.
    """
    if len(read) < 3 or read[0] != "joined" or not str(read[1]).startswith("odd_") or port.joined is None:
        return []
    odd, at = getattr(port.joined, str(read[1])).get(), int(read[2])
    return [
        ("port", *(int(step) if step.isdigit() else step for step in re.findall(r"\w+", one.path)))
        for one in (odd[at], *odd[:at], *odd[at + 1 :])
        if one.value != one.usual
    ]


def cell_of(objects: Mapping[str, object], path: Path) -> Cell[object] | None:
    """The cell at a path, or the last one on the way that holds no value."""
    for length in range(len(path), 1, -1):
        try:
            found = cell_at(objects, path[:length])
        except (LookupError, AttributeError, TypeError):
            continue
        if isinstance(found, Cell):
            return found
    return None


def lines_of(port: FabricPort, objects: Mapping[str, object], path: Path, *, own: bool = False) -> list[Place]:
    """The lines that say the cell; `own`: in the port's own stanza (of a NIC: in any answer of its host)."""
    cell = cell_of(objects, path)
    found: list[Place] = []
    for at in cell.at if cell is not None else ():
        place = port.place(at)
        mine = port.is_nic or (isinstance(at, At) and port.reading.parts[at.part].role == "own")
        # an answer that begins with the NIC may say the rest on the same line
        says = port.is_nic or place != port.reading.header
        if isinstance(place, Place) and says and (mine or not own):
            found.append(place)
    return list(dict.fromkeys(found))


def in_words(path: Path, value: object) -> str:
    """A value as a report says it."""
    if isinstance(value, frozenset):
        return ", ".join(map(str, sorted(value))) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,} B" if isinstance(value, int) and str(path[-1]).endswith("_bytes") else str(value)
