"""ConfigMaps with variables of libraries, and the pods that take them: by another name, in another namespace, by a key that is not there.

Source: Kubernetes, Configure a Pod to Use a ConfigMap: a pod takes a ConfigMap of its own namespace, and does not start without one,
or without its key, that is not optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.linux.jobs.variables import VARIABLE
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.boot import REJECTED
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.records import dataclass
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.yamltext import YamlText

_VARIABLE = re.compile(VARIABLE)
_DEPTH = 40
_Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _Reference:
    """What a container takes of a ConfigMap."""

    path: _Path
    """Where its name stands."""
    name: str
    key: str
    """The key of `configMapKeyRef`; "" of the whole map."""


def compare(answer: Answer, found: Sequence[YamlText]) -> None:
    """Say which pods of one file take a ConfigMap that it has otherwise."""
    maps: dict[str, list[Mapping[str, Any]]] = {}
    for document in found:
        value = _map(document)
        if value is not None and "apiVersion" in value:
            _no_texts(answer, document, value["data"])
        if value is not None and (name := _named(value)):
            maps.setdefault(name, []).append(value)
    if not maps:
        return
    taken = [(document, one) for document in found for one in _references(document.value, ())]
    idle = frozenset(maps) - {one.name for _, one in taken}
    for document, one in taken:
        meaning = _wrong(one, _namespace(document.value), maps, idle)
        if meaning:
            line = document.nearest_line_of(one.path)
            answer.collector.seen.append(noticed("conflict", place(answer, line), f"name: {one.name}", meaning))


def _no_texts(answer: Answer, document: YamlText, data: Mapping[Any, Any]) -> None:
    """Say which variables are numbers or truth values: the cluster takes texts alone (Kubernetes API, ConfigMap: data)."""
    for name, value in data.items():
        if isinstance(value, int | float) and _VARIABLE.fullmatch(str(name)) is not None:
            said = str(value).lower() if isinstance(value, bool) else str(value)
            reason = "the value of an entry of a ConfigMap is a text, in quotes"
            answer.unread(document.line_of(("data", name)), f"{REJECTED} {name}: {said}: {reason}")


def _wrong(
    one: _Reference, namespace: str, maps: Mapping[str, Sequence[Mapping[str, Any]]], idle: frozenset[str]
) -> str:
    several = maps.get(one.name)
    if several is None:
        other = meant(one.name, idle)
        told = f"no ConfigMap of this file has this name, and no pod takes {other}, which has the variables"
        return told if other is not None else ""
    own = [its for its in several if not namespace or _namespace(its) in ("", namespace)]
    if not own:
        other = _namespace(several[0])
        return f"this file has it in the namespace {other}, and a pod takes those of its own, {namespace}: it does not start"
    if one.key and all(one.key not in its["data"] and "binaryData" not in its for its in own):
        return f"this file has it without the key {one.key}, and the container does not start without it"
    return ""


def _map(document: YamlText) -> Mapping[str, Any] | None:
    """A ConfigMap with variables of libraries."""
    value = document.value
    if not isinstance(value, dict) or value.get("kind") != "ConfigMap" or not isinstance(value.get("data"), dict):
        return None
    return value if any(_VARIABLE.fullmatch(str(key)) for key in value["data"]) else None


def _named(value: Mapping[str, Any], key: str = "name") -> str:
    metadata = value.get("metadata")
    name = metadata.get(key) if isinstance(metadata, dict) else None
    return name if isinstance(name, str) and "{" not in name and "$" not in name else ""


def _namespace(value: Any) -> str:
    return _named(value, "namespace") if isinstance(value, dict) else ""


def _references(value: Any, path: _Path) -> Iterator[_Reference]:
    """All ConfigMaps whose variables a container takes and may not do without."""
    if len(path) > _DEPTH:
        return
    if isinstance(value, dict):
        for key in ("configMapRef", "configMapKeyRef"):
            its = value.get(key)
            if isinstance(its, dict) and isinstance(its.get("name"), str) and its.get("optional") is not True:
                yield _Reference((*path, key, "name"), its["name"], str(its.get("key", "")))
        for key, inner in value.items():
            yield from _references(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _references(inner, (*path, index))
