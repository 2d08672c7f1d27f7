"""What OS10 has of itself: built-in names and documented defaults."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.platforms.shared.references import Name
from roce_audit.text.fill import Default

BUILTIN: frozenset[Name] = frozenset(
    {
        ("dot1pmap", "default"),
        ("dscpmap", "default"),
        ("qosmap", "class-trust"),
        ("qosmap", "class-default"),
        ("nqmap", "class-default"),
        ("qumap", "class-default"),
    }
)
"""Maps and classes that OS10 has of itself."""

_GUIDE = "Dell EMC SmartFabric OS10 User Guide"
_DCB = f"{_GUIDE} (S4112F-ON), PFC configuration notes"
TRUSTED = f"{_GUIDE}, Data traffic classification: what a trust map does not list is in traffic class 0"
UNTRUSTED = f"{_GUIDE}, Data traffic classification: without classification all data traffic is in traffic class 0"
SAME_QUEUE = f"{_GUIDE}, Egress traffic classification: by default traffic class N leaves through queue N"
DEFAULT_GROUP = f"{_GUIDE}, Configure ingress buffer: traffic classes without PFC share the default priority group"
SHARED_ON_CHIP = f"{_GUIDE}, Buffer management: all physical ports share the pools of the chip"
DOT1P_DEFAULT = (1, 0, 2, 3, 4, 5, 6, 7)
"""The default 802.1p trust map: traffic class by CoS (User Guide, Default 802.1p CoS trust map)."""

NO_PFC = f"{_DCB}: PFC is disabled by default on an interface"

DEFAULTS: dict[str, Default] = (
    PAIRED_DEFAULTS
    | {
        "speed_bps": Default(None, "no speed statement: automatic"),
        "fec": Default(None, "no fec statement: chosen by the transceiver"),
        "autoneg": Default(None, "no statement about negotiation: chosen by the transceiver"),
        "ip_mtu_bytes": Default(1500, f"{_GUIDE}, mtu: the default link MTU is 1532 bytes, 32 more than the IP MTU"),
        "cable_m": Default(None, "OS10 has no cable length statement"),
        "trust": Default("none", f"{_GUIDE}, ETS configuration notes: interfaces honor no priority fields by default"),
        "rewrites_dscp": Default(frozenset(), f"{_GUIDE}, ETS configuration notes: a trust map does not change DSCP"),
        "policed": Default(False, "no policer bound"),
        "dscp.*": Default(0, UNTRUSTED),
        "pcp.*": Default(0, UNTRUSTED),
        "pfc.mode": Default("off", NO_PFC),
        "pfc.priorities": Default(frozenset(), NO_PFC),
        "pfc.receive_only": Default(frozenset(), f"{_DCB}: a paused class sends and obeys PFC"),
        "pfc.send_only": Default(frozenset(), f"{_DCB}: a paused class sends and obeys PFC"),
        "pfc.watchdog": Default(None, f"{_GUIDE}: documents no PFC watchdog (source: unverified)"),
        "link_pause_tx": Default(False, f"{_DCB}: link-level flow control is disabled by default"),
        "queues.*.ecn": Default(None, f"{_GUIDE}, random-detect (queue): not configured by default"),
        "queues.*.ecn.weight": Default(
            0, f"{_GUIDE} (S4148F-ON), Explicit congestion notification: the weight factor is zero by default"
        ),
        "queues.*.max_rate_bps": Default(None, f"{_GUIDE}, shape: no shaping unless configured"),
        "queues.*.scheduling": Default("weighted", f"{_GUIDE}, Strict priority queuing: by default queues are WDRR"),
        "queues.*.share": Default(
            None,
            f"{_GUIDE}, bandwidth: configured class by class; a queue without it has no percentage (source: unverified)",
        ),
        "queues.*.share_kind": Default("percent_at_most", f"{_GUIDE}, bandwidth: a share in percent"),
        "queues.*.limit_bytes": Default(None, f"{_GUIDE}, Configure egress buffer: dynamic thresholds by default"),
        # of eight priority groups the last is shared where no class has one of its own
        "classes.*.group": Default(7, DEFAULT_GROUP),
        "classes.*.mtu_bytes": Default(None, "OS10 has no MTU of a class"),
        "groups.*.lossless": Default(False, f"{_DCB}: by default all traffic is handled by the lossy ingress buffer"),
        "priorities.*.group": Default(None, f"{_DCB}: priorities are paused by pfc-cos"),
        "priorities.*.queue": Default(None, f"{_DCB}: priorities are paused by pfc-cos"),
        "dcbx.mode": Default(
            "off", f"{_GUIDE}, DCBX configuration notes: DCBX is disabled at a global level by default"
        ),
        "dcbx.willing": Default(False, f"{_GUIDE}, DCBX configuration notes: ports take the manual role by default"),
    }
    | {f"classes.{number}.queue": Default(number, SAME_QUEUE) for number in range(8)}
)
