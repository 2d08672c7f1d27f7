"""Facts of Ansible's setup module: JSON with `ansible_<interface>` objects, plain or below `ansible_facts`."""

from __future__ import annotations

import re
from typing import Any

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool
from roce_audit.platforms.shared.host.collector import HOST
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import ALL_ROUTES_LISTED, DEFAULT_ROUTE
from roce_audit.platforms.shared.host.words import matched, one_of, whole
from roce_audit.values import At, known

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_KINDS = {"ether": "physical", "bonding": "bond", "loopback": "software", "bridge": "software"}


def facts_in(value: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """(the way to the facts, the facts): a plain object, or the answer of the module."""
    if isinstance(value, dict) and isinstance(value.get("ansible_facts"), dict):
        return ("ansible_facts",), value["ansible_facts"]
    return (), value if isinstance(value, dict) else {}


def _split(answer: Answer) -> None:
    found = answer.json()
    if found is None:
        return
    way, facts = facts_in(found.value)
    host = answer.collector.host
    for key, name in (("ansible_kernel", "kernel"), ("ansible_distribution", "os_release")):
        if isinstance(facts.get(key), str):
            host.values.setdefault(name, known(facts[key], place(answer, found.line_of((*way, key)))))
    for key, one in facts.items():
        if isinstance(one, dict) and isinstance(one.get("device"), str) and one.get("type") in _KINDS:
            if _NAME.fullmatch(one["device"]):
                _interface(answer, one, lambda name, key=key: found.line_of((*way, key, name)))
            else:
                answer.unread(found.line_of((*way, key)), f"{key}: a device of another name")
    gateway = facts.get("ansible_default_ipv4")
    if isinstance(gateway, dict) and isinstance(gateway.get("interface"), str):
        line = found.line_of((*way, "ansible_default_ipv4"))
        answer.say("default route", line, ("net", gateway["interface"]))
        answer.say("all routes", line, HOST)


def _interface(answer: Answer, one: dict[str, Any], line_of: Any) -> None:
    name, collector = one["device"], answer.collector
    if _KINDS[one["type"]] == "software":
        collector.nic(name).hidden = True
        return
    if isinstance(one.get("pciid"), str) and _PCI.fullmatch(one["pciid"]):
        collector.at_pci(name, one["pciid"])
    address = one.get("ipv4")
    for entry in [address] if isinstance(address, dict) else address if isinstance(address, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("address"), str):
            collector.nic(name).addresses.append(f"{entry['address']}/{entry.get('prefix', '')}".rstrip("/"))
    for key in ("type", "mtu", "module", "speed"):
        if one.get(key) not in (None, ""):
            answer.say(f"{key} {one[key]}", line_of(key), ("net", name))


def _type(nic: NicSettings, text: str, at: At) -> None:
    nic.set_fallback("kind", one_of(text, {"ether": "ethernet", "bonding": "lag"}), at)


def _mtu(nic: NicSettings, text: str, at: At) -> None:
    nic.set("ip_mtu_bytes", whole(text, 68, 65536), at)


def _module(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.driver", matched(r"[A-Za-z0-9_-]{1,40}", text).group(), at)


def _speed(nic: NicSettings, text: str, at: At) -> None:
    if text != "-1":
        nic.set("speed_bps", whole(text, 0, 10_000_000) * 1_000_000, at)


def _default(nic: NicSettings, text: str, at: At) -> None:
    nic.set(DEFAULT_ROUTE, True, at)


def _all_routes(nic: NicSettings, text: str, at: At) -> None:
    nic.set(ALL_ROUTES_LISTED, True, at)


FACTS = Tool(
    name="ansible facts",
    split=_split,
    signature=r"\A\s*\{[\s\S]{0,19000}?\"ansible_(?:all_ipv4_addresses|architecture|distribution|default_ipv4|hostname|kernel)\":",
    lines=(
        Line("type", ("kind",), _type),
        Line("mtu", ("ip_mtu_bytes",), _mtu),
        Line("module", ("nic.driver",), _module),
        Line("speed", ("speed_bps",), _speed),
        Line("default route", ("nic.default_route",), _default),
        Line("all routes", ("nic.default_route",), _all_routes),
    ),
    complete=False,
)

TOOLS = (FACTS,)
