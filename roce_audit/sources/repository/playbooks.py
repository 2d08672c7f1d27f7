"""Playbooks as they run on the hosts of an inventory: plays with their roles and the files of tasks that they take in.

Each host has the variables of its inventory, of the role and of the task; of hosts for which the same is written one is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources import detect
from roce_audit.sources.repository import includes
from roce_audit.sources.repository.switchtasks import Written, written_by
from roce_audit.text.document import Document
from roce_audit.text.plays import Taken, may_hold_items, never_run, runs_of
from roce_audit.text.yamltext import YamlError, YamlText, documents

_PLAYS = lazy(r"\n- (?:[^\n]{0,200}\n {1,8})?(?:hosts|(?:ansible\.builtin\.)?import_playbook):")
_IMPORTS = "import_playbook"
_PATTERNS = lazy(r"[:,](?![^\[\]]{0,40}\])")
_WORD = lazy(r"[A-Za-z_]\w{0,60}")
_OF_HOST = frozenset({"inventory_hostname", "group_names", "groups", "ansible_host"})
_MOST_HOSTS = 64
"""Hosts with other variables for which a playbook is followed."""


@dataclass(frozen=True, slots=True)
class Host:
    """A host with its groups, its variables, and the files that give them."""

    name: str
    groups: tuple[str, ...]
    values: Mapping[str, Any]
    givers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Played:
    """What a playbook writes for a switch, in pieces that each stand in one file; `host` is one of those for which it is the same, "" where
    that are all."""

    root: str
    host: str
    platform: str
    pieces: tuple[Written, ...]
    givers: tuple[str, ...]


class Files:
    """The files of tasks of a repository."""

    def __init__(self, known: Iterable[str], text_of: Callable[[str], str], sources: Collection[str]) -> None:
        self.known = frozenset(known)
        self._sources = sources
        self.roles = includes.roles_among(self.known)
        self._text_of = text_of
        self._documents: dict[str, tuple[YamlText, ...]] = {}

    def documents(self, path: str) -> tuple[YamlText, ...]:
        """What a file holds; nothing where it is not YAML."""
        if path not in self._documents:
            try:
                self._documents[path] = tuple(documents(self._text_of(path), own_tags=True))
            except YamlError:
                self._documents[path] = ()
        return self._documents[path]

    def is_read_otherwise(self, path: str) -> bool:
        """Whether a file sets hosts up as well, or its tasks take in texts for a switch."""
        return path in self._sources or detect.is_of_host(Document(path, self._text_of(path)))

    def variables(self, path: str) -> dict[str, Any]:
        """The variables that a file sets."""
        found = self.documents(path)
        value = found[0].value if found else None
        return {str(name): inner for name, inner in value.items()} if isinstance(value, dict) else {}

    def playbooks(self) -> list[str]:
        """The playbooks that take other files in and that no other one takes in."""
        found, inner = [], set()
        for path in sorted(self.known):
            text = "\n" + self._text_of(path) if path.endswith(includes.YAML) else ""
            if _PLAYS.search(text) is None or not may_hold_items(text) or not includes.mentions(text):
                continue
            found.append(path)
            inner |= {at for at in self._imported(path) if at != path}
        return [path for path in found if path not in inner]

    def _imported(self, path: str) -> Iterator[str]:
        for document in self.documents(path):
            for play in document.value if isinstance(document.value, list) else ():
                for key in play if isinstance(play, dict) else ():
                    if str(key).endswith(_IMPORTS):
                        yield includes.file_of(path, play[key], self.known)

    @cached_property
    def words(self) -> frozenset[str]:
        """The names that may stand in tasks, playbooks and what roles set."""
        found: set[str] = set()
        for path in self.known:
            found.update(_WORD.findall(self._text_of(path)) if path.endswith(includes.YAML) else ())
        return frozenset(found)


class _OneHost:
    """What a playbook asks of the files around it for one host."""

    def __init__(self, host: Host, files: Files) -> None:
        self._host = host
        self._files = files

    def plays_for(self, hosts: str) -> bool:
        """Whether a pattern of Ansible (`leafs:!leaf9`) is for the host."""
        names = ("all", "*", self._host.name, *self._host.groups)
        holds = False
        for one in _PATTERNS.split(hosts[1:-1] if hosts.startswith("[") else hosts):
            bare = one.strip().strip("\"'")
            is_named = "{{" in bare or bare[:1].lstrip("!&") == "~" or _matches(bare.lstrip("!&"), names)
            holds = (
                holds and not is_named
                if bare[:1] == "!"
                else holds and is_named
                if bare[:1] == "&"
                else holds or is_named
            )
        return holds

    def taken_in(self, path: str, key: str, value: Any, variables: Mapping[str, Any]) -> Iterator[Taken]:
        """The tasks of a file or of a role, with the variables of the role."""
        if key == "roles" or key.endswith("_role"):
            yield from self._role(value, variables, 0)
            return
        at = includes.file_of(path, value, self._files.known)
        yield from (Taken(at, document, {}) for document in self._files.documents(at)) if at else ()

    def _role(self, value: Any, variables: Mapping[str, Any], depth: int) -> Iterator[Taken]:
        folder = includes.folder_of(value, self._files.roles)
        if not folder or depth > includes.DEEPEST:
            return
        said = value if isinstance(value, dict) else {}
        given = said.get("vars")
        given = {
            **{key: one for key, one in said.items() if key not in _OF_ROLE},
            **(given if isinstance(given, dict) else {}),
        }
        for needed in self._needed(folder):
            yield from self._role(needed, variables, depth + 1)
        weak = {name: one for name, one in self._main(folder, "defaults").items() if name not in variables}
        own = {**weak, **self._main(folder, "vars"), **given}
        for name, are_handlers in ((said.get("tasks_from", "main"), False), ("main", True)):
            at = self._at(folder, "handlers" if are_handlers else "tasks", str(name))
            for document in self._files.documents(at) if at else ():
                yield Taken(at, document, own, are_handlers)

    def _needed(self, folder: str) -> list[Any]:
        found = self._main(folder, "meta").get("dependencies")
        return found if isinstance(found, list) else []

    def _main(self, folder: str, kind: str) -> dict[str, Any]:
        at = self._at(folder, kind, "main")
        return self._files.variables(at) if at else {}

    def _at(self, folder: str, kind: str, name: str) -> str:
        tried = (f"{folder}/{kind}/{name}{end}" for end in ("", *includes.YAML))
        return next((at for at in tried if at in self._files.known), "")

    def variables_of(self, path: str, task: Mapping[Any, Any]) -> Mapping[str, Any]:
        """The variables that a play or a task of a file takes from others."""
        found: dict[str, Any] = {}
        for at in includes.files_of_variables(path, task, self._files.known):
            found |= self._files.variables(at)
        return found


_OF_ROLE = frozenset(
    {"role", "name", "when", "tags", "vars", "tasks_from", "become", "delegate_to", "apply", "public", "handlers_from"}
)
"""What stands beside the name of a role and is no variable."""


def _matches(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, re.sub(r"\[\d[\d:]{0,20}\]$", "", pattern)) for name in names)


def played(hosts: Sequence[Host], files: Files) -> list[Played]:
    """What the playbooks of a repository write for its hosts."""
    return [one for root in files.playbooks() for one in _of_root(root, hosts, files)] if hosts else []


def _of_root(root: str, hosts: Sequence[Host], files: Files) -> Iterator[Played]:
    found: dict[tuple[object, ...], Played] = {}
    asked: set[str] = set()
    for host in hosts:
        site = _OneHost(host, files)
        key = _key(root, host, site, files)
        if key in asked or len(asked) >= _MOST_HOSTS:
            continue
        asked.add(key)
        given = {
            **host.values,
            "inventory_hostname": host.name,
            "group_names": list(host.groups),
            "groups": _members(hosts),
        }
        texts = files.documents(root)
        by_platform = written_by(runs_of(texts, given, site, root), never_run(texts, given, site, root))
        for platform, pieces in by_platform.items():
            said = (platform, *((piece.path, piece.lines, piece.text, piece.left_out) for piece in pieces))
            if pieces:
                found.setdefault(said, Played(root, host.name, platform, pieces, tuple(host.givers)))
    if not any(files.is_read_otherwise(piece.path) for one in found.values() for piece in one.pieces):
        yield from found.values()


def _members(hosts: Sequence[Host]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"all": [host.name for host in hosts]}
    for host in hosts:
        for group in host.groups:
            found.setdefault(group, []).append(host.name)
    return found


def _key(root: str, host: Host, site: _OneHost, files: Files) -> str:
    """What tells a host from others for which the same is written."""
    names = host.values.keys() & files.words
    for _ in range(includes.DEEPEST):  # variables that stand in the values of others
        inner = {one for name in names for one in _WORD.findall(json.dumps(host.values[name], default=str))}
        more = (inner & host.values.keys()) - names
        if not more:
            break
        names |= more
    plays = [
        site.plays_for(str(play.get("hosts", "")))
        for document in files.documents(root)
        for play in (document.value if isinstance(document.value, list) else ())
        if isinstance(play, dict)
    ]
    itself = (host.name, *host.groups) if files.words & _OF_HOST else host.groups
    return json.dumps([itself, plays, {name: host.values[name] for name in sorted(names)}], default=str)
