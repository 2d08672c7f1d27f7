"""One statement, as a statement table understands it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roce_audit.text.statements.rows import Leaf


@dataclass(frozen=True, slots=True)
class Parsed:
    """One statement, understood or not.

    `topic` are the model paths (relative to its block, blank-separated) that the statement touches: None when it does not
    concern us, "" when it is ours and touches the block as a whole or nothing in particular. `value` is the vendor's
    statement as a small object; None = not understood.
    `context` are the parsed headers of the blocks around it, outermost first.
    """

    topic: str | None
    value: Any
    context: tuple[Parsed, ...] = ()
    meant: Leaf | None = None
    """The leaf of a tree that was not understood: without a value, with its keys if all of them were understood, and without
    a name where the statement goes on otherwise than any leaf."""

    @property
    def unread(self) -> bool:
        """Ours, and not understood."""
        return self.topic is not None and self.value is None
