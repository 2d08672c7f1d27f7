"""What NX-OS has of itself: built-in names and documented defaults."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.platforms.shared.references import Name
from roce_audit.text.fill import Default

_LOSSY_TEMPLATES = ("8e", "8e-4q4q", "8e-4q8q")
LOSSLESS_TEMPLATES = ("7e", "7e-4q8q", "6e", "6e-4q8q", "4e", "4e-4q8q")
"""Network-qos templates of the Nexus 7000, by the number of classes that may drop; those of fewer than eight have no-drop classes.

(Cisco Nexus 7000 Series NX-OS Quality of Service Configuration Guide, Configuring Network-QoS Policy Templates.)
"""


def _builtin() -> frozenset[Name]:
    numbers = [*map(str, range(1, 8))]
    found: set[Name] = {(kind, "class-default") for kind in ("qosmap", "nqmap", "qumap")}
    found |= {("qosmap", f"c-dflt-mpls-qosgrp{n}") for n in numbers}
    found |= {("nqmap", f"{stem}{n}") for stem in ("c-8q-nq", "c-nq") for n in (*numbers, "-default")}
    stems = ("c-out-8q-q", "c-out-q", "c-in-8q-q", "c-in-q")
    found |= {("qumap", f"{stem}{n}") for stem in stems for n in (*numbers, "-default")}
    found |= {("qospolicy", "default-mpls-in-policy"), ("qospolicy", "default-vxlan-in-policy")}
    found |= {("nqpolicy", "default-nq-policy"), ("nqpolicy", "default-8q-nq-policy")}
    found |= {("nqpolicy", f"default-nq-{template}-policy") for template in (*_LOSSY_TEMPLATES, *LOSSLESS_TEMPLATES)}
    found |= {("qupolicy", f"default-{q}{way}-policy") for q in ("", "8q-") for way in ("in", "out")}
    return frozenset(found)


BUILTIN = _builtin()
"""Class and policy names that NX-OS has of itself."""

FCOE = frozenset(
    {("qosmap", "class-fcoe"), ("qospolicy", "fcoe-default-in-policy"), ("nqpolicy", "fcoe-default-nq-policy")}
    | {("qupolicy", f"fcoe-default-{way}-policy") for way in ("in", "out")}
    | {(kind, f"class-{name}") for kind in ("qumap", "nqmap") for name in ("fcoe", "all-flood", "ip-multicast")}
)
"""Those of the Nexus 5000 and 6000 for FCoE, some of which they print among what is configured. What they do is not known here.

(Cisco Nexus 5000 Series NX-OS Quality of Service Configuration Guide, system-defined class and policy maps.)
"""


def is_lossless_template(policy: str) -> bool:
    """Whether a network-qos policy is one of the switch's own that has no-drop classes, which no text shows."""
    return policy.removeprefix("default-nq-").removesuffix("-policy") in LOSSLESS_TEMPLATES


_GUIDE = "Cisco Nexus 9000 NX-OS Quality of Service Configuration Guide"
_INTERFACES = "Cisco Nexus 9000 NX-OS Interfaces Configuration Guide"
_NO_PAUSE = f"{_GUIDE}, Network QoS: no class is no-drop unless a network-qos policy pauses it"

ONE_PATH = "cisco/cisco-network-node-utils, cmd_ref/bgp_af.yaml, maximum_paths and maximum_paths_ibgp: default_value 1"

DEFAULTS: dict[str, Default] = PAIRED_DEFAULTS | {
    "admin_up": Default(
        True, f"{_INTERFACES}: switchports and port-channels are up unless shut down (source: unverified)"
    ),
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no fec statement: chosen by the transceiver"),
    "autoneg": Default(None, "no statement about negotiation: chosen by the transceiver"),
    "ip_mtu_bytes": Default(1500, f"{_INTERFACES}: default MTU 1500"),
    "cable_m": Default(None, "NX-OS has no cable length statement"),
    "trust": Default(None, "NX-OS has no trust statement: a policy of type qos classifies"),
    "rewrites_dscp": Default(frozenset(), f"{_GUIDE}, Marking: DSCP is kept unless a policy sets it"),
    "policed": Default(False, "no policer bound"),
    "dscp.*": Default(0, f"{_GUIDE}, Classification: traffic that no policy classifies is in qos-group 0"),
    "pcp.*": Default(0, f"{_GUIDE}, Classification: traffic that no policy classifies is in qos-group 0"),
    "pfc.mode": Default("auto", f"{_GUIDE}, Priority Flow Control: the default mode is auto"),
    "pfc.priorities": Default(frozenset(), f"{_GUIDE}, Priority Flow Control: the default mode is auto"),
    "pfc.receive_only": Default(frozenset(), _NO_PAUSE),
    "pfc.send_only": Default(frozenset(), _NO_PAUSE),
    "pfc.watchdog.priorities": Default(
        None, f"{_GUIDE}, Priority Flow Control Watchdog: all no-drop queues of the port are watched"
    ),
    "pfc.watchdog.poll_ms": Default(None, "chosen by the device unless configured (source: unverified)"),
    "pfc.watchdog.action": Default(
        "drop", f"{_GUIDE}, Priority Flow Control Watchdog: packets of a queue that was shut are dropped"
    ),
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
    "classes.*.mtu_bytes": Default(None, "no mtu in a network-qos class that drops: the MTU of the interface holds"),
    "groups.*.lossless": Default(False, _NO_PAUSE),
    "groups.*.xoff_at_bytes": Default(
        None, "no pause thresholds configured: the switch chooses its own, and they move (source: unverified)"
    ),
    "priorities.*.group": Default(None, _NO_PAUSE),
    "priorities.*.queue": Default(None, _NO_PAUSE),
}
DEFAULT_REACH_M = 100
DEFAULT_REACH = (
    f"{_GUIDE}, Guidelines for Priority Flow Control: above 100 m the pause buffer size and thresholds are mandatory"
)
SHARED_ON_CHIP = "Nexus 9300: the ports share the buffer of the chip or of its slice (source: unverified)"
SAME_QUEUE = f"{_GUIDE}, Queuing: qos-group N leaves through queue N"
SAME_GROUP = f"{_GUIDE}, Network QoS: qos-group N is buffered as class N"
