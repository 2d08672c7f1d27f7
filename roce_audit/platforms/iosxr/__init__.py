"""Cisco IOS XR on the 8000 and NCS 5500/5700 series: running-config."""

from __future__ import annotations

from roce_audit.platforms.record import LabPorts, Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, SO_CALLED, Form

_CAPTURED = r"^!! IOS XR Configuration (?:version = )?\d"
_NAME = r"(?:Ten|TwentyFive|Forty|Fifty|Hundred|TwoHundred|FourHundred|EightHundred)GigE(?:\d{1,3}/){3}\d"
_OWN = (
    rf"^interface (?:preconfigure )?{_NAME}",
    r"^interface GigabitEthernet(?:\d{1,3}/){3}\d",
    r"^interface (?:Bundle-Ether\d|MgmtEth\d/RS?P\d/CPU\d/\d)",
    r"^hw-module profile ",
    r"^controller Optics\d/\d",
    r"^ ?end-(?:class-map|policy-map)\s*$",
    r"^(?:end-policy|end-set|end-group)\s*$",
    r"^route-policy \S{1,80}\s*$",
    r"^ ? set traffic-class \d",
    r"^ match traffic-class \d",
    r"^ bundle id \d{1,5} mode ",
)
_SHARED = (
    r"^hostname \S",
    r"^ ipv4 address \d",
    r"^class-map match-any \S",
    r"^policy-map \S{1,80}\s*$",
    r"^ service-policy (?:input|output) \S",
    r"^ priority-flow-control mode (?:on|off)\s*$",
)
"""Words that other systems have as well."""


def _load() -> Parts:
    from roce_audit.platforms.iosxr.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="iosxr",
    kind="switch",
    port_name="HundredGigE0/0/0/{}",
    load=_load,
    comment="!",
    signature=(
        Form(commands=SO_CALLED, marks={_CAPTURED: 95}),
        Form(commands=CONFIGURATION, marks=dict.fromkeys(_OWN, 25) | dict.fromkeys(_SHARED, 5), fewest=2, most=90),
        Form(
            commands=r"\Ash",
            marks={
                r"^Priority flow control information for interface \S{8,40}:": 90,
                r"^Operational data for interface \S{8,40}:": 60,
                r"^Cisco IOS XR Software, Version ": 95,
                r"^Local Interface: \S{0,20}GigE\d{1,3}/\d{1,3}/\d{1,3}/\d": 60,
                r"^PFC-Mode: +buffer-": 60,
            },
        ),
    ),
    naming=("hostname ",),
    commands=(
        "show version",
        "show running-config",
        "show interfaces",
        "show bundle",
        "show policy-map interface all",
        "show lldp neighbors detail",
    ),
    other_forms=r"show qos interface .{1,60}",
    states={r"^show running-config": "running"},
    tells_ports=r"show controllers \S{1,40} priority-flow-control",
    needs={
        "counters": "show controllers INTERFACE priority-flow-control, of each port",
        "groups": "show running-config (hw-module profile priority-flow-control)",
        "queues": "show policy-map interface (which policies are installed, and no more)",
        "dscp": "show running-config",
        "pfc": "show running-config",
        "pfc.operational": "show controllers INTERFACE priority-flow-control",
        "speed_bps": "show interfaces (of ports whose name does not say it)",
        "admin_up": "show running-config",
        "dcbx": "show running-config",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(
        access="cli",
        device_type="cisco_xr",
        configuration="show running-config",
        end="end",
        prompt=r"(?:RP/\d{1,2}/(?:RS?P)?\d{1,2}/CPU\d:)?[A-Za-z][\w.-]{0,62}#",
    ),
    task_names=("iosxr",),
    lab_ports=LabPorts(("GigabitEthernet0/0/0/{}", "TenGigE0/0/0/{}"), first=0),
    aliases=("ios-xr", "ios_xr", "iosxr7", "cisco_xr", "cisco.iosxr.iosxr", "xrd"),
    factory_names=("ios",),
)
"""What the router prints of itself is recognised by its head, other texts by the names of its interfaces and the ends of its blocks."""
