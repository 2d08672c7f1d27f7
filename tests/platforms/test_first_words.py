"""What the first words of a line decide is decided once for all lines that begin alike: never another answer than of the line."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.platforms.shared.cli.syntax import Syntax
from roce_audit.text.statements.table import StatementTable

FIXTURES = Path(__file__).parents[2] / "fixtures"
_TAILS = ("", " 10", " 10 permit any", " x y z", " type qos input X extra words here")


def _tables() -> Iterator[tuple[str, StatementTable]]:
    for name in platforms.names():
        reader = f"roce_audit.platforms.{name}.reader"
        if (platforms.folder(name) / "reader.py").is_file():
            syntax = getattr(importlib.import_module(reader), "SYNTAX", None)
            if isinstance(syntax, Syntax):
                yield name, syntax.table


TABLES = dict(_tables())


def _lines(name: str) -> list[str]:
    """Every line of the platform's fixtures, as it stands and misspelt, with other tails."""
    files = [file for file in (FIXTURES / name).rglob("*") if file.is_file()]
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files)
    lines = dict.fromkeys(" ".join(line.split()) for text in texts for line in text.split("\n"))
    some = [line for line in lines if line and len(line) < 200][:600]
    misspelt = [line[: len(word) - 2] + line[len(word) - 1 :] for line in some if len(word := line.split()[0]) > 3]
    return [f"{line}{tail}" for line in (*some, *misspelt) for tail in _TAILS]


@pytest.mark.parametrize("name", TABLES)
def test_lines_that_begin_alike_are_told_apart_where_it_counts(name: str) -> None:
    table = TABLES[name]
    lines = _lines(name)
    assert lines
    for text in lines:
        assert table.begins("top", text) == (table.opens("top", text), table.paths("top", text) is not None), text
        for mode in ("top", "port"):
            if mode in table.modes:
                known, words = table.modes[mode], text.split(" ")
                is_known = table.lists(mode, text) or table._found(mode, text).misspelt is not None
                assert table.knows(mode, text) == is_known, text
                assert known.nearly_opens(words) == known._nearly_opened(words), text
