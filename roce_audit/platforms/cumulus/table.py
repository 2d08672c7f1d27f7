"""The words of NVUE that concern lossless Ethernet as one statement table: which statements concern us, and what each one sets.

A mode is a kind of block of `nv set qos KIND NAME ...`, and `port` is an interface; a statement is what stands behind the name.
The older files are translated into the same words, so that there is one table and one meaning; a few rows exist for them alone.
In a path `#` stands for the number that the statement is about.
"""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.platforms.cumulus.values import listed, name, shared_id, speed
from roce_audit.platforms.shared.leaves import number, word
from roce_audit.text.statements.mode import Guess, Mode
from roce_audit.text.statements.rows import Row, leaf, unread
from roce_audit.text.statements.table import StatementTable

GLOBAL = "default-global"
"""The profile that holds for every port without one of its own."""
KINDS = (
    "roce",
    "mapping",
    "remark",
    "egress-queue-mapping",
    "egress-scheduler",
    "priority-group",
    "egress-shaper",
    "congestion-control",
    "pfc",
    "link-pause",
    "pfc-watchdog",
    "traffic-pool",
    "advance-buffer-config",
)
"""Kinds of blocks."""
UNNAMED = frozenset({"roce", "pfc-watchdog"})
"""Kinds with but one block, which has no name."""
LABELS = frozenset(["description", "type", "ip", "ipv4", "ipv6", "vrf", "bridge", "vlan"])
"""First words of what only names an interface, or says to what it belongs."""

_SHORTEST = 2

_ROCE = "pfc groups queues classes dscp pcp trust cable_m priorities dcbx.mode"
"""What the RoCE switch sets."""
_PFC = "pfc.mode pfc.priorities pfc.receive_only pfc.send_only"
_REMARK = "rewrites_dscp classes.*.new_dscp"
_WEIGHT = "queues.#.scheduling queues.#.share queues.#.share_kind"
_WEIGHTS = "queues.*.scheduling queues.*.share queues.*.share_kind"
_PAUSE = "link_pause_tx link_pause_rx"
_CURVE = "queues.#.ecn"
_CURVES = "queues.*.ecn"
_LINK = "ip_mtu_bytes speed_bps fec autoneg admin_up"

LOSSLESS_POOLS = ("default-lossless", "roce-lossless")
ROCE_MODES = ("lossless", "lossy", "lossless-single-ipool", "lossy-multi-tc")
ALPHAS = {"alpha_0": 0.0, "alpha_infinity": float("inf")}
ALPHAS |= {f"alpha_1_{2**n}": 2.0**-n for n in range(1, 8)} | {f"alpha_{2**n}": 2.0**n for n in range(7)}


def _kind(*rows: Row) -> Mode:
    """A kind of block that is ours as a whole."""
    return Mode(rows, strict=True)


def _begun(*rows: Row) -> Guess:
    """What a statement might set of whose next word only the beginning is one of ours, or that is but the beginning of one."""

    def guess(words: Sequence[str], depth: int) -> tuple[str, ...] | None:
        word = words[depth] if depth < len(words) else ""
        alike: dict[str, None] = {}
        for row in rows:
            wanted = row.leaf.split(" ")
            if wanted[:depth] == list(words[:depth]) and is_begun(word, wanted[depth]):
                alike |= dict.fromkeys(row.paths)
        return tuple(alike) or None

    return guess


def is_begun(word: str, wanted: str) -> bool:
    """Whether one of these words is the beginning of the other."""
    return len(word) >= _SHORTEST and (word.startswith(wanted) or wanted.startswith(word))


def _listed(paths: str) -> Row:
    """Older files: a group of ports that is in force, with no settings of its own."""
    return leaf("port_group_list <value:name>", paths)


def _buffers(tx: str, rx: str, sizes: str) -> tuple[Row, ...]:
    return (
        leaf("tx <value:switch>", tx),
        leaf("rx <value:switch>", rx),
        *[leaf(f"{name} <value:bytes>", sizes) for name in ("port-buffer", "xoff-threshold", "xon-threshold")],
    )


_LINK_ROWS = (
    leaf("link mtu <value:68..10240>", "ip_mtu_bytes"),
    leaf("link speed <value:speed>", "speed_bps"),
    leaf("link fec <value:fec>", "fec"),
    leaf("link auto-negotiate <value:switch>", "autoneg"),
    leaf("link state <value:up_down>", "admin_up"),
)
_CHANNEL_ROWS = (
    leaf("bond mode <value:bond_mode>", "lacp"),
    leaf("bond lacp-rate <value:lacp_rate>", "lacp_rate"),
    leaf("bond min-links <value:0..255>", "min_links"),
    leaf("bond mlag id <value:shared_id>", "shared_channel"),
    leaf("bond mlag state|enable <value:switch>"),
    leaf("evpn multihoming segment identifier <value:shared_id>", "shared_channel"),
    leaf("evpn multihoming segment local-id <value:shared_id>", "shared_channel"),
    leaf("evpn multihoming segment mac-address <value:shared_id>", "shared_channel"),
    leaf("evpn multihoming segment state|enable <value:switch>"),
    leaf("evpn multihoming segment df-preference <value:0..65535>"),
    leaf("evpn multihoming uplink <value:switch>"),
)
_QOS_ROWS = (
    leaf("qos"),
    leaf("qos mapping profile <value:name>", "trust dscp pcp"),
    leaf("qos remark profile <value:name>", _REMARK),
    leaf("qos pfc profile <value:name>", f"{_PFC} groups cable_m"),
    leaf("qos link-pause profile <value:name>", _PAUSE),
    leaf("qos congestion-control profile <value:name>", _CURVES),
    leaf("qos egress-scheduler profile <value:name>", _WEIGHTS),
    leaf("qos egress-shaper profile <value:name>", "queues.*.max_rate_bps"),
    leaf("qos pfc-watchdog", "pfc.watchdog"),
    leaf("qos pfc-watchdog state <value:switch>", "pfc.watchdog"),
    leaf("qos pfc-watchdog status"),
    leaf("qos storage-optimized", _ROCE),  # NCLU
)
_BUFFER_ROWS = (
    leaf("ingress-lossless-buffer shared-alpha <value:alpha>", "groups"),
    leaf("ingress-lossless-buffer shared-bytes <value:bytes>", "groups"),
    leaf("ingress-lossless-buffer service-pool <value:0..7>"),
)

TABLE = StatementTable(
    name="cumulus",
    types={
        "alpha": word(ALPHAS),
        "bond_mode": word(
            dict.fromkeys(("lacp", "802.3ad"), "active")
            | dict.fromkeys(
                ("static", "balance-xor", "balance-rr", "active-backup", "broadcast", "balance-tlb", "balance-alb"),
                "static",
            )
        ),
        "bytes": number(0, 2**32 - 1),
        "fec": word({"rs": "rs", "baser": "fc", "off": "none", "auto": "auto"}),
        "lacp_rate": word({"fast": "fast", "1": "fast", "slow": "slow", "0": "slow"}),
        "marking": word({action: action for action in ("copy", "set", "derive")}),
        "metres": number(1, 100_000),
        "name": name,
        "priorities": listed,
        "rate": number(0, 2**31 - 1),
        "scheduling": word({"dwrr": "weighted", "strict": "strict"}),
        "shared_id": shared_id,
        "speed": speed,
        "switch": word(
            dict.fromkeys(("on", "enable", "enabled", "true", "yes"), True)
            | dict.fromkeys(("off", "disable", "disabled", "false", "no"), False)
        ),
        "trust": word({"l2": "pcp", "l3": "dscp", "both": "both", "port": "none"}),
        "up_down": word({"up": True, "down": False}),
    },
    modes={
        "top": Mode(opens={"interface": "port", **{f"qos {kind}": kind for kind in KINDS}}),
        "roce": _kind(
            leaf("enable <value:switch>", _ROCE),
            leaf("state <value:switch>", _ROCE),
            leaf(f"mode <value:{'|'.join(ROCE_MODES)}>", _ROCE),
            leaf("cable-length <value:metres>", "cable_m"),
        ),
        "mapping": _kind(
            leaf("trust <value:trust>", "trust dscp pcp"),
            leaf("port-default-sp <value:0..7>", "dscp pcp"),
            leaf("dscp <dscp:0..63> switch-priority <value:0..7>", "dscp.#"),
            leaf("pcp <pcp:0..7> switch-priority <value:0..7>", "pcp.#"),
            leaf("dscp <dscp:0..63> cos <value:0..7>", "dscp"),  # older files
            leaf("pcp <pcp:0..7> cos <value:0..7>", "pcp"),  # older files
            _listed("trust dscp pcp"),
        ),
        "remark": _kind(
            leaf("rewrite <value:l2|l3|both|none>", _REMARK),
            leaf("switch-priority <priority:0..7> dscp <value:0..63>", "rewrites_dscp classes.#.new_dscp"),
            leaf("switch-priority <priority:0..7> pcp <value:0..7>"),
            _listed(_REMARK),
        ),
        "egress-queue-mapping": _kind(
            leaf("switch-priority <priority:0..7> traffic-class <value:0..7>", "classes.#.queue priorities.#.queue"),
        ),
        "egress-scheduler": _kind(
            leaf("traffic-class <queue:0..7> mode <value:scheduling>", _WEIGHT),
            leaf("traffic-class <queue:0..7> bw-percent <value:0..100>", _WEIGHT),
            _listed(_WEIGHTS),
        ),
        "priority-group": _kind(  # traffic.conf before 5.0
            leaf("switch-priority <priority:0..7>", f"{_WEIGHT} classes.#.queue priorities.#.queue"),
            leaf("weight <value:0..127>", _WEIGHTS),
        ),
        "egress-shaper": _kind(
            leaf("port-max-rate <value:rate>", "queues.*.max_rate_bps"),
            leaf("traffic-class <queue:0..7> max-rate <value:rate>", "queues.#.max_rate_bps"),
            leaf("traffic-class <queue:0..7> min-rate <value:rate>"),
            _listed("queues.*.max_rate_bps"),
        ),
        "congestion-control": _kind(
            leaf("traffic-class <queue:0..7>", _CURVE),
            leaf("traffic-class <queue:0..7> ecn <value:switch>", _CURVE),
            leaf("traffic-class <queue:0..7> red <value:switch>", f"{_CURVE}.drops"),
            leaf("traffic-class <queue:0..7> min-threshold <value:bytes>", f"{_CURVE}.min_bytes {_CURVE}.min_value"),
            leaf("traffic-class <queue:0..7> max-threshold <value:bytes>", f"{_CURVE}.max_bytes {_CURVE}.max_value"),
            leaf("traffic-class <queue:0..7> probability <value:0..100>", f"{_CURVE}.max_probability_percent"),
            leaf("queue <queue:0..7>", _CURVE),  # older files: one curve for a list of queues
            leaf("ecn <value:switch>", _CURVES),
            leaf("red <value:switch>", f"{_CURVES}.drops"),
            leaf("min-threshold <value:bytes>", f"{_CURVES}.min_bytes {_CURVES}.min_value"),
            leaf("max-threshold <value:bytes>", f"{_CURVES}.max_bytes {_CURVES}.max_value"),
            leaf("probability <value:0..100>", f"{_CURVES}.max_probability_percent"),
            _listed(_CURVES),
        ),
        "pfc": _kind(
            leaf("switch-priority <priority:0..7>", f"{_PFC} groups"),
            leaf("cable-length <value:metres>", "cable_m"),
            *_buffers(f"{_PFC} groups", _PFC, "groups"),
            _listed(f"{_PFC} groups cable_m"),
        ),
        "link-pause": _kind(
            leaf("cable-length <value:metres>"),
            *_buffers("link_pause_tx", "link_pause_rx", ""),
            _listed(_PAUSE),
        ),
        "pfc-watchdog": _kind(
            leaf(
                "polling-interval <value:1..100000>",
                "pfc.watchdog.poll_ms pfc.watchdog.detect_ms pfc.watchdog.restore_ms",
            ),
            leaf("robustness <value:1..1000>", "pfc.watchdog.detect_ms"),
            leaf("allports", "pfc.watchdog"),  # older files
            _listed("pfc.watchdog"),
        ),
        "traffic-pool": _kind(
            leaf("memory-percent <value:0..100>", "groups"),
            leaf("switch-priority <priority:0..7>", "groups"),
        ),
        "advance-buffer-config": Mode(
            (*_BUFFER_ROWS, unread("qos", "groups")),  # a kind that is misspelt
            shared=frozenset({"ingress-lossless-buffer"}),
            ignored=frozenset({"egress-lossless-buffer", "ingress-lossy-buffer", "egress-lossy-buffer"}),
            guess=_begun(*_BUFFER_ROWS),
        ),
        "forwarding": Mode(
            (
                leaf("ecmp-hash source-port <value:switch>", "forwarding.hash_uses_ports"),
                leaf("hash-seed <value:0..4294967295>", "forwarding.hash_seed"),
            ),
            lenient=True,
        ),
        "vxlan": Mode(
            (
                leaf("source address <value>", "forwarding.tunnels"),
                leaf("encapsulation dscp action <value:marking>", "forwarding.tunnel_fixed_dscp"),
                leaf("encapsulation dscp value <value:0..63>", "forwarding.tunnel_fixed_dscp"),
                leaf("decapsulation dscp action copy|preserve|derive"),
            ),
            lenient=True,
        ),
        "port": Mode(
            (
                leaf("router adaptive-routing enable <value:switch>", "forwarding.sprays"),
                leaf("router adaptive-routing state <value:switch>", "forwarding.sprays"),
                *_LINK_ROWS,
                *_CHANNEL_ROWS,
                *_QOS_ROWS,
                leaf("operational-pfc <value:priorities>", "pfc.operational"),  # nv show
                leaf("pfc-shown-off <value:switch>", "pfc.shown_off"),
                leaf("acl"),
                leaf("acl <list:name>"),
                leaf("acl <list:name> inbound", f"policed drops_roce {_REMARK}"),
                leaf("acl <list:name> outbound", f"drops_roce {_REMARK}"),
                leaf("acl <list:name> inbound|outbound control-plane"),
                # an interface whose name is none, kept with those that its beginning names
                unread("interface", f"{_ROCE} {_REMARK} {_PAUSE} {_LINK}"),
            ),
            shared=frozenset({"link", "bond", "evpn"}),
            labels=LABELS,
            guess=_begun(*_LINK_ROWS, *_CHANNEL_ROWS, *_QOS_ROWS),
        ),
    },
    negations=(),
    comments=(),
)

PROFILED = tuple(row.leaf.split(" ")[1] for row in _QOS_ROWS if row.leaf.endswith(" profile"))
"""Kinds of blocks that an interface names."""
