"""The statements of IOS XR that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

Cisco's YANG modules that mirror its command line (Cisco-IOS-XR-um-if-ethernet-cfg, -um-8000-hw-module-profile-cfg,
-um-hw-module-profile-cfg, -um-policymap-classmap-cfg, -um-if-bundle-cfg, -um-lldp-cfg); Modular QoS Configuration Guide for Cisco
8000 Series Routers.
"""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.iosxr import statements as st
from roce_audit.platforms.iosxr.names import GBPS
from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.routing import bgp, other_routing
from roce_audit.platforms.shared.cli.rows import CONNECTED, SHUTDOWN
from roce_audit.platforms.shared.leaves import number, number_set, numbers, reduced, scaled, word
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy import typed
from roce_audit.platforms.shared.policy.typed import CLASSIFYING
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, Row, row, sets, unread
from roce_audit.text.statements.table import StatementTable

ETHERNET_HEADER = 14
"""Bytes: an interface's MTU counts them, and no frame check sequence."""
VLAN_TAG = 4
"""Bytes: the MTU of a subinterface counts its tags as well."""

_RATES = {"bps": 1, "kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000, "cellsps": None, "pps": None}
_SIZES = ("bytes", "kbytes", "mbytes", "gbytes", "packets", "ms", "us", "cells")

_TYPES = {
    "codepoint": typed.TYPES["codepoint"],
    "dscp": typed.TYPES["dscp"],
    "precedence": typed.TYPES["precedence"],
    "logic": typed.TYPES["logic"],
    "classes": numbers(7),
    "groups": numbers(512),
    "count": number(0, 4_294_967_295),
    "lacp": word({"active": "active", "passive": "passive", "on": "static", "inherit": None}),
    "lacpmode": word({"active": "active", "passive": "passive", "on": "static"}),
    "lacprate": st.lacp_period,
    "fec": word({"none": "none", "standard": "rs", "base-r": "fc"}),
    "mbps": scaled(10, 1_600_000, 1_000_000),
    "frame": reduced(64, 65535, ETHERNET_HEADER),
    "size": word({unit: unit for unit in _SIZES}),
    "rate": word(_RATES),
    "type": word({name: gbps * 1_000_000_000 or None for name, gbps in GBPS.items()}),
    "priorityset": number_set(7),
    "policing": st.policing,
    "words": st.words,
    "way": word(
        {
            "ingress": st.FlowControl(sends=True, obeys=False),
            "egress": st.FlowControl(sends=False, obeys=True),
            "bidirectional": st.FlowControl(sends=True, obeys=True),
        }
    ),
}

_EVERY_CLASS = "groups priorities pfc.priorities"
_strict = partial(Mode, strict=True, ignored=frozenset({"description", "end-policy-map", "end-class-map"}))
"""A block that is ours as a whole."""


def _watchdog(lead: str) -> tuple[Row, ...]:
    """The statements of the PFC watchdog behind these words."""
    timers: dict[str, st.Timer] = {
        "interval": "interval",
        "shutdown-multiplier": "shutdown",
        "auto-restore-multiplier": "restore",
    }
    mode = row(
        f"{lead}mode <on:on|off>",
        st.WatchdogMode,
        "pfc.watchdog",
        no=st.WatchdogMode(None),
        no_form=f"{lead}mode [on|off]",
    )
    return (mode, *(_timer(f"{lead}{word}", what) for word, what in timers.items()))


def _timer(words: str, what: st.Timer) -> Row:
    return row(
        f"{words} <value:0..100000>",
        partial(st.WatchdogTimer, what),
        "pfc.watchdog",
        no=partial(st.WatchdogTimer, what, None),
        no_form=f"{words} [<_:count>]",
    )


_WATCHDOG = _watchdog("priority-flow-control watchdog ")


def _binding(way: ps.Way, paths: str) -> Row:
    return row(
        f"service-policy {way} <name> [<...>]",
        partial(ps.Binding, "qos", way),
        paths,
        no=ps.Binding("qos", way),
        no_form=f"service-policy {way} [<...>]",
    )


_BINDINGS = (_binding("input", CLASSIFYING), _binding("output", "queues rewrites_dscp"))
_OF_GROUPS = f"{CLASSIFYING} queues groups pfc ip_mtu_bytes"
"""What a group may set of what concerns us most."""
_APPLY_GROUP = row("apply-group <names:words...>", st.ApplyGroup, no=NOTHING)
_OTHER_PROFILES = (
    *("acl", "bundle-hash", "bundle-scale", "cef", "fib", "flowspec", "l2fib", "load-balance", "mdb", "netflow"),
    *("mpls-ext-dscp-preserve", "npu", "oam", "offline-diag", "pbr", "qos max-classmap-size", "route"),
    *("segment-routing", "sr-policy", "stats", "tcam"),
)
"""Profiles of `hw-module` that share out memory of the chip for routes, access lists, counters and classes of policies
(-um-hw-module-profile-cfg)."""
HQOS = "hw-module profile qos hqos-enable"
_TOP = Mode(
    rows=(
        _APPLY_GROUP,
        *(other_routing(f"router {name} <...>") for name in ("ospf", "ospfv3", "isis", "eigrp", "rip")),
        unread("priority-flow-control", "pfc"),
        row("lldp", st.Lldp(True, "device"), "dcbx.lldp", no=st.Lldp(False, "device"), no_form="lldp"),
        row("lldp <...>", no=None),
        row(
            "hw-module profile priority-flow-control traffic-class <number:0..7> pause-threshold <pause:count> [<_:size>]"
            " resume-threshold <resume:count> [<_:size>] headroom <headroom:count> [<_:size>]",
            partial(st.profile, ""),
            _EVERY_CLASS,
            no=NOTHING,
        ),
        unread("hw-module profile priority-flow-control", _EVERY_CLASS),
        row(HQOS, no=NOTHING),
        *(row(f"hw-module profile {name} <...>", no=NOTHING) for name in _OTHER_PROFILES),
        unread("service-policy"),
        unread("random-detect"),
    ),
    opens={
        "interface": "port",
        "interface preconfigure": "other",
        "router bgp": "bgp",
        "class-map": "qosmap",
        "class-map type": "other",
        "class-map type qos": "qosmap",
        "policy-map": "qospolicy",
        "policy-map type": "other",
        "policy-map type qos": "qospolicy",
        "ipv4 access-list": "acl",
        "ipv6 access-list": "acl",
        "control-plane": "other",
        "dynamic-template": "other",
        "group": "group",
        "priority-flow-control watchdog": "pfcwatchdog",
        "hw-module profile priority-flow-control location": "pfcprofile",
    },
    ignored=frozenset({"interface", "controller", "end-group", "router", "ipv4", "ipv6"}),
    shared=frozenset({"hw-module", "router", "lldp"}),
)

_PORT = Mode(
    rows=(
        row("interface <> [<bps:type>]", st.InterfaceType, no=None),
        row(
            "priority-flow-control mode <mode:auto|on|off>",
            st.PfcMode,
            "pfc.mode pfc.priorities",
            no=st.PfcMode(None),
            no_form="priority-flow-control [mode [auto|on|off]]",
        ),
        *_WATCHDOG,
        row("priority-flow-control [watchdog]", paths="pfc", no_form="priority-flow-control watchdog"),
        _APPLY_GROUP,
        *(unread(words, _OF_GROUPS) for words in ("apply-group-append", "apply-group-remove", "exclude-group")),
        *_BINDINGS,
        row("service-policy type control|pbr|performance-traffic|accounting|redirect <...>", no=None),
        unread("service-policy", f"{CLASSIFYING} queues"),
        row("mtu <value:frame>", st.FrameMtu, "ip_mtu_bytes", no=NOTHING, no_form="mtu [<_:count>]"),
        row("ipv4 mtu <68..65535>", st.IpMtu, "ip_mtu_bytes", no=NOTHING, no_form="ipv4 mtu [<_:count>]"),
        row(
            "flow-control <way:way>",
            lambda way: way,
            "link_pause_rx link_pause_tx",
            no=NOTHING,
            no_form="flow-control [ingress|egress|bidirectional]",
        ),
        SHUTDOWN,
        row("fec <value:fec>", sets("fec"), no=ABSENT, no_form="fec [none|standard|base-r]"),
        row("speed <_:count>"),
        row("negotiation auto", sets("autoneg", True), no=False),
        row(
            "bundle id <number:1..65535> [mode <lacp:lacp>]",
            st.BundleId,
            f"{CLASSIFYING} lacp lacp_rate min_links queues classes ip_mtu_bytes fec dcbx",
            no=st.BundleId(None),
            no_form="bundle id [<_:count>] [mode active|passive|on|inherit]",
        ),
        row(
            "bundle minimum-active links <value:1..64>",
            sets("min_links"),
            no_form="bundle minimum-active links [<_:count>]",
        ),
        row(
            "bundle maximum-active|wait-while|load-balancing|shutdown|port-priority|lacp-delay|lacp-fallback|logging [<...>]"
        ),
        filter_row("ipv4 access-group", "ingress|egress"),
        row("lacp period <value:lacprate>", sets("lacp_rate"), no_form="lacp period [<>]"),
        row("lacp mode <lacp:lacpmode>", st.BundleMode, "lacp", no=NOTHING, no_form="lacp mode [active|passive|on]"),
        row("lldp"),
        row("lldp enable", st.Lldp(True, "port"), "dcbx.lldp", no=NOTHING),
        row("lldp receive|transmit disable", st.Lldp(False, "direction"), "dcbx.lldp", no=NOTHING),
        unread("random-detect"),
    ),
    opens={
        "lldp": "portlldp",
        "priority-flow-control": "portpfc",
        "priority-flow-control watchdog": "pfcwatchdog",
    },
    labels=frozenset({"description", "ipv4", "ipv6", "vrf", "encapsulation", "l2transport"}),
    shared=frozenset({"bundle", "lacp", "ipv4", "lldp"}),
    doubted=f"kind lacp lacp_rate min_links {CLASSIFYING} queues groups pfc ip_mtu_bytes admin_up speed_bps fec autoneg dcbx"
    " link_pause_rx link_pause_tx",
)

_PROFILE_WORDS = (
    "traffic-class <number:0..7> [pause-threshold <pause:count> <pause_unit:size>]"
    " [headroom <headroom:count> [<headroom_unit:size>]] [ecn <ecn:count> [<ecn_unit:size>]]"
    " [max-threshold <high:count> [<high_unit:size>]] [probability-percentage <percent:0..100>]"
)
_PROFILE = _strict(
    rows=(
        row("hw-module profile priority-flow-control location <where>", st.ProfileAt, no=None),
        row(f"buffer-internal {_PROFILE_WORDS}", partial(st.profile, "internal"), _EVERY_CLASS, no=NOTHING),
        row(f"buffer-extended {_PROFILE_WORDS}", partial(st.profile, "extended"), _EVERY_CLASS, no=NOTHING),
        row("buffer-extended non-pfc-tcs <...>", no_form="buffer-extended non-pfc-tcs [<...>]"),
        row(
            "traffic-class <number:0..7> pause-threshold <pause:count> [<_:size>] resume-threshold <resume:count> [<_:size>]"
            " headroom <headroom:count> [<_:size>]",
            partial(st.profile, ""),
            _EVERY_CLASS,
            no=NOTHING,
        ),
    ),
)

_ANY = "[ipv4|ipv6]"
_MATCHES = (
    typed.LOGIC,
    row(f"match <negated?not> dscp {_ANY} <values:dscp...>", partial(ps.Match, "dscp")),
    row(f"match <negated?not> precedence {_ANY} <values:precedence...>", partial(ps.Match, "precedence")),
    row("match <negated?not> cos <values:classes...>", partial(ps.Match, "cos")),
    row("match <negated?not> traffic-class <values:classes...>", partial(ps.Match, "group")),
    row("match access-group ipv4|ipv6 <name>", partial(ps.Match, "acl", ())),
    row("match [not] access-group ethernet-services <...>", ps.Match("other")),
    row("match any", ps.Match("any")),
    row("match [not] mpls <...>", ps.Match("never")),
    row("match <negated?not> protocol <names:words...>", st.protocol),
    row("match [not] qos-group <_:groups...>", ps.Match("other", name="qos-group")),
    row("match [not] discard-class <_:classes...>", ps.Match("other", name="discard-class")),
    row(
        "match [not] vlan|packet|source-address|destination-address|source-port|destination-port|fragment-type|ethertype"
        "|cos-inner|vlan-inner|dei|dei-inner|ipv4|ipv6|tcp-flag|vpls|flow-key|flow-tag <...>",
        ps.Match("other"),
    ),
)
_ACTIONS = (
    row("set traffic-class <number:0..7>", ps.SetGroup),
    row("set dscp [tunnel] <dscp:codepoint>", ps.SetDscp),
    row("set precedence [tunnel] <>", ps.SetDscp(None)),
    row("set qos-group <_:groups>", no=NOTHING),
    row("set cos|discard-class|mpls|dei|forward-class|atm-clp|fr-de|srp-priority <...>", no=NOTHING),
    row("police [<_:policing...>]", ps.Police(), no=NOTHING),
    row("service-policy <name>", st.Child, no=NOTHING),
)
_SIZED = "<{0}:count> <{0}_unit:size>"
_THRESHOLDS = (
    f"random-detect {_SIZED.format('low')} {_SIZED.format('high')} [probability [percentage] <percent:0..100>]"
)
_QUEUES = (
    row(
        "bandwidth remaining percent <percent:0..100>",
        ps.Share,
        "share share_kind scheduling",
        no=ps.Share(None),
        no_form="bandwidth [<...>]",
    ),
    row("bandwidth remaining ratio <value:count>", st.Ratio, "share share_kind scheduling", no=None),
    row("bandwidth percent <percent:0..100>", st.Guarantee, "share share_kind scheduling", no=None),
    row("bandwidth <_:count> <_:rate>", st.Guarantee(None), "share share_kind scheduling", no=None),
    row("bandwidth <_:count> per-thousand|per-million", st.Guarantee(None), "share share_kind scheduling", no=None),
    row("priority [level <_:1..7>]", ps.Strict(True), "share scheduling", no=ps.Strict(False)),
    row("random-detect ecn", st.EcnMarks(), "ecn", no=None),
    row("random-detect default", st.RandomDetect(), "ecn", no=None),
    row(_THRESHOLDS, st.curve, "ecn", no=None),
    row(
        f"random-detect <of:cos|dei|discard-class|dscp|exp|precedence> <> {_THRESHOLDS.removeprefix('random-detect ')}",
        st.curve,
        "ecn",
        no=None,
    ),
    row(f"queue-limit {_SIZED.format('value').replace('value_unit', 'unit')}", st.limit, "limit_bytes", no=None),
    row("queue-limit percent <_:count>", sets("limit_bytes", ABSENT), no=None),
    row("queue-limit discard-class <...>", sets("limit_bytes", ABSENT), no=None),
    row("shape average <amount:count> <unit:rate> [<...>]", ps.shape, "max_rate_bps", no=ps.Shape(None, False)),
    row("shape average percent <percent:0..100> [<...>]", ps.shape_of_speed, "max_rate_bps max_rate_percent", no=None),
    row("shape average <_:count> per-thousand|per-million [<...>]", ps.Shape(None, True), "max_rate_bps", no=None),
    row(
        f"pause [buffer-size {_SIZED.format('size')} pause-threshold {_SIZED.format('xoff')}"
        f" resume-threshold {_SIZED.format('xon')}]",
        st.pause,
        no=NOTHING,
    ),
    row("low-latency-profile"),
    row("fragment|service-fragment|encap-sequence|compress|admit <...>"),
)

TABLE = StatementTable(
    name="iosxr",
    types=_TYPES,
    comments=("!",),
    modes={
        "top": _TOP,
        "bgp": bgp("maximum-paths ebgp|ibgp|eibgp <paths:count>"),
        "port": _PORT,
        "portlldp": Mode(
            rows=(
                row("enable", st.Lldp(True, "port"), "dcbx.lldp", no=NOTHING),
                row("receive|transmit disable", st.Lldp(False, "direction"), "dcbx.lldp", no=NOTHING),
            ),
            lenient=True,
        ),
        "portpfc": _strict(
            rows=(
                row(
                    "mode <mode:auto|on|off>",
                    st.PfcMode,
                    "pfc.mode pfc.priorities",
                    no=st.PfcMode(None),
                    no_form="mode [auto|on|off]",
                ),
                *_watchdog("watchdog "),
                row("watchdog"),
            ),
            opens={"watchdog": "pfcwatchdog"},
        ),
        "pfcwatchdog": _strict((*_WATCHDOG, *_watchdog(""), row("priority-flow-control watchdog"))),
        "pfcprofile": _PROFILE,
        "group": Mode(
            rows=(
                row("interface <>", no=None),
                unread("hw-module profile priority-flow-control"),
                unread("priority-flow-control"),
            ),
            opens={"interface": "port", "policy-map": "other", "class-map": "other", "router": "other"},
            ignored=frozenset({"end-group"}),
            shared=frozenset({"hw-module"}),
        ),
        "state": Mode(
            (
                row("switched <value:auto|on|off>", sets("pfc.mode"), no=None),
                row("pfc on <value:priorityset>", sets("pfc.operational")),
                row("pfc off", sets("pfc.operational", frozenset())),
                row("watchdog off", st.WatchdogMode(False), "pfc.watchdog", no=None),
                CONNECTED,
                row("flowcontrol receive on", sets("link_pause_rx", True), no=None),
                row("flowcontrol transmit on", sets("link_pause_tx", True), no=None),
                row("mtu <value:frame>", st.FrameMtu, "ip_mtu_bytes"),
            )
        ),
        "qospolicy": _strict(
            (
                row("class [type qos] <name>", ps.ClassHeader, no=ps.ClassRemoved, no_form="class [type qos] <name>"),
                row("class type traffic <...>", no=None),
            ),
            opens={"class": "qosclass"},
        ),
        "qosclass": _strict((*_ACTIONS, *_QUEUES), base="queues.#", opens={"police": "policing"}),
        "policing": Mode(ignored=frozenset({"conform-action", "exceed-action", "violate-action"})),
        "qosmap": _strict(_MATCHES),
        "acl": Mode(raw=True),
        "other": Mode(
            ignored=frozenset(
                {"service-policy", "class", "police", "set", "match", "description", "mtu", "priority-flow-control"}
            )
        ),
    },
)
