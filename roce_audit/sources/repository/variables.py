"""Variables that a repository gives its templates, playbooks and charts, as far as one value is certain whoever is asked.

Ansible: `group_vars`, `host_vars`, variables of inventories, `defaults` and `vars` of roles. Helm: `values.yaml` of a chart. Shell: files
of settings that a script takes in. Nothing is run here: a variable that is set otherwise as well (by a task, a play, another group) has no
certain value.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources import files
from roce_audit.sources.files import Candidate
from roce_audit.sources.repository import includes, sourced
from roce_audit.text.decode import decode
from roce_audit.text.jinjavalues import fill
from roce_audit.text.yamltext import YamlError, documents

_YAML = (".yml", ".yaml")
_SITE = lazy(r"(?:^|.*/)(?:group_vars|host_vars)/[^/]+(?:/[^/]+)?")
_ROLE = lazy(r"((?:.*/)?roles/[^/]+)/(?:.*/)?")
_ROLE_FILE = lazy(r"((?:.*/)?roles/[^/]+)/(defaults|vars)/(?:main/)?[^/]+")
_VALUES = lazy(r"((?:.*/)?)values[\w.-]{0,60}\.ya?ml")
_INVENTORY = lazy(r"(?:.*/)?(?:hosts|inventory)(?:\.ini|\.cfg)?|(?:.*/)?inventor(?:y|ies)/[\w.-]+")
_TRIED = lazy(r"(?:.*/)?(?:molecule|tests?|spec)/.*")
"""Files that try a role out set what no host runs with."""
_SECTION = lazy(r"\[([^\]\n]{1,100})\]\s*")
_ASSIGNED = lazy(r"([A-Za-z_]\w{0,60})\s{0,8}=\s{0,8}([^#\n]{1,300})")
_KEY = lazy(r"^\s{0,60}(?:- )?([A-Za-z_]\w{0,60})\s{0,4}[:=]", re.M)
_PLACEHOLDER = lazy(
    r"\{\{-?\s{0,8}(?P<name>\.?[A-Za-z_]\w{0,60}(?:\.\w{1,60}|\[['\"]?\w{1,60}['\"]?\]){0,8})"
    r"(?P<filters>(?:\s{0,8}\|\s{0,8}\w{1,20}(?:\([^(){}\n]{0,80}\)|\s{1,4}\"[^\"{}\n]{0,80}\"|\s{1,4}[\w.-]{1,40})?){0,4})\s{0,8}-?\}\}"
)
_FILTER = lazy(r"\|\s{0,8}(\w{1,20})\s{0,4}(?:\(([^(){}\n]{0,80})\)|(\"[^\"{}\n]{0,80}\"|[\w.-]{1,40}))?")
_AS_IT_IS = frozenset({"int", "string", "trim", "quote", "squote", "toString", "mandatory", "lower"})
_DEFAULTS = frozenset({"default", "d"})
_EXPRESSION = lazy(r"\{\{-?[^{}\n]{1,300}-?\}\}")
_COMPUTED = lazy(r"[-+*~%/]\s|\|\s{0,8}(?:join|first|last|replace|upper|lower|int)\b")
"""An expression that makes something of its variables; a name alone is filled in elsewhere."""
_LOOP = lazy(r"\{%-?\s{0,8}for\s{1,8}(\w{1,40})\s{1,8}in\s{1,8}([A-Za-z_][\w.]{0,80})\s")
_LOOPS = lazy(r"^ {0,40}(?:- )?(?:loop|with_\w{1,40}):", re.M)
_LOOP_VAR = lazy(r"\b(?:loop|index)_var:\s{1,8}[\"']?(\w{1,60})")
_LISTED = lazy(
    r"^(?P<key> {0,40}(?:- )?(?:loop|with_items|with_list|with_flattened):[ \t]{1,8})"
    r"(?P<quote>[\"']?)\{\{-?[ \t]{0,8}(?P<name>[A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})[ \t]{0,8}-?\}\}(?P=quote)[ \t]*$",
    re.M,
)
"""A loop of a playbook over a list that a variable holds."""
_BRACKET = lazy(r"\[['\"]?(\w{1,60})['\"]?\]")
_PLAIN = lazy(r"[\w.,:/@%+ -]{1,300}")
_MOST_FILES = 2_000
_MOST_BYTES = 1_000_000
_MOST_VALUES = 20_000
_DEEPEST = 6
_MOST_ITEMS = 64
_INCLUDED = "#included"

Row = tuple[str, str, str, tuple[str, ...]]


@dataclass(frozen=True)
class Variables:
    """`rows`: (whose, name, value, files that set it); a value that is not certain is empty. Whose: nobody's own, or a folder with its
    kind behind `#`, a file of settings that a script takes in (`#sourced`), or a file of tasks that others take in (`#included`)."""

    rows: tuple[Row, ...] = ()
    parts: tuple[includes.Part, ...] = ()

    def settled(self, path: str, text: str) -> tuple[str, tuple[str, ...]]:
        """A text with the certain values of its placeholders, and the files that give them.

        The first of a list stands for all that a loop goes through.
        """
        taken_in: tuple[str, ...] = ()
        if self._sourced and path.endswith(sourced.SCRIPTS):
            text, taken_in = sourced.filled(path, text, self._sourced)
        if "{{" not in text:
            return text, taken_in
        whose = self._strongest_first(path)
        values = ChainMap(*[self._values.get(one, {}) for one in whose])
        givers = ChainMap(*[self._givers.get(one, {}) for one in whose])
        loops = dict(_LOOP.findall(text)) if "{%" in text else {}
        given = dict.fromkeys(taken_in)

        def listed(found: re.Match[str]) -> str:
            below = f"{found['name']}."
            rows = {name[len(below) :]: value for name, value in values.items() if name.startswith(below)}
            whole = _whole_list(rows)
            if whole is None:
                return found[0]
            given.update(dict.fromkeys(one for name in rows for one in givers.get(f"{below}{name}", ())))
            return f"{found['key']}{json.dumps(whole)}"

        if path.endswith(_YAML):
            text = _LISTED.sub(listed, text)

        turns = {"item", *_LOOP_VAR.findall(text)} if path.endswith(_YAML) else set()
        if _LOOPS.search(text) is None:  # the loop stands in the tasks that take this file in
            turns -= {name.partition(".")[0] for name in self._values.get(f"{path}{_INCLUDED}", {})}
        elsewhere = {name for name, what in loops.items() if not any(one.startswith(f"{what}.") for one in values)}

        def value(found: re.Match[str]) -> str:
            if found["name"].partition(".")[0].partition("[")[0] in turns | elsewhere:
                return found[0]  # each turn of a loop has its own, and a default is not all of theirs
            told = _resolved(found, values, loops)
            if told is not None:
                given.update(dict.fromkeys(givers.get(_named(found, loops), ())))
            return found[0] if told is None else told

        text = _PLACEHOLDER.sub(value, text)
        if "{{" in text:
            certain = _Certain(values, {*loops, *loops.values(), *turns})
            text = _EXPRESSION.sub(lambda found: _worked_out(found[0], certain), text)
            given.update(dict.fromkeys(one for name in certain.used for one in givers.get(name, ())))
        return text, tuple(given)

    def _strongest_first(self, path: str) -> list[str]:
        """Whose variables hold for a file."""
        role = _ROLE.match(path)
        taken_in = [f"{path}{_INCLUDED}"] if f"{path}{_INCLUDED}" in self._values else []
        charts = [one for one in self._values if one.endswith("#chart") and path.startswith(one[: -len("#chart")])]
        whose = [max(charts, key=len)] if charts else []
        whose = [*taken_in, *whose]
        if role is None:
            return [*whose, ""]
        return [*whose, f"{role[1]}{_INCLUDED}", f"{role[1]}#vars", "", f"{role[1]}#defaults"]

    def listed(self, path: str, name: str) -> list[Any] | None:
        """A list that a variable holds for a file; None where it is not certain."""
        values = ChainMap(*[self._values.get(one, {}) for one in self._strongest_first(path)])
        below = f"{name}."
        return _whole_list({one[len(below) :]: value for one, value in values.items() if one.startswith(below)})

    @cached_property
    def digest(self) -> str:
        """What tells these variables from others: each reading of the repository depends on them."""
        return hashlib.sha256(repr((self.rows, self.parts)).encode("utf-8", "surrogateescape")).hexdigest()

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


class _Certain(Mapping[str, Any]):
    """Variables of which all is certain, by their names; what a loop goes through has none."""

    def __init__(self, values: Mapping[str, str], without: set[str]) -> None:
        self._rows: dict[str, dict[str, str]] = defaultdict(dict)
        for one, value in values.items():
            name, _, rest = one.partition(".")
            self._rows[name][rest] = value
        self._without = without
        self.used: dict[str, None] = {}

    def __getitem__(self, name: str) -> Any:
        rows = self._rows.get(name, {})
        rows = {"": rows[""]} if "" in rows else rows
        lost = [one for one, value in rows.items() if not value or "{{" in value]
        if name in self._without or any(one == "" or any(map(str.isdigit, one.split("."))) for one in lost):
            raise KeyError(name)  # what is left of a list would be another list
        rows = {one: value for one, value in rows.items() if one not in lost}
        if not rows:
            raise KeyError(name)
        self.used.update(dict.fromkeys(f"{name}.{one}".rstrip(".") for one in rows))
        return _tree(rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        try:
            return self[str(name)] is not None
        except KeyError:
            return False


def _worked_out(expression: str, certain: _Certain) -> str:
    """What an expression of certain values comes to; as it is written where that is not known, or no word or number."""
    if _COMPUTED.search(expression) is None:
        return expression
    value = fill(expression, certain)
    is_plain = isinstance(value, str | int) and not isinstance(value, bool) and _PLAIN.fullmatch(str(value))
    return str(value) if is_plain else expression


def _whole_list(rows: Mapping[str, str]) -> list[Any] | None:
    """A list by the dotted names of its values; None where one of them is not certain, or where it may have more."""
    if not all(rows.values()) or len({name.partition(".")[0] for name in rows}) >= _MOST_ITEMS:
        return None
    tree = _tree(rows)
    return tree if isinstance(tree, list) and tree else None


def _tree(rows: Mapping[str, str]) -> Any:
    if set(rows) == {""}:
        plain = rows[""]
        return int(plain) if plain.isdigit() and not plain.startswith("0") else plain
    inside: dict[str, dict[str, str]] = defaultdict(dict)
    for name, value in rows.items():
        first, _, rest = name.partition(".")
        inside[first][rest] = value
    if set(inside) == {str(number) for number in range(len(inside))}:
        return [_tree(inside[str(number)]) for number in range(len(inside))]
    return {key: _tree(one) for key, one in inside.items()}


def _named(found: re.Match[str], loops: Mapping[str, str]) -> str:
    """The variable that a placeholder names."""
    name = _BRACKET.sub(r".\1", found["name"])
    first, dot, rest = name.partition(".")
    return f"{loops[first]}.0{dot}{rest}" if first in loops else name


def _resolved(found: re.Match[str], known: Mapping[str, str], loops: Mapping[str, str]) -> str | None:
    name = _named(found, loops)
    value: str | None = known.get(name)
    is_set = name in known
    for word, bracketed, given in _FILTER.findall(found["filters"]):
        if word in _DEFAULTS:
            plain = (bracketed.partition(",")[0] or given).strip()
            if (
                not is_set
                and re.fullmatch(r"[\"']?[\w.,:/-]{1,100}[\"']?", plain)
                and not re.fullmatch(r"[A-Za-z_][\w.]*", plain)
            ):
                value, is_set = plain.strip("\"'"), True
        elif word not in _AS_IT_IS:
            return None
    if not value:
        return None
    return f'"{value}"' if re.search(r"\|\s*quote\b", found["filters"]) else value


def of_repository(candidates: Iterable[Candidate], instead: Mapping[str, str]) -> Variables:
    """What the files of a repository say; files that cannot be read say nothing."""
    those = [one for one in candidates if one.path != files.STDIN]
    of_scripts = sourced.of_scripts(those, lambda one: text_of(one, instead))
    taken_in = [(f"{path}#sourced", name, value, (path,)) for path, name, value in of_scripts]
    found = Variables((*_of_repository(those, instead), *sorted(taken_in)))
    included = _includes(those, instead, found)
    if not included:
        return found
    return Variables((*found.rows, *_given_to(included)), tuple(includes.parts(included)))


def _includes(those: list[Candidate], instead: Mapping[str, str], found: Variables) -> list[includes.Include]:
    """What files of tasks take in."""
    known = {one.path for one in those}
    roles = includes.roles_among(known)
    tasks = [one for one in those if one.name.endswith(_YAML) and not _TRIED.fullmatch(one.path)][:_MOST_FILES]
    return [
        include
        for one in tasks
        for include in includes.of_tasks(one.path, text_of(one, instead), known, roles, partial(found.listed, one.path))
    ]


def _given_to(included: list[includes.Include]) -> Iterator[Row]:
    """The variables that files of tasks and roles are taken in with; one that has two values has none that is certain."""
    uses: dict[str, list[includes.Include]] = defaultdict(list)
    for one in included:
        uses[one.file].append(one)
    for file, those in sorted(uses.items()):
        given = [dict(_flat("", one.variables, 0)) for one in those]
        for name in sorted({name for one in given for name in one}):
            values = {one.get(name, "") for one in given}
            yield f"{file}{_INCLUDED}", name, _one(values), tuple(sorted({one.by for one in those}))


def _of_repository(those: list[Candidate], instead: Mapping[str, str]) -> tuple[Row, ...]:
    givers = [(whose, one) for one in those if (whose := _whose(one.path)) is not None][:_MOST_FILES]
    charts = {one.folder for one in those if one.name == "Chart.yaml"}
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    told_by: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    of_groups: set[str] = set()
    for whose, one in givers:
        if whose.endswith("#chart") and one.folder not in charts:
            continue
        for name, value in _values(whose, text_of(one, instead), one):
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
    differ = {name for name, value in weaker if name in of_groups and said[("", name)] != {value}}
    return tuple(
        sorted(
            (
                whose,
                name,
                "" if name.partition(".")[0] in set_otherwise or name in differ else value,
                tuple(told_by[(whose, name)]),
            )
            for whose, name, value in _through(rows)
        )
    )


def _whose(path: str) -> str | None:
    if not path.endswith(_YAML) and "_vars/" not in path and "inventor" not in path and "hosts" not in path:
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
    if _INVENTORY.fullmatch(one.path) and not one.name.endswith(_YAML):
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
            yield from _flat(".Values." if whose.endswith("#chart") else "", document.value, 0)


def _flat(before: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str) and re.fullmatch(r"\w{1,60}", key):
                name = f"{before}{key}"
                yield from (
                    _flat(f"{name}.", inner, depth + 1) if isinstance(inner, dict | list) else [(name, _scalar(inner))]
                )
    elif isinstance(value, list):
        for index, inner in enumerate(value[:_MOST_ITEMS]):
            name = f"{before}{index}"
            yield from (
                _flat(f"{name}.", inner, depth + 1) if isinstance(inner, dict | list) else [(name, _scalar(inner))]
            )


def _scalar(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    plain = str(value)
    return plain if _PLAIN.fullmatch(plain) or _PLACEHOLDER.fullmatch(plain) else ""


def _of_inventory(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in text.split("\n"):
        begun = _SECTION.fullmatch(line.strip())
        if begun is not None:
            section = begun[1]
        elif section.endswith(":vars"):
            given = _ASSIGNED.fullmatch(line.strip())
            if given is not None:
                yield given[1], _scalar(given[2].strip().strip("\"'"))
        elif "=" in line and not line.lstrip().startswith(("#", ";")):
            for name, value in re.findall(r"\s([A-Za-z_]\w{0,60})=(\S{1,200})", line):
                yield name, _scalar(value.strip("\"'"))


def _of_groups(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Variables of groups and hosts in an inventory that is written as YAML."""
    if not isinstance(value, dict) or depth > _DEEPEST * 2:
        return
    for key, inner in value.items():
        if key == "vars":
            yield from _flat("", inner, 0)
        elif key == "hosts" and isinstance(inner, dict):
            for host in inner.values():
                yield from _flat("", host, 0)
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
        one for one in those if one.path not in givers and one.name.endswith(_YAML) and not _TRIED.fullmatch(one.path)
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
            found = _PLACEHOLDER.fullmatch(value)
            if found is None:
                break
            value = _resolved(found, known, {}) or ""
        yield whose, name, value if "{{" not in value else ""
