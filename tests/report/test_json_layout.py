"""JSON as reports lay it out: the bytes of the standard encoder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from roce_audit.report.jsontext import laid_out, pieces

VALUES: list[Any] = [
    *(None, True, False, 0, -7, 10**30, 0.1, 1e300, -0.0, "", 'a\n"\\<ü\u2028\U0001f600\ud800\x00'),
    *([], {}, [[]], [{}], {"a": []}, {"a": {}}, [None, [1, [2.5, "x"]], {"b": {"c": [True]}}], (1, ("a",))),
    {"one": "words", "ü": 2, "list": [{"id": "a", "line": 1}, {"id": "b", "line": None}], "none": None},
]


@pytest.mark.parametrize("value", VALUES)
def test_the_bytes_are_those_of_the_standard_encoder(value: Any) -> None:
    assert laid_out(value) == json.dumps(value, indent=1)
    whole = {"first": value, "second": {"a": value}}
    assert "".join(pieces(whole)) == json.dumps(whole, indent=1)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), {1: 2}, {1, 2}, [object()]])
def test_what_json_cannot_say_is_refused(bad: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        laid_out({"a": [bad]})


def test_what_an_iterator_gives_is_a_list_that_is_never_whole() -> None:
    told: list[int] = []

    def values() -> Iterator[object]:
        for n in range(3):
            told.append(n)
            yield {"n": n}

    parts = pieces({"a": 1, "b": values(), "c": iter(()), "d": "e"})
    text = ""
    for part in parts:
        text += part
        assert len(told) <= text.count('"n"') + 1
    assert text == json.dumps({"a": 1, "b": [{"n": 0}, {"n": 1}, {"n": 2}], "c": [], "d": "e"}, indent=1)
    assert "".join(pieces({})) == "{}"
