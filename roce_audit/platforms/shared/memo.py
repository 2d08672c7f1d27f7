"""Each distinct text is read once: ports whose statements are the same share one object of facts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

from roce_audit.text.block import Part, PartKey, key_of
from roce_audit.text.memo import Memory

_Context = TypeVar("_Context", bound=Hashable)
_Facts = TypeVar("_Facts")


def memoised(
    read: Callable[[tuple[Part, ...], _Context], _Facts],
) -> Callable[[tuple[Part, ...], _Context], _Facts]:
    """A pure reader with a memory over the fleet; the places of the parts take no part in what it answers."""
    memory: Memory[tuple[PartKey, _Context], _Facts] = Memory()

    @wraps(read)
    def remembering(parts: tuple[Part, ...], context: _Context) -> _Facts:
        key = (key_of(parts), context)
        found = memory.get(key)
        return memory.keep(key, read(parts, context)) if found is None else found

    return remembering
