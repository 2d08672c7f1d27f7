"""Tables of Dell OS9: which words concern us, documented defaults, read-only commands, what would show the rest."""

from __future__ import annotations

from roce_audit.platforms.commandsyntax import UNSURE
from roce_audit.text.fill import Default

OPENERS = {
    "top": {
        "interface": "port",
        "dcb-map": "dcbmap",
        "dcb-buffer-threshold": "threshold",
        "class-map": "other",
        "policy-map-input": "other",
        "policy-map-output": "other",
        "policy-map": "other",
        "qos-policy-input": "other",
        "qos-policy-output": "other",
        "control-plane": "other",
        "ip access-list": "other",
        "mac access-list": "other",
        "protocol": "other",
    },
    "port": {"port-channel-protocol": "lacp", "protocol": "other"},
}

_CLASSIFYING = "dscp pcp policed rewrites_dscp queues"
_LOSSLESS = "pfc groups priorities"

TOPICS = {
    "top": {
        "dcb": _LOSSLESS,
        "dcb-policy": "groups",
        "service-class": _CLASSIFYING,
        "service-policy": _CLASSIFYING,
        "pfc": "",
        "priority-group": "",
        "priority-pgid": "",
    },
    "port": {
        "interface": "",
        UNSURE: f"kind {_CLASSIFYING} {_LOSSLESS} ip_mtu_bytes admin_up speed_bps link_pause_rx link_pause_tx dcbx",
        "dcb-map": _LOSSLESS,
        "dcb-policy": "groups",
        "pfc": _LOSSLESS,
        "priority-flow-control": _LOSSLESS,
        "flowcontrol": "link_pause_rx link_pause_tx",
        "mtu": "ip_mtu_bytes",
        "ip mtu": "ip_mtu_bytes",
        "shutdown": "admin_up",
        "speed": "speed_bps",
        "service-class": _CLASSIFYING,
        "service-policy": _CLASSIFYING,
        "dcbx": "dcbx",
        "port-channel-protocol": "",
    },
    "lacp": {"port-channel": f"{_CLASSIFYING} {_LOSSLESS} ip_mtu_bytes"},
    "dcbmap": {"priority-group": "", "priority-pgid": "", "priority": ""},
    "threshold": {"priority": ""},
    "other": {},
}
STRICT = frozenset({"dcbmap", "threshold"})
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
    "dcbmap": frozenset({"description"}),
    "threshold": frozenset({"description"}),
    "other": frozenset(_SET_ASIDE),
    "top": frozenset({"interface"}),
}
LABELS = {
    "port": frozenset({"description", "switchport", "portmode", "tagged", "untagged", "channel-member", "vlt-peer-lag"})
}

_GUIDE = "Dell EMC Networking OS9 Configuration Guide"
_DCB = f"{_GUIDE}, Data Center Bridging"
BY_TAG = f"{_DCB}: DCB processes tagged packets by their dot1p priority"
UNTAGGED = f"{_DCB}: untagged packets are treated with a dot1p priority of 0"

DEFAULTS: dict[str, Default] = {
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "OS9 has no fec statement that is read"),
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
    "link_pause_rx": Default(False, f"{_GUIDE}, flowcontrol: the default is rx off tx off"),
    "link_pause_tx": Default(False, f"{_GUIDE}, flowcontrol: the default is rx off tx off"),
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

COMMANDS = ("show version", "show running-config", "show interfaces status", "show dcb", "show qos dot1p-queue-mapping")

NEEDS = {
    "queues": "show qos dot1p-queue-mapping (it differs by model)",
    "groups": "dcb-buffer-threshold of the priority",
    "pfc.mode": "dcb enable in the running-config, or show dcb (its default differs by model)",
    "pfc": "show running-config",
    "dcbx": "show interfaces dcbx detail",
    "speed_bps": "show interfaces status",
    "admin_up": "show interfaces status",
    "cable_m": "policy cables:, or length_m in the topology file",
}
