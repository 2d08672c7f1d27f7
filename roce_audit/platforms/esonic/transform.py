"""What makes each statement of Enterprise SONiC from its parts in the grammar, with the bounds that the grammar does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.tables import MAPS
from roce_audit.platforms.shared.numbers import within

_MEGA = 10**6
_KBYTE = 1000
"""The CLI divides the bytes of CONFIG_DB by 1,000 (its first releases divided by 1,024): the smaller reading is taken."""
_COLOURS = frozenset({"green", "yellow", "red"})
_MOST_PAUSE = 64 * _MEGA


def numbers(text: Any, high: int) -> tuple[int, ...]:
    """The numbers of `0-2,5`; raises ValueError beyond `high`."""
    found: list[int] = []
    for piece in str(text).split(","):
        low, _, last = piece.partition("-")
        first, end = within(low, 0, high), within(last or low, 0, high)
        if end < first:
            raise ValueError(f"no range: {piece}")
        found.extend(range(first, end + 1))
    return tuple(found)


def _bytes(text: Any) -> int:
    return round(float(text) * _KBYTE)


def _curve(colour: Any, low: Any, high: Any, percent: Any) -> st.Curve:
    given = {"on": True, "min": _bytes(low), "max": _bytes(high), "percent": within(percent, 0, 100)}
    return st.Curve(str(colour), tuple(given.items()))


def _part(colour: Any, name: str, value: int) -> st.Curve:
    return st.Curve(str(colour), ((name, value),))


def _threshold(colour: Any, name: str, value: Any) -> st.Curve:
    """A threshold by itself: only trees write it so, and in bytes."""
    return st.Curve(str(colour), ((name, _bytes(value)), ("in bytes", True)))


def _ecn(word: Any) -> st.Ecn:
    if word in ("none", "all"):
        return st.Ecn(_COLOURS if word == "all" else frozenset())
    return st.Ecn(frozenset(str(word).split("_")))


def _profile(_: Any, pool: Any, size: Any, *options: Any) -> st.BufferProfile:
    given = tuple(option for option in options if option is not None)
    if len(dict(given)) != len(given):
        raise ValueError("a threshold is given twice")
    return st.BufferProfile(True, (("pool", str(pool)), ("size", int(size)), *given))


def _profile_part(name: str, value: object) -> st.BufferProfile:
    return st.BufferProfile(False, ((name, value),))


def _fec(word: Any) -> st.Fec:
    kind = str(word).lower()
    return st.Fec({"off": "none", "default": None}.get(kind, kind))


def _entry(keys: Any, value: Any) -> st.Entry:
    return st.Entry(numbers(keys, 63), within(value, 0, 63))


RULES: Mapping[str, Callable[..., Any]] = {
    "words": lambda *_: None,
    "nothing": lambda *_: st.Nothing(),
    "buffer_init": lambda: st.BufferInit(True),
    "buffer_clear": lambda *_: st.BufferInit(False),
    "buffer_pool": lambda name, size: st.BufferPool(str(name), int(size)),
    "pool_default": lambda _, name, *__: st.BufferPool(str(name), None),
    "roce": lambda *p: st.Roce(True, frozenset(numbers(p[0], 7)) if p else frozenset()),
    "roce_off": lambda *_: st.Roce(False, frozenset()),
    "poll": lambda n: st.PollInterval(within(n, 100, 3000)),
    "poll_default": lambda *_: st.PollInterval(None),
    "counters": lambda: st.CounterPoll(True),
    "no_counters": lambda *_: st.CounterPoll(False),
    "pfc_on": lambda p: st.Pfc(frozenset(numbers(p, 7)), True),
    "pfc_removed": lambda _, *p: st.Pfc(frozenset(numbers(p[0], 7)) if p else frozenset(), False),
    "asymmetric": lambda: st.Asymmetric(True),
    "symmetric": lambda *_: st.Asymmetric(False),
    "watchdog_on": lambda *n: st.Watchdog(True, within(n[0], 100, 5000) if n else None),
    "watchdog_off": lambda *_: st.Watchdog(False, None),
    "watchdog_action": lambda a: st.WatchdogAction(str(a)),
    "action_default": lambda *_: st.WatchdogAction(None),
    "watchdog_restore": lambda n: st.WatchdogRestore(within(n, 100, 60000)),
    "restore_none": lambda *_: st.WatchdogRestore(None),
    "bind_map": lambda kind, name: st.BindMap(MAPS[str(kind)], str(name)),
    "unbind_map": lambda _, kind, *__: st.BindMap(MAPS[str(kind)], None),
    "bind_wred": lambda n, name: st.BindWred(within(n, 0, 7), str(name)),
    "unbind_wred": lambda _, n, *__: st.BindWred(within(n, 0, 7), None),
    "bind_scheduler": lambda name: st.BindScheduler(str(name)),
    "unbind_scheduler": lambda *_: st.BindScheduler(None),
    "bind_groups": lambda n, name: st.BindGroups(numbers(n, 7), str(name)),
    "unbind_groups": lambda _, n, *__: st.BindGroups(numbers(n, 7), None),
    "bind_queues": lambda n, name: st.BindQueues(numbers(n, 19), str(name)),
    "unbind_queues": lambda _, n, *__: st.BindQueues(numbers(n, 19), None),
    "default_profile": lambda: st.DefaultProfile(True),
    "no_default_profile": lambda *_: st.DefaultProfile(False),
    "bind_policy": lambda name: st.BindPolicy(str(name)),
    "unbind_policy": lambda *_: st.BindPolicy(None),
    "cable": lambda text: st.Cable(int(str(text)[:-1])),
    "cable_default": lambda *_: st.Cable(None),
    "mtu": lambda n: st.Mtu(within(n, 68, 9416)),
    "mtu_default": lambda *_: st.Mtu(None),
    "speed": lambda n: st.Speed(within(n, 10, 1_600_000) * _MEGA, False),
    "speed_auto": lambda *_: st.Speed(None, True),
    "speed_default": lambda *_: st.Speed(None, False),
    "fec": _fec,
    "fec_default": lambda *_: st.Fec(None),
    "autoneg_on": lambda: st.Autoneg(True),
    "autoneg_off": lambda *_: st.Autoneg(False),
    "shutdown": lambda: st.Shutdown(True),
    "no_shutdown": lambda *_: st.Shutdown(False),
    "channel": lambda n, *_: st.ChannelGroup(int(n)),
    "channel_none": lambda *_: st.ChannelGroup(None),
    "dcbx_on": lambda: st.Dcbx(True),
    "dcbx_off": lambda *_: st.Dcbx(False),
    "lldp_on": lambda: st.Lldp(True),
    "lldp_off": lambda *_: st.Lldp(False),
    "entry": _entry,
    "curve": _curve,
    "curve_min": lambda colour, n: _threshold(colour, "min", n),
    "curve_max": lambda colour, n: _threshold(colour, "max", n),
    "curve_probability": lambda colour, n: _part(colour, "percent", within(n, 0, 100)),
    "curve_enabled": lambda colour: _part(colour, "on", True),
    "curve_none": lambda _, colour: _part(colour, "on", False),
    "ecn": _ecn,
    "ecn_none": lambda *_: st.Ecn(frozenset()),
    "queue_header": lambda n: st.QueueHeader(within(n, 0, 47)),
    "port_header": lambda: st.QueueHeader(None),
    "weighted": lambda: st.Type(False),
    "strict": lambda: st.Type(True),
    "weight": lambda n: st.Weight(within(n, 1, 100)),
    "pir": lambda n: st.PeakRate(float(n)),
    "in_packets": lambda: st.MeterType(True),
    "in_bytes": lambda: st.MeterType(False),
    "buffer_profile": _profile,
    "profile_pool": lambda name: _profile_part("pool", str(name)),
    "profile_size": lambda n: _profile_part("size", int(n)),
    "profile_option": lambda option: st.BufferProfile(False, () if option is None else (option,)),
    "static_threshold": lambda n: ("static", int(n)),
    "dynamic_threshold": lambda n: ("dynamic", _signed(n)),
    "pause_threshold": lambda *n: ("pause", within(n[0], 0, _MOST_PAUSE)) if n else None,
    "resume_threshold": lambda n: ("resume", int(n)),
    "resume_offset": lambda n: ("offset", int(n)),
    "class_header": lambda *_: st.ClassHeader(),
    "set_class": lambda *_: st.SetClass(),
    "set_dscp": lambda n: st.SetDscp(within(n, 0, 63)),
    "police": lambda *_: st.Police(),
}


def _signed(text: Any) -> int:
    return within(text, -8, 7)
