"""The texts and templates that tasks type into a switch: from files of the repository, and from files that earlier tasks write."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.taskmodules import Arguments, Row, Typed
from roce_audit.sources.repository.ansible import lookups
from roce_audit.sources.repository.templates.composed import Held, composed
from roce_audit.text.jinja.lines import rendered, without_remarks
from roce_audit.text.jinja.values import fill, is_open
from roce_audit.text.plays import Run

OWN = frozenset({"", "ansible.builtin", "ansible.legacy"})
"""The collections of Ansible's own modules."""
_FROM_FILES = ("src", "template")
_NO_LINES = lazy(r"\s*(?:<|\[|\{(?![{%]))")
"""How texts begin that are no lines of a configuration."""
_HEAD = 200_000
_MANY_LINES = 500

_MAKES, _JOINS = frozenset({"template", "copy"}), "assemble"
WRITE_FILES = _MAKES | {_JOINS}
"""Modules of Ansible that write a file of a template or a text, and one of all files of a folder."""

Made = dict[str, list[tuple[str, str, Mapping[str, Any]]]]
"""By files that tasks have written: (the task's file, what it takes, its variables) for each of their parts."""
Placed = tuple[str, Row]
"""(file, statement there)."""


def writes_file(run: Run, made: Made) -> bool:
    """Whether a task writes a file of a template or of the files of a folder, which a later one may type; it is added."""
    given = run.arguments if isinstance(run.arguments, dict) else {}
    source, target = (posixpath.normpath(str(given.get(key, ""))) for key in ("src", "dest"))
    if run.name in _MAKES:
        made[target] = [(run.path, source, run.variables)]
    elif run.name == _JOINS:
        parts = sorted(one for one in made if posixpath.dirname(one) == source)
        made[target] = [text for one in parts for text in made[one]]
    return run.name in WRITE_FILES


def with_text(
    run: Run,
    module: Arguments,
    held: Held | None,
    taking: dict[str, None],
    made: Made,
    read: dict[tuple[str, int], None],
) -> tuple[Run, list[Placed]]:
    """A run without the argument that names a file with the lines to type, and those lines with the variables of the run, or of the task
    that has written the file; the files that have to do with that are added, and the line that names the text."""
    if held is None or not isinstance(module, Typed) or not isinstance(run.arguments, dict):
        return run, []

    def noted(path: str, named: str) -> tuple[str, str]:
        found = held(path, named)
        taking.update({found[0]: None} if found[1] else {})
        return found

    for name in (*_FROM_FILES, *module.arguments):
        value = run.arguments.get(name)
        if not isinstance(value, str):
            continue
        named = lookups.file_named(value, run.variables) or (value if name in _FROM_FILES else "")
        taken: list[Placed] = []
        for by, source, variables in made.get(posixpath.normpath(named), [(run.path, named, run.variables)]):
            at, text = held(by, source)
            text = without_remarks(text[:_HEAD])
            if text and _NO_LINES.match(text) is None:
                taking.update(dict.fromkeys((run.path, at)))
                taken += _lines_with_inner(at, text, variables, noted)
        if taken and not _is_of_other_data(taken):
            read[(run.path, run.line(name))] = None
            others = {key: inner for key, inner in run.arguments.items() if key != name}
            return replace(run, given=others), taken
    return run, []


def _is_of_other_data(rows: Sequence[Placed]) -> bool:
    """Whether next to nothing of what a template of many lines comes to is known: a program works out the values that it is given."""
    open_ = sum(is_open(statement) for _, (_, statement, _) in rows) if len(rows) > _MANY_LINES else 0
    return open_ * 2 > len(rows)


def _lines_with_inner(at: str, text: str, variables: Mapping[str, Any], held: Held) -> Iterator[Placed]:
    """The lines that a template comes to, with those of the templates that it takes in."""
    rows = composed(at, text, held, variables)
    for number, line in rendered("\n".join(said for _, _, said in rows), variables):
        path, its, _ = rows[number]
        yield path, ((), str(fill(line, variables)), its)
