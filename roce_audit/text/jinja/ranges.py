"""`range(0, 16, 8) | list`, as loops of playbooks and templates count."""

from __future__ import annotations

from roce_audit.patterns import lazy

_ONE = r"\s{0,4}([^(),]{1,60})"
_RANGE = lazy(rf"range\({_ONE}(?:,{_ONE})?(?:,{_ONE})?\)")
_AS_LIST = lazy(r"\s{0,4}\|\s{0,4}list\Z")
_NUMBER = lazy(r"[0-9]{1,6}\s{0,4}")


def arguments(expression: str) -> tuple[str, ...]:
    """What `range(...)` is given, as it is written; none for any other expression."""
    found = _RANGE.fullmatch(expression)
    return tuple(one for one in found.groups() if one is not None) if found is not None else ()


def counted(expression: str) -> range | None:
    """The numbers that an expression of Jinja goes through; None for any other expression, and where one of them is a variable's."""
    given = arguments(_AS_LIST.sub("", expression.strip()))
    if not given or not all(map(_NUMBER.fullmatch, given)):
        return None
    numbers = [int(one) for one in given]
    return range(*numbers[:2], *(step or 1 for step in numbers[2:]))
