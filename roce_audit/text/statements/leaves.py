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
    for at, (element, word) in enumerate(zip(row.form, words, strict=False)):
        if isinstance(element, Capture) and element.name != VALUE:
            read = reader_of(element, types)
            try:
                found.append(read(" ".join(words[at:]) if element.many else word))
            except ValueError:
                return ()
    return tuple(found)


def read_leaf(row: Row, words: Sequence[str], types: Mapping[str, Reader]) -> Leaf | None:
    """What a leaf says; None where it is not understood."""
    last, size = row.form[-1], len(row.form)
    keys = read_keys(row, words, types)
    fits = len(words) == size or (len(words) > size and isinstance(last, Capture) and last.many)
    if not fits or len(keys) != row.leaf.split(" ").count("*"):
        return None
    if not isinstance(last, Capture) or last.name != VALUE:
        return Leaf(row.leaf, keys, None)
    read = reader_of(last, types)
    with suppress(ValueError):
        return Leaf(row.leaf, keys, read(" ".join(words[size - 1 :])))
    return None
