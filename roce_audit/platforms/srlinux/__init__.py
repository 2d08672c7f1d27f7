"""Nokia SR Linux: configuration as JSON, as the blocks of `info`, and as flat `set / ...` lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from roce_audit.platforms.record import FullPaths, Live, Parts, Platform
from roce_audit.platforms.signature import Form

if TYPE_CHECKING:
    from roce_audit.platforms.taskmodules import Arguments

_MODULE = r'"srl_nokia-[a-z-]+:(?:interface|qos|system|network-instance)"'
_RPC = r'(?:"(?:jsonrpc|id|result)" *: *(?:"[^"\n]{0,100}"|\d{1,20}|\[\s*\{|\{)(?:\s*,)?\s*){0,3}'
"""What JSON-RPC says around an answer."""
_ROOT = rf'[\[{{]\s*(?:\{{\s*)?{_RPC}"(?:interface|qos|network-instance|system)" *:'
_NAMED = r'"(?:name|interface-id|interface)" *: *"(?:ethernet-\d+/\d+(?:/\d+)?|mgmt0|system0|lag\d+|irb\d+)(?:\.\d+)?"'
_FLAT = r"^[ \t]*(?:set|delete|insert) /? ?(?:interface|qos|system|network-instance|acl|routing-policy) "
_SLASH = r"^[ \t]*set / [a-z]"
_ROOTED = r"^[ \t]*set interface (?:ethernet-\d+/\d|mgmt0|system0|lag\d)"
_BLOCK = (
    r"^[ \t]*/? ?(?:interface (?:ethernet-\d+/[\d/{}.,]+|mgmt0|system0|lo\d+|lag\d+|irb\d+)|network-instance \S+"
    r"|qos|system|acl|routing-policy) \{[ \t]*$(?!\n[^\n]*;[ \t]*$)"
)
"""A block whose statements end with their lines, without a semicolon."""
_OWN_BLOCK = (
    r"^[ \t]*(?:/ )?(?:interface (?:ethernet-\d+/|mgmt0|system0|lag\d|irb\d)|network-instance \S+ \{|qos \{"
    r"|pfc-mapping-profile )"
)


def _load() -> Parts:
    from roce_audit.platforms.srlinux.parts import PARTS

    return PARTS


def _modules() -> Mapping[str, Arguments]:
    from roce_audit.platforms.srlinux.modules import MODULES

    return MODULES


PLATFORM = Platform(
    name="srlinux",
    kind="switch",
    load=_load,
    comment="#",
    signature=(
        Form(start=r"[\[{]", words=('"srl_nokia-',), marks={_MODULE: 98}),
        Form(start=_ROOT, marks={_NAMED: 90}),
        Form(start=r"[^\[{]", words=("set / ",), marks={_SLASH: 48, _FLAT: 48}, fewest=2),
        Form(start=r"[^\[{]", words=("set interface ",), marks={_ROOTED: 96}),
        Form(start=r"[^\[{]", words=(" {",), marks={_BLOCK: 48, _OWN_BLOCK: 48}, fewest=2),
        Form(start=r"[^\[{]", words=("Chassis Type ",), marks={r"^Chassis Type +: +7\d\d0 (?:IXR|SXR)-": 60}),
    ),
    naming=("set / system name host-name ",),
    commands=(
        "show version",
        "info from running | as json",
        "info from state / qos interfaces interface * | as json",
        "info from state / qos interfaces interface * pfc | as json",
        "info from state / interface * ethernet | as json",
        "show system lldp neighbor",
    ),
    states={
        r"^info(?! from (?:startup|candidate))": "running",
        r"^info from candidate": "candidate",
        r"(?:^|/)etc/opt/srlinux/config\.json\Z|^info from startup": "startup",
    },
    needs={
        "groups": "info from state / qos linecard * forwarding-complex * input (its answer is not read)",
        "queues": "info from running / qos | as json",
        "pfc": "info from running / qos | as json",
        "counters": "info from state / qos interfaces interface * pfc | as json",
        "pfc.operational": "info from state / qos interfaces interface * pfc | as json",
        "speed_bps": "info from state / interface * ethernet | as json",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    unread_forms={
        r"^ {2}rocev2QoS:[ \t]*$|^apiVersion: [\"']?qos\.eda\.nokia\.com/": (
            "a manifest of EDA with settings of PFC or QoS: check the configurations that it makes"
        ),
    },
    live=Live(
        access="cli",
        device_type="nokia_srl",
        reads="show|info",
        configuration="info from running | as json",
        above_prompt=r"(?:--)?\{[^\n]*\}--\[[^\n]*",
    ),
    aliases=("srl", "sr-linux", "nokia_srl", "nokia.srlinux.srlinux", "nokia_srlinux", "nokia-srlinux"),
    factory_names=("srl", "srlinux", "nokia"),
    programs=("info",),
    task_names=("nokia.srlinux.config",),
    modules=_modules,
    full_paths=FullPaths(above=r"--\{[^\n}]{0,80}\bcandidate\b[^\n]*", commands=r"(?:set|delete) / ?\S"),
)
