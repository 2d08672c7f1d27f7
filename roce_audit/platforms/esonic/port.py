"""What the statements that hold for one port of Enterprise SONiC say: the last word on each thing, with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.defaults import DEFAULTS, LOSSLESS_GROUPS, ROCE_MAPS, ROCE_NAME
from roce_audit.platforms.esonic.profiles import Definitions
from roce_audit.platforms.esonic.table import TABLE
from roce_audit.platforms.shared.cli.builder import PortBuilder, connected, with_curves
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.block import Part
from roce_audit.text.fill import Default
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Reset, Set
from roce_audit.values import At, Cell, Why

Bound = tuple[str | None, At]
"""A name bound to the port (None: taken away) and where."""

_ELEMENTS = range(8)
_OF_THE_CHANNEL = ("ip_mtu_bytes", "admin_up")
"""What a port channel says of these governs its members; other settings of a member win over its channel's."""
_Word = TypeVar("_Word")


class EsonicPort(PortBuilder):
    """The statements of one port, gathered: settings that need no further thought, and what the rest of the reading asks for."""

    table = TABLE
    defaults = DEFAULTS
    order = ("top", "vxlan", "port", "state")

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.definitions = Definitions(parts)
        self.names: dict[tuple[str, int | None], Bound] = {}
        """(kind of binding, queue or group) -> what is bound."""
        self.pfc: dict[int, At] = {}
        self.pfc_removed: At | None = None
        self.dcbx: dict[str, tuple[bool, At]] = {}
        self._words: dict[type, tuple[Any, At]] = {}
        self._of_channel: dict[str, tuple[Set | Reset, At]] = {}
        self.take_in()
        for said, at in self._of_channel.values():
            super().apply(said, "lag", at)

    def in_order(self) -> Iterator[tuple[int, Part]]:
        """The device, the port channel, the port itself."""
        roles = ("device", "lag", "own")
        return iter(sorted(super().in_order(), key=lambda numbered: roles.index(numbered[1].role)))

    def apply(self, said: Set | Reset, role: str, at: At) -> None:
        if role == "lag" and said.paths[0] in _OF_THE_CHANNEL:
            self._of_channel[said.paths[0]] = (said, at)
        else:
            super().apply(said, role, at)

    def not_understood(self, parsed: Parsed, at: At) -> None:
        """What the line could set is in doubt; `#` stands for each of eight, for its number was not understood either."""
        self.unknown_at(parsed.paths or (), Why.NOT_PARSED, at)

    def unknown_at(self, paths: Iterable[str], why: Why, *at: At, number: int | None = None) -> None:
        """These paths are unknown, those with `#` for this number or for each of eight."""
        for path in paths:
            for one in _ELEMENTS if number is None and "#" in path else (number,):
                self.settings.set_unknown(path.replace("#", str(one)), why, *at)

    def last(self, kind: type[_Word]) -> tuple[_Word, At] | None:
        """The last statement of a kind that holds for the device or the port."""
        return self._words.get(kind)

    def named(self, kind: str) -> dict[int, Bound]:
        """What is bound to queues or groups, by their number."""
        return {number: bound for (of, number), bound in self.names.items() if of == kind and number is not None}

    def map_bound(self, kind: str) -> tuple[str, At] | None:
        """The name of the map that holds for the port; None where none does."""
        given = self.names.get((kind, None))
        if given is not None:
            return None if given[0] is None else (given[0], given[1])
        return (ROCE_NAME, self.macro) if self.macro is not None and kind in ROCE_MAPS else None

    @property
    def has_macro(self) -> bool:
        """Whether `roce enable` is among the statements."""
        roce = self.last(st.Roce)
        return roce is not None and bool(roce[0].on)

    @property
    def macro(self) -> At | None:
        """Where `roce enable` stands, if it is a shorthand for what the text does not hold."""
        roce = self.last(st.Roce)
        return roce[1] if roce is not None and roce[0].on and not self.context.written_out else None

    @property
    def lossless_priorities(self) -> frozenset[int]:
        """The priorities that `roce enable` is for, and the groups that the lossless buffers are made for."""
        roce = self.last(st.Roce)
        named = frozenset(roce[0].priorities or ()) if roce is not None and roce[0].on else frozenset()
        return named or frozenset(LOSSLESS_GROUPS)

    def unsaid(self, defaults: Mapping[str, Default], path: str, *at: At) -> Cell[Any]:
        """What holds where a block that is in force at `at` does not set this path, by these defaults of such blocks."""
        found = with_curves(replace(self.lack, defaults=defaults), self.settings).otherwise(path)
        return replace(found, at=(*at, *found.at))

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_bind(self, s: st.Bind, role: str, at: At) -> None:
        for number in s.numbers or (None,):
            self.names[s.kind, number] = (s.name, at)

    def on_pfc(self, s: st.Pfc, role: str, at: At) -> None:
        if s.on:
            self.pfc |= dict.fromkeys(s.priorities, at)
            return
        self.pfc_removed = at
        for priority in s.priorities or _ELEMENTS:
            self.pfc.pop(priority, None)

    def on_running(self, s: st.Running, role: str, at: At) -> None:
        self.settings.set("pfc.operational", frozenset(s.priorities), at)

    def on_channel(self, s: st.Channel, role: str, at: At) -> None:
        fast = "fast" if s.fast else None
        for path, value in (("lacp", s.lacp), ("min_links", s.links), ("lacp_rate", fast)):
            if value is not None:
                self.settings.set(path, value, at)

    def on_watchdog(self, s: st.Watchdog, role: str, at: At) -> None:
        self.settings.set("pfc.watchdog.on", s.on, at)
        if s.detect is not None:
            self.settings.set("pfc.watchdog.detect_ms", s.detect, at)

    def on_any_speed(self, s: st.AnySpeed, role: str, at: At) -> None:
        self.settings.set_absent("speed_bps", at)
        self.settings.set("autoneg", True, at)

    def on_dcbx(self, s: st.Dcbx, role: str, at: At) -> None:
        self.dcbx["device" if role == "device" else "own"] = (s.on, at)

    def on_roce(self, s: st.Roce, role: str, at: At) -> None:
        """A tree has one leaf for the switch and one for the priorities: neither takes the other back."""
        before = self.last(st.Roce)
        if before is not None:
            on = before[0].on if s.on is None else s.on
            s = st.Roce(on, before[0].priorities if s.priorities is None else s.priorities)
        self._words[st.Roce] = (s._replace(on=True) if s.on is None else s, at)

    def on_word(self, s: object, role: str, at: At) -> None:
        self._words[type(s)] = (s, at)

    handlers: ClassVar = {
        Connected: connected,
        st.Channel: on_channel,
        st.ChannelGroup: on_word,
        st.Shared: on_word,
        st.Bind: on_bind,
        st.Pfc: on_pfc,
        st.Running: on_running,
        st.Watchdog: on_watchdog,
        st.AnySpeed: on_any_speed,
        st.Dcbx: on_dcbx,
        st.Asymmetric: on_word,
        st.BufferInit: on_word,
        st.BufferPool: on_word,
        st.CounterPoll: on_word,
        st.DefaultProfile: on_word,
        st.Roce: on_roce,
    }
