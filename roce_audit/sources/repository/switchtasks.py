"""Tasks of Ansible that configure a switch (`nxos_config`, `eos_config` and their like): what they write, on the lines of the file.

A loop over ports makes one stanza of all of them. A value that is given elsewhere leaves its line out, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.jinjarange import counted
from roce_audit.text.memo import of_text
from roce_audit.text.yamltext import YamlError, documents

_TASK = lazy(r"^(?P<margin> {1,40})(?:- )?(?:[a-z_]\w{0,40}\.){0,2}[a-z]\w{0,30}_config:[ \t]*$", re.M)
_TASK_KEY = lazy(r"(?: *)(?P<key>lines|parents|commands|before|after|src)[ \t]*:[ \t]*(?P<value>.*)")
_LOOP = lazy(r"(?P<margin> {1,40})(?:- )?(?P<key>loop|with_items|with_list|with_sequence):(?P<value>.*)")
_OPEN = lazy(r"\{\{-?([^{}\n]{1,200})-?\}\}")
_ITEM = lazy(
    r"item((?:\.\w{1,60}|\[['\"]\w{1,60}['\"]\])?)(?:\s{0,4}\|\s{0,4}int)?(?:\s{0,4}([-+*])\s{0,4}([0-9]{1,6}))?"
    r"(?:\s{0,4}([-+])\s{0,4}([0-9]{1,6}))?"
)
_NAME = lazy(r"[A-Za-z_]\w{0,60}")
_MATTERS = lazy(
    r"(?i)priority|pfc|flow-?control|pause|qos|ecn|random-detect|wred|mtu|dscp|no-drop|watch-?dog|dcb|service-p|trust|class|queue|congestion"
)
_INTERFACE = "interface "
_MOST_PARENTS = 2
"""Statements above those of a task: there are two lines of the task before them to put them on."""
_MOST_ITEMS = 512
_ELSEWHERE = "a value in it is given elsewhere, and it is not judged: check what it renders"


@dataclass(frozen=True, slots=True)
class Configured:
    """The configuration that tasks write, on the lines of the file, and (line, words) on what is left out of it."""

    text: str
    left_out: tuple[tuple[int, str], ...]


def has_tasks(text: str) -> bool:
    """Whether there are tasks of that kind."""
    return "_config:" in text and _TASK.search(text) is not None


@of_text
def configured(text: str) -> Configured:
    """What the tasks of a file write."""
    lines = text.split("\n")
    tasks = _Tasks(lines, _variables(text))
    for number, line in enumerate(lines):
        task = _TASK.fullmatch(line)
        if task is not None:
            tasks.read(number, len(task["margin"]) + (2 if line.lstrip().startswith("- ") else 0))
    return Configured("\n".join(tasks.found), tuple(tasks.left_out))


class _Tasks:
    def __init__(self, lines: Sequence[str], variables: Mapping[str, Any]) -> None:
        self.found = [""] * len(lines)
        self.left_out: list[tuple[int, str]] = []
        self._lines, self._variables = lines, variables

    def read(self, first: int, margin: int) -> None:
        """Put the lines of one task below its parents: those stand where the task begins, since they may be named last."""
        said: dict[str, list[tuple[int, str]]] = {"lines": [], "parents": []}
        key, second = "", first
        for number in range(first + 1, len(self._lines)):
            line = self._lines[number]
            bare = line.strip()
            if bare and len(line) - len(line.lstrip()) <= margin:
                break
            named = _TASK_KEY.fullmatch(line)
            if named is not None:
                key = "lines" if named["key"] == "commands" else named["key"]
                second = number if key == "lines" else second
                if key in said:
                    said[key] += [(number, one) for one in _listed(named["value"].strip())]
            elif bare.startswith("- ") and key in said:
                said[key].append((number, bare[2:].strip().strip("\"'")))
        parents = [text for _, text in said["parents"]]
        every = [text for _, text in (*said["lines"], *said["parents"])]
        if len(parents) > _MOST_PARENTS or any(
            text.startswith(("[", "{", ">", "|")) and not text.startswith("{{") for text in every
        ):
            return
        if len(parents) > 1 and any(number <= second for number, _ in said["lines"]):
            return
        self._put(said["lines"], parents, first, second, self._items(first, margin))

    def _put(
        self, lines: list[tuple[int, str]], parents: list[str], first: int, second: int, items: list[Any] | None
    ) -> None:
        above = [_joined(text, items) for text in parents]
        if None in above:
            if any(_MATTERS.search(text) for _, text in lines) or any(_MATTERS.search(text) for text in parents):
                self.left_out.append((first + 1, _ELSEWHERE))
            return
        if above:
            self.found[first] = above[0] or ""
        if len(above) > 1:
            self.found[second] = f"  {above[1]}"
        for number, text in lines:
            plain = _same(text, items)
            if plain is not None:
                self.found[number] = f"{'  ' * len(above)}{plain}"
            elif _MATTERS.search(text) is not None:
                self.left_out.append((number + 1, _ELSEWHERE))

    def _items(self, first: int, margin: int) -> list[Any] | None:
        """What the task goes through; [] where it has no loop, None where that stands elsewhere."""
        for step in (1, -1):
            number = first + step
            while 0 <= number < len(self._lines):
                line = self._lines[number]
                indent = len(line) - len(line.lstrip())
                begins = line.lstrip().startswith("- ")
                own = indent + (2 if begins else 0)
                if line.strip() and own < margin:
                    break
                if step == 1 and begins and own == margin:
                    break
                loop = _LOOP.fullmatch(line) if own == margin else None
                if loop is not None:
                    return self._listed(number, margin, loop["value"].strip())
                if step == -1 and begins and own == margin:
                    break
                number += step
        return []

    def _listed(self, number: int, margin: int, value: str) -> list[Any] | None:
        block = [value]
        for line in self._lines[number + 1 :]:
            indent = len(line) - len(line.lstrip())
            if line.strip() and (indent < margin or (indent == margin and not line.lstrip().startswith("- "))):
                break
            block.append(line)
        try:
            parsed = documents(f"loop: {value}\n" + "\n".join(block[1:]), own_tags=True)
        except YamlError:
            return None
        given = parsed[0].value.get("loop") if parsed and isinstance(parsed[0].value, dict) else None
        if isinstance(given, str):
            given = self._computed(given)
        return given[:_MOST_ITEMS] if isinstance(given, list) else None

    def _computed(self, text: str) -> Any:
        inside = _OPEN.fullmatch(text.strip())
        if inside is None:
            return None
        numbers = counted(inside[1])
        if numbers is not None:
            return list(numbers[:_MOST_ITEMS])
        return self._variables.get(inside[1].strip()) if _NAME.fullmatch(inside[1].strip()) is not None else None


def _listed(given: str) -> list[str]:
    """The words behind a key: one, or a list within brackets."""
    if given.startswith("[") and given.endswith("]"):
        return [one.strip("\"' ") for one in given[1:-1].split(", ")]
    return [given.strip("\"' ")] if given else []


def _variables(text: str) -> dict[str, Any]:
    """What the plays of a file give to their tasks."""
    try:
        plays = [
            play
            for document in documents(text, own_tags=True)
            for play in (document.value if isinstance(document.value, list) else ())
        ]
    except YamlError:
        return {}
    found: dict[str, Any] = {}
    for play in plays:
        given = play.get("vars") if isinstance(play, dict) else None
        found |= given if isinstance(given, dict) else {}
    return found


def _filled(text: str, items: list[Any] | None) -> list[str] | None:
    """A text for each item; None where a value in it is not known."""
    if "{{" not in text:
        return [text]
    if not items:
        return None
    found = []
    for item in items:
        values = [_value(one[1].strip(), item) for one in _OPEN.finditer(text)]
        if None in values:
            return None
        given: Iterator[str | None] = iter(values)
        found.append(_OPEN.sub(lambda _, given=given: str(next(given)), text))  # type: ignore[misc]
    return found


def _value(expression: str, item: Any) -> str | None:
    found = _ITEM.fullmatch(expression)
    if found is None:
        return None
    key = found[1].strip(".[]'\"")
    value = item.get(key) if key and isinstance(item, dict) else item if not key else None
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    if found[2] is None:
        return str(value)
    if not str(value).isdigit():
        return None
    first = _sum(int(value), found[2], int(found[3]))
    return str(first if found[4] is None else _sum(first, found[4], int(found[5])))


def _sum(left: int, sign: str, right: int) -> int:
    return left + right if sign == "+" else left - right if sign == "-" else left * right


def _same(text: str, items: list[Any] | None) -> str | None:
    """A line that is the same for all items."""
    found = _filled(text, items)
    return found[0] if found is not None and len(set(found)) == 1 else None


def _joined(text: str, items: list[Any] | None) -> str | None:
    """A parent that is the same for all items, or the stanza of all the ports that they name."""
    found = _filled(text, items)
    if found is None:
        return None
    names = list(dict.fromkeys(found))
    if len(names) == 1:
        return names[0]
    if not all(name.lower().startswith(_INTERFACE) for name in names):
        return None
    ports = [name[len(_INTERFACE) :].strip() for name in names]
    return f"{_INTERFACE}{','.join(ports)}"
