"""Fields of a CONFIG_DB that stand on lines of another text than JSON."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from roce_audit.platforms.base import Seen, seen
from roce_audit.text.structured.jsontext import Duplicate, JsonText
from roce_audit.text.structured.positions import Path
from roce_audit.values import Place

Field = tuple[str, str, str]
"""Table, row, field."""
BY_PORT = frozenset({"PORT", "PORT_QOS_MAP", "PFC_WD", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE"})
"""Tables whose rows begin with the name of a port."""


class LinedFields(JsonText):
    """Fields, each with its value and line, as the JSON that has them all. A row stands where its first field does."""

    def __init__(self, fields: Mapping[Field, tuple[Any, int]], first_line: int) -> None:
        value: dict[str, dict[str, dict[str, Any]]] = {}
        self._lines: dict[Path, int] = {(): first_line}
        for (table, row, field), (given, line) in fields.items():
            value.setdefault(table, {}).setdefault(row, {})[field] = given
            for path in ((table,), (table, row), (table, row, field)):
                self._lines[path] = min(self._lines.get(path, line), line)
        super().__init__("", value, False, first_line)
        self.names = frozenset(fields)
        self._fields = dict(fields)
        self._first_line = first_line

    def without_ports_but(self, ports: Container[str] | None, path: str) -> tuple[LinedFields, list[Seen]]:
        """The fields without those of ports that a whole datastore does not have, and an observation for each of these."""
        strange = {
            port: line
            for (table, row, _), (_, line) in reversed(self._fields.items())
            if ports is not None
            and table in BY_PORT
            and (port := row.partition("|")[0]).startswith("Ethernet")
            and port not in ports
        }
        if not strange:
            return self, []
        left = {
            name: given
            for name, given in self._fields.items()
            if name[0] not in BY_PORT or name[1].partition("|")[0] not in strange
        }
        told = [
            seen(
                "undefined",
                port,
                f"there is no {port} in this configuration, so this has no effect",
                Place(path, line),
                port,
                (),
            )
            for port, line in strange.items()
        ]
        return LinedFields(left, self._first_line), told

    def line_of(self, path: Path) -> int:
        """The line of the field at `path`, or of the row or table around it. Raises KeyError for a path that is none."""
        return self._lines[path[:3]]

    def lines_of(self, path: Path, keys: Iterable[str]) -> list[int]:
        """The lines of these members of the object at `path`. Raises KeyError for what is none."""
        return [self.line_of((*path, key)) for key in keys]

    def last_line_of(self, path: Path) -> int:
        """The line of the last field at `path`. Raises KeyError for a path that is none."""
        return max(
            [self.line_of(path), *[line for at, line in self._lines.items() if at[: len(path)] == path and path]]
        )

    @property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """None: of two commands for one field the later one counts, as on the device."""
        return ()
