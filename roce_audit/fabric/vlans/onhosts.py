"""VLANs that a host has on its NICs, and that no port of a switch before them carries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Observation
from roce_audit.text.sentences import listed, runs
from roce_audit.values import known


def uncarried(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterator[Observation]:
    """One observation for each NIC, or bond, with a VLAN that its switches leave out while they carry another one of it, or one that
    other hosts are in.

    Any other trunk that shares no VLAN with the host may name none and carry all.
    """
    before: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in data:
        if port.is_nic and port.reading.labels.vlans and port.peer is not None and not port.peer.is_nic:
            before[port.device.name, port.reading.labels.lag or port.reading.name].append(port)
    carried: set[int] = set()
    found: list[tuple[str, FabricPort, list[FabricPort], frozenset[int], frozenset[int]]] = []
    for (host, name), nics in before.items():
        wanted = frozenset[int]().union(*(nic.reading.labels.vlans for nic in nics))
        switch_ports = [with_vlans(ports, nic.peer) for nic in nics if nic.peer is not None]
        missing = wanted.difference(*(port.reading.labels.vlans for port in switch_ports))
        carried |= wanted - missing
        if missing:
            found.append((f"{host}:{name}", nics[0], switch_ports, wanted, missing))
    for name, nic, switch_ports, wanted, missing in found:
        if all(_names(port, wanted, carried) for port in switch_ports):
            yield _told(name, nic, switch_ports[0], missing, is_lost=not carried.isdisjoint(missing))


def _names(port: FabricPort, wanted: frozenset[int], carried: Set[int]) -> bool:
    """Whether the VLANs of a port of a switch are those of hosts; one that takes no tags has the VLAN of what comes without."""
    labels = port.reading.labels
    return not labels.vlans.isdisjoint(wanted if labels.untagged else wanted | carried)


def with_vlans(ports: FabricPorts, port: FabricPort) -> FabricPort:
    """The port, or the channel that says its VLANs."""
    channel = ports.find(port.device.name, port.reading.labels.lag) if port.reading.labels.lag else None
    return channel if channel is not None and channel.reading.labels.vlans else port


def _told(name: str, nic: FabricPort, port: FabricPort, missing: frozenset[int], *, is_lost: bool) -> Observation:
    """`is_lost`: it is a VLAN that other hosts have through; any other may be left over on the host."""
    vlans = listed(runs(missing), 4)
    text = f"{name} has VLAN {vlans}, which {port.id} before it does not carry: what the host sends in it goes nowhere"
    places = [port.reading.header, nic.reading.header]
    return Observation(
        "vlan-lost" if is_lost else "conflict", port.id, text, known(True, places[0]), known(vlans, *places)
    )
