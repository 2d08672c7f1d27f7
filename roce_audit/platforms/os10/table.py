"""The statements of Dell OS10 that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

Dell SmartFabric OS10 User Guide.
"""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.routing import bgp
from roce_audit.platforms.shared.cli.rows import CONNECTED, FEC, SHOWN_OFF, SHUTDOWN, SPEED, shared_channel
from roce_audit.platforms.shared.leaves import number, number_set, reduced, scaled, word
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy import typed
from roce_audit.platforms.shared.policy.typed import CLASSIFYING, LOSSLESS
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, UNDOCUMENTED, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_FRAME_ABOVE_IP = 32
"""User Guide, mtu: the IP MTU must be at least 32 bytes smaller than the link MTU."""
_FEC = {"auto": "auto", "off": "none"} | {
    written: code
    for name, code in (("cl74-fc", "fc"), ("cl91-rs", "rs"), ("cl108-rs", "rs"))
    for written in (name, name.upper())
}

_TYPES = typed.TYPES | {
    "hashed": st.hashed,
    "active": number_set(7),
    "cast": word({"ucast": False, "mcast": True}),
    "count": number(0, 999_999_999),
    "fec": word(_FEC),
    "lacprate": word({"fast": "fast", "normal": "slow"}),
    "lacp": word({"active": "active", "passive": "passive", "on": "static"}),
    "frame": reduced(1_280, 65_535, _FRAME_ABOVE_IP),
    "gbps": scaled(1, 1_600, 1_000_000_000),
    "kb": number(0, st.LARGEST_KB),
    "mbps": scaled(10, 1_600_000, 1_000_000),
    "policing": st.policing,
    "rate": word({"kbps": 1_000, "mbps": 1_000_000, "pps": None}),
}

_TRUST = "dscp pcp trust"
SIZES = ("reserved_bytes", "headroom_bytes", "xoff_at_bytes", "xon_at_bytes", "headroom_is_shared")
_SIZES = " ".join(f"groups.#.{name}" for name in SIZES)
_PAUSING = f"priorities classes.#.group groups.#.lossless {_SIZES}"

_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""A block that is ours as a whole."""

_APPLIED = (
    typed.binding("input [type qos]", "qos", "input", CLASSIFYING),
    typed.binding("output [type qos]", "qos", "output", "rewrites_dscp"),
    typed.binding("input type network-qos", "network-qos", "input", LOSSLESS),
    typed.binding("output type queuing", "queuing", "output", "queues"),
    row(
        "trust-map <field:dot1p|dscp> <name>",
        st.TrustMap,
        _TRUST,
        no=st.TrustMap,
        no_form="trust-map <field:dot1p|dscp> [<>]",
    ),
    unread("trust", _TRUST),
    row("qos-map traffic-class <name>", st.QosMap, "classes priorities", no=st.QosMap(None)),
    row("ets mode <on|off>", no_form="ets [mode [on|off]]"),
)
"""What is said of a port, or under `system qos` of all."""

_CLASS_HEADER = "class [type qos|queuing|network-qos] <name>"
_CLASS = row(_CLASS_HEADER, ps.ClassHeader, no=ps.ClassRemoved, no_form=_CLASS_HEADER)
_OTHER_TLVS = "lldp tlv-select dcbxp-appln|basic-tlv|dot1tlv|dot3tlv <...>"

_TOP = Mode(
    rows=(
        row("dcbx enable", st.Dcbx(True), "dcbx.mode", no=st.Dcbx(False)),
        row("lldp enable", st.Lldp(True), "dcbx.lldp", no=st.Lldp(False)),
        row(
            "load-balancing ip-selection <value:hashed...>",
            sets("forwarding.hash_uses_ports"),
            no=UNDOCUMENTED,
            no_form="load-balancing ip-selection [<...>]",
        ),
        # what belongs into a stanza and is nowhere else a statement
        unread("system qos", f"{CLASSIFYING} queues {LOSSLESS}"),
        unread("trust", _TRUST),
        unread("trust-map"),
        unread("qos-map"),
        unread("ets"),
        unread("priority-flow-control"),
        unread("random-detect"),
        unread("service-policy"),
    ),
    opens=typed.OPENS
    | {
        "interface": "port",
        "interface breakout": "breakout",
        "router bgp": "bgp",
        "trust dot1p-map": "dot1pmap",
        "trust dscp-map": "dscpmap",
        "qos-map traffic-class": "tcmap",
        "wred": "wredprofile",
        "system qos": "systemqos",
        "vlt-domain": "vlt",
        "control-plane": "other",
        "port-group": "other",
    },
    ignored=frozenset({"interface"}),
    shared=frozenset({"lldp", "system"}),
)

_PORT = Mode(
    rows=(
        row("interface <...>", no=None),
        *_APPLIED,
        row(
            "priority-flow-control mode <mode:auto|on|off>",
            st.PfcMode,
            "pfc",
            no=st.PfcMode(None),
            no_form="priority-flow-control [mode [auto|on|off]]",
        ),
        unread("pfc", "pfc"),
        row("flowcontrol receive <on|off>", sets("link_pause_rx")),
        row("flowcontrol transmit <on|off>", sets("link_pause_tx")),
        row("random-detect <name>", st.PortWred, "queues", no=NOTHING, no_form="random-detect"),
        row("mtu <value:frame>", sets("ip_mtu_bytes"), no_form="mtu [<_:count>]"),
        SHUTDOWN,
        *SPEED,
        FEC,
        row("negotiation <on|off>", sets("autoneg"), no=UNDOCUMENTED),
        row("negotiation auto", sets("autoneg", UNDOCUMENTED), no=UNDOCUMENTED, no_form="negotiation auto"),
        row(
            "channel-group <number:1..4096> [mode <lacp:lacp>]",
            st.ChannelGroup,
            f"{CLASSIFYING} lacp lacp_rate min_links shared_channel queues {LOSSLESS} ip_mtu_bytes speed_bps fec autoneg",
            no=st.ChannelGroup(None),
            no_form="channel-group [<_:count>] [mode active|passive|on]",
        ),
        row("lacp rate <value:lacprate>", sets("lacp_rate"), no_form="lacp rate [fast|normal]"),
        filter_row("ip access-group", "in|out"),
        row("minimum-links <value:count>", sets("min_links"), no_form="minimum-links [<_:count>]"),
        shared_channel("vlt-port-channel <name:count>", "vlt-port-channel", no_form="vlt-port-channel [<_:count>]"),
        row("lldp enable", st.Lldp(True), "dcbx.lldp"),
        row("lldp transmit|receive", paths="dcbx.lldp", no=st.Lldp(False)),
        row("lldp tlv-select dcbxp", st.DcbxTlv(True), "dcbx.mode", no=st.DcbxTlv(False)),
        row(_OTHER_TLVS, no_form=_OTHER_TLVS),
        row("lldp med <...>", no_form="lldp med <...>"),
        unread("lldp", "dcbx"),
        row("dcbx version <version:ieee|cee|auto>", st.DcbxVersion, "dcbx.mode", no=NOTHING),
        row("dcbx tlv-select <...>", no_form="dcbx tlv-select <...>"),
    ),
    labels=frozenset({"description", "switchport", "ip", "ipv6"}),
    shared=frozenset({"ip", "lacp"}),
    doubted="kind lacp lacp_rate min_links shared_channel"
    f" {CLASSIFYING} queues {LOSSLESS} ip_mtu_bytes admin_up speed_bps fec autoneg dcbx link_pause_rx link_pause_tx",
)

_SYSTEM_QOS = Mode(
    rows=(
        *_APPLIED,
        row("random-detect ecn", st.EcnEverywhere(True), "queues", no=st.EcnEverywhere(False)),
        row("random-detect pool <_:count> <name>", st.PoolWred, "queues"),
        row("buffer-statistics-tracking"),
        row("pfc-max-buffer-size|pfc-shared-buffer-size|pfc-shared-headroom-buffer-size <_:count>", no=None),
    ),
    strict=True,
    ignored=frozenset({"qos-rate-adjust", "control-plane-buffer-size"}),
)

_WRED = _strict(
    base="queues.#.ecn",
    rows=(
        row(
            "random-detect color <colour:green|yellow|red> minimum-threshold <low:1..12480> maximum-threshold <high:1..12480>"
            " drop-probability <percent:0..100>",
            st.Curve,
            "min_bytes max_bytes max_probability_percent",
        ),
        row("random-detect weight <weight:0..15>", st.Weight, "weight"),
        row("random-detect ecn", st.Ecn(True), "marks drops", no=st.Ecn(False)),
    ),
)

_QOS_CLASS = _strict(
    (
        row("set qos-group <number:0..7>", ps.SetGroup),
        row("set dscp <dscp:codepoint>", ps.SetDscp),
        row("set cos <_:count>", no=None),
        row("set color green|yellow|red", no=None),
        row("police <_:policing...>", ps.Police()),
        row("trust dot1p|dscp|diffserv [fallback]", no=None),
    )
)

_NETWORK_CLASS = _strict(
    (
        row(
            "pause [buffer-size <size:kb> pause-threshold <pause:kb> resume-threshold <resume:kb>]",
            st.pause,
            _PAUSING,
            no=st.NoPause(),
            no_form="pause [buffer-size <_:count> pause-threshold <_:count> resume-threshold <_:count>]",
        ),
        row("pfc-cos <priorities:priorities...>", st.PfcCos, _PAUSING, no=st.PfcCos(())),
        row(
            "queue-limit thresh-mode static|dynamic <_:count>",
            st.SharedLimit(True),
            _SIZES,
            no=st.SharedLimit(False),
            no_form="queue-limit [thresh-mode [static|dynamic <_:count>]]",
        ),
    )
)

_QUEUING_CLASS = _strict(
    base="queues.#",
    rows=(
        row(
            "bandwidth percent <percent:0..100>",
            ps.Share,
            "share share_kind scheduling",
            no=ps.Share(None),
            no_form="bandwidth [percent [<_:count>]]",
        ),
        row("priority", ps.Strict(True), "share scheduling", no=ps.Strict(False)),
        row("random-detect <name>", st.WredName, "ecn", no=st.WredName(None), no_form="random-detect"),
        row("queue-limit queue-len <_:count>", paths="limit_bytes", no=None),
        row("queue-limit [queue-len <_:count>] thresh-mode dynamic <_:count>", sets("limit_bytes", ABSENT), no=None),
        # numbers whose unit is not documented
        row(
            "queue-limit [queue-len <_:count>] thresh-mode static <_:count>", sets("limit_bytes", UNDOCUMENTED), no=None
        ),
        row(
            "shape [min <_:rate> <_:count> [<_:count>]] max <unit:rate> <amount:count> [<_:count>]",
            ps.shape,
            "max_rate_bps",
            no=ps.Shape(None, False),
            no_form="shape",
        ),
        row("shape min <_:rate> <_:count> [<_:count>]", paths="max_rate_bps", no=None),
    ),
)

TABLE = StatementTable(
    name="os10",
    types=_TYPES,
    comments=("!", "#"),
    modes={
        "top": _TOP,
        "bgp": bgp("maximum-paths ebgp|ibgp <paths:count>"),
        "port": _PORT,
        "state": Mode(
            (
                row("port-group <bps:gbps>", st.Breakout, "speed_bps", no=None),
                row("pfc inactive", sets("pfc.operational", frozenset()), no=None),
                SHOWN_OFF,
                row("pfc active <value:active...>", sets("pfc.operational"), no=None),
                CONNECTED,
                row("mtu <value:frame>", sets("ip_mtu_bytes"), no=None),
                row("fec <value:fec>", sets("fec"), no=None),
                row("flowcontrol receive on", sets("link_pause_rx", True), no=None),
                row("flowcontrol transmit on", sets("link_pause_tx", True), no=None),
            )
        ),
        "systemqos": _SYSTEM_QOS,
        "vlt": Mode((row("discovery-interface <ports:...>", st.Discovery),)),
        "dot1pmap": _strict(
            (row("qos-group <group:0..7> [color green|yellow|red] dot1p <marks:priorities...>", st.Marked, "pcp"),)
        ),
        "dscpmap": _strict(
            (row("qos-group <group:0..7> [color green|yellow|red] dscp <marks:dscp...>", st.Marked, "dscp"),)
        ),
        "tcmap": _strict(
            (row("queue <queue:0..7> qos-group <groups:priorities...> [type <multicast:cast>]", st.Queued, "classes"),)
        ),
        "wredprofile": _WRED,
        "qospolicy": _strict((_CLASS,), opens={"class": "qosclass"}),
        "nqpolicy": _strict((_CLASS,), opens={"class": "nqclass"}),
        "qupolicy": _strict((_CLASS,), opens={"class": "quclass"}),
        "qosclass": _QOS_CLASS,
        "nqclass": _NETWORK_CLASS,
        "quclass": _QUEUING_CLASS,
        "qosmap": _strict(
            (
                typed.LOGIC,
                row("match <negated?not> [ip|ip-any] dscp <values:dscp...>", partial(ps.Match, "dscp")),
                row(
                    "match <negated?not> [ip|ip-any] precedence <values:precedence...>", partial(ps.Match, "precedence")
                ),
                row("match <negated?not> cos <values:priorities...>", partial(ps.Match, "cos")),
                row("match ip access-group [name] <name>", partial(ps.Match, "acl", ())),
                row("match [not] vlan|ipv6|mac <...>", ps.Match("other")),
            )
        ),
        "nqmap": _strict((typed.LOGIC, row("match qos-group <values:priorities...>", partial(ps.Match, "group")))),
        "qumap": _strict((typed.LOGIC, row("match queue <values:priorities...>", partial(ps.Match, "group")))),
        "acl": Mode(raw=True),
        "other": Mode(
            ignored=frozenset({"class", "match", "set", "police", "mode", "service-policy", "description", "trust"})
        ),
        "breakout": Mode(),
    },
)
