"""Changes of files that set a host's NICs up (scripts, templates, variables): the value that a rule asks for, where another stands."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit import platforms
from roce_audit.engine.conditions.logic import Path, cell_at
from roce_audit.engine.subjects import Subject
from roce_audit.platforms.repair import Change, Texts
from roce_audit.values import Cell, Place


def rewritten(subject: Subject, path: Path, value: object, texts: Texts) -> Iterator[Change]:
    """The ways to say it of every NIC of which the host's files now say the same as of the one that `path` leads to."""
    device = subject.device
    repairs = platforms.repairs(device.platform) if device is not None and path[0] == "host" else None
    if repairs is None:
        return
    cells = list(_alike(subject, path))
    place = subject.resolver("host")
    found = [place(at) for cell in cells for at in cell.at]
    places = list(dict.fromkeys(at for at in found if isinstance(at, Place)))
    name = ".".join(step for step in path if isinstance(step, str))
    yield from repairs.rewrite(name, value, places, texts) if places else ()


def _alike(subject: Subject, path: Path) -> Iterator[Cell[object]]:
    """The cell at a path, and those of the same field of its neighbours in a list that hold the same value."""
    at = next((n for n, step in enumerate(path) if isinstance(step, int)), len(path))
    wanted = cell_at(subject.env, path)
    rows = cell_at(subject.env, path[:at])
    size = len(rows.value) if at < len(path) and isinstance(rows, Cell) and isinstance(rows.value, tuple) else 0
    for one in [(*path[:at], n, *path[at + 1 :]) for n in range(size)] or [path]:
        try:
            cell = cell_at(subject.env, one)
        except LookupError:
            continue
        if isinstance(cell, Cell) and isinstance(wanted, Cell) and cell.value == wanted.value and cell.is_known:
            yield cell
