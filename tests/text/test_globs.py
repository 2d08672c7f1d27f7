"""Globs and number ranges: what they cover, what they refuse, and that hostile ones come to an end."""

import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.text import globs


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("leaf-b*", "leaf-b17"),
        ("leaf-b*", "leaf-b"),
        ("*", ""),
        ("leaf?", "leaf1"),
        ("gpu[45]", "gpu4"),
        ("gpu[!45]", "gpu6"),
        ("leaf[1-16]", "leaf12"),
        ("leaf[1-16,20]", "leaf20"),
        ("leaf[08-12]", "leaf09"),
        ("rack-1-2", "rack-1-2"),
        ("*GPU*", "to gpu server"),
        ("a*b*c", "aXbbXc"),
        ("a.b", "a.b"),
    ],
)
def test_covers(pattern: str, text: str) -> None:
    assert globs.matches(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("leaf-b*", "oleaf-b1"),
        ("leaf?", "leaf12"),
        ("gpu[45]", "gpu6"),
        ("gpu[!45]", "gpu4"),
        ("leaf[1-16]", "leaf17"),
        ("leaf[1-16]", "leaf161"),
        ("leaf[1-16]x", "leaf1"),
        ("rack-1-9", "rack-5"),
        ("a.b", "axb"),
        ("a*b*c", "acb"),
        ("leaf", "leaf\n"),
    ],
)
def test_does_not_cover(pattern: str, text: str) -> None:
    assert not globs.matches(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "port", "covered"),
    [
        ("Ethernet1/33-36", "Ethernet1/33", True),
        ("Ethernet1/33-36", "Ethernet1/36", True),
        ("Ethernet1/33-36", "Ethernet1/37", False),
        ("Ethernet1/33-36", "Ethernet1/333", False),
        ("Ethernet1/33-36", "Ethernet1/33/1", False),
        ("Ethernet1/33-36/*", "Ethernet1/33/1", True),
        ("Ethernet1-2/1-16", "Ethernet2/9", True),
        ("swp1-16s0-3", "swp16s3", True),
        ("et-0/0/0-15", "et-0/0/0", True),
        ("Ethernet1/1-16", "ethernet1/1", True),
        ("*1-16", "Ethernet116", False),
        ("*1-16", "Ethernet16", True),
    ],
)
def test_ranges_in_port_names(pattern: str, port: str, covered: bool) -> None:
    assert globs.matches_port(pattern, port) is covered


@given(st.integers(0, 2000), st.integers(0, 2000), st.integers(0, 2500))
def test_a_range_holds_exactly_its_numbers(one: int, other: int, number: int) -> None:
    low, high = sorted((one, other))
    assert globs.matches_port(f"p{low}-{high}", f"p{number}") == (low <= number <= high)


@given(st.text("ab?*[]!1", max_size=12), st.text("ab1", max_size=12))
def test_agrees_with_the_shell(pattern: str, text: str) -> None:
    try:
        got = globs.matches(pattern, text)
    except ValueError:
        return
    if "[" not in pattern:
        assert got == fnmatch.fnmatchcase(text, pattern)


@given(st.lists(st.sampled_from(["*", "a", "b", "1-3", "?"]), min_size=1, max_size=8), st.text("ab1234", max_size=10))
def test_forgetting_alternatives_loses_no_match(pieces: list[str], text: str) -> None:
    """Against the plain backtracking expression of the same pattern."""
    words = {"*": ".*", "?": ".", "1-3": "(?<![0-9])[1-3](?![0-9])"}
    pattern = "".join(pieces)
    if re.search(r"\d{2}|\d-\d-", pattern):
        return
    slow = re.fullmatch("".join(words.get(p, p) for p in pieces), text) is not None
    assert globs.matches_port(pattern, text) == slow


@pytest.mark.parametrize("pattern", ["", "[", "a[bc", "[!]", "p9-3", "[20-10]", "[z-a]", "a" * 300, "p1-99999999999"])
def test_refuses(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        globs.check(pattern, port=True)


@given(st.text(max_size=40), st.text(max_size=40), st.booleans())
def test_a_pattern_is_refused_when_it_is_checked_or_never(pattern: str, text: str, port: bool) -> None:
    ask = globs.matches_port if port else globs.matches
    try:
        globs.check(pattern, port=port)
    except ValueError as refused:
        with pytest.raises(ValueError, match=re.escape(str(refused))):
            ask(pattern, text)
    else:
        assert ask(pattern, text) in (True, False)


def test_hostile_patterns_come_to_an_end() -> None:
    assert not globs.matches("*a" * 100 + "b", "a" * 20_000)
    assert not globs.matches_port("*1-9" * 50 + "x", "a1" * 10_000)


def test_a_port_name_may_hold_colons() -> None:
    assert globs.split_port("leaf1:et-0/0/1:2") == ("leaf1", "et-0/0/1:2")
