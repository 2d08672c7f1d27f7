"""The cells of one hop of a trace, each with its words: what the text and the JSON of a trace list line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roce_audit.fabric.traffic.crossings import Crossing
from roce_audit.model import Ecn, PriorityGroup, Queue
from roce_audit.records import dataclass
from roce_audit.values import Cell
from roce_audit.views.cellwords import value


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell under the name that programs know it by, and as people read it."""

    name: str
    text: str
    cell: Cell[Any]


def cells_of(crossing: Crossing) -> Iterator[ShownCell]:
    """What decides the way of a packet at one port, in the order in which it matters."""
    number = crossing.traffic_class
    if crossing.entering:
        yield ShownCell("trust", f"trusts {value(crossing.trust)}", crossing.trust)
        yield ShownCell("traffic_class", f"{crossing.mark} -> traffic class {value(number)}", number)
        yield from _group(crossing.group)
        yield ShownCell("pauses", f"a full buffer pauses {_priorities(crossing.pauses)}", crossing.pauses)
    else:
        if crossing.port.is_nic:
            yield ShownCell("traffic_class", f"{crossing.mark} -> traffic class {value(number)}", number)
        yield from _queue(crossing.queue)
        yield ShownCell("pauses", f"stops on pause for {_priorities(crossing.pauses)}", crossing.pauses)
    yield ShownCell("pfc", f"PFC is on for {_priorities(crossing.pfc)}", crossing.pfc)
    yield ShownCell("mtu_bytes", f"IP MTU {_amount(crossing.mtu_bytes)}", crossing.mtu_bytes)
    if not crossing.class_mtu_bytes.is_absent:
        yield ShownCell(
            "class_mtu_bytes", f"MTU of the class {_amount(crossing.class_mtu_bytes)}", crossing.class_mtu_bytes
        )
    if not crossing.rdma_mtu_bytes.is_absent:
        yield ShownCell("rdma_mtu_bytes", f"RDMA path MTU {_amount(crossing.rdma_mtu_bytes)}", crossing.rdma_mtu_bytes)
    if not crossing.new_dscp.is_absent:
        yield ShownCell("new_dscp", f"leaves with DSCP {value(crossing.new_dscp)}", crossing.new_dscp)


def _group(cell: Cell[PriorityGroup]) -> Iterator[ShownCell]:
    group = cell.value_or_none()
    if group is None:
        yield ShownCell("group", f"priority group {value(cell)}", cell)
        return
    yield ShownCell("group", f"priority group {group.number}", cell)
    yield ShownCell("group.lossless", f"lossless buffer: {value(group.lossless)}", group.lossless)
    if not group.headroom_bytes.is_absent:
        headroom = group.headroom_bytes
        yield ShownCell(
            "group.headroom_bytes", f"headroom {_amount(headroom)}{' B' if headroom.is_known else ''}", headroom
        )
    if group.xoff_at_bytes.is_known:
        yield ShownCell("group.xoff_at_bytes", f"pauses at {group.xoff_at_bytes.get():,} B", group.xoff_at_bytes)


def _queue(cell: Cell[Queue]) -> Iterator[ShownCell]:
    queue = cell.value_or_none()
    if queue is None:
        yield ShownCell("queue", f"queue {value(cell)}", cell)
        return
    yield ShownCell("queue", f"queue {queue.number}", cell)
    yield ShownCell("queue.scheduling", f"served {value(queue.scheduling)}", queue.scheduling)
    if not queue.share.is_absent:
        yield ShownCell("queue.share", f"share {share_text(queue)}", queue.share)
    ecn = queue.ecn.value_or_none()
    if ecn is None:
        yield ShownCell(
            "queue.ecn", "no ECN curve" if queue.ecn.is_absent else f"ECN curve {value(queue.ecn)}", queue.ecn
        )
    else:
        yield from _ecn(ecn)


def _ecn(ecn: Ecn) -> Iterator[ShownCell]:
    yield ShownCell("queue.ecn.marks", f"marks with ECN: {value(ecn.marks)}", ecn.marks)
    yield ShownCell("queue.ecn.min_bytes", f"Kmin {_bytes(ecn.min_bytes)}", ecn.min_bytes)
    yield ShownCell("queue.ecn.max_bytes", f"Kmax {_bytes(ecn.max_bytes)}", ecn.max_bytes)
    yield ShownCell(
        "queue.ecn.max_probability_percent", f"Pmax {value(ecn.max_probability_percent)} %", ecn.max_probability_percent
    )


def share_text(queue: Queue) -> str:
    """The share of a weighted queue: `50 %`, `weight 15`."""
    if not queue.share.is_known:
        return value(queue.share)
    kind = queue.share_kind.or_else("weight")
    return f"weight {queue.share.get()}" if kind == "weight" else f"{queue.share.get()} %"


def _priorities(cell: Cell[frozenset[int]]) -> str:
    if not cell.is_known:
        return value(cell)
    numbers = cell.get()
    if not numbers:
        return "no priority"
    return f"{'priority' if len(numbers) == 1 else 'priorities'} {', '.join(map(str, sorted(numbers)))}"


def _amount(cell: Cell[int]) -> str:
    return f"{cell.get():,}" if cell.is_known else value(cell)


def _bytes(cell: Cell[int]) -> str:
    return f"{_amount(cell)} B" if cell.is_known else value(cell)
