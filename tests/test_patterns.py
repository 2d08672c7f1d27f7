"""Patterns that are compiled when they are first used are those that `re.compile` makes."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import roce_audit
from roce_audit import patterns
from roce_audit.patterns import LazyPattern, lazy

_TEXT = "mtu 9214\nMTU 1500\n"


def test_a_lazy_pattern_finds_what_the_compiled_one_finds() -> None:
    late, soon = lazy(r"^mtu (\d+)$", re.M | re.I), re.compile(r"^mtu (\d+)$", re.M | re.I)
    assert late.findall(_TEXT) == soon.findall(_TEXT)
    assert late.sub("x", _TEXT) == soon.sub("x", _TEXT)
    assert [found.span(1) for found in late.finditer(_TEXT)] == [found.span(1) for found in soon.finditer(_TEXT)]
    assert (late.search("no"), late.match("mtu 1").group(1)) == (None, "1")  # type: ignore[union-attr]
    assert (late.pattern, late.flags, late.groups) == (soon.pattern, soon.flags, soon.groups)


def test_it_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Counting:
        @staticmethod
        def compile(text: str, flags: int) -> re.Pattern[str]:
            asked.append(text)
            return re.compile(text, flags)

    monkeypatch.setattr(patterns, "re", Counting)
    late = lazy("mtu")
    assert (late.pattern, asked) == ("mtu", [])
    assert late.match("mtu")
    assert late.search("the mtu")
    assert asked == ["mtu"]


def test_all_of_the_package_can_be_compiled() -> None:
    found = 0
    for module in pkgutil.walk_packages(roce_audit.__path__, "roce_audit."):
        if ".migrations" in module.name or module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, LazyPattern):
                found += 1
                assert value.compiled().pattern == value.pattern
    assert found


def test_it_has_nothing_that_a_pattern_has_not() -> None:
    with pytest.raises(AttributeError):
        lazy("mtu").nothing  # type: ignore[attr-defined]  # noqa: B018
