"""Devices compared: every device of a tier has one vote on each setting, whatever its number of ports."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.similar.comparedports import ComparedPorts, Devices
from roce_audit.fabric.similar.comparedsettings import UNSAID, WHETHER_AT_ALL, Settings
from roce_audit.model.walk import Path
from roce_audit.records import dataclass
from roce_audit.text.sentences import listed
from roce_audit.values import Cell, Cited, Place

FEWEST_DEVICES = 3
_MOST_NAMED = 3
_BY_PLACE = frozenset({"fec", "autoneg"})
"""Settings that follow the optics of the place where a device stands."""

_THRESHOLDS = {"min_bytes": "", "max_bytes": "", "min_value": "min_unit", "max_value": "max_unit"}
"""Of a marking curve -> where their unit stands."""
_TIMES = frozenset({"detect_ms", "restore_ms"})
"""Of a PFC watchdog."""
_NEAR, _FAR = 4, 8
"""Times that sound thresholds of two tiers may lie apart, and that those of nobody do who meant them."""

_MAPS = frozenset({"classes", "priorities"})
"""Their defaults concern classes that nobody uses: only entries that a line writes are compared."""


@dataclass(frozen=True, slots=True)
class DeviceVote:
    """One device differs in a setting from the others of its tier."""

    path: Path
    usual: Cell[Any]
    example: FabricPort
    """A port with the usual value."""
    agreeing: int
    """Ports with the usual value."""
    peers: str
    """Who has the usual value, in words."""
    tied: bool
    """The devices are two groups, of which neither is a clear majority."""


def compared(ports: ComparedPorts, settings: Settings) -> Mapping[str, Sequence[DeviceVote]]:
    """Port id -> settings in which its device differs from the others of its tier, three devices of it at the least.

    Between two switches those of the other tiers decide, where they are of the same model and all side with one of the two. A
    threshold of marking or a time of the PFC watchdog that is many times off is told also where switches of any model are near to the
    other's, and where there are none: which of the two is meant is then open.
    """
    found: dict[str, list[DeviceVote]] = defaultdict(list)
    for devices in ports.by_purpose:
        if len({id(alike[0].reading.facts) for members in devices.values() for alike in ports.alike(members)}) == 1:
            continue
        if len(devices) >= FEWEST_DEVICES:
            told = _differences(devices, _Opinions(ports, settings, devices))
        elif len(devices) == FEWEST_DEVICES - 1:
            around = ports.of_all_tiers(next(iter(devices.values()))[0])
            umpires = {name: around[name] for name in around if name not in devices}
            told = [*_with_umpires(devices, umpires, _Opinions(ports, settings, {**umpires, **devices}))]
            everywhere = ports.of_all_switches(next(iter(devices.values()))[0])
            others = {name: everywhere[name] for name in everywhere if name not in devices}
            decided = {(port.id, vote.path) for port, vote in told}
            far = _far_from_all(devices, others, _Opinions(ports, settings, {**others, **devices}))
            told += [(port, vote) for port, vote in far if (port.id, vote.path) not in decided]
        else:
            continue
        for port, vote in told:
            found[port.id].append(vote)
    return found


def _with_umpires(devices: Devices, umpires: Devices, opinions: _Opinions) -> Iterable[tuple[FabricPort, DeviceVote]]:
    """In what two devices differ, and all devices of other tiers side with one of them."""
    settings = opinions.settings
    votes = {name: opinions.of(ports) for name, ports in {**devices, **umpires}.items()}
    one, other = devices
    for path in [path for path in votes[one] if path in votes[other]]:
        said = {name: its[path] for name, its in votes.items() if path in its}
        outside = {said[name] for name in umpires if name in said}
        if votes[one][path] == votes[other][path] or len(outside) != 1 or not _is_told(path):
            continue
        (usual,) = outside
        odd = [name for name in devices if said[name] != usual]
        if len(odd) != 1:
            continue
        siding = [name for name, value in said.items() if value == usual]
        if usual == UNSAID:
            continue
        if said[odd[0]] == UNSAID:
            of_all = [part for name in siding for part in opinions.alike(devices.get(name) or umpires[name])]
            if not _is_set(path, usual, of_all, settings):
                continue
        having = [p for name in siding for p in (devices.get(name) or umpires[name]) if _has(p, path, usual, settings)]
        peers = _words(siding, len(said), having[0], tied=False)
        vote = DeviceVote(path, settings.of(having[0])[path], having[0], len(having), peers, tied=False)
        yield from ((p, vote) for p in devices[odd[0]] if _has(p, path, said[odd[0]], settings))


def _far_from_all(devices: Devices, others: Devices, opinions: _Opinions) -> Iterable[tuple[FabricPort, DeviceVote]]:
    """Of two devices the one whose marking or watchdog is many times off, where the other is near to all `others`."""
    settings = opinions.settings
    votes = {name: opinions.of(ports) for name, ports in {**devices, **others}.items()}
    one, other = devices
    for path in [path for path in votes[one] if path in votes[other] and _is_quantity(path)]:
        marking = {name: its for name, its in votes.items() if path in its}
        unit = _THRESHOLDS.get(str(path[-1]))
        if unit and len({its.get((*path[:-1], unit)) for its in marking.values()}) > 1:
            continue
        numbers = {name: value for name, its in marking.items() if _is_number(value := its[path]) and value > 0}
        around = [numbers[name] for name in others if name in numbers]
        if len(numbers) < len(marking):
            continue
        if not others and _is_far(numbers[one], [numbers[other]]):
            yield from _of_two(devices, path, numbers, settings)
        if len(around) < FEWEST_DEVICES - 1:
            continue
        for odd, near in ((one, other), (other, one)):
            sound = [numbers[near], *around]
            if max(sound) > _NEAR * min(sound) or not _is_far(numbers[odd], sound):
                continue
            having = [port for port in devices[near] if _has(port, path, numbers[near], settings)]
            peers = f"{near}; {len(around)} other switches are near that"
            vote = DeviceVote(path, settings.of(having[0])[path], having[0], len(having), peers, tied=False)
            yield from ((p, vote) for p in devices[odd] if _has(p, path, numbers[odd], settings))


def _of_two(
    devices: Devices, path: Path, numbers: Mapping[str, float], settings: Settings
) -> Iterable[tuple[FabricPort, DeviceVote]]:
    """The second of two devices, where nobody else says which of the two is meant."""
    one, other = devices
    having = [port for port in devices[one] if _has(port, path, numbers[one], settings)]
    peers = f"{one}, the only similar switch"
    vote = DeviceVote(path, settings.of(having[0])[path], having[0], len(having), peers, tied=True)
    yield from ((port, vote) for port in devices[other] if _has(port, path, numbers[other], settings))


def _is_quantity(path: Path) -> bool:
    """Whether it is a threshold of marking, or a time of the PFC watchdog."""
    return ("ecn" in path and path[-1] in _THRESHOLDS) or ("watchdog" in path and path[-1] in _TIMES)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_far(number: float, sound: Sequence[float]) -> bool:
    return number >= _FAR * max(sound) or _FAR * number <= min(sound)


def _is_told(path: Path) -> bool:
    return path[0] not in _BY_PLACE and path[-1] != WHETHER_AT_ALL


def _differences(devices: Devices, opinions: _Opinions) -> Iterable[tuple[FabricPort, DeviceVote]]:
    settings = opinions.settings
    ballots = {name: opinions.of(ports) for name, ports in devices.items()}
    different = list({id(ballot): ballot for ballot in ballots.values()}.values())
    for path in dict.fromkeys(path for ballot in different for path in ballot):
        if len({ballot[path] for ballot in different if path in ballot}) == 1:
            continue
        votes = {name: ballot[path] for name, ballot in ballots.items() if ballot.get(path, UNSAID) != UNSAID}
        silent = [name for name, ballot in ballots.items() if ballot.get(path) == UNSAID]
        sides: dict[object, list[str]] = defaultdict(list)
        for name, value in votes.items():
            sides[value].append(name)
        if not sides:
            continue
        usual, *others = sorted(sides, key=lambda value: -len(sides[value]))
        if silent and not others and _is_told(path):
            yield from _left_out(path, usual, silent, sides[usual], devices, opinions)
        tied = _are_two_groups([len(sides[value]) for value in (usual, *others)])
        if not _is_told(path):
            continue
        if not tied and not _is_majority([len(sides[value]) for value in (usual, *others)]):
            continue
        alike = [one for name in sides[usual] for one in opinions.alike(devices[name])]
        having = [(port, count) for port, count in alike if _has(port, path, usual, settings)]
        example = having[0][0]
        peers = _words(sides[usual], len(votes), example, tied)
        agreeing = sum(count for _, count in having)
        vote = DeviceVote(path, settings.of(example)[path], example, agreeing, peers, tied)
        for value in others:
            for name in sides[value]:
                yield from ((p, vote) for p in devices[name] if _has(p, path, value, settings))


def _left_out(
    path: Path, value: object, silent: Sequence[str], agreeing: Sequence[str], devices: Devices, opinions: _Opinions
) -> Iterable[tuple[FabricPort, DeviceVote]]:
    """Devices that say nothing of what all others of their tier, three at the least, set alike in their configurations."""
    settings = opinions.settings
    of_all = [part for name in agreeing for part in opinions.alike(devices[name])]
    if len(agreeing) < max(FEWEST_DEVICES, 2 * len(silent)) or not _is_set(path, value, of_all, settings):
        return
    having = [(port, count) for port, count in of_all if _has(port, path, value, settings)]
    example = having[0][0]
    peers = _words(agreeing, len(agreeing) + len(silent), example, tied=False)
    vote = DeviceVote(path, settings.of(example)[path], example, sum(count for _, count in having), peers, tied=False)
    yield from ((p, vote) for name in silent for p in devices[name] if _has(p, path, UNSAID, settings))


def _is_set(path: Path, value: object, ports: Sequence[tuple[FabricPort, int]], settings: Settings) -> bool:
    """Whether it is something that lines set, in the files that hold the ports, and no answer of another command."""
    cells = [(port, settings.at(port, path)) for port, _ in ports]
    return bool(value) and all(
        cell is None or cell.value != value or _is_configured(port, cell) for port, cell in cells
    )


def _is_configured(port: FabricPort, cell: Cell[Any]) -> bool:
    places = [at for at in port.absolute(cell.at) if isinstance(at, Place)]
    return bool(places) and all(place.path == port.reading.header.path for place in places)


class _Opinions:
    """What devices have in which they are not all equal, by their ports. Most devices of a tier have the same ports: what some facts
    come to is counted once."""

    def __init__(self, ports: ComparedPorts, settings: Settings, devices: Devices) -> None:
        self.settings = settings
        self._ports = ports
        firsts = {id(port.reading.facts): port for its in devices.values() for port, _ in self.alike(its)}
        different = settings.where_they_differ(list(firsts.values()))
        self._votes = dict(zip(firsts, map(_votes, different), strict=True))
        """By the id of the facts."""
        self._counted: dict[tuple[tuple[int, int], ...], Mapping[Path, object]] = {}

    def alike(self, ports: Sequence[FabricPort]) -> Sequence[tuple[FabricPort, int]]:
        """The first port of each facts, with the number of its like."""
        return [(those[0], len(those)) for those in self._ports.alike(ports)]

    def of(self, ports: Sequence[FabricPort]) -> Mapping[Path, object]:
        """What more than half of a device's ports have; of a setting on which they are divided it has no vote."""
        alike = self.alike(ports)
        key = tuple([(id(port.reading.facts), count) for port, count in alike])
        found = self._counted.get(key)
        if found is None:
            found = self._counted[key] = self._majority(alike)
        return found

    def _majority(self, alike: Sequence[tuple[FabricPort, int]]) -> Mapping[Path, object]:
        """`alike` are one port of each facts, with the number of its like."""
        told = [(self._votes[id(port.reading.facts)], count) for port, count in alike]
        found: dict[Path, object] = {}
        divided: set[Path] = set()
        for votes, _ in told:
            for path, value in votes.items():
                if found.setdefault(path, value) != value:
                    divided.add(path)
        for path in divided:
            counted: Counter[object] = Counter()
            for votes, count in told:
                if path in votes:
                    counted[votes[path]] += count
            found[path], most = counted.most_common(1)[0]
            if 2 * most <= counted.total():
                del found[path]
        return found


def _votes(settings: Mapping[Path, Cell[Any]]) -> Mapping[Path, object]:
    """What settings say that have a vote, and of which none says anything."""
    return {
        path: cell.value
        for path, cell in settings.items()
        if not (path[0] in _MAPS and (cell.value == UNSAID or any(isinstance(at, Cited) for at in cell.at)))
    }


def _is_majority(sides: Sequence[int]) -> bool:
    """More than half of at least three devices agree, and each other opinion has at most half as many."""
    most, *others = sides
    return sum(sides) >= FEWEST_DEVICES and 2 * most > sum(sides) and all(2 * few <= most for few in others)


def _are_two_groups(sides: Sequence[int]) -> bool:
    """Two opinions of several devices each, neither of them a clear majority."""
    return len(sides) == 2 and min(sides) > 1 and not _is_majority(sides)


def _has(port: FabricPort, path: Path, value: object, settings: Settings) -> bool:
    cell = settings.at(port, path)
    return cell is not None and cell.value == value


def _words(names: Sequence[str], of: int, example: FabricPort, tied: bool) -> str:
    kind = "hosts" if example.is_nic else "switches"
    named = listed(names, _MOST_NAMED, spare_one=False)
    return f"{len(names)} of {of} similar {kind} ({named})" + (f": two groups of {kind}" if tied else "")
