"""What the statements about one NIC set: settings of the model, notes for its family, and what holds if it is of one family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from roce_audit.platforms.shared.host.notes import Note, Path
from roce_audit.text.settings import AgreedSettings
from roce_audit.values import Cell, Where, Why, known

T = TypeVar("T")


class NicSettings(AgreedSettings):
    """What the tools of a host say of one NIC; of notes as of settings of the model, all who speak must agree."""

    __slots__ = ("_families", "notes", "tools")

    def __init__(self) -> None:
        super().__init__()
        self.notes = AgreedSettings()
        self.tools: set[str] = set()
        """Names of the tools that spoke."""
        self._families: dict[str, NicSettings] = {}

    def _store(self, path: Path) -> tuple[AgreedSettings, str]:
        return (self.notes, path.name) if isinstance(path, Note) else (self, path)

    @overload
    def set(self, path: Note[T], value: T, *at: Where) -> None: ...
    @overload
    def set(self, path: str, value: object, *at: Where) -> None: ...
    def set(self, path: Path, value: Any, *at: Where) -> None:
        """A tool that shows the running state says that `path` is `value`."""
        store, name = self._store(path)
        store.set_cell(name, known(value, *at))

    def set_fallback(self, path: Path, value: object, *at: Where) -> None:
        """What holds where no tool shows the running state."""
        AgreedSettings.set_fallback(*self._store(path), value, *at)

    def set_unknown(self, path: Path, why: Why, *at: Where) -> None:
        """Nothing at or below `path` is known, whatever else says it."""
        AgreedSettings.set_unknown(*self._store(path), why, *at)

    def refuse(self, path: Path, *at: Where) -> None:
        """The tool that shows `path` did not answer; another tool may still say it."""
        AgreedSettings.forbid_default(*self._store(path), Why.REFUSED, *at)

    @overload
    def cell(self, path: Note[T]) -> Cell[T] | None: ...
    @overload
    def cell(self, path: str) -> Cell[Any] | None: ...
    def cell(self, path: Path) -> Cell[Any] | None:
        """What all tools together say; None where nobody speaks of it."""
        return AgreedSettings.cell(*self._store(path))

    @overload
    def or_unknown(self, path: Note[T]) -> Cell[T]: ...
    @overload
    def or_unknown(self, path: str) -> Cell[Any]: ...
    def or_unknown(self, path: Path) -> Cell[Any]:
        """Like `cell`, and the right doubt where nobody speaks."""
        return AgreedSettings.or_unknown(*self._store(path))

    def keys(self, note: Note[Any]) -> Sequence[str]:
        """Of what this note speaks: priorities, traffic classes, code points, each once."""
        return tuple(self.notes.children(note.name))

    def of_family(self, family: str) -> NicSettings:
        """What holds if the NIC is one of this family."""
        return self._families.setdefault(family, NicSettings())

    def adopt_family(self, family: str) -> None:
        """The NIC is one of this family."""
        said = self.of_family(family)
        self.adopt(said)
        self.notes.adopt(said.notes)
