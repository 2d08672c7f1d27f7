"""Variables that a repository gives its templates, playbooks and charts, as far as one value is certain whoever is asked.

Ansible: `group_vars`, `host_vars`, variables of inventories, `defaults` and `vars` of roles. Helm: `values.yaml` of a chart. Shell: files
of settings that a script takes in. Nothing is run here: a variable that is set otherwise as well (by a task, a play, another group) has no
certain value.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections import ChainMap, defaultdict
from collections.abc import Mapping, Set
from functools import cached_property
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources.files import YAML
from roce_audit.sources.repository.ansible import conditions, includes
from roce_audit.sources.repository.ansible.playbooks import Played
from roce_audit.sources.repository.boot import sourced
from roce_audit.sources.repository.programs import NO_PROGRAMS, Programs
from roce_audit.sources.repository.templates.placeholders import (
    EXPRESSION,
    PLACEHOLDER,
    Certain,
    flattened,
    named,
    resolved,
    whole_list,
    worked_out,
)
from roce_audit.text.jinja.values import fill, is_open

_ROLE = lazy(r"((?:.*/)?roles/[^/]+)/(?:.*/)?")
_LOOP = lazy(r"\{%-?\s{0,8}for\s{1,8}(\w{1,40})\s{1,8}in\s{1,8}([A-Za-z_][\w.]{0,80})\s")
_LOOPS = lazy(r"^ {0,40}(?:- )?(?:loop|with_\w{1,40}):", re.M)
_LOOP_VAR = lazy(r"\b(?:loop|index)_var:\s{1,8}[\"']?(\w{1,60})")
_LISTED = lazy(
    r"^(?P<key> {0,40}(?:- )?(?:loop|with_items|with_list|with_flattened):[ \t]{1,8})"
    r"(?P<quote>[\"']?)(?P<whole>\{\{-?[ \t]{0,8}(?P<name>[A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})"
    r"(?P<rest>[ \t]{0,8}[+|\[][^{}\n]{1,200}?)?[ \t]{0,8}-?\}\})(?P=quote)[ \t]*$",
    re.M,
)
"""A loop of a playbook over a list that a variable holds, or that is made of several."""
INCLUDED, PLAN = "#included", "#plan"
SITE = "#everywhere"
"""Variables that are no host's: pillars of Salt, contexts of NetBox."""
_PLAY = lazy(r"^- (?:name:[^\n]{0,200}\n {1,8})?hosts:[ \t]{1,8}[\"']?([^\n\"'#]{1,200}?)[\"']?[ \t]{0,8}$", re.M)
_PLAIN_HOSTS = lazy(r"[\w.-]{1,80}(?:[:,] {0,4}[\w.-]{1,80}){0,20}")
_OF_HOSTS = frozenset({"group_names", "inventory_hostname"})
"""What Ansible itself knows of a host."""
_OF_ROLES = ("#defaults", "#vars")
_USED = lazy(r"\{\{[^{}\n]{1,400}\}\}|\{%[^%\n]{1,400}%\}")
_WORD = lazy(r"(?<![\w.])[A-Za-z_]\w{0,60}")
_OPTIONAL = lazy(r"\{%[-+]?\s{0,8}(?:el)?if\b|\bif\b[^{}]{1,200}\}\}|\|\s{0,8}(?:default|d)\b")
"""What a host may do without: variables that are asked for, and those with a default."""
_QUOTED = lazy(r"'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"")

Row = tuple[str, str, str, tuple[str, ...]]
Own = tuple[str, str, str, str]
"""(whose, name, value as JSON, file) of a variable of a host, a group or a site, each where it is set."""
_ASKED_OF_PILLAR = "pillar.get"
_PILLAR_GET = lazy(
    r"(?:salt(?:\[['\"]pillar\.get['\"]\]|\.pillar\.get)|(?<![\w.])pillar\.get)"
    r"\(\s{0,4}['\"](?P<path>[\w:]{1,120})['\"]\s{0,4}(?:,\s{0,4}(?P<default>[^(){},\n]{1,80}?)\s{0,4})?\)"
)
"""Salt: a value of the pillar that is asked for by its path, `salt['pillar.get']('roce:pfc', '3')`."""
MOST_VERSIONS = 64
_NONE: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Version:
    """The values that a template has for a host ("": for all), and the files that give them."""

    host: str
    values: Mapping[str, Any]
    givers: tuple[str, ...]


@dataclass(frozen=True)
class Variables:
    """`rows`: (whose, name, value, files that set it); a value that is not certain is empty. Whose: nobody's own, or a folder with its
    kind behind `#`, a plan of Terraform (`#plan`), a file of settings that a script takes in (`#sourced`), or a file of tasks that others
    take in (`#included`)."""

    rows: tuple[Row, ...] = ()
    parts: tuple[includes.Part, ...] = ()
    own: tuple[Own, ...] = ()
    hosts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(host, whose variables hold for it, the strongest first)."""
    played: tuple[Played, ...] = ()
    """What playbooks write for the hosts."""
    of_plays: tuple[Own, ...] = ()
    """Lists that plays themselves set."""
    untaken: tuple[str, ...] = ()
    """Files of tasks for switches in roles that plays use, which no other file takes in."""
    programs: Programs = NO_PROGRAMS
    """What programs render, and the data that they load."""

    def settled(self, path: str, text: str, of_host: Mapping[str, Any] = _NONE) -> tuple[str, tuple[str, ...]]:
        """A text with the certain values of its placeholders, and the files that give them.

        The first of a list stands for all that a loop goes through. The values `of_host` are stronger.
        """
        taken_in: tuple[str, ...] = ()
        if self._sourced and path.endswith(sourced.SCRIPTS):
            text, taken_in = sourced.filled(path, text, self._sourced)
        asks = path.endswith(YAML) and "when:" in text
        if "{{" not in text and not asks:
            return text, taken_in
        text = with_names(text)
        whose = self._strongest_first(path)
        values = ChainMap(*[self._values.get(one, {}) for one in whose])
        if of_host:  # a list or mapping of the host stands in the place of another, and is not merged with it
            others = {name: value for name, value in values.items() if name.partition(".")[0] not in of_host}
            values = ChainMap(dict(flattened("", of_host)), others)
        givers = ChainMap(*[self._givers.get(one, {}) for one in whose])
        if asks:
            sure = Certain(values, set())
            decides = {name: sure[name] for name in conditions.names_in(text) if name in sure} | dict(of_host)
            text = conditions.settled(text, decides, self._set_somewhere | of_host.keys())
        loops = dict(_LOOP.findall(text)) if "{%" in text else {}
        given = dict.fromkeys(taken_in)

        def listed(found: re.Match[str]) -> str:
            if found["rest"] or found["name"].partition(".")[0] in of_host:
                sure = Certain(values, set())
                known = {name: sure[name] for name in _WORD.findall(found["whole"]) if name in sure} | dict(of_host)
                made = fill(found["whole"], known)
                given.update(dict.fromkeys(one for name in sure.used for one in givers.get(name, ())))
                is_whole = isinstance(made, list) and not is_open(made)
                return f"{found['key']}{json.dumps(made)}" if is_whole else found[0]
            below = f"{found['name']}."
            rows = {name[len(below) :]: value for name, value in values.items() if name.startswith(below)}
            whole = whole_list(rows)
            if whole is None:
                return found[0]
            given.update(dict.fromkeys(one for name in rows for one in givers.get(f"{below}{name}", ())))
            return f"{found['key']}{json.dumps(whole)}"

        if path.endswith(YAML):
            text = _LISTED.sub(listed, text)

        turns = {"item", *_LOOP_VAR.findall(text)} if path.endswith(YAML) else set()
        if _LOOPS.search(text) is None:  # the loop stands in the tasks that take this file in
            turns -= {name.partition(".")[0] for name in self._values.get(f"{path}{INCLUDED}", {})}
        elsewhere = {name for name, what in loops.items() if not any(one.startswith(f"{what}.") for one in values)}

        def value(found: re.Match[str]) -> str:
            if found["name"].partition(".")[0].partition("[")[0] in turns | elsewhere:
                return found[0]  # each turn of a loop has its own, and a default is not all of theirs
            told = resolved(found, values, loops)
            if told is not None:
                given.update(dict.fromkeys(givers.get(named(found, loops), ())))
            return found[0] if told is None else told

        text = PLACEHOLDER.sub(value, text)
        if "{{" in text:
            certain = Certain(values, {*loops, *loops.values(), *turns})
            text = EXPRESSION.sub(lambda found: worked_out(found[0], certain), text)
            given.update(dict.fromkeys(one for name in certain.used for one in givers.get(name, ())))
        return text, tuple(given)

    def _strongest_first(self, path: str) -> list[str]:
        """Whose variables hold for a file."""
        role = _ROLE.match(path)
        taken_in = [f"{path}{INCLUDED}"] if f"{path}{INCLUDED}" in self._values else []
        charts = [one for one in self._values if one.endswith("#chart") and path.startswith(one[: -len("#chart")])]
        whose = [max(charts, key=len)] if charts else []
        whose = [*taken_in, *whose]
        if role is None:
            return [*whose, ""]
        return [*whose, f"{role[1]}{INCLUDED}", f"{role[1]}#vars", "", f"{role[1]}#defaults"]

    def listed(self, path: str, name: str) -> list[Any] | None:
        """A list that a variable holds for a file; None where it is not certain."""
        values = ChainMap(*[self._values.get(one, {}) for one in self._strongest_first(path)])
        below = f"{name}."
        return whole_list({one[len(below) :]: value for one, value in values.items() if one.startswith(below)})

    def of_plan(self, path: str) -> Mapping[str, Any]:
        """The values of a plan of Terraform that has other files than this one."""
        its = self._values.get(f"{path.rpartition('/')[0]}{PLAN}", {})
        return {name: json.loads(value) for name, value in its.items()}

    def is_part(self, path: str) -> bool:
        """Whether the tasks of a file are taken in by those of others, or take others in: together they are one device."""
        return path in self._in_parts

    @cached_property
    def _in_parts(self) -> frozenset[str]:
        return frozenset(path for file, root, _ in self.parts if includes.is_tasks(file) for path in (file, root))

    def beside(self, path: str) -> Mapping[str, str]:
        """The texts of the files of data that a program loads, by what it calls them."""
        return {name: text for program, name, text in self.programs.beside if program == path}

    def _rendered(self, path: str) -> list[Version]:
        """What the variables of a template are where programs render it."""
        return [
            Version(host, json.loads(values), (program,))
            for template, host, values, program in self.programs.rendered
            if template == path
        ][:MOST_VERSIONS]

    def plays_of(self, path: str) -> list[Played]:
        """What a playbook writes for switches whose variables are known."""
        return [one for one in self.played if one.root == path]

    @cached_property
    def in_plays(self) -> frozenset[str]:
        """The files of which that is made."""
        return frozenset(piece.path for one in self.played for piece in one.pieces)

    @cached_property
    def roots(self) -> Mapping[str, str]:
        """The files from which one playbook alone writes, with that."""
        by_file: dict[str, set[str]] = defaultdict(set)
        for one in self.played:
            for piece in one.pieces:
                by_file[piece.path].add(one.root)
        return {path: next(iter(roots)) for path, roots in by_file.items() if len(roots) == 1}

    @cached_property
    def idle_lines(self) -> Mapping[str, frozenset[int]]:
        """The lines of statements, by file, that no host of a playbook gets."""
        found: dict[str, set[int]] = defaultdict(set)
        runs: dict[str, set[int]] = defaultdict(set)
        for piece in (piece for one in self.played for piece in one.pieces):
            found[piece.path].update(piece.idle)
            runs[piece.path].update(piece.lines)
        return {path: frozenset(lines - runs[path]) for path, lines in found.items() if lines}

    @cached_property
    def settled_lines(self) -> Mapping[str, frozenset[int]]:
        """The lines, by file, of which it is known what they come to for each host of the playbooks, or that no task writes them."""
        found: dict[str, set[int]] = defaultdict(set)
        open_: dict[str, set[int]] = defaultdict(set)
        for piece in (piece for one in self.played for piece in one.pieces):
            found[piece.path].update(piece.lines, piece.idle)
            open_[piece.path].update(line for line, _ in piece.left_out)
        return {path: frozenset(lines - open_[path]) for path, lines in found.items()}

    @cached_property
    def givers(self) -> frozenset[str]:
        """The files whose variables playbooks have."""
        of_roles = (file for whose, _, _, file in self.own if self.played and whose.endswith(_OF_ROLES))
        return frozenset((*of_roles, *(file for one in self.played for file in one.givers)))

    @cached_property
    def sources(self) -> frozenset[str]:
        """The files whose tasks take in texts for a switch."""
        return frozenset(root for file, root, _ in self.parts if not includes.is_tasks(file))

    def versions(self, path: str, text: str, *, of_switches: bool = True) -> list[Version]:
        """What a template's variables are for each host that has all of those that hosts have; one of those for whom they are the same."""
        used = [_QUOTED.sub("", found[0]) for found in _USED.finditer(text)]
        asked = conditions.names_in(text) if path.endswith(YAML) else frozenset()
        names = {first for one in used for first in _WORD.findall(one)} | asked
        optional = {first for one in used if _OPTIONAL.search(one) for first in _WORD.findall(one)} | asked
        of_hosts = names & (self._names | asked & _OF_HOSTS)
        needed = of_hosts - optional - _OF_HOSTS
        role = _ROLE.match(path)
        weak, strong = (
            self._of_role(f"{role[1]}#{kind}", names) if role is not None else {} for kind in ("defaults", "vars")
        )
        found: dict[str, Version] = {}
        whom = _played_for(text)
        looped = (
            {what.partition(".")[0] for _, what in _LOOP.findall(text)} if not of_hosts and (weak or strong) else ()
        )
        of_role = any(name in weak or name in strong for name in looped)  # what has no loop is filled in as it stands
        meant = self._hosts_by_word.get(posixpath.basename(path).partition(".")[0], ()) if len(self.hosts) > 1 else ()
        for host, chain in self._of_kind(of_switches) if of_hosts else (("", ()),):
            if (whom and whom.isdisjoint((host, *groups_of(chain)))) or (meant and host not in meant):
                continue
            values: dict[str, Any] = {}
            parts: dict[str, Any] = {}
            givers: dict[str, None] = {}
            for whose in (*chain, SITE):
                own = self._own.get(whose, {})
                for first in sorted(names & own.keys() - values.keys()) if own else ():
                    for rest, (value, file) in own[first].items():
                        givers[file] = None
                        if not rest:
                            values[first] = value
                        else:
                            parts.setdefault(first, {}).setdefault(rest, value)
            values = {**parts, **values}
            if needed <= {*values, *strong, *weak} and (host or values or of_role):
                merged = {**weak, **values, **strong}
                itself = {"group_names": groups_of(chain), "inventory_hostname": host or None}
                told_apart = {name: itself[name] for name in asked & _OF_HOSTS}
                key = json.dumps({**merged, **told_apart}, sort_keys=True, default=str)
                if len(found) < MOST_VERSIONS:
                    found.setdefault(key, Version(host, {**merged, **itself}, tuple(givers)))
        return list(found.values()) or self._rendered(path)

    def _of_role(self, whose: str, names: set[str]) -> dict[str, Any]:
        own = self._own.get(whose, {})
        return {name: own[name][""][0] for name in own if name in names and "" in own[name]}

    def _of_kind(self, is_switch: bool) -> list[tuple[str, tuple[str, ...]]]:
        """The hosts that may be switches, or may be none: where some have a network system, those are."""
        with_system = self._with_system
        return [one for one in self.hosts if not with_system or with_system.isdisjoint(one[1]) is not is_switch]

    @cached_property
    def _hosts_by_word(self) -> Mapping[str, Set[str]]:
        """The hosts that have a word as a group or a value: a template of that name is for these."""
        found: dict[str, set[str]] = defaultdict(set)
        for host, chain in self.hosts:
            values = (rows[""][0] for whose in chain for rows in self._own.get(whose, {}).values() if "" in rows)
            for word in (*groups_of(chain), *(value for value in values if isinstance(value, str))):
                found[word].add(host)
        return found

    @cached_property
    def _with_system(self) -> frozenset[str]:
        return frozenset(whose for whose, rows in self._own.items() if "ansible_network_os" in rows)

    @cached_property
    def _set_somewhere(self) -> frozenset[str]:
        """The variables that some file sets, whether or not their values are certain."""
        names = (name for whose, name, *_ in (*self.rows, *self.own) if not whose.endswith(("#chart", PLAN)))
        return frozenset(name.partition(".")[0] for name in names)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The variables that hosts have."""
        return frozenset(
            name.partition(".")[0] for whose, name, _, _ in self.own if not whose.endswith((SITE, *_OF_ROLES))
        )

    @cached_property
    def _own(self) -> Mapping[str, Mapping[str, Mapping[str, tuple[Any, str]]]]:
        """Whose -> the first part of a name -> the rest of it -> (value, file)."""
        found: dict[str, dict[str, dict[str, tuple[Any, str]]]] = defaultdict(lambda: defaultdict(dict))
        for whose, name, value, file in self.own:
            first, _, rest = name.partition(".")
            found[whose][first][rest] = (json.loads(value), file)
        return {whose: dict(rows) for whose, rows in found.items()}

    @cached_property
    def digest(self) -> str:
        """What tells these variables from others: each reading of the repository depends on them."""
        said = (self.rows, self.parts, self.own, self.hosts, self.played, self.of_plays, self.untaken, self.programs)
        return hashlib.sha256(repr(said).encode("utf-8", "surrogateescape")).hexdigest()

    @cached_property
    def _sourced(self) -> Mapping[str, dict[str, str]]:
        kind = "#sourced"
        return {whose[: -len(kind)]: given for whose, given in self._values.items() if whose.endswith(kind)}

    @cached_property
    def _values(self) -> Mapping[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for whose, name, value, _ in self.rows:
            found[whose][name] = value
        return dict(found)

    @cached_property
    def _givers(self) -> Mapping[str, dict[str, tuple[str, ...]]]:
        found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
        for whose, name, _, givers in self.rows:
            found[whose][name] = givers
        return dict(found)


def groups_of(chain: tuple[str, ...]) -> list[str]:
    """The groups of a host, by whose variables hold for it."""
    named = (one[: -len("#group")].rpartition(":")[2] for one in chain if one.endswith("#group"))
    return [one for one in named if one != "all"]


def with_names(text: str) -> str:
    """A template with names in the place of the calls that ask for them."""
    return _PILLAR_GET.sub(_of_pillar, text) if _ASKED_OF_PILLAR in text else text


def _of_pillar(found: re.Match[str]) -> str:
    """The same as a name with dots."""
    default = f" | default({found['default']})" if found["default"] else ""
    return f"pillar.{found['path'].replace(':', '.')}{default}"


def _played_for(text: str) -> frozenset[str]:
    """The hosts and groups for which a playbook's plays are; none where that is for all, or not said in plain names."""
    patterns = _PLAY.findall(text)
    names = {name.strip() for one in patterns for name in re.split(r"[:,]", one)}
    is_plain = patterns and all(_PLAIN_HOSTS.fullmatch(one) is not None for one in patterns)
    return frozenset(names) if is_plain and "all" not in names else frozenset()
