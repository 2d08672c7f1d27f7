"""Paths: one class from where it is sent to where it arrives, and what each port on the way does with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.chain import Break, Demand, Unseen, Verdict, along_wire, cnps_at
from roce_audit.fabric.traffic.crossings import Crossing, Mark, class_of, entering, leaving
from roce_audit.fabric.traffic.routes import Route
from roce_audit.fabric.traffic.ways import Ways, switch_port
from roce_audit.records import dataclass
from roce_audit.values import Cell

NO_SWITCH = "the two NICs are cabled to each other"


@dataclass(frozen=True, slots=True)
class Row:
    """One step of a path: equal ports that do the same with the class, one of them as the example."""

    number: int
    """The step, from 1; rows of equal ways have the same."""
    crossing: Crossing
    ports: tuple[FabricPort, ...]
    breaks: tuple[Break, ...]
    unseen: tuple[Unseen, ...]


@dataclass(frozen=True, slots=True)
class TracedPath:
    """A class on all equal ways between two places."""

    source: FabricPort
    target: FabricPort
    route: Route
    """The ways that the packets take, and who says so."""
    rows: tuple[Row, ...]

    @property
    def first_break(self) -> Row | None:
        """The first row where the chain breaks."""
        return next((row for row in self.rows if row.breaks), None)

    @property
    def unseen(self) -> tuple[tuple[Row, Unseen], ...]:
        """What is not known of the rows."""
        return tuple((row, unseen) for row in self.rows for unseen in row.unseen)


@dataclass(slots=True)
class _Arrival:
    """Packets that came into a switch: by which port, as what, and the internal class they were given."""

    port: FabricPort
    mark: Mark
    number: Cell[int]
    astray: bool = False
    """It entered a class that no pause protects, and that is told already."""


@dataclass(slots=True)
class _Found:
    """A crossing with what is wrong or unknown there."""

    crossing: Crossing
    astray: bool = False
    verdicts: list[Verdict] = field(default_factory=list)


class Walk:
    """Follows one class. `cnps_of` are given when the packets are CNPs: the mark of the data that they are about."""

    def __init__(self, ways: Ways, demand: Demand, cnps_of: Mark | None = None) -> None:
        self.ways = ways
        self.demand = demand
        self.cnps_of = cnps_of

    def along(self, source: FabricPort, target: FabricPort, mark: Mark) -> TracedPath | None:
        """The path from a NIC, or from where packets enter a switch, to a NIC or to where they leave a switch.

        None where no cable leads there.
        """
        if source.is_nic and source.peer is target:
            steps = self._wires([(source, target)], [_Arrival(source, mark, _class_in(source, mark))])
            return TracedPath(source, target, Route(NO_SWITCH, ()), _rows(steps[:2]))
        first, last = switch_port(source), switch_port(target)
        route = self.ways.between(source, target)
        if route is None or first is None or last is None:
            return None
        return TracedPath(source, target, route, _rows(self._stages(source, target, first, last, mark, route)))

    def _stages(
        self, source: FabricPort, target: FabricPort, first: FabricPort, last: FabricPort, mark: Mark, route: Route
    ) -> list[list[_Found]]:
        stages: list[list[_Found]] = []
        if source.is_nic:
            arrivals = [_Arrival(source, mark, _class_in(source, mark))]
            stages += self._wires([(source, first)], arrivals)
        else:
            stages.append([_Found(entering(first, mark))])
        arrivals = _arrivals(stages[-1])
        unseen = self.ways.not_seen(route)
        for number, step in enumerate(route.steps):
            stages += self._wires([(wire.leaving, wire.entering) for wire in step], arrivals)
            for one in stages[-2] if unseen else ():
                key = number, one.crossing.port.device.name
                if key in unseen:
                    one.verdicts.append(unseen[key])
            arrivals = _arrivals(stages[-1])
        if target.is_nic:
            stages += self._wires([(last, target)], arrivals)
        else:
            stages.append(self._out(last, arrivals))
        return stages

    def _wires(
        self, wires: Iterable[tuple[FabricPort, FabricPort]], arrivals: Sequence[_Arrival]
    ) -> list[list[_Found]]:
        """What leaves by the first port of each pair, and what enters by the second."""
        left: list[_Found] = []
        entered: list[_Found] = []
        for here, there in wires:
            for going in self._out(here, arrivals):
                coming = _Found(entering(there, going.crossing.leaves_as))
                if self.cnps_of is None:
                    gone, come = along_wire(going.crossing, coming.crossing, self.demand, going.astray)
                    going.verdicts += gone
                    coming.verdicts += come
                left.append(going)
                entered.append(coming)
        return [left, entered]

    def _out(self, port: FabricPort, arrivals: Iterable[_Arrival]) -> list[_Found]:
        """The different packets that leave by a port."""
        found: dict[tuple[object, ...], _Found] = {}
        for arrival in arrivals:
            if arrival.port.device is not port.device or (arrival.port is port and not port.is_nic):
                continue
            key = (arrival.mark, arrival.number)
            if key in found:
                continue
            going = _Found(leaving(port, arrival.mark, arrival.number), arrival.astray)
            if self.cnps_of is not None and not port.is_nic:
                going.verdicts += cnps_at(_class_in(arrival.port, self.cnps_of), going.crossing)
            found[key] = going
        return list(found.values())


def _arrivals(found: Iterable[_Found]) -> list[_Arrival]:
    arrived: dict[tuple[object, ...], _Arrival] = {}
    for one in found:
        crossing = one.crossing
        number = replace(crossing.traffic_class, at=crossing.port.absolute(crossing.traffic_class.at))
        key = (crossing.port.device.name, crossing.mark, number, id(crossing.port.reading.facts))
        arrived.setdefault(key, _Arrival(crossing.port, crossing.mark, number, _is_astray(crossing)))
    return list(arrived.values())


def _is_astray(crossing: Crossing) -> bool:
    """Whether a packet entered a class for which its port pauses nobody, though it has PFC."""
    pauses, on = crossing.pauses, crossing.pfc
    return pauses.is_known and not pauses.get() and on.is_known and bool(on.get())


def _class_in(port: FabricPort, mark: Mark) -> Cell[int]:
    """The internal class that packets with this mark are given where they enter, good outside of the port."""
    number = class_of(port.reading.facts, mark)
    return replace(number, at=port.absolute(number.at))


def _rows(stages: Iterable[Sequence[_Found]]) -> tuple[Row, ...]:
    """A row for each stage and each different thing that happens there; ports that do the same share it."""
    rows: list[Row] = []
    for number, stage in enumerate(stages, 1):
        alike: dict[tuple[object, ...], list[_Found]] = {}
        for found in stage:
            crossing = found.crossing
            texts = tuple((type(verdict), verdict.text) for verdict in found.verdicts)
            key = (id(crossing.port.reading.facts), crossing.mark, crossing.traffic_class, texts)
            alike.setdefault(key, []).append(found)
        for members in alike.values():
            breaks = [[v for v in found.verdicts if isinstance(v, Break)] for found in members]
            rows.append(
                Row(
                    number=number,
                    crossing=members[0].crossing,
                    ports=tuple(dict.fromkeys(found.crossing.port for found in members)),
                    breaks=tuple(_together(same) for same in zip(*breaks, strict=True)),
                    unseen=tuple(v for v in members[0].verdicts if isinstance(v, Unseen)),
                )
            )
    return tuple(rows)


def _together(same: Sequence[Break]) -> Break:
    """One break of several ports, with the lines of all."""
    return replace(same[0], places=tuple(dict.fromkeys(place for one in same for place in one.places)))
