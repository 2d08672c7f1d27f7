"""Layers: hosts are 0, the switches they hang on 1 (leaf), the next 2 (spine), 3 (super-spine). Traffic goes up, then down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.fabric.cables.hostfacing import to_hosts
from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.similar.tiers import Tier
from roce_audit.fabric.words import words_of
from roce_audit.platforms.base import DeviceReading

HOST, LEAF, SPINE, SUPER_SPINE = range(4)
ROLES: Mapping[int, str] = {HOST: "host", LEAF: "leaf", SPINE: "spine", SUPER_SPINE: "super-spine"}
"""Layer -> the field's word for a device of it."""
_BY_WORD: Mapping[str, int] = {
    **dict.fromkeys(("leaf", "tor"), LEAF),
    **dict.fromkeys(("spine", "agg", "aggregation"), SPINE),
    **dict.fromkeys(("superspine", "core"), SUPER_SPINE),
}


def layers(
    devices: Sequence[DeviceReading],
    links: Iterable[LinkView],
    tiers: Mapping[str, Tier],
    ports: Iterable[FabricPort] = (),
) -> Mapping[str, int]:
    """Device name -> layer; a switch of which neither name, role nor cables tell it is missing.

    The topology's role decides, then the name, then the distance to the nearest host, then the ports for hosts that were not read.
    """
    links = tuple(links)
    beside = _neighbours(links)
    found = {device.name: HOST for device in devices if device.kind == "host"}
    distance = _distances(beside, found, HOST)
    for device in devices:
        if device.kind == "switch":
            tier = tiers[device.name]
            named = _by_words(tier.role if tier.given else words_of(device.name))
            layer = named if named is not None else distance.get(device.name)
            if layer is not None:
                found[device.name] = layer
    if any(name not in found for name in beside):
        serving = {port.device.name for port in to_hosts(ports) if port.peer is None}
        found.update(_above_open_ports(_neighbours(x for x in links if not x.joins_a_pair), found, serving))
    return found


def _neighbours(links: Iterable[LinkView]) -> Mapping[str, set[str]]:
    beside: dict[str, set[str]] = defaultdict(set)
    for link in links:
        beside[link.a.device.name].add(link.b.device.name)
        beside[link.b.device.name].add(link.a.device.name)
    return beside


def _above_open_ports(beside: Mapping[str, set[str]], found: Mapping[str, int], serving: set[str]) -> Mapping[str, int]:
    """The layers where those that are known agree: switches with RoCE ports of unknown far ends are leaves, those above have none.

    Only where each cable leads from one layer to the next then, or joins two switches of the highest one, as those of two sites are:
    else cables are missing, and the open ports lead to switches.
    """
    layer_of: dict[str, int] = {}
    seen: set[str] = set()
    for name in beside:
        if name in seen:
            continue
        part = _distances(beside, (name,), LEAF).keys()
        seen |= part
        leaves = [other for other in part if other in serving]
        distance = _distances(beside, leaves, LEAF)
        if leaves and all(found.get(name, at) == at for name, at in distance.items()):
            highest = max(distance.values())
            level = {distance[one] for one in part for other in beside[one] if distance[one] == distance[other]}
            if level <= {highest} - {LEAF}:
                layer_of.update(distance)
    return layer_of


def _by_words(words: frozenset[str]) -> int | None:
    """The layer that a role's or name's words tell; None where they name none, or several."""
    if {"super", "spine"} <= words:
        return SUPER_SPINE
    named = {_BY_WORD[word] for word in words if word in _BY_WORD}
    return next(iter(named)) if len(named) == 1 else None


def _distances(beside: Mapping[str, set[str]], lowest: Iterable[str], layer: int) -> Mapping[str, int]:
    """The layers of all devices that cables lead to from those of this layer, the lowest one. Hosts forward nothing."""
    found = dict.fromkeys(lowest, layer)
    edge, distance = list(found), layer
    while edge:
        distance += 1
        edge = list(
            dict.fromkeys(other for name in edge for other in sorted(beside.get(name, ())) if other not in found)
        )
        found.update(dict.fromkeys(edge, distance))
    return found
