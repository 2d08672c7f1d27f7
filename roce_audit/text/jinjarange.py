"""`range(0, 16, 8) | list`, as loops of playbooks and templates count."""

from __future__ import annotations

from roce_audit.patterns import lazy

_RANGE = lazy(
    r"range\(\s{0,4}([0-9]{1,6})\s{0,4}(?:,\s{0,4}([0-9]{1,6})\s{0,4})?(?:,\s{0,4}([0-9]{1,6})\s{0,4})?\)(?:\s{0,4}\|\s{0,4}list)?"
)


def counted(expression: str) -> range | None:
    """The numbers that an expression of Jinja goes through; None for any other expression."""
    found = _RANGE.fullmatch(expression.strip())
    if found is None:
        return None
    return range(int(found[1]) if found[2] else 0, int(found[2] or found[1]), int(found[3] or 1) or 1)
