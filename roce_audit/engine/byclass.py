"""One cause, several classes: what a rule says of one subject for each class is told once, where it says the same."""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.model import Class
from roce_audit.patterns import lazy

_WORD = lazy(r"[A-Za-z0-9_][\w.]*")


def alike(message: str, cls: Class | None) -> str:
    """The message without the name and the numbers of its class: equal for two classes of which the same is wrong."""
    if cls is None:
        return message
    own = {cls.name, *(str(n) for cell in (cls.dscp, cls.pcp, cls.priority) for n in cell.or_else(frozenset()))}
    return _WORD.sub(lambda word: "\0" if word[0] in own else word[0], message)


def order(cls: Class | None) -> tuple[int, str]:
    """Which class is told first: the one of the lowest priority."""
    return (min(cls.priority.or_else(frozenset()), default=8), cls.name) if cls is not None else (8, "")


def likewise(classes: Iterable[Class | None]) -> str:
    """`; likewise for class storage, priority 4`: the classes that a message does not name."""
    named = [_named(cls) for cls in classes if cls is not None]
    return "; likewise for " + " and ".join(named) if named else ""


def _named(cls: Class) -> str:
    numbers = sorted(cls.priority.or_else(frozenset()))
    return f"class {cls.name}" + (f", priority {numbers[0]}" if len(numbers) == 1 else "")
