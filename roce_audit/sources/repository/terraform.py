"""Plans of Terraform: the texts that they hand on (`<<-EOT`), with the values that the plan itself gives them and their loops gone through.

Values are those of locals, the defaults of variables and what files of settings give these, where they are words, numbers or lists of
these; the files of one folder are one plan. A text that stands in a local is
put where another one takes it in. What is not worked out stays open, with its `{{`.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.jinja.values import fill, is_open
from roce_audit.text.structured.indented import without_margin

_TEXT = lazy(
    r"^[ \t]{0,80}(?P<name>\w{1,80})[ \t]{0,80}=[ \t]{0,20}<<-?\"?(?P<end>[A-Za-z_]\w{0,40})\"?[ \t]{0,9}\n"
    r"(?P<text>(?:(?![ \t]{0,99}(?P=end)[ \t]{0,9}$)[^\n]*\n)++)",
    re.M,
)
_LOCALS = lazy(r"^locals[ \t]{0,9}\{[ \t]{0,9}\n(?P<body>(?:(?!\})[^\n]*\n)*+)", re.M)
_VARIABLE = lazy(
    r"^variable[ \t]{1,9}\"(?P<name>\w{1,80})\"[ \t]{0,9}\{[ \t]{0,9}\n(?P<body>(?:(?!\})[^\n]*\n)*+)", re.M
)
_SET = lazy(
    r"^(?P<margin>[ \t]{0,12})(?P<name>\w{1,80})[ \t]{0,80}=[ \t]{0,20}"
    r"(?P<value>\"[^\"\n$%\\]{0,200}\"|\d{1,9}|\[[^\[\]{}$]{0,4000}\]"
    r"|(?:local|var)\.\w{1,80}(?:[ \t]{0,9}[-+*][ \t]{0,9}(?:(?:local|var)\.\w{1,80}|\d{1,9})){0,4})[ \t]{0,200}(?:(?:#|//)[^\n]{0,400})?$",
    re.M,
)
_ITEM = lazy(r"\"([^\"\n\\]{0,200})\"|(\d{1,9})")
_TOGETHER = lazy(
    r"^[ \t]{0,80}\w{1,80}[ \t]{0,80}=[ \t]{0,20}\"(?P<parts>(?:\$\{local\.\w{1,80}\}|\\n|[ \t]){2,40})\"[ \t]{0,9}$",
    re.M,
)
_PART = lazy(r"\$\{[ \t]{0,9}local\.(\w{1,80})[ \t]{0,9}\}")
_OPENING = lazy(
    r"^[ \t]{0,80}%\{~?[ \t]{0,9}for[ \t]{1,9}(\w{1,40})[ \t]{1,9}in[ \t]{1,9}([^{}\n]{1,200}?)[ \t]{0,9}~?\}[ \t]{0,80}$"
)
_CLOSING = lazy(r"^[ \t]{0,80}%\{~?[ \t]{0,9}endfor[ \t]{0,9}~?\}[ \t]{0,80}$")
_OF_TEMPLATE = lazy(r"(?P<kind>(?<!\$)\$|(?<!%)%)\{~?[ \t]{0,9}(?P<inner>[^{}\n]{1,300}?)[ \t]{0,9}~?\}")
_RANGE = lazy(r"range\(([^()]{1,100})\)")
_EXPRESSION = lazy(r"\$\{([^{}\n]{1,300})\}")
_RESOURCE = lazy(r"^resource[ \t]{1,9}\"(\w{1,80})\"", re.M)
_DEVICE = lazy(r"^[ \t]{0,40}(?:device|provider)[ \t]{0,80}=[ \t]{0,20}([^\n]{1,200}?)[ \t]{0,9}$", re.M)
_RENDERED = lazy(
    r"templatefile\([ \t\n]{0,40}\"(?:\$\{path\.\w{1,10}\}/)?(?P<file>[\w./-]{1,200})\"[ \t\n]{0,40},[ \t\n]{0,40}"
    r"\{(?P<given>[^{}]{0,2000})\}[ \t\n]{0,40}\)"
)
_GIVEN = lazy(
    r"(?P<name>\w{1,60})[ \t]{0,40}[=:][ \t]{0,8}"
    r"(?P<value>\"[^\"\n]{0,200}\"|\[[^\[\]\n]{0,2000}\]|concat\([^()\n]{1,400}\)|[\w.+*-]{1,200})"
)
_DECODED = lazy(
    r"^[ \t]{0,40}(?P<name>\w{1,60})[ \t]{0,60}=[ \t]{0,8}(?:yaml|json)decode\([ \t]{0,8}file\([ \t]{0,8}"
    r"\"(?:\$\{path\.\w{1,10}\}/)?(?P<file>[\w./-]{1,200})\"[ \t]{0,8}\)[ \t]{0,8}\)",
    re.M,
)
"""A local value that is what a file of data holds."""
_CONCAT = lazy(r"concat\(([^()\n]{1,400})\)")
_EACH = "each"
TEMPLATE = ".tftpl"
PLAN, SETTINGS = ".tf", (".auto.tfvars", "terraform.tfvars")
"""How the names of files of a plan end, and of those that Terraform takes values for its variables from by itself."""
_DEEPEST = 6
_MOST_ROWS = 20_000

Row = tuple[int, str]
"""(line of the file, text)."""


class Undecided(Exception):
    """A text has a loop or a condition that is decided elsewhere."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A text as it stands: the name that it is given, its rows, and the resource with the device that it is for ("" where it has none)."""

    name: str
    rows: tuple[Row, ...]
    whom: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Made:
    """A value that is worked out of others."""

    expression: str


def texts(plan: str, given: Mapping[str, Any] | None = None) -> Iterator[list[Row] | int]:
    """The texts of a plan, those for one set of devices as one; its line for one that cannot be gone through here.

    `given` are the values of the plan where it has other files as well.
    """
    written = list(_written(plan))
    bare = _without_texts(plan)
    values = _by_kind(given or {name: value for name, (value, _) in values_of([("", plan)]).items()})
    named = {one.name: one.rows for one in written}
    whole = [list(_PART.findall(found["parts"])) for found in _TOGETHER.finditer(bare)]
    taken_in = {part for parts in whole for part in parts}
    taken_in |= {part for one in written for _, row in one.rows for part in _PART.findall(row)}
    joined: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for one in written:
        if one.name not in taken_in:
            joined[one.whom if one.whom[1] else (one.name, str(one.rows[0][0]))] += one.rows
    for rows in (*joined.values(), *([row for part in parts for row in named.get(part, ())] for parts in whole)):
        try:
            yield list(_Walk(named).through(rows, values))
        except Undecided:
            yield rows[0][0]


def decoded_files(plan: str) -> Iterator[tuple[str, str]]:
    """(local value, file of data) of what a plan loads."""
    if "decode(file(" in plan.replace(" ", ""):
        yield from ((found["name"], found["file"]) for found in _DECODED.finditer(plan))


def rendered_files(
    plan: str, given: Mapping[str, Any] | None = None, loaded: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(file, values of its variables that the plan says) of each file that a plan renders; `loaded` are local values from files of data."""
    if "templatefile(" not in plan:
        return
    known = _by_kind(given or {name: value for name, (value, _) in values_of([("", plan)]).items()})
    known["local"].update(loaded or {})
    for found in _RENDERED.finditer(plan):
        values = {}
        for one in _GIVEN.finditer(found["given"]):
            joined = _CONCAT.fullmatch(one["value"])
            value = fill(f"{{{{ {joined[1].replace(',', ' +') if joined is not None else one['value']} }}}}", known)
            if not is_open(value):
                values[one["name"]] = value
        yield found["file"], values


def as_jinja(template: str) -> str:
    """A template of Terraform in the words of Jinja, line by line."""
    return _OF_TEMPLATE.sub(
        lambda found: f"{{{{ {found['inner']} }}}}" if found["kind"] == "$" else f"{{% {found['inner']} %}}", template
    )


def values_of(plan: Iterable[tuple[str, str]]) -> dict[str, tuple[Any, str]]:
    """Name -> (value, file) of what the files (path, text) of a plan give once; a file of settings is stronger than a default."""
    found: dict[str, list[tuple[Any, str]]] = defaultdict(list)
    stronger: dict[str, list[tuple[Any, str]]] = defaultdict(list)
    for path, text in plan:
        into = stronger if path.endswith(SETTINGS) else found
        for name, value in _said(text, is_settings=into is stronger):
            into[name].append((value, path))
    told = {name: those[0] for name, those in {**found, **stronger}.items() if len(those) == 1}
    made = {name: said for name, said in told.items() if isinstance(said[0], _Made)}
    told = {name: said for name, said in told.items() if name not in made}
    for _ in range(_DEEPEST if made else 0):  # of others, which may be made themselves
        known = _by_kind({name: value for name, (value, _) in told.items()})
        worked_out = {name: (fill(said[0].expression, known), said[1]) for name, said in made.items()}
        told |= {name: said for name, said in worked_out.items() if not is_open(said[0])}
    return told


def _without_texts(plan: str) -> str:
    return _TEXT.sub(lambda found: found[0].replace(found["text"], "\n" * found["text"].count("\n")), plan)


def _written(plan: str) -> Iterator[_Written]:
    resources = list(_RESOURCE.finditer(plan))
    starts = [one.start() for one in resources]
    line, counted = 1, 0
    for found in _TEXT.finditer(plan):
        line += plan.count("\n", counted, found.start("text"))
        counted = found.start("text")
        rows = tuple(enumerate(without_margin(found["text"]).removesuffix("\n").split("\n"), line))
        at = bisect(starts, found.start()) - 1
        device = _DEVICE.search(plan, resources[at].end(), found.start()) if at >= 0 else None
        whom = device[1] if device is not None else ""
        of = resources[at][1] if at >= 0 else ""
        yield _Written(found["name"], rows, (of, _EACH if whom.startswith(f"{_EACH}.") else whom))


def _said(text: str, *, is_settings: bool) -> Iterator[tuple[str, Any]]:
    """(name with its kind, value) of what one file of a plan sets."""
    if is_settings:
        for one in _SET.finditer(text):
            if not one["margin"]:
                yield f"var.{one['name']}", _value(one["value"])
        return
    bare = _without_texts(text)
    for block in _LOCALS.finditer(bare):
        said = list(_SET.finditer(block["body"]))
        least = min((len(one["margin"]) for one in said), default=0)  # what stands further in is in a mapping
        for one in said:
            if len(one["margin"]) == least:
                yield f"local.{one['name']}", _value(one["value"])
    for block in _VARIABLE.finditer(bare):
        for one in _SET.finditer(block["body"]):
            if one["name"] == "default":
                yield f"var.{block['name']}", _value(one["value"])


def _by_kind(given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    told: dict[str, dict[str, Any]] = {"local": {}, "var": {}}
    for name, value in given.items():
        kind, _, rest = name.partition(".")
        told[kind][rest] = value
    return told


def _value(written: str) -> Any:
    if written.startswith(("local.", "var.")):
        return _Made(f"{{{{ {written} }}}}")
    items = [int(number) if number else word for word, number in _ITEM.findall(written)]
    return items if written.startswith("[") else items[0] if items else ""


class _Walk:
    """One way through texts that take others in."""

    def __init__(self, named: Mapping[str, tuple[Row, ...]]) -> None:
        self._named = named
        self._left = _MOST_ROWS

    def through(self, rows: Sequence[Row], known: Mapping[str, Any], depth: int = 0) -> Iterator[Row]:
        """The rows with the texts that they take in, loops gone through and values filled in. Raises Undecided."""
        at = 0
        while at < len(rows):
            line, row = rows[at]
            at += 1
            self._left -= 1
            if self._left < 0 or depth > _DEEPEST:
                raise Undecided
            part, loop = _PART.fullmatch(row.strip()), _OPENING.match(row)
            if part is not None and part[1] in self._named:
                yield from self.through(self._named[part[1]], known, depth + 1)
            elif loop is not None:
                end = _end(rows, at)
                values = _items(loop[2], known)
                turns = [known] if values is None else [{**known, loop[1]: value} for value in values]
                for its in turns:
                    yield from self.through(rows[at:end], its, depth + 1)
                at = end + 1
            elif "%{" in row:
                raise Undecided
            else:
                yield line, str(fill(_EXPRESSION.sub(r"{{ \1 }}", row), known))


def _end(rows: Sequence[Row], at: int) -> int:
    """Where the loop ends that begins before these rows. Raises Undecided."""
    depth = 1
    for number in range(at, len(rows)):
        depth += (_OPENING.match(rows[number][1]) is not None) - (_CLOSING.match(rows[number][1]) is not None)
        if not depth:
            return number
    raise Undecided


def _items(written: str, known: Mapping[str, Any]) -> list[Any] | None:
    """What a loop goes through; None where that stands elsewhere: its lines stay open."""
    counted = _RANGE.fullmatch(written)
    found = fill(f"{{{{ {counted[1] if counted is not None else written} }}}}", known)
    if counted is not None:
        return list(range(int(found))) if str(found).isdigit() and int(found) <= _MOST_ROWS else None
    return found if isinstance(found, list) else None
