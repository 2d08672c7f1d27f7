"""The text form of examples: sections of edits or whole files, with the mark `<-` where the finding must point.

== bad: PFC left off on one port
@ leaf1.cfg
= interface Ethernet1/2
- priority-flow-control on
+ no priority-flow-control  <-
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Literal

from roce_audit.records import dataclass

Kind = Literal["good", "bad", "unknown"]
Step = Literal["file", "new", "anchor", "remove", "add"]
MARK = "<-"

_SECTION = re.compile(r"== (good|bad|unknown)(?:: *(\S.*))?\Z")
_WHOLE = re.compile(r"--- (\S+)\Z")
_STEPS: dict[str, Step] = {"@": "file", "=": "anchor", "-": "remove", "+": "add"}
_NEW = "new: "


class ExampleError(ValueError):
    """An example that cannot be used; says its file and line."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


@dataclass(frozen=True, slots=True)
class Edit:
    """One line of an edit: `text` without its sign and mark, `line` in the example's own text."""

    step: Step
    text: str
    marked: bool
    line: int


@dataclass(frozen=True, slots=True)
class Whole:
    """A file given as a whole; `marked` are its line numbers that carried the mark."""

    path: str
    text: str
    marked: frozenset[int]


@dataclass(frozen=True, slots=True)
class Example:
    """One section. It has either `edits` or `files`; `path` and `line` say where the section begins."""

    rule: str
    platform: str
    kind: Kind
    title: str
    path: str
    line: int
    edits: tuple[Edit, ...] = ()
    files: tuple[Whole, ...] = ()

    @property
    def id(self) -> str:
        """`pfc/priority-off eos bad: PFC left off on one port`."""
        return f"{self.rule} {self.platform} {self.kind}: {self.title}"


@dataclass(frozen=True, slots=True)
class ExampleSet:
    """All examples of one rule on one platform; without `good` the base as it stands is the good example."""

    rule: str
    platform: str
    path: str
    good: Example | None
    cases: tuple[Example, ...]

    @property
    def bad(self) -> tuple[Example, ...]:
        """The examples on which the rule must fail."""
        return tuple(case for case in self.cases if case.kind == "bad")


def parse(text: str, path: str, rule: str, platform: str) -> ExampleSet:
    """The examples of a text. Raises ExampleError with `path` and line."""
    good: list[Example] = []
    cases: list[Example] = []
    for line, kind, title, body in _sections(text, path):
        edits, files = _content(body, path)
        example = Example(rule, platform, kind, title, path, line, edits, files)
        marked = any(edit.marked for edit in edits) or any(file.marked for file in files)
        if not edits and not files:
            raise ExampleError(path, line, f"this {kind} example is empty")
        if kind == "bad" and not marked:
            raise ExampleError(path, line, f"this bad example marks no line: write {MARK} where the finding must point")
        if kind == "good" and marked:
            raise ExampleError(path, line, "nothing is found in a good example, so no line of it is marked")
        (good if kind == "good" else cases).append(example)
    if len(good) > 1:
        raise ExampleError(path, good[1].line, "there is one good example")
    found = ExampleSet(rule, platform, path, good[0] if good else None, tuple(cases))
    if not found.bad:
        raise ExampleError(path, 1, "no bad example: nothing shows that the rule ever fails")
    return found


_Numbered = list[tuple[int, str]]


def _sections(text: str, path: str) -> Iterator[tuple[int, Kind, str, _Numbered]]:
    """(line, kind, title, its lines with their numbers) of each section."""
    current: tuple[int, Kind, str, _Numbered] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        found = _SECTION.match(line.rstrip())
        if found is not None:
            if current is not None:
                yield current
            kind: Kind = found.group(1)  # type: ignore[assignment]
            title = found.group(2) or ""
            if kind != "good" and not title:
                raise ExampleError(path, number, f"a {kind} example says what is {kind} in it: '== {kind}: ...'")
            current = (number, kind, title or "good", [])
        elif line.startswith("== "):
            raise ExampleError(path, number, "a section begins with '== good', '== bad: ...' or '== unknown: ...'")
        elif current is not None:
            current[3].append((number, line))
        elif line.strip() and not line.startswith("#"):
            raise ExampleError(path, number, "above the first section stand only comments")
    if current is not None:
        yield current


def _content(body: _Numbered, path: str) -> tuple[tuple[Edit, ...], tuple[Whole, ...]]:
    first = next((line for _, line in body if line.strip() and not line.startswith("#")), "")
    if first.startswith("--- "):
        return (), tuple(_whole_files(body, path))
    return tuple(_edits(body, path)), ()


def _edits(body: _Numbered, path: str) -> Iterator[Edit]:
    in_file = False
    for number, line in body:
        if not line.strip() or line.startswith("#"):
            continue
        sign, rest = line[0], line[1:]
        step = _STEPS.get(sign)
        if step is None or (rest and not rest.startswith(" ")):
            raise ExampleError(path, number, "an edit's line begins with '@ ', '= ', '- ' or '+ '")
        text, marked = _unmarked(rest[1:])
        if step == "file":
            if text.startswith(_NEW):
                step, text = "new", text.removeprefix(_NEW)
            text = _file_name(text.strip(), path, number)
            in_file = True
        elif not in_file:
            raise ExampleError(path, number, "say first which file this is about: '@ FILE'")
        elif step == "remove" and marked:
            raise ExampleError(path, number, "a line that is taken away cannot be where the finding points")
        elif step in ("anchor", "remove") and not text.strip():
            raise ExampleError(path, number, "an empty line cannot be looked for")
        yield Edit(step, text, marked, number)


def _whole_files(body: _Numbered, path: str) -> Iterator[Whole]:
    name = ""
    lines: list[str] = []
    for number, line in body:
        found = _WHOLE.match(line.rstrip())
        if found is not None:
            if name:
                yield _whole(name, lines)
            name, lines = _file_name(found.group(1), path, number), []
        elif name:
            lines.append(line)
    yield _whole(name, lines)


def _whole(name: str, lines: Sequence[str]) -> Whole:
    cut = [_unmarked(line) for line in lines]
    text = "\n".join(line for line, _ in cut).rstrip("\n") + "\n"
    return Whole(name, text, frozenset(i for i, (_, marked) in enumerate(cut, 1) if marked))


def _unmarked(text: str) -> tuple[str, bool]:
    """The text without the mark at its end (and the blanks before it), and whether it had one."""
    bare = text.rstrip()
    if bare == MARK or bare.endswith((f" {MARK}", f"\t{MARK}")):
        return bare.removesuffix(MARK).rstrip(), True
    return text, False


def _file_name(text: str, path: str, line: int) -> str:
    parts = PurePosixPath(text).parts
    if not parts or PurePosixPath(text).is_absolute() or ".." in parts or "\\" in text:
        raise ExampleError(path, line, f"'{text}' is no name of a file inside the example")
    return "/".join(parts)
