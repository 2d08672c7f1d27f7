"""Dell Networking OS9 (FTOS): the DCB part of the running-config."""

from __future__ import annotations

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, Form

_CAPTURED = r"^! Version [89]\.\d+\(\d"
_WORDS = (
    r"^dcb enable\b",
    r"^ *dcb-map \S",
    r"^ *(?:priority-pgid(?: \d){8}|priority-group \d (?:bandwidth \d|strict-priority))",
    r"^ *(?:dcb-buffer-threshold \S|dcb-policy (?:buffer-threshold|input|output) |dcb-(?:in|out)put \S)",
    r"^interface (?:range )?(?:te|ten|TenGigabitEthernet|fo|fortyGigE|hundredGigE|twentyFiveGigE) \d+/\d",
    r"^(?:policy-map-(?:in|out)put|qos-policy-(?:in|out)put) \S",
    r"^ +(?:portmode hybrid|port-channel-protocol LACP|vlt-peer-lag port-channel \d)",
    r"^(?:service-class dynamic dot1p|boot system stack-unit |stack-unit \d)",
)

_ANSWERS = {
    r"^[ \t]{0,4}Interface (?:TenGigabitEthernet|fortyGigE|twentyFiveGigE|fiftyGigE|hundredGigE) \d{1,3}/\d{1,3}": 60,
    r"^Dell (?:Real Time Operating System Software|Networking OS |Application Software Version: )": 90,
}


def _load() -> Parts:
    from roce_audit.platforms.os9.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="os9",
    kind="switch",
    load=_load,
    comment="!",
    signature=(
        Form(commands=CONFIGURATION, marks={_CAPTURED: 95}),
        Form(commands=CONFIGURATION, marks=dict.fromkeys(_WORDS, 20), most=80),
        Form(commands=r"\Ash", marks=_ANSWERS),
    ),
    naming=("hostname ",),
    commands=(
        "show version",
        "show running-config",
        "show interfaces status",
        "show qos dot1p-queue-mapping",
        "show lldp neighbors detail",
    ),
    tells_ports=r"show interfaces? (?:\S.{0,40} )?pfc ",
    needs={
        "queues": "show qos dot1p-queue-mapping (it differs by model)",
        "queues.*": "nothing: no guide says what a queue has without a policy of its own",
        "queues.*.ecn": "nothing: no guide says what a queue without a WRED profile does, or what holds beside ecn",
        "classes": "show qos dot1p-queue-mapping (it differs by model)",
        "dscp": "show qos dot1p-queue-mapping (which priority a policy's queue stands for)",
        "pcp": "show qos dot1p-queue-mapping (which priority a policy's queue stands for)",
        "ip_mtu_bytes": "mtu in the running-config (its default differs by model)",
        "link_pause_rx": "flowcontrol in the running-config (its default differs by model)",
        "groups": "dcb-buffer-threshold of the priority",
        "pfc.mode": "dcb enable in the running-config (its default differs by model)",
        "pfc.operational": "show interfaces PORT pfc detail",
        "pfc": "show running-config",
        "pfc.priorities": "show running-config (a DCBX port role other than manual takes them from the peer)",
        "dcbx": "show interfaces dcbx detail (its answer is not read)",
        "speed_bps": "show interfaces status (of ports that are up)",
        "admin_up": "show interfaces status (its answer is not read)",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(access="cli", device_type="dell_os9", configuration="show running-config"),
    task_names=("os9", "dellos9"),
    aliases=("dell_os9", "dell_force10", "dellos9", "dellemc.os9.os9"),
    factory_names=("dell",),
)
