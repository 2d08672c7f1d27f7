"""What all foldings of a port's statements into facts share: whose statement wins, and what a misread one spoils."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Protocol

from roce_audit.model import Port
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.block import Part
from roce_audit.text.dialect import Dialect, Parsed
from roce_audit.text.fill import EVERYTHING, Default, Lack, Settings, fill
from roce_audit.values import At, Why, absent, known


class _Shutdown(Protocol):
    @property
    def down(self) -> bool: ...


class _Speed(Protocol):
    @property
    def bps(self) -> int | None: ...


class _Fec(Protocol):
    @property
    def mode(self) -> str | None: ...


def filled(settings: Settings, complete: bool, defaults: Mapping[str, Default]) -> Port:
    """The facts that settings make; defaults only where the whole configuration is at hand (`complete`)."""
    visible = frozenset({EVERYTHING}) if complete else frozenset({"kind", "nic"})
    port: Port = fill(Port, settings, Lack(defaults, visible))
    return port


class PortFold:
    """One folding of statements into settings.

    Statements go to `handlers` by their type, with the role of the part they stand in; of the kinds of parts in `order`, what
    comes later wins.
    """

    dialect: ClassVar[Dialect]
    order: ClassVar[Sequence[str]]
    handlers: ClassVar[Mapping[type, Callable[..., None]]]

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        self.parts = parts
        self.context = context
        self.settings = Settings()
        self.undefined = Why.UNDEFINED if context.complete else Why.NOT_VISIBLE
        self.bindings: dict[tuple[str, str], dict[str, tuple[str, At]]] = {}
        """(what, direction) -> part role -> name; what the channel says hides the member's, that hides the device's."""

    def fold(self) -> None:
        """Take all statements in, and the kind of port."""
        for kind in self.order:
            for index, part in enumerate(self.parts):
                if part.kind == kind:
                    self._part(index, part)
        own = tuple(At(i, 0) for i, p in enumerate(self.parts) if p.role == "own")
        self.settings.set("kind", self.context.kind, *own[:1])

    def filled(self, defaults: Mapping[str, Default]) -> Port:
        """The facts that the settings make."""
        return filled(self.settings, self.context.complete, defaults)

    def _part(self, index: int, part: Part) -> None:
        for i, statement in enumerate(part.block.texts.statements):
            parsed = self.dialect.parse(part.kind, statement)
            if parsed.topic is None:
                continue
            at = At(index, i)
            if parsed.value is None:
                self.not_understood(parsed, at)
                continue
            handler = self.handlers.get(type(parsed.value))
            if handler is not None:
                handler(self, parsed.value, part.role, at)

    def not_understood(self, parsed: Parsed, at: At) -> None:
        """What the line could set is in doubt."""
        for path in (parsed.topic or "").split():
            self.settings.set_unknown(path, Why.NOT_PARSED, at)

    def bound(self, what: str, direction: str) -> tuple[str, At] | None:
        """The name that holds for the port, and where it is applied."""
        by_role = self.bindings.get((what, direction), {})
        return by_role.get("lag") or by_role.get("own") or by_role.get("device")

    def bind(self, what: str, direction: str, name: str | None, role: str, at: At) -> None:
        """Apply a name, or (None) take away what was applied."""
        roles = self.bindings.setdefault((what, direction), {})
        if name is None:
            roles.pop(role, None)
        else:
            roles[role] = (name, at)

    def on_shutdown(self, s: _Shutdown, role: str, at: At) -> None:
        """A channel that is up does not raise a member that is shut."""
        if role != "lag" or s.down:
            self.settings.set("admin_up", not s.down, at)

    def on_speed(self, s: _Speed, role: str, at: At) -> None:
        """A fixed speed in bit/s; None: the port finds its own."""
        self.settings.set_cell("speed_bps", absent(at) if s.bps is None else known(s.bps, at))

    def on_fec(self, s: _Fec, role: str, at: At) -> None:
        """A fixed FEC; None: the port finds its own."""
        self.settings.set_cell("fec", absent(at) if s.mode is None else known(s.mode, at))
