"""Ports of switches that lead to hosts, be the hosts read or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.words import label


def to_hosts(ports: Iterable[FabricPort]) -> Iterator[FabricPort]:
    """The ports with RoCE that lead to a NIC, or of which no cable is known, unless they are described as those of the same switch are
    that lead to switches: then it is a cable that is missing. Peer links lead to none.
    """
    carrying: list[FabricPort] = []
    to_switches: set[tuple[str, frozenset[str]]] = set()
    for port in ports:
        if port.is_nic or port.reading.labels.peer_link:
            continue
        if port.peer is not None and not port.peer.is_nic:
            to_switches.add((port.device.name, label(port.reading.labels.description).kind))
        elif port.roce.carries:
            carrying.append(port)
    for port in carrying:
        words = label(port.reading.labels.description).kind
        if port.peer is not None or not words or (port.device.name, words) not in to_switches:
            yield port
