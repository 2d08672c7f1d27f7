"""The expression language: what it lets through, what it makes of doubt, and which reads it names."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.engine.conditions.expressions import Bound, Compiler, Expression, ExpressionError, judge
from roce_audit.engine.conditions.logic import ABSENT, Term, cell_at
from roce_audit.formulas import FUNCTIONS, Function
from roce_audit.model import doc, model
from roce_audit.values import Cell, Why, absent, known, unknown


@model
class Inner:
    number: int = doc("plain")
    low: Cell[int] = doc("a number")
    high: Cell[int] = doc("a number")


@model
class Thing:
    name: str = doc("plain text")
    mode: Cell[Literal["on", "off", "auto"]] = doc("a word")
    on: Cell[bool] = doc("a truth value")
    other: Cell[bool] = doc("a truth value")
    size_bytes: Cell[int] = doc("a number")
    length_m: Cell[float] = doc("a number")
    wanted: Cell[frozenset[int]] = doc("a set")
    had: Cell[frozenset[int]] = doc("a set")
    inner: Cell[Inner] = doc("a step")
    row: Cell[tuple[Inner, ...]] = doc("a row of objects", size=2)
    codes: Cell[tuple[Cell[int], ...]] = doc("a row of cells", size=3)


@model
class Extra:
    carries: Cell[bool] = doc("a truth value")


def boom(value: int) -> int:
    raise ValueError(f"{value} is not to be had")


COMPILER = Compiler(
    {"t": (("t", Thing), ("x", Extra))},
    {**FUNCTIONS, "boom": Function("boom", (("value", int),), int, boom, "none")},
)
DARK = unknown(Why.NOT_VISIBLE)


def thing(**changed: object) -> Thing:
    facts: dict[str, object] = {
        "name": "one",
        "mode": known("on"),
        "on": known(True),
        "other": known(False),
        "size_bytes": known(100),
        "length_m": known(2.5),
        "wanted": known(frozenset({3})),
        "had": known(frozenset({3, 4})),
        "inner": known(Inner(1, known(5), known(9))),
        "row": known((Inner(0, known(1), known(2)), Inner(1, known(5), known(4)))),
        "codes": known((known(0), known(1), DARK)),
    }
    return Thing(**{**facts, **changed})  # type: ignore[arg-type]


def ask(text: str, carries: Cell[bool] = DARK, **changed: object) -> Term:
    return COMPILER.compile(text)({"t": thing(**changed), "x": Extra(carries)})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("t.size_bytes == 100", True),
        ("t.size_bytes + 2 * 3 - 1", 105),
        ("t.size_bytes // 30", 3),
        ("t.size_bytes / 8", 12.5),
        ("-t.size_bytes < 0", True),
        ("1 < t.size_bytes < 50", False),
        ("t.mode == 'on'", True),
        ("t.mode in ('on', 'auto')", True),
        ("t.mode not in ('on', 'auto')", False),
        ("t.wanted <= t.had", True),
        ("t.had <= t.wanted", False),
        ("(t.had - t.wanted) == {4}", True),
        ("(t.had & t.wanted) | {7} == {3, 7}", True),
        ("3 in t.wanted", True),
        ("t.inner.low < t.inner.high", True),
        ("t.inner.number == 1", True),
        ("t.name == 'one'", True),
        ("t.codes[1]", 1),
        ("t.codes[t.inner.number]", 1),
        ("t.row[1].low", 5),
        ("all(r.low < r.high for r in t.row)", False),
        ("all(r.low < r.high for r in t.row if r.number == 0)", True),
        ("any(r.low > r.high for r in t.row)", True),
        ("sum(r.low for r in t.row)", 6),
        ("known_sum(r.low for r in t.row)", 6),
        ("max(r.low for r in t.row if r.high < 3)", 1),
        ("len(r.low for r in t.row if r.low > 1)", 1),
        ("first_of(r.low for r in t.row if r.low > 1)", 5),
        ("len(t.had)", 2),
        ("min(t.had)", 3),
        ("max(t.size_bytes, 200)", 200),
        ("sum(p for p in t.had)", 7),
        ("any(p in t.wanted for p in t.had)", True),
        ("t.size_bytes if t.on else 0", 100),
        ("t.on and not t.other or t.other", True),
        ("roce_packet_bytes(4096)", 4160),
        ("pfc_start_depth(t.size_bytes, 3)", 300),
        ("t.inner is None", False),
        ("t.inner is not None", True),
    ],
)
def test_values(text: str, value: object) -> None:
    term = ask(text)
    assert term.known
    assert term.value == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("t.sise_bytes > 1", "did you mean 'size_bytes'"),
        ("t.inner.lwo > 1", "did you mean 'low'"),
        ("q.size_bytes > 1", "no name 'q'"),
        ("t.mode == 'of'", "did you mean 'off'"),
        ("'of' == t.mode", "did you mean 'off'"),
        ("t.mode in ('on', 'outo')", "did you mean 'auto'"),
        ("t.mode == 1", "cannot compare text with a number"),
        ("t.size_bytes == '1'", "cannot compare a number with text"),
        ("t.size_bytes == True", "cannot compare a number with a truth value"),
        ("t.mode < 'on'", "has no order"),
        ("t.on == None", "None is only tested with 'is None'"),
        ("t.on is True", "only before None"),
        ("t.wanted < 3", "cannot compare"),
        ("1 in t.codes", "'in' needs a set"),
        ("t.mode in t.name", "'in' needs a set"),
        ("t.name + 'x'", "cannot combine"),
        ("t.on + 1", "cannot combine"),
        ("t.name * 9", "cannot combine"),
        ("t.wanted + t.had", "cannot combine"),
        ("not t.size_bytes", "a condition is needed"),
        ("t.size_bytes and t.on", "a condition is needed"),
        ("t.size_bytes if t.on else t.mode", "both branches"),
        ("t.codes[3]", "numbered 0 to 2"),
        ("t.codes[0.5]", "whole"),
        ("t.wanted[0]", "no numbered elements"),
        ("t.row[0] == t.row[1]", "cannot compare"),
        ("t", "needs a field"),
        ("rdma_mtu_of(1, 2)", "takes 1 values, not 2"),
        ("rdma_mtu_of(t.length_m)", "whole number, not a number"),
        ("rdma_mtu_off(1)", "did you mean 'rdma_mtu_of'"),
        ("rdma_mtu_of(netdev_mtu_bytes=1)", "by position"),
        ("rdma_mtu_of(*t.codes)", "'*' is not allowed"),
        ("len(*t.codes)", "'*' is not allowed"),
        ("t.__class__", "no field"),
        ("t.inner.__class__.__mro__", "no field"),
        ("__import__('os')", "no function"),
        ("t.name.upper()", "only functions are called"),
        ("(lambda: 1)()", "not allowed"),
        ("f'{t.name}'", "not allowed"),
        ("[r for r in t.row]", "not allowed"),
        ("t.codes[0:2]", "slices are not allowed"),
        ("2 ** 9 > 1", "powers are not allowed"),
        ("1 << 9", "shifts are not allowed"),
        ("(x := 3)", "not allowed"),
        ("t.size_bytes % 3 == 0", "not allowed"),
        ("b'x' == t.name", "not allowed"),
        ("u'x' == t.name", "no prefix"),
        ("1j == 1", "not allowed"),
        ("... == 1", "not allowed"),
        ("99999999999999999999 > 1", "larger than 2**64"),
        ("1e400 > 1", "larger than 2**64"),
        ("all(a == b for a in t.wanted for b in t.had)", "one 'for' only"),
        ("all(a == a async for a in t.wanted)", "not allowed"),
        ("all(t == 1 for t in t.wanted)", "one new name"),
        ("all(len == 1 for len in t.wanted)", "one new name"),
        ("any(any(any(c > b for c in t.had) for b in t.had) for a in t.had)", "more than 2 nested"),
        ("all(t.wanted)", "for x in"),
        ("sum(1, 2)", "takes one value"),
        ("sum(r for r in t.row)", "works on numbers"),
        ("t.on # and t.other", "'#' is not allowed"),
        ("t.on\x1b", "is not allowed"),
        ("", "empty"),
        ("t.on t.other", "invalid syntax"),
        ("t.on;", "invalid syntax"),
        ("1or 2", "invalid|not readable"),
        ("+".join(["1"] * 450), "deeper than 40"),
        ("(" * 400, "parentheses"),
        ("-" * 990 + "1", "too deep|deeper than 40"),
        ("t.on or " * 200, "longer than 1,000"),
        ("9" * 990, "larger than"),
    ],
)
def test_refused_with_column_and_reason(text: str, complaint: str) -> None:
    with pytest.raises(ExpressionError, match=complaint.replace("*", r"\*").replace("(", r"\(")) as error:
        COMPILER.compile(text)
    assert 1 <= error.value.column <= len(text) + 1


def test_column_points_at_the_mistake() -> None:
    with pytest.raises(ExpressionError) as error:
        COMPILER.compile("t.name == 'é' and t.mode == 'aut'")
    assert error.value.column == len("t.name == 'é' and t.mode == '")


@given(st.text(max_size=60) | st.text(alphabet="t.on()[]'{}:,+-*/ <>=!andorif 0123456789", max_size=60))
def test_any_text_compiles_or_is_refused_cleanly(text: str) -> None:
    try:
        compiled = COMPILER.compile(text)
    except ExpressionError as refused:
        column = refused.column
    else:
        column = 1
        assert compiled.text == text
    assert 1 <= column <= len(text) + 1


def test_a_definite_failure_names_only_what_failed() -> None:
    term = ask("t.on and t.size_bytes < 5 and t.other", other=DARK)
    assert (term.known, term.value, term.reads) == (True, False, (("t", "size_bytes"),))


def test_a_definite_answer_wins_over_doubt_on_either_side() -> None:
    assert ask("t.other and t.size_bytes < 5", other=DARK) == Term(False, (("t", "size_bytes"),))
    assert ask("t.other or t.size_bytes > 5", other=DARK) == Term(True, (("t", "size_bytes"),))
    row = known((Inner(0, DARK, known(2)), Inner(1, known(9), known(7))))
    assert ask("all(r.low < 5 for r in t.row)", row=row) == Term(False, (("t", "row", 1, "low"),))


def test_absence_in_a_comparison_is_named_alone() -> None:
    term = ask("t.inner.low < t.size_bytes", inner=absent())
    assert (term.known, term.reads, term.note) == (False, (("t", "inner"),), "t.inner is absent")


def test_doubt_names_only_what_was_dark() -> None:
    term = ask("t.on and t.size_bytes > 5 and t.length_m > 1", length_m=DARK)
    assert not term.known
    assert term.reads == (("t", "length_m"),)
    assert "not visible" in term.note


def test_a_dark_step_is_the_read_for_all_below_it() -> None:
    term = ask("t.inner.low < 3", inner=unknown(Why.UNDEFINED))
    assert not term.known
    assert term.reads == (("t", "inner"),)


def test_a_plain_field_is_read_as_the_cell_around_it() -> None:
    assert ask("t.inner.number == 2").reads == (("t", "inner"),)
    assert ask("t.row[1].number == 2").reads == (("t", "row"),)
    assert ask("t.name == 'two'").reads == (("t", "name"),)


def test_elements_are_read_with_their_number() -> None:
    term = ask("all(r.low < r.high for r in t.row)")
    assert term.reads == (("t", "row", 1, "low"), ("t", "row", 1, "high"))
    assert cell_at({"t": thing()}, term.reads[0]) == known(5)


def test_an_index_is_evidence_too() -> None:
    assert ask("t.row[t.size_bytes - 99].low == 1").reads == (("t", "size_bytes"), ("t", "row", 1, "low"))


@pytest.mark.parametrize("text", ["t.codes[7 - t.inner.number] == 1", "t.codes[t.inner.number - 5] == 1"])
def test_an_element_outside_the_row_is_unknown(text: str) -> None:
    term = ask(text)
    assert not term.known
    assert "no element" in term.note


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("t.inner is None", True),
        ("t.inner.low is None", True),
        ("t.inner.low < 5", None),
        ("not t.inner.low < 5", None),
        ("t.inner.low == 5", None),
        ("t.inner.low + 1 > 0", None),
        ("t.inner is not None and t.inner.low < 5", False),
        ("t.inner is None or t.inner.low < 5", True),
        ("rdma_mtu_of(t.inner.low) == 0", None),
    ],
)
def test_absent_is_unknown_unless_it_was_asked_for(text: str, value: bool | None) -> None:
    term = ask(text, inner=absent())
    assert (term.value if term.known else None) is value
    assert term.reads == (("t", "inner"),)


@pytest.mark.parametrize(
    ("text", "value"),
    [("t.mode == 'on'", False), ("t.mode != 'on'", True), ("t.mode in ('on', 'off')", False), ("t.on", None)],
)
def test_an_absent_word_equals_no_word(text: str, value: bool | None) -> None:
    term = ask(f"{text} and True", mode=absent(), on=absent())
    assert (term.value if term.known else None) is value


def test_words_under_doubt_are_unknown() -> None:
    assert not ask("t.mode == 'on'", mode=DARK).known
    assert not ask("t.mode in ('on', 'off')", mode=DARK).known


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("t.size_bytes / (t.inner.low - 5) > 1", "division by zero"),
        ("t.size_bytes // 0 > 1", "zero"),
        ("boom(3) > 1", "3 is not to be had"),
        ("1e19 * 1e19 " + "* 1e19 " * 15 + " > 1", "no finite number"),
        ("min(r.low for r in t.row if r.low > 99) > 1", "empty|no "),
    ],
)
def test_failing_arithmetic_is_doubt_with_a_reason(text: str, note: str) -> None:
    term = ask(text)
    assert not term.known
    assert any(word in term.note for word in note.split("|"))


@pytest.mark.parametrize(
    "text",
    [
        "t.size_bytes < 5",
        "t.size_bytes == 5",
        "t.size_bytes + 1 == 5",
        "t.on and True",
        "t.mode == 'on'",
        "t.inner.low < 5",
        "t.wanted <= t.had",
        "all(w > 1 for w in t.wanted)",
        "t.codes[0] == 1",
        "3 in t.wanted",
        "any(c == 1 for c in t.codes)",
        "len(t.wanted) == 1",
        "t.on == t.other",
    ],
)
def test_values_of_an_unexpected_type_are_doubt_never_an_exception(text: str) -> None:
    wrong = known({"a": []})
    names = ("size_bytes", "on", "mode", "inner", "wanted", "codes")
    assert not ask(text, **dict.fromkeys(names, wrong)).known


def test_any_and_all_over_nothing_name_the_row() -> None:
    assert ask("all(r.low > 1 for r in t.row)", row=known(())) == Term(True, (("t", "row"),))
    assert ask("any(r.low > 1 for r in t.row)", row=known(())) == Term(False, (("t", "row"),))


def test_an_unknown_filter_counts_only_against_elements_that_fail() -> None:
    row = known((Inner(0, DARK, known(2)), Inner(1, known(9), known(7))))
    assert ask("all(r.high < 5 for r in t.row if r.low < 5)", row=row).value is True
    term = ask("all(r.high > 5 for r in t.row if r.low < 5)", row=row)
    assert (term.known, term.reads) == (False, (("t", "row", 0, "low"),))


def test_second_root_object_is_searched_after_the_first() -> None:
    expression = COMPILER.compile("t.carries and t.on")
    assert expression.reads == {("x", "carries"), ("t", "on")}
    assert ask("t.carries and t.on", carries=known(False)) == Term(False, (("x", "carries"),))


def test_judge() -> None:
    applies, holds = COMPILER.compile("t.on"), COMPILER.compile("t.size_bytes > 5")
    x = Extra(DARK)

    def verdict(on: Cell[bool], size_bytes: Cell[int]) -> Term | None:
        return judge(SimpleNamespace(when=applies, require=holds), {"t": thing(on=on, size_bytes=size_bytes), "x": x})

    assert verdict(known(False), known(1)) is None
    assert verdict(known(True), known(1)) == Term(False, (("t", "size_bytes"),))
    assert verdict(DARK, known(9)) == Term(True, (("t", "size_bytes"),))
    blind = verdict(DARK, known(1))
    assert blind is not None
    assert (blind.known, blind.reads) == (False, (("t", "on"),))


def test_lets_are_computed_once_per_subject() -> None:
    calls = []

    def count(value: int) -> int:
        calls.append(value)
        return value

    functions = {"count": Function("count", (("value", int),), int, count, "none")}
    compiler = Compiler({"t": (("t", Thing),)}, functions)
    names: dict[str, Expression | type] = {"n": compiler.compile("count(t.size_bytes)")}
    names["m"] = compiler.compile("n + n", names)
    require = compiler.compile("m == 200 and n == 100", names)
    rule = SimpleNamespace(when=compiler.compile("n > 1", names), require=require)
    assert judge(rule, {"t": thing()}) == Term(True, (("t", "size_bytes"),))
    assert calls == [100]
    assert require.reads == {("t", "size_bytes")}
    judge(rule, {"t": thing(size_bytes=known(7))})
    assert calls == [100, 7]


def test_a_let_inside_a_loop_does_not_disturb_the_loop() -> None:
    names: dict[str, Expression | type] = {"top": COMPILER.compile("max(r.low for r in t.row)")}
    text = "all(r.low <= top and r.low > 0 for r in t.row)"
    assert COMPILER.compile(text, names)({"t": thing()}).value is True


def test_a_let_may_be_an_object() -> None:
    names: dict[str, Expression | type] = {"r": COMPILER.compile("t.row[1]")}
    assert COMPILER.compile("r.low < r.high", names)({"t": thing()}).reads == (
        ("t", "row", 1, "low"),
        ("t", "row", 1, "high"),
    )


def test_parameters() -> None:
    class Values:
        limit = 50
        missing = None

    names: dict[str, Expression | type] = {"params.limit": int, "params.missing": int}
    expression = COMPILER.compile("t.size_bytes < params.limit", names)
    assert expression.reads == {("t", "size_bytes"), ("params", "limit")}
    assert expression({"t": thing(), "params": Values}) == Term(False, (("t", "size_bytes"),))
    assert COMPILER.compile("params.missing is None", names)({"params": Values}).value is True
    with pytest.raises(ExpressionError, match="did you mean 'limit'"):
        COMPILER.compile("params.limmit > 1", names)


def test_a_missing_root_object_is_a_bug_of_the_caller() -> None:
    with pytest.raises(KeyError):
        COMPILER.compile("t.on")({})


def test_a_branch_under_doubt_is_known_where_both_agree() -> None:
    assert ask("5 if t.on else 5", on=DARK).value == 5
    assert not ask("5 if t.on else 6", on=DARK).known


# Doubt must never turn a verdict round: what is known with a cell unknown stays so whatever the cell turns out to be.

_CELLS = {
    "on": (known(True), known(False), absent()),
    "other": (known(True), known(False)),
    "size_bytes": (known(1), known(5), known(9), absent()),
    "mode": (known("on"), known("off"), absent()),
    "wanted": (known(frozenset({3})), known(frozenset[int]()), known(frozenset({3, 4}))),
    "inner": (known(Inner(1, known(5), known(9))), known(Inner(2, absent(), known(1))), absent()),
}
_NUMBERS = st.sampled_from(["t.size_bytes", "t.inner.low", "t.inner.high", "t.inner.number", "3", "len(t.wanted)"])
_SIMPLE = st.one_of(
    st.sampled_from(["t.on", "t.other", "t.mode == 'on'", "t.mode in ('off', 'auto')", "t.inner is None"]),
    st.sampled_from(["3 in t.wanted", "t.wanted <= {3, 5}", "t.size_bytes is not None", "t.inner.low is None"]),
    st.builds(lambda a, op, b: f"({a} {op} {b})", _NUMBERS, st.sampled_from(["<", "<=", "==", "!="]), _NUMBERS),
    st.builds(lambda a, b, c: f"({a} < {b} <= {c} + 1)", _NUMBERS, _NUMBERS, _NUMBERS),
)
_CONDITIONS = st.recursive(
    _SIMPLE,
    lambda inner: st.one_of(
        st.builds(lambda a: f"(not {a})", inner),
        st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from(["and", "or"]), inner),
        st.builds(lambda a, b, c: f"({a} if {b} else {c})", inner, inner, inner),
        st.builds(
            lambda f, a, b: f"{f}({a} or w > 3 for w in t.wanted if {b})", st.sampled_from(["all", "any"]), inner, inner
        ).filter(lambda text: text.count("for") == 1),
    ),
    max_leaves=5,
)


@settings(max_examples=300)
@given(_CONDITIONS, st.data())
def test_what_is_known_under_doubt_stays_so(text: str, data: st.DataObject) -> None:
    expression = COMPILER.compile(text)
    facts = {name: data.draw(st.sampled_from(choices)) for name, choices in _CELLS.items()}
    not_known = data.draw(st.sets(st.sampled_from(sorted(_CELLS)), min_size=1, max_size=2))
    doubtful = expression({"t": thing(**{**facts, **dict.fromkeys(not_known, DARK)}), "x": Extra(DARK)})
    if not doubtful.known:
        assert doubtful.reads
        return
    for values in itertools.product(*(_CELLS[name] for name in sorted(not_known))):
        settled = expression(
            {"t": thing(**{**facts, **dict(zip(sorted(not_known), values, strict=True))}), "x": Extra(DARK)}
        )
        if settled.known:
            assert settled.value == doubtful.value


@settings(max_examples=200)
@given(_CONDITIONS, st.data())
def test_reads_lie_on_cells(text: str, data: st.DataObject) -> None:
    facts = {name: data.draw(st.sampled_from([*choices, DARK])) for name, choices in _CELLS.items()}
    roots = {"t": thing(**facts), "x": Extra(DARK)}
    for read in COMPILER.compile(text)(Bound(roots)).reads:
        assert isinstance(cell_at(roots, read), Cell)


def test_absent_is_shown_as_a_word() -> None:
    assert repr(ABSENT) == "absent"
