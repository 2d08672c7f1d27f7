"""Routes: over which ports traffic between two places goes, where no routing table says it: up, then down, all shortest ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from roce_audit.fabric.links import LinkView
from roce_audit.fabric.port import FabricPort

UP_DOWN = "traffic goes up and then down, over all shortest ways"
SHORTEST = "no way goes up and then down: over all shortest ways"
ANY_LAYER = "which switch is leaf and which is spine is not known: over all shortest ways"
OVER_PEER_LINK = "only the link between the two switches of a pair joins them"
OVER_OTHERS = "only links that carry no RoCE join them"
ONE_SWITCH = "both ports are on one switch"


@dataclass(frozen=True, slots=True)
class Wire:
    """A link in the direction of traffic: it leaves by one port and enters by the other."""

    leaving: FabricPort
    entering: FabricPort


@dataclass(frozen=True, slots=True)
class Route:
    """All equal ways between two places, step by step: the cables that traffic takes after so many switches."""

    assumed: str
    """Why it is these."""
    steps: tuple[tuple[Wire, ...], ...]


class Routes:
    """The ways through some links; `layer_of` gives the layers of devices (see layers.py)."""

    def __init__(self, links: Iterable[LinkView], layer_of: Mapping[str, int]) -> None:
        self._links = [link for link in links if "not_data" not in (link.a.roce.rank, link.b.roce.rank)]
        self._layer_of = layer_of

    @cached_property
    def _plain(self) -> Mapping[str, Sequence[Wire]]:
        """Device -> cables to other switches, without peer links and without those that certainly carry no RoCE."""
        return _by_device(link for link in self._links if not _is_peer_link(link) and not _is_other(link))

    @cached_property
    def _with_peer_links(self) -> Mapping[str, Sequence[Wire]]:
        return _by_device(link for link in self._links if not _is_other(link))

    @cached_property
    def _every(self) -> Mapping[str, Sequence[Wire]]:
        return _by_device(self._links)

    def between(self, source: str, targets: Collection[str]) -> Route | None:
        """The route from a switch to the nearest of some switches; None where no cable leads there."""
        if source in targets:
            return Route(ONE_SWITCH, ())
        tries: tuple[tuple[str, Mapping[str, Sequence[Wire]], bool], ...] = (
            (UP_DOWN, self._plain, True),
            (SHORTEST, self._plain, False),
            (OVER_PEER_LINK, self._with_peer_links, False),
            (OVER_OTHERS, self._every, False),
        )
        for assumed, wires, ordered in tries:
            steps = _shortest(source, targets, wires, self._turn if ordered else _any_turn)
            if steps:
                ends = {port.device.name for step in steps for wire in step for port in (wire.leaving, wire.entering)}
                return Route(ANY_LAYER if ordered and not ends <= self._layer_of.keys() else assumed, steps)
        return None

    def _turn(self, wire: Wire, descending: bool) -> bool | None:
        """Whether traffic descends after this wire; None where it may not take it."""
        here, there = (self._layer_of.get(port.device.name) for port in (wire.leaving, wire.entering))
        if here is None or there is None:
            return descending
        if here == there or (descending and there > here):
            return None
        return descending or there < here


_State = tuple[str, bool]
"""A switch, and whether traffic was already going down when it came there."""
_Turn = Callable[[Wire, bool], bool | None]


def _any_turn(_: Wire, descending: bool) -> bool | None:
    return descending


def _shortest(
    source: str, targets: Collection[str], wires: Mapping[str, Sequence[Wire]], turn: _Turn
) -> tuple[tuple[Wire, ...], ...]:
    """The cables of all shortest ways, step by step; none where there is no way."""
    start: _State = (source, False)
    seen: set[_State] = {start}
    edge: list[_State] = [start]
    taken: list[list[tuple[_State, Wire, _State]]] = []
    ends: set[_State] = set()
    while edge and not ends:
        found: dict[_State, None] = {}
        step: list[tuple[_State, Wire, _State]] = []
        for state in edge:
            for wire in wires.get(state[0], ()):
                descending = turn(wire, state[1])
                if descending is None:
                    continue
                after = (wire.entering.device.name, descending)
                if after not in seen:
                    found[after] = None
                    step.append((state, wire, after))
        seen |= found.keys()
        edge = list(found)
        taken.append(step)
        ends = {state for state in found if state[0] in targets}
    steps: list[tuple[Wire, ...]] = []
    for step in reversed(taken if ends else []):
        used = [(before, wire) for before, wire, after in step if after in ends]
        steps.insert(0, tuple(dict.fromkeys(wire for _, wire in used)))
        ends = {before for before, _ in used}
    return tuple(steps)


def _by_device(links: Iterable[LinkView]) -> Mapping[str, Sequence[Wire]]:
    found: dict[str, list[Wire]] = defaultdict(list)
    for link in links:
        if not link.a.is_nic and not link.b.is_nic and link.a.device is not link.b.device:
            found[link.a.device.name].append(Wire(link.a, link.b))
            found[link.b.device.name].append(Wire(link.b, link.a))
    return found


def _is_peer_link(link: LinkView) -> bool:
    return link.a.reading.labels.peer_link or link.b.reading.labels.peer_link


def _is_other(link: LinkView) -> bool:
    """Whether an end certainly carries no RoCE by more than its own settings, which may be what is wrong."""
    return any(port.roce.carries is False and port.roce.rank in ("policy", "hint") for port in (link.a, link.b))
