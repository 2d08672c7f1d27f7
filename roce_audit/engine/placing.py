"""Placing: from the paths that decided a verdict to lines of files. Only what is reported is looked up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, Protocol

from roce_audit.engine.conditions.logic import Path, cell_at, dotted
from roce_audit.engine.findings import Finding, Location
from roce_audit.engine.outcomes import Outcome
from roce_audit.engine.rules.rule import NOTHING, Pointed
from roce_audit.engine.subjects import Subject
from roce_audit.model.pathwords import words
from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.values import Cell, Cited, DefaultLocation, Place

EVIDENCE = "carries RoCE: "
"""How the note of a location begins that only says why the rule was asked here."""


class Quote(Protocol):
    """The files of a run, line by line."""

    def __call__(self, place: Place) -> str:
        """The text of a line."""
        ...

    def block(self, place: Place) -> str:
        """Heads of the stanzas around a line, outermost first."""
        ...


Placed = tuple[Place, Path | str]
"""A line that a finding points at, and what it says: a model path, or a note of another kind."""
_NUMBER = lazy(r"\b[0-9]+\b")
_CODE_POINT = lazy(r"\bcode-points? \[? ?([01]{6}|[01]{3})\b")
"""A DSCP or an 802.1p priority in binary."""
_SHARED_ROOTS = frozenset({"roce", "cnp", "fabric", "fabric_counters", "params"})
"""What a subject is judged against, and no part of it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One read of a verdict: its path, its cell, the lines that say it, and the citation where a default does."""

    path: Path
    cell: Cell[object] | None
    places: tuple[Place, ...]
    cited: tuple[Cited, ...]
    default_location: Place | None = None
    """Of a default: the header of the block that should say otherwise, where the reader knows it."""


def evidence(subject: Subject, outcome: Outcome) -> Iterator[Evidence]:
    """What the verdict was read from, the subject's own cells first."""
    for path in _paths(outcome, subject.device is not None):
        found = _cell(subject.env, path)
        if not isinstance(found, Cell):
            yield Evidence(path, None, (), ())
            continue
        resolve = subject.resolver(str(path[0]))
        places: list[Place] = []
        cited: list[Cited] = []
        default_at: Place | None = None
        for at in found.at:
            where = resolve(at)
            if isinstance(where, Cited):
                cited += [] if isinstance(at, DefaultLocation) else [where]
            elif isinstance(at, DefaultLocation):
                default_at = default_at or where
            elif where.line > 0:
                places.append(where)
        yield Evidence(path, found, tuple(places), tuple(cited), default_at)


@lru_cache(maxsize=1024)
def _paths(outcome: Outcome, is_of_device: bool) -> Sequence[Path]:
    own_first = sorted(outcome.reads, key=lambda path: _is_beside(path, is_of_device))
    return [path for path in dict.fromkeys((*own_first, *outcome.pointed.paths)) if path[0] != "params"]


def _is_shared(subject: Subject, path: Path) -> bool:
    return _is_beside(path, subject.device is not None)


def _is_beside(path: Path, is_of_device: bool) -> bool:
    return path[0] in _SHARED_ROOTS and (is_of_device or not str(path[0]).startswith("fabric"))


def _cell(env: Mapping[str, object], path: Path) -> object:
    try:
        return cell_at(env, path)
    except LookupError:
        return None


def placed(
    subject: Subject, found: list[Evidence], quote: Quote, *, lacking: bool = False, pointed: Pointed = NOTHING
) -> Sequence[Placed]:
    """First the line that holds the wrong value, or the stanza that should hold it; then everything else that decided.

    `pointed` is what the rule knows to be wrong; it leads where a line says it, and the line that has its number first.
    """
    leading = [item for item in found if item.path in pointed.paths and item.places]
    if pointed.numbers:
        leading = [_numbered(item, pointed.numbers, quote) for item in leading]
    lines: dict[Place, Path | str] = dict([_primary(subject, [*leading, *found], lacking)])
    for item in found:
        for place in item.places:
            lines.setdefault(place, item.path)
    for port in subject.ports:
        shown = any(place.path == port.reading.header.path for place in lines)
        # a host's port is no stanza: its listing says nothing, unless the other end of a link is meant
        if not shown and (len(subject.ports) > 1 or not port.is_nic):
            lines.setdefault(port.reading.header, "the far end" if len(subject.ports) > 1 else "")
    if subject.ports and subject.ports[0].roce.rank in ("similar_ports", "cabling"):
        answer = subject.ports[0].roce
        told = subject.ports[0].first_place(answer.at)
        if told is not None:
            lines.setdefault(told, EVIDENCE + answer.because)
    return list(lines.items())


def location(place: Place, said: Path | str, role: Literal["primary", "related"]) -> Location:
    """The line, with what it says in words and as a model path, or a note of another kind; `with_texts` gives its text."""
    note, path = (said, "") if isinstance(said, str) else (words(said), dotted(said))
    return Location(place.path, place.line, "", role, note, "", path)


def with_texts(findings: Sequence[Finding], quote: Quote, *, blocks: bool = True) -> tuple[Finding, ...]:
    """The findings with the texts of their lines, and with `blocks` of primary ones the stanzas around them.

    File by file: each is opened once, whatever the number of findings.
    """
    by_path: dict[str, dict[int, bool]] = defaultdict(dict)
    for at in [at for finding in findings for at in finding.locations]:
        numbers = by_path[at.path]
        numbers[at.line] = at.role == "primary" or numbers.get(at.line, False)
    said: dict[tuple[str, int], tuple[str, str]] = {}
    for path, numbers in by_path.items():
        for line, is_primary in numbers.items():
            place = Place(path, line)
            block = quote.block(place) if blocks and is_primary else ""
            said[path, line] = quote(place), block
    return tuple(
        replace(one, locations=tuple([_told(at, *said[at.path, at.line]) for at in one.locations])) for one in findings
    )


def _told(at: Location, text: str, block: str) -> Location:
    return Location(at.path, at.line, text, at.role, at.note, block if at.role == "primary" else "", at.field)


def _numbered(item: Evidence, numbers: Collection[int], quote: Quote) -> Evidence:
    """The same read, with the line that names one of the numbers first."""
    wanted = {str(number) for number in numbers}
    named = [place for place in item.places if not wanted.isdisjoint(_named(quote(place)))]
    return replace(item, places=tuple(dict.fromkeys((*named, *item.places))))


def _named(line: str) -> list[str]:
    """The numbers that a line is about: its code point where that is in binary, else all that stand in it."""
    return [str(int(text, 2)) for text in _CODE_POINT.findall(line)] or _NUMBER.findall(line)


def _primary(subject: Subject, found: list[Evidence], lacking: bool) -> tuple[Place, Path | str]:
    """The first read that a line says; `lacking` (a rule of absence): what is missing before it points at the header."""
    if subject.seen is not None:
        return subject.seen.place, ""
    for item in found:
        if _is_shared(subject, item.path):
            continue
        if lacking and item.default_location is not None:
            return item.default_location, item.path
        if item.places:
            return item.places[0], item.path
        end = subject.end(str(item.path[0]))
        if end is not None and item.cell is not None:
            return end.reading.header, item.path  # the end that should have said it
        if lacking and item.cited:  # a default alone says it: here something should be said
            return subject.header, item.path
    return subject.header, ""


def values(found: list[Evidence]) -> dict[str, object]:
    """Model path -> plain value, for programs."""
    result: dict[str, object] = {}
    for item in found:
        if item.cell is None:
            continue
        result[dotted(item.path)] = _plain(item.cell)
    return result


def own(subject: Subject, found: list[Evidence]) -> list[Evidence]:
    """What is the subject's own, less what it is judged against: that may change without the fault getting another one."""
    return [item for item in found if not _is_shared(subject, item.path)]


def _plain(cell: Cell[object]) -> object:
    if cell.why is not None:
        return None if cell.is_absent else f"unknown: {cell.why}"
    if isinstance(cell.value, frozenset):
        return sorted(cell.value, key=str)
    if isinstance(cell.value, (str, int, float, bool)):
        return cell.value
    return "present"
