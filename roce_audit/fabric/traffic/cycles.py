"""Pause cycles: buffers of a lossless class that wait for each other in a circle, so that nothing moves any more.

A wire u -> v stands for the buffer of v that packets from u fill. It waits for the buffer of v -> w where packets of the class
that came by the first go on by the second. A circle of such buffers is what every PFC deadlock needs (Hu et al. 2016).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise
from typing import TypeVar

from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.givenpaths import hosts_at
from roce_audit.fabric.traffic.hops import Hops
from roce_audit.fabric.traffic.routes import Route, Routes, Wire
from roce_audit.fabric.traffic.ways import Ways
from roce_audit.model import Class
from roce_audit.records import dataclass
from roce_audit.values import Cell, Where, Why, absent, known, unknown

Node = TypeVar("Node", bound=Hashable)

_MOST_STEPS = 4_000_000
"""Cables looked at, times places where traffic begins: some seconds. Only fabrics of many shapes come near it."""

_MOST_STARTS = 64
MOST_ROUTED = 64
"""Places where traffic begins, of which routing tables and the path file are asked about each pair."""


@dataclass(frozen=True, slots=True)
class PauseCycle:
    """What is known of circles in one fabric."""

    circle: Cell[str]
    """The shortest one in words, with the lines of its ports; absent where traffic forms none."""
    bounces: bool = False
    """It needs traffic that goes down and up again, as some routing forbids."""
    routed: bool = False
    """Routing tables or the path file say all ways that were looked at."""


def pause_cycle(
    classes: Iterable[Class],
    links: Sequence[LinkView],
    layer_of: Mapping[str, int],
    hops: Hops,
    ways: Ways,
    *,
    whole: bool,
) -> PauseCycle:
    """The circle of the first class that has one. `whole`: both ends of every cable were read, so that no way is missing.

    Between two places whose ways routing tables or the path file say, traffic takes these; between others all shortest ones.
    Unknown where it is not whole, or too irregular to look at all ways in time.
    """
    for cls in classes:
        routes = Routes(_lossless(links, cls, hops), layer_of)
        told = _told(replace(ways, routes=routes), links)
        if not told and not routes.is_irregular:
            continue  # what goes up and then down never waits in a circle
        if not told:
            routes = routes.of_different()
        sources = routes.edges
        routed = len(told) == len(sources) * (len(sources) - 1) > 0
        if len(sources) * len(routes.links) > _MOST_STEPS:
            return PauseCycle(unknown(Why.NOT_VISIBLE))
        waiting: dict[Wire, dict[Wire, None]] = defaultdict(dict)
        for source in sources:
            by_table = [way for (start, _), way in told.items() if start == source]
            assumed = routes.turns_from(source, without={end for start, end in told if start == source})
            for before, after in chain(assumed, *map(_turns, by_table)):
                added = dict.fromkeys(after)
                for wire in before:
                    waiting[wire].update(added)
        circle = _from_the_first(shortest_cycle(waiting))
        if circle and not whole:
            return PauseCycle(unknown(Why.NOT_VISIBLE))
        if circle:
            known_layers = {layer_of.get(wire.entering.device.name) for wire in circle}
            return PauseCycle(known(_words(circle), *_places(circle)), len(known_layers) > 1, routed)
    return PauseCycle(absent())


def _told(ways: Ways, links: Sequence[LinkView]) -> Mapping[tuple[str, str], Route]:
    """(where traffic begins, where it ends) -> the ways that the path file says, or routing tables where each switch has one."""
    routes, tables = ways.routes, ways.tables
    if not (tables.are_given or ways.given) or len(routes.edges) > MOST_ROUTED:
        return {}
    hosts = hosts_at(links) if ways.given else {}
    ends: dict[str, tuple[FabricPort, FabricPort]] = {}
    for link in links:
        for port, far in ((link.a, link.b), (link.b, link.a)):
            if far.is_nic and not port.is_nic and (far.reading.labels.addresses or port.reading.labels.addresses):
                ends.setdefault(port.device.name, (port, far if far.reading.labels.addresses else port))
    found: dict[tuple[str, str], Route] = {}
    for source in routes.edges:
        for target in routes.edges:
            if source == target:
                continue
            names = ((end, *hosts.get(end, ())) for end in (source, target))
            given = ways.given.between(routes, *names)
            way = given
            if source in ends and target in ends:
                way = tables.ways(routes, ends[source][0], *ends[target], given) or given
            if way is not None and way.steps and not way.without_table:
                found[source, target] = way
    return found


def _turns(way: Route) -> Iterator[tuple[Sequence[Wire], Sequence[Wire]]]:
    """(wire, next wires) of all ways."""
    for step, following in pairwise(way.steps):
        for wire in step:
            yield (wire,), [after for after in following if after.leaving.device is wire.entering.device]


def shortest_cycle(waits_for: Mapping[Node, Collection[Node]]) -> tuple[Node, ...]:
    """The nodes of a shortest circle, in order; none where there is no circle.

    In a large set of nodes that all lead to each other only the first ones are tried: a circle is found, if not the shortest.
    """
    best: tuple[Node, ...] = ()
    for together in _components(waits_for):
        for start in islice((node for node in waits_for if node in together), _MOST_STARTS):
            best = _back_to(start, waits_for, together, len(best) or len(together) + 1) or best
    return best


def _back_to(
    start: Node, waits_for: Mapping[Node, Collection[Node]], within: Collection[Node], below: int
) -> tuple[Node, ...]:
    """A shortest way from a node back to it through nodes that all lead to each other; none where it takes `below` steps or more."""
    before: dict[Node, Node] = {}
    edge = [start]
    for _ in range(1, below):
        further: list[Node] = []
        for node in edge:
            for after in waits_for.get(node, ()):
                if after == start:
                    way = [node]
                    while way[-1] != start:
                        way.append(before[way[-1]])
                    return tuple(reversed(way))
                if after in within and after not in before:
                    before[after] = node
                    further.append(after)
        edge = further
    return ()


def _components(waits_for: Mapping[Node, Collection[Node]]) -> list[set[Node]]:
    """Sets of nodes that all lead to each other (Tarjan 1972, without recursion); single nodes are left out."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    found: list[set[Node]] = []
    done: set[Node] = set()
    for root in waits_for:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        work = [(root, iter(waits_for.get(root, ())))]
        while work:
            node, rest = work[-1]
            after = next(rest, None)
            if after is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    together = {node}
                    while (member := stack.pop()) != node:
                        together.add(member)
                    done |= together
                    if len(together) > 1:
                        found.append(together)
            elif after not in number:
                number[after] = low[after] = len(number)
                stack.append(after)
                work.append((after, iter(waits_for.get(after, ()))))
            elif after not in done:
                low[node] = min(low[node], number[after])
    return found


def _lossless(links: Sequence[LinkView], cls: Class, hops: Hops) -> list[LinkView]:
    """Those of which both ends certainly pause for the class, where packets are routed there: a spanning tree has no circles."""
    ends = {id(port.reading.facts): port for link in links for port in (link.a, link.b)}
    pausing = {key for key, port in ends.items() if _pauses(port, cls, hops)}

    def is_routed(port: FabricPort) -> bool:
        return id(port.reading.facts) in pausing and port.reading.labels.routed is not False

    return [link for link in links if is_routed(link.a) and is_routed(link.b)]


def _pauses(port: FabricPort, cls: Class, hops: Hops) -> bool:
    """Whether a port of these facts certainly pauses for the class, and is none of a host."""
    on = hops.of(port.reading.facts, cls).pfc_on
    return not port.is_nic and on.is_known and on.get()


def _from_the_first(circle: Sequence[Wire]) -> Sequence[Wire]:
    """The same circle told from the port whose name comes first."""
    first = min(range(len(circle)), key=lambda at: circle[at].entering.id, default=0)
    return (*circle[first:], *circle[:first])


def _words(circle: Sequence[Wire]) -> str:
    """`leaf3:Ethernet1/1 -> spine1:Ethernet1/3, spine1:Ethernet1/4 -> leaf4:Ethernet1/1, ...`."""
    return ", ".join(f"{wire.leaving.id} -> {wire.entering.id}" for wire in circle)


def _places(circle: Sequence[Wire]) -> tuple[Where, ...]:
    """The lines of the ports whose buffers wait."""
    return tuple(wire.entering.reading.header for wire in circle)
