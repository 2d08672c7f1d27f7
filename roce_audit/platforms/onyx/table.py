"""The statements of NVIDIA Onyx that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

NVIDIA Onyx User Manual v3.10; Ansible collection mellanox.onyx. A line gives its whole path, so a mode holds what is left of it.
"""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.onyx import statements as st
from roce_audit.platforms.shared.cli.filters import DROPS
from roce_audit.platforms.shared.cli.rows import CONNECTED
from roce_audit.platforms.shared.leaves import number, scaled, word
from roce_audit.platforms.shared.policy.statements import Shape
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, Block, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_TYPES = {
    "alpha": st.alpha,
    "buffer": st.other_buffer,
    "count": number(0, 999_999_999),
    "decimal": st.decimal,
    "dei": st.listed(1),
    "dscp": st.listed(63),
    "fec": word({"no-fec": "none", "fc-fec": "fc", "rs-fec": "rs"}),
    "group": st.group,
    "mbps": scaled(10, 1_600_000, 1_000_000),
    "percent": st.percent,
    "percents": st.percents,
    "priorities": st.listed(7),
    "rate": st.rate,
    "running": st.running,
    "shaper": st.shaper,
    "size": st.size,
    "threshold": st.threshold,
    "tlvs": st.tlvs,
    "lacp": word({"on": "static", "active": "active", "passive": "passive"}),
    "trust": word({"port": "none", "L2": "pcp", "L3": "dscp", "both": "both"}),
}

_CLASSIFYING = "trust dscp pcp"
_SWITCHING = f"pfc queues groups {_CLASSIFYING} ip_mtu_bytes"
_ALL = (
    f"{_SWITCHING} admin_up speed_bps autoneg fec classes priorities policed rewrites_dscp"
    " link_pause_rx link_pause_tx dcbx"
)
_REWRITING = "rewrites_dscp classes"
_POLICY = "dscp pcp policed"
_SCHEDULING = "queues.#.scheduling queues.#.share queues.#.share_kind"

_FOREIGN = (
    unread("default", _ALL),
    unread("pfc", "pfc"),
    unread("pfc-watchdog", "pfc.watchdog"),
    unread("priority-flow-control", "pfc"),
    unread("ecn", "queues"),
    unread("congestion-control", "queues"),
    unread("service-policy", _POLICY),
)
"""Words of other systems, or Onyx's own where they say nothing to it."""

_TOP = Mode(
    rows=(
        row(
            "roce [<mode:lossless|semi-lossless|lossy>]",
            st.Roce,
            f"pfc groups queues classes priorities {_CLASSIFYING}",
            no=st.Roce(None),
            no_form="roce [lossless|semi-lossless|lossy]",
        ),
        row(
            "dcb priority-flow-control enable [force]",
            st.PfcEnabled(True),
            "pfc",
            no=st.PfcEnabled(False),
            no_form="dcb priority-flow-control [enable] [force]",
        ),
        row(
            "dcb priority-flow-control priority <priorities:priorities...> enable",
            partial(st.PfcPriorities, on=True),
            "pfc",
            no=partial(st.PfcPriorities, on=False),
            no_form="dcb priority-flow-control priority <priorities:priorities...> [enable]",
        ),
        row("dcb ets enable [force]", paths="queues", no=None),
        row("dcb ets tc bandwidth <percents:percents...>", st.EtsShares, "queues", no=None),
        row("dcb application-priority <...>", no_form="dcb application-priority <...>"),
        row(
            "vlan map-priority <priority:0..7> traffic-class <traffic_class:0..7>",
            st.PriorityClass,
            "classes priorities",
            no=None,
        ),
        row(
            "traffic pool <name> [force]",
            st.TrafficPool,
            "groups",
            no=st.NoTrafficPool,
            no_form="traffic pool <name> [force]",
        ),
        row(
            "traffic pool <name> type <kind:lossless|lossy|lossy-mc> [map switch-priority <priorities:priorities...>]",
            st.TrafficPool,
            "groups",
            no=None,
        ),
        row("traffic pool <name> map switch-priority <priorities:priorities...>", st.TrafficPool, "groups", no=None),
        row("traffic pool <name> memory auto", partial(st.TrafficPool, memory="auto"), "groups", no=None),
        row("traffic pool <name> memory percent <memory:decimal>", st.TrafficPool, "groups", no=None),
        row(
            "advanced buffer management [force]",
            st.AdvancedBuffers(True),
            "groups classes priorities",
            no=st.AdvancedBuffers(False),
            no_form="advanced buffer management [force]",
        ),
        row("pool <name> size <size:size> [type <mode:dynamic|static>]", st.Pool, "groups", no=None),
        row("lldp", sets("dcbx.lldp", True), "dcbx", no=False),
        row("lldp <...>", no_form="lldp <...>"),
        *_FOREIGN,
        unread("qos", f"{_CLASSIFYING} queues"),
        unread("pfc-wd", "pfc.watchdog"),
        unread("class-map", "dscp pcp"),
        unread("policy-map", _POLICY),
    ),
    opens={
        "interface": "port",
        "ipv4 access-list": "acl",
        "ipv6 access-list": "acl",
        "mac access-list": "acl",
    },
    ignored=frozenset({"interface"}),
    shared=frozenset({"advanced", "vlan"}),
)

_PORT = Mode(
    rows=(
        row("interface <...>", paths=_ALL, no=None),  # what `no interface ethernet 1/1` leaves is not documented
        row("mtu <68..65535> [force]", sets("ip_mtu_bytes"), no_form="mtu [<_:count>] [force]"),
        row("speed <bps:rate> <manual?no-autoneg> [force]", st.FixedSpeed, "speed_bps autoneg", no=None),
        row("speed auto [force]", sets("speed_bps", ABSENT), no=ABSENT, no_form="speed [force]"),
        row("fec-override <value:fec> [force]", sets("fec"), no=ABSENT, no_form="fec-override [<_:fec>] [force]"),
        row(
            "flowcontrol receive <on|off> [force]",
            sets("link_pause_rx"),
            no=False,
            no_form="flowcontrol receive [on|off] [force]",
        ),
        row(
            "flowcontrol send <on|off> [force]",
            sets("link_pause_tx"),
            no=False,
            no_form="flowcontrol send [on|off] [force]",
        ),
        row("shutdown", sets("admin_up", False), no=True),
        row("lacp rate <value:fast|slow>", sets("lacp_rate"), no_form="lacp rate [<...>]"),
        *(
            row(
                f"{words} <number:count> [mode <lacp:lacp>]",
                partial(st.Channel, prefix),
                f"{_SWITCHING} lacp lacp_rate shared_channel",
                no=st.Channel(prefix, None),
                no_form=f"{words} [<...>]",
            )
            for words, prefix in (("channel-group", "Po"), ("mlag-channel-group", "Mpo"))
        ),
        row(
            "dcb priority-flow-control mode <mode:on|auto> [force]",
            st.PfcMode,
            "pfc",
            no=st.PfcMode("off"),
            no_form="dcb priority-flow-control [mode] [on|auto] [force]",
        ),
        row("dcb application-priority <...>", no=None),
        unread("dcb", "pfc queues"),
        unread("bandwidth", "queues.*.max_rate_bps"),
        row("pfc-wd", sets("pfc.watchdog.on", True), "pfc.watchdog", no=False),
        row("qos trust <value:trust>", sets("trust"), _CLASSIFYING, no_form="qos trust [<_:trust>]"),
        row(
            "qos map dscp <code_points:dscp...> to switch-priority <priority:0..7>",
            st.DscpMap,
            "dscp",
            no=st.DscpMap,
            no_form="qos map dscp <code_points:dscp...> [to switch-priority <_:count>]",
        ),
        row(
            "qos map pcp <tags:priorities...> [dei <dei:dei...>] to switch-priority <priority:0..7>",
            st.pcp_map,
            "dscp pcp",
            no=None,
        ),
        row(
            "qos default switch-priority <priority:0..7>",
            st.DefaultPriority,
            "dscp pcp",
            no=st.DefaultPriority(None),
            no_form="qos default switch-priority [<_:count>]",
        ),
        row("qos rewrite dscp", st.RewriteDscp(True), _REWRITING, no=st.RewriteDscp(False)),
        row(
            "qos rewrite map switch-priority <priorities:priorities...> dscp <dscp:0..63>",
            st.RewriteMap,
            _REWRITING,
            no=None,
        ),
        row("qos rewrite map switch-priority <priorities:priorities...> pcp <...>", paths=_REWRITING, no=None),
        row("qos [ip] rewrite pcp", paths=_REWRITING, no_form="qos [ip] rewrite pcp"),
        row(
            "vlan default priority <tag:0..7>",
            st.DefaultPcp,
            "dscp pcp",
            no=st.DefaultPcp(None),
            no_form="vlan default priority [<_:count>]",
        ),
        row("vlan default dei <_:count>", paths="dscp pcp", no_form="vlan default dei [<_:count>]"),
        row(
            "ipv4|ipv6|mac port access-group <name>",
            st.AccessGroup,
            f"{_POLICY} {DROPS}",
            no=st.AccessGroup(None),
            no_form="ipv4|ipv6|mac port access-group [<>]",
        ),
        row("lldp transmit|receive", sets("dcbx.lldp", True), no=False),
        row("lldp tlv-select <value:tlvs...>", sets("dcbx.mode"), no=None),
        row("traffic-class <number:0..7>", Block, "queues classes priorities", no=None),
        row("ingress-buffer <number:group>", Block, "groups classes priorities", no=None),
        row("egress-buffer <number:buffer>", Block, no=None),
        *_FOREIGN,
    ),
    opens={"traffic-class": "tc", "ingress-buffer": "pg", "egress-buffer": "eb"},
    ignored=frozenset({"vxlan"}),
    labels=frozenset({"description", "switchport", "ip", "ipv6", "vrf", "ipl", "module-type"}),
    shared=frozenset({"ipv4", "ipv6", "lacp", "lldp", "mac", "vlan"}),
    doubted=_ALL,
)

_TRAFFIC_CLASS = Mode(
    rows=(
        row(
            "congestion-control <kind:ecn|red|both> minimum-absolute <low:threshold> maximum-absolute <high:threshold>",
            st.Curve,
            "queues.#.ecn",
            no=st.NoCurve(),
            no_form="congestion-control [ecn|red|both [minimum-absolute <_:threshold> maximum-absolute <_:threshold>]]",
        ),
        row(
            "congestion-control <kind:ecn|red|both> minimum-relative <low:percent> maximum-relative <high:percent>",
            st.Curve,
            "queues.#.ecn",
            no=st.NoCurve(),
            no_form="congestion-control ecn|red|both minimum-relative <_:count> maximum-relative <_:count>",
        ),
        row("dcb ets strict", st.Scheduling("strict"), _SCHEDULING, no=st.Scheduling(None), no_form="dcb ets [strict]"),
        row(
            "dcb ets wrr <weight:0..100>",
            partial(st.Scheduling, "weighted"),
            _SCHEDULING,
            no=st.Scheduling(None),
            no_form="dcb ets wrr [<_:count>]",
        ),
        row(
            "bind switch-priority <priorities:priorities...>",
            partial(st.Bind, "queue"),
            "classes priorities",
            no=NOTHING,
            no_form="bind switch-priority [<_:priorities...>]",
        ),
        row(
            "bandwidth shape <bps:shaper...>",
            partial(Shape, on=True),
            "queues.#.max_rate_bps",
            no=Shape(None, False),
            no_form="bandwidth shape [<...>]",
        ),
        row("bandwidth guaranteed <...>", no_form="bandwidth guaranteed [<...>]"),
    ),
    strict=True,
    labels=frozenset({"description"}),
)

_INGRESS_BUFFER = Mode(
    rows=(
        row(
            "bind switch-priority <priorities:priorities...>",
            partial(st.Bind, "group"),
            "classes priorities",
            no=NOTHING,
            no_form="bind switch-priority [<_:priorities...>]",
        ),
        row(
            "map pool <pool> type <kind:lossless|lossy|lossy-mc> reserved <reserved:size>"
            " [xoff <_:size>] [xon <xon:size>] [shared alpha <alpha:alpha>]",
            st.GroupBuffer,
            "groups.#",
            no=None,
        ),
    ),
    strict=True,
    labels=frozenset({"description"}),
)

TABLE = StatementTable(
    name="onyx",
    types=_TYPES,
    negations=("no",),
    comments=("#", "!"),
    modes={
        "top": _TOP,
        "port": _PORT,
        "tc": _TRAFFIC_CLASS,
        "pg": _INGRESS_BUFFER,
        "eb": Mode((row("map pool <...>", no_form="map [<...>]"),)),
        "state": Mode(
            (
                CONNECTED,
                row("mtu <68..65535>", sets("ip_mtu_bytes"), no=None),
                row("pfc enabled", st.PfcRuns(), "pfc.operational", no=None),
                row("pfc enabled <value:running...>", sets("pfc.operational"), no=None),
                row("pfc disabled [<_:running...>]", sets("pfc.operational", frozenset()), no=None),
                row("traffic-class <number:0..7>", Block, "queues", no=None),
            ),
            opens={"traffic-class": "tc"},
        ),
        "acl": Mode(raw=True),
    },
)
