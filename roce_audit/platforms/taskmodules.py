"""What modules of an Ansible collection write into a switch: facts, one table for each platform, and how they become its own statements.

A line is a text with `{argument}` for the value of an argument (`{dcb.mode}` below another, `{name#}` for its digits alone), and
`[...]` for what stands only where its arguments are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.taskpaths import Paths, statements
from roce_audit.records import dataclass
from roce_audit.text.jinja.lines import rendered
from roce_audit.text.jinja.values import is_open
from roce_audit.text.plays import Run
from roce_audit.text.structured.positions import Path

_HOLE = lazy(r"\{([\w.]{1,60})(#?)\}")
_OPTION = lazy(r"\[([^\[\]]{1,120})\]")
_DIGITS = lazy(r"\d[\d/.:]{0,20}")
_TRUE, _FALSE = frozenset({"true", "yes", "on"}), frozenset({"false", "no", "off"})
_NOT_WRITTEN = frozenset({"gathered", "parsed", "query", "purged"})
"""States of a resource module in which it writes nothing."""
TAKEN_BACK = frozenset({"deleted", "absent", "delete"})
"""States in which a module takes back what its arguments say."""
_ELSEWHERE = ("src", "template", "content", "xml", "body")
"""Arguments with settings of another language, or with the name of a file that holds them."""
_LEAVES = lazy(
    r"(?:exit|quit|end|commit|write(?: memory)?|save(?: force)?|(?:do )?copy running\S* startup\S*)(?: \S+)?"
)
"""What a command line is left with, or saved."""
_TAKES = lazy(r"(?:no|undo|default|unset|delete)[ \t]{1,8}")
_LISTS = frozenset({"lines", "commands", "before", "after"})
"""Arguments that are lists of statements. Source: ansible.module_utils.common.validation, check_type_list."""
_MOST_LEAVES = 4_096
_DEEPEST = 12

Line = str | Mapping[str, str]
"""A statement, or one for each value that the argument may have ("": nothing is written)."""


@dataclass(frozen=True, slots=True)
class Module:
    """One module.

    `each` is the argument that lists its objects ("": the arguments are one), `over` one that lists names, each with what the object says.
    `lines` are the statements by argument, `also` further objects below one, `aside` arguments that are none of our business, `defaults`
    what holds where nothing is given, `naming` how names of ports begin and how the switch writes that. `source` is where its arguments
    are described.
    """

    lines: Mapping[str, Line]
    stanza: str = ""
    each: str = ""
    over: str = ""
    also: Mapping[str, Module] | None = None
    aside: frozenset[str] = frozenset()
    defaults: Mapping[str, str] | None = None
    naming: Mapping[str, str] | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """One module whose arguments are lines that are typed: `arguments` hold them, `before` stands before each. `closes` are the lines that
    stand behind them for words of an argument.
    """

    arguments: tuple[str, ...]
    before: str = ""
    source: str = ""
    closes: Mapping[str, Mapping[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """One module whose argument is a tree of settings: a command for each of its leaves, with the names on the way there as words.

    Objects of a list are called by their `id`. `state` is the argument that says what is done with them, `sets` its words for setting them,
    `below` the one that names the branch to which the tree belongs. `last` is the line that puts them in force, where no task has to.
    """

    argument: str
    before: str
    state: str = "state"
    sets: frozenset[str] = frozenset({"merged"})
    aside: frozenset[str] = frozenset()
    below: str = ""
    last: str = ""
    source: str = ""


Arguments = Module | Typed | Tree | Paths
Header = tuple[str, int]
"""(how a stanza begins, line of the file)."""
Row = tuple[tuple[Header, ...], str, int]
"""(the stanzas around it, statement, line of the file); a statement may hold values that stand elsewhere."""
CONFIG = Typed(("lines", "commands"))
"""Every collection's `*_config`: lines below their parents."""


def rows_of(run: Run, module: Arguments) -> Iterator[Row]:
    """What a run writes."""
    if not isinstance(run.arguments, dict):
        return
    if isinstance(module, Typed):
        yield from _typed(run, module)
    elif isinstance(module, Paths):
        yield from (((), said, line) for said, line in statements(run, module))
    elif isinstance(module, Tree):
        if run.arguments.get(module.state) in module.sets:
            yield from _leaves(run, module)
            if module.last:
                yield (), module.last, run.line()
    elif str(run.arguments.get("state", "")) not in _NOT_WRITTEN | TAKEN_BACK:
        for value, way in _objects(run.arguments, module.each, ()):
            yield from _said(run, module, value, way, {})


def unread(run: Run, module: Arguments) -> Iterator[tuple[str, int]]:
    """(words, line) of what a run says and nobody reads: arguments that the table does not know, and what it takes back."""
    if not isinstance(run.arguments, dict):
        return
    if isinstance(module, Typed):
        yield from _unread_lines(run, module)
        return
    if isinstance(module, Paths):
        return
    state = str(run.arguments.get("state", ""))
    if state in TAKEN_BACK:
        yield f"{run.name} with state {state}: what it takes back is not followed", run.line("state")
        return
    if isinstance(module, Tree):
        return
    known = {*module.lines, *(module.also or {}), *module.aside, "name", *_named(module), *filter(None, (module.over,))}
    for value, way in _objects(run.arguments, module.each, ()):
        for key in _paths(value, ""):
            if not any(key == one or key.startswith(f"{one}.") for one in known):
                yield f"argument {key} of {run.name} is not read", run.line(*way, *key.split("."))


def _named(module: Module) -> Iterator[str]:
    texts = [module.stanza]
    for line in module.lines.values():
        texts += [line] if isinstance(line, str) else list(line.values())
    for text in texts:
        for name, _ in _HOLE.findall(text):
            yield name


def _paths(value: Mapping[Any, Any], before: str) -> Iterator[str]:
    for key, inner in value.items():
        if isinstance(inner, dict) and inner:
            yield from _paths(inner, f"{before}{key}.")
        elif inner is not None and f"{before}{key}" not in ("state", "provider", "running_config"):
            yield f"{before}{key}"


def shell_lines(run: Run) -> Iterator[tuple[str, int]]:
    """(text, line of the file) of what a task runs in a shell."""
    if isinstance(run.arguments, str):
        yield from _numbered(run, run.arguments, ())
    elif isinstance(run.arguments, dict):
        for name in ("cmd", "_raw_params"):
            if isinstance(run.arguments.get(name), str):
                yield from _numbered(run, run.arguments[name], (name,))


def _unread_lines(run: Run, module: Typed) -> Iterator[tuple[str, int]]:
    for name in _ELSEWHERE:
        if run.arguments.get(name) and name not in module.arguments:
            yield f"argument {name} of {run.name} is not read together with its tasks", run.line(name)
    if "parents" in run.arguments:
        within = {_bare(text) for text, _ in _own_after(run)}
        for text, line in _lines(run, ("after",)):
            if isinstance(text, str) and _LEAVES.fullmatch(text.strip()) is None and _bare(text) not in within:
                yield f"argument after of {run.name} is not read: {text.strip()}", line


def _typed(run: Run, module: Typed) -> Iterator[Row]:
    """The lines of a run: those `before` its parents, those below them, and those after a list without parents."""
    parents = tuple([(str(text), line) for text, line in _lines(run, ("parents",))])
    begun_anew = tuple([text for text, _ in parents[:1]])
    for text, line in _lines(run, ("before",)):
        if isinstance(text, str) and text.strip() and not text.strip().endswith(begun_anew or "\n"):
            yield (), text.strip(), line
    for name in (*module.arguments, *(() if parents else ("after",))):
        lines = list(_lines(run, (name,)))
        is_indented = not parents and not module.before and not _begins_indented(lines)
        for text, line in lines:
            typed = text.get("command") if isinstance(text, dict) else text
            if isinstance(typed, str | int) and (said := str(typed)).strip():
                margin = said[: len(said) - len(said.lstrip())] if is_indented else ""
                before = "" if said.lstrip().startswith(("{%", *filter(None, (module.before,)))) else module.before
                yield parents, f"{margin}{before}{said.strip()}", line
    if parents:
        yield from ((parents, text, line) for text, line in _own_after(run))
    for argument, by_word in (module.closes or {}).items():
        if last := by_word.get(_word(run.arguments.get(argument))):
            yield (), last, run.line(argument)


def _own_after(run: Run) -> Iterator[tuple[str, int]]:
    """The lines typed behind those of a stanza that say anew, or take away, what one of these says: they belong to it."""
    said = [str(text) for name in ("lines", "commands") for text, _ in _lines(run, (name,))]
    begun = {_bare(text).split()[0] for text in said if _bare(text)}
    for text, line in _lines(run, ("after",)):
        if not isinstance(text, str) or _LEAVES.fullmatch(text.strip()) is not None:
            return  # the stanza is left
        if _bare(text).split()[:1] and _bare(text).split()[0] in begun:
            yield text.strip(), line


def _bare(text: Any) -> str:
    """A statement without the word by which it takes something away."""
    return _TAKES.sub("", str(text).strip(), count=1)


def _begins_indented(lines: list[tuple[Any, int]]) -> bool:
    return bool(lines) and isinstance(lines[0][0], str) and lines[0][0].startswith((" ", "\t"))


def _lines(run: Run, way: Path) -> Iterator[tuple[Any, int]]:
    """The lines of a list of lines, or of one text."""
    value = run.arguments.get(way[0])
    if isinstance(value, list):
        yield from ((one, run.line(*way, index)) for index, one in enumerate(value))
    elif isinstance(value, str):
        for one in _listed(value) if way[0] in _LISTS else (value,):
            yield from _numbered(run, one, way)


def _listed(value: str) -> list[str]:
    """The members of a list that is written as one text: Ansible parts it at commas. Where a part is no statement, it is left as it is."""
    parts = [one.strip() for one in value.split(",")]
    return parts if "\n" not in value and all(one[:1].isalpha() for one in parts) else [value]


def _numbered(run: Run, text: str, way: Path) -> Iterator[tuple[str, int]]:
    """The lines of a text; one of several lines stands below its key."""
    first = run.line(*way) + ("\n" in text)
    yield from ((piece, first + offset) for offset, piece in rendered(text, run.variables))


def _leaves(run: Run, module: Tree) -> Iterator[Row]:
    """A command for each leaf of a tree."""
    branch = str(run.arguments.get(module.below, "")).strip("/").split("/") if module.below else []
    before = " ".join((module.before, *filter(None, branch)))
    left: list[tuple[Any, str, Path]] = [(run.arguments.get(module.argument), before, (module.argument,))]
    for _ in range(_MOST_LEAVES):
        if not left:
            return
        value, words, way = left.pop()
        if isinstance(value, dict | list) and len(way) < _DEEPEST:
            left += reversed([(inner, f"{words}{name}", (*way, key)) for inner, name, key in _inside(value, module)])
        elif isinstance(value, str | int) and way[-1] != "id":
            yield (), f"{words} {_switched(value)}", run.line(*way)
        elif way[-1] == "id":
            yield (), words, run.line(*way)


def _inside(value: Any, module: Tree) -> Iterator[tuple[Any, str, str | int]]:
    """(value, word of the command, key) of what an object or a list holds."""
    if isinstance(value, list):
        for index, one in enumerate(value):
            if isinstance(one, dict) and isinstance(one.get("id"), str | int):
                yield one, f" {one['id']}", index
        return
    others = [key for key in value if key != "id" and value[key] is not None and key not in module.aside]
    for key in others if others or "id" not in value else ["id"]:
        yield value[key], "" if key == "id" else f" {str(key).replace('_', '-')}", key


def _switched(value: str | int) -> str:
    return str(value) if not isinstance(value, bool) else "on" if value else "off"


def _objects(value: Any, each: str, way: Path) -> Iterator[tuple[Mapping[Any, Any], Path]]:
    """The objects of a list of arguments, and the arguments themselves where they are one."""
    listed = value.get(each) if each and isinstance(value, dict) else None
    if isinstance(listed, list):
        for index, one in enumerate(listed):
            if isinstance(one, dict):
                yield one, (*way, each, index)
    elif isinstance(listed, dict):
        yield listed, (*way, each)
    elif isinstance(value, dict) and (not each or "name" in value):
        yield value, way


def _said(run: Run, module: Module, value: Mapping[Any, Any], way: Path, around: Mapping[str, Any]) -> Iterator[Row]:
    names = value.get(module.over) if module.over else None
    for one in names if isinstance(names, list) else [names]:
        known = {**around, **(module.defaults or {}), **_flat(value), **({module.over: one} if module.over else {})}
        for key in {"name", module.over} & set(known):
            known[key] = _renamed(module, known[key])
        header = _filled(module.stanza, known) if module.stanza else None
        if module.stanza and header is None:
            continue
        first = run.line(*way, module.over or "name")
        above = () if header is None else ((header, first),)
        if header is not None:
            yield above, "", first
        for key, line in module.lines.items():
            if known.get(key) is None:
                continue
            text = line if isinstance(line, str) else _chosen(line, known[key])
            said = _filled(text, known) if text else None
            if said is not None:
                yield above, said, run.line(*way, *key.split("."))
        for key, inner in (module.also or {}).items():
            for below, there in _objects(value, key, way):
                yield from _said(run, inner, below, there, {f"above.{name}": known[name] for name in known})


def _renamed(module: Module, name: Any) -> Any:
    """A port by the name that the switch has for it."""
    begins = next((one for one in module.naming or {} if isinstance(name, str) and name.startswith(one)), "")
    return f"{(module.naming or {})[begins]}{name[len(begins) :]}" if begins else name


def _flat(value: Mapping[Any, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, inner in value.items():
        if isinstance(inner, dict):
            found |= _flat(inner, f"{before}{key}.")
        found[f"{before}{key}"] = inner
    return found


def _chosen(lines: Mapping[str, str], value: Any) -> str:
    """The statement for a value; one that stands elsewhere takes the place of the word in the first of them."""
    word = _word(value)
    if is_open(word):
        return f"{next(iter(lines.values()))} {word}"
    return lines.get(word, lines.get("", ""))


def _word(value: Any) -> str:
    word = str(value).lower()
    return "true" if word in _TRUE else "false" if word in _FALSE else str(value)


def _filled(text: str, known: Mapping[str, Any]) -> str | None:
    """A line with its values; None where one that it needs is not given."""

    def option(found: re.Match[str]) -> str:
        return _filled(found[1], known) or ""

    text = _OPTION.sub(option, text)
    for name, digits in _HOLE.findall(text):
        value = known.get(name)
        if value is None or isinstance(value, dict | list):
            return None
        if digits and not is_open(value) and _DIGITS.search(str(value)) is None:
            return None

    def value_of(found: re.Match[str]) -> str:
        word = str(known[found[1]])
        number = _DIGITS.search(word) if found[2] else None
        return word if number is None else number[0]

    return _HOLE.sub(value_of, text)
