"""Breakout siblings: ports that one cage is split into lead to the same kind of neighbour, more surely than other similar ports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence
from roce_audit.fabric.ports import FabricPorts
from roce_audit.patterns import lazy
from roce_audit.values import Cell

_CHILD = lazy(r"(.*\d)([/:s])(\d{1,3})")
_MOST_LANES = 8
_FEWEST_CAGES = 4
_DECIDED = frozenset({"policy", "cabling", "port_config"})
_SPEED, _WORDS = 3, -1
"""Where they stand in the similarity of a switch port."""


def decide_by_siblings(ports: Sequence[FabricPort]) -> None:
    """Rank 4 among the ports of one cage: one that is decided is enough, where none is decided otherwise."""
    open_on = {port.device.name for port in ports if port.roce is UNDECIDED and port.hint is None}
    for siblings in _cages([port for port in ports if port.device.name in open_on] if open_on else ()):
        decided = [port for port in siblings if port.roce.rank in _DECIDED]
        if not decided or not all(port.roce.carries for port in decided):
            continue
        for port in siblings:
            like = next((one for one in decided if _serve_the_same(port, one)), None)
            if port.roce is UNDECIDED and port.hint is None and like is not None:
                at = (like.reading.header, *like.absolute(like.roce.at))
                port.roce = RoceEvidence(True, "similar_ports", at, f"{like.id}, of the same cage, carries RoCE")


def pfc_on_parents(ports: FabricPorts) -> Mapping[str, Cell[frozenset[int]]]:
    """Port id -> the priorities with PFC that its breakout parent has: a port that is split carries nothing itself."""
    parents = {
        port.id: port
        for alike in ports.alike
        if alike[0].reading.facts.kind.or_else("other") == "breakout-parent" and _pauses(alike[0]).or_else(frozenset())
        for port in alike
    }
    found: dict[str, Cell[frozenset[int]]] = {}
    for port in ports.active if parents else ():
        child = _CHILD.fullmatch(port.id)
        if child is not None and child.group(1) in parents:
            parent = parents[child.group(1)]
            pauses = _pauses(parent)
            found[port.id] = Cell(pauses.value, None, parent.absolute(pauses.at))
    return found


def _pauses(port: FabricPort) -> Cell[frozenset[int]]:
    pfc = port.reading.facts.pfc
    return pfc.get().priorities if pfc.is_known else Cell(None, pfc.why, pfc.at)


def _cages(ports: Sequence[FabricPort]) -> Iterable[Sequence[FabricPort]]:
    devices: dict[str, dict[tuple[str, str], dict[int, FabricPort]]] = defaultdict(lambda: defaultdict(dict))
    for port in ports:
        child = _CHILD.fullmatch(port.reading.name)
        if child is not None and not port.is_nic:
            parent, separator, number = child.groups()
            devices[port.device.name][parent, separator][int(number)] = port
    for cages in devices.values():
        lanes = {(separator, parent.count("/")) for parent, separator in cages}
        lanes = {kind for kind in lanes if _numbers_lanes(cages, *kind)}
        for (parent, separator), cage in cages.items():
            if len(cage) > 1 and (separator, parent.count("/")) in lanes:
                yield list(cage.values())


def _numbers_lanes(cages: Mapping[tuple[str, str], Mapping[int, FabricPort]], separator: str, depth: int) -> bool:
    """Whether the last number counts lanes: always behind `:` and `s`.

    Behind `/` it may be the port of a line card as well, unless other ports of the card have a number less (`1/5/1` beside `1/6`),
    or there are several cages, each with a first lane and none with more than eight.
    """
    if separator != "/" or any(sep == "/" and parent.count("/") == depth - 1 for parent, sep in cages):
        return True
    numbers = [set(cage) for (parent, sep), cage in cages.items() if sep == "/" and parent.count("/") == depth]
    return len(numbers) >= _FEWEST_CAGES and all(1 in cage and max(cage) <= _MOST_LANES for cage in numbers)


def _serve_the_same(port: FabricPort, other: FabricPort) -> bool:
    """Descriptions of the same words; where one of them has none, the same speed."""
    mine, theirs = port.similarity, other.similarity
    if mine[_WORDS] and theirs[_WORDS]:
        return mine[_WORDS] == theirs[_WORDS]
    return mine[_SPEED] == theirs[_SPEED]
