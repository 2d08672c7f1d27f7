"""H3C and HPE Comware 7 and 9: display current-configuration, and what other display commands answer."""

from __future__ import annotations

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import Form

_CONFIGURATION = r"\A\Z|display (?:current|saved)-configuration"
_LINE = r"^(?: *+\[[^\[\]\n]{1,80}\])? *"
"""The beginning of a line, behind the prompt where somebody copied it from a terminal."""
_CAPTURED = (
    r"^(?:[# ]*(?:HPE?|H3C) Comware (?:Platform )?Software| ?version [579]\.\d+(?:\.\d+)?, [A-Z][A-Za-z]{1,20} \w+)"
)
_OWN = (
    _LINE + r"(?:undo )?port link-mode (?:route|bridge)\b",
    _LINE
    + r"(?:undo )?priority-flow-control (?:auto\b|enable\b|no-drop |dot1p |deadlock |pool[iI][dD] |early-warning )",
    _LINE + r"(?:undo )?qos (?:wfq|wrr)(?: |$)",
    _LINE + r"(?:undo )?qos wred (?:queue|apply)\b",
    _LINE + r"(?:undo )?buffer (?:egress|ingress)(?: slot \d+)? (?:cell|packet) ",
    r"^qos map-table \S+\n import \d",
    _LINE
    + r"interface (?:range )?(?i:M-(?:Gigabit)?Ethernet|Ten-GigabitEthernet|(?:Twenty-Five|TwoHundred|FourHundred|EightHundred)GigE"
    r"|(?:Bridge|Route)-Aggregation|V(?:lan|si)-interface) ?\d",
    r"^ ?(?:irf (?:mac-address|member|domain|auto-update|mode) |irf-port \d/\d|user-role (?:network|level)-|role name level-)",
    r"^ ?(?:netconf ssh server enable|password-recovery enable|undo irf link-delay|lldp global enable)\s*$",
    r"^ ?(?:port (?:m-lag|s-mlag|drni|link-aggregation group) |(?:m-lag|drni) system-(?:mac|number) )",
    _LINE + r"interface (?:HundredGigE|FortyGigE)\d{1,2}/\d{1,2}/\d{1,3}(?::\d)?$\n(?: \S.*\n){0,20} (?:undo )?port ",
    r"^header motd ",
    r"^ ?hwtacacs nas-ip ",
)
"""What only this system writes."""
_SHARED = (
    _LINE + r"sysname \S",
    _LINE + r"undo \S",
    r"^ ?port (?:access|trunk|hybrid) \S",
    r"^(?:quit|return)\s*$",
    r"^ ?qos trust (?:dscp|dot1p)\s*$",
    r"^ ?(?:stp (?:global enable|edged-port)|ip binding vpn-instance \S|jumboframe enable)",
)
"""What others write as well."""


def _load() -> Parts:
    from roce_audit.platforms.comware.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="comware",
    kind="switch",
    port_name="HundredGigE1/0/{}",
    load=_load,
    comment="#",
    signature=(
        Form(commands=_CONFIGURATION, marks={_CAPTURED: 95}),
        Form(commands=_CONFIGURATION, marks=dict.fromkeys(_OWN, 25) | dict.fromkeys(_SHARED, 3), most=90),
        Form(
            commands=r"\A\Z|\Adisplay ",
            marks={
                r"^Interface +(?:AdminMode +OperMode|Conf +Ne) +Dot1pList": 90,
                r"^LLDP neighbor-information of port \d+ ?\[": 60,
                r"^The brief information of interfaces? ?(?:\(s\))? under (?:route|bridge) mode": 60,
                r"^(?:[A-Z]\w{0,40}-?)?(?:GigabitEthernet|GigE|Aggregation|interface)\d\S{0,60}\nCurrent state: ": 60,
                r"^[# ]*(?:HPE?|H3C) Comware (?:Platform )?Software": 95,
            },
            head=20_000,
        ),
    ),
    naming=("sysname ",),
    commands=(
        "display version",
        "display current-configuration",
        "display interface",
        "display priority-flow-control interface",
        "display packet-drop interface",
        "display qos queue-statistics interface outbound",
        "display qos trust interface",
        "display qos map-table",
        "display lldp neighbor-information verbose",
    ),
    states={
        r"^display current-configuration": "running",
        r"^display saved-configuration|(?:^|/)startup\.cfg\Z": "startup",
    },
    needs={
        "counters": "display priority-flow-control interface, display qos queue-statistics interface outbound",
        "queues": "display qos wfq interface or display qos queue interface (their answers are not read)",
        "queues.*.ecn": "display qos wred interface (its answer is not read)",
        "groups": "display buffer usage (its answer is not read; cells and their size differ by model)",
        "dscp": "display current-configuration (qos map-table and qos trust), or display qos map-table and display qos trust interface",
        "pcp": "display current-configuration (qos map-table and qos trust), or display qos map-table and display qos trust interface",
        "pfc": "display current-configuration",
        "pfc.operational": "display priority-flow-control interface",
        "pfc.priorities": "display priority-flow-control interface (in mode auto the peer decides; it is not read from there)",
        "dcbx": "display current-configuration",
        "ip_mtu_bytes": "display interface, or jumboframe enable SIZE of the port (its default differs by model)",
        "speed_bps": "display interface",
        "fec": "nothing that is read: no output with a FEC mode was seen",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(
        access="cli",
        device_type="hp_comware",
        reads="display",
        configuration="display current-configuration",
        end="return",
        prompt=r"<[^\s<>]{1,120}>",
    ),
    task_names=("comware", "hpcom"),
    aliases=("hp_comware", "h3c_comware", "h3c", "hpe_comware", "comware7", "comware9"),
    factory_names=("h3c", "hpe", "hp", "sysname"),
)
