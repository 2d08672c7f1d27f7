"""Playbooks of Ansible as the runs of their modules: each task once for every item of its loops, with the values that the text gives.

Nothing is looked up outside of the text, but by a `Site` that knows the other files. A value that stands elsewhere (a registered answer, a
fact) stays as it is written, with its `{{`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, Protocol

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.jinja.conditions import decided
from roce_audit.text.jinja.filters import with_members
from roce_audit.text.jinja.values import Open, fill, is_open, value_of
from roce_audit.text.structured.positions import Path
from roce_audit.text.structured.yamltext import YamlText

LISTS = ("pre_tasks", "roles", "tasks", "post_tasks", "handlers", "block", "rescue", "always")
"""The keys of a play or block that hold tasks, in the order in which they run."""
_AS_IT_IS = ("loop", "with_list")
_FLAT = ("with_items", "with_flattened")
_SEQUENCE = lazy(r"(start|end|count|stride|format)=([^\s]{1,60})")
_MODULE = lazy(r"(?:(?P<collection>[a-z_]\w{0,40}\.[a-z_]\w{0,40})\.)?(?P<name>[a-z]\w{0,60})")
_WORDS = frozenset(
    {
        *LISTS, "action", "any_errors_fatal", "args", "async", "become", "become_method", "become_user", "changed_when", "check_mode",
        "collections", "connection", "debugger", "delay", "delegate_facts", "delegate_to", "diff", "environment", "failed_when",
        "gather_facts", "hosts", "ignore_errors", "ignore_unreachable", "listen", "local_action", "loop", "loop_control", "module_defaults",
        "name", "no_log", "notify", "poll", "port", "register", "remote_user", "retries", "run_once", "serial", "strategy", "tags",
        "throttle", "timeout", "until", "vars", "vars_files", "vars_prompt", "when",
    }
)  # fmt: skip
"""Keys of a task or play that are no module."""
_ITEM = lazy(r"\n {0,40}+- ")
_SET_FACT = "set_fact"
_TAKES_IN = lazy(r"(?:include|import)_(?:tasks|role|playbook)|include")
_DEPTH = 12
_MOST = 1_024
_MOST_RUNS = 20_000
_LONGEST = 80
"""Characters of a condition that are told."""

Conditions = tuple[Any, ...]
"""What `when` says of a task and of the blocks around it."""


def may_hold_items(text: str) -> bool:
    """Whether a list of YAML may stand in a text: a quick look that spares other files the search for tasks."""
    return text.startswith("- ") or _ITEM.search(text) is not None


@dataclass(frozen=True)
class Run:
    """One run of a module. `name` is without its collection, `given` what stands behind it, `way` where that stands;
    `hosts` is whom the play is for, `runs` how many runs the task has (0: its loop stands elsewhere)."""

    collection: str
    name: str
    given: Any
    way: Path
    document: YamlText
    hosts: str
    runs: int
    condition: str
    """What decides whether it runs, where that is not known here; "" where it always does."""
    is_skipped: bool
    """Whether it never runs, as its condition fails."""
    variables: Mapping[str, Any]
    path: str
    """The file, where a `Site` was asked."""

    @cached_property
    def arguments(self) -> Any:
        """What is given, with every value that is known. Most runs are of modules of which nobody asks."""
        return fill(self.given, self.variables)

    def line(self, *below: str | int) -> int:
        """The line of an argument, or of the innermost value on the way there that stands in the text."""
        return self.document.nearest_line_of((*self.way, *below))


@dataclass(frozen=True, slots=True)
class Taken:
    """A list of tasks that stands in another file, with the variables that hold in it beside those around."""

    path: str
    document: YamlText
    variables: Mapping[str, Any]
    are_handlers: bool = False


class Site(Protocol):
    """What a playbook asks of the files around it, for one host."""

    def plays_for(self, hosts: str) -> bool:
        """Whether a play for these hosts is for the host."""

    def taken_in(self, path: str, key: str, value: Any, variables: Mapping[str, Any]) -> Iterator[Taken]:
        """What a task of a file takes in (`include_tasks: port.yml`), and a role, in the order in which they run."""

    def variables_of(self, path: str, task: Mapping[Any, Any]) -> Mapping[str, Any]:
        """The variables that a play or a task of a file takes from others."""


class HeldBack(str):
    """Why a task does not run, whatever its condition says."""

    __slots__ = ()


def runs_of(
    found: Sequence[YamlText], given: Mapping[str, Any] | None = None, site: Site | None = None, path: str = ""
) -> Iterator[Run]:
    """All runs of all documents of a text, in their order, and those that are skipped; `given` are variables from outside of it."""
    for document in found:
        walk = _Walk(document, dict(given or {}), site=site, path=path)
        yield from itertools.islice(walk.tasks(document.value, (), {}, "", ()), _MOST_RUNS)


def items(task: Mapping[Any, Any], variables: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """What a task's loop sets, time by time: one time nothing where it has no loop; None where that stands elsewhere, or is too much."""
    key = next((str(key) for key in task if key == "loop" or str(key).startswith("with_")), "")
    if not key:
        return [{}]
    control = task.get("loop_control")
    control = control if isinstance(control, dict) else {}
    name, index = str(control.get("loop_var", "item")), control.get("index_var")
    try:
        listed = _listed(key, task[key], variables)
    except Open:
        return None
    if len(listed) > _MOST:
        return None
    return [{name: one, **({str(index): number} if index else {})} for number, one in enumerate(listed)]


def _listed(key: str, written: Any, variables: Mapping[str, Any]) -> list[Any]:
    """The items of a loop. Raises Open where they stand elsewhere."""
    if key == "with_sequence":
        return _sequence(str(fill(written, variables)))
    given = value_of(written, variables)
    if key == "with_dict":
        if not isinstance(given, dict):
            raise Open
        return [{"key": name, "value": value} for name, value in given.items()]
    if not isinstance(given, list):
        if key in _FLAT and isinstance(given, str | int):
            return [given]
        raise Open
    if key in _AS_IT_IS:
        return given
    if key in _FLAT:
        return [inner for one in given for inner in _inside(value_of(one, variables))]
    if key == "with_subelements":
        first, name, *rest = [value_of(one, variables) for one in given]
        return with_members(first, name, any(isinstance(one, dict) and one.get("skip_missing") for one in rest))
    if key == "with_indexed_items":
        return [list(pair) for pair in enumerate(given)]
    if key in ("with_nested", "with_cartesian", "with_together"):
        lists = [_inside(value_of(one, variables)) for one in given]
        joined = zip(*lists, strict=False) if key == "with_together" else itertools.product(*lists)
        return [list(one) for one in itertools.islice(joined, _MOST + 1)]
    raise Open


def _inside(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _sequence(text: str) -> list[str]:
    said = dict(_SEQUENCE.findall(text))
    try:
        first, step = int(said.get("start", "1")), int(said.get("stride", "1")) or 1
        last = int(said["end"]) if "end" in said else first + (int(said["count"]) - 1) * step
        form = said.get("format", "%d")
        if re.fullmatch(r"[^%]{0,40}%0?\d{0,2}d[^%]{0,40}", form) is None:
            raise Open
        return [form % number for number in range(first, last + (1 if step > 0 else -1), step)[: _MOST + 1]]
    except (KeyError, ValueError):
        raise Open from None


class _Walk:
    """One document; what `set_fact` sets holds for the tasks behind it, also those of other files."""

    def __init__(
        self,
        document: YamlText,
        given: dict[str, Any],
        *,
        site: Site | None = None,
        path: str = "",
    ) -> None:
        self._document = document
        self._facts = given
        self._site = site
        self._path = path
        self._inside = 0
        self._notified: set[str] = set()
        self._handlers: list[tuple[Taken, Mapping[str, Any]]] = []

    def tasks(self, value: Any, way: Path, around: Mapping[str, Any], hosts: str, asked: Conditions) -> Iterator[Run]:
        """The runs of a list of plays, tasks or blocks."""
        if not isinstance(value, list) or len(way) > _DEPTH:
            return
        for index, task in enumerate(value):
            if not isinstance(task, dict):
                continue
            own = (*way, index)
            whom = str(task["hosts"]) if "hosts" in task else hosts
            if self._site is not None and "hosts" in task and not self._site.plays_for(whom):
                continue
            inner = task.get("vars")
            variables = {**around, **(inner if isinstance(inner, dict) else {}), **self._from_files(task)}
            conditions = (*asked, *self._held_back(task), *([task["when"]] if "when" in task else ()))
            for key in LISTS:
                if isinstance(task.get(key), list) and (key != "rescue" or self._site is None):
                    yield from self._list(task[key], (*own, key), variables, whom, conditions)
            yield from self._late_handlers(task, whom)
            yield from self._task(task, own, variables, whom, conditions)

    def _list(
        self, value: list[Any], way: Path, around: Mapping[str, Any], hosts: str, asked: Conditions
    ) -> Iterator[Run]:
        """The runs of one list of a play or block: tasks, or roles with what they take in."""
        if self._site is not None and way[-1] == "handlers":
            value = [one if self._is_notified(one) else None for one in value]
        elif self._site is not None and way[-1] == "roles":
            for role in value:
                given = role if isinstance(role, dict) else {}
                held = (*asked, *self._held_back(given), *([given["when"]] if "when" in given else ()))
                yield from self._within("roles", role, around, hosts, held)
            return
        yield from self.tasks(value, way, around, hosts, asked)

    def _within(self, key: str, value: Any, around: Mapping[str, Any], hosts: str, asked: Conditions) -> Iterator[Run]:
        """The runs of the tasks that stand in another file."""
        if self._site is None or self._inside >= _DEPTH:
            return
        for taken in self._site.taken_in(self._path, key, value, {**self._facts, **around}):
            variables = {**around, **taken.variables}
            if taken.are_handlers:
                self._handlers.append((taken, variables))
            else:
                yield from self._of_file(taken).tasks(taken.document.value, (), variables, hosts, asked)

    def _of_file(self, taken: Taken) -> _Walk:
        inner = copy(self)
        inner._document, inner._path, inner._inside = taken.document, taken.path, self._inside + 1
        return inner

    def _late_handlers(self, play: Mapping[Any, Any], hosts: str) -> Iterator[Run]:
        """The handlers of roles run at the end of the play."""
        if "hosts" not in play:
            return
        for taken, variables in self._handlers:
            value = taken.document.value
            those = [one if self._is_notified(one) else None for one in value] if isinstance(value, list) else ()
            yield from self._of_file(taken).tasks(list(those), (), variables, hosts, ())
        self._handlers.clear()
        self._notified.clear()

    def _is_notified(self, handler: Any) -> bool:
        listens = handler.get("listen", ()) if isinstance(handler, dict) else ()
        names = {str(one) for one in (listens if isinstance(listens, list) else [listens])}
        names.add(str(handler.get("name", "")) if isinstance(handler, dict) else "")
        return not names.isdisjoint(self._notified) or any(is_open(one) for one in self._notified)

    def _notify(self, task: Mapping[Any, Any], known: Mapping[str, Any]) -> None:
        named = fill(task.get("notify"), known)
        for one in named if isinstance(named, list) else [named]:
            self._notified.update((str(one), str(one).rpartition(" : ")[2]) if one else ())

    def _held_back(self, task: Mapping[Any, Any]) -> Conditions:
        tags = task.get("tags", ()) if self._site is not None else ()
        if "never" in (tags.replace(",", " ").split() if isinstance(tags, str) else tags or ()):
            return (HeldBack("runs only when its tag is asked for, and is not judged"),)
        is_check = self._site is not None and task.get("check_mode") is True
        return (HeldBack("only checks what it would write (check_mode), and is not judged"),) if is_check else ()

    def _from_files(self, task: Mapping[Any, Any]) -> Mapping[str, Any]:
        """Variables that a play takes from files; a task sets them for those behind it."""
        found = self._site.variables_of(self._path, task) if self._site is not None else {}
        if "vars_files" in task:
            return found
        self._facts.update(found if "when" not in task else {})
        return {}

    def _task(
        self, task: Mapping[Any, Any], way: Path, around: Mapping[str, Any], hosts: str, asked: Conditions
    ) -> Iterator[Run]:
        modules = [
            (str(key), found)
            for key in task
            if key not in _WORDS and not str(key).startswith("with_") and (found := _MODULE.fullmatch(str(key)))
        ]
        if not modules:
            return
        variables = {**self._facts, **around}
        times = items(task, variables)
        for key, module in modules:
            name, collection = module["name"], module["collection"] or ""
            for item in [{}] if times is None else times:
                known = {**variables, **item}
                if self._site is not None and _TAKES_IN.fullmatch(name) is not None:
                    given = {one: fill(value, known) for one, value in around.items() if one in task.get("vars", ())}
                    yield from self._within(name, fill(task[key], known), {**around, **given, **item}, hosts, asked)
                    continue
                unsettled, holds = _unsettled(asked, known)
                if name == _SET_FACT and isinstance(task[key], dict):
                    if times == [{}] and holds:
                        self._facts.update({str(one): fill(value, known) for one, value in task[key].items()})
                    continue
                if holds is not False:
                    self._notify(task, known)
                runs = 0 if times is None else len(times)
                yield Run(
                    collection,
                    name,
                    task[key],
                    (*way, key),
                    self._document,
                    hosts,
                    runs,
                    unsettled,
                    holds is False,
                    known,
                    self._path,
                )


def _holds(condition: Any, known: Mapping[str, Any]) -> bool | None:
    return False if isinstance(condition, HeldBack) else decided(condition, known)


def _unsettled(asked: Conditions, known: Mapping[str, Any]) -> tuple[str, bool | None]:
    """The first condition that fails, or that is not decided, "" where all of them hold; and whether they hold."""
    found = [(one, _holds(one, known)) for one in asked]
    for wanted in (False, None):
        first = next((_worded(one) for one, holds in found if holds is wanted), None)
        if first is not None:
            return first, wanted
    return "", True


def _worded(condition: Any) -> str:
    if isinstance(condition, HeldBack):
        return condition
    words = " and ".join(map(str, condition)) if isinstance(condition, list) else str(condition)
    return " ".join(words.split())[:_LONGEST] or "a condition"
