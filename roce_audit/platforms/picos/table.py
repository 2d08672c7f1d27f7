"""The statements of PicOS that concern lossless Ethernet: how each is written behind its header, and what it sets.

Seen in the PicOS documentation (pica8-fs.atlassian.net, releases 4.3 to 4.5) and in a published QoS guide of core switches;
what was not seen is told as unread.
"""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.picos import statements as st
from roce_audit.platforms.shared.leaves import number, reduced, word
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, UNDOCUMENTED, Row, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_FRAME_ABOVE_IP = 18
"""The MTU is that of the frame with its checksum: ConnetOS, of the same origin, documents 1518 as its default."""
_MARKS = "trust dscp pcp"
_COS = f"pfc groups queues {_MARKS}"
_EVERYTHING = f"{_COS} ip_mtu_bytes link_pause_rx link_pause_tx speed_bps admin_up"
_ECN = "queues.*.ecn"
_TYPES = {
    "boolean": word({"true": True, "false": False}),
    "frame": reduced(64, 9216, _FRAME_ABOVE_IP),
    "mark": word({"dscp": "dscp", "ieee-802.1": "pcp"}),
    "mode": word({"SP": "strict", "WFQ": "weighted", "WRR": "weighted"}),
    "count": number(0, 999_999_999),
    "runs_lacp": word({"true": "active", "false": "static"}),
}


def _applied(words: str, kind: st.Kind, paths: str) -> Row:
    return row(
        f"class-of-service {words} <name>",
        partial(st.Apply, kind),
        paths,
        no=st.Apply(kind),
        no_form=f"class-of-service {words} [<>]",
    )


def _wred(word_: str, what: st.OfWred, value: str) -> Row:
    return row(
        f"wred queue <queue:0..7> {word_} <value:{value}>",
        partial(st.Wred, what=what),
        _ECN,
        no=partial(st.Wred, what=what),
        no_form=f"wred queue <queue:0..7> {word_}",
    )


def _watchdog(words: str) -> Row:
    """The time of a detection in steps of a granularity that no page names."""
    return row(f"{words} code-point <_:0..7> detect-interval <_:1..15>", None, "pfc.watchdog", no=NOTHING)


_REMOVED = unread("class-of-service", _EVERYTHING)
"""A line that takes the whole definition away; nobody says what then holds of the lines behind it."""
TABLE = StatementTable(
    name="picos",
    types=_TYPES,
    negations=("delete",),
    comments=("#",),
    modes={
        "top": Mode(
            rows=(
                row(
                    "class-of-service easy-ecn mode <_:throughput-first|latency-first>",
                    st.EasyEcn(True),
                    _ECN,
                    no=st.EasyEcn(False),
                    no_form="class-of-service easy-ecn [mode]",
                ),
                _watchdog("class-of-service pfc-watchdog"),
                unread("class-of-service", _COS),
            ),
            ignored=frozenset(
                {"interface", "system", "protocols", "vlans", "l3-interface", "firewall", "ip", "version"}
            ),
        ),
        "port": Mode(
            rows=(
                row("interface <...>", None, _EVERYTHING, no=None),
                row("mtu <value:frame>", sets("ip_mtu_bytes")),
                row("speed <_...>", sets("speed_bps", UNDOCUMENTED)),
                row("disable|enable <_...>", sets("admin_up", UNDOCUMENTED)),
                row("ether-options flow-control <value:boolean>", sets("link_pause_rx link_pause_tx"), no=False),
                row("ether-options 802.3ad <name>", st.Channel, f"{_EVERYTHING} lacp min_links", no=st.Channel()),
                row("aggregated-ether-options lacp enable <value:runs_lacp>", sets("lacp"), no=ABSENT),
                row("aggregated-ether-options min-selected-port <value:count>", sets("min_links"), no=ABSENT),
                _wred("enable", "on", "boolean"),
                _wred("min_thresh", "min_value", "count"),
                _wred("max_thresh", "max_value", "count"),
                _wred("drop_probability", "max_probability_percent", "0..100"),
                _applied("pfc-profile", "pfcprofile", "pfc groups"),
                _applied("classifier", "classifier", _MARKS),
                _applied("scheduler-profile", "schedulerprofile", "queues"),
                _watchdog("class-of-service pfc-watchdog"),
                unread("class-of-service", _COS),
            ),
            shared=frozenset({"ether-options"}),
            labels=frozenset({"description", "family"}),
            doubted=_EVERYTHING,
        ),
        "pfcprofile": Mode(
            rows=(
                row(
                    "code-point <priority:0..7> drop <drop:boolean>",
                    st.Drop,
                    "pfc groups",
                    no=st.Drop,
                    no_form="code-point <priority:0..7> [drop]",
                ),
                _REMOVED,
            ),
            strict=True,
        ),
        "classifier": Mode(
            rows=(
                row("trust-mode <mark:mark>", st.Believed, _MARKS, no=st.Believed(), no_form="trust-mode"),
                row(
                    "forwarding-class <forwarding_class> code-point <code_point:0..63>",
                    st.Classified,
                    "dscp pcp",
                    no=st.Unclassified,
                    no_form="forwarding-class <forwarding_class> [code-point <code_point:0..63>]",
                ),
                row("forwarding-class <>", no=None),
                _REMOVED,
            ),
            strict=True,
        ),
        "forwardingclass": Mode(
            rows=(
                row("local-priority <number:0..7>", st.LocalPriority, "dscp pcp queues", no=st.LocalPriority()),
                _REMOVED,
            ),
            strict=True,
        ),
        "schedulerprofile": Mode(
            rows=(
                row(
                    "forwarding-class <forwarding_class> scheduler <scheduler>",
                    st.Served,
                    "queues",
                    no=st.Served,
                    no_form="forwarding-class <forwarding_class> [scheduler]",
                ),
                _REMOVED,
            ),
            strict=True,
        ),
        "scheduler": Mode(
            rows=(
                row("mode <mode:mode>", st.Scheduling, "queues", no=None),
                row("weight <number:1..127>", st.Weight, "queues", no=None),
                row("guaranteed-rate <_:count>"),
                row("max-bandwidth-pps <_:count>", st.Limited(), "queues", no=None),
                _REMOVED,
            ),
            strict=True,
        ),
    },
)
