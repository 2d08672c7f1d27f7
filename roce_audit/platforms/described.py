"""What a platform's own tables say of it: its statements with the model paths they touch, and its documented defaults.

A platform whose tables have a form of their own has a module `described` with `statements()`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import NamedTuple

from roce_audit import platforms
from roce_audit.platforms.shared.cli.syntax import UNSURE
from roce_audit.platforms.shared.host.answers import Tool
from roce_audit.text.dialect import Dialect
from roce_audit.text.fill import Default
from roce_audit.text.statements.table import StatementTable


class Statement(NamedTuple):
    """One kind of statement: the block or answer it stands in, its first words, and the paths it touches."""

    where: str
    words: str
    paths: tuple[str, ...] = ()


def statements(platform: str) -> Iterator[Statement]:
    """Every kind of statement of a platform, in the order of its tables."""
    own = _module(platform, "described")
    tools = _module(platform, "tools")
    table = _module(platform, "table")
    reader = _module(platform, "reader")
    if own is not None:
        yield from own.statements()
    elif table is not None:
        yield from _of_table(table.TABLE)
    elif tools is not None:
        for tool in tools.TOOLS:
            yield from of_tool(tool)
    elif reader is not None:
        yield from _of_dialect(reader.SYNTAX.dialect)


def defaults(platform: str) -> Mapping[str, Default]:
    """Documented defaults: by model path, or by what a statement leaves open in the words of the platform's tables."""
    found: dict[str, Default] = {}
    for module in (_module(platform, "tables"), _module(platform, "defaults"), _module(platform, "family")):
        for name, value in vars(module).items() if module is not None else ():
            if isinstance(value, Default):
                found.setdefault(name.strip("_").lower().replace("_", " "), value)
            elif name == "DEFAULTS":
                found |= value
    return found


def _module(platform: str, name: str) -> ModuleType | None:
    full = f"{platforms.__name__}.{platform}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) is not None else None


def _of_dialect(dialect: Dialect | StatementTable) -> Iterator[Statement]:
    if isinstance(dialect, StatementTable):
        yield from _of_table(dialect)
        return
    for mode, topics in dialect.topics.items():
        for words, paths in topics.items():
            if words != UNSURE:
                yield Statement(_header(dialect, mode), words, tuple(paths.split()))


def _of_table(table: StatementTable) -> Iterator[Statement]:
    for name, mode in table.modes.items():
        for row in mode.rows:
            yield Statement(
                _header(table, name),
                row.text,
                tuple(f"{mode.base}.{path}".strip(".").replace("#", "*") for path in row.paths),
            )


def _header(dialect: Dialect | StatementTable, mode: str) -> str:
    """The words that open a block, under those of the block around it."""
    for outer, openers in dialect.openers.items():
        words = [w for w, opened in openers.items() if opened == mode]
        if words and outer != mode:
            around = "" if outer == "top" else _header(dialect, outer) + " > "
            return around + " / ".join(words)
    return "" if mode == "top" else f"({mode})"


def of_tool(tool: Tool) -> Iterator[Statement]:
    """The lines of a tool; one without lines of its own hands over what it covers."""
    told = {path for line in tool.lines for path in line.paths}
    for line in tool.lines:
        yield Statement(tool.name, line.lead, tuple(path for path in line.paths if not path.startswith("_")))
    rest = tuple(path for path in tool.covers if path not in told and not path.startswith("_"))
    if rest or not tool.lines:
        yield Statement(tool.name, "", rest)
