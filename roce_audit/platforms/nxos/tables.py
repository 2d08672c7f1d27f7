"""Tables of Cisco NX-OS: which words concern us, documented defaults, read-only commands, what would show the rest."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.syntax import UNSURE
from roce_audit.platforms.shared.references import Name
from roce_audit.text.fill import Default

OPENERS = {
    "top": {
        "interface": "port",
        "int": "port",
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
        "system qos": "systemqos",
        "vlan configuration": "vlanconfig",
        "control-plane": "other",
        "port-profile": "other",
        "ip access-list": "acl",
        "ipv6 access-list": "acl",
        "mac access-list": "acl",
    },
    "qospolicy": {"class": "qosclass"},
    "nqpolicy": {"class": "nqclass"},
    "qupolicy": {"class": "quclass"},
}

CLASSIFYING = "dscp pcp trust policed rewrites_dscp"
_LOSSLESS = "pfc groups priorities classes"
_INGRESS = "groups"
_BINDINGS = {
    "service-policy": f"{CLASSIFYING} queues {_INGRESS}",
    "service-policy input": CLASSIFYING,
    "service-policy output": "rewrites_dscp",
    "service-policy type qos": CLASSIFYING,
    "service-policy type qos input": CLASSIFYING,
    "service-policy type qos output": "rewrites_dscp",
    "service-policy type queuing": f"queues {_INGRESS}",
    "service-policy type queuing output": "queues",
    "service-policy type queuing input": _INGRESS,
}

TOPICS = {
    "top": {
        "priority-flow-control": "pfc",
        "priority-flow-control watch-dog-interval": "pfc.watchdog",
        "priority-flow-control watch-dog": "pfc.watchdog",
        "priority-flow-control auto-restore": "pfc.watchdog",
        "priority-flow-control fixed-restore": "pfc.watchdog",
        "feature": "dcbx",
        "lldp tlv-select": "dcbx.mode",
        "version": "",
        "system": f"{CLASSIFYING} queues {_LOSSLESS}",  # `system qos` is a stanza; here stands what is like it
        "system jumbomtu": "",
        "system default switchport": "admin_up",
        # not NX-OS, and pasted into its configurations by those who believe that it does something
        "ecn": "",
        "mls qos": "",
        "random-detect": "",
        "service-policy": "",
    },
    "port": _BINDINGS
    | {
        "interface": "",
        "ecn": "",
        "mls qos": "",
        UNSURE: f"kind {CLASSIFYING} queues {_INGRESS} pfc ip_mtu_bytes admin_up speed_bps fec autoneg dcbx"
        " link_pause_rx link_pause_tx",
        "priority-flow-control": "pfc",
        "priority-flow-control watch-dog-interval": "pfc.watchdog",
        "priority-flow-control watch-dog": "pfc.watchdog",
        "mtu": "ip_mtu_bytes",
        "flowcontrol": "link_pause_rx link_pause_tx",
        "flowcontrol receive": "link_pause_rx",
        "flowcontrol send": "link_pause_tx",
        "shutdown": "admin_up",
        "shutdown lan": "",
        "speed": "speed_bps",
        "fec": "fec",
        "negotiate": "autoneg",
        "channel-group": f"{CLASSIFYING} queues {_INGRESS} pfc ip_mtu_bytes speed_bps fec autoneg",
        # the profile's lines are not read, so all that it may set is unknown
        "inherit port-profile": f"{CLASSIFYING} queues {_INGRESS} pfc ip_mtu_bytes",
        "lldp": "dcbx",
        "lldp tlv-set": "",
        "lldp transmit": "dcbx.lldp",
        "lldp receive": "dcbx.lldp",
        "lldp dcbx": "dcbx.mode",
    },
    "state": {"pfc": "pfc.operational"},
    "systemqos": _BINDINGS | {"service-policy type network-qos": _LOSSLESS},
    "vlanconfig": {"service-policy": "dscp pcp policed"},
    "qospolicy": {"class": ""},
    "nqpolicy": {"class": ""},
    "qupolicy": {"class": ""},
    "qosclass": {"set": "", "police": ""},
    "nqclass": {"pause": "pause", "mtu": "mtu", "congestion-control": "ecn", "set": "", "multicast-optimize": ""},
    "quclass": {
        "bandwidth": "share share_kind scheduling",
        "priority": "share scheduling",
        "random-detect": "ecn",
        "afd": "ecn",
        "queue-limit": "limit_bytes",
        "shape": "max_rate_bps",
        "pause": "pause",
    },
    "qosmap": {"match": "", "class-map": ""},
    "nqmap": {"match": "", "class-map": ""},
    "qumap": {"match": "", "class-map": ""},
    "acl": {},
    "other": {},
    "breakout": {},
}

STRICT = frozenset({"qospolicy", "nqpolicy", "qupolicy", "qosclass", "nqclass", "quclass", "qosmap", "nqmap", "qumap"})
RAW = frozenset({"acl"})
_NAMED = frozenset({"description"})
IGNORED = dict.fromkeys(STRICT, _NAMED) | {
    "other": frozenset({"service-policy", "class", "police", "set", "match", "description", "mtu"}),
    "top": frozenset({"interface", "lldp"}),
}
LABELS = {"port": frozenset({"description", "switchport", "vrf", "ip", "ipv6", "vpc", "encapsulation"})}


def _builtin() -> frozenset[Name]:
    numbers = [*map(str, range(1, 8))]
    found: set[Name] = {(kind, "class-default") for kind in ("qosmap", "nqmap", "qumap")}
    found |= {("qosmap", f"c-dflt-mpls-qosgrp{n}") for n in numbers}
    found |= {("nqmap", f"{stem}{n}") for stem in ("c-8q-nq", "c-nq") for n in (*numbers, "-default")}
    stems = ("c-out-8q-q", "c-out-q", "c-in-8q-q", "c-in-q")
    found |= {("qumap", f"{stem}{n}") for stem in stems for n in (*numbers, "-default")}
    found |= {("qospolicy", "default-mpls-in-policy"), ("qospolicy", "default-vxlan-in-policy")}
    found |= {("nqpolicy", "default-nq-policy"), ("nqpolicy", "default-8q-nq-policy")}
    found |= {("qupolicy", f"default-{q}{way}-policy") for q in ("", "8q-") for way in ("in", "out")}
    return frozenset(found)


BUILTIN = _builtin()
"""Class and policy names that NX-OS has of itself."""

_GUIDE = "Cisco Nexus 9000 NX-OS Quality of Service Configuration Guide"
_INTERFACES = "Cisco Nexus 9000 NX-OS Interfaces Configuration Guide"
_NO_PAUSE = f"{_GUIDE}, Network QoS: no class is no-drop unless a network-qos policy pauses it"

DEFAULTS: dict[str, Default] = {
    "admin_up": Default(
        True, f"{_INTERFACES}: switchports and port-channels are up unless shut down (source: unverified)"
    ),
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no fec statement: chosen by the transceiver"),
    "ip_mtu_bytes": Default(1500, f"{_INTERFACES}: default MTU 1500"),
    "cable_m": Default(None, "NX-OS has no cable length statement"),
    "trust": Default(None, "NX-OS has no trust statement: a policy of type qos classifies"),
    "rewrites_dscp": Default(frozenset(), f"{_GUIDE}, Marking: DSCP is kept unless a policy sets it"),
    "policed": Default(False, "no policer bound"),
    "dscp.*": Default(0, f"{_GUIDE}, Classification: traffic that no policy classifies is in qos-group 0"),
    "pcp.*": Default(0, f"{_GUIDE}, Classification: traffic that no policy classifies is in qos-group 0"),
    "pfc.mode": Default("auto", f"{_GUIDE}, Priority Flow Control: the default mode is auto"),
    "pfc.receive_only": Default(frozenset(), _NO_PAUSE),
    "pfc.operational": Default(None, "no show interface priority-flow-control was read"),
    "pfc.watchdog.priorities": Default(
        None, f"{_GUIDE}, Priority Flow Control Watchdog: all no-drop queues of the port are watched"
    ),
    "pfc.watchdog.poll_ms": Default(None, "chosen by the device unless configured (source: unverified)"),
    "pfc.watchdog.on": Default(
        False, f"{_GUIDE}, Priority Flow Control Watchdog: off unless configured (source: unverified)"
    ),
    "link_pause_rx": Default(False, f"{_INTERFACES}: flow control is off by default"),
    "link_pause_tx": Default(False, f"{_INTERFACES}: flow control is off by default"),
    "queues.*.ecn": Default(None, f"{_GUIDE}, Queuing: neither WRED nor ECN unless configured"),
    "queues.*.max_rate_bps": Default(None, f"{_GUIDE}, Queuing: no shaping unless configured"),
    "queues.*.share_kind": Default("percent_at_most", f"{_GUIDE}, Queuing: bandwidth is a guarantee in percent"),
    "queues.*.limit_bytes": Default(
        None, f"{_GUIDE}, Queuing: queues have dynamic limits unless queue-limit says bytes"
    ),
    "classes.*.mtu_bytes": Default(None, "no mtu in the network-qos class: the MTU of the interface holds"),
    "groups.*.lossless": Default(False, _NO_PAUSE),
    "groups.*.profile": Default(None, "NX-OS names no buffer profile per priority"),
    "groups.*.profile_speed_bps": Default(None, "NX-OS names no buffer profile per priority"),
    "groups.*.profile_cable_m": Default(None, "NX-OS names no buffer profile per priority"),
    "priorities.*.group": Default(None, _NO_PAUSE),
    "priorities.*.queue": Default(None, _NO_PAUSE),
    "dcbx.owner": Default(None, "switch"),
    "nic": Default(None, "a switch port"),
}
SAME_QUEUE = f"{_GUIDE}, Queuing: qos-group N leaves through queue N"
SAME_GROUP = f"{_GUIDE}, Network QoS: qos-group N is buffered as class N"
