"""Tables of Dell OS9: which words concern us, documented defaults, read-only commands, what would show the rest."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.syntax import UNSURE
from roce_audit.text.fill import Default

OPENERS = {
    "top": {
        "interface": "port",
        "dcb-map": "dcbmap",
        "dcb-buffer-threshold": "threshold",
        "dcb-input": "dcbinput",
        "dcb-output": "dcboutput",
        "priority-group": "pgroup",
        "class-map": "classmap",
        "policy-map-input": "policyin",
        "policy-map-output": "policyout",
        "policy-map": "other",
        "qos-policy-input": "qosin",
        "qos-policy-output": "qosout",
        "wred-profile": "wredprofile",
        "vlt domain": "vlt",
        "control-plane": "other",
        "control-plane-cpuqos": "other",
        "ip access-list": "other",
        "ipv6 access-list": "other",
        "mac access-list": "other",
        "protocol": "other",
        "router": "other",
    },
    "port": {"port-channel-protocol": "lacp", "protocol lldp": "lldp"},
}

_CLASSIFYING = "dscp pcp policed rewrites_dscp"
_LOSSLESS = "pfc groups priorities classes"
_ETS = "queues classes priorities"

TOPICS = {
    "top": {
        "dcb": _LOSSLESS,
        "dcb-policy": "groups",
        "dcb-policy input": _LOSSLESS,
        "dcb-policy output": _ETS,
        "service-class": f"{_CLASSIFYING} queues classes priorities",
        "service-class dynamic": _CLASSIFYING,
        "service-pool": "queues",
        # what belongs into a stanza and is nowhere else a statement
        "service-policy": f"{_CLASSIFYING} queues",
        "pfc": "",
        "priority-pgid": "",
    },
    "port": {
        "interface": "",
        UNSURE: f"kind {_CLASSIFYING} {_LOSSLESS} queues ip_mtu_bytes admin_up speed_bps fec link_pause_rx link_pause_tx dcbx",
        "dcb-map": f"{_LOSSLESS} queues pcp",
        "dcb-policy": "groups",
        "dcb-policy input": f"{_LOSSLESS} pcp",
        "dcb-policy output": _ETS,
        "pfc": _LOSSLESS,
        "pfc priority": f"{_LOSSLESS} pcp",
        "priority-flow-control": _LOSSLESS,
        "flowcontrol": "link_pause_rx link_pause_tx",
        "mtu": "ip_mtu_bytes",
        "ip mtu": "ip_mtu_bytes",
        "shutdown": "admin_up",
        "speed": "speed_bps",
        "fec": "fec",
        "service-class": f"{_CLASSIFYING} queues",
        "service-policy": f"{_CLASSIFYING} queues",
        "service-policy output": "queues",
        "rate police": "policed",
        "rate shape": " ".join(f"queues.{number}.max_rate_bps" for number in range(8)),
        "dot1p-priority": "dscp pcp",
        "dcbx": "dcbx pfc",
        "port-channel-protocol": "",
        "member-of": "",
        "protocol lldp": "",
    },
    "lacp": {"port-channel": f"{_CLASSIFYING} {_LOSSLESS} ip_mtu_bytes"},
    "lldp": {"dcbx": "dcbx", "dcbx port-role": "dcbx.willing pfc.mode pfc.priorities", "dcbx version": "dcbx.mode"},
    "dcbmap": {"priority-group": "", "priority-pgid": "", "priority": ""},
    "threshold": {"priority": ""},
    "dcbinput": {"pfc": ""},
    "dcboutput": {"ets": "", "priority-group": ""},
    "pgroup": {"priority-list": "", "set-pgid": ""},
    "classmap": {"match": ""},
    "policyin": {"service-queue": "", "policy-aggregate": "", "trust": ""},
    "policyout": {"service-queue": "", "policy-aggregate": ""},
    "qosin": {"rate": "", "rate-police": "", "set": ""},
    "qosout": {"bandwidth-percentage": "", "scheduler": "", "rate": "", "rate-shape": "", "wred": ""},
    "wredprofile": {"threshold": ""},
    "vlt": {"peer-link": ""},
    "state": {"queues": "queues classes priorities"},
    "other": {},
}
STRICT = frozenset(
    {"dcbmap", "threshold", "dcbinput", "dcboutput", "pgroup", "policyin", "policyout", "qosin", "qosout"}
)
_SET_ASIDE = (
    "service-class",
    "service-policy",
    "match",
    "set",
    "mtu",
    "advertise",
    "dcbx",
    "trust",
    "bandwidth-percentage",
)
IGNORED = {
    **dict.fromkeys(
        ("dcbmap", "threshold", "dcbinput", "dcboutput", "pgroup", "policyin", "policyout", "qosin", "qosout"),
        frozenset({"description"}),
    ),
    "lldp": frozenset({"advertise", "fcoe", "iscsi", "hello", "mode", "multiplier", "disable", "management-interface"}),
    "other": frozenset(_SET_ASIDE),
    "top": frozenset({"interface"}),
}
LABELS = {
    "port": frozenset(
        {"description", "switchport", "portmode", "tagged", "untagged", "vlan", "channel-member", "vlt-peer-lag"}
    )
}

_GUIDE = "Dell EMC Networking OS9 Configuration Guide"
_REFERENCE = "Dell EMC Networking OS9 Command Line Reference Guide"
_DCB = f"{_GUIDE}, Data Center Bridging"
BY_TAG = f"{_DCB}: DCB processes tagged packets by their dot1p priority"
UNTAGGED = f"{_DCB}: untagged packets are treated with a dot1p priority of 0"
TAGLESS = f"{_GUIDE}, Quality of Service, dot1p-priority: changes the priority of incoming traffic"
SHARES = f"{_DCB}: all 802.1p priorities of a queue are in one priority group, whose bandwidth ETS assigns"
NO_GROUPS = f"{_DCB}: without priority-pgid a DCB map leaves PFC off and shares the bandwidth equally"
MODE = f"{_DCB}: PFC works for the priorities that a DCB map, an input policy or pfc priority names"
BUFFERS = f"{_REFERENCE}, priority (DCB buffer threshold): buffer 45 KB, pause threshold and resume offset 10 KB"
ROLES = f"{_DCB}, DCBx port roles: which roles take the configuration of a peer"

DEFAULTS: dict[str, Default] = {
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no fec statement"),
    "cable_m": Default(None, "OS9 has no cable length statement"),
    "trust": Default("pcp", f"{_DCB}: DCB processes dot1p priority values"),
    "policed": Default(False, "no policer bound"),
    "rewrites_dscp": Default(frozenset(), "no policy bound"),
    "pfc.priorities": Default(
        frozenset(), f"{_DCB}, default configuration: PFC is not applied on specific dot1p priorities"
    ),
    "pfc.receive_only": Default(frozenset(), f"{_DCB}: PFC sends and obeys pause"),
    "pfc.operational": Default(None, "no answer about running PFC was read"),
    "pfc.watchdog": Default(None, f"{_GUIDE}: documents no PFC watchdog (source: unverified)"),
    "link_pause_tx": Default(False, f"{_REFERENCE}, flowcontrol: tx off by default on all models; rx differs by model"),
    "queues.*.scheduling": Default("weighted", f"{_DCB}, default configuration: each port queue has an equal share"),
    "queues.*.share": Default(None, f"{_DCB}: shares are those of the priority groups that a DCB map defines"),
    "queues.*.ecn.weight": Default(0, f"{_REFERENCE}, wred weight: the default weight is zero"),
    "queues.*.max_rate_bps": Default(None, f"{_GUIDE}, rate shape: not configured by default"),
    "queues.*.limit_bytes": Default(None, "OS9 has no limit of a queue that is read"),
    "classes.*.mtu_bytes": Default(None, "OS9 has no MTU of a class"),
    "groups.*.lossless": Default(
        False, f"{_DCB}, default configuration: PFC is not applied on specific dot1p priorities"
    ),
    "groups.*.profile": Default(None, "OS9 names no buffer profile per priority"),
    "groups.*.profile_speed_bps": Default(None, "OS9 names no buffer profile per priority"),
    "groups.*.profile_cable_m": Default(None, "OS9 names no buffer profile per priority"),
    "dcbx.willing": Default(False, f"{_DCB}, DCBx port roles: the default is manual"),
    "dcbx.owner": Default(None, "switch"),
    "nic": Default(None, "a switch port"),
}

QUEUES_COMMAND = "show qos dot1p-queue-mapping"
