"""Cables whose ends are addressed for other far ends: the plan, the cabling or an address is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.vlans.subnets import Subnets, are_for_two, subnets6_of, subnets_of
from roce_audit.model import Observation
from roce_audit.text.sentences import listed
from roce_audit.values import Place, known

Ends = tuple[FabricPort, FabricPort, Place]
"""The ends of a cable, and where it stands that they are."""


def addressed_otherwise(
    cables: Sequence[Ends], described: Sequence[Ends], ports: Iterable[FabricPort]
) -> Iterator[Observation]:
    """The cables whose ends have subnets for two ports each, and share none.

    Told where such subnets are those of cables: most cables have one at both ends, or another port of the site is in the subnet of one
    of these ends. Where neither holds, addresses say nothing of cables: they may have been replaced before the files were given away.
    Of cables that descriptions alone tell, which may be old, most must have one at both ends.
    """
    yield from _apart(cables, lambda: _ports_by_subnet(ports))
    yield from _apart(described, dict)


def _apart(cables: Sequence[Ends], in_subnets: Callable[[], Mapping[tuple[int, int], int]]) -> Iterator[Observation]:
    of_ends = [(*_subnets(a, b), a, b, place) for a, b, place in cables]
    for_two = [one for one in of_ends if one[0] and one[1] and are_for_two(one[0]) and are_for_two(one[1])]
    apart = [one for one in for_two if one[0].isdisjoint(one[1])]
    if not apart:
        return
    are_of_cables = len(apart) <= len(for_two) / 2
    counted = {} if are_of_cables else in_subnets()
    for mine, theirs, a, b, place in apart:
        if are_of_cables or any(counted.get(subnet, 0) > 1 for subnet in mine | theirs):
            yield _told(a, b, place)


def _subnets(a: FabricPort, b: FabricPort) -> tuple[Subnets, Subnets]:
    """Those of IPv4, of ends without any those of IPv6."""
    mine, theirs = subnets_of(a), subnets_of(b)
    return (mine, theirs) if mine or theirs else (subnets6_of(a), subnets6_of(b))


def _ports_by_subnet(ports: Iterable[FabricPort]) -> dict[tuple[int, int], int]:
    """How many ports have an address in each subnet."""
    counted: dict[tuple[int, int], int] = {}
    for port in ports:
        for subnet in subnets_of(port) or subnets6_of(port):
            counted[subnet] = counted.get(subnet, 0) + 1
    return counted


def _told(a: FabricPort, b: FabricPort, place: Place) -> Observation:
    ends = [f"{end.id} has {listed(end.reading.labels.addresses, 2)}" for end in (a, b)]
    text = f"{ends[0]}, and {ends[1]} at the other end of the cable: neither reaches the other"
    lines = [where for end in (a, b) for where in end.absolute((end.reading.header,))]
    return Observation(
        "addressed-otherwise", f"{a.id} <-> {b.id}", text, known(True, place), known(a.id, *lines, place)
    )
