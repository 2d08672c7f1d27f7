"""The statements of Huawei VRP that concern lossless Ethernet, block by block: how each is written, and what it sets.

CloudEngine 6800 and 8800, V300R023C00, configuration guide and command reference.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.routing import bgp, other_routing
from roce_audit.platforms.shared.cli.rows import SHOWN_OFF, SHUTDOWN, shared_channel
from roce_audit.platforms.shared.leaves import number, numbers, scaled, word
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.vrp import profiles, values
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.profiles import CLASSIFYING
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, Row, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_BYTES = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}
"""The guide does not say whether a kbyte is 1,000 or 1,024 bytes; the smaller reading is taken."""
_SHOWN_FEC = word({"rs": "rs", "rs-fec": "rs", "none": "none", "base-r": "fc", "base-r-fec": "fc"})
_TYPES = {
    "members": values.member_ranges,
    "bps": word({"kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}),
    "codepoint": word({str(value): value for value in range(64)} | dict(DSCP_NAMES)),
    "count": number(0, 999_999_999),
    "dscp": numbers(63, DSCP_NAMES),
    "fec": word({"rs": "rs", "none": "none", "base-r": "fc"}),
    "hashed": values.hashed,
    "paused": word({"ENABLE": True, "DISABLE": False}),
    "shownfec": lambda text: _SHOWN_FEC(text.lower()),
    "logic": word({"and": True, "or": False}),
    "mbps": scaled(10, 1_600_000, 1_000_000),
    "mode": word({"10G": 10_000_000_000, "GE": 1_000_000_000}),
    "phb": word(dict(st.QUEUES)),
    "policing": values.policing,
    "precedence": word({str(value): value for value in range(8)} | dict(st.QUEUES)),
    "priorities": numbers(7),
    "queues": values.ranges,
    "slot": word({str(value): str(value) for value in range(1, 65)}),
    "running": word({"on": True, "off": False}),
    "scale": word(dict(_BYTES)),
    "size": word({unit: unit for unit in (*_BYTES, "cells")}),
}
_PAUSING = "pfc groups priorities classes"
_TRUSTING = f"{CLASSIFYING} classes"
_EVERYTHING = f"{CLASSIFYING} queues {_PAUSING} ip_mtu_bytes speed_bps fec autoneg"


def _traffic_policy(written: str, way: ps.Way, paths: str) -> Row:
    """The row of `traffic-policy NAME inbound|outbound`."""
    return row(
        f"traffic-policy <name> {written}",
        partial(ps.Binding, "qos", way),
        paths,
        no=ps.Binding("qos", way),
        no_form=f"traffic-policy <> {written}",
    )


_TRAFFIC_POLICY = (
    _traffic_policy("inbound", "input", CLASSIFYING),
    _traffic_policy("outbound", "output", "rewrites_dscp"),
)
_WATCHDOG = (
    row(
        "dcb pfc deadlock-detect interval <ms:count>",
        st.DeadlockInterval,
        "pfc.watchdog",
        no=st.DeadlockInterval(10),
    ),
    row(
        "dcb pfc deadlock-detect timer <ms:10..1500>",
        partial(st.DeadlockTimer, "detect"),
        "pfc.watchdog",
        no=st.DeadlockTimer("detect", 100),
    ),
    row(
        "dcb pfc deadlock-recovery timer <ms:10..1500>",
        partial(st.DeadlockTimer, "restore"),
        "pfc.watchdog",
        no=st.DeadlockTimer("restore", 100),
    ),
    row(
        "dcb pfc deadlock recovery-behavior <action:forwarding|discard> slot <slot:slot>",
        lambda action, slot: st.RecoveryBehaviour(slot, "forward" if action == "forwarding" else "drop"),
        "pfc.watchdog",
        no=lambda slot: st.RecoveryBehaviour(slot, None),
        no_form="dcb pfc deadlock recovery-behavior forwarding|discard slot <slot:slot>",
    ),
)
_TOP = Mode(
    rows=(
        other_routing("isis [<...>]"),
        *_WATCHDOG,
        row(
            "dcb pfc dscp-mapping enable slot <slot:slot>",
            partial(st.DscpMapping, on=True),
            "classes",
            no=partial(st.DscpMapping, on=False),
            no_form="dcb pfc dscp-mapping enable slot <slot:slot>",
        ),
        row("dcb pfc global disable", st.PfcGlobally(True), "pfc", no=st.PfcGlobally(False)),
        row("qos ecn [enable]", st.EcnGlobally(True), "queues", no=st.EcnGlobally(False)),
        row(
            "qos buffer headroom-pool size <value:count> <unit:scale> slot <slot:slot>",
            lambda value, unit, slot: st.HeadroomPool(slot, value * unit),
            "groups",
            no=lambda slot: st.HeadroomPool(slot, None),
            no_form="qos buffer headroom-pool [size <_:count> <_:scale>] slot <slot:slot>",
        ),
        row("qos car <name> cir <_:policing...>", st.CarProfile, "policed", no=NOTHING, no_form="qos car <>"),
        row("qos hpc enhanced"),
        row("load-balance ecmp rail-group|stateful|rocev2 <...>"),
        row("lldp enable", st.Lldp(True), "dcbx", no=st.Lldp(False)),
        _traffic_policy("global [slot <>] inbound", "input", CLASSIFYING),
        _traffic_policy("global [slot <>] outbound", "output", "rewrites_dscp"),
        row("qos burst-mode <...>"),
        row("qos buffer-monitoring|micro-burst|queue-alarm|statistics|group <...>"),
        unread("trust", CLASSIFYING),
        unread("jumboframe", "ip_mtu_bytes"),
        unread("flow-control", "link_pause_rx link_pause_tx"),
    ),
    opens={
        "interface": "port",
        "dcb pfc": "pfcprofile",
        "dcb pfc uplink group": "other",
        "dcb ets-profile": "etsprofile",
        "dcb app-profile": "other",
        "abs-pfc profile": "other",
        "drop-profile": "dropprofile",
        "diffserv domain": "domain",
        "traffic policy": "qospolicy",
        "traffic classifier": "qosmap",
        "traffic behavior": "behavior",
        "acl": "acl",
        "ai-service": "aiservice",
        "vlan": "vlan",
        "port-group": "portgroup",
        "interface range": "portgroup",
        "rail-group": "other",
        "aaa": "other",
        "bgp": "bgp",
        "load-balance ecmp": "ecmp",
        "ospf": "igp",
    },
    ignored=frozenset({"interface", "lldp", "vlan", "aaa", "bgp", "qos-group"}),
    shared=frozenset({"lldp", "load-balance"}),
)


_BUFFERS = (
    row(
        "dcb pfc buffer <queue:0..7> xoff <kind:static|dynamic> <value:count> [<unit:size>]"
        " [xon offset <offset:count> [<offset_unit:scale>]]",
        st.offset_threshold,
        "groups",
        no=None,
    ),
    row(
        "dcb pfc buffer <queue:0..7> xon <kind:static|dynamic> <xon:count> [<xon_unit:size>]"
        " xoff <xoff_kind:static|dynamic> <xoff:count> [<xoff_unit:size>]",
        st.two_thresholds,
        "groups",
        no=None,
    ),
    row(
        "dcb pfc buffer <queue:0..7> hdrm <value:count> [<unit:scale>]",
        lambda queue, value, unit=1_000: st.QueueBuffer(queue, "headroom_bytes", value * unit),
        "groups",
        no=None,
    ),
    row(
        "dcb pfc buffer <queue:0..7> guaranteed <value:count> [<unit:scale>]",
        lambda queue, value, unit=1: st.QueueBuffer(queue, "reserved_bytes", value * unit),
        "groups",
        no=st.NoQueueBuffer,
        no_form="dcb pfc buffer [<queue:0..7> [<what:xoff|xon|hdrm|guaranteed> [<...>]]]",
    ),
)
_SCHEDULING = tuple(
    row(
        f"qos {mode} <queues:queues...>",
        partial(st.QueueMode, mode),
        "queues",
        no=partial(st.QueueMode, ""),
        no_form=f"qos {mode} <queues:queues...>",
    )
    for mode in ("pq", "drr", "lpq")
)
_QUEUE = (
    row(
        "qos queue <queue:0..7> drr weight <weight:1..100>",
        st.DrrWeight,
        "queues",
        no=partial(st.DrrWeight, weight=None),
        no_form="qos queue <queue:0..7> drr weight [<_:count>]",
    ),
    row(
        "qos queue <queue:0..7> wred <profile>",
        st.QueueWred,
        "queues",
        no=partial(st.QueueWred, profile=None),
        no_form="qos queue <queue:0..7> wred [<>]",
    ),
    row(
        "qos queue <queue:0..7> ecn",
        partial(st.QueueEcn, on=True),
        "queues",
        no=partial(st.QueueEcn, on=False),
        no_form="qos queue <queue:0..7> ecn",
    ),
    row(
        "qos queue <queue:0..7> shaping cir <rate:count> [<unit:bps>] [cbs <_:count> [<_:scale>]]"
        " [pir <peak:count> [<peak_unit:bps>] [cbs <_:count> [<_:scale>] pbs <_:count> [<_:scale>]]]",
        st.shape,
        "queues",
        no=None,
    ),
    row(
        "qos queue <queue:0..7> shaping percent cir <_:count> [pir <_:count>]",
        partial(st.QueueShape, bps=None),
        "queues",
        no=partial(st.QueueShape, bps=None, on=False),
        no_form="qos queue <queue:0..7> shaping [<...>]",
    ),
    row(
        "qos lr cir <rate:count> [<unit:bps>] [cbs <_:count> [<_:scale>]] [outbound]",
        st.port_shape,
        "queues",
        no=st.PortShape(None),
        no_form="qos lr [<...>]",
    ),
    row(
        "qos buffer queue <queue:0..7> shared-threshold static <value:count> <unit:scale>",
        lambda queue, value, unit: st.Limit(queue, value * unit),
        "queues",
        no=None,
    ),
    row(
        "qos buffer queue <queue:0..7> shared-threshold dynamic <_:count>",
        st.Limit,
        "queues",
        no=partial(st.Limit, reset=True),
        no_form="qos buffer queue <queue:0..7> [shared-threshold [<...>]]",
    ),
    row("qos burst-mode <...>"),
    row("qos phb marking dscp enable", st.Marking(True), "rewrites_dscp classes", no=st.Marking(False)),
    row("qos phb marking 8021p enable|disable"),
    row("qos car inbound <profile>", st.Policed, "policed", no=st.Policed(None), no_form="qos car inbound [<>]"),
    row("qos car outbound <>", no_form="qos car outbound [<>]"),
    row("qos buffer-monitoring|micro-burst|queue-alarm|statistics <...>"),
)
_PORT = Mode(
    rows=(
        row("interface <> [<gbps:count>]", st.Nominal, no=None),
        row(
            "dcb pfc enable [<profile>] mode <mode:auto|manual>",
            lambda mode, profile="default": st.PfcEnable(profile, "on" if mode == "manual" else "auto"),
            _PAUSING,
            no=None,
        ),
        row(
            "dcb pfc enable [<profile>]",
            lambda profile="default": st.PfcEnable(profile, "on"),
            _PAUSING,
            no=st.PfcEnable("", "off"),
            no_form="dcb pfc enable [<>] [mode [auto|manual]]",
        ),
        *_BUFFERS,
        row("dcb ets enable <profile>", st.EtsEnable, "queues", no=st.EtsEnable(None), no_form="dcb ets enable [<>]"),
        row("dcb app-profile enable <>", no_form="dcb app-profile enable [<>]"),
        row("dcb app-profile disable"),
        row("dcb compliance intel-oui", st.Compliance(True), "dcbx", no=st.Compliance(False)),
        row("dcb abs-pfc queue <_:count> enable [threshold <_:count>]", no_form="dcb abs-pfc queue <_:count> enable"),
        row("trust dscp", st.Trust("dscp"), _TRUSTING, no=None),
        row(
            "trust 8021p [inner|outer]",
            st.Trust("pcp"),
            _TRUSTING,
            no=st.Trust(None),
            no_form="trust [dscp|8021p [inner|outer]]",
        ),
        row("trust upstream <domain>", st.Upstream, _TRUSTING, no=st.Upstream(""), no_form="trust upstream [<>]"),
        row("port priority <number:0..7>", st.PortPriority, _TRUSTING, no=st.PortPriority(0)),
        row("port pfc-deadlock trigger error-down|turn-off", paths="pfc.watchdog.action"),
        row("port mode <value:mode>", sets("speed_bps")),
        *_SCHEDULING,
        *_QUEUE,
        *_TRAFFIC_POLICY,
        row("mtu <size_bytes:46..9600>", st.Mtu, "ip_mtu_bytes", no=st.Mtu(None)),
        row("jumboframe enable <frame_bytes:1518..12288>", st.Jumbo, "ip_mtu_bytes", no=st.Jumbo(None)),
        row("flow-control", sets("link_pause_rx link_pause_tx", True), no=False),
        row("flow-control input", sets("link_pause_rx", True), no=False),
        row("flow-control output", sets("link_pause_tx", True), no=False),
        SHUTDOWN,
        row("speed <value:mbps>", sets("speed_bps"), no=ABSENT, no_form="speed [<_:count>]"),
        row("speed auto [<_:count>]", sets("speed_bps", ABSENT), no=ABSENT),
        row("fec mode <value:fec>", sets("fec"), no=ABSENT, no_form="fec mode [rs|none|base-r]"),
        row("negotiation disable", sets("autoneg", False), no=True),
        row("negotiation auto", sets("autoneg", True), no=False),
        row("negotiation compatible-mode"),
        row("portswitch", st.Portswitch(True), f"ip_mtu_bytes {_TRUSTING}", no=st.Portswitch(False)),
        row(
            "eth-trunk <number:0..16383>",
            st.Channel,
            f"{_EVERYTHING} lacp lacp_rate min_links shared_channel",
            no=st.Channel(None),
        ),
        row("mode lacp-static|lacp-dynamic|lacp", sets("lacp", "active"), no="static", no_form="mode [<...>]"),
        row("mode manual [load-balance]", sets("lacp", "static"), no=None),
        row(
            "lacp timeout <value:fast|slow> [user-defined <_:count>]", sets("lacp_rate"), no_form="lacp timeout [<...>]"
        ),
        row("least active-linknumber <value:count>", sets("min_links"), no_form="least active-linknumber [<_:count>]"),
        shared_channel("dfs-group <_:count> m-lag <name:count>", "m-lag"),
        row("lldp enable", st.Lldp(True), "dcbx", no=st.Lldp(False)),
        row("lldp disable", st.Lldp(False), "dcbx", no=st.Lldp(True)),
        row("lldp admin-status txrx", st.Lldp(True), "dcbx", no=st.Lldp(True), no_form="lldp admin-status"),
        row("lldp admin-status tx|rx", st.Lldp(False), "dcbx", no=None),
        unread("priority-flow-control", "pfc"),
        filter_row("traffic-filter acl [name]", "inbound|outbound"),
        row("lldp tlv-enable dcbx", st.Dcbx(True), "dcbx", no=st.Dcbx(False)),
    ),
    labels=frozenset({"description", "port", "ip", "ipv6", "peer-link", "vrf"}),
    ignored=frozenset({"statistics", "interface", "stp", "ospf", "m-lag"}),
    shared=frozenset({"lldp", "port", "lacp", "mode", "least", "dfs-group"}),
    doubted=f"kind lacp lacp_rate min_links shared_channel {_EVERYTHING} admin_up dcbx link_pause_rx link_pause_tx",
)
_ECMP = Mode(
    rows=(
        row("ip <value:hashed...>", sets("forwarding.hash_uses_ports"), no=True, no_form="ip [<...>]"),
        row(
            "ecmp [underlay] seed <value:0..255>",
            sets("forwarding.hash_seed"),
            no=ABSENT,
            no_form="ecmp [underlay] seed [<_:count>]",
        ),
        row("ecmp mode spray", sets("forwarding.sprays", True), no=False),
        row("ecmp mode fixed|eligible <...>"),
        row("ecmp overlay|universal-id <...>"),
    ),
)
"""CloudEngine 9800, 8800, and 6800 V300R024C00 Command Reference, Load Balancing Configuration Commands: without `ip` the source port is
in the hash."""
_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""A block that is ours as a whole."""
TABLE = StatementTable(
    name="vrp",
    types=_TYPES,
    comments=("#", "!"),
    negations=("undo",),
    modes={
        "top": _TOP,
        "bgp": bgp("maximum load-balancing [ebgp|ibgp|eibgp] <paths:count> [ecmp-nexthop-changed]"),
        "port": _PORT,
        "portgroup": replace(
            _PORT,
            rows=(
                *_PORT.rows,
                row(
                    "group-member <ranges:members...>",
                    st.Members,
                    no=partial(st.Members, taken_back=True),
                    no_form="group-member <ranges:members...>",
                ),
            ),
        ),
        "ecmp": _ECMP,
        "pfcprofile": _strict(profiles.PFC),
        "etsprofile": _strict(profiles.ETS),
        "dropprofile": _strict(profiles.DROP),
        "domain": _strict(profiles.DOMAIN),
        "qospolicy": _strict(profiles.POLICY),
        "qosmap": _strict(profiles.CLASSIFIER),
        "behavior": Mode(profiles.BEHAVIOR, ignored=frozenset({"statistics", "redirect", "mirroring"})),
        "vlan": Mode(_TRAFFIC_POLICY, ignored=frozenset({"description", "statistics"})),
        "aiservice": Mode(
            (row("ai-ecn"),),
            opens={"ai-ecn": "aiecn", "iqcn": "other", "npcc": "other", "inof": "other", "mice-elephant-flow": "other"},
        ),
        "aiecn": Mode(profiles.AI_ECN),
        "acl": Mode(raw=True),
        "state": Mode(
            rows=(
                row("speed <value:mbps>", sets("speed_bps"), no=None),
                row("frame <frame_bytes:64..16000>", st.Jumbo, "ip_mtu_bytes", no=None),
                row("pause input <value:paused>", sets("link_pause_rx"), no=None),
                row("pause output <value:paused>", sets("link_pause_tx"), no=None),
                row("fec <value:shownfec>", sets("fec"), no=None),
                row(
                    "buffer <what:guaranteed|hdrm|offset|xoff|xon> <queue:0..7> <value:count> <unit:B|K|M|C|D>",
                    st.ShownBuffer,
                    "groups",
                    no=None,
                ),
                row("running <on:running>", st.Running, "pfc.operational", no=None),
                SHOWN_OFF,
                row("ecn <queue:0..7> <low_kb:count> <high_kb:count>", st.ShownCurve, "queues.*.ecn", no=None),
            ),
            strict=True,
        ),
        "other": Mode(),
        "igp": Mode(),
    },
)
