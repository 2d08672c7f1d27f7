"""All ports of some devices, found by device and by any name of the port.

Nothing is asked of idle ports, which are most of a switch's (see `KeptPorts`): a `FabricPort` is made of one when something names it,
or when somebody wants all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial

from roce_audit.fabric.port import NOT_DATA, FabricPort, by_facts
from roce_audit.fabric.similar.tiers import UNKNOWN_TIER, Tier
from roce_audit.model import Port
from roce_audit.model.port import PortKind
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import KeptPorts

_KIND = lazy(r"([a-z]{2,40})[ -]?(?=[0-9])")

_LAST = lazy(r"(?<![0-9:.])[0-9]{1,4}\Z")


@lru_cache(maxsize=65_536)
def _kind_and_number(name: str) -> tuple[str, str]:
    """`tengigabitethernet` and `1/1` of `TenGigabitEthernet 1/1`; no kind where a name is built otherwise."""
    found = _KIND.match(name.lower())
    return ("", name.lower()) if found is None else (found.group(1), name[found.end() :].lower())


def _may_be(one: str, other: str) -> bool:
    """Whether one kind of port is the other, cut short."""
    return bool(one and other) and (other.startswith(one) or one.startswith(other))


class _DevicePorts:
    """The ports of one device: those that are not idle, and of the others those that were asked for."""

    def __init__(self, device: DeviceReading) -> None:
        ports = device.ports
        self._device = device
        self._kept = ports if isinstance(ports, KeptPorts) else None
        self.active = [FabricPort(device, one) for one in (ports if self._kept is None else self._kept.active)]
        self._idle: dict[int, FabricPort] = {}
        self._fabric, self._tier = "", UNKNOWN_TIER

    def _idle_port(self, number: int) -> FabricPort:
        found = self._idle.get(number)
        if found is None:
            assert self._kept is not None  # or it would have no number
            found = self._idle[number] = FabricPort(self._device, self._kept.made(number), self._fabric, NOT_DATA)
            found.tier = self._tier
        return found

    def stand(self, fabric: str, tier: Tier) -> None:
        """Put the ports into the fabric and the tier of their device."""
        self._fabric, self._tier = fabric, tier
        for port in (*self.active, *self._idle.values()):
            port.fabric, port.tier = fabric, tier

    @property
    def in_use(self) -> Sequence[FabricPort]:
        """Those that are not idle or were asked for, in order."""
        return self.active if self._kept is None or not self._idle else self._kept.in_order(self.active, self._idle)

    @property
    def all(self) -> Sequence[FabricPort]:
        """All, in order."""
        self.ask_for(lambda facts, description: True)
        return self.in_use

    def ask_for(self, is_wanted: Callable[[Port, str], bool]) -> None:
        """Have the idle ports with such facts and descriptions in use."""
        kept = self._kept
        if kept is None:
            return
        for number, (kind, description) in enumerate(zip(kept.kinds, kept.column(kept.descriptions), strict=True)):
            if is_wanted(kind.facts, description):
                self._idle_port(number)

    @cached_property
    def _named(self) -> Mapping[str, FabricPort | int]:
        """Name in lower case -> port, or the number of an idle one. Of two of a name it is one that is not idle, else the first."""
        found: dict[str, FabricPort | int] = {}
        kept = self._kept
        if kept is not None and kept.kinds:  # what comes later counts
            names = [name.lower() for name in kept.column(kept.names)]
            found.update(zip(reversed(names), reversed(range(len(names))), strict=True))
            for number, kind in enumerate(kept.kinds):
                for name in kind.labels.aliases:
                    found.setdefault(name.lower(), number)
        for port in reversed(self.active):
            found[port.reading.name.lower()] = port
            for name in port.reading.labels.aliases:
                found[name.lower()] = port
        return found

    @cached_property
    def _numbered(self) -> Mapping[str, Sequence[tuple[str, FabricPort | int]]]:
        """What stands behind the kind of port in a name -> the kinds with that number."""
        found: dict[str, list[tuple[str, FabricPort | int]]] = defaultdict(list)
        for name, port in self._named.items():
            kind, number = _kind_and_number(name)
            found[number].append((kind, port))
        return found

    def find(self, name: str) -> FabricPort | None:
        """The port of a name or alias in any case.

        The kind of port may be cut short, or left out of a number with a slot (`1/1`), where one port alone can be meant.
        """
        found = self._named.get(name.lower())
        if found is None:
            kind, number = _kind_and_number(name)
            of_number = self._numbered.get(number, ())
            near = [one for written, one in of_number if _may_be(kind, written) or (not kind and "/" in number)]
            if not near or any(one != near[0] for one in near):
                return None
            found = near[0]
        return self._idle_port(found) if isinstance(found, int) else found

    @cached_property
    def _last(self) -> Mapping[str, FabricPort | int | None]:
        """The last number of the name of an Ethernet port (`53` of `1/1/53`) -> the port; None where several end alike."""
        found: dict[str, FabricPort | int | None] = {}
        idle = self._kept.kinds if self._kept is not None else ()
        for name, port in self._named.items():
            facts = idle[port].facts if isinstance(port, int) else port.reading.facts
            number = _LAST.search(name)
            if number is not None and facts.kind.value == "ethernet":
                other = found.setdefault(number.group(), port)
                found[number.group()] = port if other == port else None
        return found

    def find_last(self, number: str) -> FabricPort | None:
        """The only Ethernet port whose name ends in this number."""
        found = self._last.get(number)
        return self._idle_port(found) if isinstance(found, int) else found


class FabricPorts:
    """The ports of some devices. What is made of an idle port later is as if it had been made with the others."""

    def __init__(self, devices: Iterable[DeviceReading]) -> None:
        read = tuple(devices)
        self._of = [(device.name, _DevicePorts(device)) for device in read]
        self.active = [port for _, its in self._of for port in its.active]
        """Those that are not idle."""
        self.devices = dict.fromkeys(device.name for device in read if device.ports)
        """The names of the devices that have ports."""
        self._by_device: dict[str, list[_DevicePorts]] = defaultdict(list)
        for name, its in self._of:
            self._by_device[name.lower()].append(its)
        self._by_fabric: dict[str, list[FabricPort]] = {}
        self._whole = {d.name.lower() for d in read if d.kind == "switch" and d.complete_because and d.ports}

    def stand(self, fabrics: Mapping[str, str], tiers: Mapping[str, Tier]) -> None:
        """Put all ports into the fabrics and tiers of their devices, by name."""
        for name, its in self._of:
            its.stand(fabrics[name], tiers[name])

    @property
    def all(self) -> Sequence[FabricPort]:
        """Every port."""
        return [port for _, its in self._of for port in its.all]

    @property
    def in_use(self) -> Sequence[FabricPort]:
        """The ports that are not idle, and the idle ones that something named; in the order of all."""
        return [port for _, its in self._of for port in its.in_use]

    def of_fabric(self, name: str) -> Sequence[FabricPort]:
        """Every port of a fabric."""
        if not self._by_fabric:
            for port in self.all:
                self._by_fabric.setdefault(port.fabric, []).append(port)
        return self._by_fabric.get(name, ())

    def of_kind(self, kind: PortKind, devices: Collection[str]) -> Iterator[FabricPort]:
        """The ports of a kind of the devices of these names."""
        for name, its in self._of:
            if name in devices:
                its.ask_for(lambda facts, description: facts.kind.value == kind)
                yield from (port for port in its.in_use if port.reading.facts.kind.value == kind)

    def without_cable(self, is_told: Callable[[str, Port, str], bool]) -> Sequence[FabricPort]:
        """The ports that no cable ends at, in the order of all; of the idle ones those of which something is told, by the name of the
        device, the facts and the description.
        """
        for name, its in self._of:
            its.ask_for(partial(is_told, name))
        return [port for port in self.in_use if port.peer is None]

    @cached_property
    def alike(self) -> Sequence[Sequence[FabricPort]]:
        """The ports that are not idle and share their facts, together."""
        return list(by_facts(self.active))

    def find(self, device: str, port: str) -> FabricPort | None:
        """The port of that name, by device name without domain and in any case, by port name or alias, also where the kind of
        port is cut short or set apart (`Et31/1`, `TenGigabitEthernet 1/1`) and only one port of the device can be meant.
        """
        for name in (device.lower(), device.lower().partition(".")[0]):
            for its in self._by_device.get(name, ()):
                found = its.find(port)
                if found is not None:
                    return found
        return None

    def find_last(self, device: str, number: str) -> FabricPort | None:
        """The port of a device that goes by the last number of its name (`53` for `1/1/53`), where only one can be meant."""
        if not number.isdecimal():
            return None
        every = (
            its for name in (device.lower(), device.lower().partition(".")[0]) for its in self._by_device.get(name, ())
        )
        return next(filter(None, (its.find_last(number) for its in every)), None)

    def has(self, device: str) -> bool:
        """Whether anything was read of a device of this name, with or without its domain."""
        return device.lower() in self._by_device or device.lower().partition(".")[0] in self._by_device

    def is_whole_switch(self, device: str) -> bool:
        """Whether the configuration of this switch was seen as a whole, so that a port it does not show is none of its."""
        return not self._whole.isdisjoint({device.lower(), device.lower().partition(".")[0]})
