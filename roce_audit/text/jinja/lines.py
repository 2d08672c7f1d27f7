"""The lines that a template of Jinja comes to, each with where it stands: loops over values that are known, conditions that are decided.

A block that hangs on what is not known stays as it is written, with its lines of control around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.jinja.conditions import decided
from roce_audit.text.jinja.ranges import arguments
from roce_audit.text.jinja.values import Open, fill, value_of

_CONTROL = lazy(r"\s*\{%[-+]?\s{0,8}(?P<word>\w{1,20})\b(?P<rest>[^%\n]{0,400})[-+]?%\}\s*")
_FOR = lazy(r"(?P<names>\w{1,40}(?:\s{0,4},\s{0,4}\w{1,40})?)\s{1,8}in\s{1,8}(?P<what>\S[^\n]{0,300})")
_SET = lazy(r"(?P<name>\w{1,40})\s{0,8}=\s{0,8}(?P<what>[^\s=][^\n]{0,300})")
_INLINE = lazy(
    r"\{%[-+]?\s{0,8}if\s(?P<asked>[^%\n]{1,400}?)[-+]?%\}(?P<yes>[^%\n]{0,400})"
    r"(?:\{%[-+]?\s{0,8}else\s{0,8}[-+]?%\}(?P<no>[^%\n]{0,400}))?\{%[-+]?\s{0,8}endif\s{0,8}[-+]?%\}"
)
"""A condition within a line: `"{{ name }}": {}{% if not loop.last %},{% endif %}`."""
_MOST_TURNS = 1_024
_ENDS = 2
"""What a `range` is given whose numbers follow each other."""
_MEMBER = lazy(
    r"(?P<no>not\s{1,8})?(?P<name>[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){1,6})(?:\s{1,8}is\s{1,8}(?P<un>not\s{1,8})?(?P<said>defined))?"
)
"""A condition that asks for a member of a value: `port.rdma`, `port.vlan is defined`."""
_OPENS = frozenset({"for", "if"})
_MOST_STEPS = 20_000
"""Lines gone through, and turns of loops."""
_DEEPEST = 8

Line = tuple[int, str]
"""(line of the template, counted from 0; what it comes to)."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """Lines of a block from one line of control to the next; `head` is the first of these."""

    head: Line
    lines: tuple[Line, ...]


def rendered(text: str, variables: Mapping[str, Any]) -> list[Line]:
    """The lines of a text with what is known of its variables; as they are written where its loops have too many turns."""
    lines = list(enumerate(text.rstrip("\n").split("\n")))
    if "{%" not in text:
        return [(number, line) for number, line in lines if line.strip()] if len(lines) > 1 else lines
    writer = _Writer()
    try:
        writer.write(tuple(lines), variables, 0)
    except _TooLong:
        return [(number, line) for number, line in lines if line.strip()]
    return writer.made


def without_remarks(text: str) -> str:
    """The text without the remarks of Jinja; its lines stay."""
    pieces = text.split("{#")
    found = pieces[:1]
    for piece in pieces[1:]:
        remark, end, rest = piece.partition("#}")
        found.append("\n" * remark.count("\n") + rest if end else "{#" + piece)
    return "".join(found)


class _TooLong(Exception):
    """More steps than a template of configurations has."""


class _Writer:
    def __init__(self) -> None:
        self.made: list[Line] = []
        self._steps = 0

    def write(self, lines: tuple[Line, ...], variables: Mapping[str, Any], depth: int) -> None:
        """These lines, one after the other."""
        known = dict(variables)
        at = 0
        while at < len(lines):
            self._step()
            number, line = lines[at]
            found = _CONTROL.fullmatch(line)
            if found is None:
                if line.strip() and (said := str(fill(_settled(line, known), known))).strip():
                    self.made.append((number, said))
                at += 1
            elif found["word"] == "set":
                _assign(found["rest"], known)
                at += 1
            elif found["word"] in _OPENS and depth < _DEEPEST:
                branches, behind = _branches(lines, at)
                self._block(found["word"], branches, lines[at:behind], known, depth)
                at = behind
            else:
                self.made.append((number, line))
                at += 1

    def _block(
        self, word: str, branches: list[_Branch], whole: tuple[Line, ...], known: Mapping[str, Any], depth: int
    ) -> None:
        try:
            chosen = list(_loop(branches, known) if word == "for" else _chosen(branches, known))
        except Open:
            self.made += [
                (number, line if _CONTROL.fullmatch(line) else str(fill(line, known))) for number, line in whole
            ]
            return
        for given, lines in chosen:
            self._step()
            self.write(lines, {**known, **given}, depth + 1)

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _TooLong


def _branches(lines: tuple[Line, ...], at: int) -> tuple[list[_Branch], int]:
    """The branches of the block that begins at a line, and the number of the line behind it."""
    found: list[_Branch] = []
    first, nested = at, 0
    for number in range(at + 1, len(lines)):
        control = _CONTROL.fullmatch(lines[number][1])
        word = control["word"] if control is not None else ""
        if word in _OPENS:
            nested += 1
        elif word in ("endfor", "endif") and nested:
            nested -= 1
        elif word in ("endfor", "endif", "elif", "else") and not nested:
            found.append(_Branch(lines[first], lines[first + 1 : number]))
            first = number
            if word.startswith("end"):
                return found, number + 1
    return [*found, _Branch(lines[first], lines[first + 1 :])], len(lines)


def _loop(branches: list[_Branch], known: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], tuple[Line, ...]]]:
    """(what an item sets, lines) of each turn. Raises Open where what it goes through is not known."""
    control = _CONTROL.fullmatch(branches[0].head[1])
    said = _FOR.fullmatch(_bare(control["rest"])) if control is not None else None
    if said is None or len(branches) > 1:
        raise Open
    names = [name.strip() for name in said["names"].split(",")]
    what = said["what"].strip()
    is_by_key = len(names) > 1
    listed = _turns(what, known)
    if is_by_key and isinstance(listed, dict):
        listed = [list(pair) for pair in listed.items()]
    if not isinstance(listed, list):
        raise Open
    for index, one in enumerate(listed):
        if is_by_key and not (isinstance(one, list) and len(one) == len(names)):
            raise Open
        turn = {"first": index == 0, "last": index + 1 == len(listed), "index": index + 1, "index0": index}
        its = dict(zip(names, one, strict=True)) if is_by_key else {names[0]: one}
        yield {**its, "loop": turn}, branches[0].lines


def _turns(what: str, known: Mapping[str, Any]) -> Any:
    """What a loop goes through. Raises Open where that is not known."""
    given = arguments(what)
    if not 0 < len(given) <= _ENDS:
        return value_of("{{ " + what.removesuffix(".items()") + " }}", known)
    numbers = [value_of("{{ " + one + " }}", known) for one in given]
    if not all(isinstance(number, int) for number in numbers):
        raise Open
    found = range(*numbers)
    if len(found) > _MOST_TURNS:
        raise Open
    return list(found)


def _settled(line: str, known: Mapping[str, Any]) -> str:
    """A line without the conditions within it that are decided."""

    def one(found: re.Match[str]) -> str:
        holds = decided(found["asked"].strip(), known)
        return found[0] if holds is None else found["yes"] if holds else found["no"] or ""

    return _INLINE.sub(one, line) if "{%" in line else line


def _chosen(branches: list[_Branch], known: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], tuple[Line, ...]]]:
    """The branch whose condition holds. Raises Open where that is not known."""
    for branch in branches:
        control = _CONTROL.fullmatch(branch.head[1])
        if control is None:
            raise Open
        asked = _bare(control["rest"])
        holds = True if control["word"] == "else" else decided(asked, known)
        holds = _of_member(asked, known) if holds is None else holds
        if holds is None:
            raise Open
        if holds:
            yield {}, branch.lines
            return


def _bare(rest: str) -> str:
    """What stands behind the word of a line of control, without the sign that takes blanks away."""
    return rest.strip().rstrip("-+").strip()


def _assign(rest: str, known: dict[str, Any]) -> None:
    said = _SET.fullmatch(_bare(rest))
    if said is None:
        return
    try:
        known[said["name"]] = value_of("{{ " + said["what"].strip() + " }}", known)
    except Open:
        known.pop(said["name"], None)


def _of_member(asked: str, known: Mapping[str, Any]) -> bool | None:
    """Whether such a condition holds where the value is known and has no such member, which counts as false, or is asked for it alone."""
    found = _MEMBER.fullmatch(asked.strip())
    if found is None:
        return None
    *above, last = found["name"].split(".")
    value: Any = known
    for step in above:
        value = value.get(step) if isinstance(value, Mapping) else None
    if not isinstance(value, dict) or (last in value and not found["said"]):
        return None
    return (last in value) ^ bool(found["un"]) ^ bool(found["no"])
