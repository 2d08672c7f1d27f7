"""Comments that speak to us, and those that somebody meant to."""

from __future__ import annotations

import pytest

from roce_audit.text.comments import before_next_line, may_hold_comments, words_to_us
from roce_audit.text.document import Document

IGNORE = 'ignore[pfc/watchdog-off] reason="r" until=2027-01-31'


def test_what_stands_behind_the_mark_is_said_to_us() -> None:
    assert words_to_us(f"! roce-audit: {IGNORE}") == IGNORE
    assert words_to_us("# roce-audit: noqa") == "noqa"


@pytest.mark.parametrize(
    "mark",
    ["roce-audit ", "roce-audit  : ", "ROCE-AUDIT: ", "roce_audit: ", "roceaudit:", "RoCE-audit: ", "Roce-audit "],
)
@pytest.mark.parametrize("word", [IGNORE, "disable=pfc/watchdog-off", "Ignore[pfc]"])
def test_a_mark_that_is_not_written_as_it_should_be_is_told(mark: str, word: str) -> None:
    line = f"! {mark}{word}"
    assert may_hold_comments(line)
    assert words_to_us(line) == f"{mark}{word}"


@pytest.mark.parametrize(
    "line", ["! checked with roce-audit 0.1", "# see the docs of roce_audit", "! ignore this", "!"]
)
def test_other_comments_are_nobody_s_business(line: str) -> None:
    assert words_to_us(line) is None


def test_it_is_bound_to_the_line_below() -> None:
    document = Document("a", f"# roce-audit {IGNORE}\npfc on\n")
    (found,) = before_next_line(document, "#")
    assert (found.text, found.first, found.last) == (f"roce-audit {IGNORE}", 1, 2)
