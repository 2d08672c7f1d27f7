"""The tables of CONFIG_DB as one statement table: which fields concern us, what they may hold, and what each one sets.

A statement is a field of a row, below the row's header: `QUEUE 3-4`, then `scheduler scheduler.1`. An entry of a map is its key
and its value. Paths are those of a port; a row that others name has its own below its base, wherever it is applied.
Types and ranges: sonic-buildimage, src/sonic-yang-models/yang-models.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from roce_audit.platforms.shared.leaves import ADDRESS, number, present, word
from roce_audit.platforms.sonic.values import cable, hashed, numbers, plain, priorities, reference, signed
from roce_audit.text.statements.forms import Capture
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import Row, leaf
from roce_audit.text.statements.table import StatementTable

SHOWN = "(shown)"
"""No table of CONFIG_DB: what other commands show of a port. It fills gaps, and never stands against what is configured."""
FILTERED = "(filtered)"
"""No table either: the rule by which an access list that is bound to a port drops RoCE."""
NUMBERED = ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE")
"""Tables whose key ends in a queue or group."""
_POSSIBLE_SPEEDS = frozenset({"adv_speeds", "valid_speeds", "default_speed"})
"""What a port may run at, not what it runs at."""
_OF_OTHERS = frozenset({"mux_cable"})
"""Whether two switches share the cable of a server (sonic-port.yang): nothing of its length."""
_SOUNDS_RELEVANT = re.compile(r"pfc|qos|mtu|speed|fec|autoneg|pause|lossless|ecn|wred|headroom|buffer|cable", re.I)

_ECN = {
    "ecn_none": frozenset[str](),
    "ecn_green": frozenset({"green"}),
    "ecn_yellow": frozenset({"yellow"}),
    "ecn_red": frozenset({"red"}),
    "ecn_green_yellow": frozenset({"green", "yellow"}),
    "ecn_green_red": frozenset({"green", "red"}),
    "ecn_yellow_red": frozenset({"yellow", "red"}),
    "ecn_all": frozenset({"green", "yellow", "red"}),
}
_ROLES = {"Ext": "ethernet", "Int": "ethernet", "Inb": "recirculation", "Rec": "recirculation", "Dpc": "other"}
_SWITCHES = "npu|switch|voq|chassis-packet|fabric|dpu|dummy-sup"
_WITH_PFC = "pfc.mode pfc.priorities "
"""orchagent applies nothing of a PORT_QOS_MAP row, PFC included, while it cannot find one of the row's maps."""
_LAST_CLASS = 15
"""Traffic classes are 0 to 15 (sonic-types.yang, tc_type)."""
_SCHEDULED = "scheduling share share_kind max_rate_bps"


def _fields(
    *rows: Row,
    base: str = "",
    unknown: str = "",
    by_word: Mapping[str, str] | None = None,
    lenient: bool = False,
    ignored: frozenset[str] = frozenset(),
) -> Mode:
    """A table of CONFIG_DB.

    `unknown` is what a field that no row knows might set, with the paths of those whose names it contains, and `by_word` those
    of words in its name: one new field must not blind a whole port. A lenient table holds much that is none of our business:
    of the fields that no row knows only those are told whose names sound like lossless settings.
    """
    every = tuple(dict.fromkeys(path for row in rows for path in row.paths))

    def guess(words: Sequence[str], depth: int) -> tuple[str, ...] | None:
        name = words[0]
        if name.startswith("="):  # a value where the fields of the row should stand
            return every
        alike = [row for row in rows if row.leaf in name]
        if lenient and not alike and _SOUNDS_RELEVANT.search(name) is None:
            return None
        by_words = " ".join((by_word or {}).get(part, "") for part in name.split("_"))
        paths = (*unknown.split(), *by_words.split(), *(path for row in alike for path in row.paths))
        return tuple(dict.fromkeys(paths))

    return Mode(rows, base=base, strict=not lenient, guess=guess, ignored=ignored)


def _map(keys: int, values: int, paths: str) -> Mode:
    """Keys from 0 on, each with a value from 0 on."""
    return Mode((leaf(f"<key:0..{keys}> <value:0..{values}>", paths),))


PORT_TABLES: dict[str, Mode] = {
    "PORT": _fields(
        leaf("speed <value:1..1600000>", "speed_bps"),
        leaf("mtu <value:68..9216>", "ip_mtu_bytes"),
        leaf("fec <value:rs|fc|none|auto>", "fec"),
        leaf("autoneg <value:on|off>", "autoneg"),
        leaf("admin_status <value:up_down>", "admin_up"),
        leaf("role <value:role>", "kind"),
        leaf("pfc_asym <value:on|off>", "pfc.receive_only"),
        leaf("default_lossless_buffer_profile <value:true_false>", "groups"),  # of Enterprise SONiC
        lenient=True,
        ignored=_POSSIBLE_SPEEDS | _OF_OTHERS,
    ),
    "CABLE_LENGTH": _fields(leaf("length <value:cable>", "cable_m")),
    "PORT_QOS_MAP": _fields(
        leaf("dscp_to_tc_map <value:DSCP_TO_TC_MAP>", _WITH_PFC + "dscp pcp trust"),
        leaf("dot1p_to_tc_map <value:DOT1P_TO_TC_MAP>", _WITH_PFC + "pcp trust"),
        leaf("tc_to_queue_map <value:TC_TO_QUEUE_MAP>", _WITH_PFC + "classes.*.queue"),
        leaf("tc_to_pg_map <value:TC_TO_PRIORITY_GROUP_MAP>", _WITH_PFC + "classes.*.group"),
        leaf("pfc_to_queue_map <value:MAP_PFC_PRIORITY_TO_QUEUE>", _WITH_PFC + "priorities.*.queue"),
        leaf("pfc_to_pg_map <value:PFC_PRIORITY_TO_PRIORITY_GROUP_MAP>", _WITH_PFC + "priorities.*.group"),
        leaf("tc_to_dscp_map <value:TC_TO_DSCP_MAP>", _WITH_PFC + "rewrites_dscp"),
        leaf("scheduler <value:SCHEDULER>", "queues.*.max_rate_bps"),
        leaf("pfc_enable <value:priorities>", "pfc.mode pfc.priorities pfc.receive_only"),
        leaf("pfcwd_sw_enable <value:priorities>", "pfc.watchdog.priorities pfc.watchdog.on"),
        *[
            leaf(f"{name} <value...>")
            for name in ("tc_to_dot1p_map", "mpls_tc_to_tc_map", "dscp_to_fc_map", "exp_to_fc_map")
        ],
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
    "QUEUE": _fields(
        leaf("scheduler <value:SCHEDULER>", _SCHEDULED),
        leaf("wred_profile <value:WRED_PROFILE>", "ecn"),
        base="queues.#",
        unknown=f"{_SCHEDULED} ecn",
    ),
    "BUFFER_PG": _fields(leaf("profile <value:BUFFER_PROFILE>"), base="groups.#"),
    "BUFFER_QUEUE": _fields(
        leaf("profile <value:BUFFER_PROFILE>", "limit_bytes alpha"), base="queues.#", unknown="limit_bytes alpha"
    ),
    "PFC_WD": _fields(
        leaf("action <value:drop|forward|alert>", "action"),
        leaf("detection_time <value:100..5000>", "detect_ms on"),
        leaf("restoration_time <value:100..60000>", "restore_ms"),
        leaf("pfc_stat_history <value...>"),
        leaf("POLL_INTERVAL <value:100..1000>", "poll_ms"),
        leaf("BIG_RED_SWITCH <value:enabled>", "on"),
        base="pfc.watchdog",
        unknown="on",
    ),
    "SWITCH_HASH": _fields(
        leaf("ecmp_hash <value:hashed>", "forwarding.hash_uses_ports"),
        *[leaf(f"{name} <value...>") for name in ("ecmp_hash_algorithm", "lag_hash", "lag_hash_algorithm")],
        lenient=True,
    ),
    FILTERED: _fields(leaf("PACKET_ACTION <value:dropping>", "drops_roce"), leaf("DSCP <value:0..63>", "drops_dscps")),
    SHOWN: _fields(
        leaf("pfc_enable <value:priorities>", "pfc.operational pfc.shown_off"),
        leaf("speed <value:1..1600000>", "speed_bps"),
        leaf("mtu <value:68..9216>", "ip_mtu_bytes"),
        leaf("fec <value:rs|fc|none|auto>", "fec"),
        leaf("fec_oper <value:rs|fc|none|auto>", "fec"),
        leaf("admin_status <value:up_down>", "admin_up"),
        leaf("oper_status <value:up_down>", "pfc.operational pfc.shown_off"),
        leaf("pfcwd_action <value:drop|forward|alert>", "pfc.watchdog.action"),
        leaf("pfcwd_detection_time <value:1..100000>", "pfc.watchdog.detect_ms pfc.watchdog.on"),
        leaf("pfcwd_restoration_time <value:1..100000>", "pfc.watchdog.restore_ms"),
        leaf(
            "pfc_asym <value:on|off>", "pfc.operational pfc.shown_off speed_bps ip_mtu_bytes fec admin_up"
        ),  # how a row ends
    ),
}
"""Rows whose key names ports."""

LAG_TABLES: dict[str, Mode] = {
    "PORTCHANNEL": _fields(
        leaf("mtu <value:1..9216>", "ip_mtu_bytes"),
        leaf("admin_status <value:up_down>", "admin_up"),
        leaf("min_links <value:1..1024>", "min_links"),
        leaf("fast_rate <value:lacp_rate>", "lacp_rate"),
        lenient=True,
        ignored=frozenset({"mix_speed"}),  # whether members may differ in speed (metal-stack/sonic-configdb-utils)
    ),
    "MCLAG_INTERFACE": _fields(leaf("channel <value:name>", "shared_channel"), lenient=True),
}
"""Rows whose key names a port channel."""

OBJECT_TABLES: dict[str, Mode] = {
    "DSCP_TO_TC_MAP": _map(63, _LAST_CLASS, "dscp.*"),
    "DOT1P_TO_TC_MAP": _map(7, _LAST_CLASS, "pcp.*"),
    "TC_TO_QUEUE_MAP": _map(_LAST_CLASS, 9, "classes.*.queue"),
    "TC_TO_PRIORITY_GROUP_MAP": _map(_LAST_CLASS, 7, "classes.*.group"),
    "MAP_PFC_PRIORITY_TO_QUEUE": _map(7, 9, "priorities.*.queue"),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": _map(7, 7, "priorities.*.group"),
    "TC_TO_DSCP_MAP": _map(_LAST_CLASS, 63, "rewrites_dscp classes.*.new_dscp"),
    "SCHEDULER": _fields(
        leaf("type <value:scheduling>", "scheduling share share_kind"),
        leaf("weight <value:1..100>", "share"),
        leaf("meter_type <value:packets|bytes>", "max_rate_bps"),
        leaf("pir <value:bytes>", "max_rate_bps"),
        *[leaf(f"{name} <value...>") for name in ("priority", "cir", "cbs", "pbs")],
        base="queues.#",
        unknown=_SCHEDULED,
    ),
    "WRED_PROFILE": _fields(
        leaf("ecn <value:ecn>", "marks drops"),
        leaf("wred_green_enable <value:true_false>", "marks drops"),
        leaf("green_min_threshold <value:bytes>", "min_bytes min_value min_unit"),
        leaf("green_max_threshold <value:bytes>", "max_bytes max_value max_unit"),
        leaf("green_drop_probability <value:0..100>", "max_probability_percent"),
        leaf("ecn_green_min_threshold <value:bytes>", "min_bytes min_value min_unit marks"),
        leaf("ecn_green_max_threshold <value:bytes>", "max_bytes max_value max_unit"),
        leaf("ecn_green_mark_probability <value:0..100>", "max_probability_percent"),
        *[
            leaf(f"{words} <value...>")
            for colour in ("yellow", "red")
            for words in (
                f"{colour}_min_threshold",
                f"{colour}_max_threshold",
                f"{colour}_drop_probability",
                f"wred_{colour}_enable",
                f"ecn_{colour}_min_threshold",
                f"ecn_{colour}_max_threshold",
                f"ecn_{colour}_mark_probability",
            )
        ],
        base="queues.#.ecn",
    ),
    "BUFFER_PROFILE": _fields(
        leaf("pool <value:BUFFER_POOL>", "pool headroom_is_shared"),
        leaf("size <value:bytes>", "reserved_bytes"),
        leaf("xon <value:bytes>", "xon_at_bytes"),
        leaf("xon_offset <value:bytes>", "xon_offset_bytes"),
        leaf("xoff <value:bytes>", "headroom_bytes lossless headroom_is_shared"),
        leaf("dynamic_th <value:exponent>", "alpha xoff_at_bytes"),
        leaf("static_th <value:bytes>", "alpha xoff_at_bytes"),
        leaf("headroom_type <value:static|dynamic>", "lossless headroom_bytes headroom_is_shared"),
        leaf("packet_discard_action <value...>"),
        leaf("mode <value...>"),
        base="groups.#",
    ),
    "BUFFER_POOL": _fields(
        leaf("type <value:ingress|egress|both>", "size_bytes mode"),
        leaf("mode <value:static|dynamic>", "mode"),
        leaf("size <value:bytes>", "size_bytes"),
        leaf("xoff <value:bytes>", "shared_headroom_bytes"),
        leaf("percentage <value...>"),
        base="groups.#.pool",
    ),
}
"""Rows that other rows name."""

DEVICE_TABLES: dict[str, Mode] = {
    "VXLAN_TUNNEL": _fields(
        leaf("src_ip <value:address>", "forwarding.tunnels"),
        leaf("qos-mode <value:pipe|uniform>", "forwarding.tunnel_fixed_dscp"),
        leaf("dscp <value:0..63>", "forwarding.tunnel_fixed_dscp"),
        lenient=True,
    ),
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": _fields(
        leaf("over_subscribe_ratio <value:0..65535>"), leaf("default_dynamic_th <value:exponent>", "groups")
    ),
    "LOSSLESS_TRAFFIC_PATTERN": _fields(
        leaf("mtu <value:1..9216>", "device.calculation_mtu_bytes"), leaf("small_packet_percentage <value...>")
    ),
    "DEVICE_METADATA": _fields(
        leaf("buffer_model <value:traditional|dynamic>", "device.buffer_model"),
        leaf("default_pfcwd_status <value:enabled>", "pfc.watchdog"),
        leaf(f"switch_type <value:{_SWITCHES}>", "device.buffer_architecture"),
        leaf("hwsku <value:name>", "device.model_name"),
        leaf("platform <value...>"),
        leaf("create_only_config_db_buffers <value...>"),
        lenient=True,
    ),
}
"""Rows that hold for the whole device."""

LABEL_TABLES = frozenset(
    {
        "ACL_RULE",
        "ACL_TABLE",
        "PORTCHANNEL_MEMBER",
        "VLAN_MEMBER",
        "VLAN_SUB_INTERFACE",
        "INTERFACE",
        "PORTCHANNEL_INTERFACE",
        "MCLAG_DOMAIN",
        "DEVICE_NEIGHBOR",
        "TUNNEL",
        "FLEX_COUNTER_TABLE",
        "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
    }
)
"""Tables that tell names, members and uses, but set nothing in the model."""

TABLES: dict[str, Mode] = {**PORT_TABLES, **OBJECT_TABLES, **DEVICE_TABLES, **LAG_TABLES}


def _header(name: str, table: Mode) -> Row:
    """A row of the table stands; where nobody can tell of which port or queue, all that it may set is unknown."""
    if name in NUMBERED:
        return leaf(f"{name} <numbers:numbers>", table.base.partition(".#")[0])
    ports = name in PORT_TABLES or name in LAG_TABLES
    paths = [f"{table.base}.{path}".strip(".") for row in table.rows for path in row.paths] if ports else []
    return leaf(name, " ".join(dict.fromkeys(paths)))


TABLE = StatementTable(
    name="sonic",
    types={
        "address": present(ADDRESS),
        "bytes": number(0, 2**64 - 1),
        "cable": cable,
        "ecn": word(_ECN),
        "dropping": word({"DROP": True, "drop": True}),
        "enabled": word({"enable": True, "disable": False}),
        "exponent": signed(-8, 7),
        "hashed": hashed,
        "name": plain,
        "numbers": numbers,
        "priorities": priorities,
        "lacp_rate": word({"true": "fast", "True": "fast", "false": "slow", "False": "slow"}),
        "role": word(_ROLES),
        "scheduling": word({"DWRR": "weighted", "WRR": "weighted", "STRICT": "strict"}),
        "true_false": word({"true": True, "false": False, "True": True, "False": False}),
        "up_down": word({"up": True, "down": False}),
        **{name: reference(name) for name in OBJECT_TABLES},
    },
    modes={
        "top": Mode(
            tuple([_header(name, table) for name, table in TABLES.items()]), opens={name: name for name in TABLES}
        ),
        **TABLES,
    },
    negations=(),
    comments=(),
)


def _named(row: Row) -> str:
    """The table of objects that the value of a field names; "" for other fields."""
    value = row.form[-1]
    return value.type if isinstance(value, Capture) and value.type in OBJECT_TABLES else ""


NAMES = {(name, row.leaf): _named(row) for name, table in TABLES.items() for row in table.rows if _named(row)}
"""(table, field) -> the table whose objects it names."""
MAP_OF_FIELD = {
    field: named for (table, field), named in NAMES.items() if table == "PORT_QOS_MAP" and field != "scheduler"
}
