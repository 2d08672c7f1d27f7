"""The statements of Comware that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

H3C S9825 & S9855 Layer 2 LAN Switching and ACL and QoS Command References; HPE FlexFabric 5950 ACL and QoS Command Reference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.shared.cli.filters import DROPS, filter_row
from roce_audit.platforms.shared.cli.routing import bgp
from roce_audit.platforms.shared.cli.rows import SHUTDOWN, shared_channel
from roce_audit.platforms.shared.leaves import number, numbers, scaled, word
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, Row, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_TYPES: dict[str, Callable[[str], object]] = {
    "frame": number(1_536, 16_384),
    "cells": number(0, 9_999_999),
    "codepoint": word({str(value): value for value in range(64)} | dict(DSCP_NAMES)),
    "codepoints": numbers(63, DSCP_NAMES),
    "counts": numbers(9_999_999),
    "count": number(0, 9_999_999_999),
    "hashed": st.hashed,
    "kbps": number(0, 9_999_999_999),
    "mbps": scaled(10, 1_600_000, 1_000_000),
    "mode": word({"enable": "on", "auto": "auto"}),
    "paused": st.priorities,
    "packets": word({"discard": "drop", "forwarding": "forward"}),
    "priorities": numbers(7),
    "queue": st.queue,
    "policing": st.policing,
    "release": st.release,
    "trust": word({"dscp": "dscp", "dot1p": "pcp"}),
    "vlans": st.vlans,
    "word": str,
    "version": word({"standard": "ieee", "rev101": "cee"}),
}

_CLASSIFYING = "dscp pcp"
_LOSSLESS = "pfc.mode pfc.priorities groups priorities"
_WATCHDOG = "pfc.watchdog"
_DSCP_CLASSES = f"{_CLASSIFYING} classes priorities"
_POLICIES = f"{_CLASSIFYING} policed rewrites_dscp"


def _each(below: str, *leaves: str) -> str:
    """The paths of these leaves of all eight queues, groups or classes."""
    return " ".join(f"{below}.{number}.{leaf}" for number in range(8) for leaf in leaves)


_SCHEDULING = _each("queues", "scheduling", "share", "share_kind")
_CURVES = _each("queues", "ecn")
_SHAPERS = _each("queues", "max_rate_bps")

_OTHER_WORDS = (
    "arp bandwidth bfd broadcast-suppression cfd combo dampening default dhcp dldp dot1x duplex eee enable"
    " evpn flow-interval gre igmp igmp-snooping irf isis l2vpn link-delay loopback"
    " loopback-detection m-lag mac-address mac-authentication mdix-mode mirroring-group mld mpls multicast-suppression nat"
    " netanalysis ospf ospfv3 pim poe ptp rip service-instance sflow smart-link storm-constrain stp telemetry track"
    " udld unicast-suppression using vlan voice-vlan vrrp vtep xconnect"
)
"""First words of other statements of ports: they belong to the port also where nothing is indented."""
_QOS_WORDS = frozenset(
    {"accounting", "filter", "if-match", "mirror-to", "queue", "redirect", "remark", "qos", "car", "import"}
)

_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""A block that is ours as a whole."""


_PFC = (
    row(
        "priority-flow-control <mode:mode>",
        st.PfcMode,
        _LOSSLESS,
        no=st.PfcMode("off"),
        no_form="priority-flow-control [enable|auto]",
    ),
    row(
        "priority-flow-control no-drop dot1p <priorities:priorities...>",
        st.NoDrop,
        _LOSSLESS,
        no=st.NoDrop(()),
    ),
    row("priority-flow-control early-warning <...>", no_form="priority-flow-control early-warning <...>"),
    # their syntax was not found
    unread("priority-flow-control dscp-mapping", f"{_LOSSLESS} {_CLASSIFYING}"),
    unread("priority-flow-control config-style", _LOSSLESS),
)
"""Of the switch, or of a port."""

_DEADLOCK = (
    row("priority-flow-control deadlock precision high|normal|low"),
    row(
        "priority-flow-control deadlock cos <cos:0..7> interval <interval:1..9999> [pause-recover]",
        st.Interval,
        _WATCHDOG,
        no=partial(st.Interval, interval=None),
        no_form="priority-flow-control deadlock cos <cos:0..7> [interval]",
    ),
    row(
        "priority-flow-control deadlock auto-recover action <action:packets>",
        st.RecoverAction,
        f"{_WATCHDOG}.action",
        no=st.RecoverAction("forward"),
        no_form="priority-flow-control deadlock auto-recover action [discard|forwarding]",
    ),
    row(
        "priority-flow-control deadlock auto-recover cos <_:0..7> delay <_:count>",
        no_form="priority-flow-control deadlock auto-recover cos <_:0..7> [delay [<_:count>]]",
    ),
    row(
        "priority-flow-control deadlock threshold cos <_:0..7> period <_:count> count <_:count> [error-down]",
        no_form="priority-flow-control deadlock threshold cos <_:0..7>",
    ),
)

_EGRESS_QUEUE = "buffer egress [slot <_:count>] cell queue <_:queue>"
_EGRESS = row(
    f"{_EGRESS_QUEUE} shared|guaranteed ratio <_:0..100>",
    st.Egress(),
    no=NOTHING,
    no_form=f"{_EGRESS_QUEUE} shared|guaranteed",
)

_TOP = Mode(
    rows=(
        row("version <_:release...>", no=None),
        *_PFC,
        *_DEADLOCK,
        row(
            "priority-flow-control poolid|poolID <_:count> headroom <cells:cells>",
            st.HeadroomPool,
            no=st.HeadroomPool(),
            no_form="priority-flow-control poolid|poolID <_:count> headroom",
        ),
        _EGRESS,
        row("ip load-sharing mode per-flow algorithm <...>"),
        row(
            "ip load-sharing mode per-flow <value:hashed...>",
            sets("forwarding.hash_uses_ports"),
            no=True,
            no_form="ip load-sharing mode [<...>]",
        ),
        row("buffer apply", st.BufferApply(), no=NOTHING),
        row("lldp global enable", st.Lldp(True), "dcbx", no=st.Lldp(False)),
        row(
            "qos apply policy <name> global <direction:inbound|outbound>",
            st.Policy,
            _POLICIES,
            no=partial(st.Policy, on=False),
            no_form="qos apply policy <name> global <direction:inbound|outbound>",
        ),
        row(
            "qos vlan-policy <name> vlan <_:vlans...> <direction:inbound|outbound>",
            partial(st.Policy, of_vlans=True),
            _POLICIES,
            no=partial(st.Policy, on=False, of_vlans=True),
            no_form="qos vlan-policy <name> vlan <_:vlans...> <direction:inbound|outbound>",
        ),
        # what belongs into the view of a port and is nowhere else a statement
        unread("qos trust"),
        unread("qos wfq"),
        unread("qos wrr"),
        unread("qos wred apply"),
    ),
    opens={
        "interface": "port",
        "qos map-table dscp-dot1p": "dscpmap",
        "qos map-table dot1p-lp": "queuemap",
        "qos map-table dscp-dp": "dropmap",
        "qos map-table dscp-dscp": "marksmap",
        "qos map-table dot1p-dp": "other",
        "qos map-table": "othermap",
        "qos wred queue table": "wredtable",
        "qos qmprofile": "qmprofile",
        "qos policy": "qospolicy",
        "traffic classifier": "classifier",
        "traffic behavior": "behavior",
        "ai-service": "ai",
        "acl": "other",
        "acl advanced": "acl",
        "acl number": "acl",
        "bgp": "bgp",
        "control-plane": "other",
        "ip vpn-instance": "other",
        "irf-port": "other",
        "isis": "igp",
        "line": "other",
        "local-user": "other",
        "ospf": "igp",
        "stp region-configuration": "other",
        "user-group": "other",
        "vlan": "other",
    },
    ignored=frozenset({"interface", "port", "policy"}),
    shared=frozenset({"buffer", "ip", "lldp", "qos"}),
)


def _curves(begins: str = "") -> tuple[Row, ...]:
    """The WRED of a queue: behind `qos wred` in the view of a port, by itself in a table."""
    queue = f"{begins}queue <queue:0..7>"
    return (
        row(
            f"{queue} [drop-level <level:0..2>] low-limit <low:cells> high-limit <high:cells>"
            " [discard-probability <probability:0..100>]",
            st.Curve,
            _CURVES,
            no=st.NoCurves,
            no_form=queue,
        ),
        row(
            f"{queue} ecn",
            partial(st.QueueEcn, on=True),
            _CURVES,
            no=partial(st.QueueEcn, on=False),
            no_form=f"{queue} ecn",
        ),
        row(
            f"{queue} weighting-constant <exponent:0..15>",
            st.QueueWeight,
            _CURVES,
            no=partial(st.QueueWeight, exponent=None),
            no_form=f"{queue} weighting-constant",
        ),
    )


def _threshold(what: st.Threshold, words: str, leaves: str) -> Row:
    """One threshold of the ingress buffer of some priorities."""
    begins = f"priority-flow-control dot1p <priorities:priorities> {words}"
    return row(
        f"{begins} <amount:cells>",
        partial(st.Group, what),
        _each("groups", *leaves.split()),
        no=partial(st.Group, what, amount=None),
        no_form=begins,
    )


def _served(scheduler: str) -> tuple[Row, ...]:
    """WFQ or WRR: of the whole port, then of one queue."""
    return (
        row(f"qos {scheduler} [byte-count|weight]", st.Scheduler(False), _SCHEDULING, no=st.Scheduler(None)),
        row(
            f"qos {scheduler} <queue:queue> group sp",
            partial(st.Served, group=None, share=None),
            _SCHEDULING,
        ),
        row(
            f"qos {scheduler} <queue:queue> group <group:1..2> byte-count|weight <share:1..999>",
            st.Served,
            _SCHEDULING,
        ),
    )


_RATE = "cir <cir:kbps> [cbs <_:count> [ebs <_:count>]]"
_PORT = Mode(
    rows=(
        row("interface <> [<bps:mbps>]", st.Nominal, no=None),
        *_PFC,
        _threshold("headroom", "headroom", "headroom_bytes"),
        _threshold("reserved", "reserved-buffer", "reserved_bytes"),
        _threshold("static", "ingress-buffer static", "xoff_at_bytes alpha"),
        _threshold("dynamic", "ingress-buffer dynamic", "xoff_at_bytes alpha"),
        _threshold("offset", "ingress-threshold-offset", "xon_offset_bytes"),
        row("priority-flow-control deadlock enable", st.Deadlock(True), _WATCHDOG, no=st.Deadlock(False)),
        row("priority-flow-control deadlock recover-mode manual", sets(f"{_WATCHDOG}.by_hand", True), no=False),
        row("priority-flow-control deadlock recover-mode auto", sets(f"{_WATCHDOG}.by_hand", False), no=None),
        row("flow-control", st.Pause(True, True), "link_pause_rx link_pause_tx", no=st.Pause(False, False)),
        row(
            "flow-control receive enable",
            st.Pause(True, False),
            "link_pause_rx link_pause_tx",
            no=st.Pause(False, False),
        ),
        row(
            "jumboframe enable [<frame_bytes:frame>]",
            st.Jumbo,
            "ip_mtu_bytes",
            no=st.Jumbo(0),
            no_form="jumboframe enable [<_:count>]",
        ),
        *(
            row(
                f"{words} <packet_bytes:count>",
                partial(st.RoutedMtu, words == "ip mtu"),
                "ip_mtu_bytes",
                no=st.RoutedMtu(words == "ip mtu"),
                no_form=f"{words} [<_:count>]",
            )
            for words in ("mtu", "ip mtu")
        ),
        SHUTDOWN,
        row("speed <value:mbps>", sets("speed_bps"), no=ABSENT, no_form="speed [<_:count>]"),
        row("speed auto [<_:counts...>]", sets("speed_bps", ABSENT), no=None),
        row(
            "qos trust <mode:trust>",
            st.Trust,
            f"trust {_CLASSIFYING}",
            no=st.Trust("none"),
            no_form="qos trust [dscp|dot1p]",
        ),
        row("qos trust tunnel-dot1p"),
        row(
            "qos priority <priority:0..7>",
            st.PortPriority,
            _CLASSIFYING,
            no=st.PortPriority(0),
            no_form="qos priority [<_:0..7>]",
        ),
        *_served("wfq"),
        *_served("wrr"),
        row("qos sp", st.Scheduler(True), _SCHEDULING, no=st.Scheduler(None)),
        row("qos bandwidth queue <_:queue> min <_:count>", no_form="qos bandwidth queue <_:queue>"),
        row("qos apply qmprofile <name>", st.Profile, _SCHEDULING, no=st.Profile(None)),
        row(
            "qos apply policy <name> <direction:inbound|outbound>",
            st.Policy,
            _POLICIES,
            no=partial(st.Policy, on=False),
            no_form="qos apply policy <name> <direction:inbound|outbound>",
        ),
        row(
            f"qos gts queue <queue:0..7> {_RATE}",
            st.shaped,
            _SHAPERS,
            no=partial(st.Shaped, bps=None),
            no_form="qos gts queue <queue:0..7>",
        ),
        row(f"qos gts any {_RATE}", st.shaped, _SHAPERS, no=st.Shaped(None, None), no_form="qos gts any"),
        row(f"qos lr outbound {_RATE}", st.shaped, _SHAPERS, no=st.Shaped(None, None), no_form="qos lr outbound"),
        row("qos lr inbound <_:policing...>", sets("policed", True), no_form="qos lr inbound"),
        row("qos car inbound <_:policing...>", sets("policed", True), no_form="qos car inbound <...>"),
        row("qos wred apply [<name>]", st.wred_table, _CURVES, no=st.WredTable(None)),
        *_curves("qos wred "),
        _EGRESS,
        row("lldp enable", st.Lldp(True), "dcbx", no=st.Lldp(False)),
        row("lldp admin-status disable", st.Lldp(False), "dcbx"),
        row("lldp tlv-enable dot1-tlv dcbx", st.Dcbx(True), "dcbx", no=st.Dcbx(False)),
        row("dcbx version <mode:version>", st.DcbxVersion, "dcbx", no=st.DcbxVersion("auto")),
        row("dcbx version rev100", st.DcbxVersion(""), "dcbx", no=None),
        row(
            "port link-aggregation group <number:count> [force]",
            st.Channel,
            "lacp lacp_rate min_links shared_channel",
            no=st.Channel(None),
            no_form="port link-aggregation group [<...>]",
        ),
        row("link-aggregation mode dynamic", st.Aggregation(True), "lacp", no=st.Aggregation(False)),
        row("lacp mode passive", st.Passive(True), "lacp", no=st.Passive(False)),
        row("lacp period short", sets("lacp_rate", "fast"), no="slow"),
        row(
            "link-aggregation selected-port minimum <value:count>",
            sets("min_links"),
            no_form="link-aggregation selected-port minimum [<_:count>]",
        ),
        filter_row("packet-filter [name]", "inbound|outbound"),
        row("port m-lag peer-link <...>"),
        row("port drni intra-portal-port <...>"),
        shared_channel("port m-lag|drni group <name:count> [<...>]", "m-lag", no_form="port m-lag|drni group [<...>]"),
    ),
    labels=frozenset({"description", "ip", "ipv6", "port"}),
    ignored=frozenset(_OTHER_WORDS.split()),
    also_labels=frozenset({"port"}),
    shared=frozenset({"buffer", "ip", "lldp", "qos", "lacp", "link-aggregation", "port"}),
    doubted="kind lacp lacp_rate min_links shared_channel"
    f" trust {_LOSSLESS} {_WATCHDOG} {_DSCP_CLASSES} queues policed rewrites_dscp ip_mtu_bytes admin_up"
    " speed_bps link_pause_rx link_pause_tx dcbx",
)

_PROFILE_QUEUE = "queue <queue:queue>"
_TO_QUEUES = row("import <inputs:priorities...> export <output:0..7>", st.Imported, _DSCP_CLASSES)

TABLE = StatementTable(
    name="comware",
    types=_TYPES,
    negations=("undo",),
    comments=("#",),
    modes={
        "top": _TOP,
        "bgp": bgp("balance [ebgp|ibgp|eibgp] <paths:count>"),
        "port": _PORT,
        "dscpmap": _strict((row("import <inputs:codepoints...> export <output:0..7>", st.Imported, "dscp"),)),
        "queuemap": _strict((_TO_QUEUES,)),
        "dropmap": _strict((row("import <inputs:codepoints...> export <output:0..2>", st.Dropped, _CURVES),)),
        "marksmap": _strict((row("import <inputs:codepoints...> export <output:0..63>", st.Marked, "rewrites_dscp"),)),
        "othermap": _strict((unread("import", _DSCP_CLASSES),)),
        "wredtable": _strict(_curves()),
        "qmprofile": _strict(
            (
                row(f"{_PROFILE_QUEUE} sp", partial(st.Served, group=None, share=None), _SCHEDULING),
                row(
                    f"{_PROFILE_QUEUE} wrr|wfq group <group:1..2> byte-count|weight <share:1..999>",
                    st.Served,
                    _SCHEDULING,
                ),
                row("bandwidth queue <_:queue> min <_:count>"),
            )
        ),
        "qospolicy": _strict(
            (
                row(
                    "classifier <classifier> behavior <behavior> [insert-before <_:word>] [mode <...>]",
                    st.Pair,
                    _POLICIES,
                    no=NOTHING,
                    no_form="classifier <_:word>",
                ),
            )
        ),
        "classifier": Mode(
            (
                row("if-match any", st.Taken(True), no=None),
                row("if-match acl [name] <acl>", partial(st.Taken, False), no=None),
                row("if-match dscp <dscps:codepoints...>", partial(st.Taken, False), no=None),
                row("if-match <...>", st.Taken(False), no=None),
            ),
            ignored=_QOS_WORDS - {"if-match"},
        ),
        "behavior": Mode(
            (
                row("remark local-precedence <queue:0..7>", partial(st.Action, "classifies"), _CLASSIFYING),
                row("remark dot1p|qos-local-id <...>", st.Action("classifies"), _CLASSIFYING),
                row("remark dscp <dscp:codepoint>", partial(st.Action, "marks"), f"{_CLASSIFYING} rewrites_dscp"),
                row("car <_:policing...>", st.Action("polices"), "policed"),
                row("filter deny", st.Action("drops"), DROPS),
                row("filter permit"),
            ),
            ignored=frozenset({"accounting", "mirror-to", "nest", "redirect", "queue"}),
        ),
        "ai": Mode(opens={"ai-ecn": "aiecn"}),
        "aiecn": Mode((row("queue <queue:0..7> enable", st.AiEcn, _CURVES),)),
        "state": Mode(
            (
                row("switched <value:auto|on|off>", sets("pfc.mode"), no=None),
                row("pfc off", sets("pfc.operational", frozenset())),
                row("pfc on <value:paused...>", sets("pfc.operational")),
                row("trust <mode:trust>", st.Trust, f"trust {_CLASSIFYING}", no=None),
                row("trust nothing", st.Trust("none"), f"trust {_CLASSIFYING}", no=None),
                row("speed <value:mbps>", sets("speed_bps"), no=None),
                row("link up", sets("link_up", True), no=None),
                row("frame <frame_bytes:frame>", st.ShownFrame, "ip_mtu_bytes", no=None),
                row("pause not enabled", st.Pause(False, False), "link_pause_rx link_pause_tx", no=None),
                row("pause enabled", st.Pause(True, True), "link_pause_rx link_pause_tx", no=None),
            )
        ),
        "acl": Mode(raw=True),
        "other": Mode(ignored=_QOS_WORDS),
        "igp": Mode(ignored=_QOS_WORDS),
    },
)
