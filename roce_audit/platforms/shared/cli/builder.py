"""From the statements that concern a port to its facts: whose statement wins, and what one that was not understood makes unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol

from roce_audit.model import Port
from roce_audit.platforms.shared.cli.filters import DIRECTIONS, FILTER, Filter, filtered
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import UNCLEAR, PortContext
from roce_audit.text.block import HEADER, Part
from roce_audit.text.fill import EVERYTHING, Default, Lack, fill
from roce_audit.text.settings import Settings
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import ABSENT, UNDOCUMENTED, Block, Nothing, Reset, Set
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import At, Cell, Why, absent, known, unknown

_IN_A_FRAGMENT = frozenset({"kind", "nic"})
_PFC = frozenset({"pfc.mode", "pfc.priorities"})
_CURVES = frozenset({"queues.*.ecn.marks", "queues.*.ecn.drops"})


def filled(settings: Settings, complete: bool, defaults: Mapping[str, Default]) -> Port:
    """The facts that settings make; defaults only where the whole configuration is at hand (`complete`)."""
    policed = settings.cell("policed")
    if policed is not None and policed.is_unknown:  # whom a policer meets is no better known than whether there is one
        settings.set_unknown("policed_dscps", policed.why or Why.NOT_VISIBLE, *policed.at)
    port: Port = fill(Port, settings, with_curves(lack(complete, defaults), settings))
    return port


def with_curves(own: Lack, settings: Settings) -> Lack:
    """The same for a part that sets a port's PFC up: it shows the port's curves as well, for what makes one mark stands with its
    thresholds.
    """
    if EVERYTHING in own.complete:
        return own
    return replace(own, complete=own.complete | _CURVES) if sets_pfc_up(settings) else _with_pfc(own, settings)


def _with_pfc(own: Lack, settings: Settings) -> Lack:
    """The same for a part that sets a watchdog and a curve of the port up and names no priority that is paused: what is said of
    the port is there, and the line that turns PFC on would stand among it.
    """
    watchdog = settings.get("pfc.watchdog.on")
    watches = watchdog is not None and watchdog.is_known and watchdog.get() is True and _is_of_port(watchdog)
    has_curve = any(settings.has_below(f"queues.{number}.ecn") for number in range(8))
    is_silent = settings.get("pfc.priorities") is None and settings.unknown_at("pfc.priorities") is None
    return replace(own, complete=own.complete | _PFC) if watches and has_curve and is_silent else own


def _is_of_port(cell: Cell[Any]) -> bool:
    return any(isinstance(at, At) for at in cell.at)


def sets_pfc_up(settings: Settings) -> bool:
    """Whether statements name priorities that the port pauses."""
    paused = settings.get("pfc.priorities")
    return paused is not None and paused.is_known and bool(paused.get())


def lack(complete: bool, defaults: Mapping[str, Default]) -> Lack:
    """What holds where nothing is said: of a fragment only that a port is a switch's, and of its kind."""
    return Lack(defaults, frozenset({EVERYTHING}) if complete else _IN_A_FRAGMENT)


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


def elsewhere(builder: PortBuilder, said: object, role: str, at: At) -> None:
    """The handler of a statement that is read elsewhere (which channel a port is in)."""


def connected(builder: PortBuilder, said: Connected, role: str, at: At) -> None:
    """The handler of the speed at which an answer shows a link up: what is configured stands."""
    builder.settings.set("link_up", True, at)
    configured = builder.settings.get("speed_bps")
    if configured is None or configured.is_absent:
        builder.settings.set("speed_bps", said.bps, at)


class ChannelMember(Protocol):
    """A statement that puts a port into a channel, or (`number` None) takes it out of one."""

    @property
    def number(self) -> int | None: ...


class ModedMember(ChannelMember, Protocol):
    """One that says how, as well."""

    @property
    def lacp(self) -> str | None: ...


def member(builder: PortBuilder, said: ModedMember, role: str, at: At) -> None:
    """The handler of such a statement: how the port is in its channel. Which channel that is, is read elsewhere."""
    if said.number is None:
        builder.settings.reset("lacp")
    elif said.lacp is not None:
        builder.settings.set("lacp", said.lacp, at)


def member_of_channel(builder: PortBuilder, said: ChannelMember, role: str, at: At) -> None:
    """The handler of such a statement where the channel says whether it runs LACP: static unless it does, which comes later."""
    if said.number is None:
        builder.settings.reset("lacp")
    elif any(part.role == "lag" for part in builder.parts):
        builder.settings.set("lacp", "static", at)
    else:
        builder.settings.set_cell("lacp", unknown(builder.lack.undefined, at))


class PortBuilder:
    """Takes in the statements that concern one port and makes its facts.

    Statements that set a value are taken as they are; others go to `handlers` by their type, with the role of the part they
    stand in. Of the kinds of parts in `order`, what comes later wins. `lack` knows what holds where nothing was said.
    """

    table: ClassVar[StatementTable]
    defaults: ClassVar[Mapping[str, Default]] = {}
    order: ClassVar[Sequence[str]]
    handlers: ClassVar[Mapping[type, Callable[..., None]]]
    of_channel: ClassVar[Sequence[str]] = ()
    """Paths that a channel says for its members: where nobody says them, the channel is what lacks the line."""
    filters_drop_rest: ClassVar[bool] = True
    """What no line of an access list catches is dropped where it filters."""
    filter_line: ClassVar[Callable[[str], str]] = str
    """A line of an access list -> the same in the words of the common reader."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        self.parts = parts
        self.context = context
        self.settings = Settings()
        self.lack = lack(context.complete, self.defaults)
        self.bindings: dict[tuple[str, str], dict[str, tuple[str, At]]] = {}
        """(what, direction) -> part role -> name; what the channel says hides the member's, that hides the device's."""
        self.taken_off: dict[tuple[str, str], At] = {}
        """(what, direction) -> the statement that takes away what was applied."""
        self.number: int | str = ""
        """Of the class, queue or group whose block the statement being taken in stands in; "" outside of such blocks."""
        self.channel = next((At(index, HEADER) for index, part in enumerate(parts) if part.role == "lag"), None)
        """The header of the channel that the port is a member of."""
        for path in context.elsewhere:
            self.settings.forbid_default(path, Why.NOT_VISIBLE)

    def in_order(self) -> Iterator[tuple[int, Part]]:
        """The parts that are taken in, each with its number; where two say the same thing, what comes later wins."""
        for kind in self.order:
            yield from ((index, part) for index, part in enumerate(self.parts) if part.kind == kind)

    def take_in(self) -> None:
        """Take the kind of port in, as its name says it, and all statements."""
        own = tuple(At(i, 0) for i, p in enumerate(self.parts) if p.role == "own" and p.kind != UNCLEAR)
        self.settings.set("kind", self.context.kind, *own[:1])
        if self.channel is not None:
            for path in self.of_channel:
                self.settings.default_location(path, self.channel)
        for index, part in self.in_order():
            for parsed, at in self._statements_of(index, part):
                self._take(parsed, part.role, at)
        for index, part in enumerate(self.parts):
            if part.kind == UNCLEAR:
                self._unclear(At(index, HEADER))
        for direction in DIRECTIONS:
            bound = self.bound(FILTER, direction)
            if bound is not None:
                drop_rest = self.filters_drop_rest and self.context.complete
                filtered(self.settings, self.parts, bound, drop_rest, type(self).filter_line)

    def filled(self) -> Port:
        """The facts that the settings make."""
        return filled(self.settings, self.context.complete, self.defaults)

    def _unclear(self, at: At) -> None:
        """A stanza whose header may or may not name the port might set all that the stanzas of ports set."""
        for path in self.table.modes["port"].doubted.split():
            self.settings.set_unknown(path, Why.NOT_PARSED, at)

    def statements(self, kind: str) -> Iterator[tuple[Parsed, str, At]]:
        """The statements that concern us in the parts of this kind, each with the role of its part, and its place."""
        for index, part in enumerate(self.parts):
            if part.kind == kind:
                yield from ((parsed, part.role, at) for parsed, at in self._statements_of(index, part))

    def _statements_of(self, index: int, part: Part) -> Iterator[tuple[Parsed, At]]:
        for i, statement in enumerate(part.block.texts.statements):
            parsed = self.table.parse(part.kind, statement)
            if parsed.is_ours:
                yield parsed, At(index, i)

    def _take(self, parsed: Parsed, role: str, at: At) -> None:
        if not self._enters(parsed.context):
            return
        if parsed.value is None:
            self.not_understood(parsed, at)
        elif isinstance(parsed.value, Set | Reset):
            self.apply(parsed.value, role, at)
        elif isinstance(parsed.value, Filter):
            self._filter(parsed.value, "own" if role == "bound" else role, at)
        else:
            handler = self.handlers.get(type(parsed.value))
            if handler is not None:
                handler(self, parsed.value, role, at)
            elif not isinstance(parsed.value, Nothing | Block):
                self.not_understood(parsed, at)  # a handler was forgotten: better in doubt than passed over

    def _filter(self, said: Filter, role: str, at: At) -> None:
        for direction in DIRECTIONS if said.name is None else (said.direction,):
            self.bind(FILTER, direction, said.name, role, at)

    def _enters(self, headers: Sequence[Parsed]) -> bool:
        """Whether what stands in the nested block that these headers open is taken in; not where its own line made all unknown
        that it may set, or where it sets nothing of the model."""
        self.number = ""
        for header in headers:
            block = header.value
            if isinstance(block, Block) and block.number is not None:
                self.number = block.number
            elif header.unread or isinstance(block, Block):
                return False
        return True

    def apply(self, said: Set | Reset, role: str, at: At) -> None:
        """Set what a statement sets. A channel that is up does not raise a member that is shut."""
        if role == "lag" and said == Set(("admin_up",), True):
            return
        apply(self.settings, said, at, self.number)

    def not_understood(self, parsed: Parsed, at: At) -> None:
        """What the line could set is in doubt."""
        for path in parsed.paths or ():
            self.settings.set_unknown(path.replace("#", str(self.number)), Why.NOT_PARSED, at)

    def bound(self, what: str, direction: str) -> tuple[str, At] | None:
        """The name that holds for the port, and where it is applied."""
        by_role = self.bindings.get((what, direction), {})
        return by_role.get("lag") or by_role.get("own") or by_role.get("device")

    def bind(self, what: str, direction: str, name: str | None, role: str, at: At) -> None:
        """Apply a name, or (None) take away what was applied."""
        roles = self.bindings.setdefault((what, direction), {})
        if name is None:
            if roles.pop(role, None) is not None:
                self.taken_off[what, direction] = at
        else:
            roles[role] = (name, at)
