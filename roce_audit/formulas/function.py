"""Function: a formula as rule expressions may call it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A formula by name: what it takes (by position), what it gives, and who says so.

    `architecture` names the buffer architecture the formula holds for (empty: any); a rule that calls it asks for it.
    """

    name: str
    parameters: tuple[tuple[str, type], ...]
    result: type
    call: Callable[..., Any]
    citation: str
    architecture: str = ""
    takes_unknown: bool = False
    """It is handed None for what is unknown or absent, and says itself (LookupError) where it cannot do without."""
