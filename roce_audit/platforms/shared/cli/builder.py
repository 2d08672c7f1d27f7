"""From the statements that concern a port to its facts: whose statement wins, and what one that was not understood makes unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Protocol

from roce_audit.model import Port
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.block import Part
from roce_audit.text.dialect import Dialect, Parsed
from roce_audit.text.fill import EVERYTHING, Default, Lack, Settings, fill
from roce_audit.text.statements.rows import ABSENT, Block, Reset, Set
from roce_audit.text.statements.table import StatementTable
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
            settings.set_cell(full, absent(at) if said.value is ABSENT else known(said.value, at))


class PortBuilder:
    """Takes in the statements that concern one port and makes its facts.

    Statements that set a value are taken as they are; others go to `handlers` by their type, with the role of the part they
    stand in; `base` is then the model path of the nested block around them. Of the kinds of parts in `order`, what comes later
    wins. `lack` knows what holds where nothing was said.
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
        self.base = ""
        self.number: int | str = ""
        """Of the class, queue or group whose block the statement being taken in stands in; "" outside of such blocks."""

    def take_in(self) -> None:
        """Take all statements in, and the kind of port."""
        for kind in self.order:
            for parsed, role, at in self.statements(kind):
                self._take(parsed, role, at)
        own = tuple(At(i, 0) for i, p in enumerate(self.parts) if p.role == "own")
        self.settings.set("kind", self.context.kind, *own[:1])

    def filled(self, defaults: Mapping[str, Default] | None = None) -> Port:
        """The facts that the settings make."""
        return filled(self.settings, self.context.complete, self.defaults if defaults is None else defaults)

    def statements(self, kind: str) -> Iterator[tuple[Parsed, str, At]]:
        """The statements that concern us in the parts of this kind, each with the role of its part, and its place."""
        for index, part in enumerate(self.parts):
            if part.kind != kind:
                continue
            for i, statement in enumerate(part.block.texts.statements):
                parsed = self.dialect.parse(kind, statement)
                if parsed.topic is not None:
                    yield parsed, part.role, At(index, i)

    def _take(self, parsed: Parsed, role: str, at: At) -> None:
        base = self.block(parsed.context)
        if base is None:
            return
        self.base = base
        if parsed.value is None:
            self.not_understood(parsed, at)
        elif isinstance(parsed.value, Set | Reset):
            self.apply(parsed.value, role, at)
        else:
            handler = self.handlers.get(type(parsed.value))
            if handler is not None:
                handler(self, parsed.value, role, at)

    def block(self, headers: Sequence[Parsed]) -> str | None:
        """Model path of the nested block that these headers open ("" for the port's own, and where rows name it themselves);
        None: nothing in it is taken in, for its own line made all unknown that it may set, or it sets nothing of the model."""
        self.number = ""
        for header in headers:
            block = header.value
            if isinstance(block, Block) and block.number is not None:
                self.number = block.number
            elif header.unread or isinstance(block, Block):
                return None
        return ""

    def apply(self, said: Set | Reset, role: str, at: At) -> None:
        """Set what a statement sets. A channel that is up does not raise a member that is shut."""
        if role == "lag" and said == Set(("admin_up",), True):
            return
        apply(self.settings, said, at, self.number, self.base)

    def not_understood(self, parsed: Parsed, at: At) -> None:
        """What the line could set is in doubt."""
        for path in (parsed.topic or "").split():
            full = f"{self.base}.{path}".removeprefix(".").replace("#", str(self.number))
            self.settings.set_unknown(full, Why.NOT_PARSED, at)

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
