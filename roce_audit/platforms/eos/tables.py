"""Tables of Arista EOS: which words concern us, documented defaults, read-only commands, what would show the rest."""

from __future__ import annotations

from roce_audit.text.fill import Default

OPENERS = {
    "top": {
        "interface": "port",
        "int": "port",
        "interface defaults": "defaults",
        "interface profile": "interface-profile",
        "qos profile": "profile",
        "policy-map type quality-of-service": "policy",
        "policy-map type qos": "policy",
        "class-map type qos": "classmap",
        "class-map type quality-of-service": "classmap",
        "ip access-list": "acl",
        "ipv6 access-list": "acl",
        "ip access-list standard": "other",
        "platform trident mmu queue": "mmu",
        "mlag configuration": "mlag",
    },
    "port": {"uc-tx-queue": "queue", "tx-queue": "queue", "mc-tx-queue": "queue"},
    "profile": {"uc-tx-queue": "queue", "tx-queue": "queue", "mc-tx-queue": "queue"},
    "policy": {"class": "policyclass"},
    "defaults": {"ethernet": "etherdefaults"},
}

_CLASSIFYING = "trust dscp pcp"
_PROFILE = "pfc queues trust dscp pcp"

_PORT = {
    "priority-flow-control": "pfc",
    "priority-flow-control pause watchdog": "pfc.watchdog",
    "qos trust": _CLASSIFYING,
    "qos cos": "dscp pcp",
    "qos dscp": "dscp pcp",
    "service-policy type qos input": "trust dscp pcp policed",
    "service-policy type quality-of-service input": "trust dscp pcp policed",
    "uc-tx-queue": "queues",
    "tx-queue": "queues",
    "mc-tx-queue": "queues",
    "shape": " ".join(f"queues.{number}.max_rate_bps" for number in range(8)),
}

_HEADROOM, _RESERVED, _ALPHA = (
    tuple(f"groups.{number}.{field}" for number in range(8)) for field in ("headroom_bytes", "reserved_bytes", "alpha")
)
_ALL_OF_GROUP = (*_HEADROOM, *_RESERVED, *_ALPHA)

HEADROOM_POOL = "platform trident mmu headroom-pool limit: headroom is a pool of the chip (source: unverified)"

TOPICS = {
    "top": {
        "qos map": "dscp pcp",
        "qos map dscp": "dscp",
        "qos map exp": "",
        "qos map cos": "pcp",
        "qos map traffic-class": "classes rewrites_dscp",
        "qos random-detect": "",
        "qos rewrite": "",
        "priority-flow-control": "pfc",
        "priority-flow-control pause watchdog": "pfc.watchdog",
        "platform sand qos map": "classes",
    },
    "port": _PORT
    | {
        "service-profile": _PROFILE,
        "mtu": "ip_mtu_bytes",
        "l2 mtu": "ip_mtu_bytes",
        "flowcontrol": "link_pause_rx link_pause_tx",
        "shutdown": "admin_up",
        "speed": "speed_bps",
        "error-correction encoding": "fec",
        "channel-group": _PROFILE + " ip_mtu_bytes policed",
        "switchport": _CLASSIFYING,
        "dcbx mode": "dcbx.mode",
        "lldp transmit": "dcbx.lldp",
        "lldp receive": "dcbx.lldp",
        "profile": _PROFILE + " ip_mtu_bytes",
        "traffic-policy input": "dscp pcp policed",
    },
    "profile": _PORT,
    "queue": {
        "priority": "scheduling",
        "bandwidth": "share share_kind",
        "shape": "max_rate_bps",
        "random-detect": "ecn",
    },
    "policy": {"class": ""},
    "policyclass": {"set traffic-class": "", "set traffic": "", "set dscp": "", "set cos": "", "police": "policed"},
    "classmap": {"match": ""},
    "acl": {},
    "mmu": {
        "ingress": " ".join(_ALL_OF_GROUP),
        "ingress headroom": " ".join(_HEADROOM),
        "ingress reserved": " ".join(_RESERVED),
        "ingress threshold": " ".join(_ALPHA),
        "ingress priority-group": " ".join((*_RESERVED, *_ALPHA)),
        "ingress resume": "",
    },
    "mmuapply": {"platform trident mmu queue": " ".join(_ALL_OF_GROUP)},
    "mlag": {},
    "defaults": {"mtu": "ip_mtu_bytes", "ethernet": "admin_up"},
    "etherdefaults": {"shutdown": "admin_up"},
    "state": {"pfc": "pfc.operational", "connected": "speed_bps"},
    "interface-profile": {},
    "other": {},
}

STRICT = frozenset({"profile", "queue", "policy", "policyclass", "classmap"})
RAW = frozenset({"acl"})
IGNORED = {
    "profile": frozenset({"description"}),
    "queue": frozenset({"description", "latency", "drop-precedence"}),
    "policy": frozenset({"description"}),
    "policyclass": frozenset({"description"}),
    "classmap": frozenset({"description"}),
    "top": frozenset({"interface", "service", "platform"}),
    "mmu": frozenset({"egress"}),
    "port": frozenset({"description", "profile-flow"}),
}
LABELS = {
    "port": frozenset({"description", "switchport", "vrf", "ip", "encapsulation", "ipv6", "mlag"}),
    "mlag": frozenset({"peer-link"}),
}

_MANUAL = "Arista EOS User Manual, Quality of Service"


def _default_class(dscp: int) -> int:
    return {0: 1, 1: 0}.get(dscp // 8, dscp // 8)


DEFAULTS: dict[str, Default] = {
    "admin_up": Default(True, "Arista EOS User Manual, Ethernet Ports: ports are enabled unless shut down"),
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no error-correction statement: chosen by the transceiver"),
    "autoneg": Default(None, "not configured"),
    "ip_mtu_bytes": Default(1500, "Arista EOS User Manual, Data Transfer: default MTU 1500"),
    "cable_m": Default(None, "EOS has no cable length statement"),
    "rewrites_dscp": Default(frozenset(), f"{_MANUAL}: no rewrite unless configured"),
    "policed": Default(False, "no policer bound"),
    "pfc.mode": Default("off", "Arista EOS User Manual, DCBX and Flow Control: PFC is disabled by default"),
    "pfc.priorities": Default(frozenset(), "Arista EOS User Manual, DCBX and Flow Control: PFC is disabled by default"),
    "pfc.receive_only": Default(frozenset(), "EOS has no asymmetric PFC"),
    "pfc.operational": Default(None, "no show priority-flow-control was read"),
    "pfc.overrides_link_pause": Default(
        True,
        "Arista EOS User Manual, DCBX and Flow Control: an interface configured for PFC is disabled for flow control",
    ),
    "pfc.watchdog.on": Default(False, "Arista EOS: the PFC watchdog is off unless configured"),
    "pfc.watchdog.priorities": Default(None, "the EOS watchdog watches all no-drop priorities of the port"),
    "pfc.watchdog.poll_ms": Default(None, "chosen by the device unless configured (source: unverified)"),
    "link_pause_rx": Default(False, "Arista EOS User Manual, DCBX and Flow Control: flow control off by default"),
    "link_pause_tx": Default(False, "Arista EOS User Manual, DCBX and Flow Control: flow control off by default"),
    "queues.*.ecn": Default(None, f"{_MANUAL}: ECN marking is off unless configured"),
    "queues.*.max_rate_bps": Default(None, f"{_MANUAL}: no shaping unless configured"),
    "queues.*.limit_bytes": Default(None, "EOS limits queues dynamically unless an MMU profile says otherwise"),
    "queues.*.ecn.drops": Default(False, "random-detect ecn marks, it does not drop ECN-capable packets"),
    "queues.*.share": Default(None, "no bandwidth statement"),
    "queues.*.share_kind": Default("percent_at_most", f"{_MANUAL}: bandwidth percent is a guarantee"),
    "classes.*.mtu_bytes": Default(None, "EOS has one MTU a port"),
    "groups.*.lossless": Default(False, "a priority is lossy unless made no-drop"),
    "groups.*.profile": Default(None, "EOS names no buffer profile per priority"),
    "groups.*.profile_speed_bps": Default(None, "EOS names no buffer profile per priority"),
    "groups.*.profile_cable_m": Default(None, "EOS names no buffer profile per priority"),
    "dcbx.mode": Default("off", "Arista EOS User Manual, DCBX and Flow Control: DCBX is off by default"),
    "dcbx.lldp": Default(True, "Arista EOS User Manual, LLDP: enabled by default"),
    "dcbx.owner": Default(None, "switch"),
    "nic": Default(None, "a switch port"),
}
for _i in range(8):
    DEFAULTS[f"classes.{_i}.queue"] = Default(_i, f"{_MANUAL}: traffic class N uses transmit queue N")
    DEFAULTS[f"classes.{_i}.group"] = Default(_i, f"{_MANUAL}: PFC priority N protects traffic class N")
    DEFAULTS[f"priorities.{_i}.group"] = Default(_i, f"{_MANUAL}: PFC priority N protects traffic class N")
    DEFAULTS[f"priorities.{_i}.queue"] = Default(_i, f"{_MANUAL}: pause for priority N stops transmit queue N")

DSCP_DEFAULT = {d: Default(_default_class(d), f"{_MANUAL}: default DSCP to traffic class map") for d in range(64)}
COS_DEFAULT = {c: Default({0: 1, 1: 0}.get(c, c), f"{_MANUAL}: default CoS to traffic class map") for c in range(8)}
TRUST_DEFAULT = {
    True: Default("dscp", f"{_MANUAL}: a routed port trusts DSCP"),
    False: Default("pcp", f"{_MANUAL}: a switched port trusts CoS"),
}


ASIC_OF_MODEL = (
    ("7060X6", "tomahawk5", "shared_on_chip"),
    ("7060DX5", "tomahawk4", "shared_on_chip"),
    ("7060PX5", "tomahawk4", "shared_on_chip"),
    ("7060DX4", "tomahawk3", "shared_on_chip"),
    ("7060PX4", "tomahawk3", "shared_on_chip"),
    ("7060CX2", "tomahawk", "shared_on_chip"),
    ("7060CX", "tomahawk", "shared_on_chip"),
    ("7260CX3", "tomahawk2", "shared_on_chip"),
    ("7050", "trident", "shared_on_chip"),
    ("7280", "jericho", "voq"),
    ("7500", "jericho", "voq"),
    ("7800", "jericho", "voq"),
    ("7020", "jericho", "voq"),
)
"""Model prefix, chip family, buffer architecture. source: unverified; used for reports and to leave rules unasked, never as an error."""
