"""The hosts of a repository, each with the files and sections that set its variables, the strongest first.

Ansible: inventories (INI, YAML) with `group_vars` and `host_vars` beside them or beside the playbooks. Nornir: `hosts.yaml`, `groups.yaml`
and `defaults.yaml`. A variable of a host is stronger than one of its groups, one of a group stronger than one of the groups around it.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass

_SECTION = lazy(r"\[([\w.-]{1,100})(?::(vars|children))?\]")
_OF_GROUPS = lazy(r"^\[[\w.-]{1,100}:(?:children|vars)\]|^[\w.-]{1,100}[ \t][^=\n]{0,200}\bansible_\w{1,40}=", re.M)
_IN_YAML = lazy(
    r"(?:(?:---|#)[^\n]{0,200}\n|[ \t]{0,80}\n)*+[\"']?[\w.-]{1,100}[\"']?:[ \t]{0,80}\n {1,8}(?:hosts|children|vars):"
)
"""How an inventory begins that is written as YAML, behind remarks."""
_HOST = lazy(r"([A-Za-z0-9](?:[\w.-]|\[[0-9A-Za-z]{1,6}(?::[0-9A-Za-z]{1,6}){1,2}\]){0,100})(?:\s|$)")
_RANGE = lazy(
    r"\[(?:(?P<first>\d{1,6}):(?P<last>\d{1,6})|(?P<a>[a-z]):(?P<z>[a-z])|(?P<A>[A-Z]):(?P<Z>[A-Z]))(?::(?P<step>\d{1,4}))?\]"
)
"""Several hosts by one name: `leaf[01:16]`, `rack[a:d]`, `gpu[0:30:2]`."""
_ASSIGNED = lazy(r"([A-Za-z_]\w{0,60})\s{0,8}=\s{0,8}(\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^#\s]{1,300})")
_VARS_FILE = lazy(
    r"(?P<scope>(?:.*/)?)(?P<kind>group|host)_vars/(?P<name>[\w.-]{1,100}?)(?:\.ya?ml|\.json)?(?:/[^/]+)?"
)
SETTINGS = "ansible.cfg"
_NAMES = lazy(r"^inventory[ \t]{0,8}=[ \t]{0,8}([^#;\n]{1,300})", re.M)
_MAY_BE = lazy(r"(?!ansible\.)[\w-]{1,100}(?:\.(?:ini|cfg|inv|txt|hosts|ya?ml))?")
"""Names of files that are no programs."""
_NORNIR = frozenset({"hosts", "groups", "defaults"})
_ALL = "all"
_DEEPEST = 12
_MOST_RANGES = 3
_MOST_HOSTS = 2_000

Values = dict[str, Any]
Chain = tuple[str, ...]


@dataclass
class Inventory:
    """What one file says: of groups their members, groups below them and variables, and the variables of hosts."""

    path: str
    groups: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    above: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    of_groups: dict[str, Values] = field(default_factory=lambda: defaultdict(dict))
    of_hosts: dict[str, Values] = field(default_factory=dict)
    prefix: str = ""
    """What the names of the variables begin with in templates."""

    def _host(self, name: str, group: str, values: Values) -> None:
        if len(self.of_hosts) < _MOST_HOSTS or name in self.of_hosts:
            self.of_hosts.setdefault(name, {}).update(values)
            self.groups[group][name] = None

    def host(self, name: str, groups: Iterable[str], values: Values) -> None:
        """A host, or those of a range, in these groups."""
        names = _each(name)
        for group in (_ALL, *groups):
            for one in names:
                self._host(one, group, values)

    def groups_of(self, host: str) -> list[str]:
        """The groups of a host, the strongest first: those that lie deepest, of equals the last by name."""
        depth = dict.fromkeys((group for group, members in self.groups.items() if host in members), 0)
        for step in range(_DEEPEST):
            reached = {up for group, at in depth.items() if at == step for up in self.above[group]}
            depth.update(dict.fromkeys(reached, step + 1))
        depth.pop(_ALL, None)
        return [*sorted(sorted(depth, reverse=True), key=depth.__getitem__), _ALL]


def _each(name: str) -> list[str]:
    """The hosts that a name stands for."""
    names = [name]
    for _ in range(_MOST_RANGES if "[" in name else 0):
        names = [one for named in names for one in _of_range(named)][:_MOST_HOSTS]
    return names


def _of_range(name: str) -> list[str]:
    """The names that the first range of a name comes to."""
    found = _RANGE.search(name)
    if found is None:
        return [name]
    step = int(found["step"] or 1) or 1
    if found["first"] is not None:
        width = len(found["first"]) if found["first"].startswith("0") else 0
        inner = [f"{one:0{width}}" for one in range(int(found["first"]), int(found["last"]) + 1, step)[:_MOST_HOSTS]]
    else:
        first, last = (found["a"], found["z"]) if found["a"] else (found["A"], found["Z"])
        inner = [chr(one) for one in range(ord(first), ord(last) + 1, step)]
    return [f"{name[: found.start()]}{one}{name[found.end() :]}" for one in inner]


def has_groups(text: str) -> bool:
    """Whether sections and hosts stand in a text as inventories alone have them."""
    return _OF_GROUPS.search(text) is not None


def is_yaml(text: str) -> bool:
    """Whether an inventory whose name does not say so is one of nested groups."""
    return _IN_YAML.match(text) is not None


def of_ini(path: str, text: str) -> Inventory:
    """An inventory of sections."""
    found = Inventory(path)
    group, kind = "ungrouped", ""
    for line in text.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith(("#", ";")):
            continue
        section = _SECTION.fullmatch(bare)
        if section is not None:
            group, kind = section[1], section[2] or ""
            continue
        values = {one[1]: _typed(one[2].strip("\"'")) for one in _ASSIGNED.finditer(bare)}
        named = _HOST.match(bare)
        if kind == "vars":
            found.of_groups[group].update(values)
        elif named is not None and kind == "children":
            found.above[named[1]][group] = None
        elif named is not None:
            found.host(named[1], (group,), values)
    return found


def _typed(word: str) -> Any:
    """A value as Ansible takes it from an inventory of sections: lists, mappings and `True` of Python as these, others as they stand."""
    if word[:1] not in ("[", "{") and word not in ("True", "False"):
        return word
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return word


def of_yaml(path: str, value: Any) -> Inventory | None:
    """An inventory of nested groups; None where it is none."""
    if not isinstance(value, dict) or not any(_is_group(one) for one in value.values()):
        return None
    found = Inventory(path)
    left: list[tuple[str, Any, int]] = [(str(name), one, 0) for name, one in value.items()]
    while left:
        name, group, depth = left.pop()
        if not isinstance(group, dict) or depth > _DEEPEST:
            continue
        values = group.get("vars")
        found.of_groups[name].update(values if isinstance(values, dict) else {})
        hosts = group.get("hosts")
        for host, own in hosts.items() if isinstance(hosts, dict) else ():
            found.host(str(host), (name,), own if isinstance(own, dict) else {})
        children = group.get("children")
        for child, inner in children.items() if isinstance(children, dict) else ():
            found.above[str(child)][name] = None
            left.append((str(child), inner, depth + 1))
    return found


def _is_group(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(one), dict) for one in ("hosts", "children"))


def of_nornir(by_name: Mapping[str, tuple[str, Any]]) -> Inventory | None:
    """The three files of Nornir's own inventory, by their names; None where there is none."""
    path, hosts = by_name.get("hosts", ("", None))
    if not isinstance(hosts, dict) or not any(
        isinstance(one, dict) and ("data" in one or "groups" in one) for one in hosts.values()
    ):
        return None
    found = Inventory(path, prefix="host.")
    for name, one in hosts.items():
        groups = one.get("groups") if isinstance(one, dict) else ()
        found.host(str(name), map(str, groups if isinstance(groups, list) else ()), _data(one))
    for name, one in _rows(by_name.get("groups", ("", None))[1]):
        found.of_groups[name].update(_data(one))
        above = one.get("groups") if isinstance(one, dict) else ()
        found.above[name].update(dict.fromkeys(map(str, above if isinstance(above, list) else ())))
    found.of_groups[_ALL].update(_data(by_name.get("defaults", ("", None))[1]))
    return found


def _data(value: Any) -> Values:
    data = value.get("data") if isinstance(value, dict) else None
    return {str(key): inner for key, inner in data.items()} if isinstance(data, dict) else {}


def _rows(value: Any) -> Iterator[tuple[str, Any]]:
    yield from ((str(key), inner) for key, inner in value.items()) if isinstance(value, dict) else ()


def whose_file(path: str) -> str:
    """Whose variables a file below `group_vars` or `host_vars` sets; "" for any other."""
    found = _VARS_FILE.fullmatch(path)
    return f"{found['scope']}{found['kind']}_vars/{found['name']}#site" if found is not None else ""


def named(settings: Iterable[tuple[str, str]], paths: Iterable[str]) -> frozenset[str]:
    """Those paths that settings of Ansible, each (folder, text), name as inventories, or that lie in a folder that they name."""
    found = {
        posixpath.normpath(posixpath.join(folder, part.strip()))
        for folder, text in settings
        if (said := _NAMES.search(text)) is not None
        for part in said[1].split(",")
    }
    those = [path for path in paths if found and _MAY_BE.fullmatch(posixpath.basename(path)) is not None]
    return frozenset(path for path in those if not found.isdisjoint((path, posixpath.dirname(path))))


def said_by(one: Inventory) -> Iterator[tuple[str, str, Any]]:
    """(whose, name, value) of the variables that an inventory sets itself."""
    for group, values in one.of_groups.items():
        yield from ((f"{one.path}:{group}#group", f"{one.prefix}{name}", value) for name, value in values.items())
    for host, values in one.of_hosts.items():
        yield from ((f"{one.path}:{host}#host", f"{one.prefix}{name}", value) for name, value in values.items())


def hosts(inventories: Iterable[Inventory], files: Iterable[str]) -> list[tuple[str, Chain]]:
    """(host, whose variables hold for it, the strongest first). `files` are those of `group_vars` and `host_vars`."""
    by_name: dict[tuple[str, str], dict[tuple[str, str], None]] = defaultdict(dict)
    for path in files:
        found = _VARS_FILE.fullmatch(path)
        if found is not None:
            by_name[(found["kind"], found["name"])][(found["scope"].rstrip("/"), whose_file(path))] = None
    told: list[tuple[str, Chain]] = []
    for one in inventories or _without_inventory(by_name):
        home = posixpath.dirname(one.path)
        for host in one.of_hosts:
            chain = [*_near(by_name.get(("host", host), ()), home), f"{one.path}:{host}#host"]
            for group in one.groups_of(host):
                chain += [*_near(by_name.get(("group", group), ()), home), f"{one.path}:{group}#group"]
            told.append((host, tuple(dict.fromkeys(chain))))
    return told[:_MOST_HOSTS]


def _without_inventory(by_name: Mapping[tuple[str, str], Iterable[tuple[str, str]]]) -> list[Inventory]:
    """Hosts that files of variables alone know; of several groups nobody says whose these are."""
    groups = [name for kind, name in by_name if kind == "group" and name != _ALL]
    scopes: dict[str, Inventory] = {}
    for (kind, name), those in by_name.items():
        for scope, _ in those if kind == "host" else ():
            found = scopes.setdefault(scope, Inventory(posixpath.join(scope, "hosts")))
            found.host(name, groups if len(groups) == 1 else (), {})
    return list(scopes.values())


def _near(scopes: Iterable[tuple[str, str]], home: str) -> list[str]:
    """Of the files of a name those that hold for an inventory in this folder: in it, or above or below it."""
    return [whose for scope, whose in scopes if _holds(scope, home) or _holds(home, scope)]


def _holds(outer: str, inner: str) -> bool:
    return outer in ("", inner) or inner.startswith(f"{outer}/")


def is_nornir(name: str) -> str:
    """Which of the files of Nornir's inventory a file may be by its name; "" for any other."""
    stem = re.sub(r"\.ya?ml$", "", name)
    return stem if stem in _NORNIR and stem != name else ""
