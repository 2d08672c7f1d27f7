"""Facts of Ansible's setup module: JSON with `ansible_<interface>` objects, plain or below `ansible_facts`."""

from __future__ import annotations

import re
from typing import Any

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.answers import Answer, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST
from roce_audit.platforms.shared.host.notes import ALL_ROUTES_LISTED, DEFAULT_ROUTE
from roce_audit.platforms.shared.host.words import PLAIN, choice, integer, shape
from roce_audit.values import known

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


FACTS = Tool(
    name="ansible facts",
    split=_split,
    signature=r"\A\s*\{[\s\S]{0,19000}?\"ansible_(?:all_ipv4_addresses|architecture|distribution|default_ipv4|hostname|kernel)\":",
    lines=(
        sets("type", "kind", choice({"ether": "ethernet", "bonding": "lag"}), fallback=True),
        sets("mtu", "ip_mtu_bytes", integer(68, 65536)),
        sets("module", "nic.driver", shape(r"[A-Za-z0-9_-]{1,40}")),
        sets("speed", "speed_bps", integer(0, 10_000_000, 1_000_000), nothing=("-1",)),
        sets("default route", DEFAULT_ROUTE, PLAIN, "nic.default_route"),
        sets("all routes", ALL_ROUTES_LISTED, PLAIN, "nic.default_route"),
    ),
    complete=False,
)

TOOLS = (FACTS,)
