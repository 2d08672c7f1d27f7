"""Arista EOS: running-config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from roce_audit.platforms.record import Live, Modelled, Parts, Platform
from roce_audit.platforms.signature import Form
from roce_audit.text.document import Document

if TYPE_CHECKING:
    from roce_audit.platforms.taskmodules import Arguments

_CONFIGURATION = r"\A\Z|(?:running|startup)-config"
_CAPTURED = (
    r"^(! ?device: \S+ \([^\n]{1,60}EOS-|! ?RANCID-CONTENT-TYPE: arista|transceiver qsfp default-mode"
    r"|service routing protocols model)"
)
_WORDS = (
    r"^qos profile \S+",
    r"^ +(uc-tx-queue|mc-tx-queue|tx-queue) \d",
    r"^ *service-profile \S+",
    r"^qos map (dscp|cos|traffic-class) ",
    r"^ *priority-flow-control (on|priority \d (no-)?drop|pause watchdog)",
    r"^ *random-detect ecn minimum-threshold ",
    r"^(vlan internal order|daemon TerminAttr|management api http-commands)",
    r"^interface (Ethernet\d+(/\d+)*|Management\d|Port-Channel\d+|Vxlan1)\n {3}\S",
)


def _is_structured(document: Document) -> bool:
    """Whether it is a structured configuration of AVD."""
    from roce_audit.platforms.eos.avd import is_structured

    return is_structured(document.text)


def _is_tree(document: Document) -> bool:
    """Whether it is a running-config as JSON."""
    from roce_audit.platforms.eos.cmdtree import is_tree

    return is_tree(document.text)


def _load() -> Parts:
    from roce_audit.platforms.eos.parts import PARTS

    return PARTS


def _modules() -> Mapping[str, Arguments]:
    from roce_audit.platforms.eos.modules import MODULES

    return MODULES


def _data_model(host: str, values: Mapping[str, Any]) -> list[Modelled]:
    from roce_audit.platforms.eos.avddesigns import of_host

    return of_host(host, values)


_OF_AVD = "variables of AVD with settings of PFC or QoS: check the structured configuration that they make"
PLATFORM = Platform(
    name="eos",
    kind="switch",
    port_name="Ethernet{}/1",
    load=_load,
    comment="!",
    signature=(
        Form(commands=_CONFIGURATION, marks={_CAPTURED: 95}),
        Form(commands=_CONFIGURATION, marks={r"^(?:ethernet|port_channel)_interfaces:": 80}, confirm=_is_structured),
        Form(commands=_CONFIGURATION, marks={r'"cmds"\s*:\s*\{': 80}, start=r"[\[{]", confirm=_is_tree),
        Form(commands=_CONFIGURATION, marks=dict.fromkeys(_WORDS, 25), most=80),
        Form(commands=r"\Ashow priority-flow-control", marks={r"^The hardware supports PFC on priorities ": 90}),
    ),
    naming=("hostname ",),
    commands=(
        "show version",
        "show running-config",
        "show qos maps",
        "show priority-flow-control",
        "show priority-flow-control counters",
        "show priority-flow-control counters watchdog",
        "show interfaces counters queue detail",
        "show interfaces counters errors",
        "show priority-flow-control counters detail | json",
        "show interfaces status",
        "show interfaces status errdisabled",
        "show interfaces",
        "show port-channel summary",
        "show qos interfaces",
        "show interfaces phy detail",
        "show ip route vrf all | json",
        "show lldp neighbors detail",
    ),
    other_forms=r"show (?:interfaces?|priority-flow-control|qos interfaces?)(?: .{0,80})?"
    r" counters (?:errors|watchdog|detail|queue(?: \S{1,20})?) ?\| ?json.{0,40}|show priority-flow-control counters ?\| ?json"
    r"|show interfaces?(?: (?:[A-Za-z][A-Za-z-]{1,14} ?\d[\d/,-]{0,40}|status(?: errdisabled)?))? ?\| ?json",
    states={r"^! ?Command: show running-config": "running", r"^! ?Command: show startup-config": "startup"},
    tells_ports=r"show priority-flow-control(?! counters watchdog)|show interfaces?(?: \S{1,30}){0,2} counters queue(?: detail)?\b",
    needs={
        "counters": "show priority-flow-control counters detail | json, show interfaces counters queue detail, show interfaces phy detail",
        "groups": "platform trident mmu queue profile in the running-config (what runs without one is not read)",
        "queues": "show running-config (of show qos interfaces only whether ECN is on is read)",
        "pfc.operational": "show priority-flow-control",
        "pfc": "show running-config",
        "speed_bps": "show interfaces status",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(access="cli", device_type="arista_eos", configuration="show running-config", end="end"),
    looks={
        r'"interfaceStatuses"\s*:\s*\{': "show interfaces status | json",
        r'"interfaceErrorCounters"\s*:\s*\{': "show interfaces counters errors | json",
        r'"egressQueueCounters"\s*:\s*\{': "show interfaces counters queue | json",
        r'"intfQueueCounters"\s*:\s*\{': "show qos interfaces ecn counters queue | json",
        r'\A\s*\{\s*"interfaces"\s*:\s*\{\s*"[A-Z][\w/-]{1,30}"\s*:\s*\{[^{}]{0,2000}"lineProtocolStatus"': "show interfaces | json",
    },
    task_names=("eos",),
    modules=_modules,
    data_model=_data_model,
    aliases=("arista", "arista_eos", "arista.eos.eos", "ceos"),
    factory_names=("eos", "veos", "ceos", "arista"),
    unread_forms={
        r"^(?:custom_structured_configuration_(?:qos_profiles|qos|priority_flow_control|ethernet_interfaces)|qos_profiles"
        r"|priority_flow_control):": _OF_AVD,
        r"^ {2,24}(?:uplink_ethernet_structured_config|qos_profile|service_profile):": _OF_AVD,
    },
)
