"""What the captures of a row are read by: ranges, lists of words, and the types of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from roce_audit.text.statements.forms import ANY, Capture, FormError

Reader = Callable[[str], object]
"""The meaning of a text; raises ValueError for one that the capture cannot take."""

_MEANINGS: Mapping[str, Mapping[str, bool]] = {"on|off": {"on": True, "off": False}}
"""Alternatives whose meaning needs no saying."""
_DIGITS = frozenset("0123456789")
_MOST_DIGITS = 20


def reader_of(capture: Capture, types: Mapping[str, Reader]) -> Reader:
    """What reads the words of a capture; of a list of words, one that is among them. Raises FormError for a type that nobody has."""
    if ".." in capture.type:
        return _in_range(capture.type)
    if capture.words:
        meaning = _MEANINGS.get(capture.type)
        return _text if meaning is None else meaning.__getitem__
    if capture.type != ANY and capture.type not in types:
        raise FormError(f"<{capture.name}:{capture.type}>: no such type in the table")
    return types.get(capture.type, _text)


def _text(text: str) -> str:
    return text


def _in_range(type_: str) -> Reader:
    low, high = (int(bound) for bound in type_.split(".."))

    def read(text: str) -> int:
        if not _DIGITS.issuperset(text) or len(text) > _MOST_DIGITS or not low <= int(text) <= high:
            raise ValueError(f"{text} is outside {type_}")
        return int(text)

    return read
