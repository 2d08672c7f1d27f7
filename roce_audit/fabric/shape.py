"""The shape of a fabric: where each switch stands, and what is odd about its cables in a fabric that is regular otherwise."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from roce_audit.fabric.budget import budget, kept, kept_besides
from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.layers import HOST, ROLES
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.rails import End, Rails
from roce_audit.model import Position
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.values import Cell, Cited, Where, Why, absent, known, unknown

_NEARLY_ALL = 0.9
_FEWEST_ALIKE = 3
"""Switches of a layer that must agree before another one is odd."""


def positions(
    devices: Sequence[DeviceReading],
    ports: Iterable[FabricPort],
    links: Iterable[LinkView],
    layer_of: Mapping[str, int],
    *,
    whole: bool,
) -> Mapping[str, Position]:
    """Switch -> its position. `whole`: both ends of every cable were read, so that a missing one is really missing."""
    above: dict[str, list[End]] = defaultdict(list)
    below: dict[str, list[End]] = defaultdict(list)
    for link in links:
        for port, far in ((link.a, link.b), (link.b, link.a)):
            here, there = layer_of.get(port.device.name), layer_of.get(far.device.name)
            if here is None or there is None or port.is_nic or not port.roce.carries:
                continue
            if there == here + 1:
                above[port.device.name].append((port, far, link.place))
            elif there == HOST:
                below[port.device.name].append((port, far, link.place))
    usual = _usual(above, layer_of) if whole else {}
    again = _choosing_again(above)
    rails = Rails(below)
    of_device: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports:
        of_device[port.device.name].append(port)
    return {
        device.name: _position(
            device, layer_of, above[device.name], below[device.name], usual, rails, of_device[device.name], again
        )
        for device in devices
        if device.kind == "switch"
    }


def _position(
    device: DeviceReading,
    layer_of: Mapping[str, int],
    above: Sequence[End],
    below: Sequence[End],
    usual: Mapping[tuple[str, int], _Shape],
    rails: Rails,
    ports: Sequence[FabricPort],
    chooses_again: Callable[[End], bool],
) -> Position:
    layer = layer_of.get(device.name)
    shape = usual.get((above[0][0].fabric, layer)) if above and layer is not None else None
    comparable = _comparable(above)
    rail, odd = rails.at(device.name)
    max_paths = _max_paths(above)
    headroom = budget(ports)
    return Position(
        role=unknown(Why.NOT_VISIBLE) if layer is None else known(ROLES.get(layer, "core"), device.first),
        ways_up=len(
            {p.reading.labels.lag or p.reading.name for p, _, _ in above if p.reading.labels.routed is not False}
        ),
        max_paths=max_paths,
        says_max_paths=not any(isinstance(at, Cited) for at in max_paths.at),
        same_seed=_same_seed([end for end in above if chooses_again(end)] if len(above) > 1 else ()),
        headroom_bytes=kept(headroom),
        headroom_besides_bytes=kept_besides(headroom),
        comparable_uplinks=len(comparable),
        slow_uplinks=_slow(comparable),
        cabled_alike=0 if shape is None else shape.count,
        missing_above=absent() if shape is None else _missing(above, shape.cables),
        rail_nics=rail,
        other_rail=odd,
    )


def _comparable(above: Sequence[End]) -> Sequence[FabricPort]:
    """The uplinks, where each has a speed of its own: what is automatic tells none, and members of channels are no equals."""
    ports = [port for port, _, _ in above]
    if any(
        port.reading.labels.lag or port.reading.facts.speed_bps.why in (Why.ABSENT, Why.NOT_VISIBLE) for port in ports
    ):
        return ()
    return ports


def _max_paths(above: Sequence[End]) -> Cell[int]:
    """What the switch says of all its ports, as one of its uplinks has it."""
    if not above:
        return absent()
    port = above[0][0]
    forwarding = port.reading.facts.forwarding
    if not forwarding.is_known:
        return Cell(None, forwarding.why, port.absolute(forwarding.at))
    said = forwarding.get().max_paths
    return Cell(said.value, said.why, port.absolute(said.at))


def _choosing_again(above: Mapping[str, Sequence[End]]) -> Callable[[End], bool]:
    """Whether the upper switch of a cable chooses among ways for what comes by it: further up, or among cables to another below."""
    cables = Counter((far.device.name, port.device.name) for ends in above.values() for port, far, _ in ends)
    parallel: dict[str, set[str]] = defaultdict(set)
    for (upper, lower), count in cables.items():
        if count > 1:
            parallel[upper].add(lower)

    def chooses(end: End) -> bool:
        lower, upper = end[0].device.name, end[1].device.name
        below = parallel.get(upper, set())
        return len(above.get(upper, ())) > 1 or len(below) > (lower in below)

    return chooses


def _same_seed(above: Sequence[End]) -> Cell[str]:
    """A switch above with the same system and the same hash seed: what it gets of one group of flows it sends one way."""
    misread: list[Where] = []
    for port, far, _ in above:
        if port.device.platform != far.device.platform:
            continue
        mine, its = _seed(port), _seed(far)
        is_same = mine.is_known and mine == its
        if is_same or any(seed.is_unknown and seed.at for seed in (mine, its)):
            at = (*port.absolute(mine.at), *far.absolute(its.at))
            if is_same:
                return known(f"{far.device.name} (seed {mine.get()})", *at)
            misread += at
    return unknown(Why.NOT_PARSED, *dict.fromkeys(misread)) if misread else absent()


def _seed(port: FabricPort) -> Cell[int]:
    forwarding = port.reading.facts.forwarding.value_or_none()
    return absent() if forwarding is None else forwarding.hash_seed


def _slow(ports: Sequence[FabricPort]) -> Cell[frozenset[str]]:
    """Uplinks slower than others of the switch."""
    speeds = [port.reading.facts.speed_bps for port in ports]
    for port, speed in zip(ports, speeds, strict=True):
        if not speed.is_known:
            return unknown(speed.why or Why.NOT_VISIBLE, *port.absolute(speed.at))
    fastest = max((speed.get() for speed in speeds), default=0)
    slow = [port for port in ports if port.reading.facts.speed_bps.get() < fastest]
    if not slow:
        return absent()
    places = [
        place for port in slow for place in port.places(port.reading.facts.speed_bps.at)[:1] or (port.reading.header,)
    ]
    return known(frozenset(port.reading.name for port in slow), *places)


@dataclass(frozen=True, slots=True)
class _Shape:
    """Cables to each switch above that nearly all switches of a layer have."""

    cables: Counter[str]
    count: int


def _usual(above: Mapping[str, Sequence[End]], layer_of: Mapping[str, int]) -> Mapping[tuple[str, int], _Shape]:
    """(fabric, layer) -> how nearly all switches there are cabled, as one plan says."""
    seen: dict[tuple[str, int], list[tuple[str, Counter[str]]]] = defaultdict(list)
    plans: dict[tuple[str, int], set[str]] = defaultdict(set)
    for name, ends in above.items():
        if ends:
            key = (ends[0][0].fabric, layer_of[name])
            seen[key].append((name, Counter(far.device.name for _, far, _ in ends)))
            plans[key] |= {place.path for _, _, place in ends}
    found: dict[tuple[str, int], _Shape] = {}
    for key, members in seen.items():
        (shape, count), *_ = Counter(frozenset(cables.items()) for _, cables in members).most_common(1)
        nearly = count >= _NEARLY_ALL * len(members) or count == len(members) - 1
        if (
            nearly and count >= _FEWEST_ALIKE and len(plans[key]) == 1
        ):  # what devices hear of each other may lack answers
            found[key] = _Shape(Counter(dict(shape)), count)
    return found


def _missing(above: Sequence[End], wanted: Counter[str]) -> Cell[frozenset[str]]:
    """Switches above to which this one has fewer cables than nearly all others of its layer."""
    own = Counter(far.device.name for _, far, _ in above)
    lacking = frozenset(name for name, count in wanted.items() if own[name] < count)
    if not lacking or any(name not in wanted for name in own):
        return absent()  # cabled otherwise on purpose
    return known(lacking, *dict.fromkeys(place for _, _, place in above))
