"""Enterprise SONiC (Broadcom, Dell): the management framework's command line, its REST trees, its Ansible collection."""

from __future__ import annotations

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import ANYTHING, Form

_OF_BOTH = (
    r"\A(?:show (?:pfc (?:priority|asymmetric|counters)|pfcwd |ecn\Z|priority-group )|(?:ecnconfig|mmuconfig) -l)"
)
"""Answers of the shell beneath, which community SONiC has as well: they are that one's where no configuration says otherwise."""
_CONFIGURATION = r"\A\Z|show running-config"
_MAPS = "dscp-tc|dot1p-tc|tc-queue|tc-pg|tc-dscp|tc-dot1p|pfc-priority-queue|pfc-priority-pg"
_OWN = (
    rf"^ *qos map (?:{_MAPS}) \S",
    rf"^ *qos-map (?:{_MAPS}) \S",
    r"^ *qos (?:wred|scheduler)-policy \S",
    r"^ *(?:buffer init lossless|buffer pool ingress_lossless_pool |roce enable)\b",
    r"^ *queue \d{1,2} wred-policy \S",
    r"^ *interface-naming standard",
    r"^ *unreliable-los (?:auto|on|off)\b",
)
"""Words that no other syntax has."""
_SHARED = (
    r"^ *interface (?:range )?(?:Eth ?\d+/\d+|Ethernet ?\d+(?![\d/])|PortChannel ?\d+)",
    r"^ *priority-flow-control (?:priority \d|watchdog (?:action|on|polling-interval))",
    r"^ *switchport (?:access|trunk allowed) Vlan \S",
    r"^ *(?:mclag domain \d|standalone-link-training$|ip vrf forwarding \S)",
    r"^ *interface breakout port \d+/\d+ mode ",
)
_TREE = {
    r'"openconfig-qos-(?:maps-ext|buffer|private)[:"]|"(?:[\w-]+:)?(?:interface-maps|pfc-priorities|dscp-map-entries'
    r'|forwarding-group-queue-map|forwarding-group-priority-group-map|pfc-priority-queue-map)"[ \t\n]*:'
    r'|"(?:sonic_)?qos_(?:maps|interfaces|scheduler|wred|buffer|pfc)"[ \t\n]*:': 60,
    r'"(?:openconfig-qos|openconfig-interfaces|sonic-switch):': 15,
    r'"openconfig-if-ethernet-ext2:|"wred-green-enable"|"buffer_mode_lossless"|"pfc-watchdog"': 19,
}
"""The extensions are this system's own; openconfig-qos and openconfig-interfaces are of many."""
_ANSIBLE = (
    r"^[ \t-]*(?:dellemc\.enterprise_sonic\.)?sonic_(?:qos_(?:maps|interfaces|scheduler|wred|buffer|pfc)|roce) *:",
    r"^[ \t-]*dellemc\.enterprise_sonic\.sonic_\w+ *:",
    r"^[ \t-]*sonic_(?:lag_)?interfaces *:",
)


def _load() -> Parts:
    from roce_audit.platforms.esonic.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="esonic",
    kind="switch",
    port_name="Eth1/{}",
    load=_load,
    comment="!",
    signature=(
        Form(commands=_CONFIGURATION, start=r"[\[{]", marks=_TREE, most=94),
        Form(commands=_CONFIGURATION, start=r"[^\[{]", marks=dict.fromkeys(_ANSIBLE, 45), most=94),
        Form(
            commands=_CONFIGURATION, start=r"[^\[{]", marks=dict.fromkeys(_OWN, 30) | dict.fromkeys(_SHARED, 9), most=94
        ),
        Form(commands=_OF_BOTH, marks={ANYTHING: 79}),
        Form(
            commands=r"\Ashow qos wred-policy(?: |\Z)", marks={r"^[ \t]*(?:ecn|green-m(?:in|ax)-threshold)[ \t]*:": 90}
        ),
    ),
    naming=("hostname ",),
    commands=(
        "show version",
        "show running-configuration",
        "show interface status",
        "show qos interface Eth all priority-flow-control statistics",
        "show qos interface Eth all queue all priority-flow-control watchdog-statistics",
        "show priority-flow-control watchdog",
        "show queue counters",
        "show qos interface Eth all",
        "show qos wred-policy",
        "show interface fec status",
        "show lldp table",
    ),
    needs={
        "counters": "show qos interface Eth all priority-flow-control statistics, show queue counters",
        "groups": "show buffer profile (not read; headroom of the default profiles is not in the configuration)",
        "queues": "show qos interface (of its answer PFC and the names of maps are read)",
        "pfc.operational": "show qos interface Eth all",
        "pfc": "show running-configuration",
        "speed_bps": "show interface status (of ports that are up)",
        "dcbx.lldp": "show lldp table (whether an agent runs is not read there)",
        "cable_m": "cable-length, policy cables:, or length_m in the topology file",
    },
    live=Live(access="cli", device_type="dell_sonic", configuration="show running-configuration"),
    task_names=("sonic",),
    takes_playbooks=True,
    aliases=("dell_sonic", "dellemc.enterprise_sonic.sonic", "enterprise-sonic", "enterprise_sonic"),
    factory_names=("dell",),
    siblings=r"(?:openconfig|sonic)-[\w.-]{1,80}\.json|sonic_(?:qos_\w{1,20}|roce|(?:lag_)?interfaces)\.ya?ml",
)
