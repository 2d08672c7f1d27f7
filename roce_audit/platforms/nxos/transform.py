"""What makes each statement of NX-OS from its parts in the grammar, with the bounds that the grammar does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.shared.numbers import DSCP_NAMES, within
from roce_audit.platforms.shared.policy import statements as ps

_RATE = {"bps": 1, "kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}
_FEC = {"auto": "auto", "off": "none", "cl74": "fc", "fc-fec": "fc"}


def _wred(*parts: tuple[str, Any]) -> st.Wred:
    found = dict(parts)
    if len(found) != len(parts) or ("low" in found) != ("high" in found) or ("preset" in found and "low" in found):
        raise ValueError("said twice, or only one threshold")
    return st.Wred(found.get("low"), found.get("high"), found.get("percent"), found.get("weight"), "ecn" in found)


def _shape(*parts: Any) -> ps.Shape:
    amount, unit = parts[-2:]
    return ps.Shape(int(amount) * _RATE[unit] if unit in _RATE else None, True)


def _thresholds(size: Any, pause: Any, resume: Any) -> tuple[int, int, int]:
    sizes = (int(size), int(pause), int(resume))
    if not sizes[2] <= sizes[1] <= sizes[0]:
        raise ValueError("thresholds do not fit into the buffer")
    return sizes


def _other(word: str, found: str) -> st.Nothing:
    """Another word, and not this one misspelt."""
    if found.startswith(word[:4]):
        raise ValueError(f"{found} looks like {word}")
    return st.Nothing()


def _bitmap(text: Any) -> frozenset[int]:
    """The priorities of a bitmap in hexadecimal digits."""
    bits = int(str(text), 16)
    if not 0 <= bits <= 0xFF:
        raise ValueError(text)
    return frozenset(i for i in range(8) if bits & 1 << i)


RULES: Mapping[str, Callable[..., Any]] = {
    "name": lambda n: (str(n),),
    "words": lambda *_: None,
    "nothing": lambda *_: st.Nothing(),
    "top": lambda s: s,
    "port": lambda s: s,
    "systemqos": lambda s: s,
    "vlanconfig": lambda s: s,
    "qospolicy": lambda s: s,
    "nqpolicy": lambda s: s,
    "qupolicy": lambda s: s,
    "qosmap": lambda s: s,
    "nqmap": lambda s: s,
    "qumap": lambda s: s,
    "watchdog": lambda state: st.Watchdog(state == "on"),
    "watchdog_off": lambda *_: st.Watchdog(False),
    "watchdog_interval": lambda n: st.WatchdogTimer("interval", within(n, 1, 100_000)),
    "watchdog_shutdown": lambda n: st.WatchdogTimer("shutdown", within(n, 0, 100)),
    "watchdog_restore": lambda n: st.WatchdogTimer("restore", within(n, 0, 100)),
    "feature": lambda name, *_: st.Lldp(True) if name == ("lldp",) else _other("lldp", name[0]),
    "no_feature": lambda _, name, *__: st.Lldp(False) if name == ("lldp",) else _other("lldp", name[0]),
    "other_system": lambda *parts: _other("qos", next(p[0] for p in parts if isinstance(p, tuple))),
    "tlv": lambda *parts: _other("dcbxp", parts[-1][0]),
    "lldp_off": lambda *_: st.Lldp(False),
    "dcbx_on": lambda: st.DcbxTlv(True),
    "dcbx_off": lambda *_: st.DcbxTlv(False),
    "dcbx_version": lambda version: st.DcbxVersion(str(version)),
    "switchports": lambda: st.SwitchportDefault(True),
    "no_switchports": lambda *_: st.SwitchportDefault(False),
    "ports_down": lambda: st.SwitchportsDown(True),
    "ports_up": lambda *_: st.SwitchportsDown(False),
    "pfc": lambda mode: st.PfcMode(str(mode)),
    "pfc_stopped": lambda: st.PfcState(frozenset()),
    "pfc_runs": lambda name: st.PfcState(_bitmap(name[0])),
    "pfc_reset": lambda *_: st.PfcMode(None),
    "qos_binding": lambda way, name: st.Binding("qos", str(way), name[0]),
    "qos_unbinding": lambda _, way, *__: st.Binding("qos", str(way), None),
    "queuing_binding": lambda way, name: st.Binding("queuing", str(way), name[0]),
    "queuing_unbinding": lambda _, way, *__: st.Binding("queuing", str(way), None),
    "network_binding": lambda name: st.Binding("network-qos", "", name[0]),
    "network_unbinding": lambda *_: st.Binding("network-qos", "", None),
    "mtu": lambda n: st.Mtu(within(n, 64, 65_535)),
    "mtu_default": lambda *_: st.Mtu(None),
    "flowcontrol": lambda way, state: st.FlowControl(str(way), state == "on"),
    "flowcontrol_off": lambda _, way, *__: st.FlowControl(str(way), False),
    "shutdown": lambda: st.Shutdown(True),
    "no_shutdown": lambda *_: st.Shutdown(False),
    "speed": lambda n: st.Speed(within(n, 10, 1_600_000) * 1_000_000),
    "speed_auto": lambda *_: st.Speed(None),
    "fec": lambda mode: st.Fec(_FEC.get(str(mode), "rs")),
    "fec_none": lambda *_: st.Fec(None),
    "negotiate": lambda *_: st.Negotiate(True),
    "no_negotiate": lambda *_: st.Negotiate(False),
    "channel": lambda n: st.ChannelGroup(within(n, 1, 4096)),
    "channel_none": lambda *_: st.ChannelGroup(None),
    "class_header": ps.class_header,
    "class_removed": lambda *parts: ps.ClassRemoved(parts[-1][0]),
    "set_group": lambda n: ps.SetGroup(within(n, 0, 7)),
    "set_dscp": ps.set_dscp,
    "set_precedence": lambda *_: ps.SetDscp(None),
    "police": lambda *_: ps.Police(),
    "pause": lambda *v: st.Pause(ps.number_list(v, 7, {}), False),
    "pause_receive": lambda *v: st.Pause(ps.number_list(v, 7, {}), True),
    "pause_unnamed": lambda *n: st.PauseUnnamed(_thresholds(*n) if n else None),
    "no_pause": lambda *_: st.NoPause(),
    "class_mtu": lambda n: st.ClassMtu(within(n, 576, 65_535)),
    "class_mtu_none": lambda *_: st.ClassMtu(None),
    "congestion": lambda: st.Congestion(False),
    "congestion_ecn": lambda: st.Congestion(True),
    "share": lambda n: ps.Share(within(n, 0, 100)),
    "share_none": lambda *_: ps.Share(None),
    "strict": lambda *_: ps.Strict(True),
    "not_strict": lambda *_: ps.Strict(False),
    "wred": _wred,
    "wred_none": lambda *_: st.NoWred(),
    "wred_preset": lambda *_: ("preset", True),
    "wred_low": lambda n, unit: ("low", (int(n), str(unit))),
    "wred_high": lambda n, unit: ("high", (int(n), str(unit))),
    "wred_probability": lambda n: ("percent", within(n, 0, 100)),
    "wred_weight": lambda n: ("weight", within(n, 0, 15)),
    "wred_ecn": lambda *_: ("ecn", True),
    "afd": lambda *_: st.Afd(False),
    "afd_ecn": lambda *_: st.Afd(True),
    "limit": lambda n, unit="packets": st.Limit((int(n), str(unit))),
    "limit_dynamic": lambda *_: st.Limit(None),
    "shape": _shape,
    "shape_share": lambda *_: ps.Shape(None, True),
    "shape_none": lambda *_: ps.Shape(None, False),
    "thresholds": lambda *n: st.Thresholds(_thresholds(*n)),
    "thresholds_none": lambda *_: st.Thresholds(None),
    "logic": ps.class_logic,
    "match_dscp": ps.criterion("dscp", 63, DSCP_NAMES),
    "match_precedence": ps.criterion("precedence", 7, ps.PRECEDENCE_NAMES),
    "match_cos": ps.criterion("cos", 7),
    "match_group": ps.criterion("group", 7),
    "match_acl": lambda name: ps.Match("acl", (), name[0]),
    "match_protocol": lambda *parts: ps.Match("never", negated=parts[:1] == ("not",)),
    "match_any": lambda: ps.Match("any"),
    "match_other": lambda *_: ps.Match("other"),
}
