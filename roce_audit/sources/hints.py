"""What the policy's `paths:` says about files: platform, state, name, completeness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

from roce_audit.records import dataclass
from roce_audit.text.document import State
from roce_audit.text.pathglobs import matches


@dataclass(frozen=True, slots=True)
class PathHint:
    """One entry of `paths:`. A field that is None says nothing. `rendered_from` is the template of a rendered file."""

    glob: str
    platform: str | None = None
    complete: bool | None = None
    state: State | None = None
    device: str | None = None
    rendered_from: str | None = None


NO_HINT = PathHint("")
_SAID = tuple(f.name for f in fields(PathHint) if f.name != "glob")


class Hints:
    """All hints of a policy; remembers which of them matched anything."""

    def __init__(self, hints: Sequence[PathHint]) -> None:
        self._hints = tuple(hints)
        self._used: set[PathHint] = set()

    def of(self, names: Iterable[str]) -> PathHint:
        """What is said about a file or folder with these names (as shown, and relative to the policy file).

        Later entries win, field by field.
        """
        wanted = tuple(names)
        merged = NO_HINT
        for hint in self._hints:
            if any(matches(hint.glob, name) for name in wanted):
                self._used.add(hint)
                said = {name: getattr(hint, name) for name in _SAID if getattr(hint, name) is not None}
                merged = replace(merged, **said)
        return merged

    @property
    def used(self) -> tuple[PathHint, ...]:
        """Entries that matched something."""
        return tuple(hint for hint in self._hints if hint in self._used)
