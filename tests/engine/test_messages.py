"""Message templates: resolved at load, safe to print whatever the input said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.engine.conditions.expressions import Compiler, ExpressionError
from roce_audit.engine.rules.messages import Template, printable, runs
from roce_audit.model import doc, model
from roce_audit.values import Cell, Why, absent, known, unknown


@model
class Thing:
    size_bytes: Cell[int] = doc("a number")
    length_m: Cell[float] = doc("a number")
    speed_bps: Cell[int] = doc("a number")
    on: Cell[bool] = doc("a truth value")
    name: Cell[str] = doc("text")
    group: Cell[frozenset[int]] = doc("a set")
    codes: Cell[tuple[Cell[int], ...]] = doc("a row")
    none: Cell[int] = doc("absent")
    not_known: Cell[int] = doc("unknown")


COMPILER = Compiler({"t": (("t", Thing),)}, {})


def say(text: str, name: str = "one", speed_bps: int = 400 * 10**9) -> str:
    thing = Thing(
        size_bytes=known(1048576),
        length_m=known(19.4),
        speed_bps=known(speed_bps),
        on=known(True),
        name=known(name),
        group=known(frozenset({10, 9, 3})),
        codes=known((known(1), absent(), unknown(Why.REFUSED))),
        none=absent(),
        not_known=unknown(Why.NOT_PARSED),
    )
    return Template(text, COMPILER, {})({"t": thing})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain", "plain"),
        ("{{x}} {t.name}", "{x} one"),
        ("{t.size_bytes|bytes}", "1,048,576 B"),
        ("{t.size_bytes}", "1048576"),
        ("{ t.size_bytes / 3 | bytes }", "349,525.33 B"),
        ("{t.length_m|metres}", "19.4 m"),
        ("{t.size_bytes / 1048576 * 19|metres}", "19 m"),
        ("{t.size_bytes|percent}", "1,048,576 %"),
        ("{t.length_m|ms}", "19.4 ms"),
        ("{t.group}", "3, 9, 10"),
        ("{t.group | {9} == t.group}".replace("{9}", "(9, 9)"), "yes"),
        ("{t.group - t.group|list}", "none"),
        ("{t.codes|list}", "1, none, unknown"),
        ("{t.on}", "yes"),
        ("{t.none|bytes}", "no bytes"),
        ("{t.not_known|bytes}", "an unknown number of bytes"),
        ("{'}|' if t.on else '|'}", "}|"),
        ("{t.speed_bps|bps}", "400G"),
    ],
)
def test_writing(text: str, written: str) -> None:
    assert say(text) == written


@pytest.mark.parametrize(
    ("bps", "written"),
    [(25 * 10**9, "25G"), (2_500_000_000, "2.5G"), (100 * 10**6, "100M"), (1_600 * 10**9, "1.6T"), (999, "999 bit/s")],
)
def test_rates(bps: int, written: str) -> None:
    assert say("{t.speed_bps|bps}", speed_bps=bps) == written


def test_a_rate_that_no_short_form_fits_is_written_out() -> None:
    assert say("{t.speed_bps|bps}", speed_bps=1_234_567_891) == "1,234,567,891 bit/s"


@pytest.mark.parametrize(
    ("text", "complaint", "column"),
    [
        ("size {t.sise_bytes}", "did you mean 'size_bytes'", 7),
        ("{t.size_bytes|byte}", "did you mean 'bytes'", 15),
        ("{t.name|bytes}", "cannot be written as bytes", 2),
        ("{t.group|bytes}", "cannot be written", 2),
        ("{t.name", "without '}'", 1),
        ("x } y", "without '{'", 3),
        ("{t.name!r}", "invalid syntax", None),
        ("{t.name.__class__}", "no field", 2),
        ("{}", "empty", 2),
        ("{t.group | {3}}", "inside of braces", 12),
        ("x" * 2001, "longer than", 2001),
    ],
)
def test_refused(text: str, complaint: str, column: int | None) -> None:
    with pytest.raises(ExpressionError) as error:
        say(text)
    assert complaint in error.value.message
    assert column is None or error.value.column == column


def test_reads_are_those_of_all_fields() -> None:
    template = Template("{t.name} {t.group|list}", COMPILER, {})
    assert template.reads == {("t", "name"), ("t", "group")}


@given(st.text(max_size=30))
def test_no_control_character_of_the_input_reaches_the_reader(name: str) -> None:
    written = say("{t.name}", name=name)
    assert all(c.isprintable() or c.isspace() for c in written)
    assert not set(written) & {"\x1b", "\n", "\r", "\x07", "\u202e", "\u2028"}


def test_escapes_keep_ordinary_text() -> None:
    assert printable("é 中 ok\x1b[31m\u202e") == "é 中 ok\\x1b[31m\\u202e"


def test_long_values_are_cut() -> None:
    assert len(say("{t.name}", name="x" * 5000)) == 200


@given(st.frozensets(st.integers(0, 80)))
def test_numbers_in_a_row_are_written_as_ranges_and_none_is_lost(numbers: frozenset[int]) -> None:
    pieces = list(runs(sorted(numbers)))
    back: list[int] = []
    for piece in pieces:
        first, _, last = piece.partition("-")
        back += range(int(first), int(last or first) + 1)
    assert back == sorted(numbers)
    assert all(int(p.partition("-")[2]) - int(p.partition("-")[0]) >= 3 for p in pieces if "-" in p)
    has_row = any({n, n + 1, n + 2, n + 3} <= numbers for n in numbers)
    assert any("-" in p for p in pieces) == has_row


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a queue[ of {t.size_bytes|bytes}]", "a queue of 1,048,576 B"),
        ("a queue[ of {t.not_known|bytes}]", "a queue"),
        ("a queue[ of {t.none|bytes}][ at {t.speed_bps|bps}]", "a queue at 400G"),
        ("[{t.name} holds {t.not_known}; ]it is full", "it is full"),
        ("[[{t.name}]]", "[one]"),
    ],
)
def test_a_part_whose_value_nobody_knows_is_left_out(text: str, said: str) -> None:
    assert say(text) == said


@pytest.mark.parametrize("text", ["a [b", "a ]b", "[a [b] c]"])
def test_half_a_part_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match=r"half|without"):
        say(text)
