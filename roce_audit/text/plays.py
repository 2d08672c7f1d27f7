"""Playbooks of Ansible as the runs of their modules: each task once for every item of its loops, with the values that the text gives.

Nothing is looked up outside of the text. A value that stands elsewhere (a registered answer, a fact, another file) stays as it is written,
with its `{{`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.jinjaconditions import decided
from roce_audit.text.jinjavalues import Open, fill, value_of
from roce_audit.text.positions import Path
from roce_audit.text.yamltext import YamlText

LISTS = ("tasks", "pre_tasks", "roles", "post_tasks", "handlers", "block", "rescue", "always")
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


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a module. `name` is without its collection, `arguments` with every value that is known, `way` where they stand;
    `hosts` is whom the play is for, `runs` how many runs the task has (0: its loop stands elsewhere)."""

    collection: str
    name: str
    arguments: Any
    way: Path
    document: YamlText
    hosts: str
    runs: int
    condition: str
    """What decides whether it runs, where that is not known here; "" where it always does."""
    variables: Mapping[str, Any]

    def line(self, *below: str | int) -> int:
        """The line of an argument, or of the innermost value on the way there that stands in the text."""
        return self.document.nearest_line_of((*self.way, *below))


def runs_of(found: Sequence[YamlText], given: Mapping[str, Any] | None = None) -> Iterator[Run]:
    """All runs of all documents of a text, in their order; `given` are variables from outside of it."""
    for document in found:
        walk = _Walk(document, dict(given or {}))
        yield from itertools.islice(walk.tasks(document.value, (), {}, "", ()), _MOST_RUNS)


def never_run(found: Sequence[YamlText]) -> Iterator[Run]:
    """The runs of tasks whose conditions do not hold with the values that are known, with the condition that fails."""
    for document in found:
        walk = _Walk(document, {}, wants_skipped=True)
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
    """One document; what `set_fact` sets holds for the tasks behind it."""

    def __init__(self, document: YamlText, given: dict[str, Any], *, wants_skipped: bool = False) -> None:
        self._document = document
        self._facts = given
        self._wants_skipped = wants_skipped

    def tasks(self, value: Any, way: Path, around: Mapping[str, Any], hosts: str, asked: Conditions) -> Iterator[Run]:
        """The runs of a list of plays, tasks or blocks."""
        if not isinstance(value, list) or len(way) > _DEPTH:
            return
        for index, task in enumerate(value):
            if not isinstance(task, dict):
                continue
            own = (*way, index)
            inner = task.get("vars")
            variables = {**around, **(inner if isinstance(inner, dict) else {})}
            whom = str(task["hosts"]) if "hosts" in task else hosts
            conditions = (*asked, task["when"]) if "when" in task else asked
            for key in LISTS:
                if isinstance(task.get(key), list):
                    yield from self.tasks(task[key], (*own, key), variables, whom, conditions)
            yield from self._task(task, own, variables, whom, conditions)

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
                unsettled = _unsettled(asked, known)
                if unsettled is None and not self._wants_skipped:
                    continue
                if name == _SET_FACT and isinstance(task[key], dict):
                    if times == [{}] and unsettled == "":
                        self._facts.update({str(one): fill(value, known) for one, value in task[key].items()})
                    continue
                if self._wants_skipped:
                    if unsettled is not None:
                        continue
                    unsettled = next(_worded(one) for one in asked if decided(one, known) is False)
                runs = 0 if times is None else len(times)
                arguments = fill(task[key], known)
                yield Run(collection, name, arguments, (*way, key), self._document, hosts, runs, unsettled or "", known)


def _unsettled(asked: Conditions, known: Mapping[str, Any]) -> str | None:
    """The first condition that is not decided, "" where all of them hold; None where one of them fails."""
    found = [(one, decided(one, known)) for one in asked]
    if any(holds is False for _, holds in found):
        return None
    return next((_worded(one) for one, holds in found if holds is None), "")


def _worded(condition: Any) -> str:
    words = " and ".join(map(str, condition)) if isinstance(condition, list) else str(condition)
    return " ".join(words.split())[:_LONGEST] or "a condition"
