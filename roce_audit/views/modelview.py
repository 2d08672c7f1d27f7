"""The normalized model as text: each value with its line, default citation, or why it is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from roce_audit.fabric.budget import budget
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ranges import short
from roce_audit.model.walk import Path, cells
from roce_audit.report.assumptions import RANKS
from roce_audit.report.words import position
from roce_audit.text.block import Parts, resolve
from roce_audit.text.secrets.redact import redact
from roce_audit.values import Cited, Place
from roce_audit.views.budgetview import budget_lines
from roce_audit.views.cellwords import Quote, line_runs, positions, safe, where
from roce_audit.views.choosing import Chosen, alike, run

_OWN = "each its own number"
_ANSWER = {True: "yes", False: "no", None: "unclear"}


def model_lines(chosen: Sequence[Chosen], quote: Quote) -> Iterator[str]:
    """The model of these devices and ports; a port that reads like an earlier one of its device is only named."""
    for one in chosen:
        if one.whole:
            device = one.device
            yield f"{device.name}  {device.platform} {device.kind}  {position(device.first.path, device.first.line)}"
            yield from _rows(device.device, device.device_parts, quote)
            yield from (f"  {line}" for line in budget_lines(device.device, budget(one.ports)))
            if device.host is not None:
                yield "  host"
                yield from _rows(device.host, device.host_parts, quote)
        for first, members in alike(one.ports, lambda port: id(port.reading.facts)):
            yield from _port(first, quote)
            if len(members) > 1:
                yield f"{first.device.name}:{run(members[1:])}: same as {first.reading.name}"


def _port(port: FabricPort, quote: Quote) -> Iterator[str]:
    reading, answer = port.reading, port.roce
    said = f" ({answer.because})" if answer.because else ""
    yield f"{port.id}  {position(reading.header.path, reading.header.line)}  carries RoCE: {_ANSWER[answer.carries]}{said}"
    labels = (
        ("description", redact(reading.labels.description)),
        ("lag", reading.labels.lag),
        ("vrf", reading.labels.vrf),
    )
    for name, text in labels:
        if text:
            yield f"  {name} = {text}"
    if port.peer is not None:
        yield f"  far end = {port.peer.id}"
    yield from _rows(reading.facts, reading.parts, quote)


def _rows(subject: Any, parts: Parts, quote: Quote) -> Iterator[str]:
    """A line per value; equal neighbours in a row of queues, classes or code points share one.

    A code point that is mapped has a line of its own in many files: these are told as the runs that they make.
    """
    rows: dict[tuple[Path, Path, str, str], list[int]] = {}
    mapped: dict[tuple[Path, Path, str, str], dict[Place, None]] = {}
    silent: dict[str, list[str]] = {}
    for path, cell in cells(subject):
        found = [resolve(at, parts) for at in cell.at]
        text = safe(cell, [at for at in found if isinstance(at, Place)], quote)
        before, index, after = _split(path)
        if index is not None and type(cell.value) is int and cell.value == index:
            text = _OWN
        is_mapping = index is not None and not after and len(found) > 1 and all(isinstance(at, Place) for at in found)
        row = (before, after, text, "" if is_mapping else where(found, quote))
        group = rows.setdefault(row, [])
        if index is not None:
            group.append(index)
        if is_mapping:
            mapped.setdefault(row, {}).update(dict.fromkeys(at for at in found if isinstance(at, Place)))
    for row, numbers in rows.items():
        before, after, text, at = row
        at = at or line_runs(list(mapped.get(row, ())))
        name = _name(before, numbers, after)
        if text == _OWN and len(numbers) == 1:
            text = str(numbers[0])
        if text.startswith("unknown") and not at:
            silent.setdefault(text, []).append(name)
        else:
            yield f"  {name} = {text}{_spaced(at)}"
    for text, names in silent.items():
        yield f"  {text}: {', '.join(names)}"


def _spaced(at: str) -> str:
    return f"    {at}" if at else ""


def _split(path: Path) -> tuple[Path, int | None, Path]:
    """A path at its last number: (`queues`), 3, (`ecn`, `min_bytes`)."""
    for at in range(len(path) - 1, -1, -1):
        step = path[at]
        if isinstance(step, int):
            return path[:at], step, path[at + 1 :]
    return path, None, ()


def _name(before: Path, numbers: Sequence[int], after: Path) -> str:
    runs = f"[{','.join(short(map(str, numbers)))}]" if numbers else ""
    head = ""
    for step in before:
        head += f"[{step}]" if isinstance(step, int) else f".{step}" if head else step
    return ".".join([f"{head}{runs}", *map(str, after)])


def roce_lines(chosen: Sequence[Chosen]) -> Iterator[str]:
    """One line per group of ports: which carry RoCE, the rank of the evidence, and where it stands."""
    for one in chosen:
        for first, members in alike(one.ports, lambda port: (port.roce.carries, port.roce.rank, _said(port))):
            answer = first.roce
            word = "-" if answer.rank == "not_data" else _ANSWER[answer.carries]
            rank = f"{RANKS[answer.rank]}  " if answer.rank in RANKS else ""
            yield f"{one.device.name}:{run(members)}  {word}  {rank}{_said(first)}{_spaced(_evidence(first))}"


def _said(port: FabricPort) -> str:
    """The evidence in words, without the name of the far end: ports of one kind lead to many."""
    said = port.roce.because or "nothing says"
    return said if port.peer is None else said.replace(f"far end {port.peer.id}", "far end")


def _evidence(port: FabricPort) -> str:
    found = [port.place(at) for at in port.roce.at]
    places = [at for at in found if isinstance(at, Place)]
    return positions(places) or next((at.source for at in found if isinstance(at, Cited)), "")
