"""Documented defaults of Dell OS9, and what they rest on."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import SWITCH_DEFAULTS
from roce_audit.text.fill import Default

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

_NO_PFC = f"{_DCB}, default configuration: PFC is not applied on specific dot1p priorities"

DEFAULTS: dict[str, Default] = SWITCH_DEFAULTS | {
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no fec statement"),
    "cable_m": Default(None, "OS9 has no cable length statement"),
    "trust": Default("pcp", f"{_DCB}: DCB processes dot1p priority values"),
    "policed": Default(False, "no policer bound"),
    "rewrites_dscp": Default(frozenset(), "no policy bound"),
    "pfc.mode": Default("off", _NO_PFC),
    "pfc.priorities": Default(frozenset(), _NO_PFC),
    "pfc.receive_only": Default(frozenset(), f"{_DCB}: PFC sends and obeys pause"),
    "pfc.send_only": Default(frozenset(), f"{_DCB}: PFC sends and obeys pause"),
    "pfc.watchdog": Default(None, f"{_GUIDE}: documents no PFC watchdog (source: unverified)"),
    "link_pause_tx": Default(False, f"{_REFERENCE}, flowcontrol: tx off by default on all models; rx differs by model"),
    "queues.*.scheduling": Default("weighted", f"{_DCB}, default configuration: each port queue has an equal share"),
    "queues.*.share": Default(None, f"{_DCB}: shares are those of the priority groups that a DCB map defines"),
    "queues.*.ecn.weight": Default(0, f"{_REFERENCE}, wred weight: the default weight is zero"),
    "queues.*.max_rate_bps": Default(None, f"{_GUIDE}, rate shape: not configured by default"),
    "queues.*.limit_bytes": Default(None, "OS9 has no limit of a queue that is read"),
    "classes.*.mtu_bytes": Default(None, "OS9 has no MTU of a class"),
    "groups.*.lossless": Default(False, _NO_PFC),
    "pfc.most": Default(2, f"{_DCB}, PFC: a port has two lossless queues"),
    "dcbx.willing": Default(False, f"{_DCB}, DCBx port roles: the default is manual"),
}
DEFAULTS_OF_QUEUES = DEFAULTS | {"queues.*.ecn": Default(None, "no policy is bound to the output")}
"""Where the queue of every priority is known, so that a queue of the model is a queue of the switch."""

QUEUES_COMMAND = "show qos dot1p-queue-mapping"
