"""Community SONiC: the CONFIG_DB as JSON (`config_db.json`, `show runningconfiguration all`)."""

from __future__ import annotations

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import Form

_TABLES = (
    "DEVICE_METADATA",
    "PORT_QOS_MAP",
    "BUFFER_PG",
    "BUFFER_PROFILE",
    "BUFFER_QUEUE",
    "BUFFER_POOL",
    "DSCP_TO_TC_MAP",
    "DOT1P_TO_TC_MAP",
    "TC_TO_QUEUE_MAP",
    "TC_TO_PRIORITY_GROUP_MAP",
    "MAP_PFC_PRIORITY_TO_QUEUE",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "WRED_PROFILE",
    "PFC_WD",
    "CABLE_LENGTH",
    "LOSSLESS_TRAFFIC_PATTERN",
    "PORTCHANNEL_MEMBER",
    "VLAN_MEMBER",
    "QUEUE",
    "SCHEDULER",
)
_START = r'[\[{]|"[A-Z][A-Z0-9_]{2,60}(?:\|[^"\n]{1,200})?"[ \t\n]*:[ \t\n]*\{'
"""JSON, or a piece of a CONFIG_DB as people paste it: tables without the braces around them."""
_HEAD = 4_000_000


def _key(table: str) -> str:
    """The name of a table, or of an object with the table before it."""
    return rf'"{table}(?:\||"[ \t\n]*:)'


def _load() -> Parts:
    from roce_audit.platforms.sonic.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="sonic",
    kind="switch",
    load=_load,
    signature=(
        Form(start=_START, marks={_key("DEVICE_METADATA"): 49, _key("PORT"): 49}, fewest=2, head=_HEAD),
        Form(start=_START, marks={_key(table): 30 for table in _TABLES}, most=90, head=_HEAD),
    ),
    commands=(
        "show version",
        "show runningconfiguration all",
        "show interfaces status",
        "show pfc priority",
        "show buffer information",
        "show ip route vrf all json",
        "show lldp table",
        "show uptime",
        "show pfc counters",
        "show pfc counters --history",
        "show priority-group drop counters",
        "show queue counters",
        "show pfcwd stats",
        "show interfaces counters fec-stats",
        "show interfaces counters",
        "show queue wredcounters",
        "show priority-group watermark headroom",
    ),
    states={
        r"^(?:show runningconfiguration|sonic-cfggen -d|sonic-db-dump)|(?:^|/)dump/CONFIG_DB\.json\Z": "running",
        r"(?:^|/)config_db[0-9]{0,3}\.json\Z|^cat \S{0,200}config_db": "startup",
    },
    needs={
        "counters": "show pfc counters, show priority-group drop counters, show queue counters, show pfcwd stats",
        "groups": "show buffer information (what runs; the file holds only what was written)",
        "queues": "show runningconfiguration all",
        "priorities": "show runningconfiguration all",
        "pfc.operational": "show pfc priority",
        "pfc": "show runningconfiguration all",
        "dcbx.lldp": "show lldp table (whether an agent runs is not read there)",
        "cable_m": "CABLE_LENGTH, policy cables:, or length_m in the topology file",
    },
    live=Live(
        access="shell",
        configuration="show runningconfiguration all",
    ),
    aliases=("edgecore_sonic", "community-sonic", "azure-sonic"),
    factory_names=("sonic",),
    siblings=r"config_db[0-9]{0,3}\.json|pg_profile_lookup\.ini|(?:qos|buffers)\.json",
    kinds_of_file=("config_db",),
    programs=(
        *("sonic-cfggen", "pfcwd", "redis-cli", "pfcstat", "queuestat", "wredstat", "portstat", "pg-drop"),
        "watermarkstat",
    ),
    underscored="config_db|pg_headroom",
    unread_forms={
        r"\"path\"\s{0,9}:\s{0,9}\"/(?:PORT_QOS_MAP|DSCP_TO_TC_MAP|BUFFER_[A-Z]{2,12}|WRED_PROFILE|QUEUE|PFC_WD)/": (
            "a JSON patch of SONiC: check the config_db.json that it changes"
        ),
        "<DeviceMiniGraph": "a SONiC minigraph: check the config_db.json that is made of it",
        r"(?i)^#+[ \t]*(?:PG lossless profiles|speed[ \t]+cable[ \t]+size)": (
            "a SONiC table of headrooms: it is read beside the config_db.json of its switch"
        ),
    },
)
