"""The text of golden models: what the input decides is all there, and a field that nothing fills shows nowhere."""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from roce_audit.model import Port
from roce_audit.platforms.base import DeviceReading
from roce_audit.proof import golden
from roce_audit.proof.modeltext import decided_cells, every_cell
from roce_audit.records import dataclass
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

FIXTURES = Path(__file__).parents[2] / "fixtures"
FIRST = {folder.parent: folder for folder in reversed(golden.cases(FIXTURES))}
"""One case of each platform."""


@cache
def reading(case: str) -> DeviceReading:
    return golden.read_case(FIXTURES / case)


def sections(lines: list[str]) -> list[tuple[str, dict[str, str]]]:
    """(device, host or port line, its cells by path) of a model's text, with ranges of numbers taken apart."""
    found: list[tuple[str, dict[str, str]]] = []
    for line in lines:
        if not line.startswith("  "):
            found.append((line, {}))
        elif " = " in line:
            path, text = line.strip().split(" = ", 1)
            found[-1][1].update((one, text) for one in expanded(path))
    return found


def expanded(path: str) -> list[str]:
    found = re.search(r"(?<![\w-])\d+([,-]\d+)+(?![\w-])", path)
    if found is None:
        return [path]
    ends = [run.split("-") for run in found[0].split(",")]
    numbers = [n for run in ends for n in range(int(run[0]), int(run[-1]) + 1)]
    return [f"{path[: found.start()]}{n}{path[found.end() :]}" for n in numbers]


def looked_up(cells: dict[str, str], path: str) -> str | None:
    """What a short text says of a path: its own line, or the `*` of the innermost object that has one."""
    if path in cells:
        return cells[path]
    while path:
        path = path.rpartition(".")[0]
        over = cells.get(f"{path}.*" if path else "*")
        if over is not None:
            return over
    return None


def test_whatever_has_a_line_of_the_input_is_in_the_short_text_and_nothing_there_is_untrue() -> None:
    wrong = []
    for case in {*FIRST.values(), FIXTURES / "os9/plain", FIXTURES / "sonic/names", FIXTURES / "eos/plain"}:
        read = golden.read_case(case)
        full, short = sections(list(every_cell(read))), sections(list(decided_cells(read)))
        assert [head for head, _ in full] == [head for head, _ in short]
        for (head, every), (_, decided) in zip(full, short, strict=True):
            for path, text in every.items():
                said = looked_up(decided, path)
                if said != text and (said is not None or "  @ " in text):
                    wrong.append((case, head, path, text, said))
    assert not wrong


@dataclass(frozen=True, slots=True)
class WiderPort(Port):
    """A port with one more field, which no reader fills."""

    spare: Cell[int]


def wider(read: DeviceReading, *spare: Cell[int]) -> DeviceReading:
    """The reading with one more field of every port; the last of `spare` for all that are left."""
    ports = []
    for number, port in enumerate(read.ports):
        values: dict[str, Any] = {f.name: getattr(port.facts, f.name) for f in dataclasses.fields(Port)}
        facts = WiderPort(**values, spare=spare[min(number, len(spare) - 1)])
        ports.append(dataclasses.replace(port, facts=facts))
    return dataclasses.replace(read, ports=tuple(ports))


DEFAULT = known(7, Cited("the manual"))
UNSAID: tuple[Cell[int], ...] = (
    unknown(Why.NOT_VISIBLE),
    unknown(Why.NO_DEFAULT),
    absent(Cited("the manual")),
    absent(),
    DEFAULT,
)


@pytest.mark.parametrize("spare", UNSAID, ids=lambda cell: str(cell.why or "default"))
def test_a_new_field_that_no_statement_sets_shows_nowhere(spare: Cell[int]) -> None:
    read = reading("eos/plain")
    assert list(decided_cells(wider(read, spare))) == list(decided_cells(read))
    assert list(every_cell(wider(read, spare))) != list(every_cell(read))


@pytest.mark.parametrize("why", [Why.NOT_PARSED, Why.UNDEFINED, Why.CONFLICT, Why.REFUSED, Why.RESET])
def test_a_doubt_with_a_reason_shows_everywhere(why: Why) -> None:
    shown = [line for line in decided_cells(wider(reading("eos/plain"), unknown(why))) if "spare" in line]
    assert shown == [f"  spare = <{why}>"] * len(reading("eos/plain").ports)


def test_a_default_that_one_port_has_and_others_have_not_shows_there() -> None:
    shown = [line for line in decided_cells(wider(reading("eos/plain"), DEFAULT, absent())) if "spare" in line]
    assert shown == ["  spare = 7  (default)"]
