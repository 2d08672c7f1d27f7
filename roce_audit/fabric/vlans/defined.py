"""VLANs that ports with RoCE carry and their switch does not define: it drops their packets, whatever its ports say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from roce_audit.fabric.lags.pairs import Pairs, halves_of, vlan_interfaces
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.onhosts import with_vlans
from roce_audit.model import Observation
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.sentences import listed, runs
from roce_audit.values import known

_MOST_VLANS = 64
"""A port of more VLANs names a range, whatever VLANs there are."""
_FACTORY = frozenset({1})


def undefined_vlans(
    devices: Iterable[DeviceReading], ports: FabricPorts, data: Sequence[FabricPort]
) -> Iterator[Observation]:
    """One observation for each switch, where the other one of its pair defines the VLAN, this one has an address in it, or it is all that
    a port has. A list of VLANs alone may be that of all trunks of the site.
    """
    defining = {device.name for device in devices if _defines(device)}
    carrying = _carrying(ports, data, defining) if defining else {}
    defined = {name: _defined(its) for name, its in carrying.items()}
    lacking = {name: missing for name, its in carrying.items() if (missing := its.keys() - defined[name])}
    if not lacking:
        return
    pairs = Pairs(halves_of(ports, data), data)
    addressed = _with_address(ports, lacking)
    for name, missing in lacking.items():
        other = pairs.other(name) or ""
        has = carrying.get(other, {}).keys() & defined.get(other, set())
        alone = {vlan for vlan in missing if any(_is_access(port) for port in carrying[name][vlan])}
        told = [vlan for vlan in sorted(missing) if vlan in has or vlan in alone or (name, vlan) in addressed]
        if told:
            yield _told(name, told, carrying[name][told[0]])


_Carrying = Mapping[int, Sequence[FabricPort]]
"""VLAN -> the ports of a switch that carry it: channels, or ports of none."""


def _carrying(ports: FabricPorts, data: Iterable[FabricPort], defining: Collection[str]) -> Mapping[str, _Carrying]:
    """By switch, of those that define VLANs."""
    found: dict[str, dict[int, list[FabricPort]]] = defaultdict(lambda: defaultdict(list))
    seen: set[str] = set()
    for port in data:
        if not port.roce.carries or port.reading.labels.peer_link or port.device.name not in defining:
            continue
        through = with_vlans(ports, port)
        vlans = through.reading.labels.vlans
        if through.id not in seen and not through.reading.labels.routed and len(vlans) <= _MOST_VLANS:
            seen.add(through.id)
            for vlan in vlans - _FACTORY:
                found[port.device.name][vlan].append(port)
    return found


def _is_access(port: FabricPort) -> bool:
    """Whether packets come without a tag, into one VLAN; what a member of a channel says of that its channel may say otherwise."""
    labels = port.reading.labels
    return labels.untagged and not labels.lag and len(labels.vlans) == 1


def _defines(device: DeviceReading) -> bool:
    """Whether its configuration is whole and defines VLANs."""
    return any(one.scope == "vlans" and one.place.path in device.complete_because for one in device.common)


def _defined(carrying: _Carrying) -> set[int]:
    """The VLANs that the switch of these ports defines."""
    device = next(iter(carrying.values()))[0].device
    return {vlan for one in device.common if one.scope == "vlans" for vlan in one.vlans}


def _with_address(ports: FabricPorts, devices: Collection[str]) -> set[tuple[str, int]]:
    """(switch, VLAN) of the interfaces of VLANs that have an address."""
    return {vlan for vlan, svi in vlan_interfaces(ports, devices) if svi.reading.labels.addresses}


def _told(name: str, vlans: Sequence[int], those: Sequence[FabricPort]) -> Observation:
    first = those[0]
    is_one = len(vlans) == 1
    text = (
        f"VLAN {listed(runs(vlans), 4)} {'is' if is_one else 'are'} not defined on {name}, where {first.id}"
        f"{f' and {len(those) - 1} more' if len(those) > 1 else ''} {'carries' if len(those) == 1 else 'carry'} RoCE in "
        f"{'it' if is_one else 'them'}: such packets are dropped there"
    )
    place = first.reading.header
    return Observation("undefined", f"{name}:VLAN {vlans[0]}", text, known(True, place), known(str(vlans[0]), place))
