"""Leaves of a tree are read word by word: where each word stands says what it is, so they need no grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from roce_audit.text.statements.captures import Reader, reader_of
from roce_audit.text.statements.forms import Capture
from roce_audit.text.statements.rows import VALUE, Leaf, Row


def read_keys(row: Row, words: Sequence[str], types: Mapping[str, Reader]) -> tuple[object, ...]:
    """The keys of a leaf among the first of its words; () if one of them is not understood. Raises FormError as `reader_of` does."""
    found: list[object] = []
    for element, word in zip(row.form, words, strict=False):
        if isinstance(element, Capture) and element.name != VALUE:
            read = reader_of(element, types)
            try:
                found.append(read(word))
            except (LookupError, ValueError):
                return ()
    return tuple(found)


def read_leaf(row: Row, words: Sequence[str], types: Mapping[str, Reader]) -> Leaf | None:
    """What a leaf says; None where it is not understood."""
    last = row.form[-1]
    keys = read_keys(row, words, types)
    if len(words) != len(row.form) or len(keys) != row.leaf.split(" ").count("*"):
        return None
    if isinstance(last, Capture) and last.name == VALUE:
        read = reader_of(last, types)
        with suppress(LookupError, ValueError):
            return Leaf(row.leaf, keys, read(words[-1]))
        return None
    return Leaf(row.leaf, keys, None)
