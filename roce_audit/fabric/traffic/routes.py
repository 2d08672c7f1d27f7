"""Routes: over which ports traffic between two places goes, where no routing table says it: up, then down, all shortest ways."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.layers import LEAF
from roce_audit.fabric.port import FabricPort
from roce_audit.records import dataclass
from roce_audit.values import Place

UP_DOWN = "traffic goes up and then down, over all shortest ways"
SHORTEST = "no way goes up and then down: over all shortest ways"
ANY_LAYER = "which switch is leaf and which is spine is not known: over all shortest ways"
OVER_PEER_LINK = "only the link between the two switches of a pair joins them"
OVER_OTHERS = "only links that carry no RoCE join them"
ONE_SWITCH = "both ports are on one switch"
_ENOUGH_ALIKE = 3


class Wire(NamedTuple):
    """A link in the direction of traffic: it leaves by one port and enters by the other. Millions are looked up: a tuple is quick."""

    leaving: FabricPort
    entering: FabricPort


@dataclass(frozen=True, slots=True)
class Route:
    """All equal ways between two places, step by step: the cables that traffic takes after so many switches."""

    assumed: str
    """Why it is these, as far as no routing table says it."""
    steps: tuple[tuple[Wire, ...], ...]
    tables: tuple[Place, ...] = ()
    """The routes that say it."""
    without_table: tuple[str, ...] = ()
    """Where some tables say it: the switches on the way of which none was read, or says nothing of the target."""
    given: tuple[Place, ...] = ()
    """The lines of the path file that say it where no table does."""
    not_cabled: tuple[Place, ...] = ()
    """The lines of the path file that say another way, which no cables lead."""


class Routes:
    """The ways through some links; `layer_of` gives the layers of devices (see layers.py)."""

    def __init__(self, links: Iterable[LinkView], layer_of: Mapping[str, int]) -> None:
        self.links = [link for link in links if "not_data" not in (link.a.roce.rank, link.b.roce.rank)]
        self._layer_of = layer_of
        self._ancestors: dict[str, frozenset[str]] = {}
        self._trees: dict[str, tuple[str, _Tree]] = {}
        """What was assumed -> the last source asked about, and the ways from it."""
        self._known_steps: dict[tuple[int, bool], _Steps] = {}

    @cached_property
    def _between_switches(self) -> Sequence[LinkView]:
        return [x for x in self.links if not x.a.is_nic and not x.b.is_nic and x.a.device is not x.b.device]

    @cached_property
    def _plain(self) -> Mapping[str, Sequence[Wire]]:
        """Device -> cables to other switches, without peer links and without those that certainly carry no RoCE."""
        return _by_device(link for link in self._between_switches if not link.joins_a_pair and not _is_other(link))

    @cached_property
    def _single(self) -> Mapping[str, Sequence[Wire]]:
        """The same with one cable between two switches in place of several."""
        return {
            name: tuple({wire.entering.device.name: wire for wire in reversed(wires)}.values())
            for name, wires in self._plain.items()
        }

    @cached_property
    def _with_peer_links(self) -> Mapping[str, Sequence[Wire]]:
        return _by_device(link for link in self._between_switches if not _is_other(link))

    @cached_property
    def _every(self) -> Mapping[str, Sequence[Wire]]:
        return _by_device(self._between_switches)

    def wires_from(self, name: str) -> Sequence[Wire]:
        """All cables from a switch to others."""
        return self._every.get(name, ())

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
            asked, tree = self._trees.get(assumed, ("", None))
            if tree is None or asked != source:
                tree = _Tree(source, self._steps(wires, ordered=ordered))
                self._trees[assumed] = source, tree
            steps = tree.steps_to(targets)
            if steps:
                ends = {port.device.name for step in steps for wire in step for port in (wire.leaving, wire.entering)}
                return Route(ANY_LAYER if ordered and not ends <= self._layer_of.keys() else assumed, steps)
        return None

    def _steps(self, wires: Mapping[str, Sequence[Wire]], *, ordered: bool) -> _Steps:
        """`wires` is one of the maps that live as long as this; `ordered`: traffic goes up and then down."""
        found = self._known_steps.get((id(wires), ordered))
        if found is None:
            found = self._known_steps[id(wires), ordered] = _Steps(wires, self._descends if ordered else _any_turn)
        return found

    @cached_property
    def is_irregular(self) -> bool:
        """Whether some traffic may not go up and then down: a layer is not known, or two edges have no switch above in common."""
        plain = self._plain
        if any(name not in self._layer_of for name in plain):
            return True
        different = {self.above(name) - {name} or self.above(name) for name in self.edges}
        return any(one.isdisjoint(other) for one in different for other in different)

    @cached_property
    def edges(self) -> Sequence[str]:
        """The switches on which traffic begins and ends: those of the lowest layer, those before NICs, and unknown ones."""
        before_nics = {
            port.device.name
            for link in self.links
            for port, peer in ((link.a, link.b), (link.b, link.a))
            if peer.is_nic and not port.is_nic
        }
        return [name for name in self._plain if self._layer_of.get(name, LEAF) <= LEAF or name in before_nics]

    def above(self, name: str) -> frozenset[str]:
        """The switches that traffic from here can go up to, itself among them."""
        found = self._ancestors.get(name)
        if found is None:
            here = self._layer_of[name]
            higher = {
                w.entering.device.name
                for w in self._plain.get(name, ())
                if self._layer_of[w.entering.device.name] > here
            }
            found = self._ancestors[name] = frozenset({name}).union(*map(self.above, higher))
        return found

    def of_different(self) -> Routes:
        """The ways through these links without switches that three others already are like: same neighbours, same layer.

        A shortest way passes two such switches at most (they have their neighbours in common), so with any of them in place of
        another it stays a way, and three are enough to tell the neighbours in a circle apart.
        """
        edges = frozenset(self.edges)
        alike: Counter[object] = Counter()
        kept = set()
        for name, wires in self._plain.items():
            kind = frozenset(wire.entering.device.name for wire in wires), self._layer_of.get(name), name in edges
            alike[kind] += 1
            if alike[kind] <= _ENOUGH_ALIKE:
                kept.add(name)
        left_out = self._plain.keys() - kept
        links = [link for link in self.links if left_out.isdisjoint((link.a.device.name, link.b.device.name))]
        return Routes(links, self._layer_of)

    def turns_from(self, source: str, without: Collection[str] = ()) -> Iterator[tuple[Sequence[Wire], Sequence[Wire]]]:
        """(wires, next wires of each) of all shortest ways from one edge to the others: up and down, or any where there is none."""
        left = set(self.edges) - {source, *without}
        for ordered in (True, False):
            tree = _Tree(source, self._steps(self._single, ordered=ordered))
            yield from tree.turns_to(left)
            left -= tree.reached
            if not left:
                return

    def _descends(self, wire: Wire, descending: bool) -> bool | None:
        """Whether traffic descends after this wire; None where it may not take it."""
        here, there = self._layer_of.get(wire.leaving.device.name), self._layer_of.get(wire.entering.device.name)
        if here is None or there is None:
            return descending
        if here == there or (descending and there > here):
            return None
        return descending or there < here


_State = tuple[str, bool]
"""A switch, and whether traffic was already going down when it came there."""
_Descends = Callable[[Wire, bool], bool | None]


def _any_turn(_: Wire, descending: bool) -> bool | None:
    return descending


class _Steps(dict[_State, Sequence[tuple[_State, Wire]]]):
    """State -> where traffic may go next, and by which wire; looked up when a way first comes there."""

    def __init__(self, wires: Mapping[str, Sequence[Wire]], descends: _Descends) -> None:
        super().__init__()
        self._wires = wires
        self._descends = descends

    def __missing__(self, state: _State) -> Sequence[tuple[_State, Wire]]:
        found: list[tuple[_State, Wire]] = []
        for wire in self._wires.get(state[0], ()):
            descending = self._descends(wire, state[1])
            if descending is not None:
                found.append(((wire.entering.device.name, descending), wire))
        self[state] = found
        return found


class _Tree:
    """All shortest ways from one switch."""

    def __init__(self, source: str, steps: _Steps) -> None:
        start: _State = (source, False)
        before = self._before = {start: list[tuple[_State, Wire]]()}
        distances = self._distance = {start: 0}
        self._best: dict[str, int] = {source: 0}
        edge = [start]
        while edge:
            further: list[_State] = []
            for state in edge:
                distance = distances[state] + 1
                for after, wire in steps[state]:
                    known = distances.get(after)
                    if known is None:
                        distances[after] = distance
                        before[after] = [(state, wire)]
                        self._best.setdefault(after[0], distance)
                        further.append(after)
                    elif known == distance:
                        before[after].append((state, wire))
            edge = further

    @property
    def reached(self) -> Set[str]:
        """The switches that some way leads to."""
        return self._best.keys()

    def steps_to(self, targets: Collection[str]) -> tuple[tuple[Wire, ...], ...]:
        """The wires of all shortest ways to the nearest of some switches, step by step; none where there is no way."""
        nearest = min((self._best[target] for target in targets if target in self._best), default=0)
        ends = {state for state, distance in self._distance.items() if state[0] in targets and distance == nearest}
        steps: list[tuple[Wire, ...]] = []
        for _ in range(nearest):
            used = [entry for state in sorted(ends) for entry in self._before[state]]
            steps.insert(0, tuple(dict.fromkeys(wire for _, wire in used)))
            ends = {before for before, _ in used}
        return tuple(steps)

    def turns_to(self, targets: Collection[str]) -> Iterator[tuple[Sequence[Wire], Sequence[Wire]]]:
        """(wires into a switch, wires that traffic then takes) of the shortest ways to each of some switches."""
        wanted = {s for s, distance in self._distance.items() if s[0] in targets and distance == self._best[s[0]]}
        leaving: dict[_State, list[Wire]] = {}
        for state in sorted(self._distance, key=lambda state: -self._distance[state]):
            if state in wanted:
                for before, wire in self._before[state]:
                    wanted.add(before)
                    leaving.setdefault(before, []).append(wire)
        for state, after in leaving.items():
            yield [wire for _, wire in self._before[state]], after


def _by_device(links: Iterable[LinkView]) -> Mapping[str, Sequence[Wire]]:
    found: dict[str, list[Wire]] = defaultdict(list)
    for link in links:
        found[link.a.device.name].append(Wire(link.a, link.b))
        found[link.b.device.name].append(Wire(link.b, link.a))
    return found


def _is_other(link: LinkView) -> bool:
    """Whether an end certainly carries no RoCE by more than its own settings, which may be what is wrong."""
    return any(port.roce.carries is False and port.roce.rank in ("policy", "hint") for port in (link.a, link.b))
