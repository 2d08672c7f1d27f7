"""Every regular expression of the package, and how it is used."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import roce_audit
from roce_audit import platforms
from roce_audit.patterns import LazyPattern
from roce_audit.platforms import signature
from roce_audit.platforms.shared.host import tools

_METHODS = frozenset({"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"})
_ALL_MATCHES = frozenset({"finditer", "findall", "sub", "subn", "split"})


class Used(NamedTuple):
    """A pattern, where it stands, and the method it is used by; `finditer` stands for all that find every match."""

    where: str
    pattern: re.Pattern[Any]
    method: str


def used_patterns() -> list[Used]:
    """All of them, each once a method."""
    found: dict[tuple[Any, int, str], Used] = {}
    for where, pattern, methods in _all():
        for method in sorted({"finditer" if method in _ALL_MATCHES else method for method in methods}):
            found.setdefault((pattern.pattern, pattern.flags, method), Used(where, pattern, method))
    return sorted(found.values(), key=lambda used: (used.where, used.method))


def _all() -> Iterator[tuple[str, re.Pattern[Any], set[str]]]:
    for platform in platforms.every():
        platform.load()
        for form in platform.signature:
            for text in (*((form.commands,) if isinstance(form.commands, str) else ()), *form.marks):
                yield f"signature of {platform.name}", signature.compiled(text), {"search"}
            yield f"signature of {platform.name}", signature.compiled(form.start), {"match"}
    for tool in tools.tools():
        yield f"signature of {tool.name}", re.compile(tool.signature, re.M), {"search"}
        yield f"commands of {tool.name}", re.compile(tool.commands), {"fullmatch"}
        yield f"files of {tool.name}", re.compile(tool.files), {"fullmatch"}
    parsed = [(module, ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))) for module in _modules()]
    of_fields = _uses_of_fields(tree for _, tree in parsed)
    for module, tree in parsed:
        uses = _uses(tree)
        for name, value in vars(module).items():
            for field, pattern in _held(value, set()):
                methods = of_fields[field] or uses[name] or uses[""] or {"search", "fullmatch"}
                yield f"{module.__name__}.{name}", pattern, methods
        yield from ((f"{module.__name__}:{line}", pattern, {method}) for line, pattern, method in _inline(tree))


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(roce_audit.__path__, "roce_audit."):
        if ".migrations" not in found.name and not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _held(value: Any, seen: set[int], field: str = "") -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns in a value: itself, or in collections and records, there with the record's field."""
    if isinstance(value, re.Pattern | LazyPattern):
        yield field, value.compiled() if isinstance(value, LazyPattern) else value
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    parts: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        parts = [(field, part) for part in (*value.keys(), *value.values())]
    elif isinstance(value, tuple | list | set | frozenset):
        parts = [(field, part) for part in value]
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [(one.name, getattr(value, one.name, None)) for one in dataclasses.fields(value)]
    for name, part in parts:
        yield from _held(part, seen, name)


def _uses(tree: ast.AST) -> dict[str, set[str]]:
    """Name of a pattern -> the methods it is used by in its own module; "" those of variables, which may hold any of a list."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS and isinstance(node.value, ast.Name):
            name = node.value.id
            found[name].add(node.attr)
            if name.islower() and name != "re" and not name.startswith("_") and node.attr != "split":
                found[""].add(node.attr)
    return found


def _uses_of_fields(trees: Iterable[ast.AST]) -> dict[str, set[str]]:
    """Field of a record -> the methods that patterns in it are used by, in all modules."""
    found: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in _METHODS and isinstance(node.value, ast.Attribute):
                found[node.value.attr].add(node.attr)
    return found


def _inline(tree: ast.AST) -> Iterator[tuple[int, re.Pattern[str], str]]:
    """Patterns that are written where they are used: `re.sub(r"...", ...)`."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.args):
            continue
        text = node.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            flags = "".join(ast.unparse(word.value) for word in node.keywords if word.arg == "flags")
            flags += "".join(ast.unparse(more) for more in node.args[1:] if ast.unparse(more).startswith("re."))
            wanted = re.RegexFlag(0)
            for letter in re.findall(r"re\.([A-Z]+)", flags):
                wanted |= getattr(re, letter)
            yield node.lineno, re.compile(text.value, wanted), node.func.attr
