"""What a platform's own tables say of it: its statements with the model paths they touch, and its documented defaults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import NamedTuple

from roce_audit.platforms.shared.host.answers import Tool
from roce_audit.text.fill import Default
from roce_audit.text.statements.table import StatementTable


class Statement(NamedTuple):
    """One kind of statement: the block or answer it stands in, its first words, and the paths it touches."""

    where: str
    words: str
    paths: tuple[str, ...] = ()


class Documentation(NamedTuple):
    """What the tables of a platform say of it."""

    statements: tuple[Statement, ...]
    """In the order of the tables."""
    defaults: Mapping[str, Default]
    """By model path, or by what a statement leaves open in the words of the tables."""


def defaults_in(*tables: ModuleType) -> Mapping[str, Default]:
    """The defaults of modules of tables: those of DEFAULTS by model path, each other one by the words of its name."""
    found: dict[str, Default] = {}
    for table in tables:
        for name, value in vars(table).items():
            if isinstance(value, Default):
                found.setdefault(name.strip("_").lower().replace("_", " "), value)
            elif name == "DEFAULTS":
                found |= value
    return found


def of_table(table: StatementTable) -> Iterator[Statement]:
    """The rows of a statement table."""
    for name, mode in table.modes.items():
        for row in mode.rows:
            paths = tuple(f"{mode.base}.{path}".strip(".").replace("#", "*") for path in row.paths)
            yield Statement(_header(table, name), row.text, paths)


def _header(table: StatementTable, mode: str) -> str:
    """The words that open a block, under those of the block around it."""
    for outer, openers in table.openers.items():
        words = [w for w, opened in openers.items() if opened == mode]
        if words and outer != mode:
            around = "" if outer == "top" else _header(table, outer) + " > "
            return around + " / ".join(words)
    return "" if mode == "top" else f"({mode})"


def of_tools(tools: Iterable[Tool]) -> Iterator[Statement]:
    """The lines of tools; one without lines of its own hands over what it covers."""
    for tool in tools:
        told = {path for line in tool.lines for path in line.paths}
        for line in tool.lines:
            yield Statement(tool.name, line.lead, tuple(path for path in line.paths if isinstance(path, str)))
        rest = tuple(path for path in tool.covers if isinstance(path, str) and path not in told)
        if rest or not tool.lines:
            yield Statement(tool.name, "", rest)
