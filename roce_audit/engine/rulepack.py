"""Load rule packs: folders of `<topic>/<name>.yaml`. A checked pack is kept as plain JSON, so that a second run starts
without a YAML reader and without validation; within one process an unchanged pack is the very same rules."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from roce_audit import __version__
from roce_audit.engine.rule import Rule, RuleError, RuleReads, from_plain
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.text.cachefiles import cache_file, read_own, write_whole

MAX_FILES = 5000
_FORMAT = 3
PROFILES = "profiles"
SKELETON = "skeleton"
_NO_RULES = frozenset({PROFILES, SKELETON})
"""Folders of a pack that hold no rules."""
LOADED: dict[str, tuple[Rule, ...]] = {}
"""The packs of this process by what they depend on; a handful, because tests and editors change them."""
_MOST_PACKS = 8


def builtin_folder() -> Path:
    """The rules that come with the tool: inside the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_rules"
    return installed if installed.is_dir() else package.parent / "rules"


def load(folders: Sequence[Path] | None = None, *, use_cache: bool = True) -> tuple[Rule, ...]:
    """All rules of the folders (the built-in one when none is given), ordered by id. Raises RuleError.

    A pack read for the first time is compiled as a whole; one from the cache compiles a rule when it is first used.
    """
    wanted = [builtin_folder()] if folders is None else list(folders)
    packs = [(folder, _files(folder)) for folder in wanted]
    key = repr([_key(found) for _, found in packs])
    if (kept := LOADED.get(key)) is not None and use_cache:
        return kept
    rules = _whole([rule for folder, found in packs for rule in _pack(folder, found, use_cache=use_cache)])
    if len(LOADED) >= _MOST_PACKS:
        LOADED.clear()
    LOADED[key] = rules
    return rules


def _pack(folder: Path, found: Sequence[Path], *, use_cache: bool) -> Sequence[Rule]:
    """The rules of one folder: whoever changes a rule of their own does not wait for those of the tool."""
    key = _key(found)
    cache = _cache_file(folder) if use_cache else None
    rules = _from_cache(cache, key) if cache else None
    if rules is None:
        rules, plain = _read(found)
        if cache:
            reads = {rule.id: [sorted(rule.reads_by_use.deciding), sorted(rule.reads_by_use.wording)] for rule in rules}
            _to_cache(cache, key, plain, reads)
    return rules


def files(folders: Sequence[Path]) -> list[Path]:
    """The files of the rules of some folders. Raises RuleError."""
    return [file for folder in folders for file in _files(folder)]


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise RuleError(
            str(folder), 1, 1, "a file: give the folder of rules" if folder.exists() else "no such folder of rules"
        )
    found = []
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder).parts
        if inside[0] in _NO_RULES or any(part.startswith(".") for part in inside):
            continue
        if file.suffix == ".yml":
            raise RuleError(str(file), 1, 1, "rule files end in .yaml")
        if file.suffix != ".yaml" or not file.is_file():
            continue
        if len(inside) != 2:
            raise RuleError(str(file), 1, 1, "a rule file lies in the folder of its topic: <topic>/<name>.yaml")
        found.append(file)
        if len(found) > MAX_FILES:
            raise RuleError(str(folder), 1, 1, f"more than {MAX_FILES:,} rule files")
    if not found:
        raise RuleError(str(folder), 1, 1, "no rule in this folder: a rule is a file <topic>/<name>.yaml")
    return found


def _read(files: Sequence[Path]) -> tuple[list[Rule], list[dict[str, Any]]]:
    from roce_audit.engine import rulefile  # heavy, and needed only when nothing is cached

    plain = [rulefile.read(file) for file in files]
    rules = [from_plain(data) for data in plain]
    for rule in rules:
        rule.compiled.parts()
    return rules, plain


def _whole(found: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules of all packs, ordered by id; each must have a name of its own and follow from rules that are there."""
    rules: dict[str, Rule] = {}
    for rule in found:
        if rule.id in rules:
            raise RuleError(rule.path, 1, 1, f"{rule.id} exists already: {rules[rule.id].path}")
        rules[rule.id] = rule
    for rule in found:
        for other in rule.after:
            if other not in rules:
                raise RuleError(
                    rule.path, *rule.places["after"], f"after: no rule '{other}'{did_you_mean(other, rules)}"
                )
    for rule in found:
        _check_order(rule, rules)
    return tuple(sorted(found, key=lambda rule: rule.id))


def _check_order(rule: Rule, rules: Mapping[str, Rule]) -> None:
    """Two rules that each follow from the other would hide each other's findings."""
    before, waiting = set[str](), list(rule.after)
    while waiting:
        other = waiting.pop()
        if other == rule.id:
            raise RuleError(rule.path, *rule.places["after"], f"after: {rule.id} would follow from itself")
        if other not in before:
            before.add(other)
            waiting += rules[other].after


def _key(files: Sequence[Path]) -> list[Any]:
    """What a cached pack depends on, as JSON gives it back."""
    key: list[Any] = [_FORMAT, __version__, _program()]
    for file in files:
        status = file.stat()
        key.append([str(file), status.st_size, status.st_mtime_ns])
    return key


PROGRAM = ("", "engine", "fabric", "formulas", "model", "platforms", "policy", "text", "text/statements")
"""Folders of the modules by which a rule is read; what lies in folders below them has no part in it."""


@cache
def _program() -> str:
    """A digest of the sizes and times of the modules by which a rule is read: by other code it may read something else."""
    package = Path(__file__).parents[1]
    found = hashlib.sha256()
    for folder in PROGRAM:
        for entry in sorted(os.scandir(package / folder), key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                status = entry.stat()
                found.update(f"{entry.path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return found.hexdigest()


def _cache_file(folder: Path) -> Path | None:
    return cache_file(f"rules-{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}.json")


def _from_cache(file: Path, key: list[Any]) -> list[Rule] | None:
    try:
        content = json.loads(read_own(file))
        if content["key"] != key:
            return None
        reads = {name: RuleReads(*map(_pairs, found)) for name, found in content["reads"].items()}
        return [from_plain(data, reads[data["id"]]) for data in content["rules"]]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None


def _pairs(found: Iterable[Sequence[str]]) -> frozenset[tuple[str, str]]:
    return frozenset((root, name) for root, name in found)


def _to_cache(file: Path, key: list[Any], plain: list[dict[str, Any]], reads: Mapping[str, Any]) -> None:
    write_whole(file, json.dumps({"key": key, "rules": plain, "reads": reads}).encode())
