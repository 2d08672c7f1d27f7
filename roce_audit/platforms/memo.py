"""Each distinct text is read once: ports whose statements are the same share one object of facts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

from roce_audit.text.block import Part, PartKey, key_of

_Context = TypeVar("_Context", bound=Hashable)
_Facts = TypeVar("_Facts")


def memoised(
    read: Callable[[tuple[Part, ...], _Context], _Facts],
) -> Callable[[tuple[Part, ...], _Context], _Facts]:
    """A pure reader with a memory over the fleet; the places of the parts take no part in what it answers."""
    memory: dict[tuple[PartKey, _Context], _Facts] = {}

    @wraps(read)
    def remembering(parts: tuple[Part, ...], context: _Context) -> _Facts:
        key = (key_of(parts), context)
        found = memory.get(key)
        if found is None:
            found = memory[key] = read(parts, context)
        return found

    return remembering
