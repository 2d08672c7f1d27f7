"""Playbooks as they run on the hosts of an inventory: plays with their roles and the files of tasks that they take in.

Each host has the variables of its inventory, of the role and of the task; of hosts for which the same is written one is told.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources import detect
from roce_audit.sources.files import YAML
from roce_audit.sources.repository.ansible import includes
from roce_audit.sources.repository.ansible.switchtasks import Written, makes_lossless, written_by
from roce_audit.sources.repository.templates.composed import Held
from roce_audit.text.document import Document
from roce_audit.text.jinja.values import is_open
from roce_audit.text.plays import Taken, may_hold_items, runs_of
from roce_audit.text.structured.yamltext import YamlError, YamlText, documents

_PLAYS = lazy(r"\n- (?:[^\n]{0,200}\n {1,8})?(?:hosts|(?:ansible\.builtin\.)?import_playbook):")
_IMPORTS = "import_playbook"
_PATTERNS = lazy(r"[:,](?![^\[\]]{0,40}\])")
_TEMPLATE = ".j2"
_TEMPLATES = lazy(r"(?:^|/)templates/")
_WORD = lazy(r"[A-Za-z_]\w{0,60}")
_MOST_PLAYBOOKS = 64
_ITSELF = "inventory_hostname"
MOST_HOSTS = 64
"""Hosts with other variables for which a playbook is followed."""


@dataclass(frozen=True, slots=True)
class Host:
    """A host with its groups, its variables, and the file that gives each of them."""

    name: str
    groups: tuple[str, ...]
    values: Mapping[str, Any]
    givers: Mapping[str, str]

    @property
    def files(self) -> tuple[str, ...]:
        """The files that give its variables."""
        return tuple(dict.fromkeys(self.givers.values()))


@dataclass(frozen=True, slots=True)
class Played:
    """What a playbook writes for a switch, in pieces that each stand in one file; `host` is one of those for which it is the same, "" where
    that are all."""

    root: str
    host: str
    platform: str
    pieces: tuple[Written, ...]
    givers: tuple[str, ...]
    capped_at: int = 0
    """How many hosts that differ are followed, where there are more."""
    excluded: tuple[str, ...] = ()
    """Hosts for which no play of the playbook is, as one takes them out by name (`leafs:!leaf9`)."""
    missing: tuple[tuple[str, int, str], ...] = ()
    """(file, line, name) of files of tasks that are taken in and are not here."""
    passed_over: tuple[tuple[str, str, int], ...] = ()
    """Hosts that would get lossless ports but for a name, each with the file and the line that takes it out."""


class Files:
    """The files of tasks of a repository."""

    def __init__(
        self,
        known: Iterable[str],
        text_of: Callable[[str], str],
        of_hosts: Collection[str] = (),
    ) -> None:
        self.known = frozenset(known)
        self._of_hosts = of_hosts
        self.roles = includes.roles_among(self.known)
        self._text_of = text_of
        self._documents: dict[str, tuple[YamlText, ...]] = {}

    def text(self, path: str) -> str:
        """What a file says."""
        return self._text_of(path)

    def documents(self, path: str) -> tuple[YamlText, ...]:
        """What a file holds; nothing where it is not YAML."""
        if path not in self._documents:
            try:
                self._documents[path] = tuple(documents(self._text_of(path), own_tags=True))
            except YamlError:
                self._documents[path] = ()
        return self._documents[path]

    def held(self, root: str) -> Held:
        """How the texts are found that the tasks name which a playbook runs."""

        def text_named(path: str, named: str) -> tuple[str, str]:
            at = includes.text_named(path or root, named, self.known, root)
            return at, self._text_of(at) if at else ""

        return text_named

    def is_read_otherwise(self, path: str) -> bool:
        """Whether a file sets hosts up as well."""
        return detect.is_of_host(Document(path, self._text_of(path)))

    def variables(self, path: str) -> dict[str, Any]:
        """The variables that a file sets."""
        found = self.documents(path)
        value = found[0].value if found else None
        return {str(name): inner for name, inner in value.items()} if isinstance(value, dict) else {}

    @cached_property
    def playbooks(self) -> list[str]:
        """The playbooks that take other files in and that no other one takes in."""
        found, inner = [], set()
        for path in sorted(self.known):
            text = "\n" + self._text_of(path) if path.endswith(YAML) else ""
            if _PLAYS.search(text) is None or not may_hold_items(text):
                continue
            found.append(path)
            inner |= {at for at in self._imported(path) if at != path}
        return [path for path in found if path not in inner]

    def plays(self, path: str) -> list[str]:
        """The hosts of a playbook's plays, and of those that it takes in."""
        return [str(play["hosts"]) for at in self.with_inner(path) for play in self._plays(at) if "hosts" in play]

    def with_inner(self, path: str) -> list[str]:
        """A playbook, and those that it takes in."""
        found = [path]
        for at in found:  # grows
            found += [one for one in self._imported(at) if one and one not in found][: _MOST_PLAYBOOKS - len(found)]
        return found

    def _plays(self, path: str) -> Iterator[dict[Any, Any]]:
        return (play for document in self.documents(path) for play in _items(document.value))

    def lists_of_plays(self) -> Iterator[tuple[str, str, Any]]:
        """(file, name, value) of the lists that plays themselves set."""
        for path in self.playbooks:
            for play in self._plays(path):
                own = play.get("vars")
                if isinstance(own, dict):
                    yield from ((path, str(name), value) for name, value in own.items() if isinstance(value, list))

    def _imported(self, path: str) -> Iterator[str]:
        for play in self._plays(path):
            for key in play:
                if str(key).endswith(_IMPORTS):
                    yield includes.file_of(path, play[key], self.known)

    @cached_property
    def words(self) -> frozenset[str]:
        """The names that may stand in tasks, playbooks, templates and what roles set; not in what hosts have."""
        found: set[str] = set()
        for path in self.known.difference(self._of_hosts):
            is_ours = path.endswith((*YAML, _TEMPLATE)) or _TEMPLATES.search(path) is not None
            found.update(_WORD.findall(self._text_of(path)) if is_ours else ())
        return frozenset(found)


def _items(value: Any) -> list[dict[Any, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


_NAMELESS = Host("", (), {}, {})


def is_for(hosts: str, host: Host) -> bool:
    """Whether a pattern of Ansible (`leafs:!leaf9`) is for a host."""
    names = ("all", "*", host.name, *host.groups)
    holds = False
    for one in _PATTERNS.split(hosts[1:-1] if hosts.startswith("[") else hosts):
        bare = one.strip().strip("\"'")
        sign, name = (bare[:1], bare[1:]) if bare[:1] in ("!", "&") else ("", bare)
        is_named = "{{" in name or name.startswith("~") or _matches(name, names)
        if sign == "!":
            holds = holds and not is_named
        else:
            holds = holds and is_named if sign else holds or is_named
    return holds


class _OneHost:
    """What a playbook asks of the files around it for one host; `without` those of the inventory, for plays that are for none of these."""

    def __init__(self, host: Host, files: Files, without: Sequence[Host] = ()) -> None:
        self._host = host
        self._files = files
        self._without = without
        self._known: dict[str, bool] = {}
        self.is_open = False
        """A variable that is not known names what is to be taken in."""
        self.missing: dict[tuple[str, str], None] = {}
        """(file, name) of what is to be taken in and is not here."""

    def plays_for(self, hosts: str) -> bool:
        """Whether a play for these hosts is for this one."""
        if hosts not in self._known:
            is_any = any(is_for(hosts, one) for one in self._without or (self._host,))
            self._known[hosts] = is_any is not bool(self._without)
        return self._known[hosts]

    def taken_in(self, path: str, key: str, value: Any, variables: Mapping[str, Any]) -> Iterator[Taken]:
        """The tasks of a file or of a role, with the variables of the role."""
        if key == "roles" or key.endswith("_role"):
            yield from self._role(value, variables, 0)
            return
        self.is_open = self.is_open or is_open(value)
        at = includes.file_of(path, value, self._files.known)
        named = value.get("file") if isinstance(value, dict) else value
        if not at and isinstance(named, str) and not is_open(value) and not key.endswith(_IMPORTS):
            self.missing[path, named] = None
        yield from (Taken(at, document, {}) for document in self._files.documents(at)) if at else ()

    def _role(self, value: Any, variables: Mapping[str, Any], depth: int) -> Iterator[Taken]:
        folder = includes.folder_of(value, self._files.roles)
        self.is_open = self.is_open or is_open(value)
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
        own = {**weak, **self._main(folder, "vars"), **given, "role_path": folder}
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
        tried = (f"{folder}/{kind}/{name}{end}" for end in ("", *YAML))
        return next((at for at in tried if at in self._files.known), "")

    def variables_of(self, path: str, task: Mapping[Any, Any]) -> Mapping[str, Any]:
        """The variables that a play or a task of a file takes from others."""
        found: dict[str, Any] = {}
        for at in includes.files_of_variables(path, task, self._files.known):
            found |= self._files.variables(at)
        return found


class _AllBut(_OneHost):
    """The same for a host that no play takes out by its name."""

    def plays_for(self, hosts: str) -> bool:
        """A play is for whom its pattern names, whomever it takes out again."""
        return is_for(_wider(hosts), self._host)


class _Anybody(_OneHost):
    """The same for a host for which all plays are."""

    def plays_for(self, hosts: str) -> bool:
        """Any play is."""
        return True


_OF_ROLE = frozenset(
    {"role", "name", "when", "tags", "vars", "tasks_from", "become", "delegate_to", "apply", "public", "handlers_from"}
)
"""What stands beside the name of a role and is no variable."""


def _matches(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, re.sub(r"\[\d[\d:]{0,20}\]$", "", pattern)) for name in names)


def played(hosts: Sequence[Host], files: Files) -> list[Played]:
    """What the playbooks of a repository write for its hosts."""
    roots = [root for root in files.playbooks if _may_write(root, files)] if hosts else []
    if not roots:
        return []
    told_apart = [(host, _values(host, files)) for host in hosts]
    groups = _members(hosts)
    return [one for root in roots for one in _of_root(root, told_apart, groups, files)]


def _may_write(root: str, files: Files) -> bool:
    """Whether a playbook writes something into a switch for some host, or takes in what a variable names."""
    site = _Anybody(_NAMELESS, files)
    texts = files.documents(root)
    return any(written_by(runs_of(texts, {}, site, root), files.held(root)).values()) or site.is_open


def _of_root(
    root: str, hosts: Sequence[tuple[Host, str]], groups: Mapping[str, Sequence[str]], files: Files
) -> Iterator[Played]:
    found: dict[tuple[object, ...], Played] = {}
    asked: set[object] = set()
    capped_at = 0
    texts = files.documents(root)
    every = [host for host, _ in hosts]
    for host, values in (*hosts, (_NAMELESS, "")):
        is_known = host is not _NAMELESS
        site = _OneHost(host, files, () if is_known else every)
        key = values, tuple(map(site.plays_for, files.plays(root)))
        if key in asked:
            continue
        if is_known and len(asked) >= MOST_HOSTS:
            capped_at = MOST_HOSTS
            continue
        asked.add(key)
        itself = {_ITSELF: host.name, "group_names": list(host.groups)} if is_known else {}
        given = {**host.values, **itself, "groups": groups, "playbook_dir": posixpath.dirname(root) or "."}
        by_platform = written_by(runs_of(texts, given, site, root), files.held(root))
        missing = tuple((path, _line_naming(files.text(path), named), named) for path, named in site.missing)
        for platform, pieces in by_platform.items():
            said = (platform, *((piece.path, piece.lines, piece.text, piece.left_out) for piece in pieces))
            if pieces:
                one = Played(root, host.name, platform, pieces, host.files, missing=missing)
                found.setdefault(said, one)
    if not any(files.is_read_otherwise(piece.path) for one in found.values() for piece in one.pieces):
        excluded = tuple(_excluded(every, files.plays(root)))
        passed_over = tuple(_passed_over(every, root, groups, files))
        yield from (
            replace(one, capped_at=capped_at, excluded=excluded, passed_over=passed_over) for one in found.values()
        )


def _line_naming(text: str, named: str) -> int:
    return next((n for n, line in enumerate(text.split("\n"), 1) if named in line and "include" in line), 1)


def _excluded(hosts: Sequence[Host], plays: Sequence[str]) -> Iterator[str]:
    if not any("!" in pattern for pattern in plays):
        return
    for host in hosts:
        if not any(is_for(one, host) for one in plays) and any(is_for(_wider(one), host) for one in plays):
            yield host.name


def _wider(pattern: str) -> str:
    """A pattern without the hosts that it takes out."""
    return ":".join(one for one in _PATTERNS.split(pattern) if not one.strip().startswith("!"))


def _passed_over(
    hosts: Sequence[Host], root: str, groups: Mapping[str, Sequence[str]], files: Files
) -> Iterator[tuple[str, str, int]]:
    """The hosts that would get lossless ports from a playbook but for a name, with the file and line that has it."""
    plays = [
        (at, document.nearest_line_of((n, "hosts")), str(play["hosts"]))
        for at in files.with_inner(root)
        for document in files.documents(at)
        for n, play in enumerate(_items(document.value))
        if "!" in str(play.get("hosts", ""))
    ]
    texts = files.documents(root)
    for host in hosts if plays else ():
        without = [(at, line) for at, line, hosts in plays if not is_for(hosts, host) and is_for(_wider(hosts), host)]
        given = {**host.values, _ITSELF: host.name, "group_names": list(host.groups), "groups": groups}
        sites = (_AllBut(host, files), _OneHost(host, files)) if without else ()
        made = [written_by(runs_of(texts, dict(given), site, root), files.held(root)).values() for site in sites]
        if [any(map(makes_lossless, found)) for found in made] == [True, False]:
            yield host.name, *without[0]


def _members(hosts: Sequence[Host]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"all": [host.name for host in hosts]}
    for host in hosts:
        for group in host.groups:
            found.setdefault(group, []).append(host.name)
    return found


def _values(host: Host, files: Files) -> str:
    """What tells a host from others for which the same is written, but for the plays that are for it."""
    names = host.values.keys() & files.words
    for _ in range(includes.DEEPEST):  # variables that stand in the values of others
        inner = {one for name in names for one in _WORD.findall(json.dumps(host.values[name], default=str))}
        more = (inner & host.values.keys()) - names
        if not more:
            break
        names |= more
    itself = (host.name, *host.groups) if _ITSELF in files.words else host.groups
    return json.dumps([itself, {name: host.values[name] for name in sorted(names)}], default=str)
