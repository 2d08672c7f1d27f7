"""What stands at a path of mappings and lists in a parsed text."""

from __future__ import annotations

from typing import Any


def value_at(value: Any, *path: str | int) -> Any:
    """The value at a path; None where there is none."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
        else:
            return None
    return value


def text_at(value: Any, *path: str | int) -> str:
    """The text at a path; "" where there is none."""
    found = value_at(value, *path)
    return found if isinstance(found, str) else ""
