"""Golden models: an input beside the normalized model it must give.

`python -m roce_audit.proof.golden FOLDER...` writes `golden.txt` for each case folder anew; the change is reviewed as a diff.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from roce_audit import platforms
from roce_audit.model.walk import cells, dotted
from roce_audit.platforms.base import DeviceReading
from roce_audit.sources.devices import load
from roce_audit.text.block import Part, resolve
from roce_audit.text.document import DeviceInput
from roce_audit.values import Cell, DefaultLocation, Place

GOLDEN = "golden.txt"


def cases(root: Path) -> list[Path]:
    """The case folders below `root`: those that hold a golden file, one level below a platform's folder."""
    return sorted(p.parent for p in root.glob(f"*/*/{GOLDEN}"))


def read_case(folder: Path) -> DeviceReading:
    """Read the one device of a case folder."""
    device = load_case(folder)
    return platforms.platform(device.platform).read(device)


def load_case(folder: Path) -> DeviceInput:
    """The one device of a case folder (<platform>/<case>), unread; its paths are relative to the folder."""
    with contextlib.chdir(folder):  # paths are shown relative to the working directory
        inputs = sorted(name for name in os.listdir() if name != GOLDEN)
        loaded = load(inputs if len(inputs) == 1 else ["."], exclude=[GOLDEN])
    if len(loaded.devices) != 1:
        raise ValueError(f"{folder}: {len(loaded.devices)} devices in a case of one")
    return loaded.devices[0]


def describe(reading: DeviceReading) -> Iterator[str]:
    """The normalized model of one device, a line a cell: path, value or reason, and where it was said."""
    yield f"device {reading.name} ({reading.platform}, {reading.kind})"
    yield from _object(reading.device, reading.device_parts)
    if reading.host is not None:
        yield "host"
        yield from _object(reading.host, reading.host_parts)
    for port in reading.ports:
        yield f"port {port.name}  @ {port.header.path}:{port.header.line}"
        yield f"  labels: {port.labels}"
        yield from _object(port.facts, port.parts)
    for seen in reading.seen:
        yield f"seen {seen.observation.kind} {seen.place.path}:{seen.place.line} {seen.quote!r} ports={list(seen.ports)}"


def _object(subject: Any, parts: tuple[Part, ...]) -> Iterator[str]:
    for path, cell in cells(subject):
        yield f"  {dotted(path)} = {_value(cell)}{_where(cell, parts)}"


def _value(cell: Cell[Any]) -> str:
    if cell.why is not None:
        return f"<{cell.why}>"
    if isinstance(cell.value, frozenset):
        return "{" + ", ".join(map(str, sorted(cell.value))) + "}"
    return repr(cell.value)


def _where(cell: Cell[Any], parts: tuple[Part, ...]) -> str:
    places = [resolve(at, parts) for at in cell.at if not isinstance(at, DefaultLocation)]
    lines = [f"{p.path}:{p.line}" for p in places if isinstance(p, Place)]
    return f"  @ {', '.join(lines)}" if lines else "  (default)" if places else ""


def main(arguments: list[str]) -> int:
    """Write the golden files of the named case folders."""
    for name in arguments:
        folder = Path(name)
        text = "\n".join(describe(read_case(folder))) + "\n"
        (folder / GOLDEN).write_text(text, encoding="utf-8")
        print(f"{folder / GOLDEN}: {text.count(chr(10))} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
