"""What makes each statement of OS10 from its parts in the grammar, with the bounds that the grammar does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.shared.numbers import DSCP_NAMES, within
from roce_audit.platforms.shared.policy import statements as ps

_RATE = {"kbps": 1_000, "mbps": 1_000_000}
_FEC = {"auto": "auto", "off": "none", "cl74-fc": "fc"}
_LARGEST_KB = 12_480
"""WRED thresholds end here; the buffers of all models do long before."""


def _shape(*parts: Any) -> ps.Shape:
    """The upper rate is the last unit with the number behind it; a burst size may follow."""
    at = max(i for i, part in enumerate(parts) if not str(part).isdigit())
    unit = str(parts[at])
    return ps.Shape(int(parts[at + 1]) * _RATE[unit] if unit in _RATE else None, True)


def _pause(*parts: Any) -> st.Pause:
    if not parts:
        return st.Pause(None)
    size, pause, resume = (within(p, 0, _LARGEST_KB) for p in parts)
    if not resume <= pause <= size:
        raise ValueError("thresholds do not fit into the buffer")
    return st.Pause((size, pause, resume))


def _marked(high: int, names: Mapping[str, int]) -> Callable[..., st.Marked]:
    def make(group: Any, *parts: Any) -> st.Marked:
        lists = parts[1:] if str(parts[0]) in ("green", "yellow", "red") else parts
        return st.Marked(within(group, 0, 7), ps.number_list(lists, high, names))

    return make


def _queued(queue: Any, *parts: Any) -> st.Queued:
    cast = str(parts[-1])
    lists = parts[:-1] if cast in ("ucast", "mcast") else parts
    return st.Queued(within(queue, 0, 7), ps.number_list(lists, 7, {}), cast == "mcast")


def _bound(kind: Any, way: Any, only: str, name: str | None) -> st.Binding:
    if way != only:
        raise ValueError(f"a policy of type {kind} is for {only} alone")
    return st.Binding(kind, only, name)


def _curve(colour: Any, low: Any, high: Any, percent: Any) -> st.Curve:
    return st.Curve(str(colour), within(low, 1, _LARGEST_KB), within(high, 1, _LARGEST_KB), within(percent, 0, 100))


RULES: Mapping[str, Callable[..., Any]] = {
    "name": lambda n: (str(n),),
    "words": lambda *w: (" ".join(map(str, w)),),
    "nothing": lambda *_: st.Nothing(),
    **dict.fromkeys(("port", "systemqos", "qospolicy", "nqpolicy", "qupolicy"), lambda s: s),
    "dcbx_on": lambda: st.Dcbx(True),
    "dcbx_off": lambda *_: st.Dcbx(False),
    "lldp_on": lambda: st.Lldp(True),
    "lldp_off": lambda *_: st.Lldp(False),
    "tlv_on": lambda: st.DcbxTlv(True),
    "tlv_off": lambda *_: st.DcbxTlv(False),
    "dcbx_version": lambda version: st.DcbxVersion(str(version)),
    "pfc": lambda mode: st.PfcMode(str(mode)),
    "pfc_reset": lambda *_: st.PfcMode(None),
    "flowcontrol": lambda way, state: st.FlowControl(str(way), state == "on"),
    "flowcontrol_reset": lambda _, way, *__: st.FlowControl(str(way), None),
    "port_wred": lambda name: st.PortWred(name[0]),
    "port_wred_none": lambda *_: st.PortWred(None),
    "pool_wred": lambda _, name: st.PoolWred(name[0]),
    "ecn_everywhere": lambda: st.EcnEverywhere(True),
    "ecn_nowhere": lambda *_: st.EcnEverywhere(False),
    "mtu": lambda n: st.Mtu(within(n, 1_280, 65_535)),
    "mtu_default": lambda *_: st.Mtu(None),
    "shutdown": lambda: st.Shutdown(True),
    "no_shutdown": lambda *_: st.Shutdown(False),
    "speed": lambda n: st.Speed(within(n, 10, 1_600_000) * 1_000_000),
    "speed_auto": lambda *_: st.Speed(None),
    "fec": lambda mode: st.Fec(_FEC.get(str(mode).lower(), "rs")),
    "fec_none": lambda *_: st.Fec(None),
    "negotiation": lambda state: st.Negotiation(state == "on"),
    "negotiation_auto": lambda *_: st.Negotiation(None),
    "channel": lambda n: st.ChannelGroup(within(n, 1, 4096)),
    "channel_none": lambda *_: st.ChannelGroup(None),
    "port_group": lambda n: st.PortGroup(within(n, 1, 1_600) * 1_000_000_000),
    "discovery": lambda words: st.Discovery(words[0]),
    "qos_binding": lambda way, name: st.Binding("qos", str(way), name[0]),
    "qos_unbinding": lambda _, way, *__: st.Binding("qos", str(way), None),
    "network_binding": lambda way, name: _bound("network-qos", way, "input", name[0]),
    "network_unbinding": lambda _, way, *__: _bound("network-qos", way, "input", None),
    "queuing_binding": lambda way, name: _bound("queuing", way, "output", name[0]),
    "queuing_unbinding": lambda _, way, *__: _bound("queuing", way, "output", None),
    "trust_map": lambda field, name: st.TrustMap(str(field), name[0]),
    "trust_map_none": lambda _, field, *__: st.TrustMap(str(field), None),
    "qos_map": lambda name: st.QosMap(name[0]),
    "qos_map_none": lambda *_: st.QosMap(None),
    "marked_dot1p": _marked(7, {}),
    "marked_dscp": _marked(63, DSCP_NAMES),
    "queued": _queued,
    "curve": _curve,
    "weight": lambda n: st.Weight(within(n, 0, 15)),
    "ecn": lambda: st.Ecn(True),
    "no_ecn": lambda *_: st.Ecn(False),
    "class_header": ps.class_header,
    "class_removed": lambda *parts: ps.ClassRemoved(parts[-1][0]),
    "set_group": lambda n: ps.SetGroup(within(n, 0, 7)),
    "set_dscp": ps.set_dscp,
    "police": lambda *_: ps.Police(),
    "trust_class": lambda *_: st.TrustClass(),
    "pause": _pause,
    "no_pause": lambda *_: st.NoPause(),
    "pfc_cos": lambda *v: st.PfcCos(ps.number_list(v, 7, {})),
    "no_pfc_cos": lambda *_: st.PfcCos(()),
    "shared_limit": lambda *_: st.SharedLimit(True),
    "no_shared_limit": lambda *_: st.SharedLimit(False),
    "share": lambda n: ps.Share(within(n, 0, 100)),
    "share_none": lambda *_: ps.Share(None),
    "strict": lambda: ps.Strict(True),
    "not_strict": lambda *_: ps.Strict(False),
    "wred": lambda name: st.WredName(name[0]),
    "wred_none": lambda *_: st.WredName(None),
    "limit_dynamic": lambda *_: st.Limit(False),
    "limit_static": lambda *_: st.Limit(True),
    "shape": _shape,
    "shape_none": lambda *_: ps.Shape(None, False),
    "logic": ps.class_logic,
    "match_dscp": ps.criterion("dscp", 63, DSCP_NAMES),
    "match_precedence": ps.criterion("precedence", 7, ps.PRECEDENCE_NAMES),
    "match_cos": ps.criterion("cos", 7),
    "match_group": ps.criterion("group", 7),
    "match_acl": lambda name: ps.Match("acl", (), name[0]),
    "match_other": lambda *_: ps.Match("other"),
}
