"""Values, lines and refusals of JSON texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.text.structured.jsontext import MAX_DEPTH, Duplicate, JsonError, JsonText, parse

_TEXT = """{
  "PORT": {
    "Ethernet0": {"mtu": "9100",
      "lanes": [1, 2,
        3]}
  },
  "X": null
}
"""


def test_values_and_lines() -> None:
    found = parse(_TEXT)
    assert found.value == json.loads(_TEXT)
    assert found.line_of(()) == 1
    assert found.line_of(("PORT", "Ethernet0", "mtu")) == 3
    assert found.line_of(("PORT", "Ethernet0", "lanes")) == 4
    assert found.line_of(("PORT", "Ethernet0", "lanes", 2)) == 5
    assert found.line_of(("X",)) == 7


def test_the_line_of_what_is_not_there_is_that_of_what_holds_it() -> None:
    for text in ('{\n "a": {\n  "b": [1]\n }\n}\n', '{"a": {"b": [1]}}'):
        found = parse(text)
        assert found.nearest_line_of(("a", "b", 7, "c")) == found.line_of(("a", "b"))
        assert found.nearest_line_of(("x",)) == found.line_of(())


def test_lines_count_from_the_first_line_of_the_document() -> None:
    assert parse(_TEXT, first_line=100).line_of(("X",)) == 106
    with pytest.raises(JsonError) as caught:
        parse('{"a": 1,\n"b" 2}', first_line=100)
    assert caught.value.line == 101


@pytest.mark.parametrize("path", [("Y",), ("X", "deeper"), ("PORT", 0), ("PORT", "Ethernet0", "lanes", 3)])
def test_a_path_that_is_none(path: tuple[str | int, ...]) -> None:
    with pytest.raises(KeyError):
        parse(_TEXT).line_of(path)


def test_repeated_keys_are_told_with_both_lines() -> None:
    found = parse('{"a": 1,\n "b": {"c": 1,\n "d": 2,\n "c": 3},\n "a": [{}, {"x": 1, "x": 2}]}')
    assert found.value == {"a": [{}, {"x": 2}], "b": {"c": 3, "d": 2}}
    assert found.duplicates == (
        Duplicate(("b", "c"), 2, 4),
        Duplicate(("a",), 1, 5),
        Duplicate(("a", 1, "x"), 5, 5),
    )
    assert found.line_of(("a",)) == 5
    assert parse(_TEXT).duplicates == ()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[" * 10_000, 1, "deeper"),
        ("[\n" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), MAX_DEPTH + 1, "deeper"),
        ('{"a":' * 10_000, 1, "deeper"),
        ('["NaN",\n NaN]', 2, "NaN"),
        ("[\n -Infinity]", 2, "Infinity"),
        ("[1,\n 1e999]", 2, "1e999"),
        ("[\n" + "9" * 5_000 + "]", 2, "digits"),
        ('{"a": 1,\n"b": [1, 2', 2, "cut off"),
        ('{"a": 1,\n"b": "x', 2, "cut off"),
        ('{"a": 1,\n"b" 2}', 2, "delimiter"),
        ("", 1, "cut off"),
        ("{} x", 1, "extra data"),
    ],
)
def test_refusals_name_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text)
    assert (caught.value.line, words in caught.value.message) == (line, True)


def test_the_deepest_text_that_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse(text).line_of((0,) * (MAX_DEPTH - 1)) == 1


def test_size_limit() -> None:
    with pytest.raises(JsonError, match="limit"):
        parse("[1, 2]", max_characters=5)


def test_escaped_control_characters_do_not_get_through() -> None:
    found = parse('{"a\\u001b": "x\\u009b\\u202e\\ud800\\b\\n", "b": ["\\u00fc"]}')
    assert found.value == {"a\ufffd": "x\ufffd\ufffd\ufffd\ufffd\n", "b": ["ü"]}
    assert found.line_of(("a\ufffd",)) == 1


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab"\\{}[]:, ü\n', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"\\{:', max_size=3), inner, max_size=3),
    max_leaves=15,
)


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(path, value)] + [p for step, inner in members for p in _paths(inner, (*path, step))]


@given(_VALUES, st.sampled_from([None, 0, 2]))
def test_positions_agree_with_the_text(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    found = parse(text)
    assert found.value == value
    lines = text.split("\n")
    last = 0
    for path, inner in _paths(value):
        line = found.line_of(path)
        assert line >= last  # members follow each other as they were written
        last = line
        if indent is not None and path:
            head = f"{json.dumps(path[-1])}: " if isinstance(path[-1], str) else ""
            start = json.dumps(inner)[:1]
            assert lines[line - 1].strip().startswith(head + start)


@given(st.text('{}[]",:ab1-.eEN\\u0\n ', max_size=60))
def test_garbage_gives_a_value_or_a_clean_error(text: str) -> None:
    try:
        line = parse(text).line_of(())
    except JsonError as error:
        line = error.line
    assert 1 <= line <= text.count("\n") + 1


def test_every_value_has_the_line_on_which_it_ends() -> None:
    found = parse('{\n "a": {\n  "b": [\n   1\n  ], "c": {}},\n "d":\n  "e"\n}', first_line=10)
    ends = {path: found.last_line_of(path) for path in [(), ("a",), ("a", "b"), ("a", "b", 0), ("a", "c"), ("d",)]}
    assert ends == {(): 17, ("a",): 14, ("a", "b"): 14, ("a", "b", 0): 13, ("a", "c"): 14, ("d",): 16}
    with pytest.raises(KeyError):
        found.last_line_of(("x",))


@given(_VALUES, st.sampled_from([0, 1, 4]), st.integers(0, 60), st.sampled_from(["", "\n", " ", "\n\n"]))
def test_lines_that_follow_from_the_values_are_those_of_the_text(value: Any, indent: int, at: int, blank: str) -> None:
    """Where a text has one member on each line; a break or a blank somewhere may make it another one."""
    text = json.dumps(value, indent=indent)
    text = text[:at] + blank + text[at:]
    try:
        found = parse(text, first_line=7)
    except JsonError:
        return
    scanned = JsonText(text, found.value, False, 7, as_written=False)
    for path, _ in _paths(found.value):
        assert found.line_of(path) == scanned.line_of(path)
        assert found.last_line_of(path) == scanned.last_line_of(path)
        keys = list(inner) if isinstance(inner := _value_at(found.value, path), dict) else []
        assert found.lines_of(path, keys) == [scanned.line_of((*path, key)) for key in keys]


def _value_at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value
