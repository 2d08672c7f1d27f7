"""What makes each statement of OS9 from its parts in the grammar, with the bounds that the grammar does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.shared.numbers import within
from roce_audit.platforms.shared.policy.statements import number_list

_LARGEST_KB = 7_787


_LARGEST_PEAK_MBPS = 100_000
_LARGEST_WRED_KB = 77_824
_PER_SECOND = {"pps": 0, "kbps": 1_000, "mbps": 1_000_000}
_VERSIONS = {"ieee-v2.5": "ieee"}


def _thresholds(priorities: Any, *parts: tuple[str, Any]) -> st.Thresholds:
    found = {name: within(value, 0, _LARGEST_KB) for name, value in parts}
    if len(found) < len(parts):
        raise ValueError("a threshold stands twice")
    size, pause = found.get("buffer-size"), found.get("pause-threshold")
    if size is not None and pause is not None and pause > size:
        raise ValueError("the pause threshold does not fit into the buffer")
    return st.Thresholds(number_list((priorities,), 7, {}), size, pause, found.get("resume-offset"))


def _group(number: Any, share: Any, *rest: Any) -> st.Group:
    *rates, pfc = rest
    percent = None if share is None else within(share, 1, 100)
    return st.Group(within(number, 0, 7), percent, dict(rates).get("peak"), pfc == "on")


def _rate(word: Any, mbps: Any, *_burst: Any) -> tuple[str, int]:
    return str(word), within(mbps, 0, _LARGEST_PEAK_MBPS) * 1_000_000


def _rate_part(*parts: Any) -> int | None:
    """Bit/s of `[kbps|pps] RATE [BURST]`: Mbit/s where no unit stands; None for packets."""
    unit = str(parts[0]) if str(parts[0]) in _PER_SECOND else "mbps"
    return int(parts[unit != "mbps"]) * _PER_SECOND[unit] or None


def _queue_map(*parts: Any) -> st.QueueMap:
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return st.QueueMap(tuple((int(str(name)[-1]), within(queue, 0, 7)) for name, queue in pairs))


def _service(outward: bool) -> Callable[..., st.Service]:
    def make(queue: Any, *parts: Any) -> st.Service:
        named = dict(part for part in parts if isinstance(part, tuple) and len(part) == 2)
        return st.Service(within(queue, 0, 7), named.get("class-map", ""), named.get("qos-policy", ""), outward)

    return make


def _curve(low: Any, high: Any, percent: Any = None) -> st.Curve:
    rate = None if percent is None else within(percent, 0, 100)
    return st.Curve(within(low, 0, _LARGEST_WRED_KB), within(high, 0, _LARGEST_WRED_KB), rate)


RULES: Mapping[str, Callable[..., Any]] = {
    "name": lambda n: (str(n),),
    "words": lambda *_: None,
    "rates": lambda *_: None,
    "peer_link": lambda number, *_: st.PeerLink(within(number, 1, 4096)),
    "nothing": lambda *_: st.Nothing(),
    "dcb_on": lambda *_: st.Dcb(True),
    "dcb_off": lambda *_: st.Dcb(False),
    "dcb_later": lambda *_: st.Nothing(),
    "map_bound": lambda name: st.DcbMap(name[0]),
    "map_unbound": lambda *_: st.DcbMap(None),
    "thresholds_bound": lambda name, *_: st.BufferPolicy(name[0]),
    "thresholds_unbound": lambda *_: st.BufferPolicy(None),
    "pfc_priorities": lambda values: st.PfcPriorities(number_list((values,), 7, {})),
    "pfc_none": lambda *_: st.PfcPriorities(()),
    "pfc_mode": lambda state: st.PfcMode(state == "on"),
    "pfc_mode_off": lambda *_: st.PfcMode(False),
    "pfc_mode_on": lambda *_: st.PfcMode(True),
    "pause_option": lambda *_: None,
    "flowcontrol": lambda receive, send, *_: st.FlowControl(receive == "on", send == "on"),
    "flowcontrol_off": lambda *_: st.FlowControl(False, False),
    "mtu": lambda n: st.Mtu(within(n, 592, 12_000), True),
    "mtu_default": lambda *_: st.MtuDefault(),
    "ip_mtu": lambda n: st.Mtu(within(n, 576, 11_982), False),
    "shutdown": lambda: st.Shutdown(True),
    "no_shutdown": lambda *_: st.Shutdown(False),
    "speed": lambda n: st.Speed(within(n, 10, 100_000) * 1_000_000),
    "speed_auto": lambda *_: st.Speed(None),
    "fec": lambda *_: st.Fec(True),
    "no_fec": lambda *_: st.Fec(False),
    "member": lambda n: st.Channel(within(n, 1, 4096)),
    "channel": lambda n: st.Channel(within(n, 1, 4096)),
    "group": _group,
    "strict_group": lambda number, *rest: _group(number, None, *rest),
    "rate": _rate,
    "no_group": lambda _, number, *__: st.NoGroup(within(number, 0, 7)),
    "groups": lambda *numbers: st.Groups(tuple(within(n, 0, 7) for n in numbers)),
    "no_groups": lambda *_: st.Groups(None),
    "thresholds": _thresholds,
    "threshold_part": lambda name, value: (str(name), value),
    "no_thresholds": lambda _, values, *__: st.NoThresholds(number_list((values,), 7, {})),
    "input_bound": lambda name: st.DcbInput(name[0]),
    "input_unbound": lambda *_: st.DcbInput(None),
    "input_everywhere": lambda _, name: st.DcbInput(name[0]),
    "output_bound": lambda name: st.DcbOutput(name[0]),
    "output_unbound": lambda *_: st.DcbOutput(None),
    "output_everywhere": lambda _, name: st.DcbOutput(name[0]),
    "ets_mode": lambda state: st.EtsMode(state == "on"),
    "ets_mode_off": lambda *_: st.EtsMode(False),
    "group_policy": lambda group, policy: st.GroupPolicy(group[0], policy[0]),
    "members": lambda values: st.Members(number_list((values,), 7, {})),
    "pgid": lambda n: st.GroupNumber(within(n, 0, 7)),
    "policy_in": lambda name: st.PolicyIn(name[0]),
    "policy_in_none": lambda *_: st.PolicyIn(None),
    "policy_out": lambda name: st.PolicyOut(name[0]),
    "policy_out_none": lambda *_: st.PolicyOut(None),
    "of_class": lambda name: ("class-map", name[0]),
    "of_policy": lambda name: ("qos-policy", name[0]),
    "service_in": _service(False),
    "service_out": _service(True),
    "aggregate": lambda name: st.Aggregate(name[0]),
    "police": lambda *_: st.Police(),
    "set_dscp": lambda n: st.SetDscp(within(n, 0, 63)),
    "tagless": lambda n: st.Tagless(within(n, 0, 7)),
    "queue_map": _queue_map,
    "queue_map_none": lambda *_: st.QueueMap(()),
    "queues_shown": lambda *numbers: st.QueuesShown(tuple(within(n, 0, 7) for n in numbers)),
    "pool_wred": lambda *_: st.PoolWred(),
    "share": lambda n: st.Share(within(n, 1, 100)),
    "strict": lambda *_: st.Scheduler(True),
    "weighted": lambda *_: st.Scheduler(False),
    "rate_part": _rate_part,
    "shape": lambda peak, *_: st.Shape(peak, True),
    "shape_none": lambda *_: st.Shape(None, False),
    "police_none": lambda *_: st.NoPolice(),
    "ecn": lambda *_: st.Ecn(True),
    "no_ecn": lambda *_: st.Ecn(False),
    "wred": lambda colour, name: st.Wred(str(colour), name[0]),
    "no_wred": lambda _, colour, *__: st.Wred(str(colour), ""),
    "weight": lambda n: st.Weight(within(n, 0, 15)),
    "curve": _curve,
    "role": lambda role: st.PortRole(str(role)),
    "role_manual": lambda *_: st.PortRole("manual"),
    "dcbx_version": lambda version: st.DcbxVersion(_VERSIONS.get(str(version), str(version))),
}
