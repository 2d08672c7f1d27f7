"""Networks of switches that hosts alone connect, and that are two fabrics by what switches and NICs say: storage beside compute."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from roce_audit.fabric.classes.votes import paused_priorities
from roce_audit.fabric.port import FabricPort


class Apart:
    """Which networks pause different priorities, each of them together with all NICs that lead to it.

    A leaf of one fabric that was given another priority by mistake is none: the NICs at it still pause the fabric's own.
    """

    def __init__(self, cables: Iterable[tuple[FabricPort, FabricPort, str]]) -> None:
        """`cables` are NIC, switch port and the network of the switch."""
        of_switches: dict[str, set[frozenset[int]]] = defaultdict(set)
        of_nics: dict[str, set[frozenset[int]]] = defaultdict(set)
        for nic, switch, network in cables:
            of_switches[network].add(paused_priorities(switch.reading.facts))
            of_nics[network].add(paused_priorities(nic.reading.facts))
        self._pause = {
            network: next(iter(found))
            for network, found in of_switches.items()
            if len(found) == 1 and found == of_nics[network] and frozenset() not in found
        }
        """Network -> the priorities that all its ports of hosts and all these NICs pause, and nothing else; none where they differ."""

    def are(self, one: str, other: str) -> bool:
        """Whether two networks have no lossless priority in common."""
        return one in self._pause and other in self._pause and self._pause[one].isdisjoint(self._pause[other])
