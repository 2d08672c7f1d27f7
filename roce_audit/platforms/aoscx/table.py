"""The statements of AOS-CX that concern lossless Ethernet, mode by mode: how each is written, and what it sets.

AOS-CX 10.18 Quality of Service Guide (832x, 93xx, 100xx Switch Series); AOS-CX 10.11 Fundamentals Guide (83xx, 9300, 10000) for
flow-control, error-control and MTUs; thresholds in percent: the guide of the 8360.
"""

from __future__ import annotations

from functools import partial

from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.shared.cli.filters import filter_row
from roce_audit.platforms.shared.cli.rows import SHUTDOWN, shared_channel
from roce_audit.platforms.shared.leaves import ADDRESS, number, numbers, present, scaled, word
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, UNDOCUMENTED, Row, row, sets, unread
from roce_audit.text.statements.table import StatementTable

_MOST_KBPS = 400_000_000


def _headroom(text: str) -> object:
    return None if text == "factory-default" else number(0, 10_240)(text)


def _port_number(text: str) -> int:
    """A port or an EtherType, which may be written as 0x8915."""
    value = int(text, 16) if text.startswith("0x") and len(text) < 8 else int(str(number(0, 65_535)(text)))
    if value > 65_535:
        raise ValueError(text)
    return value


_TYPES = {
    "address": present(ADDRESS),
    "alpha": st.alpha,
    "codepoint": number(0, 63),
    "count": number(0, 999_999_999),
    "dscp": numbers(63),
    "shownfec": word({"off": "none", "none": "none", "base-r-fec": "fc", "rs-fec": "rs"}),
    "fec": word({"auto": "auto", "none": "none", "base-r-fec": "fc", "rs-fec": "rs"}),
    "fixedspeed": word({f"{mbps}-{way}": mbps * 1_000_000 for mbps in (10, 100, 1000) for way in ("full", "half")}),
    "headroom": _headroom,
    "kbytes": scaled(0, 40_000, st.BYTES_PER_KB),
    "mbps": scaled(1, 1_600_000, 1_000_000),
    "name": st.name,
    "percentage": st.percentage,
    "portnumber": _port_number,
    "priorities": numbers(7),
    "rate": number(1, _MOST_KBPS),
}

_TRUST = "trust dscp pcp"
_SERVED = "queues.*.scheduling queues.*.share queues.*.max_rate_bps queues.*.max_rate_percent"
_SHAPED = "[max-bandwidth <rate:rate> <unit:kbps|percent> [burst <_:count>]]"
_PAUSED = "pfc priorities"
_LOSSLESS = f"{_PAUSED} groups classes"
_CLASSIFYING = "dscp pcp trust policed rewrites_dscp"
_POOL = "qos pool <number:1..3> lossless size <size:percentage> percent headroom <headroom:headroom> kbytes"
_COLOUR = "color green|yellow|red"
_MAP_END = f"{{{_COLOUR}, cos <_:count>, name <_:name>}}"
_PROTOCOLS = "udp|tcp-udp|tcp-sctp|tcp-sctp-udp|ether"
_DROPS = "min-threshold <low:count> <unit:kbytes|percent> max-threshold <high:count> kbytes|percent"
_PROBABILITY = "[max-prob <percent:1..100> percent]"


def _buffer(words: str, leaf: st.Leaf, value: str) -> Row:
    """A statement about the buffer of a priority of a port."""
    begins = f"flow-control buffer priority <priority:0..7> {words}"
    make = partial(st.Buffer, leaf)
    return row(f"{begins} {value}", make, f"groups.*.{leaf}", no=make, no_form=f"{begins} [<...>]")


_THRESHOLDS = row(
    "apply qos threshold-profile <name>",
    st.Thresholds,
    "queues.*.ecn",
    no=st.Thresholds(None),
    no_form="apply qos threshold-profile [<>]",
)
_POLICY = unread("apply policy", _CLASSIFYING)
"""What a classifier policy makes of packets that leave, or of those of a VLAN, is not read."""
_POLICY_IN = row(
    "apply policy <name> in|routed-in",
    st.PolicyIn,
    _CLASSIFYING,
    no=st.PolicyIn(None),
    no_form="apply policy [<>] in|routed-in",
)
_ENTRY = "<_:count> class <family:ip|ipv6|mac> <name>"

_TOP = Mode(
    rows=(
        row(
            f"{_POOL} [priorities <priorities:priorities>]",
            st.Pool,
            "groups",
            no=st.PoolRemoved,
            no_form="qos pool <number:1..3> [lossless [<...>]]",
        ),
        row(
            "qos trust <mode:none|cos|dscp>",
            st.Trust,
            _TRUST,
            no=st.Trust(None),
            no_form="qos trust [none|cos|dscp]",
        ),
        row(
            f"qos dscp-map <marks:dscp> local-priority <priority:0..7> {_MAP_END}",
            partial(st.Mapped, "dscp"),
            "dscp",
            no=partial(st.Mapped, "dscp"),
            no_form="qos dscp-map <marks:dscp> [local-priority [<...>]]",
        ),
        row(
            f"qos cos-map <marks:priorities> local-priority <priority:0..7> {_MAP_END}",
            partial(st.Mapped, "cos"),
            "dscp pcp priorities groups",
            no=partial(st.Mapped, "cos"),
            no_form="qos cos-map <marks:priorities> [local-priority [<...>]]",
        ),
        row(
            "qos egress-rewrite-map local-priority <priorities:priorities> dscp <dscp:codepoint>",
            st.EgressMap,
            "classes.*.new_dscp",
            no=st.EgressMap,
            no_form="qos egress-rewrite-map local-priority <priorities:priorities> [dscp <_:codepoint>]",
        ),
        row(
            "qos egress-rewrite-map local-priority <priorities:priorities> cos <cos:0..7>",
            st.EgressTag,
            no=st.EgressTag,
            no_form="qos egress-rewrite-map local-priority <priorities:priorities> cos <cos:0..7>",
        ),
        row("apply qos queue-profile <queues> schedule-profile <schedule>", st.Applied, "classes queues", no=None),
        _THRESHOLDS,
        _POLICY_IN,
        _POLICY,
        row(
            "lldp dcbx [version <mode:ieee|cee>]",
            st.dcbx,
            "dcbx.mode",
            no=st.Dcbx("off"),
            no_form="lldp dcbx [version [ieee|cee]]",
        ),
        row("lldp enable", sets("dcbx.lldp", True), no=False),
        row("dcbx application iscsi priority <_:count>"),
        row(
            f"dcbx application <protocol:{_PROTOCOLS}> <number:portnumber> priority <priority:0..7>",
            st.Application,
            "dcbx.roce_priority",
            no=st.NoApplications(),
            no_form="dcbx application [<...>]",
        ),
        # what belongs into a stanza
        row(
            "flow-control watchdog timeout <detect:10..1500> resume <restore:1..100000>",
            st.WatchdogTimes,
            "pfc.watchdog",
            no=st.WatchdogTimes(),
            no_form="flow-control watchdog timeout [<...>]",
        ),
        unread("flow-control priority", _PAUSED),
        unread("map queue", "classes"),
        unread("dwrr queue", _SERVED),
        unread("strict queue", _SERVED),
        unread("queue", "queues.*.ecn"),
        unread("inter-switch-link"),
    ),
    opens={
        "interface": "port",
        "interface vxlan": "vxlan",
        "qos queue-profile": "queueprofile",
        "qos schedule-profile": "scheduleprofile",
        "qos threshold-profile": "thresholdprofile",
        "vsx": "vsx",
        "vlan": "vlan",
        "policy": "policy",
        "class": "other",
        "class ip": "trafficclass",
        "class ipv6": "trafficclass",
        "class mac": "trafficclass",
        "access-list": "other",
        "access-list ip": "acl",
        "router": "other",
        "vrf": "other",
        "control-plane": "other",
    },
    ignored=frozenset({"interface", "queue-monitor", "profile"}),
    shared=frozenset({"lldp", "qos", "apply", "map"}),
)

_PORT = Mode(
    rows=(
        row("interface <...>", no=None),
        row(
            "flow-control priority {rxtx <both:priorities>, rx <obeyed:priorities>, tx <sent:priorities>}",
            st.pfc,
            _PAUSED,
            no=st.Pfc(),
            no_form="flow-control priority [<...>]",
        ),
        row("flow-control priority <both:priorities>", st.pfc, _PAUSED, no=None),
        row(
            "flow-control <direction:rx|rxtx> [pool <_:count>]",
            st.LinkPause,
            "link_pause_rx link_pause_tx",
            no=st.LinkPause(""),
            no_form="flow-control [rx|rxtx] [pool <_:count>]",
        ),
        row("flow-control watchdog", st.Watchdog(True), "pfc.watchdog", no=st.Watchdog(False)),
        row(
            "flow-control buffer cable-length <value:count>",
            sets("cable_m"),
            no_form="flow-control buffer cable-length [<>]",
        ),
        row("flow-control buffer cable-length auto", sets("cable_m", UNDOCUMENTED), no=None),
        _buffer("headroom", "headroom_bytes", "<value:kbytes> kbytes"),
        _buffer("xoff dynamic", "alpha", "<value:alpha>"),
        _buffer("xoff static", "xoff_at_bytes", "<value:kbytes> kbytes"),
        _buffer("xon", "xon_offset_bytes", "<value:kbytes> kbytes"),
        row("flow-control buffer llfc <...>", no_form="flow-control buffer llfc [<...>]"),
        row("error-control <value:fec>", sets("fec"), no_form="error-control [<>]"),
        row(
            "qos trust <mode:none|cos|dscp>",
            st.Trust,
            _TRUST,
            no=st.Trust(None),
            no_form="qos trust [none|cos|dscp]",
        ),
        row(f"qos trust none local-priority <priority:0..7> [{_COLOUR}]", partial(st.Trust, "none"), _TRUST, no=None),
        row(f"qos trust none {_COLOUR}", st.Trust("none"), _TRUST, no=None),
        row(
            "apply qos schedule-profile <name>",
            st.Schedule,
            "queues",
            no=st.Schedule(None),
            no_form="apply qos schedule-profile [<>]",
        ),
        _THRESHOLDS,
        _POLICY_IN,
        _POLICY,
        row("qos dscp <dscp:codepoint>", st.Remark, "rewrites_dscp", no=st.Remark(None), no_form="qos dscp [<>]"),
        row("qos cos <_:count>", no_form="qos cos [<>]"),
        row("qos egress-rewrite dscp", st.EgressRewrite(True), "rewrites_dscp", no=st.EgressRewrite(False)),
        row("qos egress-rewrite cos"),
        row(
            "qos shape <rate:rate> [<unit:kbps|percent>] [burst <_:count>]",
            st.Shape,
            "queues.*.max_rate_bps queues.*.max_rate_percent",
            no=st.Shape(None),
            no_form="qos shape [<...>]",
        ),
        row("mtu <size:46..9198>", partial(st.Mtu, 2), "ip_mtu_bytes", no=st.Mtu(2), no_form="mtu [<_:count>]"),
        row("ip mtu <size:68..9198>", partial(st.Mtu, 3), "ip_mtu_bytes", no=st.Mtu(3), no_form="ip mtu [<_:count>]"),
        SHUTDOWN,
        row("speed <value:fixedspeed>", sets("speed_bps"), no_form="speed [<...>]"),
        unread("speed", "speed_bps"),
        row(
            "lag <number:1..256>",
            st.Lag,
            f"{_CLASSIFYING} lacp lacp_rate min_links shared_channel queues {_LOSSLESS} ip_mtu_bytes",
            no=st.Lag(None),
            no_form="lag [<_:count>]",
        ),
        row("lacp mode <value:active|passive>", sets("lacp"), no="static", no_form="lacp mode [active|passive]"),
        shared_channel("multi-chassis <name:count>", "VSX lag"),
        filter_row("apply access-list ip", "in|out|routed-in|routed-out"),
        row("lacp rate <value:fast|slow>", sets("lacp_rate"), no_form="lacp rate [fast|slow]"),
        row(
            "lldp dcbx [version <mode:ieee|cee>]",
            st.dcbx,
            "dcbx.mode",
            no=st.Dcbx(None),
            no_form="lldp dcbx [disable|version] [ieee|cee]",
        ),
        row("lldp dcbx disable", st.Dcbx("off"), "dcbx.mode", no=None),
    ),
    labels=frozenset({"description", "routing", "vlan", "vrf", "ip", "ipv6"}),
    ignored=frozenset({"loop-protect", "split-recovery", "active-gateway", "queue-monitor"}),
    shared=frozenset({"lldp", "qos", "apply", "ip", "lacp"}),
    doubted="kind lacp lacp_rate min_links shared_channel"
    f" {_CLASSIFYING} queues {_LOSSLESS} ip_mtu_bytes admin_up speed_bps dcbx link_pause_rx link_pause_tx cable_m",
)

_QUEUE_PROFILE = Mode(
    rows=(
        row(
            "map queue <queue:0..7> local-priority <priorities:priorities>",
            st.Queued,
            "classes",
            no=st.Unqueued,
            no_form="map queue <queue:0..7> [local-priority <priorities:priorities>]",
        ),
        row("name queue <_:count> <_:name>", no_form="name queue <_:count> [<>]"),
    ),
    strict=True,
    ignored=frozenset({"vsx-sync"}),
)

_WEIGHT = "queue <queue:0..7> weight <weight:1..127>"
_NOT_SERVED = "queue <queue:0..7> [<...>]"
_SCHEDULE_PROFILE = Mode(
    rows=(
        row(f"dwrr|wfq {_WEIGHT} {_SHAPED}", st.Served, _SERVED, no=st.Unserved, no_form=f"dwrr|wfq {_NOT_SERVED}"),
        row(
            f"strict queue <queue:0..7> {_SHAPED}", st.Served, _SERVED, no=st.Unserved, no_form=f"strict {_NOT_SERVED}"
        ),
        unread("min-bandwidth", _SERVED),
    ),
    strict=True,
    ignored=frozenset({"vsx-sync"}),
)

_THRESHOLD_PROFILE = Mode(
    rows=(
        row(
            "queue <queue:0..7> action ecn [all] threshold <low:count> <unit:kbytes|percent>",
            st.marking,
            "queues.*.ecn",
            no=st.NoAction,
            no_form="queue <queue:0..7> [action [<...>]]",
        ),
        row(
            "queue <queue:0..7> action ecn [all] min-threshold <low:count> <unit:kbytes|percent>"
            " max-threshold <high:count> kbytes|percent",
            st.marking,
            "queues.*.ecn",
            no=None,
        ),
        row(
            f"queue <queue:0..7> action wred-non-resp <colour:green|yellow|red> {_DROPS} {_PROBABILITY}",
            st.Dropping,
            "queues.*.ecn",
            no=None,
        ),
        row("queue <queue:0..7> action wred-resp <colour:green|yellow|red> min-threshold <...>", st.Answered, no=None),
    ),
    strict=True,
    ignored=frozenset({"vsx-sync"}),
)

TABLE = StatementTable(
    name="aoscx",
    types=_TYPES,
    negations=("no", "default"),
    modes={
        "top": _TOP,
        "port": _PORT,
        "state": Mode(
            rows=(
                row("speed <value:mbps>", sets("speed_bps"), no=None),
                row("fec <value:shownfec>", sets("fec"), no=None),
                row("mtu <size:46..9198>", partial(st.Mtu, 0), "ip_mtu_bytes", no=None),
                row("pause <direction:rx|rxtx>", st.LinkPause, "link_pause_rx link_pause_tx", no=None),
                row(
                    "headroom <priority:0..7> <value:kbytes>",
                    partial(st.Buffer, "headroom_bytes"),
                    "groups.*.headroom_bytes",
                    no=None,
                ),
                row("alpha <priority:0..7> <value:alpha>", partial(st.Buffer, "alpha"), "groups.*.alpha", no=None),
                row("pool <number:1..3> <kbytes:count>", st.PoolSize, "groups.*.pool.size_bytes", no=None),
                row("trusts <mode:none|cos|dscp>", st.ShownTrust, _TRUST, no=None),
                row("running [<priorities:priorities>]", st.Running, "pfc.operational", no=None),
            ),
            strict=True,
        ),
        "queueprofile": _QUEUE_PROFILE,
        "scheduleprofile": _SCHEDULE_PROFILE,
        "thresholdprofile": _THRESHOLD_PROFILE,
        "trafficclass": Mode(raw=True),
        "policy": Mode(
            rows=(
                row(f"{_ENTRY} <actions:...>", st.entry, _CLASSIFYING, no=None),
                row(_ENTRY, st.entry, _CLASSIFYING, no=None),
                row("<_:count> comment <...>", no=None),
            ),
            strict=True,
            ignored=frozenset({"vsx-sync", "comment"}),
        ),
        "vxlan": Mode((row("source ip <value:address>", sets("forwarding.tunnels"), no=ABSENT),)),
        "vsx": Mode((row("inter-switch-link <port:...>", st.SwitchLink),)),
        "vlan": Mode((_POLICY,), shared=frozenset({"apply"})),
        "acl": Mode(raw=True),
        "other": Mode(ignored=frozenset({"apply", "queue", "map", "mtu", "policy", "class"})),
    },
)
