"""Modules of Ansible whose arguments are paths of YANG with values, as commands that name the same paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.plays import Run
from roce_audit.text.structured.positions import Path

_KEYS = lazy(r"\[[\w.:-]{1,80}=([^\[\]]{1,200})\]")
_DEEPEST = 24


@dataclass(frozen=True, slots=True)
class Paths:
    """One module whose arguments are paths of YANG (`/interface[name=ethernet-1/1]`): `sets` list them with values, `deletes` those that it
    takes away, which it does first. `keys` are those of lists whose objects have several.
    """

    sets: tuple[str, ...]
    deletes: tuple[str, ...]
    keys: Mapping[str, tuple[str, ...]]
    source: str = ""


def statements(run: Run, module: Paths) -> Iterator[tuple[str, int]]:
    """The commands that a run of such a module comes to, each with the line of the file."""
    for argument, verb in (*((one, "delete /") for one in module.deletes), *((one, "set /") for one in module.sets)):
        listed = run.arguments.get(argument)
        for index, one in enumerate(listed if isinstance(listed, list) else ()):
            path = one.get("path") if isinstance(one, dict) else one
            if not isinstance(path, str):
                continue
            way = (argument, index)
            words = " ".join((verb, *_words_of(path)))
            value = one.get("value") if isinstance(one, dict) else None
            if verb == "delete /" or value is None:
                yield words, run.line(*way)
            for said, at in _under(value, words, path.rpartition("/")[2], (*way, "value"), module.keys):
                yield said, run.line(*at)


def _words_of(path: str) -> Iterator[str]:
    """The words of a path: names, and the keys of objects of lists."""
    at = 0
    for found in _KEYS.finditer(path):
        yield from (one.rpartition(":")[2] for one in path[at : found.start()].split("/") if one)
        yield found[1]
        at = found.end()
    yield from (one.rpartition(":")[2] for one in path[at:].split("/") if one)


def _under(
    value: Any, words: str, name: str, way: Path, keys: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, Path]]:
    """(statement, where) of each leaf of a value of YANG; objects of the list `name` are called by their keys."""
    if len(way) > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            bare = str(key).rpartition(":")[2]
            yield from _under(inner, f"{words} {bare}", bare, (*way, key), keys)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            called = _keys_of(one, keys.get(name, ()), name) if isinstance(one, dict) else ()
            said = (
                " ".join((words, *(_of_yang(one[key]) for key in called)))
                if isinstance(one, dict)
                else f"{words} {one}"
            )
            yield said, (*way, index)
            left = {key: inner for key, inner in one.items() if key not in called} if isinstance(one, dict) else {}
            yield from _under(left, said, name, (*way, index), keys)
    elif value is not None:
        yield f"{words} {_of_yang(value)}", way


def _keys_of(one: Mapping[Any, Any], keys: tuple[str, ...], name: str) -> tuple[Any, ...]:
    """The keys of an object of a list of YANG: `name`, what is called after the list (`dscp-value` of `dscp`), or an id."""
    if keys:
        return tuple([key for key in keys if key in one])
    own = next((key for key in one if key in ("name", "id", "index") or str(key).startswith(f"{name}-")), None)
    found = next((key for key in one if str(key).endswith("-id")), None) if own is None else own
    return () if found is None else (found,)


def _of_yang(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
