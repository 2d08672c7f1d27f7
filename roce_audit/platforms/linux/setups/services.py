"""Playbooks that write a unit which sets NICs up, and leave it switched off: what it sets is gone at the next boot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.linux.setups.files import CALLS
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import QUOTE, noticed
from roce_audit.text.structured.yamltext import YamlText

Way = tuple[str | int, ...]
_MODULE = re.compile(r"(?:ansible\.(?:builtin|legacy)\.)?(systemd|systemd_service|service|copy)")
_UNIT = re.compile(r"/(?:etc|usr/lib|lib)/systemd/system/([\w.@-]{1,80})\.service")
_CALLED = re.compile(CALLS)
_STARTS = re.compile(
    r"^[ \t]{0,20}Exec\w{1,20}=[-@:+!]{0,3}(?:(?:/usr)?/bin/(?:ba)?sh[ \t]{1,9})?(/[\w./-]{1,200})", re.MULTILINE
)
_INSTALLED = re.compile(r"^[ \t]{0,20}(?:WantedBy|RequiredBy)=", re.MULTILINE)
_OFF = {"enabled": (False, "no", "false"), "masked": (True, "yes", "true")}
_DEPTH = 20


def tell_disabled(answer: Answer, document: YamlText) -> None:
    """Say where a task switches off the unit by which the same playbook sets NICs up at boot."""
    written: dict[str, str] = {}
    switched: list[tuple[Way, str, Mapping[str, Any]]] = []
    for way, module, given in _tasks(document.value, ()):
        if module == "copy":
            path, text = given.get("dest") or given.get("path"), given.get("content")
            if isinstance(path, str) and isinstance(text, str):
                written[path] = text
        elif isinstance(given.get("name"), str):
            switched.append((way, given["name"].removesuffix(".service"), given))
    units = {
        found[1]
        for path, text in written.items()
        if (found := _UNIT.fullmatch(path)) is not None and _INSTALLED.search(text) and _sets_up(text, written)
    }
    last = {name: (way, given) for way, name, given in switched if name in units}
    for name, (way, given) in last.items():
        for key, words in _OFF.items():
            if key in given and (given[key] if isinstance(given[key], bool) else str(given[key]).lower()) in words:
                line = document.nearest_line_of((*way, key))
                quote = f"{key}: {given[key]}"[:QUOTE]
                meaning = (
                    f"{name}.service, which sets NICs up at boot, is {'masked' if key == 'masked' else 'not enabled'}"
                )
                answer.collector.seen.append(
                    noticed("conflict", place(answer, line), quote, f"{meaning}: it does not run at the next boot")
                )


def _sets_up(unit: str, written: Mapping[str, str]) -> bool:
    """Whether a unit calls a tool of NICs, itself or in a script that is written as well."""
    return _CALLED.search(unit) is not None or any(
        _CALLED.search(written.get(path, "")) is not None for path in _STARTS.findall(unit)
    )


def _tasks(value: Any, way: Way) -> Iterator[tuple[Way, str, Mapping[str, Any]]]:
    """(where, module, what it is given) of the tasks of a play, in order."""
    if len(way) > _DEPTH:
        return
    for index, task in enumerate(value if isinstance(value, list) else ()):
        for key, given in task.items() if isinstance(task, dict) else ():
            found = _MODULE.fullmatch(str(key))
            if found is not None and isinstance(given, dict):
                yield (*way, index, key), found[1], given
            elif isinstance(given, list):
                yield from _tasks(given, (*way, index, key))
