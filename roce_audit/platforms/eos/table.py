"""The statements of Arista EOS that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

Arista EOS User Manual: Quality of Service, DCBX and Flow Control, Ethernet Ports. Words that end with a colon are keys of AVD's
structured configuration that nothing here knows, inside a part that is ours.
"""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.routing import bgp, other_routing
from roce_audit.platforms.shared.cli.rows import CONNECTED, SHOWN_OFF, shared_channel
from roce_audit.platforms.shared.leaves import number, numbers, scaled, word
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, UNDOCUMENTED, Block, Row, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_CODE_POINTS = {str(value): value for value in range(64)} | dict(DSCP_NAMES)
_UNITS = {unit: unit for unit in ("segments", "bytes", "kbytes", "mbytes")} | {
    "milliseconds": "ms",
    "microseconds": "us",
}
_RATES = ("percent", "kbps", "pps", "mbps", "gbps")

_TYPES = {
    "action": word({"drop": "drop", "no-drop": "forward", "errdisable": "errdisable", "notify-only": "notify"}),
    "active": lambda text: frozenset(st.listed(7)(text)),
    "alpha": st.alpha,
    "count": number(0, 999_999_999),
    "codepoint": word(_CODE_POINTS),
    "codepoints": numbers(63, DSCP_NAMES),
    "tags": numbers(7),
    "dropping": word({"no-drop": True, "drop": False}),
    "dscps": st.listed(63),
    "trusted": word({"cos": "pcp", "dscp": "dscp", "untrusted": "none"}),
    "fec": word({"reed-solomon": "rs", "fire-code": "fc", "disabled": "none"}),
    "floor": word({rate: rate for rate in _RATES if rate != "percent"}),
    "hashed": st.hashed,
    "lacprate": word({"fast": "fast", "normal": "slow"}),
    "lacp": word({"active": "active", "passive": "passive", "on": "static"}),
    "flow": word({"on": True, "off": False, "desired": True}),
    "mbps": scaled(1, 10_000_000, 1_000_000),
    "policing": st.policing,
    "port-polling": st.port_polling,
    "port-timer": st.seconds(),
    "polling": st.seconds(0.005, 30),
    "priorities": st.listed(7),
    "rate": word({rate: rate for rate in _RATES}),
    "speed": st.speed,
    "timer": st.seconds(0.01, 60),
    "trust": word({"dscp": "dscp", "cos": "pcp"}),
    "unit": word(_UNITS),
}

_CLASSIFYING = "trust dscp pcp"
_PFC = "pfc groups"
"""What lossless groups are follows from PFC."""
PROFILE = f"{_PFC} queues {_CLASSIFYING}"
"""What a QoS profile may set."""
_PORT_SHAPER = " ".join(f"queues.{n}.max_rate_bps queues.{n}.max_rate_percent" for n in range(8))
_HEADROOM, _RESERVED, _ALPHA = (
    " ".join(f"groups.{n}.{field}" for n in range(8)) for field in ("headroom_bytes", "reserved_bytes", "alpha")
)
_MEMORY = f"{_HEADROOM} {_RESERVED} {_ALPHA}"
_OTHER_POLICIES = ("pbr", "pdp", "tapagg", "queuing", "network-qos", "tx-queue")
"""Types of policies that classify nothing of ours, or that EOS does not have."""
_WATCHDOG = "priority-flow-control pause watchdog"
_THRESHOLDS = "minimum-threshold <low:count> <low_unit:unit> maximum-threshold <high:count> <high_unit:unit>"

_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""A block that is ours as a whole."""


def _keys(**paths: str) -> tuple[Row, ...]:
    """Keys of a structured configuration, and what is unknown where one below them is not known."""
    return tuple(unread(f"{key}:", below) for key, below in paths.items())


_TOP = Mode(
    rows=(
        other_routing("router ospf|ospf3|ospfv3|isis [<...>]"),
        row(
            "qos map dscp <code_points:dscps...> to traffic-class <traffic_class:0..7> [drop-precedence <_:count>]",
            st.DscpMap,
            "dscp",
        ),
        row(
            "qos map cos <priorities:priorities...> to traffic-class <traffic_class:0..7> [drop-precedence <_:count>]",
            st.CosMap,
            "pcp",
        ),
        row(
            "qos map traffic-class <traffic_classes:priorities...> to dscp <dscp:0..63>",
            st.RewriteDscp,
            "classes rewrites_dscp",
        ),
        row(
            "qos map traffic-class <traffic_classes:priorities...> to tx-queue|uc-tx-queue <queue:0..7>",
            st.QueueMap,
            "classes",
        ),
        row("qos map traffic-class <traffic_classes:priorities...> to cos|exp|mc-tx-queue <_:count>", no=None),
        row("qos map exp <...>", no=None),
        row("qos random-detect ecn allow non-ect [chip-based]"),
        unread("qos random-detect ecn global-buffer", "queues.*.ecn"),
        row("qos rewrite dscp", st.Rewriting(True), "rewrites_dscp", no=st.Rewriting(False)),
        row("qos rewrite cos|traffic-class"),
        row("priority-flow-control all off", st.AllOff(), _PFC, no=NOTHING),
        unread("priority-flow-control watchdog", "pfc.watchdog"),
        row(f"{_WATCHDOG} default timeout <milliseconds:timer>", st.WatchdogTimeout, "pfc.watchdog", no=NOTHING),
        row(f"{_WATCHDOG} default recovery-time <value:timer> [forced]", sets("pfc.watchdog.restore_ms")),
        row(f"{_WATCHDOG} default polling-interval <value:polling>", sets("pfc.watchdog.poll_ms")),
        row(
            f"{_WATCHDOG} [override] action <value:action>",
            sets("pfc.watchdog.action"),
            no_form=f"{_WATCHDOG} [override] action [<_:action>]",
        ),
        row(
            "ip load-sharing trident fields ip <value:hashed...>",
            sets("forwarding.hash_uses_ports"),
            no=UNDOCUMENTED,
            no_form="ip load-sharing trident fields ip [<...>]",
        ),
        row("ip load-sharing <_...>", no_form="ip load-sharing <_...>"),
        row("platform sand qos map traffic-class <_:count> to network-qos <_:count>", paths="classes"),
        row("platform sand <...>", no_form="platform sand <...>"),
        *_keys(priority_flow_control=_PFC),
    ),
    opens={
        "interface": "port",
        "int": "port",
        "interface Vxlan1": "vxlan",
        "router bgp": "bgp",
        "interface defaults": "defaults",
        "interface profile": "interface-profile",
        "qos profile": "profile",
        "policy-map type quality-of-service": "policy",
        "policy-map type qos": "policy",
        "class-map type qos": "classmap",
        "class-map type quality-of-service": "classmap",
        "ip access-list": "acl",
        "ipv6 access-list": "acl",
        "ip access-list standard": "other",
        "platform trident mmu queue": "mmu",
        "mlag configuration": "mlag",
    },
    ignored=frozenset({"service"}),
    shared=frozenset({"ip", "platform", "qos", "router"}),
)

_QUEUES = {"uc-tx-queue": "queue", "tx-queue": "queue", "mc-tx-queue": "queue"}

_LOSSLESS = (
    row(
        "priority-flow-control [mode] <on:on|off>",
        st.PfcMode,
        _PFC,
        no=st.PfcMode(False),
        no_form="priority-flow-control [mode] [on]",
    ),
    row(
        "priority-flow-control priority <priority:0..7> <no_drop:dropping>",
        st.PfcPriority,
        _PFC,
        no=partial(st.PfcPriority, no_drop=False),
        no_form="priority-flow-control priority <priority:0..7> [<_:dropping>]",
    ),
    row(_WATCHDOG, sets("pfc.watchdog.on", True), no=False),
    unread("priority-flow-control watchdog", "pfc.watchdog"),  # without `pause` it is not EOS, and says nothing of PFC
    row(
        f"{_WATCHDOG} port action <value:action>",
        sets("pfc.watchdog.action"),
        no=NOTHING,
        no_form=f"{_WATCHDOG} port action",
    ),
    row(
        f"{_WATCHDOG} port timer timeout <detect:port-timer> polling-interval <poll:port-polling> recovery-time <restore:port-timer>"
        " [forced]",
        st.WatchdogTimer,
        "pfc.watchdog",
        no=st.WatchdogWrittenOut(),
        no_form=f"{_WATCHDOG} port timer",
    ),
    row(
        "qos trust <what:trust>",
        st.Trust,
        _CLASSIFYING,
        no=st.Trust("none"),
        no_form="qos trust [dscp|cos]",
        default=st.Trust(None),
    ),
    row("qos cos <cos:0..7>", st.DefaultCos, "dscp pcp", no=NOTHING, no_form="qos cos [<_:count>]"),
    row("qos dscp <dscp:0..63>", st.DefaultDscp, "dscp pcp", no=NOTHING, no_form="qos dscp [<_:count>]"),
    row(
        "service-policy type qos|quality-of-service input <name>",
        st.PolicyName,
        f"{_CLASSIFYING} policed",
        no=st.PolicyName(None),
    ),
    row("service-policy type qos|quality-of-service output <...>"),
    row(f"service-policy type {'|'.join(_OTHER_POLICIES)} <...>"),
    row("uc-tx-queue|tx-queue <number:0..11>", Block, "queues"),
    row("mc-tx-queue <_:0..11>", Block(None), "queues"),
    row(
        "shape rate <amount:count> [<unit:rate>]",
        st.shape,
        _PORT_SHAPER,
        no=st.Shape(on=False),
        no_form="shape [<...>]",
    ),
)
"""What a port may say of itself, and a profile for its ports."""

_PORT = Mode(
    rows=(
        *_LOSSLESS,
        row("service-profile <name>", st.ProfileName, PROFILE, no=st.ProfileName(None)),
        row("mtu <68..65535>", sets("ip_mtu_bytes"), no_form="mtu [<_:count>]"),
        row("l2 mtu <size:68..65535>", st.L2Mtu, "ip_mtu_bytes", no=NOTHING, no_form="l2 mtu [<_:count>]"),
        row("flowcontrol receive <value:flow>", sets("link_pause_rx"), no=False),
        row("flowcontrol send <value:flow>", sets("link_pause_tx"), no=False),
        row("shutdown", sets("admin_up", False), no=True),
        row("speed [forced|auto] <value:speed>", sets("speed_bps"), no=ABSENT, no_form="speed [<...>]"),
        row("speed auto", sets("speed_bps", ABSENT), no=None),
        row("error-correction encoding <value:fec>", sets("fec"), no=ABSENT),
        row(
            "channel-group <number:count> mode <lacp:lacp>",
            st.ChannelGroup,
            f"{PROFILE} lacp lacp_rate min_links shared_channel ip_mtu_bytes policed",
            no=NOTHING,
            no_form="channel-group [<...>]",
        ),
        filter_row("ip access-group", "in|out"),
        row("lacp timer multiplier <_:count>", no=None),
        row("lacp timer|rate <value:lacprate>", sets("lacp_rate"), no_form="lacp timer|rate [<...>]"),
        row("port-channel min-links <value:count>", sets("min_links"), no_form="port-channel min-links [<_:count>]"),
        shared_channel("mlag <name:count>", "mlag", no_form="mlag [<_:count>]"),
        row("evpn ethernet-segment"),
        row("channel-group recirculation <_:count>", sets("kind", "recirculation")),
        row("dcbx mode <value:ieee|cee>", sets("dcbx.mode"), no="off"),
        row("lldp transmit|receive", paths="dcbx.lldp", no=sets("dcbx.lldp", False), default=NOTHING),
        unread("switchport", f"{_CLASSIFYING} ip_mtu_bytes"),
        row("profile <names:...>", st.profiles, f"{PROFILE} ip_mtu_bytes", no=st.Profiles(), no_form="profile [<...>]"),
        row(
            "traffic-policy input <name>",
            st.TrafficPolicy,
            "dscp pcp policed",
            no=st.TrafficPolicy(None),
            no_form="traffic-policy input [<...>]",
        ),
        *_keys(
            flowcontrol="link_pause_rx link_pause_tx",
            error_correction_encoding="fec",
            traffic_policy="dscp pcp policed",
            service_policy=f"{_CLASSIFYING} policed",
            shape=_PORT_SHAPER,
            qos=_CLASSIFYING,
            priority_flow_control=_PFC,
        ),
    ),
    opens={**_QUEUES, "evpn ethernet-segment": "segment"},
    ignored=frozenset({"profile-flow", "traffic-policies"}),
    labels=frozenset({"description", "switchport", "vrf", "ip", "encapsulation", "ipv6"}),
    shared=frozenset(
        {
            "ip",
            "qos",
            "service-policy",
            "l2",
            "error-correction",
            "dcbx",
            "lldp",
            "traffic-policy",
            "lacp",
            "port-channel",
            "evpn",
        }
    ),
    doubted="kind lacp lacp_rate min_links shared_channel"
    f" {PROFILE} ip_mtu_bytes policed admin_up speed_bps fec dcbx link_pause_rx link_pause_tx",
)

_SHARE = "queues.#.share queues.#.share_kind"
_QUEUE = Mode(
    strict=True,
    ignored=frozenset({"description", "latency", "drop-precedence"}),
    rows=(
        row("priority strict", sets("queues.#.scheduling", "strict"), no="weighted", no_form="priority [strict]"),
        row("bandwidth percent <percent:0..100>", st.Share, _SHARE, no=st.Share(None)),
        row(
            "bandwidth guaranteed [percent] <_:count> [<_:floor>]",
            paths=_SHARE,
            no_form="bandwidth guaranteed [<...>]",
        ),
        row(
            "shape rate <amount:count> [<unit:rate>]",
            st.shape,
            "queues.#.max_rate_bps queues.#.max_rate_percent",
            no=st.Shape(on=False),
            no_form="shape [<...>]",
        ),
        row("shape kbps|pps <_:count>", st.Shape(), "queues.#.max_rate_bps"),
        row(
            f"random-detect ecn {_THRESHOLDS} [max-mark-probability <percent:1..100>] [weight <weight:0..15>]",
            st.EcnCurve,
            "queues.#.ecn",
            no=sets("queues.#.ecn", ABSENT),
            no_form="random-detect ecn [minimum-threshold [<...>]]",
        ),
        row("random-detect ecn count"),
        unread("random-detect non-ect", "queues.#.ecn", no_form="random-detect non-ect"),
        row(
            f"random-detect drop [drop-precedence <_:count>] {_THRESHOLDS} drop-probability <percent:1..100> [weight <_:count>]",
            st.WredCurve,
            "queues.#.ecn",
            no=NOTHING,
            no_form="random-detect drop [<...>]",
        ),
    ),
)

_MMU = Mode(
    rows=(
        row("ingress headroom [<unit:bytes|cells>] <amount:count>", partial(st.MmuSize, "headroom_bytes"), _HEADROOM),
        row("ingress reserved [<unit:bytes|cells>] <amount:count>", partial(st.MmuSize, "reserved_bytes"), _RESERVED),
        row("ingress threshold <alpha:alpha>", st.MmuThreshold, _ALPHA),
        row(
            "ingress priority-group <group:0..7> reserved [<unit:bytes|cells>] <amount:count>",
            partial(st.MmuSize, "reserved_bytes"),
            _RESERVED,
        ),
        row("ingress priority-group <group:0..7> threshold <alpha:alpha>", st.MmuThreshold, _ALPHA),
        row("ingress resume <...>", no=None),
    ),
    ignored=frozenset({"egress"}),
)


TABLE = StatementTable(
    name="eos",
    types=_TYPES,
    modes={
        "top": _TOP,
        "bgp": bgp("maximum-paths <paths:count> [ecmp <_:count>]"),
        "port": _PORT,
        "profile": _strict(_LOSSLESS, opens=_QUEUES),
        "queue": _QUEUE,
        "policy": _strict((row("class [built-in] <name>", ps.ClassHeader),), opens={"class": "policyclass"}),
        "policyclass": _strict(
            (
                row("set traffic-class <number:0..7>", ps.SetGroup),
                row("set traffic class <number:0..7>", ps.SetGroup),
                row("set dscp <dscp:codepoint>", ps.SetDscp, "rewrites_dscp"),
                row("set cos|drop-precedence <_:count>", no=None),
                row("police <_:policing...>", ps.Police(), "policed"),
            )
        ),
        "classmap": _strict(
            (
                row("match dscp <values:codepoints...>", partial(ps.Match, "dscp")),
                row("match cos <values:tags...>", partial(ps.Match, "cos")),
                row("match vlan <...>", ps.Match("other")),
                row("match ip|ipv6|mac access-group <name>", partial(ps.Match, "acl", ())),
                row("match any", ps.Match("any")),
            )
        ),
        "acl": Mode(raw=True),
        "defaults": Mode(
            (
                row("mtu <68..65535>", sets("ip_mtu_bytes"), no_form="mtu [<_:count>]"),
                row("ethernet", paths="admin_up", no=None),
                *_keys(interface_defaults="ip_mtu_bytes admin_up"),
            ),
            opens={"ethernet": "etherdefaults"},
        ),
        "etherdefaults": Mode((row("shutdown", st.DefaultShutdown(True), "admin_up", no=st.DefaultShutdown(False)),)),
        "mmuapply": Mode((row("platform trident mmu queue profile <name> apply", st.MmuApply, _MEMORY),)),
        "mmu": _MMU,
        "vxlan": Mode(
            (
                row("vxlan source-interface <...>", sets("forwarding.tunnels", True), no_form="vxlan source-interface"),
                row(
                    "vxlan qos dscp propagation encapsulation",
                    sets("forwarding.tunnel_dscp_from", "packet"),
                    no_form="vxlan qos dscp propagation [encapsulation]",
                ),
                row("vxlan qos ecn propagation", sets("forwarding.tunnel_keeps_marks", True), no=False),
                row("vxlan qos [map] dscp to traffic-class decapsulation"),
            ),
            shared=frozenset({"vxlan"}),
            ignored=frozenset({"vlan"}),
        ),
        "segment": Mode(
            (
                shared_channel("identifier <name>", "esi"),
                row("identifier auto lacp", sets("shared_channel", "esi auto lacp"), no=None),
            )
        ),
        "mlag": Mode(labels=frozenset({"peer-link"})),
        "state": Mode(
            (
                row("switched on", sets("pfc.mode", "on"), no=None),
                row("switched off", sets("pfc.mode", "off"), no=None),
                row("switched priorities <value:active...>", sets("pfc.priorities"), no=None),
                row("switched priorities none", sets("pfc.priorities", frozenset()), no=None),
                row("pfc active <value:active...>", sets("pfc.operational"), no=None),
                row("pfc inactive", sets("pfc.operational", frozenset()), no=None),
                SHOWN_OFF,
                row("watchdog inactive", sets("pfc.watchdog.on", False), no=None),
                row("mtu <64..65535>", st.ShownMtu, "ip_mtu_bytes", no=None),
                row("fec <value:fec>", sets("fec"), no=None),
                row("flowcontrol receive <value:flow>", sets("link_pause_rx"), no=None),
                row("flowcontrol send <value:flow>", sets("link_pause_tx"), no=None),
                row("trusts <what:trusted>", st.Trust, "dscp pcp trust", no=None),
                row("queue <number:0..7> unmarked", st.Unmarked, "queues", no=None),
                row("queue <number:0..7> drops early", st.ShownDrops, "queues", no=None),
                CONNECTED,
            )
        ),
        "interface-profile": Mode(raw=True),  # each line is `command` and what a port says: see `profiles`
        "ifprofile": _PORT,
        "other": Mode(),
        "unreadable": Mode(guess=lambda words, known: (*PROFILE.split(), "ip_mtu_bytes", "policed")),
    },
)
