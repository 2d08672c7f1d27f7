"""One statement, as a statement table understands it."""

from __future__ import annotations

from typing import Any

from roce_audit.records import dataclass
from roce_audit.text.statements.rows import Leaf


@dataclass(frozen=True, slots=True)
class Parsed:
    """One statement, understood or not.

    `paths` are the model paths (relative to its block) that the statement touches: None when it does not concern us, none
    when it is ours and touches the block as a whole or nothing in particular. `value` is the vendor's
    statement as a small object; None = not understood.
    `context` are the parsed headers of the blocks around it, outermost first.
    """

    paths: tuple[str, ...] | None
    value: Any
    context: tuple[Parsed, ...] = ()
    meant: Leaf | None = None
    """The leaf of a tree that was not understood: without a value, with its keys if all of them were understood, and without
    a name where the statement goes on otherwise than any leaf."""

    @property
    def is_ours(self) -> bool:
        """Whether it concerns us."""
        return self.paths is not None

    @property
    def unread(self) -> bool:
        """Ours, and not understood."""
        return self.paths is not None and self.value is None
