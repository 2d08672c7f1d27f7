"""Rows of the blocks that ports name: profiles of PFC, ETS and drops, DiffServ domains, traffic policies, AI ECN."""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.vrp import statements as st
from roce_audit.text.statements.rows import Row, row

CLASSIFYING = "dscp pcp trust policed rewrites_dscp"
"""Model paths that decide which class a packet enters."""
_PAUSING = "pfc groups"

PFC = (
    row(
        "priority <numbers:priorities...>",
        partial(st.PfcPriorities, True),
        _PAUSING,
        no=lambda numbers=(): st.PfcPriorities(False, numbers),
        no_form="priority [<numbers:priorities...>]",
    ),
    row(
        "priority <priority:0..7> deadlock-detect time <detect:1..15> [deadlock-recovery time <recovery:0..31>]",
        st.DeadlockTime,
        "pfc.watchdog",
        no=lambda priority: st.DeadlockTime(priority, detect=10),
        no_form="priority <priority:0..7> deadlock-detect [time [<_:count>]]",
    ),
    row(
        "priority <priority:0..7> deadlock-recovery time <recovery:0..31>",
        st.DeadlockTime,
        "pfc.watchdog",
        no=lambda priority: st.DeadlockTime(priority, recovery=10),
        no_form="priority <priority:0..7> deadlock-recovery [time [<_:count>]]",
    ),
    row("priority <_:count> turn-off|error-down threshold <_:count>", no_form="priority <_:count> turn-off|error-down"),
)

ETS = (
    row("priority-group <_:count> [pq]", no=None),
    row("priority-group <group:0..15> drr weight <weight:1..100>", st.EtsWeight, "queues", no=None),
    row("priority-group <group:0..15> queue <queues:queues...>", st.EtsMembers, "queues", no=None),
)


def _curves(words: str, names: tuple[st.CurveName, ...], unit: st.CurveUnit, keyword: str) -> tuple[Row, ...]:
    limits = f"{keyword}low-limit <low:count> high-limit <high:count> discard-percentage <percent:1..100>"
    return tuple(
        row(
            f"{words}{what} {limits}",
            partial(st.curve, what, unit),
            "ecn",
            no=None if keyword else st.NoCurve(what),
            no_form=f"{words}{what}",
        )
        for what in names
    )


_UNITS: tuple[tuple[st.CurveUnit, str], ...] = (
    ("percent", ""),
    ("bytes", "buffer-size "),
    ("cells", "buffer-size cell "),
)
DROP = tuple(
    found
    for unit, keyword in _UNITS
    for found in (*_curves("", ("ecn",), unit, keyword), *_curves("color ", ("green", "yellow", "red"), unit, keyword))
)

DOMAIN = (
    row(
        "ip-dscp-inbound <value:0..63> phb <queue:phb> [green|yellow|red]",
        partial(st.Inbound, "dscp"),
        "dscp",
        no=lambda value=None: st.Inbound("dscp", value, None),
        no_form="ip-dscp-inbound [<value:0..63> [phb <_:phb> [green|yellow|red]]]",
    ),
    row(
        "8021p-inbound <value:0..7> phb <queue:phb> [green|yellow|red]",
        partial(st.Inbound, "pcp"),
        "dscp pcp",
        no=lambda value=None: st.Inbound("pcp", value, None),
        no_form="8021p-inbound [<value:0..7> [phb <_:phb> [green|yellow|red]]]",
    ),
    row(
        "ip-dscp-outbound <queue:phb> <colour:green|yellow|red> map <dscp:0..63>",
        st.Outbound,
        "rewrites_dscp classes",
        no=lambda queue=None, colour="": st.Outbound(queue, colour, None),
        no_form="ip-dscp-outbound [<queue:phb> <colour:green|yellow|red> [map <_:count>]]",
    ),
    row("8021p-outbound <_:phb> green|yellow|red map <_:count>", no_form="8021p-outbound [<_:phb> green|yellow|red]"),
    row("dei enable"),
)

POLICY = (
    row(
        "classifier <classifier> behavior <behavior> [precedence <precedence:0..65535>]",
        st.PolicyLine,
        CLASSIFYING,
        no=st.PolicyLineRemoved,
        no_form="classifier <classifier> [behavior <> [precedence <_:count>]]",
    ),
    row("share-mode"),
)

_OTHER_MATCHES = (
    "vlan|inner-vlan|source-mac|destination-mac|l2-protocol|discard|double-tag|ecn|gre|inbound-interface|inner-8021p"
    "|ip-identification|nexthop|outbound-interface|protocol|qos-group|qos-local-id|rocev2|tcp-flag|unicast|unknown-unicast|vxlan"
)
CLASSIFIER = (
    row("traffic classifier type <all:logic>", ps.Logic, no=None),
    row("if-match [ipv6] dscp <values:dscp...>", partial(ps.Match, "dscp"), no=None),
    row("if-match 8021p <values:priorities...>", partial(ps.Match, "cos"), no=None),
    row("if-match ip-precedence <values:priorities...>", partial(ps.Match, "precedence"), no=None),
    row("if-match [ipv6] acl <name> [loose-mode|strict-mode]", partial(ps.Match, "acl", ()), no=None),
    row("if-match any", ps.Match("any"), no=None),
    row(f"if-match [ipv6] {_OTHER_MATCHES} [<...>]", ps.Match("other"), no=None),
)

BEHAVIOR = (
    row("remark dscp <dscp:codepoint>", ps.SetDscp, CLASSIFYING, no=None),
    row("remark local-precedence <number:precedence> [green|yellow|red]", ps.SetGroup, CLASSIFYING, no=None),
    row("remark 8021p|qos-local-id|vxlan <...>"),
    row("car cir <_:policing...>", ps.Police(), CLASSIFYING, no=None),
    row("car <> share", ps.Police(), CLASSIFYING, no=None),
    row("deny", ps.Drop(), "drops_roce", no=None),
)

AI_ECN = (
    row("ai-ecn enable", st.AiEcn(True), "queues", no=st.AiEcn(False)),
    row(
        "assign queue <queue:0..7> [model ai_ecn_centralizedstorage|ai_ecn_hpc|ai_ecn_distributedfilestorage]",
        partial(st.AiQueue, on=True),
        "queues",
        no=partial(st.AiQueue, on=False),
        no_form="assign queue <queue:0..7> [model <...>]",
    ),
)
