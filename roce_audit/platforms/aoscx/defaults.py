"""What AOS-CX has of itself: built-in profiles and documented defaults.

The guide is AOS-CX 10.18 Quality of Service Guide (832x, 93xx, 100xx Switch Series).
"""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.platforms.shared.references import Name
from roce_audit.text.fill import Default

FACTORY = "factory-default"
STRICT = "strict"
BUILTIN: frozenset[Name] = frozenset(
    {("queueprofile", FACTORY), ("scheduleprofile", FACTORY), ("scheduleprofile", STRICT)}
)
"""Profiles that AOS-CX has of itself."""

_GUIDE = "AOS-CX QoS Guide (832x, 93xx, 100xx)"
_FUNDAMENTALS = "AOS-CX 10.11 Fundamentals Guide (83xx, 9300, 10000)"
COS_MAP = (1, 0, 2, 3, 4, 5, 6, 7)
"""Local priority by 802.1p code point (show qos cos-map default)."""
COS_DEFAULT = f"{_GUIDE}, qos cos-map: the default map"
DSCP_DEFAULT = f"{_GUIDE}, qos dscp-map: the default map"
UNTRUSTED = f"{_GUIDE}, qos trust: with none, packets take the local priority of CoS map entry 0"
UNTAGGED = (
    "AOS-CX 10.01 (8320) Command-Line Interface Guide, qos trust: with cos, an untagged packet takes the local priority of CoS map"
    " entry 0"
)
FIXED_POOL = f"{_GUIDE}, Lossless QoS pool: 8360 and 8400 have a fixed pool that is not configured"
NO_POOL = f"{_GUIDE}, Lossless QoS pool: a priority that is mapped to no pool is in the lossy one"
IN_POOL = f"{_GUIDE}, PFC and the QoS pool: the headroom of a pool is shared by its ports"
FACTORY_SCHEDULE = f"{_GUIDE}, qos schedule-profile factory-default: all queues DWRR with weight 1"
STRICT_SCHEDULE = f"{_GUIDE}, qos schedule-profile: the profile strict serves all queues by strict priority"
MARKED_AT_MOST = f"{_GUIDE}, IP ECN configuration considerations: at the maximum threshold all packets are marked"
PER_PRIORITY = f"{_GUIDE}, show interface qos buffers: what enters a port is counted by priority"
DYNAMIC = f"{_GUIDE}, XOFF thresholds: dynamic, alpha 2 (2^2 times the free pool) unless configured"
DYNAMIC_BEFORE = f"{_FUNDAMENTALS}, XOFF limit: dynamic alpha 1 unless configured"
WATCHDOG_OFF = f"{_FUNDAMENTALS}, flow-control watchdog: must be enabled on interfaces (8325, 9300, 10000)"
SHARED_ON_CHIP = f"{_GUIDE}, Lossless QoS pool: all ports share the pools of the switch's packet memory"
EGRESS_DSCP = f"{_GUIDE}, show qos egress-rewrite-map default"

LARGEST_MEMORY_KB = 66 * 1024
"""Packet memory of the 9300 (Lossless QoS pool); the 8325 and 10000 have 32 MB."""
FACTORY_POOL_PERCENT = 40.6
FACTORY_HEADROOM_KB = 3072

DEFAULTS: dict[str, Default] = (
    PAIRED_DEFAULTS
    | {
        "speed_bps": Default(None, "no speed is configured: automatic (source: unverified)"),
        "fec": Default(None, f"{_FUNDAMENTALS}, error-control: by the transceiver unless configured"),
        "mtu": Default(1500, f"{_GUIDE}, show interface: a port without mtu shows MTU 1500"),
        "ip_mtu": Default(1500, f"{_FUNDAMENTALS}, ip mtu: 1500"),
        "cable_m": Default(350, f"{_GUIDE}, flow-control buffer cable-length: 350 metres"),
        "trust": Default("none", f"{_GUIDE}, QoS trust: none by default"),
        "rewrites_dscp": Default(frozenset(), f"{_GUIDE}, qos egress-rewrite-map: by default nothing is rewritten"),
        "policed": Default(False, "no classifier policy applied"),
        "pfc.mode": Default("off", f"{_GUIDE}, PFC: off unless flow-control priority is configured"),
        "pfc.priorities": Default(frozenset(), f"{_GUIDE}, PFC: off unless flow-control priority is configured"),
        "pfc.receive_only": Default(frozenset(), f"{_GUIDE}, Asymmetric PFC: only where rx is configured"),
        "pfc.send_only": Default(frozenset(), f"{_GUIDE}, Asymmetric PFC: only where rx is configured"),
        "pfc.watchdog.priorities": Default(None, f"{_FUNDAMENTALS}, flow-control watchdog: on all lossless queues"),
        "pfc.watchdog.poll_ms": Default(None, f"{_FUNDAMENTALS}, flow-control watchdog: has no polling interval"),
        "pfc.watchdog.detect_ms": Default(100.0, f"{_FUNDAMENTALS}, flow-control watchdog timeout: 100 ms"),
        "pfc.watchdog.restore_ms": Default(100.0, f"{_FUNDAMENTALS}, flow-control watchdog resume: 100 ms"),
        "pfc.watchdog.action": Default("drop", f"{_FUNDAMENTALS}, flow-control watchdog: packets are discarded"),
        "link_pause_rx": Default(False, "AOS-CX, show interface: Flow-control off unless configured"),
        "link_pause_tx": Default(False, "AOS-CX, show interface: Flow-control off unless configured"),
        "queues.*.scheduling": Default("weighted", FACTORY_SCHEDULE),
        "queues.*.share": Default(1, FACTORY_SCHEDULE),
        "queues.*.share_kind": Default("weight", f"{_GUIDE}, dwrr queue: weights are relative"),
        "queues.*.max_rate_bps": Default(None, f"{_GUIDE}, Egress port shaping: none unless configured"),
        "queues.*.limit_bytes": Default(None, f"{_GUIDE}: has no static limit of a queue"),
        "queues.*.ecn": Default(None, f"{_GUIDE}, Threshold profiles: none is applied by default"),
        "priorities.*.group": Default(None, f"{_GUIDE}, PFC: off unless flow-control priority is configured"),
        "priorities.*.queue": Default(None, f"{_GUIDE}, PFC: off unless flow-control priority is configured"),
        "classes.*.mtu_bytes": Default(None, "AOS-CX has no MTU of a class"),
        "groups.*.alpha": Default(
            4.0, f"{_GUIDE}, XOFF thresholds: dynamic alpha 2 (a factor of 2^2) unless configured"
        ),
        "groups.*.xoff_at_bytes": Default(None, f"{_GUIDE}, XOFF thresholds: dynamic unless configured"),
        "groups.*.xon_offset_bytes": Default(12288, f"{_GUIDE}, XON delta: 12288 bytes"),
        "dcbx.mode": Default("off", f"{_GUIDE}, DCBx guidelines: DCBx is disabled by default"),
        "dcbx.willing": Default(False, f"{_GUIDE}, DCBx guidelines: the willing bit is 0 in all TLVs"),
    }
    | {
        f"classes.{number}.queue": Default(
            number, f"{_GUIDE}, Queue profiles: factory-default maps each to its own queue"
        )
        for number in range(8)
    }
)
