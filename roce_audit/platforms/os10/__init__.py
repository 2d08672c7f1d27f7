"""Dell SmartFabric OS10: running-configuration."""

from __future__ import annotations

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, SO_CALLED, Form

_CAPTURED = r"^! Version 10\.\d+\.\d"
_PRODUCT = r"^Dell (?:EMC Networking OS10|SmartFabric OS10|EMC SmartFabric OS10)"
_OWN = (
    r"^ *service-policy (?:input|output) type (?:network-qos|queuing|qos) \S",
    r"^ *(?:trust (?:dot1p|dscp)-map \S|trust-map (?:dot1p|dscp) \S)",
    r"^ *qos-map traffic-class \S",
    r"^ *(?:port-group \d+/\d+/\d+|discovery-interface ethernet)",
    r"^ *interface (?:range ethernet|ethernet) ?\d+/\d+/\d+",
    r"^ *interface range Ethernet \d+/\d+/\d+",
    r"^ *interface (?:mgmt ?1/1/1|breakout \d+/\d+/\d+ map )",
    r"^ *(?:ets mode on|flowcontrol transmit (?:on|off)|pfc-cos \d|dcbx enable)",
    r"^(?:(?:class|policy)-map type application \S|iscsi target port \d|wred \S+ *$)",
    r"^(?:system-user linuxadmin |rest api restconf|ztd cancel|ip vrf management\n +interface management)",
)
_VLT = r"^ *(?:vlt-domain|vlt-port-channel) \d"
"""Beside it words that NX-OS has as well count for less."""
_SHARED = (r"^ *priority-flow-control mode (?:on|off)",)
"""Words that other systems have as well."""


def _load() -> Parts:
    from roce_audit.platforms.os10.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="os10",
    kind="switch",
    port_name="ethernet1/1/{}",
    load=_load,
    comment="!",
    signature=(
        Form(commands=SO_CALLED, marks={_CAPTURED: 95}),
        Form(
            commands=CONFIGURATION,
            marks=dict.fromkeys(_OWN, 20) | dict.fromkeys(_SHARED, 10) | {_VLT: 40},
            fewest=2,
            most=85,
        ),
        Form(commands=r"\Ashow version\Z", marks={_PRODUCT: 90}),
    ),
    naming=("hostname ",),
    commands=(
        "show version",
        "show running-configuration",
        "show port-group",
        "show interface status",
        "show interface",
        "show interface priority-flow-control details",
        "show port-channel summary",
        "show lldp neighbors detail",
    ),
    tells_ports=r"show interface (?:\S.{0,60} )?priority-flow-control|show queuing statistics",
    needs={
        "groups": "explicit thresholds: pause buffer-size ... (the defaults of the model are not in the configuration)",
        "queues": "show running-configuration (queuing policy)",
        "dscp": "show running-configuration",
        "pcp": "show running-configuration",
        "pfc.priorities": "show lldp dcbx interface PORT pfc detail (what was negotiated)",
        "counters": "show interface priority-flow-control details, show interface, show queuing statistics interface PORT",
        "pfc.operational": "show interface priority-flow-control details",
        "pfc": "show running-configuration",
        "link_pause_rx": "show running-configuration (flowcontrol receive: guides disagree on its default)",
        "dcbx": "show lldp dcbx interface (its answer is not read)",
        "speed_bps": "show port-group",
        "admin_up": "show interface status (its answer is not read)",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(access="cli", device_type="dell_os10", configuration="show running-configuration"),
    task_names=("os10", "dellos10"),
    aliases=("dell_os10", "dellos10", "dellemc.os10.os10", "dell-os10", "smartfabric-os10"),
    factory_names=("dell", "os10"),
)
