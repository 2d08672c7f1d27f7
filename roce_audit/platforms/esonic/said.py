"""What the statements that hold for a port say: the last word on each thing, with its place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.defaults import ROCE_NAME
from roce_audit.platforms.esonic.dialect import DIALECT
from roce_audit.text.block import Part, Role
from roce_audit.text.dialect import Parsed
from roce_audit.text.fill import Settings
from roce_audit.values import At, Why, absent, known

Bound = tuple[str | None, At]
"""A name bound to the port (None: taken away) and where."""
Line = tuple[Parsed, At]

WRITTEN_OUT = f"objects of the name {ROCE_NAME} stand in the text"
"""A statement that no grammar knows: the text holds what `roce enable` makes, so that line is no shorthand for it."""
ELSEWHERE = "what no tree of the QoS and interface modules holds"
"""A statement that no grammar knows: lossless buffers, DCBX and policies are configured in trees that are not here."""


@dataclass
class Said:
    """The gathered words; `settings` holds what needs no further thought."""

    settings: Settings
    maps: dict[str, Bound] = field(default_factory=dict)
    wred: dict[int, Bound] = field(default_factory=dict)
    scheduler: Bound | None = None
    groups: dict[int, Bound] = field(default_factory=dict)
    queue_profiles: dict[int, Bound] = field(default_factory=dict)
    policy: Bound | None = None
    default_profile: tuple[bool, At] | None = None
    init: tuple[bool, At] | None = None
    roce: tuple[st.Roce, At] | None = None
    written_out: bool = False
    headroom_pool: tuple[st.BufferPool, At] | None = None
    pfc: dict[int, At] = field(default_factory=dict)
    pfc_removed: At | None = None
    asymmetric: tuple[bool, At] | None = None
    no_counters: At | None = None
    dcbx: dict[Role, tuple[bool, At]] = field(default_factory=dict)
    lag_mtu: tuple[int | None, At] | None = None
    lag_down: At | None = None
    unread: list[tuple[str, At]] = field(default_factory=list)
    """Model paths of the lines that were not understood."""


class Definitions:
    """The named stanzas that a port leans on; stanzas of one name merge."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self._of: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._parts = parts
        for index, part in enumerate(parts):
            if part.name and part.role == "bound":
                self._of[part.kind, part.name].append(index)

    def lines(self, kind: str, name: str) -> list[Line] | None:
        """The statements of a stanza with their places; None where nobody defines it."""
        found = self._of.get((kind, name))
        if found is None:
            return None
        return [
            (DIALECT.parse(kind, statement), At(index, i))
            for index in found
            for i, statement in enumerate(self._parts[index].block.texts.statements)
        ]


def gather(parts: tuple[Part, ...], settings: Settings) -> Said:
    """What the device, then the port channel, then the port itself say."""
    said = Said(settings)
    for index, part in _in_order(parts):
        for i, statement in enumerate(part.block.texts.statements):
            if statement == WRITTEN_OUT:
                said.written_out = True
                continue
            if statement == ELSEWHERE:
                for path in ("groups", "dcbx", "policed"):
                    settings.forbid_default(path, Why.NOT_VISIBLE)
                continue
            parsed, at = DIALECT.parse(part.kind, statement), At(index, i)
            if parsed.unread:
                said.unread.append((parsed.topic or "", at))
            handler = _HANDLERS.get(type(parsed.value))
            if handler is not None:
                handler(said, parsed.value, at, part.role)
    if said.lag_mtu is not None:
        _put(settings, "ip_mtu_bytes", *said.lag_mtu)
    if said.lag_down is not None:
        settings.set("admin_up", False, said.lag_down)
    return said


def _in_order(parts: tuple[Part, ...]) -> Iterator[tuple[int, Part]]:
    numbered = list(enumerate(parts))
    yield from ((i, p) for i, p in numbered if p.role == "device" and p.kind == "top")
    yield from ((i, p) for i, p in numbered if p.role == "lag")
    yield from ((i, p) for i, p in numbered if p.role == "own" and p.kind == "port")


def _put(settings: Settings, path: str, value: object, at: At) -> None:
    """Set a path, or forget what it was set to: None goes back to the default."""
    if value is None:
        settings.reset(path)
    else:
        settings.set(path, value, at)


_Handler = Callable[[Said, Any, At, Role], None]


def _pfc(said: Said, s: st.Pfc, at: At, role: Role) -> None:
    if s.on:
        said.pfc |= dict.fromkeys(s.priorities, at)
        return
    said.pfc_removed = at
    for priority in s.priorities or frozenset(range(8)):
        said.pfc.pop(priority, None)


def _watchdog(said: Said, s: st.Watchdog, at: At, role: Role) -> None:
    said.settings.set("pfc.watchdog.on", s.on, at)
    if s.detect is not None:
        said.settings.set("pfc.watchdog.detect_ms", s.detect, at)


def _mtu(said: Said, s: st.Mtu, at: At, role: Role) -> None:
    if role == "lag":
        said.lag_mtu = (s.ip_bytes, at)
    else:
        _put(said.settings, "ip_mtu_bytes", s.ip_bytes, at)


def _shutdown(said: Said, s: st.Shutdown, at: At, role: Role) -> None:
    if role == "lag":
        said.lag_down = at if s.down else None
    else:
        said.settings.set("admin_up", not s.down, at)


def _speed(said: Said, s: st.Speed, at: At, role: Role) -> None:
    said.settings.set_cell("speed_bps", absent(at) if s.bps is None else known(s.bps, at))
    if s.auto:
        said.settings.set("autoneg", True, at)


def _fec(said: Said, s: st.Fec, at: At, role: Role) -> None:
    said.settings.set_cell("fec", absent(at) if s.kind is None else known(s.kind, at))


def _roce(said: Said, s: st.Roce, at: At, role: Role) -> None:
    said.roce = (s, at)


def _pool(said: Said, s: st.BufferPool, at: At, role: Role) -> None:
    said.headroom_pool = (s, at)


def _counters(said: Said, s: st.CounterPoll, at: At, role: Role) -> None:
    said.no_counters = None if s.on else at


def _dcbx(said: Said, s: st.Dcbx, at: At, role: Role) -> None:
    said.dcbx["device" if role == "device" else "own"] = (s.on, at)


def _setting(path: str, value: Callable[[Any], object]) -> _Handler:
    def handler(said: Said, s: Any, at: At, role: Role) -> None:
        _put(said.settings, path, value(s), at)

    return handler


def _word(name: str, value: Callable[[Any], object]) -> _Handler:
    def handler(said: Said, s: Any, at: At, role: Role) -> None:
        setattr(said, name, (value(s), at))

    return handler


def _words(name: str, keys: Callable[[Any], tuple[Any, ...]]) -> _Handler:
    def handler(said: Said, s: Any, at: At, role: Role) -> None:
        getattr(said, name).update(dict.fromkeys(keys(s), (s.name, at)))

    return handler


_HANDLERS: Mapping[type, _Handler] = {
    st.BufferInit: _word("init", lambda s: s.on),
    st.BufferPool: _pool,
    st.Roce: _roce,
    st.PollInterval: _setting("pfc.watchdog.poll_ms", lambda s: s.milliseconds),
    st.CounterPoll: _counters,
    st.Pfc: _pfc,
    st.Asymmetric: _word("asymmetric", lambda s: s.on),
    st.Watchdog: _watchdog,
    st.WatchdogAction: _setting("pfc.watchdog.action", lambda s: s.action),
    st.WatchdogRestore: _setting("pfc.watchdog.restore_ms", lambda s: s.milliseconds),
    st.BindMap: _words("maps", lambda s: (s.kind,)),
    st.BindWred: _words("wred", lambda s: (s.queue,)),
    st.BindScheduler: _word("scheduler", lambda s: s.name),
    st.BindGroups: _words("groups", lambda s: s.groups),
    st.BindQueues: _words("queue_profiles", lambda s: s.queues),
    st.DefaultProfile: _word("default_profile", lambda s: s.on),
    st.BindPolicy: _word("policy", lambda s: s.name),
    st.Cable: _setting("cable_m", lambda s: s.metres),
    st.Mtu: _mtu,
    st.Speed: _speed,
    st.Fec: _fec,
    st.Autoneg: _setting("autoneg", lambda s: s.on),
    st.Shutdown: _shutdown,
    st.Dcbx: _dcbx,
    st.Lldp: _setting("dcbx.lldp", lambda s: s.both),
}
