"""Thresholds that contradict each other or their port, whatever a cell is: what marks only after PFC has begun, a headroom that
holds less than the frames under way, and buffers of another priority than the one that is no-drop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.model import Port
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import At, Place

_PRIORITIES = range(8)
_LARGEST_CELL_BYTES = 512
"""No cell of a switch chip is larger (source: unverified; those that are known have 80 to 320 bytes)."""
_LEAST_ROCE_FRAME_BYTES = 1_024 + 58 + 18
"""A full RoCEv2 packet of the smallest usual MTU, with its headers and those of the frame."""
_FRAME_BYTES = 18


def contradictions(ports: Iterable[PortReading]) -> Iterator[Seen]:
    """A static XOFF threshold lies above the upper ECN threshold (H3C RDMA Technical Reference, PFC and ECN thresholds).

    Both are cells, so their size does not matter. One place is told once, with all ports that it holds for.
    """
    told: dict[Place, tuple[str, list[str]]] = {}
    scarce: dict[Place, tuple[str, list[str]]] = {}
    other: dict[Place, tuple[str, list[str]]] = {}
    for port in ports:
        for text, at in _late(port.facts):
            place = resolve(at, port.parts)
            if isinstance(place, Place):
                told.setdefault(place, (text, []))[1].append(port.name)
        for text, place in _scarce(port):
            scarce.setdefault(place, (text, []))[1].append(port.name)
        for text, place in _elsewhere(port):
            other.setdefault(place, (text, []))[1].append(port.name)
    for quote, found in (("ingress-buffer static", told), ("headroom", scarce), ("priority-flow-control dot1p", other)):
        for place, (text, names) in found.items():
            yield seen("conflict", names[0], text, place, quote, tuple(names))


def _scarce(port: PortReading) -> Iterator[tuple[str, Place]]:
    """A headroom in cells that is too small whatever they hold, of a priority that is no-drop, and its place.

    After XOFF a frame of any class that the other end has begun, and one of the lossless class that this end waits behind, still
    take room (IEEE 802.1Q annex N); the cable and the time of the peer to obey come on top.
    """
    facts = port.facts
    if not (facts.groups.is_known and facts.ip_mtu_bytes.is_known):
        return
    needed = facts.ip_mtu_bytes.get() + _FRAME_BYTES + _LEAST_ROCE_FRAME_BYTES
    last: dict[int, tuple[int | None, Place]] = {}
    for said, place in _groups(port):
        if said.what == "headroom":
            last.update(dict.fromkeys(said.priorities, (said.amount, place)))
    for priority, (cells, place) in last.items():
        group = facts.groups.get()[priority]
        unknown = group.headroom_bytes.is_unknown and group.lossless.or_else(False)
        if unknown and cells and cells * _LARGEST_CELL_BYTES < needed:
            yield (
                (
                    f"{cells:,} cells of headroom hold {cells * _LARGEST_CELL_BYTES:,} B at most, whatever the chip (a cell of"
                    f" {_LARGEST_CELL_BYTES} B): less than the frames that are under way after XOFF, {needed:,} B with packets of"
                    f" {facts.ip_mtu_bytes.get():,} B"
                ),
                place,
            )


def _groups(port: PortReading) -> Iterator[tuple[st.Group, Place]]:
    """The lines on buffers of priorities that the port is read from."""
    for part in port.parts:
        for index, statement in enumerate(part.block.texts.statements):
            said = TABLE.parse(part.kind, statement).value if part.kind in TABLE.modes else None
            if isinstance(said, st.Group):
                yield said, part.block.place(index)


def _elsewhere(port: PortReading) -> Iterator[tuple[str, Place]]:
    """The first line on buffers where all such lines are about priorities that are not no-drop, though others are."""
    pfc = port.facts.pfc
    paused: frozenset[int] = pfc.value.priorities.or_else(frozenset()) if pfc.value is not None else frozenset()
    said = list(_groups(port)) if paused else []
    named = {priority for group, _ in said for priority in group.priorities}
    if named and not named & paused:
        text = (
            f"buffers are set for {_numbers(named)} here, and no-drop is {_numbers(paused)}: the headroom and the threshold"
            " stand behind nothing that is paused"
        )
        yield text, said[0][1]


def _numbers(numbers: Iterable[int]) -> str:
    found = sorted(numbers)
    return f"priorit{'y' if len(found) == 1 else 'ies'} {', '.join(map(str, found))}"


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
