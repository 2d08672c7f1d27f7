"""Ports that are labelled as hosts with RoCE are, or for RoCE, and bridged into their VLANs: they belong to that network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from roce_audit.fabric.carrying.portconfig import hint_for
from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence
from roce_audit.fabric.words import label

_FEWEST = 2
_FACTORY = frozenset({1})


def decide_by_vlans(ports: Sequence[FabricPort]) -> None:
    """Rank 4 once more, of open ports without a known far end, whose label speaks of RoCE or is that of ports that carry it.

    Two ports to hosts have these VLANs and carry RoCE by what is known of themselves; none with them is known to carry none.
    """
    asked = [
        port
        for port in ports
        if port.roce is UNDECIDED and port.hint is None and port.peer is None and _is_bridged(port) and _words(port)
    ]
    if not asked:
        return
    carrying: dict[tuple[str, frozenset[int]], list[FabricPort]] = defaultdict(list)
    others: set[tuple[str, frozenset[int]]] = set()
    for port in ports:
        if port.roce.carries is not None and _is_bridged(port):
            key = port.fabric, port.reading.labels.vlans
            if not port.roce.carries:
                others.add(key)
            elif not port.roce.is_inferred and (port.peer is None or port.peer.is_nic):
                carrying[key].append(port)
    for port in asked:
        key = port.fabric, port.reading.labels.vlans
        alike = [one for one in carrying.get(key, ()) if _is_alike(port, one)]
        if len(alike) >= _FEWEST and key not in others:
            example = next((one for one in alike if one.device is port.device), alike[0])
            said = f"in the VLANs, and by its label of the kind, of {len(alike)} ports that carry RoCE, such as {example.id}"
            at = (port.reading.header, example.reading.header)
            port.roce = RoceEvidence(True, "similar_ports", at, said, elsewhere=True)


def _words(port: FabricPort) -> frozenset[str]:
    return label(port.reading.labels.description).kind


def _is_alike(port: FabricPort, other: FabricPort) -> bool:
    speeds = {one.reading.facts.speed_bps.or_else(0) for one in (port, other)} - {0}
    return len(speeds) < _FEWEST and (hint_for(port) or _words(port) == _words(other))


def _is_bridged(port: FabricPort) -> bool:
    labels = port.reading.labels
    return not (port.is_nic or labels.routed or labels.peer_link) and bool(labels.vlans - _FACTORY)
