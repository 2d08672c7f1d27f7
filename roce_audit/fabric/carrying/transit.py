"""Transit: the ports between switches that serve RoCE, on one way of each shape of the fabric.

Nothing missing is asked of a port that nobody knows to carry RoCE. Where no way around it is left between two switches that serve
RoCE and send it upwards, it does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.givenpaths import GivenPaths
from roce_audit.fabric.traffic.routes import UP_DOWN, Route, Routes
from roce_audit.model import ClassPath
from roce_audit.values import known

_MOST_PAIRS = 400
"""Pairs of switches whose ways are looked at. Switches that reach the same ones are alike; a regular fabric has a few kinds."""


def transit_ports(
    ports: Iterable[FabricPort], links: Sequence[LinkView], layer_of: Mapping[str, int], given: GivenPaths
) -> Mapping[str, ClassPath]:
    """Port id -> a way that passes the port. Ports not known to carry RoCE are among them where there is no other way."""
    if not links:
        return {}
    serving, hosts = _serving(ports)
    inside = [link for link in links if link.a.fabric == link.b.fabric]
    carrying = Routes([link for link in inside if link.a.roce.carries and link.b.roce.carries], layer_of)
    every = Routes(inside, layer_of)
    found: dict[str, ClassPath] = {}
    for source, target in _pairs([n for n in serving if n in layer_of], serving, hosts, carrying, every, given):
        names = (source, *hosts[source]), (target, *hosts[target])
        route = given.between(every, *names)
        if route is not None and route.steps:
            said = given.between(carrying, *names)
            no_other = said is None or not said.steps
        else:
            if not hosts[source].isdisjoint(hosts[target]) or every.above(source).isdisjoint(every.above(target)):
                continue  # two rails of the same hosts need no way between them
            route = every.between(source, {target})
            if route is None or route.assumed != UP_DOWN:
                continue
            no_other = carrying.above(source).isdisjoint(carrying.above(target))
        if not _is_meant(route):
            continue
        ends = known(source, serving[source].reading.header), known(target, serving[target].reading.header)
        for wire in (wire for step in route.steps for wire in step):
            for port in (wire.leaving, wire.entering):
                if port.roce.carries or no_other:
                    found.setdefault(port.id, ClassPath(*ends, bool(port.roce.carries), bool(route.given)))
    return found


def _is_meant(route: Route) -> bool:
    """Whether the class is to leave both ends: what is known of their ports on the way says so. It may be meant for a rack alone."""
    ends = [wire.leaving for wire in route.steps[0]] + [wire.entering for wire in route.steps[-1]]
    return all(port.roce.carries and not port.roce.is_inferred for port in ends)


def _serving(ports: Iterable[FabricPort]) -> tuple[Mapping[str, FabricPort], Mapping[str, set[str]]]:
    """Switch -> a port of it that leads to a NIC which carries RoCE; and the hosts of all such NICs."""
    found: dict[str, FabricPort] = {}
    hosts: dict[str, set[str]] = defaultdict(set)
    for port in ports:
        peer = port.peer
        if not port.is_nic and port.roce.carries and peer is not None and peer.is_nic and peer.roce.carries:
            found.setdefault(port.device.name, port)
            hosts[port.device.name].add(peer.device.name)
    return found, hosts


def _pairs(
    names: Iterable[str],
    serving: Mapping[str, FabricPort],
    hosts: Mapping[str, set[str]],
    carrying: Routes,
    every: Routes,
    given: GivenPaths,
) -> Iterator[tuple[str, str]]:
    """Pairs of one fabric, two switches of each kind that serve different hosts, and every kind with every other."""
    kinds: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for name in names:
        kinds[
            serving[name].fabric, carrying.above(name) - {name}, every.above(name) - {name}, given.about(name)
        ].append(name)
    chosen: list[str] = []
    for first, *others in kinds.values():
        chosen += [first, *[other for other in others if hosts[first].isdisjoint(hosts[other])][:1]]
    looked_at = 0
    for number, source in enumerate(chosen):
        for target in chosen[number + 1 :]:
            if serving[source].fabric == serving[target].fabric:
                looked_at += 1
                if looked_at > _MOST_PAIRS:
                    return
                yield source, target
