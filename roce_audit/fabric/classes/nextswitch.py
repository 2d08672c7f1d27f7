"""What becomes of code points behind the switch that a host is cabled to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from roce_audit.fabric.port import FabricPort, of_facts_alone
from roce_audit.model import Port
from roce_audit.values import Cell, known


@of_facts_alone
def lossy_dscps(facts: Port) -> frozenset[int] | None:
    """The code points that a switch is known to lead from this port into a lossy group; None where it knows packets by others."""
    if facts.is_nic or facts.trust.value != "dscp" or not (facts.dscp.is_known and facts.classes.is_known):
        return None
    lossy = {group.number for group in facts.groups.value or () if group.lossless.value is False}
    classes = {one.number for one in facts.classes.get() if one.group.value in lossy}
    return frozenset(dscp for dscp, led in enumerate(facts.dscp.get()) if led.value in classes)


def next_lossy_dscps(ports: Sequence[FabricPort]) -> Mapping[str, Cell[frozenset[int]]]:
    """NIC's port id -> the code points that each switch behind the one that it is cabled to leads into a lossy group.

    Each with the line of one of the ports where that is so.
    """
    behind: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.peer is not None and port.roce.carries and not port.is_nic and not port.peer.is_nic:
            behind[port.device.name].append(port.peer)
    of_device = {name: _everywhere(peers) for name, peers in behind.items()}
    found: dict[str, Cell[frozenset[int]]] = {}
    for port in ports:
        cell = of_device.get(port.peer.device.name) if port.is_nic and port.peer is not None else None
        if cell is not None:
            found[port.id] = cell
    return found


def _everywhere(peers: Sequence[FabricPort]) -> Cell[frozenset[int]] | None:
    """None where some of them is not known to lose any."""
    by_facts = {id(peer.reading.facts): peer for peer in peers}
    lossy = [lossy_dscps(peer.reading.facts) for peer in by_facts.values()]
    common = frozenset.intersection(*(dscps or frozenset() for dscps in lossy))
    if not common:
        return None
    first = peers[0]
    return known(common, first.first_line(first.reading.facts.trust.at))
