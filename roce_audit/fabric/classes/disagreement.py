"""What the devices of a fabric disagree on, where no side has a majority: each with a line of every side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.classes.pathmtu import fits
from roce_audit.fabric.classes.votes import SINGLED_OUT, is_written, marks_of
from roce_audit.fabric.port import FabricPort
from roce_audit.values import Cell, Place, Where, Why, known


def priorities(votes: Sequence[frozenset[int]], ports: Sequence[FabricPort], first: Place) -> Cell[frozenset[int]]:
    """What the votes disagree on, with the line of one port for each vote; the vote of fewest devices is the likeliest slip."""
    if len(votes) < 2:
        return known(frozenset(), first)
    places: dict[frozenset[int], Where] = {}
    members: dict[frozenset[int], set[str]] = defaultdict(set)
    for port in ports:
        pfc = port.reading.facts.pfc.value_or_none()
        if port.roce.carries and pfc is not None and pfc.priorities.is_known and pfc.priorities.get() in votes:
            where = port.first_line(pfc.priorities.at)
            places.setdefault(pfc.priorities.get(), where)
            members[pfc.priorities.get()].add(port.device.name)
    ordered = sorted(places, key=lambda vote: len(members[vote]))
    return known(frozenset.union(*votes) - frozenset.intersection(*votes), *(places[vote] for vote in ordered))


def dscps(found: Classes, carrying: Sequence[FabricPort], first: Place) -> Cell[frozenset[int]]:
    """What the ports disagree on where no DSCP of a class has a majority, with the lines of one port for each opinion."""
    disagreed: frozenset[int] = frozenset()
    places: list[Where] = []
    cnp: frozenset[int] = found.cnp.dscp.or_else(frozenset()) if found.cnp is not None else frozenset()
    for cls in found.roce:
        if cls.priority.is_known and cls.dscp.is_known and len(cls.dscp.get()) > SINGLED_OUT:
            holes = _holes(min(cls.priority.get()), cls.dscp.get(), carrying)
            disagreed |= frozenset(holes)
            places += holes.values()
        elif cls.priority.is_known and cls.dscp.is_known and not any(port.is_nic for port in carrying):
            of_half = _of_half(min(cls.priority.get()), cls.dscp.get(), carrying)
            halves = {dscp: pair for dscp, pair in of_half.items() if dscp not in cnp}  # CNPs in it are told as CNPs
            disagreed |= frozenset(halves)
            places += (at for pair in halves.values() for at in pair)
        if cls.dscp.why is not Why.CONFLICT or not cls.priority.is_known:
            continue
        priority = min(cls.priority.get())
        written = frozenset[int]().union(*(marks_of(port.reading.facts, priority).explicit for port in carrying))
        by_trust = len({port.reading.facts.trust.value for port in carrying}) > 1
        opinions: dict[frozenset[int], tuple[Where, ...]] = {}
        holders: dict[frozenset[int], set[str]] = defaultdict(set)
        for port in carrying:
            marks = marks_of(port.reading.facts, priority)
            if marks.dscp or marks.pcp:
                believed = list(port.reading.facts.trust.at)
                mapped = _lines_of(port, marks.explicit) or _lines_of(port, written - marks.dscp)
                lines = believed[:1] if by_trust and believed else mapped or believed[:1]
                told = dict.fromkeys(port.places(lines))
                opinions.setdefault(marks.meant, tuple(told)[:2] or (port.reading.header,))
                holders[marks.meant].add(port.device.name)
        if len(opinions) > 1:
            apart = frozenset.union(*opinions) - frozenset.intersection(*opinions)
            disagreed |= apart & written or apart  # what only defaults add is no opinion
            for meant in sorted(opinions, key=lambda meant: len(holders[meant])):
                places += opinions[meant]
    return known(disagreed, *(places or (first,))) if disagreed else known(disagreed)  # no line says that there is none


def _lines_of(port: FabricPort, dscps: Collection[int]) -> list[Where]:
    """The lines that map these code points, and what names them there; of those that a default maps none."""
    table = port.reading.facts.dscp.or_else(())
    return [at for dscp in sorted(dscps) if table and is_written(table[dscp]) for at in table[dscp].at[:2]]


def _holes(priority: int, agreed: frozenset[int], carrying: Sequence[FabricPort]) -> dict[int, Where]:
    """Code points that a line takes out of a block of eight on one device and that are whole on another, with that line.

    Where most devices have the block, its code points are the class's, and such a port breaks it. Where the class is but a few code
    points, as hosts send them, what devices do with the others of the block is no matter of the class.
    """
    led: set[int] = set()
    taken: dict[int, Where] = {}
    distinct: dict[int, FabricPort] = {}
    for port in carrying:
        distinct.setdefault(id(port.reading.facts), port)
    for port in distinct.values():
        inside = marks_of(port.reading.facts, priority).dscp
        led |= inside
        for first in {8 * (d // 8) for d in inside}:
            block = frozenset(range(first, first + 8))
            if len(block & inside) <= SINGLED_OUT:
                continue  # these few were meant
            for dscp in block - inside - agreed - taken.keys():
                said = _lines_of(port, (dscp,))
                if said:
                    taken[dscp] = port.first_line(said)
    return {dscp: where for dscp, where in sorted(taken.items()) if dscp in led}


def _of_half(priority: int, agreed: frozenset[int], carrying: Sequence[FabricPort]) -> dict[int, tuple[Where, Where]]:
    """Code points beside those of the class that a line singles out for it on half of the devices that say something of them, and that
    a line leads elsewhere on the other half; with a line that leaves one out and a line that has it.

    Where hosts are seen, what they send decides.
    """
    inside: dict[int, dict[str, _Said]] = defaultdict(dict)
    outside: dict[int, dict[str, _Said]] = defaultdict(dict)
    distinct = {(port.device.name, id(port.reading.facts)): port for port in reversed(carrying)}
    singled: dict[int, Mapping[int, tuple[bool, Sequence[Where]]]] = {}
    """By the id of the facts, which devices share."""
    for (device, facts), port in distinct.items():
        if facts not in singled:
            singled[facts] = _singled_out(port, priority, agreed)
        for dscp, (leads, said) in singled[facts].items():
            (inside if leads else outside)[dscp].setdefault(device, (port, said))
    return {
        dscp: (_line_of(next(iter(outside[dscp].values()))), _line_of(next(iter(led.values()))))
        for dscp, led in sorted(inside.items())
        if len(outside[dscp]) == len(led) and not outside[dscp].keys() & led.keys()
    }


_Said = tuple[FabricPort, Sequence[Where]]
"""A port, and the lines that say something there."""


def _line_of(said: _Said) -> Place:
    port, lines = said
    return port.first_line(lines)


def _singled_out(port: FabricPort, priority: int, agreed: frozenset[int]) -> Mapping[int, tuple[bool, Sequence[Where]]]:
    """Code point beside those of the class -> whether a line leads it to the priority or elsewhere, and that line; none where the
    port leads the class itself elsewhere, which is told for that."""
    marks = marks_of(port.reading.facts, priority)
    if not 0 < len(marks.explicit) <= SINGLED_OUT or not agreed <= marks.dscp:
        return {}
    return {
        dscp: (dscp in marks.explicit, said)
        for dscp in range(64)
        if dscp not in agreed and dscp not in marks.unclear and (dscp in marks.explicit or dscp not in marks.dscp)
        if (said := _lines_of(port, (dscp,)))
    }


def mtus(found: Classes, carrying: Sequence[FabricPort], first: Place) -> Cell[frozenset[int]]:
    """The IP MTUs of the RoCE ports, bytes, where they carry different path MTUs and none of these has a majority."""
    if not any(cls.mtu_bytes.why is Why.CONFLICT for cls in found.roce):
        return known(frozenset(), first)
    places: dict[int, Where] = {}
    for port in carrying:
        cell = port.reading.facts.ip_mtu_bytes
        if cell.is_known:
            places.setdefault(cell.get(), port.first_line(cell.at))
    if len({fits(size) for size in places}) < 2:
        return known(frozenset(), first)
    return known(frozenset(places), *(places[size] for size in sorted(places)))
