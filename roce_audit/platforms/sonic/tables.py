"""Tables of CONFIG_DB: which fields concern us, what they may hold, and what is unknown when one is not understood.

Types and ranges: sonic-buildimage, src/sonic-yang-models/yang-models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.shared.leaves import Reader, number, word
from roce_audit.platforms.sonic.values import anything, cable, plain, priorities, reference, signed


@dataclass(frozen=True, slots=True)
class Field:
    """A field that we know. `paths` (blank-separated, below the table's base) are unknown when its value is not understood."""

    read: Reader
    paths: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of ours.

    `base` is the model path of a row of a port, with `*` for the number in its key; an object's base is its user's.
    `paths` are unknown when a field is not known at all. `entry` (largest key, largest value) makes it a map.
    A lenient table holds much that is none of our business: only names that sound like lossless settings are reported.
    """

    fields: Mapping[str, Field] = field(default_factory=dict)
    base: str = ""
    paths: str = ""
    entry: tuple[int, int] | None = None
    by_word: Mapping[str, str] = field(default_factory=dict)
    """A word in the name of an unknown field -> further `paths`: one new field must not blind a whole port."""
    lenient: bool = False


_ON = word({"on": True, "off": False})
_UP = word({"up": True, "down": False})
_TRUE = word({"true": True, "false": False, "True": True, "False": False})
_UINT64 = number(0, 2**64 - 1)
_PERCENT = number(0, 100)
_WITH_PFC = "pfc.mode pfc.priorities "
"""orchagent applies nothing of a PORT_QOS_MAP row, PFC included, while it cannot find one of the row's maps."""

ECN_MODES = {
    "ecn_none": frozenset(),
    "ecn_green": frozenset({"green"}),
    "ecn_yellow": frozenset({"yellow"}),
    "ecn_red": frozenset({"red"}),
    "ecn_green_yellow": frozenset({"green", "yellow"}),
    "ecn_green_red": frozenset({"green", "red"}),
    "ecn_yellow_red": frozenset({"yellow", "red"}),
    "ecn_all": frozenset({"green", "yellow", "red"}),
}
SWITCH_TYPES = ("npu", "switch", "voq", "chassis-packet", "fabric", "dpu", "dummy-sup")
PORT_ROLES = {"Ext": "ethernet", "Int": "fabric", "Inb": "recirculation", "Rec": "recirculation", "Dpc": "other"}

_OTHER_COLOURS = {
    f"{before}{colour}{after}": Field(anything)
    for colour in ("yellow", "red")
    for before, after in (
        ("", "_min_threshold"),
        ("", "_max_threshold"),
        ("", "_drop_probability"),
        ("wred_", "_enable"),
        ("ecn_", "_min_threshold"),
        ("ecn_", "_max_threshold"),
        ("ecn_", "_mark_probability"),
    )
}

SHOWN = "(shown)"
"""No table of CONFIG_DB: what other commands show of a port. It fills gaps, and never stands against what is configured."""

PORT_TABLES: dict[str, Table] = {
    "PORT": Table(
        {
            "speed": Field(number(1, 1_600_000), "speed_bps"),
            "mtu": Field(number(68, 9216), "ip_mtu_bytes"),
            "fec": Field(word({w: w for w in ("rs", "fc", "none", "auto")}), "fec"),
            "autoneg": Field(_ON, "autoneg"),
            "admin_status": Field(_UP, "admin_up"),
            "role": Field(word(PORT_ROLES), "kind"),
            "pfc_asym": Field(_ON, "pfc.receive_only"),
            "default_lossless_buffer_profile": Field(_TRUE, "groups"),  # of Enterprise SONiC
        },
        lenient=True,
    ),
    "CABLE_LENGTH": Table({"length": Field(cable, "cable_m")}),
    "PORT_QOS_MAP": Table(
        {
            "dscp_to_tc_map": Field(reference("DSCP_TO_TC_MAP"), _WITH_PFC + "dscp pcp trust"),
            "dot1p_to_tc_map": Field(reference("DOT1P_TO_TC_MAP"), _WITH_PFC + "pcp trust"),
            "tc_to_queue_map": Field(reference("TC_TO_QUEUE_MAP"), _WITH_PFC + "classes.*.queue"),
            "tc_to_pg_map": Field(reference("TC_TO_PRIORITY_GROUP_MAP"), _WITH_PFC + "classes.*.group"),
            "pfc_to_queue_map": Field(reference("MAP_PFC_PRIORITY_TO_QUEUE"), _WITH_PFC + "priorities.*.queue"),
            "pfc_to_pg_map": Field(reference("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"), _WITH_PFC + "priorities.*.group"),
            "tc_to_dscp_map": Field(reference("TC_TO_DSCP_MAP"), _WITH_PFC + "rewrites_dscp"),
            "scheduler": Field(reference("SCHEDULER")),
            "pfc_enable": Field(priorities, "pfc.mode pfc.priorities pfc.receive_only"),
            "pfcwd_sw_enable": Field(priorities, "pfc.watchdog.priorities pfc.watchdog.on"),
            "tc_to_dot1p_map": Field(anything),
            "mpls_tc_to_tc_map": Field(anything),
            "dscp_to_fc_map": Field(anything),
            "exp_to_fc_map": Field(anything),
        },
        by_word={
            "pfc": "pfc",
            "lossless": "pfc",
            "pfcwd": "pfc.watchdog",
            "dscp": "dscp trust rewrites_dscp",
            "dot1p": "pcp trust",
            "queue": "classes priorities",
            "pg": "classes priorities",
        },
    ),
    "QUEUE": Table(
        {
            "scheduler": Field(reference("SCHEDULER"), "scheduling share share_kind max_rate_bps"),
            "wred_profile": Field(reference("WRED_PROFILE"), "ecn"),
        },
        base="queues.*",
        paths="scheduling share share_kind max_rate_bps ecn",
    ),
    "BUFFER_PG": Table({"profile": Field(reference("BUFFER_PROFILE"))}, base="groups.*"),
    "BUFFER_QUEUE": Table(
        {"profile": Field(reference("BUFFER_PROFILE"), "limit_bytes")}, base="queues.*", paths="limit_bytes"
    ),
    "PFC_WD": Table(
        {
            "action": Field(word({w: w for w in ("drop", "forward", "alert")}), "action"),
            "detection_time": Field(number(100, 5000), "detect_ms on"),
            "restoration_time": Field(number(100, 60000), "restore_ms"),
            "pfc_stat_history": Field(anything),
            "POLL_INTERVAL": Field(number(100, 1000), "poll_ms"),
            "BIG_RED_SWITCH": Field(word({"enable": True, "disable": False}), "on"),
        },
        base="pfc.watchdog",
        paths="on",
    ),
    SHOWN: Table(
        {
            "pfc_enable": Field(priorities, "pfc.operational"),
            "speed": Field(number(1, 1_600_000), "speed_bps"),
            "mtu": Field(number(68, 9216), "ip_mtu_bytes"),
            "fec": Field(word({w: w for w in ("rs", "fc", "none", "auto")}), "fec"),
            "admin_status": Field(_UP, "admin_up"),
            "oper_status": Field(_UP, "pfc.operational"),
        }
    ),
}
"""Rows whose key names ports."""

LAG_TABLE = Table({"mtu": Field(number(1, 9216), "ip_mtu_bytes"), "admin_status": Field(_UP, "admin_up")}, lenient=True)

OBJECT_TABLES: dict[str, Table] = {
    "DSCP_TO_TC_MAP": Table(entry=(63, 7)),
    "DOT1P_TO_TC_MAP": Table(entry=(7, 7)),
    "TC_TO_QUEUE_MAP": Table(entry=(7, 9)),
    "TC_TO_PRIORITY_GROUP_MAP": Table(entry=(7, 7)),
    "MAP_PFC_PRIORITY_TO_QUEUE": Table(entry=(7, 9)),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": Table(entry=(7, 7)),
    "TC_TO_DSCP_MAP": Table(entry=(7, 63)),
    "SCHEDULER": Table(
        {
            "type": Field(
                word({"DWRR": "weighted", "WRR": "weighted", "STRICT": "strict"}), "scheduling share share_kind"
            ),
            "weight": Field(number(1, 100), "share"),
            "meter_type": Field(word({"packets": "packets", "bytes": "bytes"}), "max_rate_bps"),
            "pir": Field(_UINT64, "max_rate_bps"),
            "priority": Field(anything),
            "cir": Field(anything),
            "cbs": Field(anything),
            "pbs": Field(anything),
        },
        paths="scheduling share share_kind max_rate_bps",
    ),
    "WRED_PROFILE": Table(
        {
            "ecn": Field(word(ECN_MODES), "marks drops"),
            "wred_green_enable": Field(_TRUE, "marks drops"),
            "green_min_threshold": Field(_UINT64, "min_bytes min_value min_unit"),
            "green_max_threshold": Field(_UINT64, "max_bytes max_value max_unit"),
            "green_drop_probability": Field(_PERCENT, "max_probability_percent"),
            "ecn_green_min_threshold": Field(_UINT64, "min_bytes min_value min_unit marks"),
            "ecn_green_max_threshold": Field(_UINT64, "max_bytes max_value max_unit"),
            "ecn_green_mark_probability": Field(_PERCENT, "max_probability_percent"),
        }
        | _OTHER_COLOURS,
    ),
    "BUFFER_PROFILE": Table(
        {
            "pool": Field(reference("BUFFER_POOL"), "pool headroom_is_shared"),
            "size": Field(_UINT64, "reserved_bytes"),
            "xon": Field(_UINT64, "xon_at_bytes"),
            "xon_offset": Field(_UINT64, "xon_offset_bytes"),
            "xoff": Field(_UINT64, "headroom_bytes lossless headroom_is_shared"),
            "dynamic_th": Field(signed(-8, 7), "alpha xoff_at_bytes"),
            "static_th": Field(_UINT64, "alpha xoff_at_bytes"),
            "headroom_type": Field(
                word({"static": "static", "dynamic": "dynamic"}), "lossless headroom_bytes headroom_is_shared"
            ),
            "packet_discard_action": Field(anything),
            "mode": Field(anything),
        },
    ),
    "BUFFER_POOL": Table(
        {
            "type": Field(word({"ingress": "ingress", "egress": "egress", "both": "both"}), "size_bytes mode"),
            "mode": Field(word({"static": "static", "dynamic": "dynamic"}), "mode"),
            "size": Field(_UINT64, "size_bytes"),
            "xoff": Field(_UINT64, "shared_headroom_bytes"),
            "percentage": Field(anything),
        },
    ),
}
"""Rows that other rows name."""

DEVICE_TABLES: dict[str, Table] = {
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": Table(
        {"over_subscribe_ratio": Field(number(0, 65535)), "default_dynamic_th": Field(anything)}
    ),
    "LOSSLESS_TRAFFIC_PATTERN": Table({"mtu": Field(number(1, 9216)), "small_packet_percentage": Field(anything)}),
    "DEVICE_METADATA": Table(
        {
            "buffer_model": Field(word({"traditional": "traditional", "dynamic": "dynamic"})),
            "default_pfcwd_status": Field(word({"enable": True, "disable": False})),
            "switch_type": Field(word({w: w for w in SWITCH_TYPES})),
            "hwsku": Field(plain),
            "platform": Field(anything),
            "create_only_config_db_buffers": Field(anything),
        },
        lenient=True,
    ),
}
"""Rows that hold for the whole device."""

LABEL_TABLES = frozenset(
    {
        "PORTCHANNEL_MEMBER",
        "VLAN_MEMBER",
        "INTERFACE",
        "PORTCHANNEL_INTERFACE",
        "DEVICE_NEIGHBOR",
        "TUNNEL",
        "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
    }
)
"""Tables that tell names, members and uses, but set nothing in the model."""

TABLES: dict[str, Table] = {**PORT_TABLES, **OBJECT_TABLES, **DEVICE_TABLES, "PORTCHANNEL": LAG_TABLE}

NUMBERED = frozenset({"QUEUE", "BUFFER_PG", "BUFFER_QUEUE"})
"""Tables whose key ends in a queue or group."""

MAP_OF_FIELD = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
}
NAMES = {
    ("QUEUE", "scheduler"): "SCHEDULER",
    ("QUEUE", "wred_profile"): "WRED_PROFILE",
    ("BUFFER_PG", "profile"): "BUFFER_PROFILE",
    ("BUFFER_QUEUE", "profile"): "BUFFER_PROFILE",
    ("BUFFER_PROFILE", "pool"): "BUFFER_POOL",
    ("PORT_QOS_MAP", "scheduler"): "SCHEDULER",
    **{("PORT_QOS_MAP", f): table for f, table in MAP_OF_FIELD.items()},
}
"""(table, field) -> the table whose objects it names."""
