"""The ports that carry RoCE, grouped as they are compared with each other; each grouping is made once for all comparisons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from roce_audit.fabric.port import FabricPort, by_facts
from roce_audit.fabric.similar.samefacts import but_for_names

Devices = Mapping[str, Sequence[FabricPort]]
"""Device name -> its ports of one purpose."""


class ComparedPorts:
    """Groups of the ports of a site that carry RoCE; ports stand in them in the order of the site."""

    def __init__(self, ports: Iterable[FabricPort]) -> None:
        self.carrying = [port for port in ports if port.roce.carries]
        groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
        for port in self.carrying:
            groups[port.fabric, id(port.tier), id(port.similarity)].append(port)
        self.similar: Sequence[Sequence[FabricPort]] = list(groups.values())
        """Those of one fabric and tier that people would configure alike."""
        self._group_of = {port.id: members for members in self.similar for port in members}
        self._alike: dict[int, Sequence[Sequence[FabricPort]]] = {}

    @cached_property
    def nics(self) -> ComparedPorts:
        """The same of the NICs alone."""
        return ComparedPorts([port for port in self.carrying if port.is_nic])

    @cached_property
    def by_switch(self) -> Sequence[Sequence[FabricPort]]:
        """Those of each switch."""
        found: dict[str, list[FabricPort]] = defaultdict(list)
        for port in self.carrying:
            if not port.is_nic:
                found[port.device.name].append(port)
        return list(found.values())

    def others_like(self, port: FabricPort) -> int:
        """How many other ports are similar to this one."""
        return len(self._group_of.get(port.id, (port,))) - 1

    def alike(self, members: Sequence[FabricPort]) -> Sequence[Sequence[FabricPort]]:
        """The ports of one of these groups, or of one switch, those together whose facts are the same but for names."""
        found = self._alike.get(id(members))
        if found is None:
            alike: dict[int, list[FabricPort]] = defaultdict(list)
            for ports in by_facts(members):
                alike[id(but_for_names(ports[0].reading.facts))] += ports
            found = self._alike[id(members)] = list(alike.values())
        return found

    @cached_property
    def by_purpose(self) -> Sequence[Devices]:
        """The ports of one purpose, by device."""
        found: dict[tuple[object, ...], dict[str, list[FabricPort]]] = {}
        its = {id(members): found.setdefault(_purpose(members[0]), defaultdict(list)) for members in self.similar}
        for port in self.carrying:
            its[id(self._group_of[port.id])][port.device.name].append(port)
        return list(found.values())

    def of_all_tiers(self, port: FabricPort) -> Devices:
        """The switch ports of any tier that are configured for the same speed in the same syntax, by device."""
        return self._tiers.get(_in_all_tiers(port), {})

    def of_all_switches(self, port: FabricPort) -> Devices:
        """The switch ports of any tier and model that are configured for the same speed, by device."""
        return self._speeds.get(_of_speed(port), {})

    @cached_property
    def _speeds(self) -> Mapping[tuple[object, ...], Devices]:
        found: dict[tuple[object, ...], dict[str, list[FabricPort]]] = defaultdict(lambda: defaultdict(list))
        for port in self.carrying:
            if not port.is_nic:
                found[_of_speed(port)][port.device.name].append(port)
        return found

    @cached_property
    def _tiers(self) -> Mapping[tuple[object, ...], Devices]:
        found: dict[tuple[object, ...], dict[str, list[FabricPort]]] = defaultdict(lambda: defaultdict(list))
        for port in self.carrying:
            if not port.is_nic:
                found[_in_all_tiers(port)][port.device.name].append(port)
        return found


def _purpose(port: FabricPort) -> tuple[object, ...]:
    """What ports of different devices have in common; VLANs and VRFs are numbered device by device."""
    if port.is_nic:
        return (port.fabric, port.tier, *port.similarity)
    kind, facing, speed, routed, *_, words = port.similarity[1:]
    return (port.fabric, port.tier, kind, facing, speed, routed, words)


def _of_speed(port: FabricPort) -> tuple[object, ...]:
    kind, _, speed, *_ = port.similarity[1:]
    return (port.fabric, kind, speed)


def _in_all_tiers(port: FabricPort) -> tuple[object, ...]:
    """What ports of any tier have in common that are configured for the same speed in the same syntax."""
    if port.is_nic:
        return ()
    kind, _, speed, *_ = port.similarity[1:]
    return (port.fabric, port.tier.platform, port.tier.model, kind, speed)
