"""The normalized model of one device as text: every cell of it, or only what its input decides.

What the input decides: values, absences and doubts with a line of the input behind them, and what a reader concluded without
one (a kind from a port's name). Left out is what nothing says: documented defaults, absences and cells that nobody could see.
A default that only some ports of the device have is decided by a statement all the same (a routed port trusts DSCP), and
stays. So a new field of a port changes no text until a reader fills it; one of a queue, a class or the like shows where a line
that was not understood leaves it in doubt.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

from roce_audit.model.walk import Path, cells, dotted
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import Labels
from roce_audit.records import dataclass
from roce_audit.text.block import Parts, resolve
from roce_audit.text.sentences import runs
from roce_audit.values import Cell, Cited, DefaultLocation, Place, Why

_UNSAID = (Why.ABSENT, Why.NOT_VISIBLE, Why.NO_DEFAULT)
"""Reasons that no line of the input needs to give."""

_NOBODY_SAYS = "<unknown>"


def every_cell(reading: DeviceReading) -> Iterator[str]:
    """The whole model, a line a cell: path, value or reason, and where it was said."""
    yield _title(reading)
    yield from _every(reading.device, reading.device_parts)
    if reading.host is not None:
        yield "host"
        yield from _every(reading.host, reading.host_parts)
    yield from _neighbours(reading)
    for port in reading.ports:
        yield f"port {port.name}  @ {port.header.path}:{port.header.line}"
        yield f"  labels: {port.labels}"
        yield from _every(port.facts, port.parts)
    yield from _seen(reading)


def decided_cells(reading: DeviceReading) -> Iterator[str]:
    """What the input decides: one line for equal cells of neighbours, `<path>.*` for one doubt over all that has no own line."""
    yield _title(reading)
    for path in sorted(reading.complete_because):
        yield f"  complete: {path}"
    yield from _decided(reading.device, reading.device_parts, {})
    if reading.host is not None:
        yield "host"
        yield from _decided(reading.host, reading.host_parts, {})
    yield from _neighbours(reading)
    usual = _usual([port.facts for port in reading.ports])
    for port in reading.ports:
        yield f"port {port.name}  @ {port.header.path}:{port.header.line}"
        yield from _labels(port.labels)
        yield from _decided(port.facts, port.parts, usual)
    yield from _seen(reading)


def _neighbours(reading: DeviceReading) -> Iterator[str]:
    for one in reading.neighbours:
        source = "configured" if one.configured else "heard"
        yield f"neighbour {one.port} = {one.text!r} {source} @ {one.place.path}:{one.place.line}"


def _title(reading: DeviceReading) -> str:
    return f"device {reading.name} ({reading.platform}, {reading.kind})"


def _seen(reading: DeviceReading) -> Iterator[str]:
    for seen in reading.seen:
        yield f"seen {seen.observation.kind} {seen.place.path}:{seen.place.line} {seen.quote!r} ports={list(seen.ports)}"


def _labels(labels: Labels) -> Iterator[str]:
    """The labels that the port has."""
    for f in fields(labels):
        value = getattr(labels, f.name)
        if f.repr and value != f.default and f.default is not MISSING:
            yield f"  label {f.name} = {_plain(value)}"


def _every(subject: Any, parts: Parts) -> Iterator[str]:
    for path, cell in cells(subject):
        yield f"  {dotted(path)} = {_value(cell)}{_where(cell, parts)}"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A cell that is printed (`text`), or is left out (`text` is None)."""

    path: Path
    text: str | None
    is_doubt: bool = False


def _decided(subject: Any, parts: Parts, usual: Mapping[Path, str]) -> Iterator[str]:
    entries = [_entry(path, cell, parts, usual) for path, cell in cells(subject)]
    for path, text in _by_neighbours(_by_doubt(entries)):
        yield f"  {path} = {text}"


def _entry(path: Path, cell: Cell[Any], parts: Parts, usual: Mapping[Path, str]) -> _Entry:
    if _is_unsaid(cell) and usual.get(path, unsaid := _unsaid(cell)) == unsaid:
        return _Entry(path, None)
    return _Entry(path, _value(cell) + _where(cell, parts), cell.is_unknown)


def _is_unsaid(cell: Cell[Any]) -> bool:
    """Whether no line of the input stands behind this cell."""
    places = [at for at in cell.at if not isinstance(at, DefaultLocation)]
    if cell.why is None:
        return bool(places) and all(isinstance(at, Cited) for at in places)
    return cell.why in _UNSAID and all(isinstance(at, Cited) for at in places)


def _unsaid(cell: Cell[Any]) -> str:
    """What stands in a cell that no line decides. Doubts are one: which it is tells only how much of the input is whole."""
    return _NOBODY_SAYS if cell.is_unknown else _value(cell)


def _usual(ports: Iterable[Any]) -> dict[Path, str]:
    """What most ports of a device have at each path where no line of the input decides it."""
    found: dict[Path, Counter[str]] = defaultdict(Counter)
    for port in ports:
        for path, cell in cells(port):
            if _is_unsaid(cell):
                found[path][_unsaid(cell)] += 1
    return {path: counts.most_common(1)[0][0] for path, counts in found.items()}


def _by_doubt(entries: list[_Entry]) -> list[tuple[Path, str]]:
    """What is printed; where one doubt covers all that has no value below a path, one `*` for it."""
    below: dict[Path, list[_Entry]] = defaultdict(list)
    for entry in entries:
        for depth in range(len(entry.path)):
            below[entry.path[:depth]].append(entry)
    doubts = {path: doubt for path, inside in below.items() if (doubt := _one_doubt(inside)) is not None}
    lines: dict[Path, str] = {}
    for entry in entries:
        if entry.text is None:
            continue
        over = next((entry.path[:d] for d in range(len(entry.path)) if entry.path[:d] in doubts), None)
        if over is not None:
            lines.setdefault((*over, "*"), doubts[over])
        if over is None or entry.text != doubts[over]:
            lines[entry.path] = entry.text
    return list(lines.items())


def _one_doubt(inside: list[_Entry]) -> str | None:
    """The doubt that all of these cells share which hold no value of their own."""
    if any(entry.text is None for entry in inside):
        return None
    doubts = [entry.text for entry in inside if entry.is_doubt]
    return doubts[0] if len(doubts) > 1 and len(set(doubts)) == 1 else None


def _by_neighbours(lines: list[tuple[Path, str]]) -> Iterator[tuple[str, str]]:
    """Equal cells of neighbours in one line: `dscp.0-7`, `queues.0-2,4.share`."""
    groups: dict[tuple[Path, Path, str], list[int]] = defaultdict(list)
    for path, text in lines:
        at = next((i for i, step in enumerate(path) if isinstance(step, int)), len(path))
        groups[path[:at], path[at + 1 :], text] += [step for step in path[at : at + 1] if isinstance(step, int)]
    for (start, end, text), numbers in groups.items():
        yield dotted((*start, *([",".join(runs(numbers))] if numbers else []), *end)), text


def _value(cell: Cell[Any]) -> str:
    return f"<{cell.why}>" if cell.why is not None else _plain(cell.value)


def _plain(value: Any) -> str:
    return "{" + ", ".join(map(str, sorted(value))) + "}" if isinstance(value, frozenset) else repr(value)


def _where(cell: Cell[Any], parts: Parts) -> str:
    places = [resolve(at, parts) for at in cell.at if not isinstance(at, DefaultLocation)]
    lines = [f"{p.path}:{p.line}" for p in places if isinstance(p, Place)]
    return f"  @ {', '.join(lines)}" if lines else "  (default)" if places else ""
