"""A template of Jinja with what it takes from others: templates that stand in it, the one whose blocks it fills, and macros."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.jinja.lines import without_remarks
from roce_audit.text.jinja.values import Open, value_of

Held = Callable[[str, str], tuple[str, str]]
"""(path, text) of the file that one at a path names; "" where it is not here."""
Row = tuple[str, int, str]
"""(file, line there, counted from 1, what it says)."""

_FILE = r"[\"'](?P<file>[\w./-]{1,200})[\"']"
_TAKES_IN = lazy(
    r"[ \t]{0,80}\{%[-+]?\s{0,8}include\s{1,8}(?P<what>[^%\n]{1,200}?)(?:\s{1,8}(?:ignore\s{1,8}missing|with(?:out)?\s{1,8}context)){0,2}"
    r"\s{0,8}[-+]?%\}[ \t]*"
)
"""The line of a template where another one stands."""
_EXTENDS = lazy(rf"[ \t]{{0,80}}\{{%[-+]?\s{{0,8}}extends\s{{1,8}}{_FILE}\s{{0,8}}[-+]?%\}}\s*")
_IMPORTS = lazy(
    rf"[ \t]{{0,80}}\{{%[-+]?\s{{0,8}}(?:import\s{{1,8}}{_FILE}\s{{1,8}}as\s{{1,8}}(?P<name>\w{{1,40}})"
    r"|from\s{1,8}[\"'](?P<other>[\w./-]{1,200})[\"']\s{1,8}import\s{1,8}(?P<names>\w[\w, \t]{0,200}))[^%\n]{0,40}%\}\s*"
)
_BLOCK = lazy(r"\{%[-+]?\s{0,8}(?P<word>block|endblock)\b\s{0,8}(?P<name>\w{0,60})[^%\n]{0,40}%\}")
_MACRO = lazy(r"[ \t]{0,80}\{%[-+]?\s{0,8}macro\s{1,8}(?P<name>\w{1,60})\((?P<asked>[^%\n]{0,400})\)\s{0,8}[-+]?%\}\s*")
_END = lazy(r"[ \t]{0,80}\{%[-+]?\s{0,8}endmacro\b[^%\n]{0,60}%\}\s*")
_CALL = lazy(
    r"[ \t]{0,80}\{\{[-+]?\s{0,8}(?P<name>\w{1,40}(?:\.\w{1,40})?)\((?P<given>[^{}\n]{0,400})\)\s{0,8}[-+]?\}\}\s*"
)
_RENAMED = lazy(r"(\w{1,60})(?:\s{1,8}as\s{1,8}(\w{1,60}))?")
_ARGUMENT = lazy(r"\s*(?:(?P<name>[A-Za-z_]\w{0,60})\s{0,8}=(?!=))?\s*(?P<value>.*?)\s*", re.S)
_SUPER = lazy(r"[ \t]{0,80}\{\{[-+]?\s{0,8}super\(\)\s{0,8}[-+]?\}\}\s*")
_MARKS = ("include", "extends", "import", "macro", "block")
_UNKNOWN = "not_given"
"""A name that no variable has."""
_NONE: Mapping[str, Any] = {}
_DEEPEST = 4
_MOST = 20_000
_MOST_FILES = 64
_HEAD = 200_000


@dataclass(frozen=True, slots=True)
class _Macro:
    asked: tuple[tuple[str, str], ...]
    """(name, what it is where nobody gives it)."""
    rows: tuple[Row, ...]


def is_taking_in(line: str) -> bool:
    """Whether another template stands here."""
    return _TAKES_IN.fullmatch(line) is not None


def takes_in(text: str) -> list[int]:
    """The lines of a template where others stand."""
    return [
        number for number, line in enumerate(text.split("\n") if "include" in text else (), 1) if is_taking_in(line)
    ]


def composed(at: str, text: str, held: Held, variables: Mapping[str, Any] = _NONE) -> list[Row]:
    """The lines of a template with those of the others, which the variables may name; a call of a macro is its lines behind those that set
    what it is given. A line that takes in what is not here stays."""
    own = _rows(at, text)
    if not any(mark in text for mark in _MARKS):
        return own
    return _where_they_belong(_Composer(held, variables).all_of(own, {}, 0)[:_MOST])


def _where_they_belong(rows: Sequence[Row]) -> list[Row]:
    """The rows with those of a block that another file begins on the line of that file where they are taken in: each file is read by
    itself."""
    found: list[Row] = []
    owner, depth = rows[0][:2] if rows else ("", 1), 0
    for at, number, line in rows:
        said = line.strip()
        is_apart = at != owner[0] and (depth > 0 or line[:1] in (" ", "\t"))
        found.append((*(owner if said and is_apart else (at, number)), line))
        if at == owner[0] or (said and not said.startswith("{%") and not is_apart):
            owner = (at, number)
        depth = max(0, depth + said.endswith("{") - said.startswith("}"))
    return found


def _rows(at: str, text: str) -> list[Row]:
    return [(at, number, line) for number, line in enumerate(without_remarks(text[:_HEAD]).split("\n"), 1)]


class _Composer:
    def __init__(self, held: Held, variables: Mapping[str, Any]) -> None:
        self._held = held
        self._variables = variables
        self._left = _MOST
        self._files_left = _MOST_FILES

    def all_of(self, rows: Sequence[Row], macros: dict[str, _Macro], depth: int) -> list[Row]:
        """Rows of one file, with all that they take from others; the macros that they define or import are added."""
        rows = self._extended(_without_macros(rows, macros), macros, depth)
        found: list[Row] = []
        for row in rows:
            found += self._one(row, macros, depth)
        return found

    def _taken(self, at: str, named: str) -> tuple[str, str]:
        """(path, text) of a file; "" where it is not here, or too many were taken."""
        self._files_left -= 1
        return self._held(at, named) if named and self._files_left >= 0 else ("", "")

    def _name(self, what: str) -> str:
        """The name of a file, as a text or made of variables; "" where one of these is not known."""
        try:
            name = value_of("{{ " + what + " }}", self._variables)
        except Open:
            return ""
        return name if isinstance(name, str) else ""

    def _one(self, row: Row, macros: dict[str, _Macro], depth: int) -> list[Row]:
        at, number, line = row
        self._left -= 1
        if "{" not in line or depth >= _DEEPEST or self._left < 0:
            return [row]
        if (taken := _TAKES_IN.fullmatch(line)) is not None:
            inner, text = self._taken(at, self._name(taken["what"]))
            return [(at, number, ""), *self.all_of(_rows(inner, text), dict(macros), depth + 1)] if text else [row]
        if (imported := _IMPORTS.fullmatch(line)) is not None:
            return [] if self._import(at, imported, macros, depth) else [row]
        called = _CALL.fullmatch(line)
        macro = macros.get(called["name"]) if called is not None else None
        if called is None or macro is None:
            return [row]
        found = [(at, number, "{% if true %}")]
        found += [(at, number, f"{{% set {name} = {value} %}}") for name, value in _given(macro, called["given"])]
        for inner_row in macro.rows:
            found += self._one(inner_row, macros, depth + 1)
        return [*found, (at, number, "{% endif %}")]

    def _import(self, at: str, imported: re.Match[str], macros: dict[str, _Macro], depth: int) -> bool:
        """Adds the macros of another file; whether it is here."""
        path, text = self._taken(at, imported["file"] or imported["other"])
        theirs: dict[str, _Macro] = {}
        if text:
            self.all_of(_rows(path, text), theirs, depth + 1)
        if imported["name"]:
            macros.update({f"{imported['name']}.{name}": macro for name, macro in theirs.items()})
        for found in _RENAMED.finditer(imported["names"] or ""):
            if found[1] in theirs:
                macros[found[2] or found[1]] = theirs[found[1]]
        macros.update({name: macro for name, macro in theirs.items() if name not in macros})
        return bool(text)

    def _extended(self, rows: list[Row], macros: dict[str, _Macro], depth: int) -> list[Row]:
        """The template whose blocks these rows fill, or the rows themselves, without the lines of control around blocks."""
        outer = next((found for _, _, line in rows if (found := _EXTENDS.fullmatch(line)) is not None), None)
        path, text = self._taken(rows[0][0], outer["file"]) if outer is not None and depth < _DEEPEST else ("", "")
        if not text:
            return _filled(_in_pieces(rows), {})
        for at, _, line in rows:
            if (imported := _IMPORTS.fullmatch(line)) is not None:
                self._import(at, imported, macros, depth)
        base = _without_macros(_rows(path, text), macros)
        if any(_EXTENDS.fullmatch(line) is not None for _, _, line in base):
            base = self._extended(base, macros, depth + 1)
        return _filled(_in_pieces(base), _blocks(_in_pieces(rows)))


def _without_macros(rows: Sequence[Row], macros: dict[str, _Macro]) -> list[Row]:
    """The rows without those of macros, which are added."""
    kept: list[Row] = []
    body: list[Row] = []
    name, asked = "", ""
    for row in rows:
        begins = _MACRO.fullmatch(row[2]) if "macro" in row[2] else None
        if begins is not None:
            name, asked, body = begins["name"], begins["asked"], []
        elif name and _END.fullmatch(row[2]) is not None:
            macros[name] = _Macro(tuple(_arguments(asked, is_asked=True)), tuple(body))
            name = ""
        elif name:
            body.append(row)
        else:
            kept.append(row)
    return kept


def _arguments(text: str, *, is_asked: bool = False) -> list[tuple[str, str]]:
    """(name, value) of what stands between the brackets of a macro or a call; what has no name there is called ""."""
    found = []
    for piece in filter(str.strip, _split(text)):
        said = _ARGUMENT.fullmatch(piece)
        name, value = (said["name"] or "", said["value"]) if said is not None else ("", piece)
        found.append((value, _UNKNOWN) if is_asked and not name else (name, value))
    return found


def _split(text: str) -> list[str]:
    """The pieces between commas that stand in no brackets and no text."""
    pieces, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        depth += (sign in "([{") - (sign in ")]}") if not quote else 0
        if sign == "," and not depth and not quote:
            pieces.append("")
        else:
            pieces[-1] += sign
    return pieces


def _given(macro: _Macro, text: str) -> list[tuple[str, str]]:
    """What a call sets, name by name."""
    said = _arguments(text)
    by_place = [value for name, value in said if not name]
    by_name = {name: value for name, value in said if name}
    names = [name for name, _ in macro.asked]
    by_name |= dict(zip(names, by_place, strict=False))
    return [(name, by_name.get(name, value)) for name, value in macro.asked if by_name.get(name) != name]


def _in_pieces(rows: Sequence[Row]) -> list[Row]:
    """The rows with every line of control around a block by itself."""
    found: list[Row] = []
    for at, number, line in rows:
        if "block" not in line or _BLOCK.search(line) is None:
            found.append((at, number, line))
            continue
        end = 0
        for control in _BLOCK.finditer(line):
            found += [(at, number, piece) for piece in (line[end : control.start()], control[0]) if piece.strip()]
            end = control.end()
        found += [(at, number, line[end:])] if line[end:].strip() else []
    return found


def _blocks(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each block that stands in no other."""
    found: dict[str, list[Row]] = {}
    name, depth = "", 0
    for row in rows:
        control = _BLOCK.fullmatch(row[2])
        depth += {"block": 1, "endblock": -1}[control["word"]] if control is not None else 0
        if control is not None and control["word"] == "block" and depth == 1:
            name = control["name"]
            found[name] = []
        elif name and depth > 0:
            found[name].append(row)
        else:
            name = ""
    return found


def _filled(rows: Sequence[Row], blocks: dict[str, list[Row]]) -> list[Row]:
    """The rows with others in the place of those of the blocks, and without the lines of control around these."""
    found: list[Row] = []
    own: list[Row] = []
    name, depth = "", 0
    for row in rows:
        control = _BLOCK.fullmatch(row[2]) if "block" in row[2] else None
        word = control["word"] if control is not None else ""
        if not name:
            if control is not None and word == "block" and control["name"] in blocks:
                name, depth, own = control["name"], 1, []
                found.append((*row[:2], ""))
            elif control is None:
                found.append(row)
            continue
        depth += {"block": 1, "endblock": -1}.get(word, 0)
        if depth:
            own.append(row)
            continue
        inner = {other: those for other, those in blocks.items() if other != name}
        for one in _filled(blocks[name], inner):
            found += _filled(own, inner) if _SUPER.fullmatch(one[2]) is not None else [one]
        name = ""
    return found
