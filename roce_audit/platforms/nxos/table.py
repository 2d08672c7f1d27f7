"""The statements of Cisco NX-OS that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

Cisco Nexus 9000 NX-OS Quality of Service and Interfaces Configuration Guides.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.routing import bgp, other_routing
from roce_audit.platforms.shared.cli.rows import CONNECTED, FEC, SHOWN_OFF, SHUTDOWN, SPEED, shared_channel
from roce_audit.platforms.shared.leaves import number, numbers, scaled, word
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy import typed
from roce_audit.platforms.shared.policy.typed import CLASSIFYING, LOSSLESS
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_RS = dict.fromkeys(("rs-fec", "rs-ieee", "rs-cons16", "cl91", "kp-fec"), "rs")
"""The last is RS(544,514), of links of 400G (IEEE 802.3-2018, clause 91)."""
_RATES = {"bps": 1, "kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000, "pps": None}

_TYPES = typed.TYPES | {
    "bitmap": st.bitmap,
    "count": number(0, 999_999_999),
    "counts": numbers(999_999_999),
    "lacprate": word({"fast": "fast", "normal": "slow"}),
    "lacp": word({"active": "active", "passive": "passive", "on": "static"}),
    "fec": word({"auto": "auto", "off": "none", "cl74": "fc", "fc-fec": "fc"} | _RS),
    "hashed": st.hashed,
    "mbps": scaled(10, 1_600_000, 1_000_000),
    "policing": st.policing,
    "rate": word(_RATES),
    "release": st.release,
    "size": word({unit: unit for unit in ("bytes", "kbytes", "mbytes", "packets", "ms", "us")}),
}

_BUFFER = "groups.#.headroom_bytes groups.#.xoff_at_bytes groups.#.xon_at_bytes"
_PAUSING = f"groups.#.lossless {_BUFFER} priorities"

_FOREIGN = (unread("ecn"), unread("mls qos"))
"""Not NX-OS, and pasted into its configurations by those who believe that it does something there."""

_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""A block that is ours as a whole."""

_WATCHDOG = row(
    "priority-flow-control watch-dog-interval <on:on|off>", st.Watchdog, "pfc.watchdog", no=st.Watchdog(False)
)
_BINDINGS = (
    typed.binding("[type qos] input", "qos", "input", CLASSIFYING, "[no-stats]"),
    typed.binding("[type qos] output", "qos", "output", "rewrites_dscp", "[no-stats]"),
    typed.binding("type queuing input", "queuing", "input", "groups", "[no-stats]"),
    typed.binding("type queuing output", "queuing", "output", "queues", "[no-stats]"),
)
_CLASS = row(
    "class [type qos|queuing|network-qos] <name> [insert-before <before>]",
    ps.ClassHeader,
    no=ps.ClassRemoved,
    no_form="class [type qos|queuing|network-qos] <name>",
)
_MATCHES = (
    typed.LOGIC,
    row("match <negated?not> [ip] dscp <values:dscp...>", partial(ps.Match, "dscp")),
    row("match <negated?not> [ip] precedence <values:precedence...>", partial(ps.Match, "precedence")),
    row("match <negated?not> cos <values:priorities...>", partial(ps.Match, "cos")),
    row("match <negated?not> qos-group <values:priorities...>", partial(ps.Match, "group")),
    row("match access-group [name] <name>", partial(ps.Match, "acl", ())),
    row("match <negated?not> protocol <...>", partial(ps.Match, "never")),
    row("match any", ps.Match("any")),
    row("match [not] discard-class|packet|vlan|mpls|class-map <...>", ps.Match("other")),
    row("match [not] ip rtp <...>", ps.Match("other")),
)

_TOP = Mode(
    rows=(
        other_routing("router ospf|ospfv3|isis|eigrp <...>"),
        _WATCHDOG,
        row(
            "priority-flow-control watch-dog interval <1..100000>",
            partial(st.WatchdogTimer, "interval"),
            "pfc.watchdog",
        ),
        row(
            "priority-flow-control watch-dog shutdown-multiplier <0..100>",
            partial(st.WatchdogTimer, "shutdown"),
            "pfc.watchdog",
        ),
        row(
            "priority-flow-control watch-dog internal-interface-multiplier <_:count>",
            no_form="priority-flow-control watch-dog interval|shutdown-multiplier|internal-interface-multiplier [<_:count>]",
        ),
        row(
            "priority-flow-control auto-restore multiplier <0..100>",
            partial(st.WatchdogTimer, "restore"),
            "pfc.watchdog",
        ),
        row(
            "priority-flow-control fixed-restore multiplier <_:count>",
            no_form="priority-flow-control auto-restore|fixed-restore multiplier [<_:count>]",
        ),
        unread(
            "priority-flow-control override-interface",
            "pfc",
            no_form="priority-flow-control override-interface [<...>]",
        ),
        row(
            "ip load-sharing address <said:hashed...>",
            st.LoadSharing,
            "forwarding.hash_uses_ports forwarding.hash_seed",
            no_form="ip load-sharing [<...>]",
        ),
        row("feature nv overlay", sets("forwarding.tunnels", True)),
        row("feature lldp [<>]", st.Lldp(True), "dcbx", no=st.Lldp(False)),
        row("feature <> [<...>]", paths="dcbx", no_form="feature <> [<...>]"),
        row(
            "lldp tlv-select dcbxp [egress-queuing]",
            sets("dcbx.mode", "auto"),
            no="off",
        ),
        row("lldp tlv-select <>", no_form="lldp tlv-select <>"),
        row("version <_:release> [Bios:version [<_:release>]]", no=None),
        row("system jumbomtu <_:count>"),
        row("system default switchport", st.SwitchportDefault(True), "admin_up", no=st.SwitchportDefault(False)),
        row("system default switchport shutdown", st.SwitchportsDown(True), "admin_up", no=st.SwitchportsDown(False)),
        row("system <> [<...>]", paths=f"{CLASSIFYING} queues {LOSSLESS}", no_form="system <> [<...>]"),
        unread("system qos", f"{CLASSIFYING} queues {LOSSLESS}"),  # a stanza; here stands what is like it
        unread("service-policy"),
        *_FOREIGN,
        unread("random-detect"),
    ),
    opens=typed.OPENS
    | {
        "interface": "port",
        "int": "port",
        "interface breakout": "breakout",
        "router bgp": "bgp",
        "system qos": "systemqos",
        "vlan configuration": "vlanconfig",
        "control-plane": "other",
        "port-profile": "profile",
        "port-profile type": "other",
        "port-profile type ethernet": "profile",
        "port-profile type port-channel": "profile",
    },
    ignored=frozenset({"interface", "lldp"}),
    shared=frozenset({"ip", "lldp", "router"}),
)

PROFILE = f"{CLASSIFYING} queues groups pfc ip_mtu_bytes"
"""What a port profile may set of what concerns us most."""

_PORT = Mode(
    rows=(
        row("interface <...>", no=None),
        row(
            "priority-flow-control mode <mode:auto|on|off> [send-tlv]",
            st.PfcMode,
            "pfc",
            no=st.PfcMode(None),
            no_form="priority-flow-control [mode [auto|on|off] [send-tlv]]",
        ),
        _WATCHDOG,
        *_BINDINGS,
        row("mtu <64..65535>", sets("ip_mtu_bytes")),
        row("flowcontrol receive <on|off>", sets("link_pause_rx"), no=False),
        row("flowcontrol send <on|off>", sets("link_pause_tx"), no=False),
        SHUTDOWN,
        row("shutdown force", sets("admin_up", False), no=True),
        row("shutdown lan"),
        *SPEED,
        row("speed auto <_:counts...>", sets("speed_bps", ABSENT), no=None),
        FEC,
        row("negotiate auto [<_:count>]", sets("autoneg", True), no=False),
        row(
            "channel-group <number:1..4096> [force] [mode <lacp:lacp>]",
            st.ChannelGroup,
            f"{CLASSIFYING} lacp lacp_rate min_links shared_channel queues groups pfc ip_mtu_bytes speed_bps fec autoneg",
            no=st.ChannelGroup(None),
            no_form="channel-group [<_:count>] [force] [mode active|passive|on]",
        ),
        filter_row("ip access-group", "in|out"),
        filter_row("ip port access-group", "in|out"),
        row("lacp rate <value:lacprate>", sets("lacp_rate"), no_form="lacp rate [fast|normal]"),
        row("lacp min-links <value:count>", sets("min_links"), no_form="lacp min-links [<_:count>]"),
        shared_channel("vpc <name:count>", "vpc", no_form="vpc [<_:count>]"),
        row("vpc peer-link|domain|orphan-port|role [<...>]"),
        unread("ethernet-segment", "shared_channel"),
        row(
            "inherit port-profile <name>",
            st.Inherit,
            PROFILE,
            no=partial(st.Inherit, is_taken_back=True),
            no_form="inherit port-profile [<name>]",
        ),
        row("lldp transmit|receive", paths="dcbx.lldp", no=st.Lldp(False)),
        row("lldp tlv-set <...>", no_form="lldp tlv-set <...>"),
        row("lldp dcbx version <value:ieee|cee|auto>", sets("dcbx.mode"), no=NOTHING),
        unread("lldp", "dcbx"),
        *_FOREIGN,
    ),
    labels=frozenset({"description", "switchport", "vrf", "ip", "ipv6", "encapsulation"}),
    also_labels=frozenset({"vpc"}),
    shared=frozenset({"ip", "lacp"}),
    doubted="kind lacp lacp_rate min_links shared_channel"
    f" {CLASSIFYING} queues groups pfc ip_mtu_bytes admin_up speed_bps fec autoneg dcbx link_pause_rx link_pause_tx",
)

_PROFILE = replace(
    _PORT,
    rows=(
        *_PORT.rows,
        row("state enabled", st.Enabled(True), PROFILE, no=st.Enabled(False)),
        row("max-ports <_:count>"),
    ),
)
"""A port profile says what a port says."""

_NETWORK_CLASS = _strict(
    rows=(
        row("pause pfc-cos <priorities:priorities...> <receive_only?receive>", st.Pause, _PAUSING),
        row(
            "pause [no-drop] [buffer-size <size:count> pause-threshold <pause:count> resume-threshold <resume:count>]",
            st.pause_unnamed,
            _PAUSING,
            no=st.NoPause(),
            no_form="pause [no-drop] [pfc-cos <_:priorities...> [receive]]",
        ),
        row("mtu <576..65535>", sets("classes.#.mtu_bytes"), no=ABSENT),
        row("congestion-control tail-drop", paths="queues.#.ecn", no=None),
        row(
            "congestion-control random-detect <?ecn>",
            st.Congestion,
            "queues.#.ecn",
            no=NOTHING,
            no_form="congestion-control [tail-drop|random-detect [ecn]]",
        ),
        row("set cos <_:count>"),
        row("multicast-optimize"),
    ),
)

_WRED = (
    "random-detect {threshold <preset:burst-optimized|mesh-optimized>, minimum-threshold <low:count> <low_unit:size>,"
    " maximum-threshold <high:count> <high_unit:size>, drop-probability <percent:0..100>, weight <weight:0..15>,"
    " <?ecn> [non-ecn]}"
)

_SHAPER = "max_rate_bps max_rate_percent"
_QUEUING_CLASS = _strict(
    base="queues.#",
    rows=(
        row(
            "bandwidth [remaining] percent <percent:0..100>",
            ps.Share,
            "share share_kind scheduling",
            no=ps.Share(None),
            no_form="bandwidth [remaining] [percent [<_:count>]]",
        ),
        row("priority [level <_:count>]", ps.Strict(True), "share scheduling", no=ps.Strict(False)),
        row(
            _WRED,
            st.wred,
            "ecn",
            no=st.NoWred(),
            no_form=_WRED,
        ),
        row("afd queue-desired <_:count> <_:size> <?ecn>", st.Afd, "ecn", no=st.NoWred()),
        row("queue-limit <value:count> [<unit:size>]", st.Limit, "limit_bytes", no=None),
        row(
            "queue-limit dynamic <_:count>",
            st.Limit(None),
            "limit_bytes",
            no=st.Limit(None),
            no_form="queue-limit [dynamic] [<_:count> [<_:size>]]",
        ),
        row("shape [min <_:count> <_:rate>] max <amount:count> <unit:rate>", ps.shape, "max_rate_bps", no=None),
        row("shape [average] <amount:count> <unit:rate>", ps.shape, "max_rate_bps", no=None),
        row("shape [min percent <_:count>] max percent <percent:0..100>", ps.shape_of_speed, _SHAPER, no=None),
        row(
            "shape percent <percent:0..100>",
            ps.shape_of_speed,
            _SHAPER,
            no=ps.Shape(None, False),
            no_form="shape [average] [min <_:count> <_:rate>] [max] [<_:count> <_:rate>]",
        ),
        row(
            "pause buffer-size <size:count> pause-threshold <pause:count> resume-threshold <resume:count>",
            st.thresholds,
            no=st.Thresholds(None),
            no_form="pause [buffer-size <_:count> pause-threshold <_:count> resume-threshold <_:count>]",
        ),
    ),
)


TABLE = StatementTable(
    name="nxos",
    types=_TYPES,
    comments=("!", "#"),
    modes={
        "top": _TOP,
        "bgp": bgp("maximum-paths <paths:count>", "maximum-paths ibgp|mixed|eibgp <paths:count>"),
        "port": _PORT,
        "profile": _PROFILE,
        "state": Mode(
            (
                row("switched <value:auto|on|off>", sets("pfc.mode"), no=None),
                row("pfc off", sets("pfc.operational", frozenset())),
                SHOWN_OFF,
                row("pfc on <value:bitmap>", sets("pfc.operational")),
                row("watchdog off", st.Watchdog(False), "pfc.watchdog", no=None),
                row("fec <value:fec>", sets("fec"), no=None),
                row("flowcontrol receive on", sets("link_pause_rx", True), no=None),
                row("flowcontrol transmit on", sets("link_pause_tx", True), no=None),
                CONNECTED,
                row("mtu <64..65535>", st.ShownMtu, "ip_mtu_bytes"),
                row("queue <number:0..7> bandwidth <percent:0..100>", st.ShownQueue, "queues"),
                row("queue <number:0..7> priority", st.ShownQueue, "queues"),
                row("queue <number:0..7> drops early", st.ShownDrops, "queues", no=None),
                row("buffer <number:0..7> <size:count> <pause:count> <resume:count>", st.ShownBuffer, "groups"),
                row("buffer <number:0..7> none", st.NoBuffer, "groups"),
            )
        ),
        "systemqos": Mode(
            (
                *_BINDINGS,
                typed.binding("type network-qos", "network-qos", "", LOSSLESS, "[no-stats]"),
            )
        ),
        "vlanconfig": Mode(_BINDINGS),
        "qospolicy": _strict((_CLASS,), opens={"class": "qosclass"}),
        "nqpolicy": _strict((_CLASS,), opens={"class": "nqclass"}),
        "qupolicy": _strict((_CLASS,), opens={"class": "quclass"}),
        "qosclass": _strict(
            (
                row("set qos-group <number:0..7>", ps.SetGroup),
                row("set dscp [tunnel] <dscp:codepoint>", ps.SetDscp),
                row("set precedence [tunnel] <>", ps.SetDscp(None)),
                row("set cos|discard-class|drop-precedence <_:dscp>", no=None),
                row("police aggregate <>", ps.Police()),
                row("police <_:policing...>", ps.Police()),
            ),
        ),
        "nqclass": _NETWORK_CLASS,
        "quclass": _QUEUING_CLASS,
        "qosmap": _strict(_MATCHES),
        "nqmap": _strict(_MATCHES),
        "qumap": _strict(_MATCHES),
        "acl": Mode(raw=True),
        "other": Mode(ignored=frozenset({"service-policy", "class", "police", "set", "match", "description", "mtu"})),
        "breakout": Mode(),
    },
)
