"""VLANs of hosts with RoCE that one end of a cable between two switches carries and the other does not: they end there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from roce_audit.fabric.cables.hostfacing import to_hosts
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.onhosts import with_vlans
from roce_audit.model import Observation
from roce_audit.text.sentences import listed, runs
from roce_audit.values import known

_MOST_VLANS = 64
"""A trunk of more VLANs names a range, whatever VLANs there are."""
_Trunk = tuple[FabricPort, FabricPort]
"""The two ends of a cable between switches: the ports, or the channels that say their VLANs."""


def half_carried(ports: FabricPorts, data: Sequence[FabricPort]) -> Iterator[Observation]:
    """One observation for all cables of two switches at which one leaves out the same: hosts with RoCE are in the VLAN on both sides.

    `vlan-lost` where no other cable leads there. Of peer links the two halves of a pair are compared elsewhere.
    """
    trunks = list(_trunks(ports, data))
    lost = {vlan for trunk in trunks for vlan in _one_sided(trunk)}
    if not lost:
        return
    serving = _serving(ports, data)
    connected = {vlan: _connected(vlan, trunks) for vlan in lost}
    told: dict[tuple[str, str, tuple[int, ...]], list[_Trunk]] = defaultdict(list)
    for trunk in trunks:
        needed = [vlan for vlan in _one_sided(trunk) if _is_needed(trunk, connected[vlan], serving.get(vlan, set()))]
        if needed:
            lacking, having = trunk if needed[0] in trunk[1].reading.labels.vlans else trunk[::-1]
            told[lacking.device.name, having.device.name, tuple(needed)].append((lacking, having))
    for (*_, lost_ones), its in told.items():
        yield _told(its, lost_ones, connected)


def _trunks(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterator[_Trunk]:
    """Each once, as its two ends; those of which both ends bridge VLANs that they name."""
    seen: set[frozenset[str]] = set()
    for port in data:
        peer = port.peer
        if peer is None or port.is_nic or peer.is_nic or not port.roce.carries or port.reading.labels.peer_link:
            continue
        near, far = with_vlans(ports, port), with_vlans(ports, peer)
        ends = frozenset((near.id, far.id))
        if ends not in seen and all(_bridges(end) for end in (near, far)) and not peer.reading.labels.peer_link:
            seen.add(ends)
            yield near, far


def _bridges(end: FabricPort) -> bool:
    labels = end.reading.labels
    return labels.routed is False and bool(labels.vlans)


def _one_sided(trunk: _Trunk) -> list[int]:
    """The VLANs that one of the ends leaves out; what comes without tags may have another number at each end."""
    near, far = trunk
    if any(len(end.reading.labels.vlans) > _MOST_VLANS or end.reading.labels.untagged for end in trunk):
        return []
    return sorted(near.reading.labels.vlans ^ far.reading.labels.vlans)


def _serving(ports: FabricPorts, data: Iterable[FabricPort]) -> Mapping[int, set[str]]:
    """VLAN -> the switches with hosts with RoCE in it."""
    found: dict[int, set[str]] = defaultdict(set)
    for port in to_hosts(data):
        labels = with_vlans(ports, port).reading.labels
        if not labels.routed and len(labels.vlans) <= _MOST_VLANS:
            for vlan in labels.vlans:
                found[vlan].add(port.device.name)
    return found


def _connected(vlan: int, trunks: Iterable[_Trunk]) -> Mapping[str, AbstractSet[str]]:
    """Switch -> the switches that the VLAN leads to from it, itself among them, over cables of which both ends carry it."""
    beside: dict[str, set[str]] = defaultdict(set)
    for ends in trunks:
        if all(vlan in end.reading.labels.vlans for end in ends):
            near, far = (end.device.name for end in ends)
            beside[near].add(far)
            beside[far].add(near)
    found: dict[str, AbstractSet[str]] = {}
    for start in beside:
        if start not in found:
            reached, left = {start}, [start]
            while left:
                new = beside[left.pop()] - reached
                reached |= new
                left += new
            found.update(dict.fromkeys(reached, reached))
    return found


def _is_needed(trunk: _Trunk, connected: Mapping[str, AbstractSet[str]], serving: AbstractSet[str]) -> bool:
    """Whether hosts of two switches are in the VLAN, and some on both sides."""
    near, far = (connected.get(end.device.name, {end.device.name}) & serving for end in trunk)
    return bool(near) and bool(far) and len(near | far) > 1


def _told(
    its: Sequence[_Trunk], lost: Sequence[int], connected: Mapping[int, Mapping[str, AbstractSet[str]]]
) -> Observation:
    """What is told of the cables between two switches, each with the end first that leaves the VLANs out."""
    lacking, having = its[0]
    cut = [n for n in lost if having.device.name not in connected[n].get(lacking.device.name, ())]
    vlans = listed(runs(cut or lost), 4)
    result = "nothing else leads there" if cut else "what is sent this way in it is lost"
    too = f", as {'do' if len(its) > 2 else 'does'} {len(its) - 1} more" if len(its) > 1 else ""
    text = (
        f"{lacking.id} does not carry VLAN {vlans}{too}, which {having.id} at the other end of the cable carries, and hosts with RoCE are"
        f" in it on both sides: {result}"
    )
    places = [lacking.reading.header, having.reading.header]
    return Observation(
        "vlan-lost" if cut else "conflict", lacking.id, text, known(True, places[0]), known(vlans, *places)
    )
