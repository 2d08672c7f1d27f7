"""Load rule packs: folders of `<topic>/<name>.yaml`. A checked pack is kept as plain JSON, so that a second run starts
without a YAML reader and without validation; within one process an unchanged pack is the very same rules.

What is kept is found by what the files and the modules that read them hold: neither times nor places count, which are others in
each checkout and in each environment. The built-in pack is kept from when the package was built.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from roce_audit import __version__
from roce_audit.engine.rules.rule import MAX_BYTES, Rule, RuleReads, from_plain
from roce_audit.engine.rules.rulecompiler import RuleError
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.text.cachefiles import cache_file, make_room, read_ready, write_sealed

MAX_FILES = 5000
_FORMAT = 5
_SUFFIX = ".rules"
_MOST_KEPT = 2**24
"""Bytes of all packs that a user's cache keeps: each change of a rule makes another one."""
PROFILES = "profiles"
SKELETON = "skeleton"
_NO_RULES = frozenset({PROFILES, SKELETON})
"""Folders of a pack that hold no rules."""
LOADED: dict[str, tuple[Rule, ...]] = {}
"""The packs of this process by what they depend on; a handful, because tests and editors change them."""
_MOST_PACKS = 8


def builtin_folder() -> Path:
    """The rules that come with the tool: inside the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "_rules"
    return installed if installed.is_dir() else package.parent / "rules"


def load(folders: Sequence[Path] | None = None, *, use_cache: bool = True) -> tuple[Rule, ...]:
    """All rules of the folders (the built-in one when none is given), ordered by id. Raises RuleError.

    A pack read for the first time is compiled as a whole; one from the cache compiles a rule when it is first used.
    """
    wanted = [builtin_folder()] if folders is None else list(folders)
    packs = [(folder, found := _files(folder), _digest(folder, found)) for folder in wanted]
    key = repr([(str(folder), digest) for folder, _, digest in packs])
    if (kept := LOADED.get(key)) is not None and use_cache:
        return kept
    rules = _whole([rule for pack in packs for rule in _pack(*pack, use_cache=use_cache)])
    if len(LOADED) >= _MOST_PACKS:
        LOADED.clear()
    LOADED[key] = rules
    return rules


def _pack(folder: Path, found: Sequence[Path], digest: str, *, use_cache: bool) -> Sequence[Rule]:
    """The rules of one folder: whoever changes a rule of their own does not wait for those of the tool."""
    name = f"{digest}{_SUFFIX}"
    kept = _kept(name, folder) if use_cache else None
    if kept is not None:
        return kept
    rules, content = _read(found)
    # not where a file was written while it was read
    if use_cache and (file := cache_file(name)) is not None and _digest(folder, found) == digest:
        write_sealed(file, content)
        make_room(f"*{_SUFFIX}", _MOST_KEPT)
    return rules


def kept_as(folder: Path) -> tuple[str, bytes]:
    """Name and content of the file that keeps the rules of a folder; the same each time. Raises RuleError."""
    found = _files(folder)
    return f"{_digest(folder, found)}{_SUFFIX}", _read(found)[1]


def files(folders: Sequence[Path]) -> list[Path]:
    """The files of the rules of some folders. Raises RuleError."""
    return [file for folder in folders for file in _files(folder)]


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise RuleError(
            str(folder), 1, 1, "a file: give the folder of rules" if folder.exists() else "no such folder of rules"
        )
    found = []
    for inside in sorted(_inside(folder)):
        file = folder.joinpath(*inside)
        if inside[-1].endswith(".yml"):
            raise RuleError(str(file), 1, 1, "rule files end in .yaml")
        if not os.path.isfile(file):
            continue
        if len(inside) != 2:
            raise RuleError(str(file), 1, 1, "a rule file lies in the folder of its topic: <topic>/<name>.yaml")
        found.append(file)
        if len(found) > MAX_FILES:
            raise RuleError(str(folder), 1, 1, f"more than {MAX_FILES:,} rule files")
    if not found:
        raise RuleError(str(folder), 1, 1, "no rule in this folder: a rule is a file <topic>/<name>.yaml")
    return found


def _inside(folder: Path) -> Iterator[tuple[str, ...]]:
    """The way to each thing in a folder of rules that is called like YAML, name by name."""
    for place, folders, names in os.walk(folder):
        above = Path(place).relative_to(folder).parts
        yield from (
            (*above, name) for name in (*names, *folders) if name.endswith((".yaml", ".yml")) and name[0] != "."
        )
        folders[:] = [name for name in folders if name[0] != "." and (above or name not in _NO_RULES)]


def _read(files: Sequence[Path]) -> tuple[list[Rule], bytes]:
    """The rules of these files, and what is kept of them."""
    from roce_audit.engine.rules import rulefile  # heavy, and needed only when nothing is cached

    plain = [rulefile.read(file) for file in files]
    rules = [from_plain(data) for data in plain]
    for rule in rules:
        rule.compiled.parts()
    reads = {rule.id: [sorted(rule.reads_by_use.deciding), sorted(rule.reads_by_use.wording)] for rule in rules}
    kept = [{**data, "path": ""} for data in plain]  # it follows from the folder that is read
    return rules, json.dumps({"rules": kept, "reads": reads}, separators=(",", ":")).encode()


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


def _digest(folder: Path, files: Sequence[Path]) -> str:
    """A digest of all that the rules of a folder depend on."""
    found = hashlib.sha256(f"{_FORMAT} {__version__} {_program()}\n".encode())
    for file in files:
        found.update(f"{file.relative_to(folder).as_posix()} {_content(file)}\n".encode())
    return found.hexdigest()[:32]


def _content(file: Path) -> str:
    """A digest of what a file holds, as far as it is read; nothing where it cannot be, which reading it as a rule says."""
    with suppress(OSError), open(file, "rb", buffering=0) as stream:
        return hashlib.sha256(stream.read(MAX_BYTES + 1)).hexdigest()
    return ""


PROGRAM = (
    "",
    "engine",
    "engine/conditions",
    "engine/rules",
    "fabric",
    "fabric/cables",
    "fabric/carrying",
    "fabric/classes",
    "fabric/hosts",
    "fabric/similar",
    "fabric/traffic",
    "fabric/vlans",
    "formulas",
    "model",
    "platforms",
    "policy",
    "text",
    "text/statements",
    "text/structured",
)
"""Folders of the modules by which a rule is read; what lies in folders below them has no part in it."""


@cache
def _program() -> str:
    """A digest of the modules by which a rule is read: by other code it may read something else."""
    package = Path(__file__).parents[2]
    found = hashlib.sha256()
    for folder in PROGRAM:
        for entry in sorted(os.scandir(package / folder), key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                with open(entry.path, "rb", buffering=0) as module:
                    content = module.read()
                found.update(f"{folder}/{entry.name} {len(content)}\n".encode())
                found.update(content)
    return found.hexdigest()


def _kept(name: str, folder: Path) -> list[Rule] | None:
    """The rules of a folder, from the file of this name; None where there is none, or none that can be understood."""
    try:
        content = json.loads(read_ready(name))
        reads = {name: RuleReads(*map(_pairs, found)) for name, found in content["reads"].items()}
        return [
            from_plain({**data, "path": str(folder / f"{data['id']}.yaml")}, reads[data["id"]])
            for data in content["rules"]
        ]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None


def _pairs(found: Iterable[Sequence[str]]) -> frozenset[tuple[str, str]]:
    return frozenset((root, name) for root, name in found)
