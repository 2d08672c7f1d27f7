"""Community SONiC: the CONFIG_DB as JSON (`config_db.json`, `show runningconfiguration all`)."""

from __future__ import annotations

from roce_audit.platforms.record import LabPorts, Live, Parts, Platform
from roce_audit.platforms.signature import ANYTHING, Form
from roce_audit.text.document import Document

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
_DUMPS = (
    r'"PORT_TABLE[:|][A-Z]',
    r'"BUFFER_(?:PG|QUEUE|POOL|PROFILE)_TABLE:',
    r'"ASIC_STATE:SAI_OBJECT_TYPE_',
    r'"COUNTERS_PORT_NAME_MAP"',
)
"""Keys of dumps of APPL_DB, ASIC_DB, COUNTERS_DB and STATE_DB."""
_HEAD = 4_000_000
_RULES_OF_PATCHES = "field_operation_validators"
"""In the file that says which fields of which tables a patch may change (sonic-utilities, generic_config_updater)."""
_TYPED = (
    r"\b(?:sonic-db-cli[ \t]+(?:-\w+[ \t]+\w+[ \t]+)?CONFIG_DB|redis-cli[ \t]+-n[ \t]?4)[ \t]+(?:h|H)(?:m|M)?(?:set|SET)[ \t]",
    r"\becnconfig[ \t]+-p[ \t]",
    r"\bpfcwd[ \t]+(?:start|stop|interval)\b",
    r"\bmmuconfig[ \t]+-p[ \t]",
    r"\bconfig[ \t]+interface[ \t]+(?:pfc[ \t]+(?:priority|asymmetric)|cable-length|buffer)[ \t]",
    r"\bconfig[ \t]+(?:qos[ \t]+reload|buffer[ \t]+profile[ \t]+(?:add|set))\b",
)
"""Commands of the shell by which a switch is set up."""
TYPED_AT_PROMPT = (
    r"\A(?:config (?:interface|qos|buffer|pfcwd|ecn|mmu) "
    r"|(?:sonic-db-cli (?:-\w{1,9} \w{1,9} )?CONFIG_DB|redis-cli -n ?4) (?i:hm?set|hdel) "
    r"|ecnconfig -p|mmuconfig -p|pfcwd (?:start|stop|interval)\b)"
)
"""The same behind prompts of a log: an answer of such a command is empty."""
_ANSWERED = (
    r"\A(?:show (?:pfc (?:priority|asymmetric|counters)|pfcwd |ecn\Z|buffer (?:information|configuration)|priority-group |mmu\Z)"
    r"|(?:ecnconfig|mmuconfig|buffershow) -l|pfcwd show |(?:sonic-db-cli|redis-cli) .{0,40}(?i:hgetall) )"
)
"""Commands that other systems do not have."""
_TYPED_WORDS = (
    "sonic-db-cli",
    "redis-cli",
    "ecnconfig",
    "pfcwd",
    "mmuconfig",
    "config interface ",
    "config qos",
    "config buffer",
)
_PATCHED = (
    r'"path"[ \t\n]*:[ \t\n]*"/(?:(?:asic[0-9]{1,2}|localhost)/)?(?:PORT_QOS_MAP|DSCP_TO_TC_MAP|BUFFER_[A-Z]{2,12}|WRED_PROFILE|QUEUE'
    r"|PFC_WD|SCHEDULER|TC_TO_[A-Z_]{5,30}|MAP_PFC_PRIORITY_TO_QUEUE|PFC_PRIORITY_TO_[A-Z_]{5,30}|CABLE_LENGTH|PORT)(?:/|\")"
)
"""A place that a JSON patch (RFC 6902) changes."""


def _key(table: str) -> str:
    """The name of a table, or of an object with the table before it."""
    return rf'"{table}(?:\||"[ \t\n]*:)'


def _is_a_datastore(document: Document) -> bool:
    return f'"{_RULES_OF_PATCHES}"' not in document.text[:_HEAD]


def _load() -> Parts:
    from roce_audit.platforms.sonic.parts import PARTS

    return PARTS


_KEPT = {
    r"version": "show version",
    r"interface\.status": "show interfaces status",
    r"interface\.counters_[12]": "show interfaces counters",
    r"interface\.counters\.fec-stats_[12]": "show interfaces counters fec-stats",
    r"interface\.xcvrs\.eeprom": "show interfaces transceiver eeprom --dom",
    r"queue\.counters_[12]": "show queue counters",
}
"""Names of files in a dump: sonic-utilities, scripts/generate_dump."""

PLATFORM = Platform(
    name="sonic",
    kind="switch",
    load=_load,
    signature=(
        Form(start=_START, marks={_key("DEVICE_METADATA"): 49, _key("PORT"): 49}, fewest=2, head=_HEAD),
        Form(start=_START, marks={_key(table): 30 for table in _TABLES}, most=90, head=_HEAD, confirm=_is_a_datastore),
        Form(start=r"\{", marks=dict.fromkeys(_DUMPS, 90), most=90, head=_HEAD),
        Form(start=r"\[", words=('"path"',), marks={r'"op"[ \t\n]*:': 30, _PATCHED: 60}, fewest=2),
        Form(commands=TYPED_AT_PROMPT, marks={ANYTHING: 80}),
        Form(commands=_ANSWERED, marks={ANYTHING: 80}),
        Form(
            commands=r"\A(?:show queue (?:wred)?counters|queuestat|wredstat)\b", marks={r"^ *Port +TxQ +\w+/pkts\b": 80}
        ),
        Form(commands=r"\A\Z", words=_TYPED_WORDS, marks=dict.fromkeys(_TYPED, 45), most=90),
    ),
    commands=(
        "show version",
        "show runningconfiguration all",
        "show interfaces status",
        "show interfaces fec status",
        "show pfc priority",
        "show buffer information",
        "show ecn",
        "show ip route vrf all json",
        "show lldp table",
        "show uptime",
        "show pfc counters",
        "show pfc counters --history",
        "show priority-group drop counters",
        "show queue counters",
        "show pfcwd config",
        "show pfcwd stats",
        "show interfaces counters fec-stats",
        "show interfaces counters",
        "show queue wredcounters",
        "show priority-group watermark headroom",
    ),
    other_forms=r"(?:sudo )?(?:(?:ecnconfig|mmuconfig|buffershow) -l.{0,20}|show (?:buffer configuration|mmu|pfc asymmetric)"
    r"|(?:sonic-db-cli|redis-cli) .{0,40}(?i:hgetall) .{1,200})",
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
    follows_scripts=True,
    live=Live(
        access="shell",
        configuration="show runningconfiguration all",
    ),
    lab_ports=LabPorts(("Ethernet{}",), first=0, step=4),
    aliases=("edgecore_sonic", "community-sonic", "azure-sonic"),
    factory_names=("sonic",),
    siblings=r"config_db[0-9]{0,3}\.json|pg_profile_lookup\.ini|(?:qos|buffers)\.json|(?:CONFIG|APPL|ASIC|COUNTERS|STATE)_DB\.json"
    r"|COUNTERS_DB_[12]\.json|version|interface\.(?:status|counters_[12]|counters\.fec-stats_[12]|xcvrs\.eeprom)|queue\.counters_[12]",
    kept=_KEPT,
    kinds_of_file=("config_db",),
    programs=(
        *("sonic-cfggen", "pfcwd", "redis-cli", "pfcstat", "queuestat", "wredstat", "portstat", "pg-drop"),
        *("watermarkstat", "ecnconfig", "mmuconfig", "buffershow", "sonic-db-cli"),
    ),
    underscored="config_db|pg_headroom",
    unread_forms={
        "<DeviceMiniGraph": "a SONiC minigraph: check the config_db.json that is made of it",
        rf'"{_RULES_OF_PATCHES}"': "rules of SONiC about what a patch may change: no configuration of a switch",
        r"(?i)^#+[ \t]*(?:PG lossless profiles|speed[ \t]+cable[ \t]+size)": (
            "a SONiC table of headrooms: it is read beside the config_db.json of its switch"
        ),
    },
)
