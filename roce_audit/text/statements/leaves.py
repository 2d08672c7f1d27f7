"""Leaves of a tree are read word by word: where each word stands says what it is, so they need no grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from roce_audit.text.statements.captures import Reader, reader_of
from roce_audit.text.statements.forms import Capture
from roce_audit.text.statements.rows import VALUE, Leaf, Row


def read_leaf(row: Row, words: Sequence[str], types: Mapping[str, Reader]) -> tuple[Leaf, bool]:
    """What a leaf says, and whether all of it is understood; else it has no value, and keys only if all of them are understood."""
    captures: dict[str, object] = {}
    expected = [(at, element) for at, element in enumerate(row.form) if isinstance(element, Capture)]
    for at, capture in expected:
        with suppress(LookupError, ValueError):
            text = " ".join(words[at:]) if capture.many else words[at]
            captures[capture.name] = reader_of(capture, types)(text)
    names = [capture.name for _, capture in expected if capture.name != VALUE]
    keys = tuple([captures[name] for name in names]) if captures.keys() >= set(names) else ()
    whole = len(captures) == len(expected) and (
        len(words) == len(row.form) or (bool(expected) and expected[-1][1].many)
    )
    return Leaf(row.leaf, keys, captures.get(VALUE) if whole else None), whole
