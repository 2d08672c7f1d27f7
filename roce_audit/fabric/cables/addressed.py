"""Cables that addresses tell: two ports with a subnet for two, which no third port of the site shares."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.vlans.subnets import are_for_two, subnets_of

_BOTH = 2
_FEWEST = 3
"""Two documents may have an address or two in common by chance."""


def by_subnets(
    ports: Iterable[FabricPort], may_be: Callable[[FabricPort, FabricPort], bool]
) -> Iterator[tuple[FabricPort, FabricPort]]:
    """The ends of such cables, where the site has several, and one of the two devices shares as many of its subnets for two with others
    as it has for itself. What leads to devices that were not read says nothing; addresses that were replaced, or are those of another
    network, seldom meet.
    """
    sharing: dict[tuple[int, int], list[FabricPort]] = defaultdict(list)
    own: Counter[str] = Counter()
    for port in ports:
        subnets = subnets_of(port)
        if subnets and are_for_two(subnets):
            own[port.device.name] += 1
            for subnet in subnets:
                sharing[subnet].append(port)
    met = [(ends[0], ends[1]) for ends in sharing.values() if _are_two_ends(ends)]
    shared = Counter(port.device.name for ends in met for port in ends)
    if len(met) < _FEWEST:
        return
    for one, other in met:
        if any(2 * shared[end.device.name] >= own[end.device.name] for end in (one, other)) and may_be(one, other):
            yield one, other


def _are_two_ends(ends: list[FabricPort]) -> bool:
    if len(ends) != _BOTH or ends[0].device is ends[1].device or (ends[0].is_nic and ends[1].is_nic):
        return False
    mine, theirs = (_hosts(port) for port in ends)
    return mine.isdisjoint(theirs)


def _hosts(port: FabricPort) -> frozenset[str]:
    return frozenset(address.partition("/")[0] for address in port.reading.labels.addresses)
