"""The input of AVD's role eos_designs, as far as it says what lossless transport hangs on: ports between switches, ports of servers, and
structured configuration that is given as it is. What the role computes (addresses, routing, overlays) is not made here.

Schemas of eos_designs: https://avd.arista.com (fabric settings, node types, connected endpoints, custom structured configuration).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from roce_audit.platforms.eos import avd
from roce_audit.platforms.eos.reader import INTERFACES
from roce_audit.platforms.record import Modelled
from roce_audit.records import dataclass
from roce_audit.text.structured.positions import Path

_PREFIX = "custom_structured_configuration_"
_PREFIXES = "custom_structured_configuration_prefix"
_ENDPOINTS = (
    "servers",
    "firewalls",
    "routers",
    "load_balancers",
    "storage_arrays",
    "cpes",
    "workstations",
    "access_points",
)
"""Keys of connected endpoints where `connected_endpoints_keys` names no others."""
_DIRECT = ("qos", "qos_profiles", "priority_flow_control", "class_maps", "policy_maps", "interface_defaults", "eos_cli")
_BY = ("name", "id", "priority", "profile")
"""What entries of lists are called by."""
_OTHER_UPLINKS = frozenset({"port-channel", "lan", "lan-port-channel"})
_PORTS, _CHANNELS = "ethernet_interfaces", "port_channel_interfaces"
_MOST_PORTS = 1_024
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class _Said:
    """A value, and where it is said."""

    value: Any
    at: Path

    def below(self, *steps: str | int) -> _Said:
        value = self.value
        for step in steps:
            value = _member(value, step)
        return _Said(value, (*self.at, *steps))

    def rows(self) -> Iterator[_Said]:
        """The objects of a list, or of what older releases have in its place: a mapping of names."""
        if isinstance(self.value, list):
            yield from (self.below(n) for n, one in enumerate(self.value) if isinstance(one, dict))
        elif isinstance(self.value, dict):
            for name, one in self.value.items():
                if isinstance(one, dict):
                    yield _Said({"name": name, "group": name, **one}, (*self.at, name))

    def texts(self, key: str) -> list[str]:
        """A list of words."""
        found = _member(self.value, key)
        return [str(one) for one in found] if isinstance(found, list) else []


def _member(value: Any, step: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    is_there = isinstance(value, list) and isinstance(step, int) and step < len(value)
    return value[step] if is_there else None


def of_host(host: str, values: Mapping[str, Any]) -> list[Modelled]:
    """What the variables of a host come to; nothing where they have no node of its name."""
    nodes = {node.name: node for node in _nodes(values)}
    if host not in nodes:
        return []
    built = _Built()
    for key in _DIRECT:
        built.add((key,), _Said(values, ()).below(key))
    _ports(host, nodes, values, built)
    for settings in _platform_settings(values, nodes[host]):
        built.commands(settings.below("raw_eos_cli"))
        built.add((), settings.below("structured_config"))
    for layer in nodes[host].layers:
        built.commands(layer.below("raw_eos_cli"))
        built.add((), layer.below("structured_config"))
    for prefix in _prefixes(values):
        for name in values:
            if name.startswith(prefix) and len(name) > len(prefix) and name != _PREFIXES:
                built.add((name[len(prefix) :],), _Said(values, ()).below(name))
    typed = [row for said in built.typed for row in avd.commands(said.at, said.value, 0)]
    called = nodes[host].layers[-1].below("name").at, 0, f"hostname {host}"
    return [called, *((built.place(path), below, text) for path, below, text in avd.statements(built.root)), *typed]


def _prefixes(values: Mapping[str, Any]) -> list[str]:
    own = values.get(_PREFIXES, _PREFIX)
    return [str(one) for one in (own if isinstance(own, list) else [own]) if one]


class _Built:
    """A structured configuration that is put together, and where each of its values is said."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}
        self.typed: list[_Said] = []
        self._origins: dict[Path, Path] = {}

    def place(self, path: Path) -> Path:
        """Where the value at a path is said, or the innermost around it."""
        for end in range(len(path), 0, -1):
            if path[:end] in self._origins:
                return (*self._origins[path[:end]], *path[end:])
        return path

    def begun(self, kind: str, name: _Said) -> Path:
        """The path of an interface, which is said where its name first stands."""
        rows = self.root.setdefault(kind, [])
        index = next((n for n, one in enumerate(rows) if one.get("name") == name.value), len(rows))
        if index == len(rows):
            rows.append({"name": name.value})
            self._origins[(kind, index)] = name.at
        return kind, index

    def commands(self, said: _Said) -> None:
        """Commands of the whole switch as they are, behind all others."""
        self.typed += [said] if isinstance(said.value, str) else []

    def add(self, at: Path, said: _Said) -> None:
        """Lay a value over what is there, as AVD merges: mappings by key, lists by the names in them."""
        if said.value is None:
            return
        if not at:
            for key in said.value if isinstance(said.value, dict) else ():
                self.add((key,), said.below(key))
            return
        around: Any = self.root
        for step in at[:-1]:
            around = around[step]
        self._lay(around, at, said)

    def _lay(self, around: Any, at: Path, said: _Said) -> None:
        there = _member(around, at[-1])
        if isinstance(said.value, dict):
            if not isinstance(there, dict):
                around[at[-1]] = there = {}
            self._origins.setdefault(at, said.at)
            for key in said.value:
                self._lay(there, (*at, key), said.below(key))
        elif isinstance(said.value, list) and said.value and all(_called(one) for one in said.value):
            if not isinstance(there, list):
                around[at[-1]] = there = []
            self._origins.setdefault(at, said.at)
            for n, one in enumerate(said.value):
                index = next((k for k, other in enumerate(there) if _called(other) == _called(one)), len(there))
                there.extend([{}] if index == len(there) else [])
                self._lay(there, (*at, index), said.below(n))
        elif said.value is not None:
            around[at[-1]] = said.value
            self._origins[at] = said.at


def _called(one: Any) -> str:
    """What an entry of a list is called; "" where it has no name."""
    return next((f"{key} {one[key]}" for key in _BY if key in one), "") if isinstance(one, dict) else ""


@dataclass(frozen=True, slots=True)
class _Node:
    """A switch of the design: its settings, the weakest layer first."""

    name: str
    layers: tuple[_Said, ...]
    default_uplinks: str = "p2p"

    def said(self, key: str) -> _Said:
        """A setting, from the strongest layer that has it."""
        held = [layer.below(key) for layer in reversed(self.layers) if _member(layer.value, key) is not None]
        return held[0] if held else _Said(None, ())

    @property
    def uplinks(self) -> Iterator[tuple[_Said, str, _Said]]:
        """(own port, switch, port there) of each uplink that is a routed one."""
        kind = self.said("uplink_type").value or self.default_uplinks
        own, switches, there = (self.said(f"uplink_{name}") for name in ("interfaces", "switches", "switch_interfaces"))
        lists = [_expanded(one) for one in (own, switches, there)]
        if kind in _OTHER_UPLINKS:
            return
        for n, (port, switch) in enumerate(zip(lists[0], lists[1], strict=False)):
            yield port, str(switch.value), lists[2][n] if n < len(lists[2]) else _Said(None, ())


def _expanded(said: _Said) -> list[_Said]:
    """The words of a list, those of a range (`Ethernet1-4`) one by one."""
    words = said.value if isinstance(said.value, list) else []
    found = [(n, one) for n, word in enumerate(words) for one in _each(str(word))]
    return [_Said(one, (*said.at, n)) for n, one in found[:_MOST_PORTS]]


def _each(word: str) -> tuple[str, ...]:
    try:
        return INTERFACES.expand(word)
    except ValueError:
        return (word,)


def _nodes(values: Mapping[str, Any]) -> Iterator[_Node]:
    """The switches of all kinds of nodes."""
    for kind, value in values.items():
        if not isinstance(value, dict) or not ("nodes" in value or "node_groups" in value):
            continue
        top = _Said(value, (kind,))
        usual = "port-channel" if kind.startswith("l2") else "p2p"
        weakest = (top.below("defaults"),)
        groups = [((*weakest, group), group.below("nodes")) for group in top.below("node_groups").rows()]
        for layers, nodes in ((weakest, top.below("nodes")), *groups):
            for node in nodes.rows():
                yield _Node(str(node.value.get("name")), (*layers, node), usual)


def _platform_settings(values: Mapping[str, Any], node: _Node) -> Iterator[_Said]:
    """What is set for the hardware of a switch."""
    own = str(node.said("platform").value)
    for key in ("platform_settings", "custom_platform_settings"):
        for row in _Said(values, ()).below(key).rows():
            if own in row.texts("platforms"):
                yield row


def _ports(host: str, nodes: Mapping[str, _Node], values: Mapping[str, Any], built: _Built) -> None:
    """The ports towards switches and servers."""
    all_of = _Said(values, ())

    for owner in nodes.values():
        for mine, switch, theirs in owner.uplinks:
            here, other = (mine, (switch, theirs)) if owner.name == host else (theirs, (owner.name, mine))
            if host not in (owner.name, switch) or here.value is None:
                continue
            at = built.begun(_PORTS, here)
            built.add((*at, "description"), _Said(f"P2P_{other[0]}_{other[1].value}", here.at))
            built.add((*at, "type"), _Said("routed", here.at))
            built.add((*at, "mtu"), all_of.below("p2p_uplinks_mtu"))
            built.add((*at, "service_profile"), all_of.below("p2p_uplinks_qos_profile"))
            for key in ("uplink_structured_config", "uplink_ethernet_structured_config"):
                built.add(at, owner.said(key))
    profiles = {
        str(row.value.get("profile", row.value.get("name"))): row for row in all_of.below("port_profiles").rows()
    }
    for adapter, name, description in _adapters(host, all_of):
        layers = [*_profiled(adapter, profiles), adapter]
        at = built.begun(_PORTS, name)
        channel = [
            layer.below("port_channel") for layer in layers if isinstance(_member(layer.value, "port_channel"), dict)
        ]
        built.add((*at, "description"), _Said(description, name.at))
        if channel and _member(channel[-1].value, "mode") not in (None, "on"):
            first = _expanded(adapter.below("switch_ports"))[0]
            number = _member(channel[-1].value, "channel_id") or re.sub(r"\D", "", str(first.value))
            built.add((*at, "channel_group"), _Said({"id": number, "mode": channel[-1].value["mode"]}, channel[-1].at))
            at = built.begun(_CHANNELS, _Said(f"Port-Channel{number}", name.at))
        for layer in layers:
            built.add((*at, "mtu"), layer.below("mtu"))
            built.add((*at, "speed"), layer.below("speed"))
            built.add((*at, "service_profile"), layer.below("qos_profile"))
            built.add((*at, "flowcontrol"), layer.below("flowcontrol"))
            built.add((*at, "eos_cli"), layer.below("raw_eos_cli"))
            built.add(at, layer.below("structured_config"))


def _profiled(adapter: _Said, profiles: Mapping[str, _Said]) -> list[_Said]:
    """The profiles of an adapter, the weakest first."""
    found: list[_Said] = []
    name = _member(adapter.value, "profile")
    while name is not None and str(name) in profiles and len(found) < _DEEPEST:
        found.insert(0, profiles[str(name)])
        name = _member(found[0].value, "parent_profile")
    return found


def _adapters(host: str, all_of: _Said) -> Iterator[tuple[_Said, _Said, str]]:
    """(settings, port of this switch, description) of what is connected."""
    named = [str(_member(one.value, "key")) for one in all_of.below("connected_endpoints_keys").rows()]
    named += [str(_member(one.value, "key")) for one in all_of.below("custom_connected_endpoints_keys").rows()]
    for key in dict.fromkeys((*named, *_ENDPOINTS)):
        for endpoint in all_of.below(key).rows():
            for adapter in endpoint.below("adapters").rows():
                ends = adapter.texts("endpoint_ports")
                switches = adapter.texts("switches")
                for n, (port, switch) in enumerate(
                    zip(_expanded(adapter.below("switch_ports")), switches, strict=False)
                ):
                    if switch == host:
                        yield adapter, port, "_".join((str(endpoint.value.get("name")), *ends[n : n + 1]))
    for row in all_of.below("network_ports").rows():
        if any(_is_named(pattern, host) for pattern in row.texts("switches")):
            for port in _expanded(row.below("switch_ports")):
                yield row, port, str(row.value.get("description", ""))


def _is_named(pattern: str, host: str) -> bool:
    """Whether a name or a pattern of switches (`leaf.*`, `leaf[12]`) is for one."""
    return fnmatchcase(host, pattern.replace(".*", "*").replace(r"\.", "."))
