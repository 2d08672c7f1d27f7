"""CONFIG_DB as JSON, in all its layouts, as one kind of row.

Layouts: nested tables (`config_db.json`), keys `TABLE|key` at the top (a dump of redis, with or without type and value), a list
of configlets, and tables inside namespaces of a multi-ASIC device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from json import dumps
from typing import Any

from roce_audit.platforms.sonic.table import FILTERED, LABEL_TABLES, SHOWN, TABLES
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.jsontext import JsonText
from roce_audit.text.structured.positions import Path
from roce_audit.values import Place

_OTHER_TABLES = frozenset({"DSCP_TO_FC_MAP", "EXP_TO_FC_MAP", "TC_TO_DOT1P_MAP", "MPLS_TC_TO_TC_MAP", "PORT_TABLE"})
"""Tables whose names come close to those of ours."""
_LONGEST_NAME = 64
_LONGEST_ODD = 80


@dataclass(frozen=True, slots=True)
class Row:
    """One row of one table. Where the JSON holds no object for it, `fields` is empty and `odd` the JSON that stands there.

    `written` is the name of a table that is none but looks like `table` misspelt: nobody loads it.
    """

    namespace: str
    table: str
    key: str
    fields: Mapping[str, Any]
    odd: str
    document: str
    json: JsonText
    path: Path
    written: str = ""

    def place(self, field: str | None = None) -> Place:
        """The line of a field, or of the row's key."""
        path = self.path if field is None else (*self.path, field)
        return Place(self.document, self.json.line_of(path))

    @property
    def paused(self) -> list[str]:
        """The priorities for which PFC is on at a port, of a row of PORT_QOS_MAP."""
        return [one for one in str(self.fields.get("pfc_enable", "")).split(",") if one]


def rows(document: Document, json: JsonText) -> list[Row]:
    """Every row of the tables that concern us. Configlets of a list are applied in order: a later field replaces."""
    found = list(_rows(document, json))
    return found if isinstance(json.value, dict) else _in_order(found)


def _in_order(found: list[Row]) -> list[Row]:
    set_later: set[tuple[str, str, str]] = set()
    left: list[Row] = []
    for row in reversed(found):
        fields = {f: v for f, v in row.fields.items() if (row.table, row.key, f) not in set_later}
        set_later.update((row.table, row.key, f) for f in fields)
        left.append(replace(row, fields=fields))
    return left[::-1]


def _rows(document: Document, json: JsonText) -> Iterator[Row]:
    for namespace, prefix, tables in _databases(json.value):
        for name, content in tables.items():
            table, bar, key = name.partition("|")
            path = (*prefix, name)
            if (table not in TABLES and table not in LABEL_TABLES) or table in (SHOWN, FILTERED):
                alike = _misspelt(table)
                if alike:
                    yield Row(namespace, alike, "", {}, "", document.path, json, path, table)
            elif bar:
                yield _row(namespace, table, key, content, document.path, json, path)
            elif isinstance(content, dict):
                for key, fields in content.items():
                    yield _row(namespace, table, key, fields, document.path, json, (*path, key))
            else:
                yield Row(namespace, table, "", {}, _odd(content), document.path, json, path)


def _row(namespace: str, table: str, key: str, content: object, document: str, json: JsonText, path: Path) -> Row:
    if isinstance(content, dict) and "type" in content and isinstance(content.get("value"), dict):
        content, path = content["value"], (*path, "value")
    elif isinstance(content, dict) and content.get("type") == "hash":
        content = None  # a redis hash whose value is missing
    if not isinstance(content, dict):
        return Row(namespace, table, key, {}, _odd(content), document, json, path)
    return Row(namespace, table, key, content, "", document, json, path)


@cache
def _misspelt(name: str) -> str:
    """The table of ours that a name which is no table's seems to mean; "" where it seems to mean none."""
    if name in _OTHER_TABLES or len(name) > _LONGEST_NAME:
        return ""
    ours, upper = (*TABLES, *LABEL_TABLES), name.upper()
    return upper if upper in ours else meant(upper, ours) or ""


def _odd(content: object) -> str:
    return dumps(content)[:_LONGEST_ODD]


def _databases(value: object, prefix: Path = (), namespace: str = "") -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
    """(namespace, path, tables) of every set of tables in a JSON value."""
    if isinstance(value, list):
        for index, element in enumerate(value):
            if isinstance(element, dict):
                yield namespace, (*prefix, index), element
    elif isinstance(value, dict):
        if _has_tables(value) or prefix:
            yield namespace, prefix, value
            return
        for name, inner in value.items():
            if isinstance(inner, dict) and _has_tables(inner):
                yield from _databases(inner, (*prefix, name), name)


def _has_tables(value: Mapping[str, Any]) -> bool:
    return any(name.partition("|")[0] in TABLES for name in value)
