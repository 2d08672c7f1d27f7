"""What IOS XR has of itself: built-in names and documented defaults."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import SWITCH_DEFAULTS
from roce_audit.platforms.shared.references import Name
from roce_audit.text.fill import Default

BUILTIN: frozenset[Name] = frozenset({("qosmap", "class-default")})
"""Class names that IOS XR has of itself."""

_GUIDE = "Modular QoS Configuration Guide for Cisco 8000 Series Routers"
_INTERFACES = "Interface and Hardware Component Configuration Guide for Cisco 8000 Series Routers"
_SHOWN = "`show controllers` of an interface without such a statement (Cisco 8000)"
_NO_PROFILE = (
    f"{_GUIDE}, Priority Flow Control: PFC acts for the traffic classes of hw-module profile priority-flow-control"
)
_NO_ASYMMETRY = "Cisco-IOS-XR-um-if-ethernet-cfg: PFC is on or off for both directions"
_WATCHDOG = f"{_GUIDE}, Priority Flow Control Watchdog; {_SHOWN}"
_ONE_CLASS = f"{_GUIDE}, Packet Classification Overview: traffic that no class identifies is in the default class"

ONE_PATH = "BGP Configuration Guide for Cisco 8000 Series Routers: maximum-paths, one path unless configured (source: unverified)"
NO_PROFILE = _NO_PROFILE
SAME_QUEUE = f"{_GUIDE}, Congestion Management: a traffic class has a virtual output queue of its own at each interface"
SAME_GROUP = (
    f"{_GUIDE}, Priority Flow Control: pause is sent and obeyed by traffic class, of the number of the priority"
)
REST_IN_DEFAULT = _ONE_CLASS
OWN_HEADROOM = "the headroom of a PFC profile is of the traffic class at one port (source: unverified)"
VOQ = "Cisco 8000 and NCS 5500: packets wait at the card they enter by, in queues of the interface that they leave by"
POLL_MS, SHUTDOWN, RESTORE = 100, 1, 10
"""The watchdog's own interval, ms, and its multipliers, as `show controllers` marks them with (D)."""
WATCHDOG = _WATCHDOG

DEFAULTS: dict[str, Default] = SWITCH_DEFAULTS | {
    "admin_up": Default(True, f"{_INTERFACES}: an interface that is not to be up holds `shutdown`"),
    "speed_bps": Default(None, "the type of the interface names no speed"),
    "fec": Default(None, "no fec statement: chosen by the optics"),
    "autoneg": Default(None, "no statement about negotiation"),
    "ip_mtu_bytes": Default(
        1500, f"{_INTERFACES}: Ethernet interfaces have an MTU of 1514 bytes, 14 of them the header"
    ),
    "cable_m": Default(None, "IOS XR has no cable length statement"),
    "trust": Default(None, "IOS XR has no trust statement: an input policy classifies"),
    "rewrites_dscp": Default(frozenset(), f"{_GUIDE}, Packet Marking: DSCP is kept unless a policy sets it"),
    "policed": Default(False, "no policer bound"),
    "dscp.*": Default(0, _ONE_CLASS),
    "pcp.*": Default(0, _ONE_CLASS),
    "pfc.mode": Default("off", f"{_GUIDE}, Configure PFC on interfaces; {_SHOWN}"),
    "pfc.priorities": Default(frozenset(), f"{_GUIDE}, Configure PFC on interfaces; {_SHOWN}"),
    "pfc.receive_only": Default(frozenset(), _NO_ASYMMETRY),
    "pfc.send_only": Default(frozenset(), _NO_ASYMMETRY),
    "pfc.watchdog.on": Default(True, _WATCHDOG),
    "pfc.watchdog.poll_ms": Default(float(POLL_MS), _WATCHDOG),
    "pfc.watchdog.detect_ms": Default(float(POLL_MS * SHUTDOWN), _WATCHDOG),
    "pfc.watchdog.restore_ms": Default(float(POLL_MS * RESTORE), _WATCHDOG),
    "pfc.watchdog.priorities": Default(None, f"{_GUIDE}, Priority Flow Control Watchdog: all PFC queues are watched"),
    "pfc.watchdog.action": Default("drop", f"{_GUIDE}, Priority Flow Control Watchdog: a queue that was shut drops"),
    "link_pause_rx": Default(False, f"{_INTERFACES}: flow control is off unless configured; {_SHOWN}"),
    "link_pause_tx": Default(False, f"{_INTERFACES}: flow control is off unless configured; {_SHOWN}"),
    "queues.*.ecn": Default(None, f"{_GUIDE}, Congestion Avoidance: neither WRED nor ECN unless configured"),
    "queues.*.max_rate_bps": Default(None, f"{_GUIDE}, Congestion Management: no shaping unless configured"),
    "queues.*.limit_bytes": Default(None, "no queue-limit: the router chooses (source: unverified)"),
    "classes.*.mtu_bytes": Default(None, "IOS XR has one MTU an interface"),
    "groups.*.lossless": Default(False, _NO_PROFILE),
    "priorities.*.group": Default(None, _NO_PROFILE),
    "priorities.*.queue": Default(None, _NO_PROFILE),
    "dcbx.mode": Default("off", "IOS XR has no statement for DCBX: Cisco-IOS-XR-um-lldp-cfg"),
    "dcbx.lldp": Default(False, f"{_INTERFACES}, LLDP: disabled unless `lldp` is configured"),
}
