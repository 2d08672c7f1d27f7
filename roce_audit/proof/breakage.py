"""Breakages of a user's own files: one relevant line deleted (with its block, if it heads one), or one number changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from roce_audit.fabric.site import Site
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.sources.files import misnamed
from roce_audit.sources.lines import Misnamed, SourceLines
from roce_audit.text.block import Part
from roce_audit.text.structured import indented
from roce_audit.text.structured.jsontext import is_json
from roce_audit.values import Place

Kind = Literal["deleted", "changed", "misspelt", "foreign letter", "conflict", "cut"]
_NUMBER = re.compile(r"(?<![\w./:-])[0-9]{1,12}(?![\w./:-])")
_SMALL = 64
"""Numbers below it are counted up by one, larger ones doubled: so that a priority stays one, and a threshold moves."""


@dataclass(frozen=True, slots=True)
class Relevant:
    """Relevant lines that stand alike in several places: they are told apart by nothing that is read of them."""

    places: tuple[Place, ...]
    platform: str
    text: str


@dataclass(frozen=True, slots=True)
class Breakage:
    """One change to try, at the first place of a group of equal lines."""

    line: Relevant
    kind: Kind
    text: str
    """The file after the change."""
    new: str = ""
    """The changed line, where it was changed."""


def relevant(site: Site, devices: Sequence[DeviceReading], lines: SourceLines) -> list[Relevant]:
    """All lines that anything was read from, the groups that stand for most lines first. Raises Misnamed."""
    groups: dict[tuple[object, ...], list[Place]] = {}
    platforms: dict[Place, str] = {}
    for device, state, part in _parts(site, devices):
        block = part.block
        for i in range(len(block.texts.statements)):
            place = block.place(i)
            if place not in platforms:
                platforms[place] = device.platform
                words = " ".join(lines(place).split())
                key = (device.platform, state, part.role, part.kind, id(block.texts), i, words)
                groups.setdefault(key, []).append(place)
    if why := next(filter(None, map(misnamed, sorted({place.path for place in platforms}))), ""):
        raise Misnamed(why)
    found = [Relevant(tuple(places), platforms[places[0]], lines(places[0]).strip()) for places in groups.values()]
    found = [one for one in found if one.text.strip("{}[],;()")]
    return sorted(found, key=lambda one: (-len(one.places), one.places[0].path, one.places[0].line))


def _parts(site: Site, devices: Sequence[DeviceReading]) -> Iterator[tuple[DeviceReading, object, Part]]:
    answers = {one.id: (one.roce.carries, one.roce.rank) for fabric in site.fabrics for one in fabric.ports}
    for device in devices:
        for port in device.ports:
            state = answers.get(f"{device.name}:{port.name}")
            for part in port.parts:
                yield device, state if part.role in ("own", "lag") else None, part
        for part in (*device.device_parts, *device.host_parts):
            yield device, None, part


def deletion(line: Relevant, text: str) -> Breakage:
    """The file without the line; a line that heads a block goes with its block."""
    at = line.places[0].line - 1
    lines = text.split("\n")
    end = _end(lines, at)
    return Breakage(line, "deleted", _fixed(lines[:at], lines[end:], text))


def change(line: Relevant, text: str) -> Breakage | None:
    """The file with the last number of the line changed; None where the line has none."""
    at = line.places[0].line - 1
    lines = text.split("\n")
    found = list(_NUMBER.finditer(lines[at]))
    if not found:
        return None
    number, last = int(found[-1][0]), found[-1]
    other = number + 1 if number < _SMALL else 2 * number
    lines[at] = f"{lines[at][: last.start()]}{other}{lines[at][last.end() :]}"
    return Breakage(line, "changed", "\n".join(lines), lines[at].strip())


def _end(lines: Sequence[str], at: int) -> int:
    """The line behind the block that the line heads: what is indented below it, and the bracket that closes it."""
    end = indented.end(lines, at)
    opened = lines[at].rstrip().endswith(("{", "["))
    return end + (opened and end < len(lines) and lines[end].strip()[:1] in ("}", "]"))


def _fixed(above: list[str], below: list[str], before: str) -> str:
    """The joined text; where the file was JSON, a comma that is left over goes too, for nobody deletes half a member."""
    text = "\n".join([*above, *below])
    if before.lstrip()[:1] not in ("{", "[") or is_json(text) or not is_json(before):
        return text
    last = next((i for i in range(len(above) - 1, -1, -1) if above[i].strip()), None)
    if last is None:
        return text
    fixed = "\n".join([*above[:last], above[last].rstrip().removesuffix(","), *above[last + 1 :], *below])
    return fixed if is_json(fixed) else text


def shape(text: str) -> str:
    """The line with its numbers blotted out: what equal lines of different ports have in common."""
    return re.sub(r"[0-9]+", "N", " ".join(text.split()))


def counted(lines: Iterable[Relevant]) -> int:
    """How many lines of the files these groups stand for."""
    return sum(len(line.places) for line in lines)
