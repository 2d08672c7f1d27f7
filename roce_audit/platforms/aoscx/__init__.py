"""HPE Aruba AOS-CX: running-config of the data centre switches (8325, 9300, 10000 and their kin)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from roce_audit.platforms.record import LabPorts, Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, SO_CALLED, Form

if TYPE_CHECKING:
    from roce_audit.platforms.taskmodules import Arguments

_CAPTURED = r"^!Version (?:ArubaOS-CX|AOS-CX) [A-Z]{2}\.\d"
_OWN = (
    r"^ *qos pool [1-3] lossless size \S",
    r"^ *flow-control priority (?:rx|tx|rxtx) [0-7]",
    r"^ *flow-control buffer cable-length \S",
    r"^ *(?:apply )?qos (?:queue|schedule|threshold)-profile \S",
    r"^ *qos (?:dscp|cos)-map \d\S* local-priority [0-7]",
    r"^ *map queue [0-7] local-priority [0-7]",
    r"^ *queue [0-7] action (?:ecn|wred-resp|wred-non-resp) ",
    r"^ *lldp dcbx(?: version (?:ieee|cee)| disable)? *$",
    r"^ *dcbx application (?:iscsi|(?:udp|tcp-udp|tcp-sctp|tcp-sctp-udp|ether) \S+) priority [0-7]",
    r"^interface \d{1,2}/\d{1,2}/\d{1,3}(?::\d{1,2})?(?:-\S+)? *$",
    r"^interface lag \d{1,3}(?: multi-chassis(?: static)?)? *$",
    r"^interface mgmt\n(?: [^\n]*\n){0,4}? {1,8}ip (?:static|dhcp)",
    r"^ +inter-switch-link \S",
    r"^ +vlan (?:trunk (?:native|allowed)|access) \S",
    r"^ +active-gateway ip ",
    r"^ +vrf attach \S",
    r"^(?:ssh|https)-?\w* ?server vrf \S",
    r"^!export-password: ",
    r"^access-list ip \S+ *\n +\d+ (?:permit|deny) ",
)
_INTERFACE = r"^ ?Interface \d{1,2}/\d{1,2}/\d{1,3}(?::\d{1,2})? is (?:up|down)"


def _load() -> Parts:
    from roce_audit.platforms.aoscx.parts import PARTS

    return PARTS


def _modules() -> Mapping[str, Arguments]:
    from roce_audit.platforms.aoscx.modules import MODULES

    return MODULES


PLATFORM = Platform(
    name="aoscx",
    kind="switch",
    port_name="1/1/{}",
    load=_load,
    comment="!",
    signature=(
        Form(commands=SO_CALLED, marks={_CAPTURED: 95, r"^! Build ID +: AOS-CX:": 95}),
        Form(commands=CONFIGURATION, marks=dict.fromkeys(_OWN, 20), most=85),
        Form(
            commands=r"\A\Z|\Ashow ",
            marks={
                r"^(?:ArubaOS-CX|AOS-CX) Version +: [A-Z]{2}\.": 95,
                r"^Neighbor Chassis-Name +:": 50,
                _INTERFACE: 30,
                r"^ Admin state is (?:up|down)": 30,
                r"^ +Packet Buffer Pools +Size": 60,
                r"^ *DCBx admin state +: ": 60,
                r"^Buffer usage for \d\S* in kbytes:": 60,
            },
            words=(
                "OS-CX Version ",
                "Neighbor Chassis-Name",
                "Interface ",
                "Admin state is ",
                "Packet Buffer Pools",
                "DCBx admin state",
                "Buffer usage for ",
            ),
        ),
    ),
    naming=("hostname ",),
    commands=(
        "show system",
        "show running-config",
        "show interface",
        "show lldp neighbor-info detail",
        "show qos pool config",
        "show dcbx interface",
    ),
    states={r"^show running-config": "running", r"^show startup-config": "startup", r"^show checkpoint": "candidate"},
    needs={
        "counters": "show interface PORT queues, show interface",
        "groups": "show running-config (qos pool)",
        "groups.*.headroom_bytes": "show qos pool config",
        "groups.*.alpha": "show qos pool config",
        "groups.*.pool": "show qos pool config",
        "queues.*.ecn.weight": "nothing: no guide says whether the queue length is averaged",
        "queues": "show running-config (schedule profile, threshold profile)",
        "classes": "show running-config (queue profile)",
        "dscp": "show running-config (qos trust, qos dscp-map)",
        "pcp": "show running-config (qos trust, qos cos-map)",
        "pfc": "show running-config (flow-control priority)",
        "pfc.operational": "show dcbx interface PORT",
        "dcbx": "show running-config (lldp dcbx)",
        "speed_bps": "show interface",
        "admin_up": "show running-config (shutdown, no shutdown)",
        "cable_m": "show running-config (flow-control buffer cable-length)",
    },
    live=Live(access="cli", device_type="aruba_aoscx", configuration="show running-config"),
    task_names=("aoscx",),
    modules=_modules,
    lab_ports=LabPorts(("1/1/{}",)),
    aliases=("aoscx", "aos-cx", "arubaoscx", "aruba_aoscx", "aruba_os_cx", "arubanetworks.aoscx.aoscx", "aruba-cx"),
    factory_names=("8325",),
)
