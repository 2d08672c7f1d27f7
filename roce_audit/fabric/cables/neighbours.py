"""From what ports heard of their far ends to the cables between ports that were read.

A far end is found by its system name, with or without domain, else by its chassis' MAC address; its port by id, by MAC address or
by description. What both ends say of each other counts before what one end says alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Observation
from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import DeviceReading, Neighbour
from roce_audit.records import dataclass
from roce_audit.values import known

_ID_IS_NO_NAME = frozenset({"mac", "address"})


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What a port that was read heard: who it was, as far as these were read. `ports` holds all that may be meant."""

    port: FabricPort
    said: Neighbour
    device: DeviceReading | None
    ports: tuple[FabricPort, ...] = ()


@dataclass(slots=True)
class Hearing:
    """What all ports heard, by the id of the port; and the cables that follow from it."""

    by_port: dict[str, list[Heard]] = field(default_factory=dict)
    cables: list[tuple[Heard, FabricPort]] = field(default_factory=list)
    """(what one end heard, the other end) of each cable, once."""
    observations: list[Observation] = field(default_factory=list)
    """What contradicts itself, so that no cable follows from it."""


_DATA = frozenset({"ethernet", "lag"})


def hear(devices: Sequence[DeviceReading], ports: FabricPorts) -> Hearing:
    """The cables that LLDP shows."""
    found = Hearing()
    known_as = _Identities(devices, ports)
    for device in devices:
        for said in device.neighbours:
            port = ports.find(device.name, said.port)
            if port is not None:
                port.has_neighbour = True
                if said.offers_pfc is not None:
                    port.peer_offers_pfc = said.offers_pfc
                if said.offers_shares is not None:
                    port.peer_offers_shares = said.offers_shares
                if said.offers_roce_priority is not None:
                    port.peer_offers_roce_priority = said.offers_roce_priority
                if not said.configured and (said.system or said.chassis or said.port_id):
                    heard = known_as.heard(port, said)
                    found.by_port.setdefault(port.id, []).append(heard)
    _settle(found)
    return found


class _Identities:
    """Who answers to which name and address."""

    def __init__(self, devices: Sequence[DeviceReading], ports: FabricPorts) -> None:
        self._ports = ports
        self._names = _unique(
            (name, device) for device in devices for name in {device.name.lower(), _short(device.name)}
        )
        self._macs: dict[str, list[tuple[str, Sequence[str]]]] = defaultdict(list)
        for read in devices:
            for address, names in read.macs.items():
                self._macs[address].append((read.name, names))
        members: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
        for port in ports.active:
            if port.reading.labels.lag:
                members[port.device.name, port.reading.labels.lag].append(port)
        self._members: Mapping[tuple[str, str], list[FabricPort]] = members
        told = (one for device in devices for one in device.neighbours if one.chassis and one.system)
        self._chassis = _unique(
            (one.chassis, device) for one in told if (device := self._named(one.system)) is not None
        )

    def _named(self, system: str) -> DeviceReading | None:
        return self._names.get(system.lower()) or self._names.get(_short(system))

    def _with_address(self, address: str) -> Sequence[FabricPort]:
        found = (self._ports.find(device, name) for device, names in self._macs.get(address, ()) for name in names)
        return [port for port in found if port is not None]

    def heard(self, port: FabricPort, said: Neighbour) -> Heard:
        """Who was heard."""
        by_port = self._with_address(said.port_id) if said.port_id_kind == "mac" else ()
        device = self._named(said.system) if said.system else None
        if device is None and not said.system:
            device = self._chassis.get(said.chassis)
            for near in (self._with_address(said.chassis), by_port):
                if device is None and near and all(one.device is near[0].device for one in near):
                    device = near[0].device
        if device is None:
            return Heard(port, said, None)
        return Heard(port, said, device, self._its_ports(device, said, by_port))

    def _its_ports(
        self, device: DeviceReading, said: Neighbour, by_mac: Sequence[FabricPort]
    ) -> tuple[FabricPort, ...]:
        """The ports of the device that may be meant: several where those of a bond share an address, or it is the bond itself."""
        mine = [one for one in by_mac if one.device is device]
        if len(mine) == 1:
            return (mine[0],)
        texts = [said.port_id] if said.port_id_kind not in _ID_IS_NO_NAME else []
        texts += [said.description, said.description.partition(".")[0]]
        for text in texts:
            found = self._ports.find(device.name, text) if text else None
            if found is not None:
                members = self._members.get((device.name, found.reading.name))
                return tuple(members) if members else (found,)
        return tuple(mine)


def _short(name: str) -> str:
    return name.lower().partition(".")[0]


def _unique(pairs: Iterable[tuple[str, DeviceReading]]) -> dict[str, DeviceReading]:
    """Names that one device alone has."""
    found: dict[str, DeviceReading | None] = {}
    for name, device in pairs:
        found[name] = device if found.get(name, device) is device else None
    return {name: device for name, device in found.items() if device is not None}


def _settle(found: Hearing) -> None:
    """Pair the ports up: first those that hear each other, then those of which one end hears the other, which hears nobody."""
    ends = {
        key: {far.id: (one, far) for one in its for far in one.ports if far.id != key}
        for key, its in found.by_port.items()
    }
    mutual = {key: [far for far in fars if key in ends.get(far, ())] for key, fars in ends.items()}
    taken: dict[str, str] = {}
    for key, both in mutual.items():
        if len(both) == 1 and mutual[both[0]] == [key] and key not in taken:
            taken[key], taken[both[0]] = both[0], key
            found.cables.append(ends[key][both[0]])
    alone: dict[str, list[str]] = defaultdict(list)
    for key, fars in ends.items():
        if key not in taken and len(fars) == 1:
            alone[next(iter(fars))].append(key)
        elif key not in taken and len({far.device.name for _, far in fars.values()}) > 1:
            found.observations += [_several(list(fars.values()))] if is_data(next(iter(fars.values()))[0].port) else []
    for far, keys in alone.items():
        if len(keys) == 1 and far not in taken and not ends.get(far):
            taken[far] = keys[0]
            found.cables.append(ends[keys[0]][far])
            continue
        hears = [ends[far][other] for other in ends.get(far, ())]
        for key in keys:
            if not all(map(is_data, (ends[key][far][0].port, ends[key][far][1]))):
                continue  # the network of management ports is nobody's concern, and many of its switches pass LLDP on
            rivals = [ends[other][far] for other in keys if other != key]
            found.observations.append(_elsewhere(*ends[key][far], hears, rivals))
            if not hears:
                break  # which names the others


def is_data(port: FabricPort) -> bool:
    """Whether it is no port of management, console or the like."""
    return port.reading.facts.kind.value in _DATA


def _several(heard: Sequence[tuple[Heard, FabricPort]]) -> Observation:
    """A port that hears several devices sits behind a switch that passes LLDP on."""
    port = heard[0][0].port
    names = " and ".join(sorted({far.id for _, far in heard})[:4])
    text = f"{port.id} hears several far ends by LLDP ({names}), so no cable is taken from it"
    places = [one.said.place for one, _ in heard]
    return Observation("scope-conflict", port.id, text, known(False, places[0]), known(port.id, *places))


def _elsewhere(
    one: Heard, far: FabricPort, hears: Sequence[tuple[Heard, FabricPort]], rivals: Sequence[tuple[Heard, FabricPort]]
) -> Observation:
    """The far end hears somebody else, or somebody else hears it as well."""
    if hears:
        why = f"which hears {' and '.join(sorted({end.id for _, end in hears})[:3])}"
        places = [other.said.place for other, _ in hears]
    else:
        others = sorted({other.port.id for other, _ in rivals})[:3]
        why = f"which {' and '.join(others)} {'hears' if len(others) == 1 else 'hear'} as well"
        places = [other.said.place for other, _ in rivals]
    text = f"{one.port.id} hears {far.id} by LLDP, {why}: no cable is taken from it"
    kind: ObservationKind = "scope-conflict" if len(hears) > 1 else "conflict"
    at = known(one.port.id, one.said.place, *places)
    return Observation(kind, one.port.id, text, known(True, one.said.place), at)
