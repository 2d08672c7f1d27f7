"""All ports of some devices, found by device and by any name of the port.

Most ports of a switch are idle: VLAN interfaces, loopbacks, ports that a line shuts. Nothing is asked of them, so a `FabricPort`
is made of one when something names it, or when somebody wants all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from roce_audit.fabric.port import NOT_DATA, FabricPort, by_facts
from roce_audit.fabric.tiers import Tier
from roce_audit.model import Port
from roce_audit.model.port import PortKind
from roce_audit.platforms.base import DeviceReading, PortReading
from roce_audit.values import Cited

_OfDevice = tuple[DeviceReading, PortReading]
_IDLE_KINDS = frozenset({"svi", "loopback", "management", "subinterface", "tunnel"})
_KIND = re.compile(r"([a-z]{2,40})[ -]?(?=[0-9])")


@lru_cache(maxsize=65_536)
def _kind_and_number(name: str) -> tuple[str, str]:
    """`tengigabitethernet` and `1/1` of `TenGigabitEthernet 1/1`; no kind where a name is built otherwise."""
    found = _KIND.match(name.lower())
    return ("", name.lower()) if found is None else (found.group(1), name[found.end() :].lower())


def _may_be(one: str, other: str) -> bool:
    """Whether one kind of port is the other, cut short."""
    return bool(one and other) and (other.startswith(one) or one.startswith(other))


class _Idle:
    """Tells the ports of switches that carry no data and are in no channel, whatever is said of them elsewhere."""

    def __init__(self) -> None:
        self._by_facts: dict[int, tuple[Port, bool]] = {}
        """By the id of the facts, which are held, so that it is no others'."""

    def __call__(self, reading: PortReading) -> bool:
        facts = reading.facts
        found = self._by_facts.get(id(facts))
        if found is None:
            found = self._by_facts[id(facts)] = facts, _is_idle(facts)
        return found[1] and not reading.labels.lag


def _is_idle(facts: Port) -> bool:
    """A port that is down because nothing turns it up may be meant to carry data; one that a line shuts is not."""
    kind, up = facts.kind.value_or_none(), facts.admin_up
    if facts.is_nic or kind != "ethernet":
        return not facts.is_nic and kind in _IDLE_KINDS
    return up.is_known and not up.get() and not all(isinstance(at, Cited) for at in up.at)


class FabricPorts:
    """The ports of some devices. What is made of an idle port later is as if it had been made with the others."""

    def __init__(self, devices: Iterable[DeviceReading]) -> None:
        self._devices = tuple(devices)
        self._made: dict[int, FabricPort] = {}
        """By the ids of the readings, which the devices hold."""
        self._fabrics: Mapping[str, str] = {}
        self._tiers: Mapping[str, Tier] = {}
        self._by_fabric: dict[str, list[FabricPort]] = {}
        is_idle = _Idle()
        self.active = [self._make(device, one) for device in self._devices for one in device.ports if not is_idle(one)]
        """Those that are not idle."""
        self._named: dict[str, Mapping[str, _OfDevice]] = {}
        self._by_number: dict[str, dict[str, list[tuple[str, _OfDevice]]]] = {}
        self._whole = {d.name.lower() for d in self._devices if d.kind == "switch" and d.complete_because and d.ports}

    def _make(self, device: DeviceReading, reading: PortReading) -> FabricPort:
        made = self._made[id(reading)] = FabricPort(device, reading)
        return made

    def of(self, device: DeviceReading, reading: PortReading) -> FabricPort:
        """The port of a reading of one of the devices."""
        found = self._made.get(id(reading))
        if found is None:  # an idle one
            found = self._make(device, reading)
            found.roce = NOT_DATA
            found.fabric = self._fabrics.get(device.name, found.fabric)
            found.tier = self._tiers.get(device.name, found.tier)
        return found

    def stand(self, fabrics: Mapping[str, str], tiers: Mapping[str, Tier]) -> None:
        """Put all ports into the fabrics and tiers of their devices, by name."""
        self._fabrics, self._tiers = fabrics, tiers
        for port in self._made.values():
            port.fabric, port.tier = fabrics[port.device.name], tiers[port.device.name]

    @property
    def devices(self) -> Iterable[str]:
        """The names of the devices that have ports, each once."""
        return dict.fromkeys(device.name for device in self._devices if device.ports)

    @property
    def all(self) -> Sequence[FabricPort]:
        """Every port, of an idle one as well."""
        return [self.of(device, reading) for device in self._devices for reading in device.ports]

    def of_fabric(self, name: str) -> Sequence[FabricPort]:
        """Every port of a fabric."""
        if not self._by_fabric:
            for port in self.all:
                self._by_fabric.setdefault(port.fabric, []).append(port)
        return self._by_fabric.get(name, ())

    @property
    def in_use(self) -> Sequence[FabricPort]:
        """The ports that are not idle, and the idle ones that something named; in the order of all."""
        made = self._made
        if len(made) == len(self.active):
            return self.active
        return [made[id(reading)] for device in self._devices for reading in device.ports if id(reading) in made]

    def without_cable(self, is_told: Callable[[DeviceReading, PortReading], bool]) -> Sequence[FabricPort]:
        """The ports that no cable ends at, of idle ones those of which `is_told` is true; in the order of all."""
        made = self._made
        found = []
        for device in self._devices:
            for reading in device.ports:
                port = made.get(id(reading))
                if port is None and is_told(device, reading):
                    port = self.of(device, reading)
                if port is not None and port.peer is None:
                    found.append(port)
        return found

    def of_kind(self, kind: PortKind, devices: Collection[str]) -> Iterable[FabricPort]:
        """The ports of a kind of the devices of these names."""
        return [
            self.of(device, reading)
            for device in self._devices
            if device.name in devices
            for reading in device.ports
            if reading.facts.kind.value == kind
        ]

    @cached_property
    def alike(self) -> Sequence[Sequence[FabricPort]]:
        """The ports that are not idle and share their facts, together."""
        return list(by_facts(self.active))

    @cached_property
    def _by_device(self) -> Mapping[str, Sequence[DeviceReading]]:
        """Device name in lower case -> the devices."""
        found: dict[str, list[DeviceReading]] = defaultdict(list)
        for device in self._devices:
            found[device.name.lower()].append(device)
        return found

    def _names(self, device: str) -> Mapping[str, _OfDevice]:
        """Name in lower case -> port of the device of that name."""
        found = self._named.get(device)
        if found is None:
            named: dict[str, _OfDevice] = {}
            for read in self._by_device.get(device, ()):
                for port in read.ports:
                    it = read, port
                    named.setdefault(port.name.lower(), it)
                    for alias in port.labels.aliases:
                        named.setdefault(alias.lower(), it)
            found = self._named[device] = named
        return found

    def _numbered(self, device: str) -> Mapping[str, Sequence[tuple[str, _OfDevice]]]:
        """What stands behind the kind of port in a name -> the kinds of the device with that number."""
        known = self._by_number.get(device)
        if known is None:
            known = self._by_number[device] = {}
            for name, port in self._names(device).items():
                kind, number = _kind_and_number(name)
                known.setdefault(number, []).append((kind, port))
        return known

    def find(self, device: str, port: str) -> FabricPort | None:
        """The port of that name, by device name without domain and in any case, by port name or alias, also where the kind of
        port is cut short or set apart (`Et31/1`, `TenGigabitEthernet 1/1`) and only one port of the device can be meant.
        """
        for name in (device.lower(), device.lower().partition(".")[0]):
            found = self._names(name).get(port.lower())
            if found is not None:
                return self.of(*found)
            kind, number = _kind_and_number(port)
            near = [one for written, one in self._numbered(name).get(number, ()) if _may_be(kind, written)]
            if kind and near and all(one is near[0] for one in near):
                return self.of(*near[0])
        return None

    def is_whole_switch(self, device: str) -> bool:
        """Whether the configuration of this switch was seen as a whole, so that a port it does not show is none of its."""
        return not self._whole.isdisjoint({device.lower(), device.lower().partition(".")[0]})
