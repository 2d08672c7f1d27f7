"""What makes each statement of Onyx from its parts in the grammar, with the bounds that the grammar does not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.onyx import statements as st
from roce_audit.platforms.shared.numbers import within

_TRUST = {"port": "none", "L2": "pcp", "L3": "dscp", "both": "both"}
_FEC = {"no-fec": "none", "fc-fec": "fc", "rs-fec": "rs"}
_GROUP = re.compile(r"iPort\.pg([0-7])\Z", re.I)
_OTHER_BUFFER = re.compile(r"(iPort|ePort)(\.(mc|tc\d{1,2}))?\Z", re.I)
_TLV = re.compile(r"(?:dcbx|dcbx-cee|none|[a-ce-z][a-z-]*)\Z")
_RATE = {"G": 1_000_000_000, "M": 1_000_000}


def _numbers(*pieces: Any) -> tuple[int, ...]:
    """The numbers of `3 5`, `0-3` and `24,26`, in the order they are written."""
    found: list[int] = []
    for piece in ",".join(map(str, pieces)).split(","):
        low, _, high = piece.partition("-")
        first, last = int(low), int(high or low)
        if first > last:
            raise ValueError(f"no range: {piece}")
        found.extend(range(first, last + 1))
    return tuple(found)


def _all_in(values: tuple[int, ...], high: int) -> tuple[int, ...]:
    return tuple(within(v, 0, high) for v in values)


def _bytes(size: Any) -> int | None:
    """Bytes; None where a suffix is written, for nothing says whether K is 1,000 or 1,024."""
    text = str(size)
    return int(text) if text.isdigit() else None


def _threshold(size: Any) -> tuple[int, str]:
    text = str(size)
    return (int(text), "kbytes") if text.isdigit() else (int(text[:-1]), "suffixed")


def _absolute(kind: Any, low: Any, high: Any) -> st.Curve:
    return st.Curve(str(kind), (*_threshold(low), *_threshold(high)))


def _relative(kind: Any, low: Any, high: Any) -> st.Curve:
    return st.Curve(str(kind), (within(low, 0, 100), "percent", within(high, 0, 100), "percent"))


def _speed(rate: Any, *options: Any) -> st.Speed:
    text = str(rate).partition("x")[0]
    bps = round(float(text[:-1]) * _RATE[text[-1]])
    return st.Speed(bps, False if "no-autoneg" in map(str, options) else None)


def _group(name: Any) -> st.Group:
    found = _GROUP.match(str(name))
    if found is not None:
        return st.Group(int(found.group(1)))
    return _other_buffer(name)


def _other_buffer(name: Any) -> st.Group:
    if not _OTHER_BUFFER.match(str(name)):
        raise ValueError(f"no buffer of a port: {name}")
    return st.Group(None)


def _alpha(text: Any) -> tuple[str, float | None]:
    """The factor; infinity is no factor that a depth could be computed from."""
    if text == "inf":
        return "alpha", None
    above, _, below = str(text).partition("/")
    if below and int(below) == 0:
        raise ValueError(f"no fraction: {text}")
    return "alpha", float(above) / (float(below) if below else 1.0)


def _group_buffer(pool: Any, kind: Any, reserved: Any, *rest: Any) -> st.GroupBuffer:
    options = dict(rest)
    return st.GroupBuffer(
        str(pool), str(kind), _bytes(reserved), options.get("xoff"), options.get("xon"), options.get("alpha")
    )


def _tlvs(words: tuple[str, ...]) -> st.Dcbx:
    if not all(_TLV.match(word) for word in words):
        raise ValueError(f"no TLVs: {words}")
    version = "cee" if "dcbx-cee" in words else "ieee" if "dcbx" in words else None
    return st.Dcbx(version)


RULES: Mapping[str, Callable[..., Any]] = {
    "numbers": _numbers,
    "words": lambda *w: tuple(map(str, w)),
    "xoff": lambda size: ("xoff", _bytes(size)),
    "xon": lambda size: ("xon", _bytes(size)),
    "alpha": _alpha,
    "nothing": lambda *_: st.Nothing(),
    "roce": lambda mode="lossless": st.Roce(str(mode)),
    "roce_off": lambda *_: st.Roce(None),
    "pfc_enabled": lambda: st.PfcEnabled(True),
    "pfc_disabled": lambda *_: st.PfcEnabled(False),
    "pfc_priorities": lambda numbers: st.PfcPriorities(_all_in(numbers, 7), True),
    "pfc_no_priorities": lambda _, numbers: st.PfcPriorities(_all_in(numbers, 7), False),
    "ets_shares": lambda *percents: st.EtsShares(tuple(within(p, 0, 100) for p in percents)),
    "priority_class": lambda priority, number: st.PriorityClass(within(priority, 0, 7), within(number, 0, 7)),
    "pool_named": lambda name, *_: st.TrafficPool(str(name)),
    "pool_gone": lambda _, name: st.TrafficPool(str(name), gone=True),
    "pool_type": lambda name, kind: st.TrafficPool(str(name), str(kind)),
    "pool_both": lambda name, kind, numbers: st.TrafficPool(str(name), str(kind), _all_in(numbers, 7)),
    "pool_map": lambda name, numbers: st.TrafficPool(str(name), None, _all_in(numbers, 7)),
    "advanced": lambda: st.AdvancedBuffers(True),
    "advanced_off": lambda *_: st.AdvancedBuffers(False),
    "pool": lambda name, size, mode=None: st.Pool(str(name), _bytes(size), None if mode is None else str(mode)),
    "lldp": lambda: st.Lldp(True),
    "lldp_off": lambda *_: st.Lldp(False),
    "mtu": lambda n: st.Mtu(within(n, 68, 65535)),
    "mtu_default": lambda *_: st.Mtu(None),
    "speed": _speed,
    "speed_auto": lambda *_: st.Speed(None, None),
    "fec": lambda kind: st.Fec(_FEC[str(kind)]),
    "fec_auto": lambda *_: st.Fec(None),
    "flowcontrol": lambda direction, state: st.FlowControl(str(direction), str(state) == "on"),
    "flowcontrol_off": lambda _, direction, *__: st.FlowControl(str(direction), False),
    "shutdown": lambda: st.Shutdown(True),
    "no_shutdown": lambda *_: st.Shutdown(False),
    "channel": lambda n, *_: st.Channel(f"Po{int(n)}"),
    "mlag_channel": lambda n, *_: st.Channel(f"Mpo{int(n)}"),
    "pfc_mode": lambda mode: st.PfcMode(str(mode)),
    "pfc_off": lambda *_: st.PfcMode("off"),
    "watchdog": lambda: st.PfcWatchdog(True),
    "watchdog_off": lambda *_: st.PfcWatchdog(False),
    "trust": lambda what: st.Trust(_TRUST[str(what)]),
    "trust_default": lambda *_: st.Trust(None),
    "dscp_map": lambda points, n: st.DscpMap(_all_in(points, 63), within(n, 0, 7)),
    "dscp_default": lambda _, points, *__: st.DscpMap(_all_in(points, 63), None),
    "pcp_map": lambda tags, *rest: _pcp_map(tags, *rest),
    "default_priority": lambda n: st.DefaultPriority(within(n, 0, 7)),
    "no_default_priority": lambda *_: st.DefaultPriority(None),
    "default_pcp": lambda n: st.DefaultPcp(within(n, 0, 7)),
    "no_default_pcp": lambda *_: st.DefaultPcp(None),
    "rewrite_dscp": lambda: st.RewriteDscp(True),
    "no_rewrite_dscp": lambda *_: st.RewriteDscp(False),
    "rewrite_map": lambda numbers, dscp: st.RewriteMap(_all_in(numbers, 7), within(dscp, 0, 63)),
    "access_group": lambda _, name: st.AccessGroup(str(name)),
    "no_access_group": lambda *_: st.AccessGroup(None),
    "tlvs": _tlvs,
    "traffic_class": lambda n: st.TrafficClass(within(n, 0, 7)),
    "group": _group,
    "other_buffer": _other_buffer,
    "absolute": _absolute,
    "relative": _relative,
    "no_curve": lambda *_: st.Curve("none", None),
    "strict": lambda: st.Scheduling("strict"),
    "weighted": lambda n: st.Scheduling("weighted", within(n, 0, 100)),
    "ets_default": lambda *_: st.Scheduling(None),
    "bind": lambda numbers: st.Bind(_all_in(numbers, 7)),
    "unbind": lambda *_: st.Bind(()),
    "shape": lambda *_: st.Shape(True),
    "no_shape": lambda *_: st.Shape(False),
    "group_buffer": _group_buffer,
    "pfc_state": lambda runs, numbers=None: st.PfcState(str(runs) == "enabled", numbers),
}


def _pcp_map(tags: tuple[int, ...], *rest: Any) -> st.PcpMap | st.Nothing:
    """The map of tags without drop eligibility (DEI 0): RoCE senders set none."""
    dei = rest[0] if len(rest) == 2 else (0, 1)
    if any(bit not in (0, 1) for bit in dei):
        raise ValueError(f"no DEI: {dei}")
    return st.PcpMap(_all_in(tags, 7), within(rest[-1], 0, 7)) if 0 in dei else st.Nothing()
