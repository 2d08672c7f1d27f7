"""Tables of Onyx: which words concern us, documented defaults, read-only commands, what would show the rest."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.syntax import UNSURE
from roce_audit.text.fill import Default

_QUEUE = "queues"
_CLASSIFYING = "trust dscp pcp"
_SWITCHING = "pfc queues groups trust dscp pcp ip_mtu_bytes"
_ALL = (
    f"{_SWITCHING} admin_up speed_bps autoneg fec classes priorities policed rewrites_dscp"
    " link_pause_rx link_pause_tx dcbx"
)

OPENERS = {
    "top": {
        "interface": "port",
        "ipv4 access-list": "acl",
        "ipv6 access-list": "acl",
        "mac access-list": "acl",
    },
    "port": {"traffic-class": "tc", "ingress-buffer": "pg", "egress-buffer": "eb"},
    "state": {"traffic-class": "tc"},
}

TOPICS = {
    "top": {
        "roce": "pfc groups queues classes priorities trust dscp pcp",
        "dcb priority-flow-control": "pfc",
        "dcb ets": _QUEUE,
        "dcb application-priority": "",
        "vlan map-priority": "classes priorities",
        "traffic": "groups",
        "traffic pool": "groups",
        "advanced buffer": "groups classes priorities",
        "pool": "groups",
        "lldp": "dcbx",
        # words of other vendors, or of nobody
        "dcb": "pfc queues",
        "qos": "trust dscp pcp queues",
        "pfc": "pfc",
        "pfc-wd": "pfc.watchdog",
        "pfc-watchdog": "pfc.watchdog",
        "priority-flow-control": "pfc",
        "ecn": _QUEUE,
        "congestion-control": _QUEUE,
        "class-map": "dscp pcp",
        "policy-map": "dscp pcp policed",
        "service-policy": "dscp pcp policed",
    },
    "port": {
        "mtu": "ip_mtu_bytes",
        "speed": "speed_bps autoneg",
        "fec-override": "fec",
        "flowcontrol": "link_pause_rx link_pause_tx",
        "shutdown": "admin_up",
        "channel-group": _SWITCHING,
        "mlag-channel-group": _SWITCHING,
        "dcb": "pfc queues",
        "dcb priority-flow-control": "pfc",
        "dcb application-priority": "",
        "pfc": "pfc",
        "pfc-wd": "pfc.watchdog",
        "pfc-watchdog": "pfc.watchdog",
        "priority-flow-control": "pfc",
        "qos": _CLASSIFYING,
        "qos trust": _CLASSIFYING,
        "qos map dscp": "dscp",
        "qos map pcp": "dscp pcp",
        "qos default": "dscp pcp",
        "qos rewrite": "rewrites_dscp classes",
        "qos ip rewrite": "",
        "vlan default": "dscp pcp",
        "ipv4 port access-group": "dscp pcp policed",
        "ipv6 port access-group": "dscp pcp policed",
        "mac port access-group": "dscp pcp policed",
        "lldp transmit": "dcbx.lldp",
        "lldp receive": "dcbx.lldp",
        "lldp tlv-select": "dcbx.mode",
        "traffic-class": "queues classes",
        "ingress-buffer": "groups classes priorities",
        "egress-buffer": "",
        "ecn": _QUEUE,
        "congestion-control": _QUEUE,
        "service-policy": "dscp pcp policed",
        "default": _ALL,
        UNSURE: _ALL,
    },
    "tc": {
        "congestion-control": "ecn",
        "dcb ets": "scheduling share share_kind",
        "bind switch-priority": "/classes /priorities",
        "bandwidth shape": "max_rate_bps",
        "bandwidth guaranteed": "",
    },
    "pg": {"bind switch-priority": "/classes /priorities", "map pool": ""},
    "eb": {"map": ""},
    "state": {"pfc": "pfc.operational", "traffic-class": _QUEUE},
    "acl": {},
}
"""A path that begins with `/` is the port's, all others are relative to the block they stand in."""

STRICT = frozenset({"tc", "pg"})
RAW = frozenset({"acl"})
IGNORED = {
    "top": frozenset({"interface"}),
    "tc": frozenset({"description"}),
    "pg": frozenset({"description"}),
}
LABELS = {"port": frozenset({"description", "switchport", "ip", "ipv6", "vrf", "ipl", "module-type"})}

_MANUAL = "NVIDIA Onyx User Manual v3.10"
_UNVERIFIED = "(source: unverified)"
PFC_OFF = f"{_MANUAL}, Priority Flow Control: disabled for all priorities on all ports by default"
_SHOWN = "as show qos and show dcb ets print it"
NO_POOL = f"{_MANUAL}, show roce: switch-priorities in no lossless traffic pool are in the lossy one"
LOSSY = f"{_MANUAL}, Shared Buffer Commands: the default type of a traffic pool is lossy"
OWN_GROUP = "traffic pools hide the groups of the port; switch-priority N is taken as group N"
ROCE_MODE = f"{_MANUAL}, RoCE Commands"
SHARED_BUFFER = f"{_MANUAL}, Shared Buffers: the packet buffer is fully shared between all physical ports"

DEFAULTS: dict[str, Default] = {
    "admin_up": Default(True, f"Onyx: ports are up unless shut down {_UNVERIFIED}"),
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no fec-override statement: chosen by the transceiver"),
    "ip_mtu_bytes": Default(1500, f"{_MANUAL}, show interfaces ethernet: MTU 1500 bytes (packets of 1522)"),
    "cable_m": Default(None, "Onyx has no cable length statement"),
    "trust": Default("pcp", f"{_MANUAL}, QoS Commands: the default of qos trust is L2"),
    "rewrites_dscp": Default(frozenset(), "Ansible collection mellanox.onyx, onyx_qos: rewriting the DSCP is off"),
    "policed": Default(False, "no access list with a policer bound"),
    "pfc.mode": Default("off", PFC_OFF),
    "pfc.priorities": Default(frozenset(), PFC_OFF),
    "pfc.receive_only": Default(frozenset(), f"{ROCE_MODE}: only semi-lossless obeys pause without sending it"),
    "pfc.operational": Default(None, "no show dcb priority-flow-control was read"),
    "pfc.watchdog.on": Default(False, f"Onyx: off unless pfc-wd stands on the port {_UNVERIFIED}"),
    "pfc.watchdog.priorities": Default(None, f"pfc-wd watches all priorities with PFC {_UNVERIFIED}"),
    "pfc.watchdog.poll_ms": Default(None, f"chosen by the device {_UNVERIFIED}"),
    "link_pause_rx": Default(False, f"{_MANUAL}, Priority Flow Control: flow control is off by default"),
    "link_pause_tx": Default(False, f"{_MANUAL}, Priority Flow Control: flow control is off by default"),
    "queues.*.ecn": Default(None, "show interfaces congestion-control: mode none unless configured"),
    "queues.*.scheduling": Default("weighted", f"WRR unless made strict, {_SHOWN} {_UNVERIFIED}"),
    "queues.*.share_kind": Default("weight", "Ansible collection mellanox.onyx, onyx_traffic_class: WRR has weights"),
    "queues.*.max_rate_bps": Default(None, "show dcb ets: no shaper unless configured"),
    "queues.*.limit_bytes": Default(None, f"{_MANUAL}, Shared Buffers: queues have dynamic limits"),
    "classes.*.mtu_bytes": Default(None, "Onyx has one MTU a port"),
    "groups.*.lossless": Default(False, NO_POOL),
    "groups.*.profile": Default(None, "Onyx names no buffer profile per priority"),
    "groups.*.profile_speed_bps": Default(None, "Onyx names no buffer profile per priority"),
    "groups.*.profile_cable_m": Default(None, "Onyx names no buffer profile per priority"),
    "dcbx.owner": Default(None, "switch"),
    "nic": Default(None, "a switch port"),
}
for _i in range(8):
    DEFAULTS[f"classes.{_i}.queue"] = Default(_i, f"switch-priority N leaves through traffic class N, {_SHOWN}")
    DEFAULTS[f"priorities.{_i}.queue"] = Default(_i, f"switch-priority N leaves through traffic class N, {_SHOWN}")
    DEFAULTS[f"classes.{_i}.group"] = Default(_i, OWN_GROUP)
    DEFAULTS[f"priorities.{_i}.group"] = Default(_i, OWN_GROUP)

DSCP_DEFAULT = {d: Default(d // 8, f"DSCP 8N to 8N+7 are switch-priority N, {_SHOWN}") for d in range(64)}
PCP_DEFAULT = {p: Default(p, f"PCP N is switch-priority N, {_SHOWN}") for p in range(8)}
PORT_PRIORITY = Default(0, f"{_MANUAL}, QoS Commands: the port's default priority is 0")
