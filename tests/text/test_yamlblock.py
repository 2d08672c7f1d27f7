"""The quick reader of plain block YAML gives what the full parser gives, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from roce_audit.engine.rules import rulepack
from roce_audit.text.structured import yamlblock, yamltext

_WORDS = [
    "a",
    "b",
    "swp1-2",
    "10",
    "'10'",
    '"x y"',
    "on",
    "true",
    "null",
    "1.5",
    "0x1f",
    "24,25,27-31",
    "a b",
    "::1",
    "a:b",
    "[a, 1, 'b c']",
    "[ a ]",
    "$x",
    "-8",
    "'it''s'",
    '"a\\nb \\"c\\" \\\\"',
]
_SMALL = [
    "- ",
    "-",
    ": ",
    ":",
    "  ",
    "    ",
    "{}",
    "{a: b}",
    "{a: 1.5, 'b': c:d}",
    "{",
    "}",
    ", ",
    "[]",
    "\n",
    " #c",
    "#",
    "'",
    '"',
    "~",
    "&a ",
    "*a",
    "|",
    ">",
    ",",
    "---",
    "\t",
    "é",
]


def _same(text: str) -> None:
    quick = yamlblock.parse(text, 1)
    if quick is None:
        return
    (full,) = yamltext._documents(text, 1)
    assert (quick[0], quick[1]) == (full.value, full.root), text
    assert repr(quick[0]) == repr(full.value), text  # 1 and 1.0 and True are equal


@given(st.lists(st.sampled_from([*_WORDS, *_SMALL, "\n", "\n  ", "\n- ", "\n    ", ": "]), max_size=24).map("".join))
@settings(max_examples=600)
@example("a:\n- b\n- c: 1\n  d:\n  - e\nf: {}\n")
@example("- a: b\n   c: d\n")
@example("a: b\n  c\n")
@example("a:\n  b: 1\n c: 2\n")
@example("a: 1\na: 2\n")
@example("- - a\n  - b\n-  c:\n   - d\n")
@example("a:\n\n  # c\n  b: 'x' # y\n")
@example("a: b # c\n  d\n")
@example("a:b\nc: d\n")
@example("- a\n-\n")
@example("a: 1\n- b\n")
def test_what_is_read_is_read_alike(text: str) -> None:
    _same(text)


_SCALARS = st.sampled_from(_WORDS)
_TREES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_WORDS[:6]), inner, max_size=4),
    max_leaves=20,
)


def _written(tree: object, indent: int) -> str:
    pad = " " * indent
    if isinstance(tree, dict):
        return "".join(f"{pad}{key}:{_behind(inner, indent)}" for key, inner in tree.items())
    assert isinstance(tree, list)
    return "".join(f"{pad}-{_behind(inner, indent)}" for inner in tree)


def _behind(tree: object, indent: int) -> str:
    if isinstance(tree, str):
        return f" {tree}\n"
    if not tree:
        return " {}\n" if isinstance(tree, dict) else " []\n"
    return "\n" + _written(tree, indent + 2)


@given(st.dictionaries(st.sampled_from(_WORDS[:6]), _TREES, min_size=1, max_size=4))
def test_plain_blocks_are_read(tree: dict[str, object]) -> None:
    text = _written(tree, 0)
    assert yamlblock.parse(text, 1) is not None, text
    _same(text)


_LINES = st.lists(
    st.sampled_from(["a b", "  set in", "# no remark", "k: v", "- x", "", "", "'", "{{ y }}", "---"]), max_size=6
)


@given(
    st.sampled_from(["k: ", "- ", "- k: ", "o:\n  k: ", "o:\n- ", "k: 1\nl: "]),
    st.sampled_from(["|", ">", "|-", ">-", "|+", ">+"]),
    _LINES,
    st.integers(1, 5),
    st.sampled_from(["", "# end\n", "m: 1\n", "- z\n", "  m: 1\n", "---\n"]),
)
@settings(max_examples=800)
def test_texts_of_several_lines_are_read_alike(
    before: str, sign: str, lines: list[str], indent: int, after: str
) -> None:
    body = "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in lines)
    text = f"{before}{sign}\n{body}{after}"
    if yamlblock.parse(text, 1) is not None:
        _same(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("k: |\n  a\n\n  b\nm: 1\n", {"k": "a\n\nb\n", "m": 1}),
        ("k: >-\n  a\n  b\n\n  c\n    d\n  e\n", {"k": "a b\nc\n  d\ne"}),
        ("- k: |+\n    a\n\n- >\n  b\n", [{"k": "a\n\n"}, "b\n"]),
        ("k: a |\nl: b-\n", {"k": "a |", "l": "b-"}),
    ],
)
def test_texts_of_several_lines_are_read(text: str, value: object) -> None:
    quick = yamlblock.parse(text, 1)
    assert quick is not None
    assert quick[0] == value
    _same(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a: [[1]]",
        "a: [1: 2]",
        "a: [1,]",
        'a: "\\x41"\n',
        "a: {b: [c]}\n",
        "a: {b: {c: d}}\n",
        "a: {b: c, b: d}\n",
        "a: {b: c,\n  d: e}\n",
        "a: {b: c d: e}\n",
        "a: |2\n  b\n",
        "a: |\n  b",
        "a: |\n",
        "a: |\nb: 1\n",
        "a: |\n   \n  b\n",
        "a: |\n  b\tc\n",
        "- |\n  a\n b\n",
        "a: &x 1\n",
        "a: !!str b\n",
        "? a\n: b\n",
        "a: 1\n---\nb: 2\n",
        "<<: 1\n",
        "a:\tb\n",
        "a: 'b\n  c'\n",
        "a: 1\na: 2\n",
        "a: b: c\n",
        "".join(f"{' ' * n}a:\n" for n in range(40)),
        "a: \u202eb\n",
    ],
)
def test_everything_else_is_left_to_the_full_parser(text: str) -> None:
    assert yamlblock.parse(text, 1) is None


def test_the_rules_are_plain() -> None:
    """So that a first run needs no other reader."""
    rules = rulepack.builtin_folder()
    files = [file for file in rules.glob("*/*.yaml") if file.parent.name != rulepack.SKELETON]
    assert files
    assert [str(file) for file in files if yamlblock.parse(file.read_text(encoding="utf-8"), 1) is None] == []
