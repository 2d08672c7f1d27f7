"""Cisco NX-OS on Nexus 9000: running-config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from roce_audit.platforms.record import LabPorts, Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, SO_CALLED, Form

if TYPE_CHECKING:
    from roce_audit.platforms.taskmodules import Arguments

_CAPTURED = (
    r"^(!Command: show (running|startup)-config|!RANCID-CONTENT-TYPE: cisco-nx|!Running configuration last done at:)"
)
_OWN = (
    r"^ *class type (network-qos|queuing) c-",
    r"^ *pause pfc-cos \d",
    r"^ *service-policy type (qos (input|output)|queuing (input|output)|network-qos) \S",
    r"^(version \d+\.\d+\(\d|switchname \S|vdc \S+ id \d|boot nxos )",
    r"^(no )?feature (lldp|vpc|bgp|lacp|interface-vlan|nxapi|hsrp|telnet|ssh|fex|ospf)\b",
    r"^(vpc domain \d|vrf context \S|interface breakout module |vlan configuration )",
    r"^ *(vrf member \S|no negotiate auto$|vpc \d)",
)
_SHARED = (
    r"^ *priority-flow-control mode (auto|on|off)",
    r"^policy-map type (network-qos|queuing) \S",
    r"^system qos$",
    r"^interface (Ethernet ?\d+/\d+|port-channel\d+)",
    r"^ *spanning-tree port type (edge|network|normal)",
)
"""Words that other systems have as well."""


def _load() -> Parts:
    from roce_audit.platforms.nxos.parts import PARTS

    return PARTS


def _modules() -> Mapping[str, Arguments]:
    from roce_audit.platforms.nxos.modules import MODULES

    return MODULES


PLATFORM = Platform(
    name="nxos",
    kind="switch",
    port_name="Ethernet1/{}",
    load=_load,
    comment="!",
    signature=(
        Form(commands=SO_CALLED, marks={_CAPTURED: 95}),
        Form(commands=CONFIGURATION, marks=dict.fromkeys(_OWN, 25) | dict.fromkeys(_SHARED, 10), fewest=2, most=85),
        Form(commands=r"\Ashow int", marks={r"^Port +Mode +Oper ?\((?:VL bmap|sobm)\) +RxPPP +TxPPP": 90}),
        Form(commands=r"\Ash(?:ow)? int.{0,60} priority-flow-control", marks={r'"ROW_pfc_interface"': 90}, start=r"\{"),
        Form(commands=r"\Ash(?:ow)? policy-map sys", marks={r"^ *Type network-qos policy-maps": 90}),
        Form(commands=r"\Ash(?:ow)? policy-map int", marks={r"^ *Service-policy \(queuing\) (?:out|in)put:": 90}),
        Form(commands=r"\Ash(?:ow)? queuing pfc-queue", marks={r"^\S{4,30} Interface PFC watchdog: \[": 90}),
        Form(commands=r"\Ash(?:ow)? queuing int", marks={r"^Egress Queuing for \S{1,40} \[(?:System|Interface)\]": 90}),
    ),
    naming=("hostname ", "switchname "),
    commands=(
        "show version",
        "show module",
        "show running-config",
        "show interface brief",
        "show interface priority-flow-control",
        "show queuing interface",
        "show queuing pfc-queue detail",
        "show policy-map system type network-qos",
        "show policy-map interface type queuing",
        "show interface counters errors",
        "show port-channel summary",
        "show interface transceiver details",
        "show ip route vrf all | json",
        "show lldp neighbors detail",
    ),
    states={r"^!Command: show running-config": "running", r"^!Command: show startup-config": "startup"},
    tells_ports=r"show interface (?:\S{1,40} )?priority-flow-control|show queuing interface",
    needs={
        "counters": "show interface priority-flow-control, show queuing interface, show queuing pfc-queue detail, show interface",
        "groups": "show queuing interface",
        "queues": "show queuing interface",
        "dscp": "show running-config",
        "pfc.priorities": "show interface priority-flow-control (what was negotiated; it is not read from there)",
        "pfc.operational": "show interface priority-flow-control",
        "pfc.watchdog": "show queuing pfc-queue (its settings are not read, only its counters)",
        "pfc": "show running-config",
        "dcbx": "show lldp dcbx interface (its answer is not read)",
        "speed_bps": "show interface brief, show interface status or show interface (of ports that are up)",
        "admin_up": "show interface brief (its answer is not read)",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    looks={
        r'"TABLE_pfc_interface"\s*:\s*[\[{]': "show interface priority-flow-control | json",
        r'"TABLE_queuing_interface"\s*:\s*[\[{]': "show queuing interface | json",
        r'"TABLE_interface"\s*:\s*\{(?=[\s\S]{0,20000}?"eth_mtu")': "show interface | json",
    },
    live=Live(access="cli", device_type="cisco_nxos", configuration="show running-config"),
    task_names=("nxos",),
    modules=_modules,
    lab_ports=LabPorts(("Ethernet1/{}",)),
    aliases=("nx-os", "nxos_ssh", "cisco_nxos", "cisco-nx-os", "cisco.nxos.nxos", "nexus"),
    factory_names=("nexus", "nxos", "n9k", "cisco"),
    unread_forms={
        r"<[^>]{0,200}xmlns(?::\w+)?=\"http://www\.cisco\.com/nxos:": (
            "an XML answer of NX-OS: check the text form (`show running-config` without `| xml`)"
        ),
    },
)
