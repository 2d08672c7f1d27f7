"""Which files of a repository set variables, and what they set them to."""

from __future__ import annotations

import json
import re
from collections import ChainMap, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.sources import files
from roce_audit.sources.files import YAML, Candidate
from roce_audit.sources.repository import inventories, programs, shown, terraform
from roce_audit.sources.repository.ansible import datamodels, includes, playbooks
from roce_audit.sources.repository.ansible import untaken as untaken_tasks
from roce_audit.sources.repository.boot import sourced
from roce_audit.sources.repository.templates import layers
from roce_audit.sources.repository.templates.placeholders import PLACEHOLDER, flattened, resolved, scalar
from roce_audit.sources.repository.variables import INCLUDED, PLAN, SITE, Own, Row, Variables, groups_of
from roce_audit.text.decode import decode
from roce_audit.text.structured.yamltext import YamlError, documents

_SITE = lazy(r"(?:^|.*/)(?:group_vars|host_vars)/[^/]+(?:/[^/]+)?")
_ROLE_FILE = lazy(r"((?:.*/)?roles/[^/]+)/(defaults|vars)/(?:main/)?[^/]+")
_VALUES = lazy(r"((?:.*/)?)values[\w.-]{0,60}\.ya?ml")
_INVENTORY = lazy(r"(?:.*/)?(?:hosts|inventory)(?:\.ini|\.cfg)?|(?:.*/)?inventor(?:y|ies)/[\w.-]+")
_HOSTS = lazy(
    r"(?:.*/)?(?:hosts|inventory)(?:\.(?:ini|cfg|ya?ml))?|(?:.*/)?inventor(?:y|ies)/(?!(?:.*/)?(?:group|host)_vars/)"
    r"(?:[\w.-]{1,100}/)?[\w-]{1,100}(?:\.(?:ini|cfg|ya?ml))?"
)
_ALSO_HOSTS = lazy(
    r"(?:.*/)?(?:[\w-]{0,60}inventory[\w-]{0,60}|hosts[._-][\w-]{1,60}|inv|production|staging|prod|preprod|test|dev|lab)(?:\.(?:ini|inv|ya?ml))?"
)
"""Names that many inventories have, and other files: of these only those are inventories that look like one."""
_INI = (".ini", ".inv", ".hosts")
_PILLAR = lazy(r"(?:.*/)?pillars?/(?:.*/)?(?!top\.sls)[^/]+\.sls")
_CONTEXT = lazy(r"(?:.*/)?config[_-]contexts?/(?:.*/)?[^/]+\.(?:ya?ml|json)")
_TRIED = lazy(r"(?:.*/)?(?:(?:molecule|tests?|spec)/.*|roce-audit\.ya?ml)")
"""Files that try a role out set what no host runs with, and a policy says what is meant to be."""
_SECTION = lazy(r"\[([^\]\n]{1,100})\]\s*")
_ASSIGNED = lazy(r"([A-Za-z_]\w{0,60})\s{0,8}=\s{0,8}([^#\n]{1,300})")
_KEY = lazy(r"^\s{0,60}(?:- )?([A-Za-z_]\w{0,60})\s{0,4}[:=]", re.M)
_MOST_FILES = 2_000
_MOST_BYTES = 1_000_000
_MOST_VALUES = 20_000
_DEEPEST = 6
_LONGEST_VALUE = 100_000


def of_repository(candidates: Iterable[Candidate], instead: Mapping[str, str]) -> Variables:
    """What the files of a repository say; files that cannot be read say nothing."""
    those = [one for one in candidates if one.path != files.STDIN]
    of_scripts = sourced.of_scripts(those, lambda one: text_of(one, instead))
    taken_in = [
        *((f"{path}#sourced", name, value, (path,)) for path, name, value in of_scripts),
        *_of_plans(those, instead),
    ]
    settings = [(one.folder, text_of(one, instead)) for one in those if one.name == inventories.SETTINGS]
    inventories_named = inventories.named(settings, [one.path for one in those] if settings else ())
    said, hosts = _said_of_hosts(those, instead, inventories_named)
    rows = (*_of_repository(those, instead), *sorted(taken_in))
    untried = (one for one in those if not _TRIED.fullmatch(one.path))
    found = Variables(rows, (), _own(said, those, instead), hosts)
    by_programs = programs.of_programs(untried, lambda one: text_of(one, instead), lambda one: found.of_plan(one.path))
    found = replace(found, programs=by_programs)
    included = _includes(those, instead, found)
    if included:
        found = replace(found, rows=(*found.rows, *_given_to(included)), parts=tuple(includes.parts(included)))
    by_path = {one.path: one for one in those if not _TRIED.fullmatch(one.path)}
    if not hosts:
        if not by_programs.rendered:
            return found
        others = playbooks.Files(by_path, lambda path: text_of(by_path[path], instead), ())
        return replace(found, played=tuple(layers.rendered_by_programs(by_programs.rendered, others, ())))
    of_hosts = {
        path
        for path in by_path
        if path in inventories_named
        or inventories.whose_file(path)
        or _HOSTS.fullmatch(path)
        or _ALSO_HOSTS.fullmatch(path)
    }
    tasks = playbooks.Files(by_path, lambda path: text_of(by_path[path], instead), of_hosts)
    named = _hosts(said, hosts)
    by_plays = playbooks.played(named, tasks)
    typed = {piece.path for one in by_plays for piece in one.pieces}
    played = (*by_plays, *layers.written(named, tasks, typed), *datamodels.written(named, tasks))
    typed = {piece.path for one in played for piece in one.pieces}
    played = (*played, *layers.rendered_by_programs(by_programs.rendered, tasks, typed))
    roots = {one.root for one in played}
    untaken = (*untaken_tasks.of_roles(played, tasks, {one.file for one in included}), *layers.untaken(played, tasks))
    lists = ((path, name, json.dumps(value, default=str), path) for path, name, value in tasks.lists_of_plays())
    return replace(
        found,
        played=played,
        of_plays=tuple(one for one in lists if len(one[2]) < _LONGEST_VALUE),
        untaken=untaken,
        parts=tuple(one for one in found.parts if one[1] not in roots),
    )


def _of_plans(those: Iterable[Candidate], instead: Mapping[str, str]) -> Iterator[Row]:
    """What the files of each plan of Terraform that configures switches say together."""
    plans: dict[str, list[Candidate]] = defaultdict(list)
    for one in those:
        if one.name.endswith((terraform.PLAN, *terraform.SETTINGS)):
            plans[one.folder].append(one)
    for folder, its in plans.items():
        texts = [(one.path, text_of(one, instead)) for one in its[:_MOST_FILES]] if len(its) > 1 else []
        if any(shown.is_ours(text) for _, text in texts):
            for name, (value, path) in terraform.values_of(texts).items():
                yield f"{folder}{PLAN}", name, json.dumps(value), (path,)


Said = list[tuple[str, str, Any, str]]
"""(whose, name, value, file) of variables where they are set."""


def _said_of_hosts(
    those: list[Candidate], instead: Mapping[str, str], inventories_named: Collection[str]
) -> tuple[Said, tuple[tuple[str, inventories.Chain], ...]]:
    """The variables of hosts, groups and sites, and the hosts with the order in which these hold."""
    said: Said = []
    found: list[inventories.Inventory] = []
    files_of_hosts: list[str] = []
    nornir: dict[str, dict[str, tuple[str, Any]]] = defaultdict(dict)
    for one in [one for one in those if not _TRIED.fullmatch(one.path)][: _MOST_FILES * 10]:
        whose, prefixes = _whose_own(one.path)
        kind = inventories.is_nornir(one.name)
        is_named = one.path in inventories_named or _HOSTS.fullmatch(one.path) is not None
        may_be = one.name.endswith(_INI) or _ALSO_HOSTS.fullmatch(one.path) is not None
        if not whose and not kind and not is_named and not may_be:
            continue
        text = text_of(one, instead)
        if not whose and not one.name.endswith(YAML) and not (is_named and inventories.is_yaml(text)):
            if is_named or inventories.has_groups(text):
                found.append(inventories.of_ini(one.path, text))
            continue
        value = _document(text)
        if whose and isinstance(value, dict):
            said += [
                (whose, f"{prefix}{name}", inner, one.path) for name, inner in value.items() for prefix in prefixes
            ]
            files_of_hosts += [one.path] if inventories.whose_file(one.path) else []
        elif not whose:
            nornir[one.folder].update({kind: (one.path, value)} if kind else {})
            inventory = inventories.of_yaml(one.path, value)
            found += [inventory] if inventory is not None else []
    found += [of for by_name in nornir.values() if (of := inventories.of_nornir(by_name)) is not None]
    said += [(whose, name, value, of.path) for of in found for whose, name, value in inventories.said_by(of)]
    return said, tuple(inventories.hosts(found, files_of_hosts))


def _own(said: Said, those: list[Candidate], instead: Mapping[str, str]) -> tuple[Own, ...]:
    """The variables of which it is certain that nobody else sets them."""
    top = {name for _, name, _, _ in said}
    otherwise = _otherwise(those, {file for *_, file in said}, top, instead)
    rows: dict[tuple[str, str], Own] = {}
    for whose, name, value, file in said[:_MOST_VALUES]:
        written = json.dumps(value, default=str)
        if re.fullmatch(r"[\w.]{1,80}", name) and name not in otherwise and len(written) < _LONGEST_VALUE:
            rows[(whose, name)] = (whose, name, written, file)
    return tuple(rows.values())


def _hosts(said: Said, hosts: Iterable[tuple[str, inventories.Chain]]) -> list[playbooks.Host]:
    """The hosts with their groups and all of their variables."""
    by_whose: dict[str, list[tuple[str, Any, str]]] = defaultdict(list)
    for whose, name, value, file in said[:_MOST_VALUES]:
        by_whose[whose].append((name, value, file))
    found = []
    for host, chain in hosts:
        values: dict[str, Any] = {}
        givers: dict[str, str] = {}
        for name, value, file in (row for whose in (*chain, SITE) for row in by_whose.get(whose, ())):
            if name not in values:
                values[name], givers[name] = value, file
        found.append(playbooks.Host(host, tuple(groups_of(chain)), values, givers))
    return found


def _whose_own(path: str) -> tuple[str, tuple[str, ...]]:
    """(whose variables a file sets, what their names begin with)."""
    role = _ROLE_FILE.fullmatch(path)
    if role is not None:
        return f"{role[1]}#{role[2]}", ("",)
    if _PILLAR.fullmatch(path):
        return SITE, ("pillar.",)
    if _CONTEXT.fullmatch(path):
        return SITE, ("", "config_context.")
    return inventories.whose_file(path), ("",)


def _document(text: str) -> Any:
    try:
        found = documents(text, own_tags=True)
    except YamlError:
        return None
    return found[0].value if found else None


def _includes(those: list[Candidate], instead: Mapping[str, str], found: Variables) -> list[includes.Include]:
    """What files of tasks take in."""
    known = {one.path for one in those}
    roles = includes.roles_among(known)
    tasks = [one for one in those if one.name.endswith(YAML) and not _TRIED.fullmatch(one.path)][:_MOST_FILES]
    by_path = {one.path: one for one in those}

    @cache
    def set_in(path: str) -> Mapping[str, Any]:
        value = _document(text_of(by_path[path], instead))
        return {str(name): inner for name, inner in value.items()} if isinstance(value, dict) else {}

    return [
        include
        for one in tasks
        for include in includes.of_tasks(
            one.path, text_of(one, instead), known, roles, partial(found.listed, one.path), set_in
        )
    ]


def _given_to(included: list[includes.Include]) -> Iterator[Row]:
    """The variables that files of tasks and roles are taken in with; one that has two values has none that is certain."""
    uses: dict[str, list[includes.Include]] = defaultdict(list)
    for one in included:
        uses[one.file].append(one)
    for file, those in sorted(uses.items()):
        given, own = (
            [dict(flattened("", one.variables, 0)) for one in those if (one.by == file) is is_own]
            for is_own in (False, True)
        )
        for name in sorted({name for one in (*given, *own) for name in one}):
            values = {one[name] for one in own if name in one} or {one.get(name, "") for one in given}
            yield f"{file}{INCLUDED}", name, _one(values), tuple(sorted({one.by for one in those}))


def _of_repository(those: list[Candidate], instead: Mapping[str, str]) -> tuple[Row, ...]:
    givers = [(whose, one) for one in those if (whose := _whose(one.path)) is not None][:_MOST_FILES]
    charts = {one.folder for one in those if one.name == "Chart.yaml"}
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    told_by: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    of_groups: set[str] = set()
    lengths: dict[tuple[str, str], set[int]] = defaultdict(set)
    for whose, one in givers:
        if whose.endswith("#chart") and one.folder not in charts:
            continue
        found = list(_values(whose, text_of(one, instead), one))
        for of_list, count in _lists(found).items():
            lengths[(whose, of_list)].add(count)
        for name, value in found:
            if len(said) < _MOST_VALUES:
                said[(whose, name)].add(value)
                told_by[(whose, name)][one.path] = None
                if whose == "" and re.search(r"(?:^|/)(?:group_vars/all[/.]|inventor|hosts)", one.path) is None:
                    of_groups.add(name)
    if not said:
        return ()
    top = {name.partition(".")[0] for whose, name in said if not whose.endswith("#chart")}
    set_otherwise = _otherwise(those, {one.path for _, one in givers}, top, instead)
    rows = [(whose, name, _one(values)) for (whose, name), values in said.items()]
    weaker = {
        (name, value) for (whose, name), values in said.items() if whose.endswith("#defaults") for value in values
    }
    uneven: dict[str, set[str]] = defaultdict(set)
    """Whose lists there are of which two files give a different number of items."""
    for (whose, name), counts in lengths.items():
        uneven[whose].update({name} if len(counts) > 1 else ())
    differ = {name for name, value in weaker if name in of_groups and said[("", name)] != {value}}
    return tuple(
        sorted(
            (
                whose,
                name,
                ""
                if name.partition(".")[0] in set_otherwise or name in differ or _in_list(name) & uneven[whose]
                else value,
                tuple(told_by[(whose, name)]),
            )
            for whose, name, value in _through(rows)
        )
    )


def _lists(found: Iterable[tuple[str, str]]) -> dict[str, int]:
    """The lists among variables, each with how many items it has."""
    counts: dict[str, int] = {}
    for name, _ in found:
        for of_list in _in_list(name):
            counts[of_list] = max(counts.get(of_list, 0), int(name[len(of_list) + 1 :].partition(".")[0]) + 1)
    return counts


def _in_list(name: str) -> set[str]:
    """The lists in which a value of this dotted name stands."""
    steps = name.split(".")
    return {".".join(steps[:at]) for at, step in enumerate(steps) if step.isdigit() and at}


def _whose(path: str) -> str | None:
    if _PILLAR.fullmatch(path):
        return ""
    if not path.endswith(YAML) and "_vars/" not in path and "inventor" not in path and "hosts" not in path:
        return None
    if _TRIED.fullmatch(path):
        return None
    role = _ROLE_FILE.fullmatch(path)
    if role is not None:
        return f"{role[1]}#{role[2]}"
    chart = _VALUES.fullmatch(path)
    if chart is not None:
        return f"{chart[1]}#chart"
    if _SITE.fullmatch(path) or _INVENTORY.fullmatch(path):
        return ""
    return None


def _one(values: set[str]) -> str:
    return next(iter(values)) if len(values) == 1 else ""


def text_of(one: Candidate, instead: Mapping[str, str]) -> str:
    """What a file holds, or what is judged in its place; nothing of one that cannot be read."""
    given = instead.get(one.path)
    if given is not None:
        return given
    try:
        data = files.read(one, _MOST_BYTES)
    except OSError:
        return ""
    decoded = decode(data)
    return "" if decoded.refused or decoded.text.startswith("$ANSIBLE_VAULT") else decoded.text


def _values(whose: str, text: str, one: Candidate) -> Iterator[tuple[str, str]]:
    """(dotted name, value) of what a file sets."""
    if _INVENTORY.fullmatch(one.path) and not one.name.endswith(YAML):
        yield from _of_inventory(text)
        return
    try:
        found = documents(text, own_tags=True)
    except YamlError:
        return
    for document in found:
        if _INVENTORY.fullmatch(one.path):
            yield from _of_groups(document.value, 0)
        else:
            prefix = ".Values." if whose.endswith("#chart") else "pillar." if _PILLAR.fullmatch(one.path) else ""
            yield from flattened(prefix, document.value, 0)


def _of_inventory(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in text.split("\n"):
        begun = _SECTION.fullmatch(line.strip())
        if begun is not None:
            section = begun[1]
        elif section.endswith(":vars"):
            given = _ASSIGNED.fullmatch(line.strip())
            if given is not None:
                yield given[1], scalar(given[2].strip().strip("\"'"))
        elif "=" in line and not line.lstrip().startswith(("#", ";")):
            for name, value in re.findall(r"\s([A-Za-z_]\w{0,60})=(\S{1,200})", line):
                yield name, scalar(value.strip("\"'"))


def _of_groups(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Variables of groups and hosts in an inventory that is written as YAML."""
    if not isinstance(value, dict) or depth > _DEEPEST * 2:
        return
    for key, inner in value.items():
        if key == "vars":
            yield from flattened("", inner, 0)
        elif key == "hosts" and isinstance(inner, dict):
            for host in inner.values():
                yield from flattened("", host, 0)
        else:
            yield from _of_groups(inner, depth + 1)


def _otherwise(
    those: Iterable[Candidate], givers: set[str], names: set[str], instead: Mapping[str, str]
) -> frozenset[str]:
    """The names that tasks, plays and other files of variables set as well."""
    found: set[str] = set()
    if not names:
        return frozenset()
    others = (
        one for one in those if one.path not in givers and one.name.endswith(YAML) and not _TRIED.fullmatch(one.path)
    )
    for one in [*others][:_MOST_FILES]:
        found.update(name for name in _KEY.findall(text_of(one, instead)) if name in names)
    return frozenset(found)


def _through(rows: list[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """Values that name another variable, with its value."""
    by_whose: dict[str, dict[str, str]] = defaultdict(dict)
    for whose, name, value in rows:
        by_whose[whose][name] = value
    for whose, name, value in rows:
        known = ChainMap(by_whose[""], by_whose[whose])
        for _ in range(_DEEPEST):
            found = PLACEHOLDER.fullmatch(value)
            if found is None:
                break
            value = resolved(found, known, {}) or ""
        yield whose, name, value if "{{" not in value else ""
