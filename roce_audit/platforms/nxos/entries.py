"""Rows of answers as JSON. A table of one row is an object, one of several is a list, at each of its levels.

`show interface priority-flow-control | json`: `TABLE_module`, `ROW_module`, `TABLE_pfc_interface`, `ROW_pfc_interface`, with `if_name_str`,
`admin`, `oper`, `rx-stats`, `tx-stats`, as exporters in use read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.text.document import Document
from roce_audit.text.jsontext import JsonError, parse

_LEVELS = ("module", "pfc_interface")


def pfc_entries(document: Document) -> Iterator[tuple[Mapping[Any, Any], int]]:
    """Each port's entry with its line; nothing of an answer that is no such JSON."""
    try:
        text = parse(document.text, first_line=document.first_line)
    except JsonError:
        return
    found: list[tuple[tuple[str | int, ...], Any]] = [((), text.value)]
    for level in _LEVELS:
        found = [row for path, value in found for row in _rows(path, value, level)]
    for path, value in found:
        if isinstance(value, dict):
            yield value, text.line_of(path)


def _rows(path: tuple[str | int, ...], value: Any, name: str) -> list[tuple[tuple[str | int, ...], Any]]:
    table = value.get(f"TABLE_{name}") if isinstance(value, dict) else None
    rows = table.get(f"ROW_{name}") if isinstance(table, dict) else None
    below = (*path, f"TABLE_{name}", f"ROW_{name}")
    return [((*below, index), row) for index, row in enumerate(rows)] if isinstance(rows, list) else [(below, rows)]
