"""What a program of Python does with files beside it: data that it loads, and templates that it renders with them. Nothing is run."""

from __future__ import annotations

import csv
import json
import posixpath
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from roce_audit.records import dataclass
from roce_audit.sources.repository.python.methods import NOT_DONE
from roce_audit.sources.repository.python.texts import LONGEST, MOST, Elsewhere, Table, Text, TooMuch
from roce_audit.text.jinja.lines import rendered, without_remarks
from roce_audit.text.structured.yamltext import YamlError, documents

Held = Callable[[str], tuple[str, str]]
"""(path, text) of the file that a program calls so; "" where it is not here, or where several may be meant."""
_LOADS = frozenset({"safe_load", "load", "full_load", "unsafe_load", "loads"})
_LISTS = frozenset({"glob", "iglob", "rglob"})
_READS = frozenset({"read", "read_text"})
_SAME_PATH = frozenset({"Path", "PurePath", "abspath", "resolve", "expanduser", "expandvars", "as_posix"})
_TEMPLATES = frozenset({"Template", "from_string"})
_NAMES = ("inventory_hostname", "hostname", "host", "name", "device", "switch")
"""What a template calls the device that it is rendered for."""
RENDERED = "a template"
"""Stands for the text of a file that is rendered, which is read by itself."""
_DEEPEST = 12
_MOST_RENDERS = 256


@dataclass(frozen=True, slots=True)
class File:
    """A file that the program opens, or what it reads of it."""

    name: str


@dataclass(frozen=True, slots=True)
class Template:
    """A template: a file, or a text that stands in the program."""

    name: str
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class Render:
    """A file that is rendered, with the values of its variables that the program says."""

    path: str
    values: Mapping[str, Any]

    @property
    def host(self) -> str:
        """The device that it is for, as the values call it; "" where they do not."""
        inner = [one for one in self.values.values() if isinstance(one, dict)]
        for where in (self.values, *(inner if len(inner) < _DEEPEST else ())):
            for name in _NAMES:
                if isinstance(where.get(name), str):
                    return str(where[name])
        return ""


def holder(path: str, known: Mapping[str, Callable[[], str]]) -> Held:
    """Finds files of a repository, (path -> its text), by what a program at a path calls them: it may have been started elsewhere."""

    def held(name: str) -> tuple[str, str]:
        asked = posixpath.normpath(name).lstrip("/")
        if "*" in asked:
            return asked, "\n".join(_matching(asked, path, known))
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), asked))
        for one in (beside, asked):
            if one in known:
                return one, known[one]()
        while asked and not asked.startswith("."):
            ending = [one for one in known if one.endswith(f"/{asked}") or one == asked]
            if len(ending) == 1:
                return ending[0], known[ending[0]]()
            if ending:
                return "", ""
            asked = asked.partition("/")[2]
        return "", ""

    return held


def _matching(asked: str, path: str, known: Collection[str]) -> list[str]:
    """The files in the one folder that is meant by a pattern."""
    folder, _, pattern = asked.rpartition("/")
    if "*" in folder:
        return []
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), folder))
    folders = {posixpath.dirname(one) for one in known}
    meant = [one for one in folders if one in (beside, folder)] or [
        one for one in folders if one.endswith(f"/{folder}")
    ]
    return sorted(
        one for one in known if meant and posixpath.dirname(one) == meant[0] and fnmatchcase(posixpath.basename(one), pattern)
    )  # fmt: skip


@dataclass
class Files:
    """The files that one program reads (name as it calls them -> text), and what it renders."""

    held: Held
    read: dict[str, str] = field(default_factory=dict)
    renders: list[Render] = field(default_factory=list)

    def done(self, name: str, on: Any, values: Sequence[Any], named: Mapping[str, Any], line: int) -> Any:
        """What a call comes to that opens, loads or renders something; `NOT_DONE` for others."""
        first = values[0] if values else None
        if isinstance(on, Template):
            return self._rendered(on, values, named, line) if name == "render" else NOT_DONE
        if name == "open":
            where = on if isinstance(on, Text) else first
            return File(where.text) if isinstance(where, Text) else NOT_DONE
        if name in _LISTS:
            return self._listed(on, first, line)
        if name in _READS and isinstance(on, File | Text):
            return on if isinstance(on, File) else File(on.text)
        if name in _SAME_PATH:
            return next((one for one in (on, first) if isinstance(one, Text)), NOT_DONE)
        if name == "join" and isinstance(on, Elsewhere) and on.name == "path":
            return _put_together(values, line)
        if name in _LOADS and isinstance(first, File):
            return self._loaded(first, line)
        if name == "DictReader" and isinstance(first, File):
            return self._rows(first, line)
        if name == "get_template" and isinstance(first, Text):
            return Template(first.text)
        if name in _TEMPLATES and isinstance(first, Text | File):
            return Template(first.name) if isinstance(first, File) else Template("", first)
        if name == "load" and isinstance(named.get("template_path"), Text):  # PyEZ
            given = named.get("template_vars")
            return self._rendered(Template(named["template_path"].text), (given,), {}, line)
        return NOT_DONE

    def _listed(self, on: Any, first: Any, line: int) -> Any:
        """The paths of `Path("vars").glob("*.yml")`, `glob.glob("vars/*.yml")`."""
        if not isinstance(first, Text):
            return NOT_DONE
        pattern = f"{on.text}/{first.text}" if isinstance(on, Text) else first.text
        names = self._text(pattern).split("\n") if "*" in pattern else []
        return [Text(one, (line,)) for one in names[:MOST] if one] or NOT_DONE

    def _text(self, name: str) -> str:
        if name not in self.read:
            self.read[name] = self.held(name)[1][:LONGEST]
        return self.read[name]

    def _loaded(self, file: File, line: int) -> Any:
        found = as_data(self._text(file.name))
        return Elsewhere() if found is None else _as_value(found, line, 0)

    def _rows(self, file: File, line: int) -> Any:
        text = self._text(file.name)
        if not text:
            return Elsewhere()
        try:
            rows = [*islice(csv.DictReader(text.splitlines()), MOST)]
        except csv.Error:
            return Elsewhere()
        return [_as_value({k: v for k, v in row.items() if isinstance(v, str)}, line, 0) for row in rows]

    def _rendered(self, template: Template, values: Sequence[Any], named: Mapping[str, Any], line: int) -> Any:
        tables = [one.rows for one in values if isinstance(one, Table)]
        given = {str(name): value for rows in (*tables, named) for name, value in rows.items()}
        known = {name: plain for name, value in given.items() if (plain := as_plain(value)) is not NOT_DONE}
        if template.text is not None:
            return _filled(template.text, known)
        path, text = self.held(template.name)
        if not text or len(self.renders) >= _MOST_RENDERS:
            return Elsewhere("template")
        self.renders.append(Render(path, known))
        self.read[template.name] = RENDERED
        return Elsewhere("template", read_at=path)


def _filled(text: Text, known: Mapping[str, Any]) -> Text:
    """A template that stands in the program, on the lines of the program."""
    rows = [(number, line) for number, line in rendered(without_remarks(text.text), known) if line.strip()]
    if sum(len(line) for _, line in rows) > LONGEST:
        raise TooMuch
    last = len(text.lines) - 1
    return Text("\n".join(line for _, line in rows), tuple(text.lines[min(n, last)] for n, _ in rows) or text.lines[:1])


def _put_together(values: Sequence[Any], line: int) -> Any:
    """`os.path.join(...)`: what is known of the end of a path."""
    known: list[str] = []
    for one in values:
        known = [*known, one.text] if isinstance(one, Text) else []
    return Text("/".join(known), (line,)) if known else Elsewhere()


def as_data(text: str) -> Any:
    """What a file of YAML or JSON holds; None where it cannot be read."""
    try:
        found = documents(text, own_tags=True)
    except YamlError:
        return None
    return found[0].value if found else None


def _as_value(value: Any, line: int, depth: int) -> Any:
    """What was loaded, as a value of the program."""
    if depth > _DEEPEST:
        raise TooMuch
    if isinstance(value, dict):
        rows = {key: _as_value(inner, line, depth + 1) for key, inner in value.items() if isinstance(key, str | int)}
        return Table(rows, dict.fromkeys(rows, line))
    if isinstance(value, list):
        return [_as_value(inner, line, depth + 1) for inner in value]
    if isinstance(value, str):
        return Text(value, (line,) * (value.count("\n") + 1))
    return value if value is None or isinstance(value, bool | int | float) else Elsewhere()


def as_plain(value: Any, depth: int = 0) -> Any:
    """A value as it stands in data; `NOT_DONE` for one of which a part stands elsewhere. Of a dictionary the other rows are left."""
    if depth > _DEEPEST:
        return NOT_DONE
    if isinstance(value, Text):
        return NOT_DONE if "{{" in value.text else value.text
    if isinstance(value, list):
        items = [as_plain(one, depth + 1) for one in value]
        return NOT_DONE if any(one is NOT_DONE for one in items) else items
    if isinstance(value, Table):
        rows = {key: as_plain(inner, depth + 1) for key, inner in value.rows.items()}
        return {str(key): inner for key, inner in rows.items() if inner is not NOT_DONE}
    return value if value is None or isinstance(value, bool | int | float) else NOT_DONE


def distinct(renders: Collection[Render]) -> list[Render]:
    """Each of them once."""
    return list({(one.path, json.dumps(one.values, sort_keys=True, default=str)): one for one in renders}.values())
