"""Marks of an unfinished merge: what stands between them, and what hangs on it, is left out, line for line."""

from __future__ import annotations

from roce_audit.text.conflictmarks import without_conflicts

MERGED = "interface e1\n mtu 1\n<<<<<<< HEAD\n mtu 2\n=======\n mtu 3\n>>>>>>> other\n shutdown\n"


def test_what_stands_between_the_marks_is_left_out_and_no_line_moves() -> None:
    assert without_conflicts(MERGED) == ("interface e1\n mtu 1\n\n\n\n\n\n shutdown\n", 3, 3)


def test_lines_of_a_stanza_that_was_opened_between_the_marks_belong_to_no_other() -> None:
    text = "interface e1\n<<<<<<< a\ninterface e2\n||||||| b\n=======\ninterface e3\n>>>>>>> c\n mtu 9\nend\n"
    assert without_conflicts(text) == ("interface e1\n\n\n\n\n\n\n\nend\n", 2, 4)


def test_a_mark_that_was_forgotten_is_one() -> None:
    assert without_conflicts("a\n>>>>>>> other\nb\n") == ("a\n\nb\n", 2, 1)
    text, first, marks = without_conflicts("a\n<<<<<<< HEAD\nb\n=======\nc\n")
    assert (text, first, marks) == ("a\n\n\n\n\n", 2, 2)


def test_rows_of_signs_and_arrows_are_no_marks() -> None:
    for text in ("name\n=======\nx\n", "<<<<<<<<<< a\n", "x >>>>>>> y\n", "a <<< b\n", "=======\n=======\n"):
        assert without_conflicts(text) == (text, 0, 0)
