"""The statements of Dell OS9 (FTOS) that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

Dell EMC Networking OS9 Configuration Guide and Command Line Reference Guide.
"""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.rows import CONNECTED, SHOWN_OFF, SHUTDOWN, SPEED
from roce_audit.platforms.shared.leaves import number, number_set, numbers, reduced, scaled, word
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import NOTHING, UNDOCUMENTED, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_FRAME_ABOVE_IP = 22
"""Configuration Guide, Layer 2 overhead: a frame with a VLAN tag is 22 bytes larger than its IP packet."""

_TYPES = {
    "active": number_set(7),
    "by_priority": st.by_priority,
    "count": number(0, 999_999_999),
    "frame": reduced(592, 12_000, _FRAME_ABOVE_IP),
    "kb": number(0, 7_787),
    "mapping": st.queue_mapping,
    "mbps": scaled(10, 100_000, 1_000_000),
    "priorities": numbers(7),
    "rate": scaled(0, 100_000, 1_000_000),
    "rates": st.rates,
    "unit": st.unit,
    "version": word({"auto": "auto", "cee": "cee", "ieee": "ieee", "ieee-v2.5": "ieee"}),
}

_CLASSIFYING = "dscp pcp policed rewrites_dscp"
_LOSSLESS = "pfc groups priorities classes"
_ETS = "queues classes priorities"

_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""A block that is ours as a whole."""

_STACK = "dcb pfc-shared-buffer-size|pfc-total-buffer-size|stack-unit <...>"
_DYNAMIC = "service-class dynamic dot1p"
_SHAPE = "[<unit:kbps|pps>] <amount:count> [<_:count>]"
_PAUSE = (
    "flowcontrol rx <receive:on|off> tx <send:on|off>"
    " {pause-threshold <_:count>, resume-offset <_:count>, negotiate, monitor session <_:count>}"
)
_RATES = "{committed <_:rate> [<_:count>], peak <peak_bps:rate> [<_:count>]}"
_ANY_RATES = "{committed <_:rate> [<_:count>], peak <_:rate> [<_:count>]}"
_AGGREGATE = row("policy-aggregate <policy>", st.Aggregate)

_PFC = (
    row("pfc priority <priorities:priorities>", st.PfcPriorities, f"{_LOSSLESS} pcp", no=st.PfcPriorities(())),
    row("pfc mode on", st.PfcMode(True), _LOSSLESS, no=st.PfcMode(False), no_form="pfc mode [on]"),
    row("pfc link-delay [<_:count>]"),
)
"""Of a port, or of an input policy."""

_TOP = Mode(
    rows=(
        row("dcb enable [pfc-queues [<_:count>]]", st.Dcb(True), _LOSSLESS, no=st.Dcb(False)),
        row("dcb enable auto-detect on-next-reload", no=None),
        row("dcb pfc-queues [<_:count>]"),
        row(_STACK, no_form=_STACK),
        row("dcb-policy buffer-threshold <name> stack-unit <_:unit> [port-set <_:unit>]", st.BufferPolicy, "groups"),
        row("dcb-policy input stack-unit <_:unit> <name>", st.DcbInput, _LOSSLESS),
        row("dcb-policy output stack-unit <_:unit> <name>", st.DcbOutput, _ETS),
        row(_DYNAMIC, paths=_CLASSIFYING),
        row(
            "service-class dot1p-mapping <queues:mapping...>",
            st.QueueMap,
            _ETS,
            no=st.QueueMap(()),
            no_form="service-class dot1p-mapping [<...>]",
        ),
        row("service-class bandwidth-percentage <...>", paths="queues", no=None),
        row("service-pool wred <...>", st.PoolWred(), "queues"),
        # what belongs into a stanza and is nowhere else a statement
        unread("service-policy", f"{_CLASSIFYING} queues"),
        unread("pfc"),
        unread("priority-pgid"),
    ),
    opens={
        "interface": "port",
        "dcb-map": "dcbmap",
        "dcb-buffer-threshold": "threshold",
        "dcb-input": "dcbinput",
        "dcb-output": "dcboutput",
        "priority-group": "pgroup",
        "class-map": "classmap",
        "policy-map-input": "policyin",
        "policy-map-output": "policyout",
        "policy-map": "other",
        "qos-policy-input": "qosin",
        "qos-policy-output": "qosout",
        "wred-profile": "wredprofile",
        "vlt domain": "vlt",
        "control-plane": "other",
        "control-plane-cpuqos": "other",
        "ip access-list": "acl",
        "ipv6 access-list": "other",
        "mac access-list": "other",
        "protocol": "other",
        "router": "other",
    },
    ignored=frozenset({"interface"}),
)

_PORT = Mode(
    rows=(
        row("interface <...>", no=None),
        row("dcb-map <name>", st.DcbMap, f"{_LOSSLESS} queues pcp", no=st.DcbMap(None)),
        row("dcb-policy buffer-threshold <name>", st.BufferPolicy, "groups", no=st.BufferPolicy(None)),
        row("dcb-policy input <name>", st.DcbInput, f"{_LOSSLESS} pcp", no=st.DcbInput(None)),
        row("dcb-policy output <name>", st.DcbOutput, _ETS, no=st.DcbOutput(None)),
        *_PFC,
        row("pfc mode off", st.PfcMode(False), _LOSSLESS, no=st.PfcMode(True)),
        unread("priority-flow-control", _LOSSLESS),
        row(_PAUSE, st.FlowControl, "link_pause_rx link_pause_tx", no=st.FlowControl(False, False), no_form=_PAUSE),
        row("mtu <ip_bytes:frame>", partial(st.Mtu, True), "ip_mtu_bytes", no=st.Mtu(True), no_form="mtu [<_:count>]"),
        row(
            "ip mtu <ip_bytes:576..11982>",
            partial(st.Mtu, False),
            "ip_mtu_bytes",
            no=st.Mtu(False),
            no_form="ip mtu [<_:count>]",
        ),
        SHUTDOWN,
        *SPEED,
        row("fec enable", sets("fec", UNDOCUMENTED), no="none"),  # which code is not said
        row(_DYNAMIC, paths=f"{_CLASSIFYING} queues"),
        row("service-class buffer <...>", paths=f"{_CLASSIFYING} queues", no_form="service-class buffer <...>"),
        row(
            "service-policy input <name> [layer2]",
            st.PolicyIn,
            f"{_CLASSIFYING} queues",
            no=st.PolicyIn(None),
            no_form="service-policy input [<>] [layer2]",
        ),
        row("service-policy output <name>", st.PolicyOut, "queues", no=st.PolicyOut(None)),
        row("rate police <_:rates...>", sets("policed", True)),
        row(
            f"rate shape {_SHAPE}",
            st.shape,
            " ".join(f"queues.{number}.max_rate_bps" for number in range(8)),
            no=ps.Shape(None, False),
            no_form=f"rate shape [{_SHAPE}]",
        ),
        row("dot1p-priority <priority:0..7>", st.Tagless, "dscp pcp"),
        unread("dcbx", "dcbx pfc"),
        row("port-channel-protocol lacp|LACP", no=None),
        row("protocol lldp"),
        filter_row("ip access-group", "in|out"),
    ),
    opens={"port-channel-protocol": "lacp", "protocol lldp": "lldp"},
    labels=frozenset(
        {"description", "switchport", "portmode", "tagged", "untagged", "vlan", "channel-member", "vlt-peer-lag"}
    ),
    shared=frozenset({"ip", "protocol", "rate"}),
    doubted=f"kind {_CLASSIFYING} {_LOSSLESS} queues ip_mtu_bytes admin_up speed_bps fec link_pause_rx link_pause_tx dcbx",
)

_LLDP = Mode(
    rows=(
        row(
            "dcbx port-role <role:auto-upstream|auto-downstream|configuration-source|manual>",
            st.PortRole,
            "dcbx.willing pfc.mode pfc.priorities",
            no=st.PortRole("manual"),
        ),
        row("dcbx version <value:version>", sets("dcbx.mode"), no=NOTHING),
        row("dcbx version cin", sets("dcbx.mode", UNDOCUMENTED), no=NOTHING),
        unread("dcbx", "dcbx"),
    ),
    ignored=frozenset({"advertise", "fcoe", "iscsi", "hello", "mode", "multiplier", "disable", "management-interface"}),
)

_DCB_MAP = _strict(
    (
        row(
            f"priority-group <number:0..7> bandwidth <share:1..100> {_RATES} pfc <pfc:on|off>",
            st.Group,
            "pfc groups queues",
            no=st.NoGroup,
            no_form=f"priority-group <number:0..7> [bandwidth <_:count> {_ANY_RATES} [pfc on|off]]",
        ),
        row(
            f"priority-group <number:0..7> strict-priority {_RATES} pfc <pfc:on|off>",
            partial(st.Group, share=None),
            "pfc groups queues",
            no=st.NoGroup,
            no_form=f"priority-group <number:0..7> strict-priority {_ANY_RATES} [pfc on|off]",
        ),
        row(
            "priority-pgid <by_priority:by_priority...>",
            st.Groups,
            f"{_LOSSLESS} queues",
            no=st.Groups(None),
            no_form="priority-pgid [<...>]",
        ),
        unread("priority"),
    )
)

_QOS_OUT = _strict(
    base="queues.#",
    rows=(
        row("bandwidth-percentage <percent:1..100>", ps.Share, "share share_kind scheduling"),
        row("scheduler strict", ps.Strict(True), "share scheduling"),
        row("scheduler werr", ps.Strict(False), "share scheduling"),
        *(
            row(f"{words} {_SHAPE} [committed [kbps|pps] <_:count> [<_:count>]]", st.shape, "max_rate_bps")
            for words in ("rate shape", "rate-shape")
        ),
        row("wred ecn", st.Ecn(True), "ecn", no=st.Ecn(False)),
        row(
            "wred <colour:green|yellow> <profile>",
            st.Wred,
            "ecn",
            no=st.Wred,
            no_form="wred <colour:green|yellow> [<>]",
        ),
        row("wred weight <value:0..15>", sets("ecn.weight"), no=None),
    ),
)

TABLE = StatementTable(
    name="os9",
    types=_TYPES,
    comments=("!", "#"),
    modes={
        "top": _TOP,
        "port": _PORT,
        "lacp": Mode(
            (
                row(
                    "port-channel <number:1..4096> mode active|passive|off",
                    st.Channel,
                    f"{_CLASSIFYING} {_LOSSLESS} ip_mtu_bytes",
                ),
            )
        ),
        "lldp": _LLDP,
        "dcbmap": _DCB_MAP,
        "threshold": _strict(
            (
                row(
                    "priority <priorities:priorities> {buffer-size <size:kb>, pause-threshold <pause:kb>,"
                    " resume-offset <resume_offset:kb>, shared-threshold-weight <weight:kb>}",
                    st.thresholds,
                    "groups",
                    no=st.NoThresholds,
                    no_form="priority <priorities:priorities> {buffer-size <_:kb>, pause-threshold <_:kb>,"
                    " resume-offset <_:kb>, shared-threshold-weight <_:kb>}",
                ),
            )
        ),
        "dcbinput": _strict((*_PFC, row("pfc mode off", st.PfcMode(False), _LOSSLESS))),
        "dcboutput": _strict(
            (
                row("ets mode on", st.EtsMode(True), _ETS, no=st.EtsMode(False), no_form="ets mode [on]"),
                row("ets mode off", st.EtsMode(False), _ETS),
                row("priority-group <group> qos-policy <policy>", st.GroupPolicy, _ETS),
            )
        ),
        "pgroup": _strict(
            (
                row("priority-list <priorities:priorities>", st.Members, _ETS),
                row("set-pgid <number:0..7>", st.GroupNumber, _ETS),
            )
        ),
        "classmap": Mode((row("match <...>", no=None),)),
        "policyin": _strict(
            (
                row(
                    "service-queue <queue:0..7> [class-map <classmap>] [qos-policy <policy>] [order <_:count>]",
                    partial(st.Service, outward=False),
                    _CLASSIFYING,
                ),
                _AGGREGATE,
                row("trust diffserv|dot1p [fallback]", no=None),
            )
        ),
        "policyout": _strict(
            (
                row(
                    "service-queue <queue:0..7> [class-map <classmap>] qos-policy <policy>",
                    partial(st.Service, outward=True),
                    "queues",
                ),
                _AGGREGATE,
            )
        ),
        "qosin": _strict(
            (
                row("rate police <_:rates...>", ps.Police(), "policed"),
                row("rate-police <_:rates...>", ps.Police(), "policed"),
                row("set ip-dscp <dscp:0..63>", ps.SetDscp, "rewrites_dscp"),
                row("set mac-dot1p <_:count>", no=None),
            )
        ),
        "qosout": _QOS_OUT,
        "wredprofile": Mode(
            base="queues.#.ecn",
            rows=(
                row(
                    "threshold min <low:0..77824> max <high:0..77824> [max-drop-rate <percent:0..100>]",
                    st.Curve,
                    "min_bytes max_bytes max_probability_percent",
                ),
            ),
        ),
        "vlt": Mode((row("peer-link port-channel <number:1..4096> [<...>]", st.PeerLink),)),
        "state": Mode(
            (
                row("queues <queues:by_priority...>", st.QueuesShown, _ETS),
                row("pfc active <value:active>", sets("pfc.operational"), no=None),
                row("pfc inactive", sets("pfc.operational", frozenset()), no=None),
                SHOWN_OFF,
                CONNECTED,
            )
        ),
        "acl": Mode(raw=True),
        "other": Mode(
            ignored=frozenset(
                {
                    "service-class",
                    "service-policy",
                    "match",
                    "set",
                    "mtu",
                    "advertise",
                    "dcbx",
                    "trust",
                    "bandwidth-percentage",
                }
            )
        ),
    },
)
