"""Blocks in braces, in both manners of ending a statement."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.text.braces import MAX_DEPTH, Statement, read


def words(text: str, **how: object) -> list[str]:
    return [" ".join(s.words) for s in read(text, **how).statements]  # type: ignore[arg-type]


def test_a_statement_carries_the_words_of_its_blocks() -> None:
    assert words("qos {\n  queues {\n    queue a {\n      queue-index 3\n    }\n  }\n}\n") == [
        "qos",
        "qos queues",
        "qos queues queue a",
        "qos queues queue a queue-index 3",
    ]


def test_flat_lines_and_blocks_may_alternate() -> None:
    assert words("set / a b\nc {\n d\n}\nset / e") == ["set / a b", "c", "c d", "set / e"]


def test_a_list_may_run_over_lines_and_each_word_has_its_own() -> None:
    (statement,) = read("a [\n  b\n  c\n]\n").statements
    assert statement == Statement(("a", "[", "b", "c", "]"), (1, 1, 2, 3, 4))


def test_a_list_may_be_written_without_blanks() -> None:
    assert words("a [b c]\nd [e]") == ["a [ b c ]", "d [ e ]"]


def test_a_range_is_part_of_a_word() -> None:
    assert words("interface ethernet-1/{1..4} {\n mtu 9000\n}") == [
        "interface ethernet-1/{1..4}",
        "interface ethernet-1/{1..4} mtu 9000",
    ]


def test_a_quoted_word_may_hold_blanks_marks_and_line_ends() -> None:
    first, second = read('banner "one {\n two; # three"\nnext').statements
    assert first.words == ("banner", "one {\n two; # three")
    assert second.line == 3


def test_comments_are_left_out() -> None:
    assert words("# a {\nb # c\n/* d {\n */ e\nf#g") == ["b", "e", "f#g"]


def test_with_semicolons_a_statement_may_run_over_lines() -> None:
    text = "a { ## note\n  b c\n   d; e; /* f\n */ g [ h i ];\n}\n"
    assert words(text, ends="semicolon") == ["a", "a b c d", "a e", "a g [ h i ]"]
    assert [s.line for s in read(text, ends="semicolon").statements] == [1, 2, 3, 4]


def test_line_numbers_begin_where_the_text_does() -> None:
    assert [s.line for s in read("a\n\nb", first_line=10).statements] == [10, 12]


@pytest.mark.parametrize(
    ("text", "line", "wrong"),
    [
        ("a {\n b {\n}\n", 1, "never closed"),
        ("a\n}\nb", 2, "no block opened"),
        ('a\nb "c\n', 2, "never closed"),
        ("a { " * (MAX_DEPTH + 2), 1, "nested deeper"),
    ],
)
def test_damage_has_a_line(text: str, line: int, wrong: str) -> None:
    found = read(text)
    assert found.damage == line
    assert wrong in found.wrong


def test_what_stands_before_damage_is_kept() -> None:
    assert words("a\nb {\n c\n}\n}\nd") == ["a", "b", "b c"]


@given(st.text(alphabet='ab {}[];"#/*\\\n\t\u00a0', max_size=80), st.sampled_from(("line", "semicolon")))
@settings(max_examples=300)
def test_any_text_is_read_without_an_exception(text: str, ends: str) -> None:
    found = read(text, ends=ends)  # type: ignore[arg-type]
    assert all(1 <= line <= text.count("\n") + 1 for s in found.statements for line in s.lines)
