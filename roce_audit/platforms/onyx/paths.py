"""Outline of a text whose lines are full paths: `interface ethernet 1/1-1/4 traffic-class 3 dcb ets strict`.

Onyx prints its running-config so, with every statement complete and the indentation meaning nothing. People also write it
nested, with `exit` or with indentation alone; then a line belongs to the innermost open block. Both give the same stanzas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from roce_audit.platforms.onyx.prompts import PROMPT
from roce_audit.text.block import CONTEXT, block
from roce_audit.text.outline import Outline, Outliner, Stanza
from roce_audit.text.statements.table import StatementTable
from roce_audit.text.structured.indented import depth

_INTERFACE = re.compile(r"interface ([A-Za-z-]+ \S+|\S+)(?: (.+))?\Z")
_LIST = re.compile(r"((?:ipv4|ipv6|mac) access-list \S+)(?: (.+))?\Z")
_TRAFFIC_POOL = re.compile(r"(traffic pool \S+)(?: (.+))?\Z")
_NESTED = re.compile(r"((?:traffic-class|ingress-buffer|egress-buffer) \S+)(?: (.+))?\Z")
_RULE = re.compile(r"(?:no )?(?:seq-number|\d+|permit|deny|remark|bind-point|shared-counter)\b")
_SPLIT = re.compile(r"module-type \S*-split-([248])(?: |\Z)")
_ACROSS = re.compile(r"interface ethernet (\d{1,2})/(\d{1,3})/(\d)-(\d{1,2})/(\d{1,3})/(\d)\Z")
_MODULES = re.compile(r"interface ethernet (\d{1,2})/(\d{1,3})(?:-(?:\1/)?(\d{1,3}))?\Z")


class _Open(NamedTuple):
    """A block that following lines may stand in."""

    indent: int
    mode: str
    header: str
    inner: str
    """The header of the nested block inside `header`'s, or ""."""


class _Said(NamedTuple):
    """One line as a full path: the block it belongs to, and what it says there ("" = it only names the block)."""

    mode: str
    header: str
    inner: str
    statement: str


@dataclass
class _Run:
    """Successive lines about one block."""

    mode: str
    header: str
    line: int
    statements: list[str]
    lines: list[int]
    labels: list[str]
    inner: str = ""


class FullPaths(Outliner):
    """Cuts texts of full paths, nested or not, into the stanzas of their blocks."""

    def __init__(self, table: StatementTable) -> None:
        super().__init__(table, lambda header, text, end: None)

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; `first_line` is the line of the file on which it begins."""
        runs: list[_Run] = []
        top: list[tuple[str, int]] = []
        for line, said in self._lines(text, first_line):
            if said.mode == "top":
                if self.table.paths("top", said.statement) is not None:
                    top.append((said.statement, line))
                continue
            if not runs or (runs[-1].mode, runs[-1].header) != (said.mode, said.header):
                runs.append(_Run(said.mode, said.header, line, [], [], []))
            self._add(runs[-1], said, line)
        stanzas = list(_stanzas(runs, path))
        top_block = block(path, first_line, tuple(t for t, _ in top), tuple(n for _, n in top))
        return Outline(tuple(stanzas), top_block, text.count("\n") + 1)

    def _add(self, run: _Run, said: _Said, line: int) -> None:
        if said.inner:
            if said.inner != run.inner or not run.lines or run.lines[-1] != line:
                run.statements.append(said.inner)
                run.lines.append(line)
            if said.statement:
                run.statements.append(f"{said.inner}{CONTEXT}{said.statement}")
                run.lines.append(line)
        elif said.statement and self.table.paths(run.mode, said.statement) is not None:
            run.statements.append(said.statement)
            run.lines.append(line)
        elif self.table.is_label(run.mode, said.statement):
            run.labels.append(said.statement)
        run.inner = said.inner

    def _lines(self, text: str, first_line: int) -> Iterator[tuple[int, _Said]]:
        stack: list[_Open] = []
        for number, raw in enumerate(text.split("\n"), first_line):
            prompt = PROMPT.match(raw)
            said = " ".join((raw if prompt is None else raw[prompt.end() :]).split())
            if not said or said.startswith(self.table.comments):
                continue
            if said in ("exit", "end"):
                del stack[-1 if said == "exit" and stack else 0 :]
                continue
            full = _full_path(said)
            if prompt is not None:  # which says itself what block is open
                stack.clear()
                full = full or (_full_path(f"{prompt[1]} {said}") if prompt[1] else None)
            if full is None:
                full = self._within_open(said, depth(raw), stack)
            else:
                stack.clear()
            if full.mode != "top" and not full.statement:
                opened = _Open(depth(raw), full.mode, full.header, full.inner)
                stack = [*[o for o in stack if not o.inner], opened] if full.inner else [opened]
            yield number, full

    def _within_open(self, said: str, indent: int, stack: list[_Open]) -> _Said:
        """What a line says that is no full path: it belongs to the innermost open block that can hold it."""
        while stack:
            around = stack[-1]
            mode = self.table.opens(around.mode, around.inner) or around.mode if around.inner else around.mode
            if indent > around.indent or (indent == around.indent and self._rather(mode, said, stack)):
                return _within(around.mode, around.header, around.inner, said)
            stack.pop()
        return _Said("top", "", "", said)

    def _rather(self, mode: str, said: str, stack: list[_Open]) -> bool:
        """Whether a line that is level with the header of the innermost block is of this block, and not of the one around."""
        around = stack[-2].mode if len(stack) > 1 else "top"
        if mode == "acl":
            return _RULE.match(said) is not None
        if mode == "pool":
            return said.removeprefix("no ").startswith(("type ", "map ", "memory "))
        ours = self.table.parse(mode, said).value is not None
        theirs = self.table.parse(around, said).value is not None
        if ours != theirs:
            return ours
        return self.table.knows(mode, said) and not self.table.lists(around, said)


def _full_path(said: str) -> _Said | None:
    """The line as a full path; None where it names no block and may belong to one that is open."""
    negated = said.startswith("no ")
    bare = said[3:] if negated else said
    found = _INTERFACE.match(bare)
    if found is not None:
        rest = found[2] or (bare if negated else "")
        return _within("port", f"interface {found[1]}", "", f"no {rest}" if negated else rest)
    found = _LIST.match(bare)
    if found is not None:
        return _Said("acl", found[1], "", f"no {found[2]}" if negated and found[2] else found[2] or "")
    found = _TRAFFIC_POOL.match(bare)
    if found is not None:
        # what a pool says is said to the whole switch; its bare name may open a block
        return _Said("top", "", "", said) if found[2] or negated else _Said("pool", found[1], "", "")
    return None


def _within(mode: str, header: str, inner: str, said: str) -> _Said:
    """The line of an open block with its path completed, and its negation put before what it negates."""
    if mode == "pool":
        return _Said("top", "", "", f"no {header} {said[3:]}" if said.startswith("no ") else f"{header} {said}")
    if inner or mode != "port":
        return _Said(mode, header, inner, said)
    negated = said.startswith("no ")
    found = _NESTED.match(said[3:] if negated else said)
    if found is None:
        return _Said(mode, header, "", said)
    rest = found[2] or (found[1] if negated else "")
    return _Said(mode, header, found[1], f"no {rest}" if negated and not rest.startswith("no ") else rest)


def _stanzas(runs: list[_Run], path: str) -> Iterator[Stanza]:
    split: dict[tuple[str, int], int] = {}
    for run in runs:
        if run.mode == "pool":
            continue
        header = _spelt_out(run.header, split)
        inner = block(path, run.line, tuple(run.statements), tuple(run.lines))
        yield Stanza(run.mode, header, run.line, inner, tuple(run.labels))
        parts = next((found[1] for found in map(_SPLIT.match, run.labels) if found is not None), "")
        if parts:
            _note(run.header, int(parts), split)
            yield Stanza("breakout", run.header, run.line, block(path, run.line, (), ()), ())


def _note(header: str, parts: int, split: dict[tuple[str, int], int]) -> None:
    """Note into how many ports the modules that a header names are split."""
    found = _MODULES.match(header)
    if found is not None:
        first = int(found[2])
        for module in range(first, int(found[3] or first) + 1):
            split[found[1], module] = parts


def _spelt_out(header: str, split: dict[tuple[str, int], int]) -> str:
    """A range over the ports of several split modules as a list; other headers as they are."""
    found = _ACROSS.match(header)
    if found is None or found[1] != found[4] or found[2] == found[5]:
        return header
    slot, first, last = found[1], int(found[2]), int(found[5])
    ports: list[str] = []
    for module in range(first, last + 1):
        parts = split.get((slot, module))
        if parts is None:
            return header  # nobody knows how many ports there are in between
        low = int(found[3]) if module == first else 1
        high = int(found[6]) if module == last else parts
        ports.extend(f"{slot}/{module}/{part}" for part in range(low, high + 1))
    return f"interface ethernet {','.join(ports)}"
