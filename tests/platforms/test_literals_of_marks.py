"""The run of characters by which a mark is looked for first stands in every text that the mark fits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit import platforms
from roce_audit.platforms.signature import literal_in

MARKS = sorted({mark for platform in platforms.every() for form in platform.signature for mark in form.marks})


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"^ *(?:undo )?qos wred (?:queue|apply)\b", "qos wred "),
        (r"^version \d\.\d", "version "),
        (r"^ colou?r (red|green) low-limit", " low-limit"),
        (r"abc|abd", ""),
        (r"(?i)interface", ""),
        (r"^queues{2} [ab]+cde", "queue"),
        (r"^[\]a-z]+\[edit\] +end-set$", "end-set"),
    ],
)
def test_what_every_match_holds(pattern: str, literal: str) -> None:
    assert literal_in(pattern) == literal


@pytest.mark.parametrize("mark", MARKS)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_no_text_that_fits_is_passed_over(mark: str, data: st.DataObject) -> None:
    if literal_in(mark):
        text = data.draw(st.from_regex(re.compile(mark, re.M)))
        assert literal_in(mark) in text


def test_most_marks_have_such_a_run() -> None:
    assert sum(map(bool, map(literal_in, MARKS))) > len(MARKS) * 3 / 4
