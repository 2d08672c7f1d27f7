"""From the statements that concern a port to its facts: whose statement wins, and what one that was not understood makes unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from roce_audit.model import Port
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.block import Part
from roce_audit.text.dialect import Dialect, Parsed
from roce_audit.text.fill import EVERYTHING, Default, Lack, Settings, fill
from roce_audit.text.statements.rows import ABSENT, UNDOCUMENTED, Reset, Set
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import At, Cell, Why, absent, known, unknown


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
    port: Port = fill(Port, settings, lack(complete, defaults))
    return port


def lack(complete: bool, defaults: Mapping[str, Default]) -> Lack:
    """What holds where nothing is said: of a fragment only that a port is a switch's, and of its kind."""
    return Lack(defaults, frozenset({EVERYTHING}) if complete else frozenset({"kind", "nic"}))


def apply(settings: Settings, said: Set | Reset, at: At, number: int | str = "", base: str = "") -> None:
    """Set what a statement of a block sets; `number` is that of the class or queue it is about, `base` where its paths lie."""
    for path in said.paths:
        full = f"{base}.{path}".removeprefix(".").replace("#", str(number))
        if isinstance(said, Reset):
            settings.reset(full)
        else:
            settings.set_cell(full, _cell(said.value, at))


def _cell(value: object, at: At) -> Cell[Any]:
    if value is UNDOCUMENTED:
        return unknown(Why.NO_DEFAULT, at)
    return absent(at) if value is ABSENT else known(value, at)


class PortBuilder:
    """Takes in the statements that concern one port and makes its facts.

    Statements that set a value are taken as they are; others go to `handlers` by their type, with the role of the part they
    stand in. Of the kinds of parts in `order`, what comes later wins. `lack` knows what holds where nothing was said.
    """

    dialect: ClassVar[Dialect | StatementTable]
    defaults: ClassVar[Mapping[str, Default]] = {}
    order: ClassVar[Sequence[str]]
    handlers: ClassVar[Mapping[type, Callable[..., None]]]

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        self.parts = parts
        self.context = context
        self.settings = Settings()
        self.lack = lack(context.complete, self.defaults)
        self.undefined = Why.UNDEFINED if context.complete else Why.NOT_VISIBLE
        self.bindings: dict[tuple[str, str], dict[str, tuple[str, At]]] = {}
        """(what, direction) -> part role -> name; what the channel says hides the member's, that hides the device's."""

    def take_in(self) -> None:
        """Take all statements in, and the kind of port."""
        for kind in self.order:
            for index, part in enumerate(self.parts):
                if part.kind == kind:
                    self._part(index, part)
        own = tuple(At(i, 0) for i, p in enumerate(self.parts) if p.role == "own")
        self.settings.set("kind", self.context.kind, *own[:1])

    def filled(self, defaults: Mapping[str, Default] | None = None) -> Port:
        """The facts that the settings make."""
        return filled(self.settings, self.context.complete, self.defaults if defaults is None else defaults)

    def _part(self, index: int, part: Part) -> None:
        for i, statement in enumerate(part.block.texts.statements):
            parsed = self.dialect.parse(part.kind, statement)
            if parsed.topic is None:
                continue
            at = At(index, i)
            if parsed.value is None:
                self.not_understood(parsed, at)
                continue
            if isinstance(parsed.value, Set | Reset):
                self.apply(parsed.value, part.role, at)
                continue
            handler = self.handlers.get(type(parsed.value))
            if handler is not None:
                handler(self, parsed.value, part.role, at)

    def apply(self, said: Set | Reset, role: str, at: At) -> None:
        """Set what a statement sets. A channel that is up does not raise a member that is shut."""
        if role == "lag" and said == Set(("admin_up",), True):
            return
        apply(self.settings, said, at)

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
