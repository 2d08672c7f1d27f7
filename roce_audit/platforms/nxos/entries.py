"""Rows of answers as JSON. A table of one row is an object, one of several is a list, at each of its levels.

`show interface priority-flow-control | json`: `TABLE_module`, `ROW_module`, `TABLE_pfc_interface`, `ROW_pfc_interface`, with `if_name_str`,
`admin`, `oper`, `rx-stats`, `tx-stats`, as exporters in use read them. `show interface | json`: `TABLE_interface`, `ROW_interface`. `show
queuing interface | json`: tables within the row of each port and direction (Cisco, NX-OS Command Reference, show queuing).
NX-API wraps what it answers: `result` and `body` (JSON-RPC), or `ins_api`, `outputs`, `output` and `body`, as the same exporters unwrap it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from roce_audit.text.document import Document
from roce_audit.text.structured.jsontext import JsonError, JsonText, parse

PFC_INTERFACE = ("module", "pfc_interface")
INTERFACE = ("interface",)
QUEUING_INTERFACE = ("module", "queuing_interface")
_WRAPPED = ("ins_api", "outputs", "output", "result", "body")


def is_json(document: Document) -> bool:
    """Whether an answer came as JSON, whatever its command says."""
    return document.text.lstrip()[:1] == "{"


def entries(document: Document, levels: tuple[str, ...]) -> Iterator[tuple[Mapping[Any, Any], Callable[..., int]]]:
    """Each port's entry below these tables, and what tells the line of it or of one of its values; nothing of another answer."""
    try:
        text = parse(document.text, first_line=document.first_line)
    except JsonError:
        return
    path, value = _unwrapped(text.value)
    yield from below(value, partial(_line, text, *path), *levels)


def below(entry: Any, line: Callable[..., int], *levels: str) -> Iterator[tuple[Mapping[Any, Any], Callable[..., int]]]:
    """The rows of the tables within an entry, each with what tells its lines."""
    found: list[tuple[tuple[str | int, ...], Any]] = [((), entry)]
    for level in levels:
        found = [row for path, value in found for row in _rows(path, value, level)]
    for path, value in found:
        if isinstance(value, dict):
            yield value, partial(line, *path)


def _unwrapped(value: Any) -> tuple[tuple[str | int, ...], Any]:
    """What an API answered, and where it stands in the text."""
    path: tuple[str | int, ...] = ()
    for name in _WRAPPED:
        if isinstance(value, dict) and name in value:
            path, value = (*path, name), value[name]
    return path, value


def _line(text: JsonText, *path: str | int) -> int:
    return text.line_of(path)


def _rows(path: tuple[str | int, ...], value: Any, name: str) -> list[tuple[tuple[str | int, ...], Any]]:
    table = value.get(f"TABLE_{name}") if isinstance(value, dict) else None
    rows = table.get(f"ROW_{name}") if isinstance(table, dict) else None
    below = (*path, f"TABLE_{name}", f"ROW_{name}")
    return [((*below, index), row) for index, row in enumerate(rows)] if isinstance(rows, list) else [(below, rows)]
