"""Thresholds that contradict each other whatever port they are for: what marks only after PFC has begun."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.model import Port
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import At, Place

_PRIORITIES = range(8)


def contradictions(ports: Iterable[PortReading]) -> Iterator[Seen]:
    """A static XOFF threshold lies above the upper ECN threshold (H3C RDMA Technical Reference, PFC and ECN thresholds).

    Both are cells, so their size does not matter. One place is told once, with all ports that it holds for.
    """
    told: dict[Place, tuple[str, list[str]]] = {}
    for port in ports:
        for text, at in _late(port.facts):
            place = resolve(at, port.parts)
            if isinstance(place, Place):
                told.setdefault(place, (text, []))[1].append(port.name)
    for place, (text, names) in told.items():
        yield seen("conflict", names[0], text, place, "ingress-buffer static", tuple(names))


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
