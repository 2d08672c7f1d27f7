"""Values, lines and refusals of YAML texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.text.structured.yamltext import YamlError, documents, parse

_TEXT = """# a comment
a:
  - b: on
    c: 0x1f
list: [1, 2.5, ~, "3"]
'26': |
  two
  lines
"""


def test_values_and_lines() -> None:
    found = parse(_TEXT)
    assert found.value == {"a": [{"b": "on", "c": 31}], "list": [1, 2.5, None, "3"], "26": "two\nlines\n"}
    assert found.line_of(()) == 2
    assert found.line_of(("a", 0, "c")) == 4
    assert found.line_of(("list", 2)) == 5
    assert found.line_of(("26",)) == 6
    assert found.nearest_line_of(("a", 0, "zz", 4)) == 3
    with pytest.raises(KeyError):
        found.line_of(("a", 1))


def test_scalars_follow_yaml_1_2() -> None:
    text = "[on, off, yes, no, true, False, null, 012, 1_000, 12:30, 2027-01-31, .nan, 1e3, -7, +7, '']"
    assert parse(text).value == [
        *("on", "off", "yes", "no"),
        *(True, False, None, 12, "1_000", "12:30", "2027-01-31", ".nan", 1000.0, -7, 7, ""),
    ]


def test_an_empty_text_holds_nothing() -> None:
    assert parse("").value is None
    assert parse("# only a comment\n").value is None


def test_aliases_are_followed() -> None:
    found = parse("x: &q {z: 1}\ny: *q\n")
    assert found.value == {"x": {"z": 1}, "y": {"z": 1}}
    assert found.line_of(("y",)) == 2
    assert found.line_of(("y", "z")) == 1


def test_merged_entries_yield_to_those_of_the_mapping_and_stand_where_they_are_written() -> None:
    text = 'a: &a {x: 1, y: 1}\nb: &b\n  <<: *a\n  y: 2\n  z: 2\nc:\n  <<: [*a, *b]\n  x: 3\n"<<": text\n'
    found = parse(text)
    assert found.value == {
        "a": {"x": 1, "y": 1},
        "b": {"x": 1, "y": 2, "z": 2},
        "c": {"x": 3, "y": 1, "z": 2},
        "<<": "text",
    }
    assert [found.line_of(("c", key)) for key in "xyz"] == [8, 1, 5]
    assert [found.line_of(("b", key)) for key in "xyz"] == [1, 4, 5]
    assert list(found.value["c"]) == ["x", "y", "z"]


def test_a_program_that_knows_no_merge_keys_refuses_them() -> None:
    with pytest.raises(YamlError, match="not known here"):
        documents("x: &q {z: 1}\ny:\n  <<: *q\n", merge_keys=False)


def test_merged_entries_are_counted_out() -> None:
    deep = "".join(f"a{n + 1}: &a{n + 1}\n  <<: *a{n}\n  b{n}: *a{n}\n" for n in range(30))
    with pytest.raises(YamlError, match="aliases counted out"):
        parse(f"a0: &a0 {{x: 1}}\n{deep}")


def test_several_documents() -> None:
    text = "a: 1\n---\nb: 2\n"
    assert [d.value for d in documents(text)] == [{"a": 1}, {"b": 2}]
    assert documents(text, first_line=10)[1].line_of(("b",)) == 12
    with pytest.raises(YamlError, match="second document"):
        parse(text)


_LEVELS = "abcdefghi"
_BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in pairwise(_LEVELS)
)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (_BOMB, 6, "aliases"),
        ("a: 1\nb: !!python/object:x y", 2, "tags"),
        ("!x a", 1, "tags"),
        ("[" * 100, 1, "deeper"),
        ("a: 1\nb: 2\na: 3", 3, "second time (first in line 1)"),
        ("a: &x [*x]", 1, "alias"),
        ("a: *u", 1, "alias"),
        ("x: &q 1\ny:\n  <<: *q", 3, "merge key"),
        ("x: &q {z: 1}\ny:\n  <<: [*q, 2]", 3, "merge key"),
        ("? [a]\n: b", 1, "key"),
        ("- a\n b: [", 2, "a ':' where no key can stand"),
        ("a: [\n  x: {", 2, "the text ends where a value should stand"),
        ("a: 'b", 1, "a quote that is never closed"),
        ("a: \x01", 1, "character"),
        ('a: "\\U00110000"', 1, "escape"),
        ("\t- x", 1, "a tab"),
    ],
)
def test_refusals_name_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(YamlError) as caught:
        parse(text)
    assert (caught.value.line, words in caught.value.message) == (line, True), caught.value


def test_a_key_that_stands_twice_with_the_same_value_says_nothing_else() -> None:
    text = "x: &q {z: 1}\nenv:\n  A: x\n  <<: *q\n  B: 1\n  A: x\n"
    assert parse(text).value["env"] == {"A": "x", "B": 1, "z": 1}
    with pytest.raises(YamlError, match="a second time"):
        parse(text.replace("B: 1\n  A: x", "B: 1\n  A: y"))


def test_size_limit() -> None:
    with pytest.raises(YamlError, match="limit"):
        parse("a: 1\n", max_characters=4)


def test_escaped_control_characters_do_not_get_through() -> None:
    assert parse('"\\e[31m\\u202e"').value == "\ufffd[31m\ufffd"


@given(st.text("ab:-[]{}&*!|>'\"%@#?,. \n\t\\x0u~<", max_size=60))
def test_garbage_gives_values_or_a_clean_error(text: str) -> None:
    try:
        lines = [document.line_of(()) for document in documents(text)]
    except YamlError as error:
        lines = [error.line]
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


def test_an_unfinished_quote_is_told_where_it_begins() -> None:
    with pytest.raises(YamlError) as caught:
        parse("a: 1\nb: 'x\nc: 2\n")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("a:\n  b: 1\n  # more\nc: 2\n", 2),
        ("a: {b: 1,\n  c: 2\n  }\nd: 3\n", 3),
        ("a: [1,\n  2]\nd: 3\n", 2),
        ("a: |\n  one\n  two\nd: 3\n", 3),
        ("a: 'one\n  two'\nd: 3\n", 2),
        ("a:\n\nd: 3\n", 1),
        ("a:\n  - 1\n  -\n\nd: 3\n", 3),
    ],
)
def test_every_value_has_the_line_on_which_it_ends(text: str, last: int) -> None:
    found = parse(text)
    assert (found.root.members or {})["a"].last == last
    assert found.root.last == text.count("\n")


def test_what_a_programs_own_tags_make_of_a_word_is_not_here() -> None:
    """`!vault` of Ansible and `!Ref` of CloudFormation hide one value each, not the file; a type of Python is refused as ever."""
    text = "pass: !vault |\n  6162\nid: !Ref Block\nname: !Sub 'mlx5_${n}'\nall: !Split [',', b]\n"
    with pytest.raises(YamlError, match="tags"):
        documents(text)
    (found,) = documents(text, own_tags=True)
    assert found.value == {"pass": "{{ vault }}", "id": "{{ Ref }}", "name": "mlx5_${n}", "all": [",", "b"]}
    assert found.line_of(("id",)) == 3
    with pytest.raises(YamlError, match="tags"):
        documents("a: !!python/object:x y", own_tags=True)
