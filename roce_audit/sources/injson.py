"""A configuration that stands as one string in JSON, as NAPALM and the switches' HTTP interfaces hand it out.

It is not read: all of it is one line of the file, and no finding could point into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roce_audit.sources import detect
from roce_audit.text.document import Document
from roce_audit.text.structured.jsontext import JsonError, parse

AROUND = "JSON around a configuration"
"""Begins the word for such a text."""
_LINES = 5
"""A configuration has more."""
_STRINGS = 20
"""That many are asked about."""


def word(text: str) -> str:
    """What to do with a JSON text around a configuration; empty for any other text."""
    try:
        strings = _long_strings(parse(text).value, "")
    except JsonError:
        return ""
    for (key, said), _ in zip(strings, range(_STRINGS), strict=False):
        platform = detect.choose((Document("", said),)).platform
        if platform:
            return f"{AROUND} of {platform} ({key}): give that as a text of its own"
    return ""


def _long_strings(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """The strings of many lines, each with the key that it stands below."""
    if isinstance(value, str) and value.count("\n") > _LINES:
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _long_strings(inner, f"`{name}`")
    elif isinstance(value, list):
        for inner in value:
            yield from _long_strings(inner, key)
