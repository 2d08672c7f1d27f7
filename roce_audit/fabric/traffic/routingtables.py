"""Routing tables that were read: by which ports a switch sends packets to an address, and the ways that follow from it."""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.traffic.routes import Route, Routes, Wire
from roce_audit.platforms.base import DeviceReading, RouteEntry
from roce_audit.records import dataclass
from roce_audit.values import Place

_MOST_STEPS = 16
_DEEPEST = 4
"""How often the next hop of a route may be found by another route."""
_Networks = dict[tuple[int, int], dict[int, RouteEntry]]
"""(IP version, length) -> network -> its route."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """What a table says of an address: names of ports, and the lines that say so."""

    ports: frozenset[str]
    """Ports and channels, by the names of their configuration."""
    places: tuple[Place, ...]


def _addresses(port: FabricPort) -> Iterator[str]:
    """The addresses on a port, without the lengths of their networks."""
    for text in port.reading.labels.addresses:
        with suppress(ValueError):
            yield str(ipaddress.ip_interface(text).ip)


class RoutingTables:
    """The tables of some switches, looked into by device, VRF and address."""

    def __init__(self, devices: Iterable[DeviceReading]) -> None:
        read = [device for device in devices if device.routes]
        self._routes = {device.name: device.routes for device in read}
        self._ports = FabricPorts(read)
        self._sorted: dict[tuple[str, str], _Networks] = {}
        self._hits: dict[tuple[str, str, str], _Hit | None] = {}

    @property
    def are_given(self) -> bool:
        """Whether any table was read."""
        return bool(self._routes)

    def ways(
        self, routes: Routes, first: FabricPort, last: FabricPort, target: FabricPort, given: Route | None = None
    ) -> Route | None:
        """The ways from one switch to another as tables say them; where one has no table, as is given, else as is assumed.

        None where no table tells anything, or the ways do not reach the other switch in the same number of steps.
        """
        found = (self._ways(routes, first, last, address, given) for address in _addresses(target))
        return next((route for route in found if route is not None), None) if self._routes else None

    def _ways(
        self, routes: Routes, first: FabricPort, last: FabricPort, address: str, given: Route | None
    ) -> Route | None:
        vrf = last.reading.labels.vrf
        steps: list[tuple[Wire, ...]] = []
        told: dict[Place, None] = {}
        guessed: dict[str, str] = {}
        by_file: dict[Place, None] = {}
        present = [first.device.name]
        while present != [last.device.name]:
            wires: list[Wire] = []
            for name in present:
                hit = self._look(name, vrf, address)
                found = [wire for wire in routes.wires_from(name) if hit is not None and _is_of(wire.leaving, hit)]
                file_says = (
                    [] if given is None else [w for s in given.steps for w in s if w.leaving.device.name == name]
                )
                if hit is not None and found:
                    told.update(dict.fromkeys(hit.places))
                elif given is not None and file_says:
                    found = file_says
                    by_file.update(dict.fromkeys(given.given))
                else:
                    route = routes.between(name, {last.device.name})
                    found = [] if route is None else [w for w in route.steps[0] if w.leaving.device.name == name]
                    guessed[name] = "" if route is None else route.assumed
                wires += found
            steps.append(tuple(dict.fromkeys(wires)))
            present = list(dict.fromkeys(wire.entering.device.name for wire in wires))
            if not present or len(steps) > _MOST_STEPS or (last.device.name in present and len(present) > 1):
                return None
        if not told:
            return None
        return Route(next(iter(guessed.values()), ""), tuple(steps), tuple(told), tuple(guessed), tuple(by_file))

    def _look(self, device: str, vrf: str, address: str, depth: int = 0) -> _Hit | None:
        """What the table of a device says of an address; each address is looked up once, however many routes lead over it."""
        key = (device, vrf, address)
        if key not in self._hits and depth <= _DEEPEST:
            self._hits[key] = None  # what comes back to itself leads nowhere
            self._hits[key] = self._looked_up(device, vrf, address, depth)
        return self._hits.get(key)

    def _looked_up(self, device: str, vrf: str, address: str, depth: int) -> _Hit | None:
        entry = self._longest(device, vrf, address)
        if entry is None:
            return None
        further = [self._look(device, vrf, hop, depth + 1) for hop in entry.next_hops]
        ports = frozenset(self._named(device, port) for port in entry.ports).union(
            *(hit.ports for hit in further if hit is not None)
        )
        places = (entry.place, *(place for hit in further if hit is not None for place in hit.places))
        return _Hit(ports, places)

    def _named(self, device: str, port: str) -> str:
        """The name of a port in its configuration; that of the port itself for a subinterface."""
        found = self._ports.find(device, port) or self._ports.find(device, port.partition(".")[0])
        return port if found is None else found.reading.name.partition(".")[0]

    def _longest(self, device: str, vrf: str, address: str) -> RouteEntry | None:
        """The route with the longest prefix that holds an address."""
        if device not in self._routes:
            return None
        try:
            wanted = ipaddress.ip_address(address)
        except ValueError:
            return None
        networks = self._sorted.get((device, vrf))
        if networks is None:
            networks = self._sorted[device, vrf] = _by_length(self._routes[device], vrf)
        bits = wanted.max_prefixlen
        for version, length in sorted(networks, reverse=True):
            if version == wanted.version:
                entry = networks[version, length].get(int(wanted) >> (bits - length) << (bits - length))
                if entry is not None:
                    return entry
        return None


def _by_length(entries: Sequence[RouteEntry], vrf: str) -> _Networks:
    found: _Networks = defaultdict(dict)
    for entry in entries:
        if entry.vrf == vrf:
            network = ipaddress.ip_network(entry.prefix, strict=False)
            found[network.version, network.prefixlen].setdefault(int(network.network_address), entry)
    return found


def _is_of(port: FabricPort, hit: _Hit) -> bool:
    """Whether a table names a port, or its channel."""
    return not hit.ports.isdisjoint({port.reading.name, port.reading.labels.lag} - {""})
