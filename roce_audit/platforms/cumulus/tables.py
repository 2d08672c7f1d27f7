"""What `nv set qos roce` stands for, documented defaults, commands, and what would show the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from roce_audit.text.fill import Default

_GUIDE = "NVIDIA Cumulus Linux User Guide 5.13"
_QOS = f"{_GUIDE}, Quality of Service"
_ROCE = "NVIDIA Cumulus Linux User Guide 5.15, RDMA over Converged Ethernet: default RoCE configuration"
_REFERENCE = "NVIDIA Cumulus Linux NVUE Reference, QoS commands"

IDENTITY = {dscp: dscp // 8 for dscp in range(64)}
"""DSCP 0-7 to switch priority 0, 8-15 to 1, and so on."""


@dataclass(frozen=True, slots=True)
class Curve:
    """An ECN curve: bytes, bytes, percent."""

    min_bytes: int
    max_bytes: int
    probability: int


@dataclass(frozen=True, slots=True)
class Macro:
    """All that one RoCE mode sets."""

    priorities: frozenset[int]
    """Switch priorities with PFC in both directions and a lossless pool."""
    dscp: Mapping[int, int]
    queues: tuple[int, ...]
    """Traffic class of each switch priority."""
    shares: tuple[int | None, ...]
    """DWRR percent of each traffic class; None = strict."""
    curves: Mapping[int, Curve]
    source: str = _ROCE


_PLAIN_CURVE = Curve(150_000, 1_500_000, 100)
_PLAIN = {
    "dscp": IDENTITY,
    "queues": (0, 0, 0, 3, 0, 0, 6, 0),
    "shares": (50, 0, 0, 50, 0, 0, None, 0),
    "curves": {0: _PLAIN_CURVE, 3: _PLAIN_CURVE},
}
_MULTI_DSCP = dict.fromkeys(range(64), 0) | {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3} | dict.fromkeys(range(11, 41), 4)
_MULTI_CURVE = Curve(163 * 1024, 234 * 1024, 5)
_LOSSLESS = Macro(frozenset({3}), **_PLAIN)  # type: ignore[arg-type]

MACROS: Mapping[str, Macro] = {
    "lossless": _LOSSLESS,
    "lossless-single-ipool": _LOSSLESS,
    "lossy": Macro(frozenset(), **_PLAIN),  # type: ignore[arg-type]
    "lossy-multi-tc": Macro(
        frozenset(),
        _MULTI_DSCP,
        tuple(range(8)),
        (4, 8, 18, 22, 22, 22, 4, 0),
        dict.fromkeys((1, 2, 3), _MULTI_CURVE),
    ),
}
ROCE_CABLE = Default(100, f"{_REFERENCE}: qos roce cable-length, default 100 m")
PROFILE_CABLE = Default(10, f"{_QOS}, PFC: the default cable length of a profile is 10 m")
PFC_DIRECTION = Default(True, f"{_QOS}, PFC: tx and rx are enabled by default")
NO_POOL = f"{_QOS}, Flow Control Buffers: all memory is in the default-lossy pool unless a lossless pool is given some"
NO_SCHEDULING = Default(0, f"{_QOS}, Egress Scheduler: a queue without a value has DWRR 0 (no egress scheduling)")
ECN_ON = Default(True, f"{_QOS}, ECN: a traffic class of a profile marks unless ecn is disabled")
RED_OFF = Default(False, f"{_QOS}, ECN: RED is disabled by default")
DEFAULT_CURVE = Default(_PLAIN_CURVE, f"{_QOS}, ECN: default profile, egress queue 0, 150000 and 1500000 bytes")
PROBABILITY = Default(100, f"{_QOS}, ECN: shown for a profile that gives thresholds alone")
SHARES = Default((12, 13, 12, 13, 12, 13, 12, 13), f"{_QOS}, Egress Scheduler: default scheduler")
QUEUE_OF = Default(None, f"{_QOS}, Egress Queues: switch priority N uses egress queue N")
DSCP_MAP = Default(IDENTITY, f"{_QOS}, Trust DSCP: default mapping")
PCP_MAP = Default(None, f"{_QOS}, Trust 802.1p: default mapping")
TRUST = Default("pcp", f"{_QOS}: the default configuration trusts 802.1p")
PORT_PRIORITY = Default(0, f"{_QOS}: traffic.port_default_priority is 0 by default")
POLLING_MS = Default(100, f"{_QOS}, PFC Watchdog: polling interval 100 ms")
ROBUSTNESS = Default(3, f"{_QOS}, PFC Watchdog: 3 polling intervals")
INSTANT = Default(0, "Spectrum compares the instantaneous queue length (source: unverified)")

_LOSSY = f"{_QOS}, Priority Flow Control: a switch priority without PFC has neither headroom nor thresholds"
DEFAULTS: dict[str, Default] = {
    "admin_up": Default(True, "a port of the configuration is up unless its link state is down (source: unverified)"),
    "speed_bps": Default(None, "no link speed: automatic"),
    "fec": Default(None, f"{_GUIDE}, Switch Port Attributes: FEC is chosen by the port unless set"),
    "autoneg": Default(None, "no auto-negotiate: not configured"),
    "ip_mtu_bytes": Default(9216, f"{_GUIDE}, Switch Port Attributes: MTU 9216 by default"),
    "cable_m": Default(None, "no PFC profile, so no cable length"),
    "rewrites_dscp": Default(frozenset(), f"{_QOS}: traffic.packet_priority_remark_set is empty by default"),
    "policed": Default(False, f"{_QOS}, Policing: only access lists police"),
    "pfc.mode": Default("off", f"{_QOS}: no PFC port group by default"),
    "pfc.priorities": Default(frozenset(), f"{_QOS}: no PFC port group by default"),
    "pfc.receive_only": Default(frozenset(), f"{_QOS}: no PFC port group by default"),
    "pfc.operational": Default(None, "a configuration holds no operational state"),
    "pfc.overrides_link_pause": Default(False, f"{_QOS}: link pause and PFC cannot be on one port"),
    "pfc.watchdog.on": Default(False, f"{_REFERENCE}: pfc-watchdog state, default disable"),
    "pfc.watchdog.action": Default("drop", f"{_QOS}, PFC Watchdog: new packets to the stuck queue are discarded"),
    "pfc.watchdog.priorities": Default(None, f"{_QOS}, PFC Watchdog: all lossless traffic classes of the port"),
    "link_pause_rx": Default(False, f"{_QOS}: no link pause port group by default"),
    "link_pause_tx": Default(False, f"{_QOS}: no link pause port group by default"),
    "queues.*.ecn": Default(None, f"{_QOS}, ECN: enabled by default on egress queue 0 alone"),
    "queues.*.max_rate_bps": Default(None, f"{_QOS}, Shaping: only queues with a shaper are shaped"),
    "queues.*.limit_bytes": Default(None, "Spectrum limits queues dynamically (source: unverified)"),
    "queues.*.share_kind": Default("percent_at_most", f"{_QOS}, Egress Scheduler: the total must not exceed 100"),
    "classes.*.mtu_bytes": Default(None, "one MTU a port"),
    "groups.*.lossless": Default(False, f"{_QOS}: a switch priority without PFC is lossy"),
    "groups.*.headroom_bytes": Default(None, _LOSSY),
    "groups.*.headroom_is_shared": Default(None, _LOSSY),
    "groups.*.xoff_at_bytes": Default(None, _LOSSY),
    "groups.*.xon_at_bytes": Default(None, _LOSSY),
    "groups.*.xon_offset_bytes": Default(None, _LOSSY),
    "groups.*.reserved_bytes": Default(None, _LOSSY),
    "groups.*.alpha": Default(None, _LOSSY),
    "groups.*.pool": Default(None, _LOSSY),
    "groups.*.profile": Default(None, "buffer profiles have no names"),
    "groups.*.profile_speed_bps": Default(None, "buffer profiles have no names"),
    "groups.*.profile_cable_m": Default(None, "buffer profiles have no names"),
    "dcbx.lldp": Default(True, f"{_GUIDE}, Link Layer Discovery Protocol: lldpd runs by default"),
    "dcbx.mode": Default("off", f"{_GUIDE}, LLDP: DCBX TLVs are sent only where configured, or with RoCE"),
    "dcbx.willing": Default(False, "settings of the far end are never taken over (source: unverified)"),
    "dcbx.owner": Default(None, "a switch port"),
    "nic": Default(None, "a switch port"),
}
for _i in range(8):
    _own_group = Default(_i, f"{_QOS}: buffers are kept per switch priority; PFC priority N is switch priority N")
    DEFAULTS[f"classes.{_i}.group"] = DEFAULTS[f"priorities.{_i}.group"] = _own_group
    DEFAULTS[f"classes.{_i}.queue"] = DEFAULTS[f"priorities.{_i}.queue"] = Default(_i, QUEUE_OF.source)
    DEFAULTS[f"queues.{_i}.scheduling"] = Default("weighted", SHARES.source)
    DEFAULTS[f"queues.{_i}.share"] = Default(12 + _i % 2, SHARES.source)


ASIC_OF_MODEL = (
    ("SN2", "spectrum"),
    ("SN3", "spectrum2"),
    ("SN4", "spectrum3"),
    ("SN5640", "spectrum5"),
    ("SN5", "spectrum4"),
    ("SN6", "spectrum6"),
)
"""Series of the model, chip family; the first that fits. source: unverified; used for reports and to leave rules unasked."""
QOS_FAMILIES = frozenset(
    {"trust", "dscp", "pcp", "pfc.mode", "pfc.priorities", "pfc.receive_only", "pfc.operational", "queues", "groups"}
    | {"pfc.overrides_link_pause", "rewrites_dscp", "cable_m"}
    | {"link_pause_rx", "link_pause_tx", "kind", "nic", "dcbx.owner"}
)
"""What a whole file of datapath settings tells."""
LINK_FAMILIES = frozenset({"ip_mtu_bytes", "admin_up", "speed_bps", "fec", "autoneg", "kind", "nic"})
"""What a whole `/etc/network/interfaces` tells."""
