"""What makes each statement of EOS from its parts in the grammar, with the bounds that the grammar does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.shared.numbers import DSCP_NAMES, within

_RATE = {"kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}


def _all_in(values: tuple[int, ...], high: int) -> tuple[int, ...]:
    return tuple(within(v, 0, high) for v in values)


def _seconds(value: Any, low: float, high: float) -> float:
    """Seconds of a watchdog timer; milliseconds written by mistake lie outside the bounds, and EOS refuses them."""
    seconds = float(value)
    if not low <= seconds <= high:
        raise ValueError(f"{seconds} is outside {low}..{high} s")
    return seconds


def _speed(*parts: Any) -> st.Speed:
    text = str(parts[-1]).lower().partition("-")[0]
    for tail in ("gfull", "ghalf", "full", "half", "g"):
        if text.endswith(tail):
            unit = 1_000_000_000 if tail.startswith("g") else 1_000_000
            return st.Speed(round(float(text.removesuffix(tail)) * unit))
    raise ValueError(text)


def _shape(amount: Any, unit: Any = None) -> st.Shape:
    bps = int(amount) * _RATE[unit] if unit in _RATE else None
    return st.Shape(bps, within(amount, 0, 100) if unit == "percent" else None, True)


def _ecn(low: Any, low_unit: Any, high: Any, high_unit: Any, *rest: Any) -> st.EcnCurve:
    options = dict(rest)
    percent, weight = options.get("probability"), options.get("weight")
    return st.EcnCurve((int(low), str(low_unit), int(high), str(high_unit), percent, weight))


def _wred(*parts: Any) -> st.WredCurve:
    start = next(i for i, p in enumerate(parts[1:], 1) if not str(p).isdigit()) - 1
    low, low_unit, high, high_unit, percent = parts[start : start + 5]
    return st.WredCurve((int(low), str(low_unit), int(high), str(high_unit), within(percent, 1, 100)))


def _alpha(text: Any) -> float:
    """A share of the free buffer: `8`, or `1/8`."""
    above, _, below = str(text).partition("/")
    return within(above, 1, 128) / within(below or 1, 1, 128)


RULES: Mapping[str, Callable[..., Any]] = {
    "numbers": lambda *n: tuple(map(int, n)),
    "probability": lambda n: ("probability", within(n, 1, 100)),
    "weight": lambda n: ("weight", within(n, 0, 15)),
    "codepoint": lambda token: within(DSCP_NAMES.get(str(token), token), 0, 63),
    "codepoints": lambda *n: n,
    "words": lambda *_: None,
    "nothing": lambda *_: st.Nothing(),
    "dscp_map": lambda points, tc, *_: st.DscpMap(_all_in(points, 63), within(tc, 0, 7)),
    "cos_map": lambda points, tc, *_: st.CosMap(_all_in(points, 7), within(tc, 0, 7)),
    "rewrite_dscp": lambda classes, dscp: st.RewriteDscp(_all_in(classes, 7), within(dscp, 0, 63)),
    "queue_map": lambda classes, queue: st.QueueMap(_all_in(classes, 7), within(queue, 0, 7)),
    "all_off": lambda: st.AllOff(),
    "global_timeout": lambda n: st.GlobalWatchdog("detect", _seconds(n, 0.01, 60)),
    "global_recovery": lambda n: st.GlobalWatchdog("restore", _seconds(n, 0.01, 60)),
    "global_polling": lambda n: st.GlobalWatchdog("poll", _seconds(n, 0.005, 30)),
    "global_action": lambda a: st.GlobalWatchdog("action", str(a)),
    "amount": lambda unit, n: (within(n, 0, 2**31), None if unit is None else str(unit)),
    "ratio": _alpha,
    "mmu_apply": lambda name: st.MmuApply(str(name)),
    "mmu_headroom": lambda size: st.MmuSize("headroom_bytes", None, *size),
    "mmu_reserved": lambda size: st.MmuSize("reserved_bytes", None, *size),
    "mmu_threshold": lambda alpha: st.MmuThreshold(None, alpha),
    "mmu_group_reserved": lambda group, size: st.MmuSize("reserved_bytes", within(group, 0, 7), *size),
    "mmu_group_threshold": lambda group, alpha: st.MmuThreshold(within(group, 0, 7), alpha),
    "pfc_active": lambda numbers: st.PfcState(frozenset(_all_in(numbers, 7))),
    "pfc_inactive": lambda: st.PfcState(frozenset()),
    "pfc_on": lambda: st.PfcMode(True),
    "pfc_off": lambda: st.PfcMode(False),
    "pfc_reset": lambda *_: st.PfcMode(False),
    "no_drop": lambda n: st.PfcPriority(within(n, 0, 7), True),
    "drop": lambda n: st.PfcPriority(within(n, 0, 7), False),
    "drop_reset": lambda _, n: st.PfcPriority(within(n, 0, 7), False),
    "watchdog_on": lambda: st.PortWatchdog(True),
    "watchdog_off": lambda *_: st.PortWatchdog(False),
    "watchdog_action": lambda a: st.PortWatchdogAction(str(a)),
    "watchdog_timer": lambda t, p, r: st.PortWatchdogTimer(float(t), None if p is None else float(p), float(r)),
    "polling": lambda n=None: n,
    "trust": lambda what: st.Trust("pcp" if what == "cos" else "dscp"),
    "trust_reset": lambda negated, *_: st.Trust("none" if negated == "no" else None),
    "default_cos": lambda n: st.DefaultCos(within(n, 0, 7)),
    "default_dscp": lambda n: st.DefaultDscp(within(n, 0, 63)),
    "policy": lambda name: st.PolicyName(str(name)),
    "policy_none": lambda *_: st.PolicyName(None),
    "profile_name": lambda name: st.ProfileName(str(name)),
    "profile_none": lambda *_: st.ProfileName(None),
    "mtu": lambda n: st.Mtu(within(n, 68, 65535)),
    "mtu_default": lambda *_: st.Mtu(None),
    "l2_mtu": lambda n: st.L2Mtu(within(n, 68, 65535)),
    "flowcontrol": lambda direction, state: st.FlowControl(str(direction), str(state)),
    "flowcontrol_off": lambda _, direction, *__: st.FlowControl(str(direction), "off"),
    "shutdown": lambda: st.Shutdown(True),
    "no_shutdown": lambda *_: st.Shutdown(False),
    "speed": _speed,
    "connected": lambda n: st.Connected(within(n, 1, 10_000_000) * 1_000_000),
    "speed_auto": lambda *_: st.Speed(None),
    "fec": lambda encoding: st.Fec(str(encoding)),
    "fec_none": lambda *_: st.Fec(None),
    "channel": lambda n: st.ChannelGroup(int(n)),
    "dcbx": lambda version: st.DcbxMode(str(version)),
    "dcbx_off": lambda *_: st.DcbxMode(None),
    "lldp_off": lambda *_: st.LldpOff(),
    "queue_header": lambda kind, n: st.QueueHeader(str(kind), within(n, 0, 11)),
    "strict": lambda: st.Strict(True),
    "weighted": lambda *_: st.Strict(False),
    "share": lambda n: st.Share(within(n, 0, 100)),
    "share_none": lambda *_: st.Share(None),
    "guaranteed": lambda *_: st.Guaranteed(),
    "shape": _shape,
    "shape_none": lambda *_: st.Shape(None, None, False),
    "ecn": _ecn,
    "ecn_none": lambda *_: st.EcnCurve(None),
    "wred": _wred,
    "class_header": lambda _, name: st.ClassHeader(str(name)),
    "set_class": lambda n: st.SetClass(within(n, 0, 7)),
    "set_dscp": lambda dscp: st.SetDscp(dscp),
    "police": lambda *_: st.Police(),
    "match_dscp": lambda points: st.Match("dscp", points),
    "match_cos": lambda points: st.Match("cos", _all_in(points, 7)),
    "match_other": lambda *_: st.Match("other", ()),
    "match_acl": lambda name: st.Match("acl", (), str(name)),
    "match_any": lambda: st.Match("any", ()),
}
