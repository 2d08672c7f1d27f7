"""The running-config as JSON (`show running-config | json`, or an answer of eAPI), as the lines that it stands for.

`cmds` holds each line as a key; what stands below the line is in another `cmds`. `header` and `comments` are lines that set nothing;
the header names model and release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text.structured.jsontext import JsonError, JsonText, parse
from roce_audit.text.structured.positions import Path

_BEGINS = lazy(r"\s*[\[{]")
_INTERFACE = lazy(r'"(?:no )?interface [^"\n]{1,200}"\s*:')
_INDENT = "   "
_WRAPPERS = 5
"""So many objects and lists may stand around the tree: the answer of eAPI, of a library, or of Ansible."""


def is_tree(text: str) -> bool:
    """Whether a text is such a configuration: it has the lines of interfaces as keys."""
    return _BEGINS.match(text) is not None and '"cmds"' in text and _INTERFACE.search(text) is not None


@lru_cache(maxsize=64)
def rendered(text: str, first_line: int) -> tuple[tuple[int, str], ...] | JsonError:
    """Its lines, each with the line of the JSON that says it; why it is no JSON where it is none."""
    try:
        found = parse(text, first_line=first_line)
    except JsonError as error:
        return error
    return tuple(line for path, tree in _trees(found.value, ()) for line in _written(found, path, tree))


def _written(found: JsonText, path: Path, tree: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    header = tree.get("header")
    for n, text in enumerate(header if isinstance(header, list) else ()):
        line = found.line_of((*path, "header", n))
        yield from ((line, said) for said in str(text).split("\n") if said.startswith("!"))
    yield from _lines(found, (*path, "cmds"), tree["cmds"], 0)


def _trees(value: Any, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The configurations in a value: itself, or those in the answers that it lists."""
    if isinstance(value, dict) and isinstance(value.get("cmds"), dict):
        yield path, value
    elif len(path) < _WRAPPERS and isinstance(value, (dict, list)):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _trees(inner, (*path, step))


def _lines(found: JsonText, path: Path, commands: Mapping[str, Any], depth: int) -> Iterator[tuple[int, str]]:
    for command, inner in commands.items():
        yield found.line_of((*path, command)), _INDENT * depth + " ".join(command.split())
        below = inner.get("cmds") if isinstance(inner, dict) else None
        if isinstance(below, dict):
            yield from _lines(found, (*path, command, "cmds"), below, depth + 1)
