"""Tables of Dell OS10: which words concern us, documented defaults, read-only commands, what would show the rest."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.syntax import UNSURE
from roce_audit.platforms.shared.references import Name
from roce_audit.text.fill import Default

OPENERS = {
    "top": {
        "interface": "port",
        "interface breakout": "breakout",
        "class-map": "qosmap",
        "class-map type": "other",
        "class-map type qos": "qosmap",
        "class-map type network-qos": "nqmap",
        "class-map type queuing": "qumap",
        "policy-map": "qospolicy",
        "policy-map type": "other",
        "policy-map type qos": "qospolicy",
        "policy-map type network-qos": "nqpolicy",
        "policy-map type queuing": "qupolicy",
        "trust dot1p-map": "dot1pmap",
        "trust dscp-map": "dscpmap",
        "qos-map traffic-class": "tcmap",
        "wred": "wredprofile",
        "system qos": "systemqos",
        "vlt-domain": "vlt",
        "control-plane": "other",
        "port-group": "other",
        "ip access-list": "acl",
        "ipv6 access-list": "acl",
        "mac access-list": "acl",
    },
    "qospolicy": {"class": "qosclass"},
    "nqpolicy": {"class": "nqclass"},
    "qupolicy": {"class": "quclass"},
}

_TRUST = "dscp pcp trust"
_CLASSIFYING = f"{_TRUST} policed rewrites_dscp"
_LOSSLESS = "pfc groups priorities classes"
_BINDINGS = {
    "service-policy": f"{_CLASSIFYING} queues {_LOSSLESS}",
    "service-policy input": f"{_CLASSIFYING} {_LOSSLESS}",
    "service-policy input type qos": _CLASSIFYING,
    "service-policy input type network-qos": _LOSSLESS,
    "service-policy output": "rewrites_dscp queues",
    "service-policy output type qos": "rewrites_dscp",
    "service-policy output type queuing": "queues",
    "trust-map": _TRUST,
    "trust": _TRUST,
    "qos-map": "classes priorities",
    "qos-map traffic-class": "classes priorities",
    "ets": "",
    "random-detect": "queues",
}

TOPICS = {
    "top": {
        "dcbx": "dcbx.mode",
        "lldp enable": "dcbx.lldp",
        # what belongs into a stanza and is nowhere else a statement
        "system qos": f"{_CLASSIFYING} queues {_LOSSLESS}",
        "trust": _TRUST,
        "trust-map": "",
        "qos-map": "",
        "ets": "",
        "priority-flow-control": "",
        "random-detect": "",
        "service-policy": "",
    },
    "port": _BINDINGS
    | {
        "interface": "",
        UNSURE: f"kind {_CLASSIFYING} queues {_LOSSLESS} ip_mtu_bytes admin_up speed_bps fec autoneg dcbx"
        " link_pause_rx link_pause_tx",
        "priority-flow-control": "pfc",
        "pfc": "pfc",
        "flowcontrol": "link_pause_rx link_pause_tx",
        "flowcontrol receive": "link_pause_rx",
        "flowcontrol transmit": "link_pause_tx",
        "mtu": "ip_mtu_bytes",
        "shutdown": "admin_up",
        "speed": "speed_bps",
        "fec": "fec",
        "negotiation": "autoneg",
        "channel-group": f"{_CLASSIFYING} queues {_LOSSLESS} ip_mtu_bytes speed_bps fec autoneg",
        "dcbx": "dcbx.mode",
        "dcbx tlv-select": "",
        "lldp": "dcbx",
        "lldp transmit": "dcbx.lldp",
        "lldp receive": "dcbx.lldp",
        "lldp tlv-select": "dcbx.mode",
        "lldp med": "",
    },
    "state": {"port-group": "speed_bps"},
    "systemqos": _BINDINGS
    | {
        "buffer-statistics-tracking": "",
        "pfc-max-buffer-size": "",
        "pfc-shared-buffer-size": "",
        "pfc-shared-headroom-buffer-size": "",
    },
    "vlt": {"discovery-interface": ""},
    "dot1pmap": {"qos-group": ""},
    "dscpmap": {"qos-group": ""},
    "tcmap": {"queue": ""},
    "wredprofile": {"random-detect": ""},
    "qospolicy": {"class": ""},
    "nqpolicy": {"class": ""},
    "qupolicy": {"class": ""},
    "qosclass": {"set": "", "police": "", "trust": ""},
    "nqclass": {"pause": "pause", "pfc-cos": "pause", "queue-limit": "limit"},
    "quclass": {
        "bandwidth": "share share_kind scheduling",
        "priority": "share scheduling",
        "random-detect": "ecn",
        "queue-limit": "limit_bytes",
        "shape": "max_rate_bps",
    },
    "qosmap": {"match": "", "class-map": ""},
    "nqmap": {"match": "", "class-map": ""},
    "qumap": {"match": "", "class-map": ""},
    "acl": {},
    "other": {},
    "breakout": {},
}

_MAPS = frozenset({"dot1pmap", "dscpmap", "tcmap", "wredprofile"})
STRICT = _MAPS | {
    "systemqos",
    "qospolicy",
    "nqpolicy",
    "qupolicy",
    "qosclass",
    "nqclass",
    "quclass",
    "qosmap",
    "nqmap",
    "qumap",
}
RAW = frozenset({"acl"})
IGNORED = dict.fromkeys(STRICT, frozenset({"description"})) | {
    "systemqos": frozenset({"qos-rate-adjust", "control-plane-buffer-size"}),
    "other": frozenset({"class", "match", "set", "police", "mode", "service-policy", "description", "trust"}),
    "top": frozenset({"interface"}),
}
LABELS = {"port": frozenset({"description", "switchport", "ip", "ipv6", "vlt-port-channel"})}

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

DEFAULTS: dict[str, Default] = {
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no fec statement: chosen by the transceiver"),
    "ip_mtu_bytes": Default(1500, f"{_GUIDE}, mtu: the default link MTU is 1532 bytes, 32 more than the IP MTU"),
    "cable_m": Default(None, "OS10 has no cable length statement"),
    "trust": Default("none", f"{_GUIDE}, ETS configuration notes: interfaces honor no priority fields by default"),
    "rewrites_dscp": Default(frozenset(), f"{_GUIDE}, ETS configuration notes: a trust map does not change DSCP"),
    "policed": Default(False, "no policer bound"),
    "pfc.mode": Default("off", f"{_DCB}: PFC is disabled by default on an interface"),
    "pfc.receive_only": Default(frozenset(), f"{_DCB}: a paused class sends and obeys PFC"),
    "pfc.operational": Default(None, "no answer about running PFC was read"),
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
    "classes.*.mtu_bytes": Default(None, "OS10 has no MTU of a class"),
    "groups.*.lossless": Default(False, f"{_DCB}: by default all traffic is handled by the lossy ingress buffer"),
    "groups.*.profile": Default(None, "OS10 names no buffer profile per priority"),
    "groups.*.profile_speed_bps": Default(None, "OS10 names no buffer profile per priority"),
    "groups.*.profile_cable_m": Default(None, "OS10 names no buffer profile per priority"),
    "priorities.*.group": Default(None, f"{_DCB}: priorities are paused by pfc-cos"),
    "priorities.*.queue": Default(None, f"{_DCB}: priorities are paused by pfc-cos"),
    "dcbx.mode": Default("off", f"{_GUIDE}, DCBX configuration notes: DCBX is disabled at a global level by default"),
    "dcbx.willing": Default(False, f"{_GUIDE}, DCBX configuration notes: ports take the manual role by default"),
    "dcbx.owner": Default(None, "switch"),
    "nic": Default(None, "a switch port"),
}
