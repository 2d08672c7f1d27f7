"""Juniper Junos and Junos Evolved: the blocks of `show configuration`, and flat `set` lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from roce_audit.patterns import lazy
from roce_audit.platforms.record import FullPaths, LabPorts, Live, Parts, Platform
from roce_audit.platforms.signature import Form

if TYPE_CHECKING:
    from roce_audit.platforms.taskmodules import Arguments
    from roce_audit.text.document import Document

_ROOTS = (
    "system|interfaces|class-of-service|chassis|protocols|routing-options|policy-options|firewall|vlans|groups|snmp|security"
    "|routing-instances|forwarding-options|event-options|switch-options|access|services|applications"
)
_BLOCK = rf"^(?:[ \t]*\*/)?(?:inactive: |protect: |replace: )?(?:{_ROOTS}) \{{[ \t]*(?:/\*.*|#.*)?$"
_ENDED = r"^[ \t]+(?:inactive: |protect: )?[a-z0-9][^\n{};#]*;(?:[ \t]*(?:##|/\*).*)?[ \t]*$"
"""A statement that ends with a semicolon, on a line of its own."""
_HEADED = r"^## Last (?:commit|changed): \d{4}-"
_VERSION = r"^version \"?\d\d\.\d[^\s;]*;"
_SET_VERSION = r"^set version \"?\d\d\.\d"
_TYPED = r"^[ \t]*(?:\w{1,32}@[\w.-]{1,64}# )?"
"""How a line begins, also behind the prompt of the configuration mode."""
_COS = (
    _TYPED
    + r"(?:set|delete|deactivate) class-of-service (?:classifiers (?:dscp|ieee-802\.1|exp)|schedulers|scheduler-maps"
    r"|forwarding-classes|shared-buffer|drop-profiles|congestion-notification-profile|interfaces|rewrite-rules|code-point-aliases"
    r"|traffic-control-profiles|dedicated-buffer)\b"
)
_PORTS = (
    r"^[ \t]*(?:set|delete|deactivate|activate) (?:groups \S+ )?interfaces \"?<?(?:(?:et|xe|ge)-\d+/\d+/\d+|(?:et|xe|ge)-?\*"
    r"|ae\d|irb\b|lo0 |em\d|fxp\d|me0|\*>|interface-range )"
)
_SETS = (
    r"^[ \t]*set (?:system (?:host-name|login|services|root-authentication|syslog)|protocols (?:lldp|bgp|ospf|rstp) "
    r"|chassis (?:fpc|aggregated-devices)|routing-instances |policy-options (?:policy-statement|prefix-list)|firewall family "
    r"|snmp (?:community|view) )"
)
_VYOS = lazy(r"^set (?:interfaces ethernet eth|system host-name ')", re.M)
"""Lines of VyOS begin alike."""
_GROUPS = r"^[ \t]*set (?:apply-groups \S|groups \S+ (?:interfaces|system|class-of-service|protocols|policy-options) )"
_ANSWER = (
    r"^(?:Physical interface: (?:et|xe|ge|ae|em|fxp)\S*, (?:Enabled|Administratively down)"
    r"|Local Interface +Parent Interface +Chassis Id)"
)
_MODEL = r"^(?:Model: (?:qfx|ex|ptx|mx|srx|acx)\S+|Junos: \d\d\.\d\S+|JUNOS (?:Software|OS) Release)"
_JSON = r"\A\s*(?:\{[a-z]{1,20}:[0-9]{1,2}\}\s*)?\{\s*\"configuration\"\s*:"
_XML = r"<(?:\w{1,20}:)?configuration\b|<rpc-reply xmlns:junos="
_IN_TREE = (
    r"[<\"](?:class-of-service|host-name|interfaces|protocols|groups|routing-options)[>\"]"
    r"|<rpc-reply(?: [^<>]{0,300})?>\s{0,80}<configuration[\s>]|<configuration (?:[^<>]{1,300} )?(?:junos:)?(?:changed|commit)-seconds=\""
)


def _is_of_junos(document: Document) -> bool:
    return _VYOS.search(document.text) is None


def _load() -> Parts:
    from roce_audit.platforms.junos.parts import PARTS

    return PARTS


def _modules() -> Mapping[str, Arguments]:
    from roce_audit.platforms.junos.modules import MODULES

    return MODULES


PLATFORM = Platform(
    name="junos",
    kind="switch",
    load=_load,
    comment="#",
    signature=(
        Form(start=r"[^\[{]", words=(" {",), marks={_BLOCK: 48, _ENDED: 48}, fewest=2),
        Form(start=r"[^\[{]", words=("## Last ", "version "), marks={_HEADED: 60, _VERSION: 40}),
        Form(
            start=r"[^\[{]",
            words=("set ", "delete ", "activate "),
            marks={_COS: 60, _PORTS: 60, _SET_VERSION: 50, _GROUPS: 30, _SETS: 25},
            confirm=_is_of_junos,
        ),
        Form(
            start=r"[^\[{]",
            words=("Physical interface: ", "Local Interface ", "Model: ", "Junos: ", "JUNOS "),
            marks={_ANSWER: 60, _MODEL: 60},
        ),
        Form(commands=r"\Ashow configuration [a-z]", start=r"[^\[{<]", marks={_ENDED: 60}),
        Form(start=r"\{", marks={_JSON: 60, _IN_TREE: 35}, fewest=2),
        Form(start=r"<", marks={_XML: 60, _IN_TREE: 35}, fewest=2),
    ),
    naming=("set system host-name ",),
    commands=(
        "show version",
        "show configuration | no-more",
        "show interfaces extensive | no-more",
        "show class-of-service interface | no-more",
        "show class-of-service congestion-notification | no-more",
        "show class-of-service forwarding-class | no-more",
        "show class-of-service classifier | no-more",
        "show class-of-service shared-buffer | no-more",
        "show lacp interfaces | no-more",
        "show interfaces diagnostics optics | no-more",
        "show lldp neighbors | no-more",
    ),
    full_paths=FullPaths(
        commands=rf"(?:set|delete|activate|deactivate) (?:{_ROOTS}) ",
        below=r"(?m)^[ \t]{0,8}\[edit(?: ([a-z][^\]\n]{0,200}))?\][ \t]*$",
        relative=r"(?:set|delete|activate|deactivate) ",
        shown="show configuration",
    ),
    states={
        r"(?:^|/)(?:juniper\.conf\.[0-9]{1,2}|rescue\.conf)\Z|^show (?:system|configuration) rollback": "candidate",
        r"^show configuration\b": "running",
    },
    needs={
        "counters": "show interfaces extensive",
        "groups": "show class-of-service shared-buffer (whether there is headroom at all is read; the bytes of a group are in no answer)",
        "queues": "show configuration class-of-service | no-more",
        "pfc": "show configuration class-of-service | no-more",
        "queues.*.ecn.weight": "nothing: no guide says whether the queue length is averaged",
        "pfc.operational": "show class-of-service interface",
        "speed_bps": "show interfaces",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(
        access="cli",
        device_type="juniper_junos",
        reads="show",
        configuration="show configuration | no-more",
        prompt=r"[^\s#$%\[\]]{1,120}>",  # that of the configuration mode ends in `#`
        above_prompt=r"\{(?:master|backup|primary|secondary|linecard)[^{}\n]{0,40}\}",
    ),
    task_names=("junos", "juniper", "juniper.device.config"),
    modules=_modules,
    lab_ports=LabPorts(("et-0/0/{}", "xe-0/0/{}", "ge-0/0/{}"), first=0),
    aliases=(
        "juniper",
        "juniper_junos",
        "junos-evo",
        "junosevo",
        "junipernetworks.junos.junos",
        "juniper.device",
        "qfx",
        "evo",
    ),
    factory_names=("Amnesiac", "juniper", "junos"),
    programs=("show",),
)
