"""What statement tables of trees have in common: objects that hold much besides, and leaves that name other objects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from roce_audit.platforms.shared.references import Name
from roce_audit.text.statements.forms import Capture
from roce_audit.text.statements.leads import follow, tree
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import VALUE, Leaf, Row
from roce_audit.text.statements.table import StatementTable
from roce_audit.text.structured.nodes import Words


def lenient(*rows: Row, sounding: frozenset[str] = frozenset(), ignored: frozenset[str] = frozenset()) -> Mode:
    """An object that holds much besides; a word that no row has is ours if one of the `sounding` parts stands in it."""
    leads = tree(rows)

    def guess(words: Sequence[str], depth: int) -> tuple[str, ...] | None:
        sounds = any(part in words[depth] for part in sounding)
        return tuple(follow(leads, words[:depth]).node.paths) if sounds else None

    return Mode(rows, lenient=True, guess=guess, ignored=ignored)


def naming(table: StatementTable, kinds: Collection[str]) -> Callable[[str, Leaf], Iterator[Name]]:
    """What finds everything that a leaf of a mode names, by its value and by its keys; `kinds` are the types that name something."""

    @cache
    def referring() -> dict[tuple[str, str], tuple[str, tuple[str, ...]]]:
        """(mode, leaf) -> the kind of thing that its value names, and those that its keys name."""
        found: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}
        for mode, known in table.modes.items():
            for row in known.rows:
                named = [(e.name, e.type if e.type in kinds else "") for e in row.form if isinstance(e, Capture)]
                keys = tuple([kind for name, kind in named if name != VALUE])
                value = next((kind for name, kind in named if name == VALUE), "")
                if value or any(keys):
                    found[mode, row.leaf] = value, keys
        return found

    def names(mode: str, leaf: Leaf) -> Iterator[Name]:
        value, keys = referring().get((mode, leaf.name), ("", ()))
        if value:
            yield value, str(leaf.value)
        for kind, key in zip(keys, leaf.keys, strict=False):
            if kind:
                yield kind, str(key)

    return names


class Header(NamedTuple):
    """The object that a path is about: its mode in the table, its name, and how many words of the path say so."""

    mode: str
    name: str
    length: int


def heading(table: StatementTable, device_wide: Collection[str]) -> Callable[[Words], Header | None]:
    """What finds the object that a path is about, None where it is none of ours; kinds of `device_wide` have no name."""
    opens = table.modes["top"].opens
    longest = max(len(words.split()) for words in opens)

    @lru_cache(65_536)
    def header(words: Words) -> Header | None:
        for count in range(min(longest, len(words)), 0, -1):
            mode = opens.get(" ".join(words[:count]))
            if mode is not None and mode in device_wide:
                return Header(mode, "", count)
            if mode is not None and len(words) > count:
                return Header(mode, words[count], count + 1)
        return None

    return header
