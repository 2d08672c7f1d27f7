"""Blast radius: how many RoCE NICs have their way through a port, a link or a switch.

A port on the way up or down serves the NICs below it: those that hang on the lower of its two ends, or on switches below that. It is
known of a fabric whose cabling is: each port that carries RoCE has a far end, and each switch with cables a layer. Of NICs whose ways to
all others the path file says, only the ports on these serve them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.fabric.traffic.ways import Ways
from roce_audit.records import dataclass

_Nics = int
"""A set of NICs of one fabric: bit n stands for the n-th."""
_Place = tuple[str, str, frozenset[int]]
"""Where NICs are whose ways the path file cannot tell apart: a switch, one of their hosts, the entries that speak of that."""
_MOST_PLACES = 64
"""Places of NICs of which each pair is looked up in the path file."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Of the RoCE NICs of a fabric, those whose way passes a place."""

    nics: int
    of: int


class Radius:
    """The NICs of a site whose ways pass its ports; a fabric is looked at when it is first asked for."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._found: dict[str, _Below | None] = {}

    def of_ports(self, fabric: str, ports: Iterable[FabricPort]) -> Reach | None:
        """The NICs on whose way some ports of a fabric are, each counted once; None where the cabling does not tell of each."""
        below = self._below(fabric)
        if below is None:
            return None
        single: set[int] = set()
        reached = 0
        for port in ports:
            nic = _nic_at(port)
            number = None if nic is None else below.numbers.get(nic.id)
            nics = below.port(port) if nic is None else None
            if number is not None:
                single.add(number)
            elif nics is not None:
                reached |= nics
            else:
                return None
        return Reach((reached | _set_of(single)).bit_count(), len(below.numbers))

    def of_devices(self, fabric: str, names: Iterable[str]) -> Reach | None:
        """The NICs of some hosts and below some switches."""
        below = self._below(fabric)
        if below is None:
            return None
        reached = 0
        for name in names:
            reached |= below.of_device(name)
        return Reach(reached.bit_count(), len(below.numbers))

    def of_fabric(self, fabric: str) -> Reach | None:
        """All NICs of a fabric."""
        below = self._below(fabric)
        return None if below is None else Reach(len(below.numbers), len(below.numbers))

    def _below(self, fabric: str) -> _Below | None:
        if fabric not in self._found:
            view = next((view for view in self._site.fabrics if view.name == fabric), None)
            self._found[fabric] = None if view is None else _Below.known(view, self._site)
        return self._found[fabric]


class _Below:
    """The NICs below each switch and port of one fabric."""

    def __init__(self, ports: Sequence[FabricPort], layer_of: Mapping[str, int], ways: Ways) -> None:
        self._ports = ports
        self._layer_of = layer_of
        self._ways = ways
        nics = [port for port in ports if port.is_nic]
        self.numbers: Mapping[str, int] = {port.id: number for number, port in enumerate(nics)}
        """NIC -> its number. A set of a single NIC takes a byte for eight of all: numbers are gathered first where there are many."""
        self._of_host: dict[str, list[int]] = defaultdict(list)
        for port in nics:
            self._of_host[port.device.name].append(self.numbers[port.id])

    @property
    def every(self) -> _Nics:
        """Every NIC."""
        return (1 << len(self.numbers)) - 1

    @classmethod
    def known(cls, view: FabricView, site: Site) -> _Below | None:
        """None where a far end or a layer is missing, a port may carry RoCE, or no NIC does."""
        asked = [port for port in view.in_use if port.roce.rank != "not_data"]
        carrying = [port for port in asked if port.roce.carries]
        decided = all(port.roce.carries is not None for port in asked)
        cabled = all(port.peer is not None and port.device.name in site.layers for port in carrying)
        below = cls(carrying, site.layers, site.ways)
        known = decided and cabled and below.numbers and not site.links_one_end
        return below if known and (not site.ways.given or len(below._places) <= _MOST_PLACES) else None

    @cached_property
    def _places(self) -> Mapping[_Place, _Nics]:
        found: dict[_Place, list[int]] = defaultdict(list)
        named: dict[tuple[str, frozenset[int]], str] = {}
        for port in self._ports:
            if port.is_nic and port.peer is not None:
                leaf, said = port.peer.device.name, self._ways.given.about(port.device.name)
                found[leaf, named.setdefault((leaf, said), port.device.name), said].append(self.numbers[port.id])
        return {place: _set_of(numbers) for place, numbers in found.items()}

    @cached_property
    def _given(self) -> tuple[_Nics, Mapping[str, _Nics]]:
        """The NICs of which the path file says all ways, and port or switch -> those of them that pass it."""
        passing: dict[_Place, dict[str, None]] = {place: {} for place in self._places if self._ways.given}
        for start, end in permutations(passing, 2):
            if start[0] == end[0] or not {start, end} & passing.keys():
                continue  # on one switch, or known of neither
            route = self._ways.given.between(self._ways.routes, start[:2], end[:2])
            if route is None or not route.steps:
                passing.pop(start, None)
                passing.pop(end, None)
                continue
            for wire in (wire for step in route.steps for wire in step):
                for place in self._served(wire.leaving, wire.entering, start, end):
                    names = (wire.leaving.id, wire.entering.id, wire.leaving.device.name, wire.entering.device.name)
                    passing.get(place, {}).update(dict.fromkeys(names))
        on: dict[str, _Nics] = defaultdict(int)
        told = {place: there for place, there in passing.items() if there}
        for place, there in told.items():
            for name in there:
                on[name] |= self._places[place]
        return sum(self._places[place] for place in told), on

    def _served(self, leaving: FabricPort, entering: FabricPort, start: _Place, end: _Place) -> Iterator[_Place]:
        """Whose way a cable is: on the way up that of the sender, on the way down that of the receiver."""
        lower = self._lower(leaving, entering)
        if lower is not entering:
            yield start
        if lower is not leaving:
            yield end

    def of_device(self, name: str) -> _Nics:
        """The NICs of a host, or those whose ways pass a switch."""
        if name in self._of_host:
            return _set_of(self._of_host[name])
        told, on = self._given
        return self.switch.get(name, 0) & ~told | on.get(name, 0)

    @cached_property
    def switch(self) -> Mapping[str, _Nics]:
        """Switch -> the NICs below it."""
        single: dict[str, list[int]] = defaultdict(list)
        further: list[tuple[str, str]] = []
        for port in sorted(self._ports, key=lambda port: self._layer_of[port.device.name]):
            far = port.peer
            if port.is_nic or far is None or self._lower(port, far) is not far:
                continue
            if far.is_nic:
                single[port.device.name] += [self.numbers[far.id]] if far.id in self.numbers else []
            else:
                further.append((port.device.name, far.device.name))
        found: dict[str, _Nics] = defaultdict(int)
        found |= {name: _set_of(numbers) for name, numbers in single.items()}
        for name, below in further:
            found[name] |= found[below]
        return found

    def port(self, port: FabricPort) -> _Nics | None:
        """The NICs whose way passes a port to another switch; None for one that leads nowhere known, or to a switch beside its own."""
        if port.peer is None or not port.roce.carries:
            return None
        told, on = self._given
        lower = self._lower(port, port.peer)
        if lower is None:
            return on.get(port.id, 0) if told == self.every else None
        below = self.switch.get(lower.device.name)
        return None if below is None else below & ~told | on.get(port.id, 0)

    def _lower(self, port: FabricPort, peer: FabricPort) -> FabricPort | None:
        """The end of a link that is nearer to hosts; None where neither is."""
        here, there = self._layer_of.get(port.device.name), self._layer_of.get(peer.device.name)
        if here is None or there is None or here == there:
            return None
        return port if here < there else peer


def _nic_at(port: FabricPort) -> FabricPort | None:
    """The one NIC that has its way through a port, where it is at this end of a cable or the other."""
    if port.is_nic:
        return port
    return port.peer if port.peer is not None and port.peer.is_nic and port.roce.carries else None


def _set_of(numbers: Collection[int]) -> _Nics:
    bits = bytearray(max(numbers, default=0) // 8 + 1)
    for number in numbers:
        bits[number // 8] |= 1 << number % 8
    return int.from_bytes(bits, "little")
