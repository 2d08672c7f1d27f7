"""The corruption test: a line whose tail is not understood makes unknown whatever it set, on every platform.

Neither the old value nor the default may stand, and the line must be told of. To spoil any line may darken the model, but never
change one value into another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.model.walk import Path as ModelPath
from roce_audit.model.walk import cells, follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.proof import golden
from roce_audit.text.block import Part, resolve
from roce_audit.text.document import DeviceInput
from roce_audit.values import Cell, DefaultLocation, Place, Why

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = golden.cases(FIXTURES)
JUNK = "~x"
_ALIKE = 1
"""How many of the lines of a device that read the same are spoiled."""
TOLD = {"unread-line", "undefined", "unapplied", "unreadable", "conflict"}

_JSON_VALUE = re.compile(r'^(\s*"(?:[^"\\]|\\.)*"\s*:\s*)(.*?)([\s,]*)$')
_JSON_OPENS = re.compile(r'^\s*"(?:[^"\\]|\\.)*"\s*:\s*[\[{]')
_JSON_ELEMENT = re.compile(r'^(\s*)("(?:[^"\\]|\\.)*"|[\w.+-]+)(\s*,?\s*)$')
_TAIL = re.compile(r"^(.*?)([\s;,{}()\[\]\"']*)$")

Subject = tuple[object, tuple[Part, ...]]


def corrupted(line: str, is_json: bool) -> str | None:
    """The line with a tail that is no word of any syntax; None where there is nothing to spoil."""
    if not is_json:
        found = _TAIL.match(line)
        assert found is not None
        return f"{found[1]}{JUNK}{found[2]}" if found[1].strip() else None
    if _JSON_OPENS.match(line):
        return None  # a key: another name is another thing
    value = _JSON_VALUE.match(line) or _JSON_ELEMENT.match(line)
    if value is None:
        return None
    bare = value[2].removesuffix('"').removeprefix('"')
    return f'{value[1]}"{bare}{JUNK}"{value[3]}'


@cache
def loaded(folder: Path) -> DeviceInput:
    return golden.load_case(folder)


def read(device: DeviceInput) -> DeviceReading:
    return platforms.platform(device.platform).read(device)


def spoiled(device: DeviceInput, place: Place) -> DeviceInput | None:
    """The same device with this line corrupted."""
    for number, document in enumerate(device.documents):
        index = place.line - document.first_line
        lines = document.text.split("\n")
        if document.path != place.path or not 0 <= index < len(lines):
            continue
        text = corrupted(lines[index], document.text.lstrip()[:1] in ("{", "["))
        if text is None:
            return None
        changed = replace(document, text="\n".join([*lines[:index], text, *lines[index + 1 :]]))
        return replace(device, documents=(*device.documents[:number], changed, *device.documents[number + 1 :]))
    return None


def subjects(reading: DeviceReading) -> Mapping[str, Subject]:
    found: dict[str, Subject] = {"device": (reading.device, reading.device_parts)}
    if reading.host is not None:
        found["host"] = (reading.host, reading.host_parts)
    return found | {f"port {port.name}": (port.facts, port.parts) for port in reading.ports}


def said(reading: DeviceReading) -> Mapping[Place, list[tuple[str, ModelPath]]]:
    """Line -> the cells that it gave a value (or that it made absent)."""
    found: dict[Place, list[tuple[str, ModelPath]]] = {}
    for name, (subject, parts) in subjects(reading).items():
        for path, cell in cells(subject):
            for at in () if cell.is_unknown else cell.at:
                place = resolve(at, parts)
                if isinstance(place, Place) and not isinstance(at, DefaultLocation):
                    found.setdefault(place, []).append((name, path))
    return found


def told(reading: DeviceReading, place: Place) -> bool:
    """A text that cannot be parsed is told as a whole: its parser stumbles over the spoiled line or later."""
    return any(
        seen.observation.kind in TOLD
        and seen.place.path == place.path
        and (seen.place.line in (0, place.line) or seen.observation.kind == "unreadable")
        for seen in reading.seen
    )


def text_of(device: DeviceInput, place: Place) -> tuple[str, str]:
    """The line at a place, and the one below it."""
    for document in device.documents:
        lines = [*document.text.split("\n"), ""]
        index = place.line - document.first_line
        if document.path == place.path and 0 <= index < len(lines) - 1:
            return lines[index], lines[index + 1]
    return "", ""


def is_comment(device: DeviceInput, place: Place) -> bool:
    mark = platforms.platform(device.platform).comment
    return bool(mark) and text_of(device, place)[0].lstrip().startswith(mark)


def is_header(device: DeviceInput, place: Place) -> bool:
    """Whether the line opens a stanza: what stands in it is then nobody's, and to say so is all that can be done."""
    line, below = text_of(device, place)
    return bool(line.strip()) and len(below) - len(below.lstrip()) > len(line) - len(line.lstrip())


def is_honest(cell: Cell[object] | None) -> bool:
    """Unknown, or a text that shows the junk itself; None: there is no such thing any more."""
    return cell is None or cell.is_unknown or (isinstance(cell.value, str) and JUNK in cell.value)


def lines_of(device: DeviceInput) -> Iterator[Place]:
    for document in device.documents:
        for index in range(document.text.count("\n") + 1):
            yield Place(document.path, document.first_line + index)


def spoiled_readings(device: DeviceInput) -> Iterator[tuple[Place, DeviceReading]]:
    """Lines that can be spoiled, and what is read then; a header that is told of counts as done."""
    times: Counter[str] = Counter()
    for place in lines_of(device):
        changed = spoiled(device, place)
        text, _ = text_of(device, place)
        times[text] += 1
        if changed is not None and times[text] <= _ALIKE:
            after = read(changed)
            if not is_header(device, place) or not told(after, place):
                yield place, after


@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.relative_to(FIXTURES).as_posix())
def test_a_spoiled_line_is_told_and_what_it_set_is_unknown(folder: Path) -> None:
    """And no line, whatever it set, turns one value into another."""
    device = loaded(folder)
    reading = read(device)
    set_by = said(reading)
    before = {name: (subject, dict(cells(subject))) for name, (subject, _) in subjects(reading).items()}
    wrong: list[str] = []
    for place, after in spoiled_readings(device):
        wrong += [f"{place.line}: {words}" for words in _not_told(device, place, set_by.get(place, ()), after)]
        wrong += [f"{place.line}: {words}" for words in _turned(before, after)]
    assert not wrong, "\n".join(wrong)


def _not_told(
    device: DeviceInput, place: Place, paths: Sequence[tuple[str, ModelPath]], after: DeviceReading
) -> Iterator[str]:
    """What a spoiled line still sets, and whether nothing is said of a line that set something."""
    now = subjects(after)
    not_known = []
    for name, path in paths:
        if path[-1] == "rdma_devices":
            continue  # the devices that a call names, whatever it sets there
        cell = follow(now[name][0], path) if name in now else None
        not_known.append(cell)
        if not is_honest(cell):
            yield f"{name} {path} is {cell}"
    # in a fragment a name without a definition is no fault: the rest of the file may define it
    nameless = {Why.UNDEFINED} if after.complete_because else {Why.UNDEFINED, Why.NOT_VISIBLE}
    by_name = any(cell is not None and cell.why in nameless for cell in not_known)
    shown = any(cell is not None and isinstance(cell.value, str) for cell in not_known)
    if paths and not by_name and not shown and not is_comment(device, place) and not told(after, place):
        yield "nothing is said of the line"


_DEVICE = ("nic", "rdma_device")
"""Tools show the RDMA device of a bond at the bond; it is its first member's where the members are known, and no line says them then."""


def _turned(
    before: Mapping[str, tuple[object, Mapping[ModelPath, Cell[object]]]], after: DeviceReading
) -> Iterator[str]:
    """Values that became other values."""
    for name, (subject, _) in subjects(after).items():
        was, old = before.get(name, (None, {}))
        for path, cell in cells(subject) if subject != was else ():
            if path == _DEVICE and path in old and old[path].is_absent:
                continue
            if path in old and cell != old[path] and not is_honest(cell) and not old[path].is_unknown:
                yield f"{name} {path} was {old[path].value}, is {cell.value or cell.why}"
