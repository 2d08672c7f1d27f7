"""A playbook of Ansible as the shell script that its tasks run, line for line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text import plays
from roce_audit.text.jinja import values as jinjavalues
from roce_audit.text.jinja.conditions import decided
from roce_audit.text.jinja.ranges import counted
from roce_audit.text.structured.yamltext import YamlError, YamlText, documents

_Way = tuple[str | int, ...]
_LIKELY = lazy(r"(?m)^ {0,40}(?:- )?(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|raw|cmd):")
_MODULE = lazy(r"(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|raw)")
_LOOPS = ("loop", "with_items", "with_list", "with_flattened")
_FILLED = lazy(r"\{\{-?([^{}\n]{1,200})-?\}\}")
_QUOTED = lazy(r"'([^'\"$`\n{}]{0,200}\{\{[^'\"\n{}]{1,200}\}\}[^'\"$`\n]{0,200})'")
"""Ansible fills a value in before the shell sees the quotes around it."""
_NAME = lazy(
    r"([A-Za-z_]\w{0,60}(?:\.\w{1,60}|\[['\"]?\w{1,60}['\"]?\]){0,4})(?:\s{0,4}\|\s{0,4}(?:default|d)\(\s{0,4}['\"]?([\w,.-]{0,60})['\"]?\s{0,4}\))?"
)
_SUM = lazy(
    r"\(?\s{0,4}([A-Za-z_][\w.]{0,60}|[0-9]{1,6})(?:\s{0,4}\|\s{0,4}int)?\s{0,4}\)?\s{0,4}([-+*%]|//)"
    r"\s{0,4}\(?\s{0,4}([A-Za-z_][\w.]{0,60}|[0-9]{1,6})(?:\s{0,4}\|\s{0,4}int)?\s{0,4}\)?(?:\s{0,4}\|\s{0,4}int)?"
)
_PLAIN = lazy(r"[\w.,:/@%+=|-]{0,200}")
_MOST = 1_024
_DEPTH = 12


def as_script(text: str, concerns: Callable[[str], bool]) -> str:
    """The script, with as many lines as the text; "" for a text that is no playbook, or has no task that `concerns` somebody."""
    if _LIKELY.search(text) is None:
        return ""
    try:
        found = documents(text, own_tags=True)
    except YamlError:
        return ""
    script = _Script(text.count("\n") + 1, concerns)
    for document in found:
        script.tasks(document, document.value, (), "")
    return "\n".join(script.lines) if any(script.lines) else ""


class _Script:
    def __init__(self, count: int, concerns: Callable[[str], bool]) -> None:
        self.lines = [""] * count
        self._concerns = concerns

    def tasks(self, document: YamlText, value: Any, way: _Way, condition: str) -> None:
        """The tasks of a list, and those below them."""
        if not isinstance(value, list) or len(way) > _DEPTH:
            return
        for index, task in enumerate(value):
            if not isinstance(task, dict):
                continue
            if decided(task.get("when", True), {}) is False:
                continue
            own = (*way, index)
            self._variables(document, task.get("vars"), (*own, "vars"))
            is_perhaps = condition or ("when" if "when" in task else "")
            for key in plays.LISTS:
                self.tasks(document, task.get(key), (*own, key), is_perhaps)
            for key in task:
                if _MODULE.fullmatch(str(key)) is not None:
                    self._task(document, task, (*own, key), is_perhaps)

    def _variables(self, document: YamlText, given: Any, way: _Way) -> None:
        for name, value in given.items() if isinstance(given, dict) else ():
            said = _assignment(str(name), value)
            if said:
                self._put(document.nearest_line_of((*way, name)), f"{said};")

    def _task(self, document: YamlText, task: Mapping[str, Any], way: _Way, condition: str) -> None:
        value: Any = task[str(way[-1])]
        if isinstance(value, dict):
            key = next((key for key in ("cmd", "_raw_params", "argv") if key in value), None)
            if key is None:
                return
            value, way = value[key], (*way, key)
        if isinstance(value, list):
            value = " ".join(f"'{word}'" if " " in str(word) or "|" in str(word) else str(word) for word in value)
        if not isinstance(value, str) or not self._concerns(_shell(value)):
            return
        first = document.nearest_line_of(way)
        pieces = [_shell(piece) for piece in value.rstrip("\n").split("\n")]
        first += 1 if len(pieces) > 1 or value.endswith("\n") else 0
        before, after = _loop(task)
        if condition:
            before, after = f"{before} if $CONDITION; then".strip(), f"; fi{after}"
        for index, piece in enumerate(pieces):
            head = f"{before} " if before and index == 0 else ""
            tail = after if index == len(pieces) - 1 else ""
            self._put(first + index, f"{head}{piece}{tail}")

    def _put(self, number: int, text: str) -> None:
        if 0 < number <= len(self.lines):
            self.lines[number - 1] = f"{self.lines[number - 1]} {text}".strip()


def _loop(task: Mapping[str, Any]) -> tuple[str, str]:
    """What stands before and behind a command that runs once for each item."""
    listed = next((task[key] for key in _LOOPS if key in task), None)
    control = task.get("loop_control")
    name = str(control.get("loop_var", "item")) if isinstance(control, dict) else "item"
    if isinstance(listed, str) and jinjavalues.is_open(listed):
        return f"for {name} in {_listed(listed)}; do", "; done"
    times = plays.items(task, {})
    if times == [{}]:
        return ("", "")
    if times is None:
        return f"for {name} in $ELSEWHERE; do", "; done"
    flat = [one[name] for one in times]
    if not any(isinstance(one, dict | list) for one in flat):
        return f"for {name} in {' '.join(map(_quoted, flat))}; do", "; done"
    return _of_items(name, [_by_member(one) for one in flat])


def _by_member(one: Any) -> Any:
    """An item whose members are asked for by their number as well as by their name."""
    return {str(number): inner for number, inner in enumerate(one)} if isinstance(one, list) else one


def _of_items(name: str, items: Sequence[Any]) -> tuple[str, str]:
    """A loop whose items have members: each by its number, and the members as lists."""
    members = dict.fromkeys(key for one in items if isinstance(one, dict) for key in one)
    cases = []
    for number, one in enumerate(items):
        given = (
            " ".join(f"{name}_{key}={_quoted(one.get(key, ''))}" for key in members) if isinstance(one, dict) else ""
        )
        cases.append(f"{name}_set_{number}() {{ {given or ':'}; __run; }}")
    calls = "; ".join(f"{name}_set_{number}" for number in range(len(items)))
    return "__run() {", "; }; " + "; ".join(cases) + f"; {calls}"


def _listed(text: str) -> str:
    """The words of a loop that names what it goes through."""
    inside = _FILLED.fullmatch(text.strip())
    if inside is None:
        return _quoted(text)
    numbers = counted(inside[1])
    if numbers is not None:
        return " ".join(map(str, numbers[:_MOST]))
    named = _NAME.fullmatch(inside[1].strip())
    return f'"${{{_bare(named[1])}[@]}}"' if named is not None else "$ELSEWHERE"


def _assignment(name: str, value: Any) -> str:
    if isinstance(value, bool | None):
        return ""
    if isinstance(value, str | int | float):
        return f"{_bare(name)}={_quoted(value)}"
    if isinstance(value, list) and value and all(isinstance(one, str | int) for one in value):
        return f"{_bare(name)}=({' '.join(map(_quoted, value[:_MOST]))})"
    if isinstance(value, dict):
        return "; ".join(filter(None, (_assignment(f"{name}.{key}", one) for key, one in value.items())))
    return ""


def _quoted(value: Any) -> str:
    text = _shell(str(value))
    return (
        text
        if _PLAIN.fullmatch(text) is not None and "|" not in text and text
        else '"' + text.replace('"', '\\"') + '"'
    )


def _shell(text: str) -> str:
    """A text with the variables of the shell in the place of those of Jinja."""
    return _FILLED.sub(_variable, _QUOTED.sub(r'"\1"', text)) if "{{" in text else text


def _variable(found: re.Match[str]) -> str:
    inside = found[1].strip()
    summed = _SUM.fullmatch(inside)
    if summed is not None:
        return f"$(({_bare(summed[1])} {summed[2]} {_bare(summed[3])}))"
    named = _NAME.fullmatch(inside)
    if named is None:
        return "${ELSEWHERE}"
    return f"${{{_bare(named[1])}:-{named[2]}}}" if named[2] is not None else f"${{{_bare(named[1])}}}"


def _bare(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")
