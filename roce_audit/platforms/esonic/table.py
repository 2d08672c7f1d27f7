"""The statements of Enterprise SONiC that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

SONiC Industry Standard CLI Reference Guide; Dell Enterprise SONiC User Guide, Quality of Service.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from roce_audit.platforms.esonic import objects
from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.kinds import ENTRIES, EVERYTHING, MAPS, MARKS, POLICING, ROCE, SCHEDULED
from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.rows import CONNECTED
from roce_audit.platforms.shared.leaves import ADDRESS, number, numbers, present, scaled, word
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_TYPES = {
    "alpha": st.alpha,
    "bytes": number(0, 64_000_000),
    "cable": st.cable,
    "codepoint": word({str(value): value for value in range(64)} | dict(DSCP_NAMES)),
    "colours": st.colours,
    "count": number(0, 999_999_999_999),
    "decimal": st.decimal,
    "fec": st.fec,
    "keys": numbers(63),
    "lacp": word({"active": "active", "on": "static"}),
    "kilobits": st.kilobits,
    "mbps": scaled(10, 1_600_000, 1_000_000),
    "policer": st.policer,
    "priorities": numbers(7),
    "queue": st.alone(7),
    "queues": numbers(19),
    "speeds": numbers(999_999),
    "thousands": st.thousands,
    "vtep": present(rf"(?:Loopback)?[0-9]{{1,5}}|{ADDRESS}"),
}


_PROFILE = (
    "lossless headroom_bytes headroom_is_shared pool reserved_bytes xoff_at_bytes xon_at_bytes xon_offset_bytes alpha"
)

_strict = partial(Mode, strict=True, ignored=frozenset({"description"}))
"""A block that is ours as a whole."""
_nothing = partial(row, no=None)
"""A statement that is understood and says nothing to the model; there is no negated form."""

_TOP = Mode(
    rows=(
        row(
            "buffer init lossless",
            st.BufferInit(True),
            "groups",
            no=st.BufferInit(False),
            no_form="buffer init [lossless]",
        ),
        row(
            "buffer pool <name> shared-headroom-size <headroom:count>",
            st.BufferPool,
            "groups",
            no=st.BufferPool,
            no_form="buffer pool <name> [shared-headroom-size [<_:count>]]",
        ),
        row(
            "roce enable [pfc-priority <priorities:priorities>] [force-defaults]",
            partial(st.Roce, True, priorities=()),
            ROCE,
            no=st.Roce(False),
            no_form="roce enable",
        ),
        row(
            "roce enable force-defaults pfc-priority <priorities:priorities>",
            partial(st.Roce, True, priorities=()),
            ROCE,
        ),
        row("priority-flow-control watchdog polling-interval <100..3000>", sets("pfc.watchdog.poll_ms")),
        row(
            "priority-flow-control watchdog counter-poll",
            st.CounterPoll(True),
            "pfc.watchdog",
            no=st.CounterPoll(False),
        ),
        unread("priority-flow-control", "pfc"),
        unread("qos", f"{MARKS} {ENTRIES} queues"),
        row("dcbx enable", st.Dcbx(True), "dcbx.mode dcbx.willing", no=st.Dcbx(False)),
        row("lldp enable", sets("dcbx.lldp", True), no=False),
        # statements of an interface that stand nowhere: told, but no port's
        *map(unread, ("qos-map", "scheduler-policy", "cable-length", "queue")),
    ),
    opens={f"qos map {kind}": its.mode for kind, its in MAPS.items()}
    | {
        "interface": "port",
        "interface breakout": "breakout",
        "interface transceiver": "other",
        "interface vxlan": "vxlan",
        "qos wred-policy": "wred",
        "qos scheduler-policy": "scheduler",
        "buffer profile": "bufprofile",
        "policy-map": "policy",
        "class-map": "classmap",
        "line vty": "other",
        "ip access-list": "acl",
        "mclag domain": "other",
    },
    ignored=frozenset({"interface", "lldp", "interface-naming", "class-map", "policy-map", "class", "role"}),
    shared=frozenset({"lldp"}),
)

_OTHERS = (
    "unreliable-los standalone-link-training link-training spanning-tree storm-control service-policy nat-zone"
    " poe dot1x authentication evpn bfd sflow threshold load-interval ars access-group mac mab neigh-suppress udld"
    " vrrp link errdisable fast_rate fallback graceful-shutdown min-links lacp system-mac mclag-separate-ip"
    " portchannel network-policy arp nd snmp description mpls ptp vlan rate-interval sub-interface loopback-mode"
    " loopback media-type port-group mode type df-preference autostate dhcp-relay mac-address map arp-suppress"
    " primary-ip-for-vtep source-ip delay"
)
"""First words of statements of an interface that are none of our business. A flat paste has no indentation: there a block ends
at the first line that it does not know."""

_PORT = Mode(
    rows=(
        _nothing("interface <>"),
        row(
            "interface lag [fallback] <fast?fast_rate> [min-links <links:count>] [mode <lacp:lacp>]",
            st.Channel,
            "lacp lacp_rate min_links",
            no=None,
        ),
        row("mclag <_:count>", st.Shared(True), "shared_channel", no=st.Shared(False), no_form="mclag [<_:count>]"),
        row("priority-flow-control priority <priorities:priorities>", st.Pfc, "pfc", no=partial(st.Pfc, on=False)),
        row(
            "priority-flow-control asymmetric",
            st.Asymmetric(True),
            "pfc.receive_only",
            no=st.Asymmetric(False),
        ),
        row(
            "priority-flow-control watchdog on [detect-time <detect:100..5000>]",
            st.Watchdog,
            "pfc.watchdog",
            no=st.Watchdog(on=False),
            no_form="priority-flow-control watchdog on|detect-time [<_:count>]",
        ),
        row("priority-flow-control watchdog detect-time <detect:100..5000>", st.Watchdog, "pfc.watchdog"),
        row("priority-flow-control watchdog off", sets("pfc.watchdog.on", False), no=None),
        row("priority-flow-control watchdog action <drop|alert|forward>", sets("pfc.watchdog.action")),
        row("priority-flow-control watchdog restore-time <100..60000>", sets("pfc.watchdog.restore_ms")),
        *(
            row(f"qos-map {kind} <name>", partial(st.Bind, its.mode), its.bound or its.path, no=st.Bind(its.mode))
            for kind, its in MAPS.items()
        ),
        unread("qos", "groups"),
        row(
            "queue <numbers:queue> wred-policy <name>",
            partial(st.Bind, "wred"),
            "queues.#.ecn",
            no=partial(st.Bind, "wred"),
            no_form="queue <numbers:queue> wred-policy [<>]",
        ),
        row("scheduler-policy <name>", partial(st.Bind, "scheduler"), SCHEDULED, no=st.Bind("scheduler")),
        row(
            "buffer priority-group <numbers:priorities> <name>",
            partial(st.Bind, "groups"),
            "groups",
            no=partial(st.Bind, "groups"),
            no_form="buffer priority-group <numbers:priorities> [<>]",
        ),
        row(
            "buffer queue <numbers:queues> <name>",
            partial(st.Bind, "queues"),
            "queues.#.limit_bytes",
            no=partial(st.Bind, "queues"),
            no_form="buffer queue <numbers:queues> [<>]",
        ),
        row("buffer default-lossless-buffer-profile", st.DefaultProfile(True), "groups", no=st.DefaultProfile(False)),
        row("service-policy type qos in <name>", partial(st.Bind, "policy"), POLICING, no=st.Bind("policy")),
        row("service-policy type qos out <>"),
        row("service-policy type <> <...>"),
        row("cable-length <value:cable>", sets("cable_m")),
        row("mtu <68..9416>", sets("ip_mtu_bytes")),
        row("speed <value:mbps>", sets("speed_bps"), "speed_bps autoneg", no=ABSENT, no_form="speed [<_:speeds>]"),
        row("speed auto [<_:speeds>]", st.AnySpeed(), "speed_bps autoneg"),
        row("fec <value:fec>", sets("fec"), no=ABSENT),
        row("autoneg on|enable", sets("autoneg", True), no=False, no_form="autoneg"),
        row("autoneg off|disable", sets("autoneg", False), no=None),
        row("shutdown", sets("admin_up", False), no=True),
        row(
            "channel-group <number:count> [mode <>]",
            st.ChannelGroup,
            "ip_mtu_bytes admin_up lacp lacp_rate min_links shared_channel",
            no=st.ChannelGroup(None),
            no_form="channel-group [<_:count>]",
        ),
        row("dcbx enable", st.Dcbx(True), "dcbx.mode dcbx.willing", no=st.Dcbx(False)),
        row("dcbx tlv-select <>", no_form="dcbx tlv-select <>"),
        filter_row("ip access-group", "in|out"),
        row("lldp enable", sets("dcbx.lldp", True), no=False),
        row("lldp receive|transmit", sets("dcbx.lldp", False), no=False),  # the other direction is off
        row("lldp tlv-select|tlv-set|med-tlv-select <...>", no_form="lldp tlv-select|tlv-set|med-tlv-select <...>"),
        unread("flowcontrol", "link_pause_rx link_pause_tx"),
    ),
    shared=frozenset({"ip", "service-policy"}),
    labels=frozenset({"description", "switchport", "ip", "ipv6", "encapsulation"}),
    ignored=frozenset(_OTHERS.split(" ")),
    doubted=EVERYTHING,
)

_CURVE = "<colour:green|yellow|red>"
_WRED = _strict(
    base="queues.#.ecn",
    rows=(
        row(
            f"{_CURVE} minimum-threshold <low:thousands> maximum-threshold <high:thousands> drop-probability <percent:0..100>",
            partial(st.Curve, on=True),
            "min_bytes min_value min_unit max_bytes max_value max_unit max_probability_percent marks drops",
            no=partial(st.Curve, on=False),
            no_form=_CURVE,
        ),
        row("ecn <colours:colours>", st.Ecn, "marks drops", no=st.Ecn(frozenset())),
    ),
)

_SCHEDULER = _strict(
    base="queues.#",
    rows=(
        row("type dwrr|wrr", sets("scheduling", "weighted"), "scheduling share share_kind", no=None),
        row("type strict", sets("scheduling", "strict"), "scheduling share share_kind", no=None),
        row("weight <1..100>", sets("share"), no=None),
        row("pir <rate:kilobits>", st.PeakRate, "max_rate_bps"),
        row("meter-type <unit:packets|bytes>", st.MeterType, "max_rate_bps"),
        _nothing("cir|cbs|pbs <_:decimal>"),
    ),
)

_BUFFER_PROFILE = _strict(
    base="groups.#",
    shared=frozenset({"buffer"}),
    rows=(
        row(
            "buffer profile <> <pool> <size:count> {static-threshold <static:count>, dynamic-threshold <dynamic:alpha>,"
            " pause, pause-threshold <pause:bytes>, resume-threshold <resume:count>, resume-offset-threshold <offset:count>}",
            st.BufferProfile,
            _PROFILE,
        ),
    ),
)

_COMMAND_LINE = {
    "top": _TOP,
    "port": _PORT,
    **{its.mode: _strict((row(its.line, st.Entry, its.path),)) for its in MAPS.values()},
    "wred": _WRED,
    "scheduler": _strict(
        (row("queue <number:0..47>", st.QueueHeader), row("port", st.QueueHeader(None))),
        opens={"queue": "schedqueue", "port": "schedport"},
    ),
    "schedqueue": _SCHEDULER,
    "schedport": _SCHEDULER,
    "bufprofile": _BUFFER_PROFILE,
    "vxlan": Mode(
        (
            row(
                "source-ip [Loopback] <value:vtep>", sets("forwarding.tunnels"), no=ABSENT, no_form="source-ip [<...>]"
            ),
            row("qos-mode pipe dscp <0..63>", sets("forwarding.tunnel_fixed_dscp"), no=None),
            row("qos-mode uniform", sets("forwarding.tunnel_fixed_dscp", ABSENT), no=None),
        ),
        ignored=frozenset({"map", "primary-ip", "external-ip", "vni-downstream", "suppress-vlan-neigh"}),
    ),
    "policy": _strict(
        (row("class <name> [priority <_:count>]", st.PolicyClass, POLICING, no=None),), opens={"class": "policyclass"}
    ),
    "policyclass": _strict(
        (
            row("set traffic-class <number:0..7>", st.SetClass, "dscp pcp"),
            row("set queue <_:count>", st.SetClass(), "dscp pcp"),
            row("set dscp <dscp:0..63>", ps.SetDscp, "rewrites_dscp"),
            _nothing("set pcp|dot1p|interface|mirror-session|trap-queue|ars <...>"),
            row("police <_:policer...>", ps.Police(), "policed"),
        )
    ),
    "state": Mode(
        (
            CONNECTED,
            row("mtu <68..9416>", sets("ip_mtu_bytes"), no=None),
            row("fec <value:fec>", sets("fec"), no=None),
            row("running [<priorities:priorities>]", st.Running, "pfc.operational", no=None),
        )
    ),
    "breakout": Mode(),
    "acl": Mode(raw=True),
    "classmap": Mode(
        (
            row("match [ip] dscp <number:codepoint>", st.MatchDscp, no=None),
            row("match ip protocol udp|17", st.MatchRoce(), no=None),
            row("match ip protocol tcp|icmp|icmpv6|6|1|58", st.MatchRoce(every=False), no=None),
            row("match l4-port destination eq 4791", st.MatchRoce(), no=None),
            row("match access-group ip <name>", st.MatchList, no=None),
            _nothing("match <...>"),
        ),
        ignored=frozenset({"description"}),
    ),
    "other": Mode(
        ignored=frozenset(
            {"service-policy", "match", "description", "source-ip", "peer-ip", "peer-link", "session-timeout"}
        )
    ),
}


def _with_objects() -> dict[str, Mode]:
    """The modes of the command line, in each the trees and modules that describe the same thing, and those."""
    modes = _COMMAND_LINE | objects.INNER
    for (name, origin), mode in objects.OBJECTS.items():
        outer, inner = modes[name], f"{name} of {origin}"
        modes[name] = replace(outer, rows=(*outer.rows, _nothing(origin)), opens={**outer.opens, origin: inner})
        modes[inner] = mode
    return modes


TABLE = StatementTable(name="esonic", types=_TYPES | objects.TYPES, modes=_with_objects())
