"""Kinds of objects of SR Linux: which leaves concern us, what they may hold, and what is unknown when one is not understood.

Nodes, types, ranges and defaults: nokia/srlinux-yang-models, release 25.3.1.
"""

from __future__ import annotations

from roce_audit.platforms.shared.leaves import number, word
from roce_audit.platforms.srlinux.schema import Kind, Leaf
from roce_audit.platforms.srlinux.values import anything, boolean, dscp, interface, name, refused, speed, state

_PERCENT = number(0, 100)
_BYTES = number(0, 2**32 - 1)
_FEC = {"disabled": "none", "rs-528": "rs", "rs-544": "rs", "rs-108": "rs", "base-r": "fc"}
_ANY = Leaf(anything)

SCHEDULED = "scheduling share share_kind max_rate_bps"
_SCHEDULING = " ".join(f"queues.*.{leaf}" for leaf in SCHEDULED.split())
_GROUPED = "classes.*.group priorities.*.group groups"
_SENT = f"pfc.priorities pfc.receive_only {_GROUPED}"
_OBEYED = "pfc.priorities pfc.receive_only priorities.*.queue"
_RESERVED = "headroom_bytes headroom_is_shared"
_LIMITED = "queues.*.limit_bytes"
ATTACHED = f"dscp policed rewrites_dscp pfc queues {_GROUPED} priorities"
"""What `qos interfaces` may set."""
_MTU = "ip_mtu_bytes"

INTERFACE = Kind(
    "interface",
    "interface *",
    {
        "admin-state": Leaf(state, "admin_up"),
        "mtu": Leaf(number(1450, 9500), _MTU),
        "description": _ANY,
        "vlan-tagging": Leaf(boolean, f"{_MTU} {_GROUPED}"),
        "breakout-mode": Leaf(None, "kind"),
        "breakout-mode num-breakout-ports": Leaf(number(1, 8)),
        "breakout-mode breakout-port-speed": Leaf(speed, "speed_bps"),
        "transceiver forward-error-correction": Leaf(word(_FEC), "fec"),
        "ethernet forward-error-correction fec-option": Leaf(word(_FEC), "fec"),
        "ethernet aggregate-id": Leaf(interface, f"{_MTU} {ATTACHED}"),
        "ethernet auto-negotiate": Leaf(boolean, "autoneg"),
        "ethernet port-speed": Leaf(speed, "speed_bps"),
        "ethernet flow-control receive": Leaf(boolean, "link_pause_rx"),
        "ethernet flow-control transmit": Leaf(boolean, "link_pause_tx"),
        "subinterface *": Leaf(None, f"{_MTU} dscp rewrites_dscp"),
        "subinterface * admin-state": Leaf(state, f"{_MTU} dscp rewrites_dscp"),
        "subinterface * type": Leaf(
            word({"routed": True, "bridged": False, "local-mirror-dest": False}), f"{_MTU} dscp {_GROUPED}"
        ),
        "subinterface * ip-mtu": Leaf(number(1280, 9486), _MTU),
        "subinterface * l2-mtu": Leaf(number(1450, 9500), _MTU),
        "subinterface * ipv4 address *": Leaf(None),
        "subinterface * ipv6 address *": Leaf(None),
        "subinterface * vlan encap single-tagged vlan-id": Leaf(anything, _MTU),
        "qos": Leaf(refused, ATTACHED, opaque=True),
        "subinterface * qos": Leaf(refused, ATTACHED, opaque=True),
    },
    keys={"subinterface *": number(0, 9999)},
    strict=False,
    words=frozenset({"pfc", "qos", "mtu", "flow-control", "error-correction", "speed"}),
    ignored=frozenset(
        {"mpls-mtu", "mtu-discovery", "tcp-mss", "hold-time", "qos-policies", "oper-mac-vrf-mtu", "oper-vpws-mtu"}
    ),
)

ATTACHMENT = Kind(
    "attachment",
    "qos interfaces interface *",
    {
        "interface-ref interface": Leaf(interface, ATTACHED),
        "interface-ref subinterface": Leaf(number(0, 9999), ATTACHED),
        "pfc pfc-mapping-profile": Leaf(name, f"pfc {_GROUPED} priorities"),
        "pfc pfc-enable": Leaf(boolean, "pfc groups"),
        "input pfc-buffer-allocation-profile": Leaf(name, "groups"),
        "input classifiers": Leaf(None, "dscp"),
        "input classifiers default forwarding-class": Leaf(name, "dscp"),
        "input classifiers default drop-probability": _ANY,
        "input classifiers ipv4-dscp-policy": Leaf(name, "dscp"),
        "input classifiers ipv6-dscp-policy": Leaf(name, "dscp"),
        "input classifiers dscp-policy": Leaf(name, "dscp"),
        "input classifiers dot1p-policy": _ANY,
        "input classifiers mpls-traffic-class-policy": _ANY,
        "input policer-policies policer-policy": Leaf(name, "policed"),
        "input input-class-map": Leaf(refused, "policed"),
        "output buffer-allocation-profile": Leaf(name, _LIMITED),
        "output queues queue * queue-management-profile": Leaf(name, "queues.*.ecn"),
        "output scheduler scheduler-policy": Leaf(name, _SCHEDULING),
        "output scheduler queue-scheduling-policy": Leaf(refused, _SCHEDULING),
        "output scheduler sched-class-scheduling-policy": Leaf(refused, _SCHEDULING),
        "output rewrite-rules": Leaf(None, "rewrites_dscp"),
        "output rewrite-rules ipv4-dscp-policy": Leaf(name, "rewrites_dscp"),
        "output rewrite-rules ipv6-dscp-policy": Leaf(name, "rewrites_dscp"),
        "output rewrite-rules dscp-policy": Leaf(name, "rewrites_dscp"),
        "output rewrite-rules dot1p-policy": _ANY,
        "output rewrite-rules mpls-traffic-class-policy": _ANY,
        "output dscp-reclassify-policy": Leaf(refused, "classes.*.queue"),
        "output output-class-map": Leaf(refused, "classes.*.queue"),
    },
    ignored=frozenset(
        {
            "ler-use-dscp",
            "match-qinq-dot1p",
            "tos-rewrite-state",
            "interface-pool-policy",
            "dscp-rewrite",
            "qinq-rewrite-outer-only",
            "statistics",
        }
    ),
)

CLASSIFIER = Kind(
    "dscp-policy",
    "qos classifiers dscp-policy *",
    {
        "dscp * forwarding-class": Leaf(name, "dscp"),
        "dscp * drop-probability": _ANY,
        "dscp * profile": _ANY,
        "dscp * de-out-profile": _ANY,
        "dscp * ip-rewrite-policy": _ANY,
    },
    keys={"dscp *": dscp},
)

_REWRITTEN = "rewrites_dscp classes.*.new_dscp"
REWRITE = Kind(
    "rewrite-policy",
    "qos rewrite-rules dscp-policy *",
    {
        "map *": Leaf(None, _REWRITTEN),
        "map * dscp": Leaf(dscp, _REWRITTEN),
        "map * drop-probability *": Leaf(None, _REWRITTEN),
        "map * drop-probability * dscp": Leaf(dscp, _REWRITTEN),
        "map * profile *": Leaf(None, _REWRITTEN),
        "map * profile * dscp": Leaf(dscp, _REWRITTEN),
    },
)

_MAPPED = "received-traffic unicast-mapping pfc-queue *"
_HEARD = "received-pfc-pause-frames queue *"
_DEADLOCK = "received-pfc-pause-frames deadlock"
MAPPING = Kind(
    "pfc-mapping-profile",
    "qos pfc-mapping-profile *",
    {
        _MAPPED: Leaf(None, _SENT),
        f"{_MAPPED} dot1p": Leaf(number(0, 7), _SENT),
        f"{_MAPPED} forwarding-class": Leaf(name, _SENT),
        f"{_MAPPED} pfc-pause-frame-priority": Leaf(number(0, 7), _SENT),
        f"{_MAPPED} enable-pfc": Leaf(refused, _SENT),
        _HEARD: Leaf(None, _OBEYED),
        f"{_HEARD} pfc-pause-frame-priority": Leaf(number(0, 7), _OBEYED),
        f"{_HEARD} enable-pfc": Leaf(boolean, _OBEYED),
        f"{_DEADLOCK} enable": Leaf(boolean, "pfc.watchdog.on"),
        f"{_DEADLOCK} detection-timer": Leaf(number(10, 1500), "pfc.watchdog.detect_ms"),
        f"{_DEADLOCK} recovery-timer": Leaf(number(100, 1500), "pfc.watchdog.restore_ms"),
    },
)

_PFC_QUEUE = "queues pfc-queue *"
BUFFERS = Kind(
    "buffer-allocation-profile",
    "qos buffer-management buffer-allocation-profile *",
    {
        "queues queue * maximum-burst-size": Leaf(_BYTES, _LIMITED),
        "queues queue * mbs-adaptation-rule": _ANY,
        "queues queue * committed-burst-size": _ANY,
        "queues queue * cbs-adaptation-rule": _ANY,
        "queues queue * high-threshold-bytes": _ANY,
        "queues queue * interface-pool": _ANY,
        f"{_PFC_QUEUE} maximum-burst-size": Leaf(_BYTES, "groups.*.xoff_at_bytes"),
        f"{_PFC_QUEUE} committed-burst-size": Leaf(number(1536, 262144), "groups.*.reserved_bytes"),
        f"{_PFC_QUEUE} maximum-pfc-reserved-share-percentage": Leaf(_PERCENT, "groups.*.headroom_bytes"),
        f"{_PFC_QUEUE} maximum-pfc-reserved-share-bytes": Leaf(number(0, 104_857_600), "groups.*.headroom_bytes"),
        f"{_PFC_QUEUE} pfc-on-threshold": Leaf(_PERCENT, "groups.*.xoff_at_bytes"),
        f"{_PFC_QUEUE} pfc-off-threshold": Leaf(_PERCENT, "groups.*.xon_at_bytes"),
        f"{_PFC_QUEUE} use-dynamic-allocation": Leaf(boolean, "groups.*.xoff_at_bytes groups.*.alpha"),
    },
)

SLOPE = "wred wred-slope * drop-probability * enable-ecn *"
_CURVE = "marks drops min_bytes max_bytes min_value max_value min_unit max_unit max_probability_percent"
CURVE = Kind(
    "queue-management-profile",
    "qos buffer-management queue-management-profile *",
    {
        "weight-factor": Leaf(number(0, 15), "weight"),
        SLOPE: Leaf(None, _CURVE),
        f"{SLOPE} min-threshold": Leaf(_BYTES, "min_bytes min_value min_unit drops"),
        f"{SLOPE} max-threshold": Leaf(_BYTES, "max_bytes max_value max_unit drops"),
        f"{SLOPE} min-threshold-percent": Leaf(_PERCENT, "min_bytes min_value min_unit drops"),
        f"{SLOPE} max-threshold-percent": Leaf(_PERCENT, "max_bytes max_value max_unit drops"),
        f"{SLOPE} max-drop-probability-percent": Leaf(_PERCENT, "max_probability_percent drops"),
    },
    keys={
        "wred wred-slope *": word({w: w for w in ("all", "tcp", "non-tcp")}),
        "wred wred-slope * drop-probability *": word({w: w for w in ("all", "low", "medium", "high")}),
        SLOPE: boolean,
    },
    ignored=frozenset({"slope-enabled"}),
)

SCHEDULER = Kind(
    "scheduler-policy",
    "qos scheduler-policies scheduler-policy *",
    {
        "scheduler * priority": Leaf(word({"strict": "strict"}), SCHEDULED),
        "scheduler * input * queue-name": Leaf(name, SCHEDULED),
        "scheduler * input * input-type": _ANY,
        "scheduler * input * weight": Leaf(number(1, 255), "share"),
        "scheduler * input * peak-rate-percent": Leaf(number(1, 100), "max_rate_bps"),
    },
    keys={"scheduler *": number(0, 1)},
)

QOS = Kind(
    "qos",
    "qos",
    {
        "explicit-congestion-notification": Leaf(None, "queues.*.ecn.marks queues.*.ecn.drops"),
        "explicit-congestion-notification ecn-dscp-policy": _ANY,
        "queues queue * queue-index": Leaf(number(0, 13), "dscp rewrites_dscp classes queues priorities.*.queue"),
        "queues pfc-queue * queue-index": Leaf(number(0, 7), _GROUPED),
        "forwarding-classes forwarding-class * output unicast-queue": Leaf(name, f"dscp rewrites_dscp {_GROUPED}"),
        "forwarding-classes forwarding-class * output multicast-queue": _ANY,
        "forwarding-classes forwarding-class * output queue": Leaf(refused, f"dscp rewrites_dscp {_GROUPED}"),
        "linecard * forwarding-complex * input pfc-buffer-reservation": Leaf(_PERCENT, "groups.*.headroom_bytes"),
        "linecard * forwarding-complex * output fp-pool-policy": _ANY,
        "preserve-dscp": Leaf(boolean, "rewrites_dscp"),
        "classifiers vxlan-default": _ANY,
        "rewrite-rules vxlan-outer-header-dscp-policy": _ANY,
        "queue-templates": Leaf(refused, "queues", opaque=True),
        "interfaces": Leaf(None, ATTACHED),
        "classifiers": Leaf(None, "dscp"),
        "rewrite-rules": Leaf(None, "rewrites_dscp"),
        "pfc-mapping-profile": Leaf(None, f"pfc {_GROUPED} priorities"),
        "buffer-management": Leaf(None, f"{_LIMITED} groups queues.*.ecn"),
        "buffer-management buffer-allocation-profile": Leaf(None, f"{_LIMITED} groups"),
        "buffer-management queue-management-profile": Leaf(None, "queues.*.ecn"),
        "scheduler-policies": Leaf(None, _SCHEDULING),
        "scheduler-policies scheduler-policy": Leaf(None, _SCHEDULING),
    },
    ignored=frozenset(
        {
            "queue-depth-sampling",
            "resource-management",
            "input-class-map",
            "output-class-map",
            "policer-policies",
            "policer-templates",
            "dot1p-policy",
            "mpls-traffic-class-policy",
            "dscp-reclassify-policy",
            "ip-rewrite-policy",
            "scheduling-priority-mapping-table",
            "queue-scheduling-policy",
            "sched-class-scheduling-policy",
            "committed-burst-size-table",
            "slope-policy",
            "fp-pool-policy",
            "interface-pool-policy",
            "system-generated-traffic",
        }
    ),
    reaches=False,
)

SYSTEM = Kind(
    "system",
    "system",
    {
        "name host-name": _ANY,
        "mtu default-port-mtu": Leaf(number(1500, 9500), _MTU),
        "mtu default-ip-mtu": Leaf(number(1280, 9486), _MTU),
        "mtu default-l2-mtu": Leaf(number(1500, 9500), _MTU),
        "lldp": Leaf(None),
        "lldp admin-state": Leaf(state, "dcbx.lldp"),
        "lldp interface * admin-state": Leaf(state, "dcbx.lldp"),
    },
    strict=False,
    ignored=frozenset({"min-path-mtu", "default-mpls-mtu"}),
)

INSTANCE = Kind("network-instance", "network-instance *", {"type": _ANY, "interface *": Leaf(None)}, strict=False)

KINDS = (
    ATTACHMENT,
    CLASSIFIER,
    REWRITE,
    MAPPING,
    BUFFERS,
    CURVE,
    SCHEDULER,
    QOS,
    INTERFACE,
    SYSTEM,
    INSTANCE,
)
"""The longer prefixes come first."""
KIND_OF = {kind.name: kind for kind in KINDS}
OBJECTS = frozenset(kind.name for kind in (CLASSIFIER, REWRITE, MAPPING, BUFFERS, CURVE, SCHEDULER))
"""Kinds that others refer to by name."""

NAMES = {
    ("interface", "ethernet aggregate-id"): "interface",
    ("attachment", "pfc pfc-mapping-profile"): "pfc-mapping-profile",
    ("attachment", "input pfc-buffer-allocation-profile"): "buffer-allocation-profile",
    ("attachment", "output buffer-allocation-profile"): "buffer-allocation-profile",
    ("attachment", "output queues queue * queue-management-profile"): "queue-management-profile",
    ("attachment", "output scheduler scheduler-policy"): "scheduler-policy",
    ("attachment", "input classifiers ipv4-dscp-policy"): "dscp-policy",
    ("attachment", "input classifiers ipv6-dscp-policy"): "dscp-policy",
    ("attachment", "input classifiers dscp-policy"): "dscp-policy",
    ("attachment", "input classifiers default forwarding-class"): "forwarding-class",
    ("attachment", "output rewrite-rules ipv4-dscp-policy"): "rewrite-policy",
    ("attachment", "output rewrite-rules ipv6-dscp-policy"): "rewrite-policy",
    ("attachment", "output rewrite-rules dscp-policy"): "rewrite-policy",
    ("dscp-policy", "dscp * forwarding-class"): "forwarding-class",
    ("pfc-mapping-profile", f"{_MAPPED} forwarding-class"): "forwarding-class",
    ("scheduler-policy", "scheduler * input * queue-name"): "queue",
    ("qos", "forwarding-classes forwarding-class * output unicast-queue"): "queue",
    ("qos", "classifiers vxlan-default"): "dscp-policy",
    ("qos", "rewrite-rules vxlan-outer-header-dscp-policy"): "rewrite-policy",
    ("qos", "explicit-congestion-notification ecn-dscp-policy"): "rewrite-policy",
}
"""(kind, leaf) -> the kind of thing that its value names."""
KEY_NAMES = {
    ("interface", "ethernet aggregate-id"): "interface",
    ("attachment", "output queues queue * queue-management-profile"): "queue",
    ("pfc-mapping-profile", _MAPPED): "pfc-queue",
    ("pfc-mapping-profile", _HEARD): "queue",
    ("rewrite-policy", "map *"): "forwarding-class",
    ("buffer-allocation-profile", "queues queue * maximum-burst-size"): "queue",
    ("buffer-allocation-profile", f"{_PFC_QUEUE} maximum-burst-size"): "pfc-queue",
    ("buffer-allocation-profile", f"{_PFC_QUEUE} maximum-pfc-reserved-share-bytes"): "pfc-queue",
    ("buffer-allocation-profile", f"{_PFC_QUEUE} maximum-pfc-reserved-share-percentage"): "pfc-queue",
}
"""(kind, leaf) -> the kind of thing that its first key names."""
WORDS = {
    "dscp-policy": "DSCP classifier policy",
    "rewrite-policy": "DSCP rewrite policy",
    "pfc-mapping-profile": "pfc-mapping-profile",
    "buffer-allocation-profile": "buffer-allocation-profile",
    "queue-management-profile": "queue-management-profile",
    "scheduler-policy": "scheduler-policy",
    "forwarding-class": "forwarding class",
    "queue": "queue",
    "pfc-queue": "pfc-queue",
    "interface": "interface",
}
BUILTIN = frozenset(
    {("forwarding-class", f"fc{i}") for i in range(8)}
    | {("queue", f"{cast}-{i}") for cast in ("unicast", "multicast") for i in range(8)}
    | {(kind, "default") for kind in OBJECTS}
)
"""Names that always exist."""
