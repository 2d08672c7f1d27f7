"""Blocks in braces, in both manners of ending a statement."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.text.structured.braces import MAX_DEPTH, quoted, read
from roce_audit.text.structured.nodes import Node


def words(text: str, **how: object) -> list[str]:
    return [" ".join(full) for full, _ in read(text, **how).root.walk()]  # type: ignore[arg-type]


def nodes(text: str, **how: object) -> list[Node]:
    return [node for _, node in read(text, **how).root.walk()]  # type: ignore[arg-type]


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
    (statement,) = nodes("a [\n  b\n  c\n]\n")
    assert statement == Node(("a", "[", "b", "c", "]"), (1, 1, 2, 3, 4), head=4, last=4)


def test_a_block_has_the_lines_of_its_head_and_of_its_end() -> None:
    outer, inner, leaf, after = nodes("a\n b {\n c {\n  d\n }\n}\ne", ends="semicolon")[:4]
    assert (outer.words, outer.line, outer.head, outer.last) == (("a", "b"), 1, 2, 6)
    assert (inner.words, inner.line, inner.head, inner.last) == (("c",), 3, 3, 5)
    assert inner.below == [leaf]
    assert (leaf.line, leaf.is_block, inner.is_block) == (4, False, True)
    assert after.line == 7


def test_words_before_a_statement_say_how_it_is_to_be_taken() -> None:
    how = {"ends": "semicolon", "prefixes": frozenset({"inactive:", "protect:"})}
    block, leaf, last = nodes("inactive: a {\n protect: inactive: b c;\n inactive:\n}", **how)
    assert (block.prefixes, block.words, block.line) == (("inactive:",), ("a",), 1)
    assert (leaf.prefixes, leaf.words) == (("protect:", "inactive:"), ("b", "c"))
    assert (last.prefixes, last.words, last.lines) == (("inactive:",), (), (3,))
    assert words("inactive: a {\n b;\n}", **how) == ["a", "a b"]
    assert words("inactive: a;", ends="semicolon") == ["inactive: a"]


def test_comments_are_kept_with_the_statement_below_or_beside_them() -> None:
    text = "/* for\n the rails */\na { ## one\n b; ## two\n /* three */\n c;\n # of nothing\n} # four\nd"
    a, b, c, d = nodes(text, ends="semicolon")
    assert a.notes == ("/* for\n the rails */", "## one", "# four")
    assert (b.notes, c.notes, d.notes) == (("## two",), ("/* three */",), ())


@pytest.mark.parametrize("word", ["a b", "", "a;", "{", "}}", "#a", "/*", 'a\\"b'])
def test_a_word_is_written_so_that_it_is_read_again(word: str) -> None:
    (node,) = nodes(f"x {quoted(word)} y")
    assert node.words == ("x", word, "y")
    assert [quoted(plain) for plain in ("ethernet-1/{1..4}", "{24..26}")] == ["ethernet-1/{1..4}", "{24..26}"]


def test_a_list_may_be_written_without_blanks() -> None:
    assert words("a [b c]\nd [e]") == ["a [ b c ]", "d [ e ]"]


def test_a_range_is_part_of_a_word() -> None:
    assert words("interface ethernet-1/{1..4} {\n mtu 9000\n}") == [
        "interface ethernet-1/{1..4}",
        "interface ethernet-1/{1..4} mtu 9000",
    ]


def test_a_quoted_word_may_hold_blanks_marks_and_line_ends() -> None:
    first, second = nodes('banner "one {\n two; # three"\nnext')
    assert first.words == ("banner", "one {\n two; # three")
    assert (first.line, first.last, second.line) == (1, 2, 3)


def test_comments_are_left_out() -> None:
    assert words("# a {\nb # c\n/* d {\n */ e\nf#g") == ["b", "e", "f#g"]


def test_with_semicolons_a_statement_may_run_over_lines() -> None:
    text = "a { ## note\n  b c\n   d; e; /* f\n */ g [ h i ];\n}\n"
    assert words(text, ends="semicolon") == ["a", "a b c d", "a e", "a g [ h i ]"]
    assert [node.line for node in nodes(text, ends="semicolon")] == [1, 2, 3, 4]


def test_line_numbers_begin_where_the_text_does() -> None:
    assert [node.line for node in nodes("a\n\nb", first_line=10)] == [10, 12]


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
    for _, node in found.root.walk():
        lines = [1, *node.lines, node.head, node.last, text.count("\n") + 1]
        assert lines == sorted(lines)
        assert all(node.head <= inner.line and inner.last <= node.last for inner in node.below)


def test_a_block_may_begin_without_a_blank() -> None:
    assert words("groups {\n  roce{\n    a b;\n  }\n}\n", ends="semicolon") == [
        "groups",
        "groups roce",
        "groups roce a b",
    ]
    assert words("a x{2,3};\n", ends="semicolon") == ["a x{2,3}"]
