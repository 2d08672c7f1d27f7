"""The data model of SR Linux as one statement table: which leaves concern us, what they may hold, and what each one sets.

A mode is a kind of object: its statements are paths below its header, `qos classifiers dscp-policy NAME`. Paths of the model are
those of a port; profiles of queues have theirs below the queue's.
Nodes, types, ranges and defaults: nokia/srlinux-yang-models, release 25.3.1; `pfc-priority` of a mapping profile is that of 25.10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roce_audit.platforms.shared.leaves import number, word
from roce_audit.platforms.shared.path.tables import lenient
from roce_audit.platforms.srlinux.values import boolean, dscp, index, interface, name, speed, state, unsupported
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import leaf, unread
from roce_audit.text.statements.table import StatementTable

REFERENCES = {
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
"""Types of captures that name something, and what messages call it."""
_FEC = {"disabled": "none", "rs-528": "rs", "rs-544": "rs", "rs-108": "rs", "base-r": "fc"}
_TYPES: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(REFERENCES, name),
    "boolean": boolean,
    "enabled": word({"true": True}),
    "bytes": number(0, 2**32 - 1),
    "dscp": dscp,
    "fec": word(_FEC),
    "index": index,
    "interface": interface,
    "lacp_mode": word({"ACTIVE": "active", "PASSIVE": "passive"}),
    "lacp_rate": word({"FAST": "fast", "SLOW": "slow"}),
    "lag_type": word({"static": "static", "lacp": "lacp"}),
    "name": name,
    "percent": number(0, 100),
    "port": interface,
    "probability": word({w: w for w in ("all", "low", "medium", "high")}),
    "routed": word({"routed": True, "bridged": False, "local-mirror-dest": False}),
    "speed": speed,
    "state": state,
    "strict": word({"strict": "strict"}),
    "traffic": word({w: w for w in ("all", "tcp", "non-tcp")}),
    "unsupported": unsupported,
}

_SCHEDULED = "scheduling share share_kind max_rate_bps max_rate_percent"
SCHEDULING = tuple(f"queues.*.{path}" for path in _SCHEDULED.split())
"""What a scheduler policy sets."""
_SCHEDULING = " ".join(SCHEDULING)
_GROUPED = "classes.*.group priorities.*.group groups"
_SENT = f"pfc.priorities pfc.receive_only pfc.send_only {_GROUPED}"
_OBEYED = "pfc.priorities pfc.receive_only pfc.send_only priorities.*.queue"
_LIMITED = "queues.*.limit_bytes"
_MTU = "ip_mtu_bytes"
_ATTACHED = f"dscp policed rewrites_dscp pfc queues {_GROUPED} priorities"
ATTACHED = tuple(_ATTACHED.split())
"""What `qos interfaces` may set."""
OF_PORT = ("ip_mtu_bytes", "speed_bps", "fec", "autoneg", "admin_up", "link_pause_rx", "link_pause_tx")
"""What `interface` sets besides."""


_INTERFACE = lenient(
    leaf("admin-state <value:state>", "admin_up"),
    leaf("mtu <value:1450..9500>", _MTU),
    leaf("description <value>"),
    leaf("vlan-tagging <value:boolean>", f"{_MTU} {_GROUPED}"),
    leaf("breakout-mode", "kind"),
    leaf("breakout-mode num-breakout-ports <value:1..8>"),
    leaf("breakout-mode breakout-port-speed <value:speed>", "speed_bps"),
    leaf("transceiver forward-error-correction <value:fec>", "fec"),
    leaf("ethernet forward-error-correction fec-option <value:fec>", "fec"),
    leaf("ethernet aggregate-id <value:interface>", f"{_MTU} {_ATTACHED} lacp lacp_rate min_links"),
    leaf("lag lag-type <value:lag_type>", "lacp lacp_rate"),
    leaf("lag min-links <value:1..64>", "min_links"),
    leaf("lag lacp lacp-mode <value:lacp_mode>", "lacp"),
    leaf("lag lacp interval <value:lacp_rate>", "lacp_rate"),
    leaf("ethernet auto-negotiate <value:boolean>", "autoneg"),
    leaf("ethernet port-speed <value:speed>", "speed_bps"),
    leaf("ethernet flow-control receive <value:boolean>", "link_pause_rx"),
    leaf("ethernet flow-control transmit <value:boolean>", "link_pause_tx"),
    leaf("subinterface <index:index>", f"{_MTU} dscp rewrites_dscp"),
    leaf("subinterface <index:index> admin-state <value:state>", f"{_MTU} dscp rewrites_dscp"),
    leaf("subinterface <index:index> type <value:routed>", f"{_MTU} dscp {_GROUPED}"),
    leaf("subinterface <index:index> ip-mtu <value:1280..9486>", _MTU),
    leaf("subinterface <index:index> l2-mtu <value:1450..9500>", _MTU),
    leaf("subinterface <index:index> ipv4"),
    leaf("subinterface <index:index> ipv4 address", "dscp"),
    leaf("subinterface <index:index> ipv4 address <address>"),
    leaf("subinterface <index:index> ipv6"),
    leaf("subinterface <index:index> ipv6 address", "dscp"),
    leaf("subinterface <index:index> ipv6 address <address>"),
    leaf("subinterface <index:index> vlan encap single-tagged", _MTU),
    leaf("subinterface <index:index> vlan encap single-tagged vlan-id <value>", _MTU),
    unread("qos", _ATTACHED),
    unread("subinterface <index:index> qos", _ATTACHED),
    sounding=frozenset({"pfc", "qos", "mtu", "flow-control", "error-correction", "speed"}),
    ignored=frozenset(
        {
            "mpls-mtu",
            "mtu-discovery",
            "tcp-mss",
            "hold-time",
            "qos-policies",
            "oper-mac-vrf-mtu",
            "oper-vpws-mtu",
            "member-speed",
        }
    ),
)

_ATTACHMENT = (
    leaf("interface-ref interface <value:port>", _ATTACHED),
    leaf("interface-ref subinterface <value:0..9999>", _ATTACHED),
    leaf("pfc pfc-mapping-profile <value:pfc-mapping-profile>", f"pfc {_GROUPED} priorities"),
    leaf("pfc pfc-enable <value:boolean>", "pfc groups"),
    leaf("input pfc-buffer-allocation-profile <value:buffer-allocation-profile>", "groups"),
    leaf("input classifiers", "dscp"),
    leaf("input classifiers default forwarding-class <value:forwarding-class>", "dscp"),
    leaf("input classifiers default drop-probability <value>"),
    leaf("input classifiers ipv4-dscp-policy <value:dscp-policy>", "dscp"),
    leaf("input classifiers ipv6-dscp-policy <value:dscp-policy>", "dscp"),
    leaf("input classifiers dscp-policy <value:dscp-policy>", "dscp"),
    leaf("input classifiers dot1p-policy <value>"),
    leaf("input classifiers mpls-traffic-class-policy <value>"),
    leaf("input policer-policies policer-policy <value:name>", "policed"),
    leaf("input input-class-map <value:unsupported>", "policed"),
    leaf("output buffer-allocation-profile <value:buffer-allocation-profile>", _LIMITED),
    leaf("output queues queue <queue:queue> queue-management-profile <value:queue-management-profile>", "queues.*.ecn"),
    leaf("output scheduler scheduler-policy <value:scheduler-policy>", _SCHEDULING),
    leaf("output scheduler queue-scheduling-policy <value:unsupported>", _SCHEDULING),
    leaf("output scheduler sched-class-scheduling-policy <value:unsupported>", _SCHEDULING),
    leaf("output rewrite-rules", "rewrites_dscp"),
    leaf("output rewrite-rules ipv4-dscp-policy <value:rewrite-policy>", "rewrites_dscp"),
    leaf("output rewrite-rules ipv6-dscp-policy <value:rewrite-policy>", "rewrites_dscp"),
    leaf("output rewrite-rules dscp-policy <value:rewrite-policy>", "rewrites_dscp"),
    leaf("output rewrite-rules dot1p-policy <value>"),
    leaf("output rewrite-rules mpls-traffic-class-policy <value>"),
    leaf("output dscp-reclassify-policy <value:unsupported>", "classes.*.queue"),
    leaf("output output-class-map <value:unsupported>", "classes.*.queue"),
)
_NOT_OF_ATTACHMENT = frozenset(
    {
        "ler-use-dscp",
        "match-qinq-dot1p",
        "tos-rewrite-state",
        "interface-pool-policy",
        "dscp-rewrite",
        "qinq-rewrite-outer-only",
        "statistics",
    }
)

_CLASSIFIER = (
    leaf("dscp <dscp:dscp> forwarding-class <value:forwarding-class>", "dscp"),
    leaf("dscp <dscp:dscp> drop-probability <value>"),
    leaf("dscp <dscp:dscp> profile <value>"),
    leaf("dscp <dscp:dscp> de-out-profile <value>"),
    leaf("dscp <dscp:dscp> ip-rewrite-policy <value>"),
)

_REWRITTEN = "rewrites_dscp classes.*.new_dscp"
_REWRITE = (
    leaf("map <class:forwarding-class>", _REWRITTEN),
    leaf("map <class:forwarding-class> dscp <value:dscp>", _REWRITTEN),
    leaf("map <class:forwarding-class> drop-probability <probability>", _REWRITTEN),
    leaf("map <class:forwarding-class> drop-probability <probability> dscp <value:dscp>", _REWRITTEN),
    leaf("map <class:forwarding-class> profile <profile>", _REWRITTEN),
    leaf("map <class:forwarding-class> profile <profile> dscp <value:dscp>", _REWRITTEN),
)

_MAPPED = "received-traffic unicast-mapping pfc-queue <queue:pfc-queue>"
_OBEYING = "received-pfc-pause-frames queue <queue:queue>"
_DEADLOCK = "received-pfc-pause-frames deadlock"
_BOTH_WAYS = f"{_SENT} priorities.*.queue"
_MAPPING = (
    leaf("pfc-priority <priority:0..7>", _BOTH_WAYS),
    leaf("pfc-priority <priority:0..7> pfc-enable <value:boolean>", _BOTH_WAYS),
    leaf(_MAPPED, _SENT),
    leaf(f"{_MAPPED} dot1p <value:0..7>", _SENT),
    leaf(f"{_MAPPED} forwarding-class <value:forwarding-class>", _SENT),
    leaf(f"{_MAPPED} pfc-pause-frame-priority <value:0..7>", _SENT),
    leaf(f"{_MAPPED} enable-pfc <value:unsupported>", _SENT),
    leaf(_OBEYING, _OBEYED),
    leaf(f"{_OBEYING} pfc-pause-frame-priority <value:0..7>", _OBEYED),
    leaf(f"{_OBEYING} enable-pfc <value:boolean>", _OBEYED),
    leaf(f"{_DEADLOCK} enable <value:boolean>", "pfc.watchdog.on"),
    leaf(f"{_DEADLOCK} detection-timer <value:10..1500>", "pfc.watchdog.detect_ms"),
    leaf(f"{_DEADLOCK} recovery-timer <value:100..1500>", "pfc.watchdog.restore_ms"),
)

_QUEUE = "queues queue <queue:queue>"
_PFC_QUEUE = "queues pfc-queue <queue:pfc-queue>"
_BUFFERS = (
    leaf(f"{_QUEUE} maximum-burst-size <value:bytes>", _LIMITED),
    leaf(f"{_QUEUE} mbs-adaptation-rule <value>"),
    leaf(f"{_QUEUE} committed-burst-size <value>"),
    leaf(f"{_QUEUE} cbs-adaptation-rule <value>"),
    leaf(f"{_QUEUE} high-threshold-bytes <value>"),
    leaf(f"{_QUEUE} interface-pool <value>"),
    leaf(f"{_PFC_QUEUE} maximum-burst-size <value:bytes>", "groups.*.xoff_at_bytes"),
    leaf(f"{_PFC_QUEUE} committed-burst-size <value:1536..262144>", "groups.*.reserved_bytes"),
    leaf(f"{_PFC_QUEUE} maximum-pfc-reserved-share-percentage <value:percent>", "groups.*.headroom_bytes"),
    leaf(f"{_PFC_QUEUE} maximum-pfc-reserved-share-bytes <value:0..104857600>", "groups.*.headroom_bytes"),
    leaf(f"{_PFC_QUEUE} pfc-on-threshold <value:percent>", "groups.*.xoff_at_bytes"),
    leaf(f"{_PFC_QUEUE} pfc-off-threshold <value:percent>", "groups.*.xon_at_bytes"),
    leaf(f"{_PFC_QUEUE} use-dynamic-allocation <value:boolean>", "groups.*.xoff_at_bytes groups.*.alpha"),
)

_SLOPE = "wred wred-slope <traffic:traffic> drop-probability <probability:probability> enable-ecn <marks:boolean>"
_CURVE = (
    leaf("weight-factor <value:0..15>", "weight"),
    leaf(_SLOPE, "marks drops min_bytes max_bytes min_value max_value min_unit max_unit max_probability_percent"),
    leaf(f"{_SLOPE} min-threshold <value:bytes>", "min_bytes min_value min_unit drops"),
    leaf(f"{_SLOPE} max-threshold <value:bytes>", "max_bytes max_value max_unit drops"),
    leaf(f"{_SLOPE} min-threshold-percent <value:percent>", "min_bytes min_value min_unit drops"),
    leaf(f"{_SLOPE} max-threshold-percent <value:percent>", "max_bytes max_value max_unit drops"),
    leaf(f"{_SLOPE} max-drop-probability-percent <value:percent>", "max_probability_percent drops"),
    leaf(f"{_SLOPE} slope-enabled <value:enabled>", "marks drops"),  # what else may stand there is documented nowhere
)

_SCHEDULER = (
    leaf("scheduler <scheduler:0..1> priority <value:strict>", _SCHEDULED),
    leaf("scheduler <scheduler:0..1> input <input> queue-name <value:queue>", _SCHEDULED),
    leaf("scheduler <scheduler:0..1> input <input> input-type <value>"),
    leaf("scheduler <scheduler:0..1> input <input> weight <value:1..255>", "share"),
    leaf("scheduler <scheduler:0..1> input <input> peak-rate-percent <value:1..100>", "max_rate_bps max_rate_percent"),
)

_CLASS = "forwarding-classes forwarding-class <class>"
_CLASSED = f"dscp rewrites_dscp {_GROUPED}"
_COMPLEX = "linecard <slot> forwarding-complex <complex>"
_QOS = (
    leaf("explicit-congestion-notification", "queues.*.ecn.marks queues.*.ecn.drops"),
    leaf("explicit-congestion-notification ecn-dscp-policy <value:rewrite-policy>"),
    leaf("queues queue <queue> queue-index <value:0..13>", "dscp rewrites_dscp classes queues priorities.*.queue"),
    leaf("queues pfc-queue <queue> queue-index <value:0..7>", _GROUPED),
    leaf(f"{_CLASS} output unicast-queue <value:queue>", _CLASSED),
    leaf(f"{_CLASS} output multicast-queue <value>"),
    leaf(f"{_CLASS} output queue <value:unsupported>", _CLASSED),
    leaf(f"{_COMPLEX} input pfc-buffer-reservation <value:percent>", "groups.*.headroom_bytes"),
    leaf(f"{_COMPLEX} output fp-pool-policy <value>"),
    leaf("preserve-dscp <value:boolean>", "rewrites_dscp"),
    leaf("classifiers vxlan-default <value:dscp-policy>"),
    leaf("rewrite-rules vxlan-outer-header-dscp-policy <value:rewrite-policy>"),
    unread("queue-templates", "queues"),
    leaf("interfaces", _ATTACHED),
    leaf("classifiers", "dscp"),
    leaf("rewrite-rules", "rewrites_dscp"),
    leaf("pfc-mapping-profile", f"pfc {_GROUPED} priorities"),
    leaf("buffer-management", f"{_LIMITED} groups queues.*.ecn"),
    leaf("buffer-management buffer-allocation-profile", f"{_LIMITED} groups"),
    leaf("buffer-management queue-management-profile", "queues.*.ecn"),
    leaf("scheduler-policies", _SCHEDULING),
    leaf("scheduler-policies scheduler-policy", _SCHEDULING),
)
_NOT_OF_QOS = frozenset(
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
)


def _nothing(words: Sequence[str], depth: int) -> tuple[str, ...]:
    """One odd line under `qos` must not blind the whole switch."""
    return ()


TABLE = StatementTable(
    name="srlinux",
    types=_TYPES,
    negations=(),
    comments=(),
    modes={
        "top": Mode(
            opens={
                "interface": "interface",
                "qos interfaces interface": "attachment",
                "qos classifiers dscp-policy": "dscp-policy",
                "qos rewrite-rules dscp-policy": "rewrite-policy",
                "qos pfc-mapping-profile": "pfc-mapping-profile",
                "qos buffer-management buffer-allocation-profile": "buffer-allocation-profile",
                "qos buffer-management queue-management-profile": "queue-management-profile",
                "qos scheduler-policies scheduler-policy": "scheduler-policy",
                "qos": "qos",
                "system lldp interface": "lldp",
                "system": "system",
                "network-instance": "network-instance",
            }
        ),
        "interface": _INTERFACE,
        "attachment": Mode(_ATTACHMENT, strict=True, ignored=_NOT_OF_ATTACHMENT),
        "dscp-policy": Mode(_CLASSIFIER, strict=True),
        "rewrite-policy": Mode(_REWRITE, strict=True),
        "pfc-mapping-profile": Mode(_MAPPING, strict=True),
        "buffer-allocation-profile": Mode(_BUFFERS, strict=True),
        "queue-management-profile": Mode(_CURVE, base="queues.#.ecn", strict=True),
        "scheduler-policy": Mode(_SCHEDULER, base="queues.#", strict=True),
        "qos": Mode(_QOS, strict=True, guess=_nothing, ignored=_NOT_OF_QOS),
        "lldp": lenient(leaf("admin-state <value:state>", "dcbx.lldp")),
        "system": lenient(
            leaf("name host-name <value>"),
            leaf("mtu default-port-mtu <value:1500..9500>", _MTU),
            leaf("mtu default-ip-mtu <value:1280..9486>", _MTU),
            leaf("mtu default-l2-mtu <value:1500..9500>", _MTU),
            leaf("load-balancing hash-options source-port <value:boolean>", "forwarding.hash_uses_ports"),
            leaf("lldp", "dcbx.lldp"),
            leaf("lldp admin-state <value:state>", "dcbx.lldp"),
            leaf("lldp interface", "dcbx.lldp"),
            ignored=frozenset({"min-path-mtu", "default-mpls-mtu"}),
        ),
        "network-instance": lenient(leaf("type <value>"), leaf("interface <interface>")),
    },
)
DEVICE_WIDE = ("qos", "system")
"""Kinds of objects without a name: there is one of each."""
OBJECTS = frozenset(REFERENCES) & TABLE.modes.keys() - {"interface"}
"""Kinds of objects that others refer to by name."""
BUILTIN = frozenset(
    {("forwarding-class", f"fc{i}") for i in range(8)}
    | {("queue", f"{cast}-{i}") for cast in ("unicast", "multicast") for i in range(8)}
    | {(kind, "default") for kind in OBJECTS}
)
"""Names that always exist."""
