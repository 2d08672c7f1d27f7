"""The configuration of Junos as one statement table: which statements concern us, what they may hold, and what each one sets.

A mode is a kind of object: its statements are paths below its header, `class-of-service schedulers NAME`. Paths of the model are
those of a port; schedulers and drop profiles have theirs below the queue's.
Statements: Juniper CLI reference, and the validated designs of Juniper (github Juniper/jvd).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roce_audit.platforms.junos.values import (
    PRIORITIES,
    code_point,
    identifier,
    interface,
    name,
    port,
    rate,
    shown_speed,
    speed,
    unit,
)
from roce_audit.platforms.shared.leaves import number, word
from roce_audit.platforms.shared.path.tables import lenient
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import Row, leaf
from roce_audit.text.statements.table import StatementTable

REFERENCES = {
    "congestion-notification-profile": "congestion-notification-profile",
    "dscp-classifier": "DSCP classifier",
    "tag-classifier": "IEEE 802.1 classifier",
    "precedence-classifier": "IP precedence classifier",
    "precedence-rewrite": "IP precedence rewrite rule",
    "dscp-rewrite": "DSCP rewrite rule",
    "tag-rewrite": "IEEE 802.1 rewrite rule",
    "scheduler-map": "scheduler-map",
    "scheduler": "scheduler",
    "drop-profile": "drop-profile",
    "traffic-control-profile": "traffic-control-profile",
    "forwarding-class-set": "forwarding-class-set",
    "forwarding-class": "forwarding class",
    "group": "configuration group",
    "filter": "firewall filter",
    "interface": "interface",
}
"""Types of captures that name something, and what messages call it."""
FAMILIES = ("any", "bridge", "ccc", "ethernet-switching", "inet", "inet6", "mpls", "vpls")
"""Families of firewall filters."""
_FEC = {"fec91": "rs", "fec119": "rs", "fec74": "fc", "none": "none"}
_LOSS = {w: w for w in ("low", "medium-low", "medium-high", "high")}
_TYPES: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(REFERENCES, identifier),
    "code-point": code_point,
    "dcbx": word({"ieee-dcbx": "ieee", "dcbx-version-1.01": "cee", "auto-negotiate": "auto"}),
    "fec": word(_FEC),
    "filter": name,
    "identifier": identifier,
    "interface": interface,
    "loss": word(_LOSS),
    "losses": word(_LOSS | {"any": "any"}),
    "name": name,
    "percent": number(0, 100),
    "port": port,
    "rate": rate,
    "scheduled": PRIORITIES,
    "shown": word({"Enabled": True, "Disabled": False}),
    "shown-fec": word({word.upper(): value for word, value in _FEC.items()}),
    "shown-speed": shown_speed,
    "none-running": word({"Disabled": frozenset[int]()}),
    "speed": speed,
    "switch": word({"on": True, "off": False}),
    "unit": unit,
    "up": word({"Up": True}),
}

_MTU = "ip_mtu_bytes"
_MARKED = "dscp pcp trust"
_REWRITTEN = "rewrites_dscp classes.*.new_dscp"
_GROUPED = "classes.*.group priorities groups"
_PAUSED = f"pfc {_GROUPED}"
_CLASSED = f"{_MARKED} {_REWRITTEN} queues {_PAUSED}"
ATTACHED = ("dscp", "pcp", "trust", "rewrites_dscp", "classes", "queues", "pfc", "priorities", "groups", "cable_m")
"""What `class-of-service` may set."""
_ATTACHED = " ".join(ATTACHED)
OF_PORT = ("ip_mtu_bytes", "speed_bps", "fec", "autoneg", "admin_up", "link_pause_rx", "link_pause_tx", "policed")
"""What `interfaces` may set besides."""


_CHANNEL = "lacp lacp_rate min_links shared_channel"
_AGGREGATED = "aggregated-ether-options"


def _options(stanza: str) -> tuple[Row, ...]:
    """What stands below `ether-options`, which older hardware calls `gigether-options`."""
    return (
        leaf(f"{stanza} 802.3ad <value:interface>", f"{_MTU} {_ATTACHED} {_CHANNEL}"),
        leaf(f"{stanza} auto-negotiation", "autoneg"),
        leaf(f"{stanza} no-auto-negotiation", "autoneg"),
        leaf(f"{stanza} flow-control", "link_pause_rx link_pause_tx"),
        leaf(f"{stanza} no-flow-control", "link_pause_rx link_pause_tx"),
        leaf(f"{stanza} configured-flow-control rx-buffers <value:switch>", "link_pause_rx"),
        leaf(f"{stanza} configured-flow-control tx-buffers <value:switch>", "link_pause_tx"),
        leaf(f"{stanza} fec <value:fec>", "fec"),
        leaf(f"{stanza} speed <value:speed>", "speed_bps"),
    )


_UNIT = "unit <unit:unit>"
_INTERFACE = lenient(
    leaf("description <value>"),
    leaf("disable", "admin_up"),
    leaf("mtu <value:256..16000>", _MTU),
    leaf("speed <value:speed>", "speed_bps"),
    leaf("number-of-sub-ports <value:1..16>", "kind"),
    leaf("vlan-tagging", _MTU),
    leaf("flexible-vlan-tagging", _MTU),
    *_options("ether-options"),
    *_options("gigether-options"),
    leaf(f"{_AGGREGATED} lacp", "lacp"),
    leaf(f"{_AGGREGATED} lacp active", "lacp"),
    leaf(f"{_AGGREGATED} lacp passive", "lacp"),
    leaf(f"{_AGGREGATED} lacp periodic <value:fast|slow>", "lacp_rate"),
    leaf(f"{_AGGREGATED} lacp system-id <value:identifier>", "shared_channel"),
    leaf(f"{_AGGREGATED} lacp admin-key <value:0..65535>", "shared_channel"),
    leaf(f"{_AGGREGATED} minimum-links <value:1..64>", "min_links"),
    leaf(f"{_AGGREGATED} mc-ae mc-ae-id <value:1..65535>", "shared_channel"),
    leaf("esi <value:identifier>", "shared_channel"),
    leaf("esi auto-derive <value:identifier>", "shared_channel"),
    leaf(_UNIT),
    leaf(f"{_UNIT} disable"),
    leaf(f"{_UNIT} description <value>"),
    leaf(f"{_UNIT} vlan-id <value>"),
    leaf(f"{_UNIT} family inet", _MTU),
    leaf(f"{_UNIT} family inet mtu <value:256..16000>", _MTU),
    leaf(f"{_UNIT} family inet address <address>"),
    leaf(f"{_UNIT} family inet filter input <value:filter>", "dscp policed drops_roce"),
    leaf(f"{_UNIT} family inet filter output <value:filter>", "drops_roce"),
    leaf(f"{_UNIT} family inet filter input-list <value:filter>", "dscp policed"),
    leaf(f"{_UNIT} family inet policer input <value:name>", "policed"),
    leaf(f"{_UNIT} family inet6", _MTU),
    leaf(f"{_UNIT} family inet6 mtu <value:256..16000>", _MTU),
    leaf(f"{_UNIT} family inet6 address <address>"),
    leaf(f"{_UNIT} family inet6 filter input <value:filter>", "dscp policed"),
    leaf(f"{_UNIT} family ethernet-switching", _MTU),
    leaf(f"{_UNIT} family ethernet-switching interface-mode <value:trunk|access>", _MTU),
    leaf(f"{_UNIT} family ethernet-switching vlan members <value>"),
    leaf(f"{_UNIT} family ethernet-switching filter input <value:filter>", "dscp policed drops_roce"),
    leaf(f"{_UNIT} family ethernet-switching filter output <value:filter>", "drops_roce"),
    sounding=frozenset({"mtu", "flow-control", "speed", "pfc"}),
    ignored=frozenset({"mtu-discovery", "link-speed", "tcp-mss"}),
)


def _everywhere(text: str, paths: str) -> tuple[Row, ...]:
    """A statement of a physical interface that its units have as well."""
    return leaf(text, paths), leaf(f"{_UNIT} {text}", paths)


_BINDING = (
    leaf(_UNIT),
    leaf("congestion-notification-profile <value:congestion-notification-profile>", f"{_PAUSED} cable_m"),
    *_everywhere("scheduler-map <value:scheduler-map>", "queues"),
    *_everywhere("classifiers dscp <value:dscp-classifier>", f"{_MARKED} {_PAUSED}"),
    *_everywhere("classifiers ieee-802.1 <value:tag-classifier>", f"{_MARKED} {_PAUSED}"),
    *_everywhere("classifiers dscp-ipv6 <value>", ""),
    *_everywhere("classifiers exp <value>", ""),
    *_everywhere("classifiers inet-precedence <value:precedence-classifier>", f"{_MARKED} {_PAUSED}"),
    *_everywhere("rewrite-rules dscp <value:dscp-rewrite>", _REWRITTEN),
    *_everywhere("rewrite-rules inet-precedence <value:precedence-rewrite>", _REWRITTEN),
    *_everywhere("rewrite-rules dscp-ipv6 <value>", ""),
    *_everywhere("rewrite-rules ieee-802.1 <value:tag-rewrite>", ""),
    *_everywhere("rewrite-rules exp <value>", ""),
    *_everywhere("forwarding-class <value:forwarding-class>", _MARKED),
    *_everywhere("output-traffic-control-profile <value:traffic-control-profile>", "queues"),
    leaf(
        "forwarding-class-set <set:forwarding-class-set> output-traffic-control-profile <value:traffic-control-profile>",
        "queues",
    ),
    leaf("shaping-rate <value:rate>", "queues.*.max_rate_bps"),
    leaf("dedicated-buffer-profile <value>"),
)
_NOT_OF_BINDING = frozenset(
    {
        "exclude-queue-overhead-bytes",
        "irb",
        "drop-congestion-notification",
        "input-scheduler-map",
        "loss-priority-maps",
        "loss-priority-rewrites",
    }
)

_IN_MARK = "input dscp code-point <mark:code-point>"
_IN_TAG = "input ieee-802.1 code-point <priority:code-point>"
_OUT = "output ieee-802.1 code-point <priority:code-point>"
_ACCOUNT = "input pfc-account <account:identifier>"
_SENT = f"pfc.mode pfc.priorities pfc.receive_only pfc.send_only {_GROUPED}"
_OBEYED = "pfc.priorities pfc.receive_only pfc.send_only pfc.watchdog priorities.*.queue"
_WATCHDOG = "pfc.watchdog"
_PROFILE = (
    leaf("pfc-watchdog", _WATCHDOG),
    leaf("pfc-watchdog poll-interval <value:1..100000>", "pfc.watchdog.poll_ms pfc.watchdog.detect_ms"),
    leaf("pfc-watchdog detection <value:1..1000>", "pfc.watchdog.detect_ms"),
    leaf("pfc-watchdog recovery <value:1..1000000>", "pfc.watchdog.restore_ms"),
    leaf("pfc-watchdog watchdog-action <value:drop|forward>", "pfc.watchdog.action"),
    leaf("input", _SENT),
    leaf(f"{_IN_MARK}", _SENT),
    leaf(f"{_IN_MARK} pfc", _SENT),
    leaf(f"{_IN_MARK} pfc mru <value:1..16000>", f"{_SENT} groups.*.sized_for_bytes"),
    leaf(f"{_IN_MARK} mru <value:1..16000>", "groups.*.sized_for_bytes"),
    leaf(f"{_IN_MARK} pfc-account-name <value:identifier>", _SENT),
    leaf(f"{_IN_TAG}", _SENT),
    leaf(f"{_IN_TAG} pfc", _SENT),
    leaf(f"{_IN_TAG} pfc mru <value:1..16000>", f"{_SENT} groups.*.sized_for_bytes"),
    leaf(f"{_IN_TAG} mru <value:1..16000>", "groups.*.sized_for_bytes"),
    leaf(f"{_ACCOUNT} pfc-priority <value:0..7>", _SENT),
    leaf(f"{_ACCOUNT} xoff <value>", "groups.*.xoff_at_bytes"),
    leaf(f"{_ACCOUNT} xon <value>", "groups.*.xon_at_bytes"),
    leaf("input cable-length <value:1..100000>", "cable_m"),
    leaf("output", _OBEYED),
    leaf(f"{_OUT}", _OBEYED),
    leaf(f"{_OUT} flow-control-queue <value:0..11>", _OBEYED),
)

_LISTED = "forwarding-class <class:forwarding-class> loss-priority <loss:loss>"


def _classifier(kind: str) -> tuple[Row, ...]:
    return (
        leaf(f"import <value:{kind}>", _MARKED),
        leaf(f"{_LISTED} code-points <value:code-point>", _MARKED),
        leaf(f"{_LISTED} code-point <value:code-point>", _MARKED),
    )


def _rewrite(kind: str, sets: str = _REWRITTEN) -> tuple[Row, ...]:
    return (
        leaf(f"import <value:{kind}>", sets),
        leaf(f"{_LISTED} code-point <value:code-point>", sets),
    )


_SHARE = "share share_kind"
_SCHEDULER = (
    leaf("transmit-rate percent <value:percent>", _SHARE),
    leaf("transmit-rate remainder", _SHARE),
    leaf("transmit-rate <value:rate>", _SHARE),
    *(leaf(f"{where}{how}", "max_rate_bps") for where in ("", "transmit-rate ") for how in ("exact", "rate-limit")),
    leaf("shaping-rate percent <value:percent>", "max_rate_bps max_rate_percent"),
    leaf("shaping-rate <value:rate>", "max_rate_bps"),
    leaf("priority <value:scheduled>", f"scheduling {_SHARE}"),
    leaf("buffer-size percent <value:percent>"),
    leaf("buffer-size remainder"),
    leaf("buffer-size temporal <value>"),
    leaf("buffer-dynamic-threshold <value:0..10>"),
    leaf("drop-profile-map loss-priority <loss:losses> protocol <protocol> drop-profile <value:drop-profile>", "ecn"),
    leaf("explicit-congestion-notification", "ecn"),
)
_CURVE = (
    leaf("interpolate", "ecn"),
    leaf("interpolate fill-level <value:percent>", "ecn"),
    leaf("interpolate drop-probability <value:percent>", "ecn"),
    leaf("fill-level <level:percent> drop-probability <value:percent>", "ecn"),
)
_CONTROL = (
    leaf("scheduler-map <value:scheduler-map>", "queues"),
    leaf("guaranteed-rate percent <value:percent>"),
    leaf("guaranteed-rate <value:rate>"),
    leaf("shaping-rate percent <value:percent>", "queues.*.max_rate_bps"),
    leaf("shaping-rate <value:rate>", "queues.*.max_rate_bps"),
)

_CLASS = "forwarding-classes class <class:identifier>"
_BUFFERED = "groups.*.headroom_bytes groups.*.alpha"
_COS = (
    leaf("forwarding-classes", _CLASSED),
    leaf(_CLASS, _CLASSED),
    leaf(f"{_CLASS} queue-num <value:0..11>", _CLASSED),
    leaf(f"{_CLASS} no-loss", _PAUSED),
    leaf(f"{_CLASS} pfc-priority <value:0..7>", _PAUSED),
    leaf("forwarding-classes queue <queue:0..11> <value:identifier>", _CLASSED),
    leaf("code-point-aliases", _MARKED),
    leaf("code-point-aliases dscp <alias:identifier> <value:code-point>", f"{_MARKED} {_REWRITTEN}"),
    leaf("code-point-aliases ieee-802.1 <alias:identifier> <value:code-point>", "pcp"),
    leaf("code-point-aliases dscp-ipv6 <alias> <value>"),
    leaf("code-point-aliases exp <alias> <value>"),
    leaf("code-point-aliases inet-precedence <alias:identifier> <value:code-point>", f"{_MARKED} {_REWRITTEN}"),
    leaf("shared-buffer", _BUFFERED),
    leaf("shared-buffer ingress", _BUFFERED),
    leaf("shared-buffer ingress percent <value:percent>"),
    leaf("shared-buffer ingress buffer-partition <partition:lossless|lossless-headroom|lossy>", _BUFFERED),
    leaf(
        "shared-buffer ingress buffer-partition <partition:lossless|lossless-headroom|lossy> percent <value:percent>",
        _BUFFERED,
    ),
    leaf(
        "shared-buffer ingress buffer-partition <partition:lossless|lossless-headroom|lossy> dynamic-threshold <value:0..10>",
        _BUFFERED,
    ),
    leaf("shared-buffer egress"),
    leaf("shared-buffer egress percent <value:percent>"),
    leaf("shared-buffer egress buffer-partition <partition:lossless|lossy|multicast> percent <value:percent>"),
    leaf("shared-buffer egress buffer-partition <partition:lossless|lossy|multicast> dynamic-threshold <value:0..10>"),
    leaf("dedicated-buffer ingress percent <value:percent>"),
    leaf("dedicated-buffer egress percent <value:percent>"),
    leaf("interfaces", _ATTACHED),
    leaf("classifiers", _MARKED),
    leaf("classifiers dscp", _MARKED),
    leaf("classifiers ieee-802.1", _MARKED),
    leaf("classifiers inet-precedence", _MARKED),
    leaf("rewrite-rules", _REWRITTEN),
    leaf("rewrite-rules dscp", _REWRITTEN),
    leaf("rewrite-rules inet-precedence", _REWRITTEN),
    leaf("congestion-notification-profile", f"{_PAUSED} cable_m"),
    leaf("scheduler-maps", "queues"),
    leaf("schedulers", "queues"),
    leaf("drop-profiles", "queues.*.ecn"),
    leaf("traffic-control-profiles", "queues"),
    leaf("forwarding-class-sets", "queues"),
)
_NOT_OF_COS = frozenset(
    {
        "adjustment-control-profiles",
        "application-traffic-control",
        "copy-plp-all",
        "cos-next-hop-map",
        "dedicated-buffer-profile",
        "drop-congestion-notification",
        "dscp-ipv6",
        "exp",
        "forwarding-policy",
        "fragmentation-maps",
        "host-outbound-traffic",
        "loss-priority-maps",
        "loss-priority-rewrites",
        "monitoring-profile",
        "multi-destination",
        "restricted-queues",
        "routing-instances",
        "system-defaults",
        "traffic-manager",
        "translation-table",
        "tri-color",
        "ieee-802.1ad",
    }
)


def _nothing(words: Sequence[str], depth: int) -> tuple[str, ...]:
    """One odd line under `class-of-service` must not blind the whole switch."""
    return ()


_TUNNELS = "vtep-source-interface <value>"
"""At the switch, or in the routing instance (`mac-vrf`) that holds the tunnels."""

TABLE = StatementTable(
    name="junos",
    types=_TYPES,
    negations=(),
    comments=(),
    modes={
        "top": Mode(
            opens={
                "interfaces": "interface",
                "class-of-service interfaces": "binding",
                "class-of-service classifiers dscp": "dscp-classifier",
                "class-of-service classifiers ieee-802.1": "tag-classifier",
                "class-of-service classifiers inet-precedence": "precedence-classifier",
                "class-of-service rewrite-rules dscp": "dscp-rewrite",
                "class-of-service rewrite-rules inet-precedence": "precedence-rewrite",
                "class-of-service rewrite-rules ieee-802.1": "tag-rewrite",
                "class-of-service congestion-notification-profile": "congestion-notification-profile",
                "class-of-service scheduler-maps": "scheduler-map",
                "class-of-service schedulers": "scheduler",
                "class-of-service drop-profiles": "drop-profile",
                "class-of-service traffic-control-profiles": "traffic-control-profile",
                "class-of-service forwarding-class-sets": "forwarding-class-set",
                "class-of-service": "cos",
                "chassis fpc": "chassis",
                "firewall filter": "filter",
                **{f"firewall family {family} filter": "filter" for family in FAMILIES},
                "protocols lldp": "lldp",
                "protocols dcbx": "dcbx",
                "system": "system",
                "forwarding-options": "forwarding",
                "switch-options": "tunnels",
                "vlans": "vlan",
                "routing-instances": "routing-instance",
            }
        ),
        "interface": _INTERFACE,
        "binding": Mode(_BINDING, strict=True, ignored=_NOT_OF_BINDING),
        "dscp-classifier": Mode(_classifier("dscp-classifier"), strict=True),
        "tag-classifier": Mode(_classifier("tag-classifier"), strict=True),
        "precedence-classifier": Mode(_classifier("precedence-classifier"), strict=True),
        "dscp-rewrite": Mode(_rewrite("dscp-rewrite"), strict=True),
        "precedence-rewrite": Mode(_rewrite("precedence-rewrite"), strict=True),
        "tag-rewrite": Mode(_rewrite("tag-rewrite", ""), lenient=True),
        "congestion-notification-profile": Mode(_PROFILE, strict=True),
        "scheduler-map": Mode(
            (leaf("forwarding-class <class:forwarding-class> scheduler <value:scheduler>", "queues"),), strict=True
        ),
        "scheduler": Mode(
            _SCHEDULER,
            base="queues.#",
            strict=True,
            ignored=frozenset({"excess-rate", "excess-priority", "adjust-percent", "burst-size"}),
        ),
        "drop-profile": Mode(_CURVE, base="queues.#", strict=True),
        "traffic-control-profile": Mode(_CONTROL, strict=True),
        "forwarding-class-set": Mode((leaf("class <value:forwarding-class>", "queues"),), strict=True),
        "cos": Mode(_COS, strict=True, guess=_nothing, ignored=_NOT_OF_COS),
        "chassis": lenient(
            leaf("pic <pic> port <port:0..255> speed <value:speed>", "speed_bps"),
            leaf("pic <pic> port <port:0..255> channel-speed <value:speed>", "speed_bps"),
        ),
        "filter": lenient(
            leaf("term <term> from <condition>", "dscp"),
            leaf("term <term> from <condition> <value>", "dscp"),
            leaf("term <term> from <condition> <value> <more...>", "dscp"),
            leaf("term <term> then forwarding-class <value:forwarding-class>", "dscp"),
            *(leaf(f"term <term> then {action}", "dscp") for action in ("accept", "discard", "reject", "next <value>")),
            leaf("term <term> then policer <value:name>", "policed"),
        ),
        "lldp": lenient(
            leaf("disable", "dcbx.lldp"),
            leaf("interface <port:port>", "dcbx.lldp"),
            leaf("interface <port:port> disable", "dcbx.lldp"),
        ),
        "dcbx": lenient(
            leaf("disable", "dcbx.mode"),
            leaf("interface <port:port>", "dcbx.mode"),
            leaf("interface <port:port> disable", "dcbx.mode"),
            leaf("interface <port:port> dcbx-version <value:dcbx>", "dcbx.mode"),
        ),
        "state": Mode(
            (
                leaf("mtu <value:256..16000>", _MTU),
                leaf("speed <value:shown-speed>", "speed_bps"),
                leaf("flow-control <value:shown>", "link_pause_rx link_pause_tx"),
                leaf("fec <value:shown-fec>", "fec"),
                leaf("link <value:up>", "link_up"),
                leaf("congestion-notification <value:none-running>", "pfc.operational pfc.shown_off"),
            ),
            strict=True,
        ),
        "system": lenient(leaf("host-name <value>")),
        "vlan": lenient(
            leaf("vlan-id <value>"),
            leaf("filter input <value:filter>", "policed drops_roce"),
            leaf("forwarding-options filter input <value:filter>", "policed drops_roce"),
        ),
        "forwarding": lenient(
            leaf("vxlan-disable-copy-tos-encap", "forwarding.tunnel_fixed_dscp forwarding.tunnel_keeps_marks"),
            leaf("vxlan-disable-copy-tos-decap", "forwarding.tunnel_keeps_marks"),
            leaf("enhanced-hash-key inet no-l4-source-port", "forwarding.hash_uses_ports"),
            leaf("family inet filter input <value:filter>", "policed drops_roce"),
        ),
        "tunnels": lenient(leaf(_TUNNELS, "forwarding.tunnels")),
        "routing-instance": lenient(
            leaf("interface <interface>"), leaf("vlans <vlan> vlan-id <value>"), leaf(_TUNNELS, "forwarding.tunnels")
        ),
    },
)
OF_FORWARDING = ("forwarding", "tunnels")
"""Kinds of objects that say how every port of the switch forwards."""
DEVICE_WIDE = ("cos", "system", "lldp", "dcbx", *OF_FORWARDING)
"""Kinds of objects without a name: there is one of each."""
OBJECTS = frozenset(REFERENCES) & TABLE.modes.keys() - {"interface"}
"""Kinds of objects that others refer to by name."""
BUILTIN = frozenset(
    {("forwarding-class", name) for name in (
        "best-effort", "expedited-forwarding", "assured-forwarding", "network-control", "fcoe", "no-loss", "mcast",
        "be", "be1", "ef", "ef1", "af", "af1", "nc", "nc1",
    )}
    | {(kind, "default") for kind in (
        "dscp-classifier", "tag-classifier", "precedence-classifier", "dscp-rewrite", "precedence-rewrite", "tag-rewrite",
        "scheduler-map",
    )}
)  # fmt: skip
"""Names that always exist."""
