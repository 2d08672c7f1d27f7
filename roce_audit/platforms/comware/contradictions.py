"""Thresholds that contradict each other or their port, whatever a cell is: what marks only after PFC has begun, a headroom that
holds less than the frames under way, and one that is larger than the pool it is taken from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from roce_audit.model import Port
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import At, Place

Headrooms = dict[int, tuple[int | None, Place]]
_PRIORITIES = range(8)
_LARGEST_CELL_BYTES = 512
"""No cell of a switch chip is larger (source: unverified; those that are known have 80 to 320 bytes)."""
_LEAST_ROCE_FRAME_BYTES = 1_024 + 58 + 18
"""A full RoCEv2 packet of the smallest usual MTU, with its headers and those of the frame."""
_FRAME_BYTES = 18
_JUMBO_BYTES = 9_216
"""What a port lets pass whose MTU nobody shows: Comware switches forward jumbo frames unless they are told otherwise."""
_RESPONSE_BYTES = 25_216
"""What a peer at 100 Gbit/s may still send until it obeys: 394 quanta of 512 bits (IEEE 802.3 31B.3.7); at more speed it is more."""
_FAST = ("HundredGigE", "TwoHundredGigE", "FourHundredGigE", "EightHundredGigE")
_TIMES = 50
"""How many times smaller than another port's of its speed a headroom is that lost a digit: cables differ, but rarely so much."""
_TIMES_THAN_MOST = 8
"""The same against most ports of its speed: frames and the peer's time are the same for all, whatever their cables are."""
_MOST = 4
"""Ports that make most of them."""


def contradictions(ports: Iterable[PortReading]) -> Iterator[Seen]:
    """A static XOFF threshold lies above the upper ECN threshold (H3C RDMA Technical Reference, PFC and ECN thresholds).

    Both are cells, so their size does not matter. One place is told once, with all ports that it holds for.
    """
    told: dict[Place, tuple[str, list[str]]] = {}
    scarce: dict[Place, tuple[str, list[str]]] = {}
    every = [(port, _headrooms(port)) for port in ports]
    for where, text, name in (*_unlike_others(every), *_beyond_pool(every)):
        scarce.setdefault(where, (text, []))[1].append(name)
    for port, headrooms in every:
        for text, at in _late(port.facts):
            place = resolve(at, port.parts)
            if isinstance(place, Place):
                told.setdefault(place, (text, []))[1].append(port.name)
        for text, place in _scarce(port, headrooms):
            scarce.setdefault(place, (text, []))[1].append(port.name)
    for quote, found in (("ingress-buffer static", told), ("headroom", scarce)):
        for place, (text, names) in found.items():
            yield seen("conflict", names[0], text, place, quote, tuple(names))


def _scarce(port: PortReading, headrooms: Headrooms) -> Iterator[tuple[str, Place]]:
    """A headroom in cells that is too small whatever they hold, of a priority that is no-drop, and its place.

    After XOFF a frame of any class that the other end has begun, and one of the lossless class that this end waits behind, still
    take room (IEEE 802.1Q annex N), and what the peer sends until it obeys; the cable comes on top.
    """
    facts = port.facts
    if not facts.groups.is_known:
        return
    mtu = facts.ip_mtu_bytes.get() if facts.ip_mtu_bytes.is_known else _JUMBO_BYTES
    response = _RESPONSE_BYTES if port.name.startswith(_FAST) else 0
    needed = mtu + _FRAME_BYTES + _LEAST_ROCE_FRAME_BYTES + response
    for priority, (cells, place) in headrooms.items():
        group = facts.groups.get()[priority]
        unknown = group.headroom_bytes.is_unknown and group.lossless.or_else(False)
        if unknown and cells and cells * _LARGEST_CELL_BYTES < needed:
            yield (
                (
                    f"{cells:,} cells of headroom hold {cells * _LARGEST_CELL_BYTES:,} B at most, whatever the chip (a cell of"
                    f" {_LARGEST_CELL_BYTES} B): less than what still arrives after XOFF, {needed:,} B with packets of {mtu:,} B"
                    f"{f', {response:,} B of them until a peer at 100G obeys' if response else ''}"
                ),
                place,
            )


def _headrooms(port: PortReading) -> Headrooms:
    """Priority -> the headroom in cells that is written for it last, and where."""
    last: Headrooms = {}
    for part in port.parts:
        for index, statement in enumerate(part.block.texts.statements):
            said = TABLE.parse(part.kind, statement).value if part.kind in TABLE.modes else None
            if isinstance(said, st.Group) and said.what == "headroom":
                last.update(dict.fromkeys(said.priorities, (said.amount, part.block.place(index))))
    return last


def _beyond_pool(ports: Sequence[tuple[PortReading, Headrooms]]) -> Iterator[tuple[Place, str, str]]:
    """A headroom that may take more cells than the pool has which the headrooms of all ports are taken from."""
    pools = [
        (said.cells, part.block.place(index))
        for part in (ports[0][0].parts if ports else ())
        if part.kind == "top"
        for index, statement in enumerate(part.block.texts.statements)
        if isinstance(said := TABLE.parse("top", statement).value, st.HeadroomPool)
    ]
    if any(cells is None for cells, _ in pools):
        return
    largest, place = max(pools, key=lambda pool: pool[0] or 0, default=(None, None))
    for port, headrooms in ports if largest is not None else ():
        most = max((cells or 0 for cells, _ in headrooms.values()), default=0)
        if largest is not None and place is not None and most > largest:
            yield (
                place,
                f"{most:,} cells of headroom are kept for a priority of a port, and the pool of all ports has {largest:,}",
                port.name,
            )


def _unlike_others(ports: Iterable[tuple[PortReading, Headrooms]]) -> Iterator[tuple[Place, str, str]]:
    """A headroom many times smaller than that of another port of the same speed, as its name says: no cable explains that, and with
    packets of jumbo size none of the chips makes it enough.
    """
    kept: dict[tuple[str, int], list[tuple[int, Place, str]]] = {}
    for port, headrooms in ports:
        for priority, (cells, place) in headrooms.items():
            if cells:
                kept.setdefault((port.name.rstrip("0123456789/:"), priority), []).append((cells, place, port.name))
    for (_, priority), found in kept.items():
        most, _, other = max(found, key=lambda one: one[0])
        usual, _, like = sorted(found, key=lambda one: one[0])[(len(found) - 1) // 2]
        for cells, place, name in found:
            if len(found) >= _MOST and cells * _TIMES_THAN_MOST <= usual:
                text = (
                    f"{cells:,} cells of headroom are kept for priority {priority} here, and {usual:,} or more by most ports of the"
                    f" same speed, such as {like}"
                )
                yield place, text, name
            elif cells * _TIMES <= most:
                text = f"{cells:,} cells of headroom are kept for priority {priority} here, and {most:,} by {other}, of the same speed"
                yield place, text, name


def _late(facts: Port) -> Iterator[tuple[str, At]]:
    """What is wrong, and the statement of the XOFF threshold."""
    if not (facts.groups.is_known and facts.queues.is_known and facts.priorities.is_known):
        return
    for number in _PRIORITIES:
        group, queue = facts.groups.get()[number], facts.priorities.get()[number].queue
        if not (
            group.xoff_at_bytes.is_known and group.xoff_at_bytes.value and queue.is_known and queue.value is not None
        ):
            continue
        ecn = facts.queues.get()[queue.get()].ecn
        curve = ecn.value if ecn.is_known else None
        at = next((one for one in group.xoff_at_bytes.at if isinstance(one, At)), None)
        if curve is None or at is None or not (curve.marks.is_known and curve.marks.value and curve.max_bytes.is_known):
            continue
        if curve.max_bytes.get() > group.xoff_at_bytes.get():
            ratio = curve.max_value.get() * group.xoff_at_bytes.get() // curve.max_bytes.get()
            text = (
                f"PFC pauses priority {number} from {ratio:,} cells on, and ECN marks every packet of its queue {queue.get()} only"
                f" from {curve.max_value.get():,} cells on: XOFF has to lie above the upper ECN threshold"
            )
            yield text, at
