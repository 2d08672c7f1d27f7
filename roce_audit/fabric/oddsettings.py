"""Odd settings: what a port has otherwise than nearly all similar ports. What most of them do is expected of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from roce_audit.fabric.comparedsettings import UNSAID, ComparedSettings, of_congestion_control, of_ports
from roce_audit.fabric.port import FabricPort
from roce_audit.model import OddSetting
from roce_audit.model.walk import Path, dotted, follow
from roce_audit.values import Cell, Place, Why, known, unknown

_FEWEST = 4
_AGREEING = 0.9
Odd = Cell[tuple[OddSetting, ...]]
"""Settings in which a port differs from similar ports; unknown where one that they are compared by was misread on it."""


def odd_settings(ports: Sequence[FabricPort]) -> Mapping[str, Odd]:
    """Port id -> settings in which it differs from at least nine tenths of the similar ports (four at the least)."""
    return _odd_ones(ports, of_ports)


def odd_congestion_control(ports: Sequence[FabricPort]) -> Mapping[str, Odd]:
    """The same for the congestion control of NICs; where they are too few for a majority, of one host."""
    nics = [port for port in ports if port.is_nic]
    return {**_odd_ones(nics, of_congestion_control), **_unlike_on_one_host(nics)}


def _similar_groups(ports: Sequence[FabricPort]) -> Iterable[list[FabricPort]]:
    """Ports that carry RoCE, together with the ports similar to each."""
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.roce.carries:
            groups[(port.fabric, port.device.platform, *port.similarity)].append(port)
    return groups.values()


def _odd_ones(ports: Sequence[FabricPort], compared: Callable[[Path], bool]) -> Mapping[str, Odd]:
    odd: dict[str, Odd] = {}
    settings = ComparedSettings(compared)
    for members in _similar_groups(ports):
        kinds = {id(port.reading.facts): port for port in members}
        if len(members) < _FEWEST or len(kinds) == 1:
            continue
        odd.update(_odd_in_group(members, settings))
    return odd


def _unlike_on_one_host(nics: Sequence[FabricPort]) -> Mapping[str, Odd]:
    """Where NICs are too few for a majority: those of one host that differ from its first of the same model and speed."""
    odd: dict[str, Odd] = {}
    settings = ComparedSettings(of_congestion_control)
    for members in _similar_groups(nics):
        hosts: dict[str, list[FabricPort]] = defaultdict(list)
        for port in members if len(members) < _FEWEST else ():
            hosts[port.device.name].append(port)
        for first, *others in hosts.values():
            usual = settings.of(first)
            for port in others:
                mine = settings.of(port)
                different = [p for p, cell in usual.items() if p in mine and _are_unlike(p, mine[p], cell)]
                if different:
                    told = (
                        _odd(port, p, mine[p], _Usual(usual[p].value, 1, first, frozenset())) for p in _told(different)
                    )
                    odd[port.id] = known(tuple(told), port.reading.header)
    return odd


_JUDGED_ALONE = frozenset({"np_priorities", "rp_priorities", "algorithm", "out_of_range"})
"""What other rules say of each NIC by itself: of two NICs one is right, and which of them these rules know."""


def _are_unlike(path: Path, mine: Cell[Any], other: Cell[Any]) -> bool:
    """Whether two NICs differ in a parameter that neither of them has at a value (0) which is judged for itself."""
    is_parameter = path[:2] == ("nic", "dcqcn") and len(path) > 2 and path[2] not in _JUDGED_ALONE
    return is_parameter and mine.value != other.value and 0 not in (mine.value, other.value)


class _Usual(NamedTuple):
    """What nearly all similar ports have at a path."""

    value: object
    agreeing: int
    example: FabricPort
    silent: frozenset[str]
    """Ports whose file says nothing of it and proves by the others that it should."""


def _usual(
    members: Sequence[FabricPort], settings: ComparedSettings, path: Path, values: Counter[object]
) -> _Usual | None:
    """None where too few agree, or all do. The port that may differ does not count against the majority."""
    value, count = values.most_common(1)[0]
    others = len(members) - count
    if value == UNSAID or count < _FEWEST - 1:
        return None
    if len(values) > 1 and count >= _AGREEING * (sum(values.values()) - 1):
        silent: frozenset[str] = frozenset()
    elif len(values) == 1 and 0 < others <= max(1, (1 - _AGREEING) * len(members)):
        silent = _silent(members, settings, path)
    else:
        return None
    return _Usual(value, count, _holder(members, settings, path, value), silent)


def _odd_in_group(members: Sequence[FabricPort], settings: ComparedSettings) -> Mapping[str, Odd]:
    alike: dict[int, list[FabricPort]] = defaultdict(list)
    for port in members:
        alike[id(port.reading.facts)].append(port)
    counted: dict[Path, Counter[object]] = defaultdict(Counter)
    for ports in alike.values():
        for path, cell in settings.of(ports[0]).items():
            counted[path][cell.value] += len(ports)
    found = ((path, _usual(members, settings, path, values)) for path, values in counted.items())
    usual = {path: one for path, one in found if one is not None}
    seen = {path[:end] for path in counted for end in range(1, len(path) + 1)}
    odd: dict[str, Odd] = {}
    for ports in alike.values():
        mine = settings.of(ports[0])
        unlike = [path for path, one in usual.items() if path in mine and mine[path].value != one.value]
        not_known = next((cell for path, cell in settings.misread(ports[0]).items() if path in seen), None)
        for port in ports:
            different = _told(unlike + [path for path, one in usual.items() if port.id in one.silent])
            if different:
                told = tuple([_odd(port, path, mine.get(path, known(UNSAID)), usual[path]) for path in different])
                odd[port.id] = known(told, port.reading.header)
            elif not_known is not None:
                odd[port.id] = unknown(not_known.why or Why.NOT_PARSED, *port.absolute(not_known.at))
    return odd


def _silent(members: Sequence[FabricPort], settings: ComparedSettings, path: Path) -> frozenset[str]:
    """Members of which a file that looks whole says nothing here, though it says it of all similar ports in it.

    Such a file proves no absence by itself; that the same file writes the line for each similar port does. A port that leans on
    a name that nobody defines has said something: the name is told.
    """
    spoken = Counter(port.reading.header.path for port in members if path in settings.of(port))
    return frozenset(
        port.id
        for port in members
        if spoken[port.reading.header.path] >= _FEWEST - 1
        and port.reading.header.path in port.device.looks_complete
        and path not in settings.of(port)
        and (not_known := follow(port.reading.facts, path)) is not None
        and not_known.why is Why.NOT_VISIBLE
        and not not_known.at
    )


def _told(paths: list[Path]) -> list[Path]:
    """One path per object: of `queues.3.ecn.*` the first is enough."""
    first: dict[tuple[str | int, ...], Path] = {}
    for path in paths:
        first.setdefault(path[:1] if path[0] == "dscp" else path[:3], path)
    return list(first.values())


def _holder(members: Sequence[FabricPort], settings: ComparedSettings, path: Path, value: object) -> FabricPort:
    return next(port for port in members if (c := settings.of(port).get(path)) is not None and c.value == value)


def _odd(port: FabricPort, path: Path, mine: Cell[Any], usual: _Usual) -> OddSetting:
    at = port.absolute(mine.at)
    if not any(isinstance(place, Place) for place in at):
        at = (port.reading.header,)
    return OddSetting(
        path=dotted(path),
        value=known(_text(mine.value), *at),
        usual=known(_text(usual.value), usual.example.reading.header),
        agreeing=usual.agreeing,
    )


def _text(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, frozenset):
        return ", ".join(map(str, sorted(value))) or "none"
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)
