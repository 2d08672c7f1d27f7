"""What switches must say alike and do not: the two of a pair of the pair and of its channels, all of a network of the VNI of a VLAN."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit.fabric.lags.pairs import Half, Pairs, halves_of, vlan_interfaces
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Observation
from roce_audit.platforms.base import CommonValue, DeviceReading
from roce_audit.text.sentences import listed
from roce_audit.values import known

_FEWEST_OTHERS = 3
"""Switches of a network that agree, where one differs."""
_MOST_VLANS = 64
"""A port of more VLANs names a range, whatever VLANs there are."""
_HARM = {
    "pair": "the two switches must say the same of what they share",
    "gateway": "hosts lose it where one of the two answers alone",
    "channel": "the host sees two partners, and the ports towards one of them stay out",
    "network": "what is sent in one does not arrive in the other",
}
_Key = tuple[str, str]
"""What a value is, and what it is of."""


def unlike_lines(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterator[Observation]:
    """One observation for each kind of line that differs from what another switch with RoCE says; of a pair its second switch is told."""
    every = list(data)
    devices = {port.device.name: port.device for port in every if port.roce.carries and port.device.common}
    if len(devices) < 2:
        return
    halves = halves_of(ports, every)
    pairs = Pairs(halves, every)
    with_peer_link = {port.device.name for port in every if port.reading.labels.peer_link}
    told: set[tuple[str, _Key]] = set()
    fabric_of = {port.device.name: port.fabric for port in every if port.device.name in devices}
    of_network = _by_network(devices.values(), fabric_of)
    for name, device in devices.items():
        other = devices.get(pairs.other(name) or "")
        if other is not None and name < other.name:
            alike: dict[str, list[tuple[CommonValue, CommonValue]]] = defaultdict(list)
            for here, there in _differing(device, other, halves):
                alike[here.what.removesuffix(here.of)].append((here, there))
                told.update((one, (here.what, here.of)) for one in (name, other.name))
            yield from _one_address(ports, device, other)
            for one, beside in ((device, other), (other, device)):
                yield from _in_no_tunnel(one, beside, every)
            if {name, other.name} <= with_peer_link:  # those of an Ethernet segment have an address each
                yield from _two_tunnel_ends(ports, device, other)
            for both in alike.values():
                here, there = both[0]
                said = of_network.get((fabric_of[name], here.what), {}).values()
                if here.scope == "network" and Counter(one.value for one in said)[here.value] == 1:
                    yield _told(name, here, other.name, there, len(both))  # others say what the second one says
                else:
                    yield _told(other.name, there, name, here, len(both))
    for of_one in of_network.values():
        usual, *others = Counter(one.value for one in of_one.values()).most_common()
        if len(others) == 1 and others[0][1] == 1 and usual[1] >= _FEWEST_OTHERS:
            odd, value = next((name, one) for name, one in of_one.items() if one.value != usual[0])
            if (odd, (value.what, value.of)) not in told:
                yield _told(odd, value, *next((name, one) for name, one in of_one.items() if one.value == usual[0]), 1)


def _by_network(
    devices: Iterable[DeviceReading], fabric_of: Mapping[str, str]
) -> Mapping[tuple[str, str], Mapping[str, CommonValue]]:
    """Fabric and what it is -> switch -> what it says."""
    found: dict[tuple[str, str], dict[str, CommonValue]] = defaultdict(dict)
    for device in devices:
        for value in device.common:
            if value.scope == "network":
                found[fabric_of[device.name], value.what][device.name] = value
    return found


def _one_address(ports: FabricPorts, device: DeviceReading, other: DeviceReading) -> Iterator[Observation]:
    """An address of its own that both switches have beside the virtual one of a VLAN."""
    vlans = [{one.of: one.value for one in these.common if one.scope == "gateway"} for these in (device, other)]
    shared = vlans[0].keys() & vlans[1].keys()
    if not shared:
        return
    svis = dict(vlan_interfaces(ports, {device.name, other.name}))
    for vlan in sorted(shared, key=int):
        here, there = (svis.get((one.name, int(vlan))) for one in (device, other))
        if here is None or there is None:
            continue
        both = [one for one in here.reading.labels.addresses if one in there.reading.labels.addresses]
        own = [one for one in both if one.partition("/")[0] != vlans[0][vlan].partition("/")[0]]
        if own:
            text = f"{there.id} has the address {own[0]} of {here.id}, beside the virtual address: one of the two loses what is sent to it"
            places = [port.reading.header for port in (there, here)]
            yield Observation("conflict", there.id, text, known(True, places[0]), known(own[0], *places))


def _two_tunnel_ends(ports: FabricPorts, device: DeviceReading, other: DeviceReading) -> Iterator[Observation]:
    """The interfaces from which the two switches of a pair tunnel, where they have no address in common."""
    here, there = (_tunnel_end(ports, one) for one in (device, other))
    if here is None or there is None:
        return
    mine, theirs = ([one.partition("/")[0] for one in end.reading.labels.addresses] for end in (here, there))
    if set(mine).isdisjoint(theirs):
        text = (
            f"{there.id}, from which {other.name} tunnels, has {listed(theirs, 2)}, and {here.id} of the other switch of the pair has "
            f"{listed(mine, 2)}: a pair is one end of tunnels, and has one address for it"
        )
        places = [end.reading.header for end in (there, here)]
        yield Observation("conflict", there.id, text, known(True, places[0]), known(theirs[0], *places))


def _in_no_tunnel(device: DeviceReading, other: DeviceReading, every: Sequence[FabricPort]) -> Iterator[Observation]:
    """A VLAN of ports with RoCE that the other switch of the pair leads into tunnels, and this one, which has some, does not."""
    tunnels = next((one for one in device.common if one.scope == "tunnel"), None)
    if tunnels is None or tunnels.place.path not in device.complete_because:
        return
    mine, theirs = (
        {vlan for one in these.common if one.scope == "tunnelled" for vlan in one.vlans} for these in (device, other)
    )
    for port in every if theirs - mine else ():
        labels = port.reading.labels
        lacking = sorted(labels.vlans & theirs - mine)
        if (
            lacking
            and port.device is device
            and port.roce.carries
            and not labels.peer_link
            and len(labels.vlans) <= _MOST_VLANS
        ):
            text = (
                f"VLAN {lacking[0]}, in which {port.id} carries RoCE, has a VNI on {other.name} and none on {device.name}: what hosts send "
                "in it stays on this switch"
            )
            yield Observation(
                "conflict", port.id, text, known(True, tunnels.place), known(str(lacking[0]), port.reading.header)
            )
            return


def _tunnel_end(ports: FabricPorts, device: DeviceReading) -> FabricPort | None:
    """The loopback with an address from which a switch tunnels."""
    called = next((one.value for one in device.common if one.scope == "tunnel"), None)
    those = ports.of_kind("loopback", {device.name}) if called else ()
    return next((one for one in those if one.reading.name.lower() == called and one.reading.labels.addresses), None)


def _differing(
    device: DeviceReading, other: DeviceReading, halves: Mapping[str, Sequence[Half]]
) -> Iterator[tuple[CommonValue, CommonValue]]:
    names = [_shared_names(halves.get(one.name, ())) for one in (device, other)]
    theirs = {_key(value, names[1]): value for value in other.common}
    for value in device.common:
        key = _key(value, names[0])
        there = theirs.get(key) if key is not None else None
        if there is not None and there.value != value.value:
            yield value, there


def _key(value: CommonValue, names: Mapping[str, str]) -> _Key | None:
    """By what both switches know it; None for a channel that they do not share, and for what each has or names for itself."""
    if value.scope in ("own", "tunnel", "tunnelled"):
        return None
    if value.scope != "channel" or not value.of:
        return value.what, value.of
    shared = names.get(value.of.lower())
    return None if shared is None else ("", shared)


def _shared_names(halves: Iterable[Half]) -> Mapping[str, str]:
    return {half.lag.lower(): half.shared or "" for half in halves if half.is_named}


def _told(name: str, here: CommonValue, other: str, there: CommonValue, count: int) -> Observation:
    """`count` are as many of its kind that differ."""
    more = f", and {count - 1} more like it differ" if count > 1 else ""
    text = f"{here.what} is {here.value} on {name} and {there.value} on {other}{more}: {_HARM[here.scope]}"
    return Observation(
        "conflict", f"{name}:{here.what}", text, known(True, here.place), known(here.value, here.place, there.place)
    )
