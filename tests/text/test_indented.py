"""Blocks of indented lines."""

from __future__ import annotations

import pytest

from roce_audit.text.structured.indented import around, blanks, end, without_margin

TEXT = ["a", "  b", "", "  ! no statement", "    c", "  d", "! at the margin", "  e", "f", ""]


@pytest.mark.parametrize(
    ("head", "comments", "behind"), [(0, ("!",), 8), (0, (), 6), (1, ("!",), 5), (1, (), 2), (8, (), 9)]
)
def test_a_block_ends_before_the_next_line_that_is_no_deeper(head: int, comments: tuple[str, ...], behind: int) -> None:
    assert end(TEXT, head, comments) == behind


def test_the_heads_around_a_line_are_less_deep_each() -> None:
    assert around(TEXT, 4, 4, ("!",)) == [0, 1]
    assert around(TEXT, 4, 4) == [0, 3]
    assert around(TEXT, 4, 0) == []
    assert around(["  a", "    b"], 1, 4) == [0]  # of which the outermost is no line of the margin


def test_tabulators_are_blanks() -> None:
    assert blanks("\t x ") == "\t "


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("    a\n      b\n\n    c\n", "a\n  b\n\nc\n"),
        ("\ta\n\t\tb", "a\n\tb"),
        ("    !\n    a\n", "!\na\n"),
        ("!\n  a\n    b\n", "!\na\n  b\n"),
        ("a\n  b\n", "a\n  b\n"),
        ("  a\n b\n", " a\nb\n"),
        ("", ""),
        ("\n\n", "\n\n"),
    ],
)
def test_a_margin_that_all_lines_have_is_left_out(text: str, plain: str) -> None:
    assert without_margin(text) == plain
