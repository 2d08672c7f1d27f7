"""A JSON patch (RFC 6902) for a CONFIG_DB, as `config apply-patch` takes it: the rows that it leaves, each field on its line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.base import UNREAD_LINE, Seen, seen
from roce_audit.platforms.sonic.lined import Field, LinedFields
from roce_audit.platforms.sonic.table import TABLES
from roce_audit.text.document import Document
from roce_audit.text.structured.jsontext import JsonText
from roce_audit.text.structured.positions import Path
from roce_audit.values import Place

_WRITES = frozenset({"add", "replace"})
_BINDS = ("QUEUE", "wred_profile")
"""Where a queue says which profile marks for it."""
_BEGINS = lazy(r"\s{0,200}\[\s{0,200}\{\s{0,200}\"(?:op|path|value)\"")
_MOST_STEPS = 3
"""Table, row, field."""


def may_be_patch(text: str) -> bool:
    """Whether a text looks like a patch, without reading it."""
    return _BEGINS.match(text) is not None


def is_patch(value: Any) -> bool:
    """Whether a JSON value is a list of operations."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(one, dict) and isinstance(one.get("op"), str) and isinstance(one.get("path"), str)
            for one in value
        )
    )


def fields_of(
    document: Document, patch: JsonText, before: Mapping[Field, str]
) -> tuple[LinedFields, list[Seen], set[Field]]:
    """The fields that it leaves, what it takes away or switches off without showing what is left then, and the fields of those `before`
    that are no more.
    """
    fields: dict[Field, tuple[Any, int]] = {}
    gone: dict[tuple[str, ...], int] = {}
    no_more: set[Field] = set()
    by_row: dict[tuple[str, ...], list[Field]] = defaultdict(list)
    for name in before:
        by_row[name[:1]].append(name)
        by_row[name[:2]].append(name)
    for index, one in enumerate(patch.value):
        steps = _steps(one["path"])
        if not steps or steps[0] not in TABLES:
            continue
        theirs = [name for name in by_row[steps[0], *steps[1:2]] if name[: len(steps)] == steps]
        no_more.update(theirs)  # a row that is written is replaced
        if one["op"] in _WRITES and "value" in one:
            for name, value, path in _written(steps, one["value"], (index, "value")):
                fields.pop(name, None)
                fields[name] = (value, patch.line_of(path))
        elif one["op"] == "remove":
            line = patch.line_of((index, "path"))
            for name in [name for name in fields if name[: len(steps)] == steps]:
                del fields[name]
            if not _is_port(steps) and not theirs:
                gone[steps] = line
            if steps[0] == "PORT_QOS_MAP" and steps[2:] == ("pfc_enable",):
                fields["PORT_QOS_MAP", steps[1], "pfc_enable"] = ("", line)
    odd = [
        _taken_away(document, steps, line)
        for steps, line in gone.items()
        if not any(name[: len(steps)] == steps for name in fields)
    ]
    bound = {str(value) for (table, _, field), (value, _) in fields.items() if (table, field) == _BINDS}
    bound |= {str(before[one]) for one in before if (one[0], one[2]) == _BINDS and one not in no_more}
    odd += [
        _marks_no_more(document, profile, line)
        for (table, profile, field), (value, line) in fields.items()
        if (table, field, value) == ("WRED_PROFILE", "ecn", "ecn_none")
        and not bound & {profile, f"[WRED_PROFILE|{profile}]"}
    ]
    return LinedFields(fields, document.first_line), odd, no_more


def _is_port(steps: tuple[str, ...]) -> bool:
    """Whether a port itself is taken away, as where four are joined to one: nothing is left of it to be judged."""
    return steps[0] == "PORT" and len(steps) == _MOST_STEPS - 1


def _steps(pointer: str) -> tuple[str, ...]:
    """The steps of a JSON pointer (RFC 6901), without the chip of a switch that has several."""
    steps = tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])
    is_chip = bool(steps) and (steps[0] == "localhost" or steps[0].removeprefix("asic").isdigit())
    return steps[1:] if is_chip else steps


def _written(steps: Sequence[str], value: Any, path: Path) -> Iterator[tuple[Field, Any, Path]]:
    """(table, row, field), value and place of everything that a value sets from these steps on."""
    if len(steps) < _MOST_STEPS and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _written((*steps, key), inner, (*path, key))
    elif len(steps) == _MOST_STEPS:
        yield (steps[0], steps[1], steps[2]), value, path
    elif len(steps) == _MOST_STEPS + 1 and steps[3] in ("-", "0"):
        yield (steps[0], steps[1], steps[2]), [value], path


def _taken_away(document: Document, steps: tuple[str, ...], line: int) -> Seen:
    name = "|".join(steps)
    text = f"{UNREAD_LINE}: it takes {name} away, and what is left then is not in this patch"
    return seen("unread-line", name, text, Place(document.path, line), f"remove /{'/'.join(steps)}", ())


def _marks_no_more(document: Document, profile: str, line: int) -> Seen:
    text = f"{UNREAD_LINE}: WRED profile {profile} marks nothing with it, and which queues use that profile is not in this patch"
    return seen("unread-line", f"WRED_PROFILE|{profile}|ecn", text, Place(document.path, line), "ecn_none", ())
