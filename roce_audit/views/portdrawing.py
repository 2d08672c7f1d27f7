"""What is drawn of one port: the path of each class through it, its thresholds to scale, its ECN curve, its shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.traffic.hops import Hops
from roce_audit.formulas import ecn as ecn_formulas
from roce_audit.formulas import headroom as headroom_formulas
from roce_audit.formulas import mtu as mtu_formulas
from roce_audit.model import Class, Ecn, Hop, Port, PriorityGroup, Queue
from roce_audit.report.drawing import Amount, BufferThresholds, Curve, PacketPath, PortDrawing, Share, State, Step, Term
from roce_audit.values import Cell, Why, unknown
from roce_audit.views.cellwords import value

_SHARE_KINDS = {
    "percent_exact": "percent, must sum to 100",
    "percent_at_most": "percent, may sum to less",
    "weight": "weights",
}


def drawing(facts: Port, carries: bool, classes: Classes, hops: Hops) -> PortDrawing:
    """The paths of the RoCE classes and of the CNP class through a port with these facts, and how its queues share the wire.

    What the cable needs is not in it yet: see `with_cable`.
    """
    wanted = _drawn_classes(classes)
    hop_of = {cls.name: hops.of(facts, cls) for cls in wanted}
    paths = tuple(_packet_path(cls, hop_of[cls.name], facts, cls is classes.cnp, carries) for cls in wanted)
    leaving: dict[int, list[str]] = {}
    for name, hop in hop_of.items():
        if hop.queue.is_known:
            leaving.setdefault(hop.queue.get().number, []).append(name)
    queues = facts.queues.or_else(())
    kinds = {queue.share_kind.get() for queue in queues if queue.share_kind.is_known}
    return PortDrawing(paths, tuple(_shares(queues, leaving)), _SHARE_KINDS[kinds.pop()] if len(kinds) == 1 else "")


Needs = tuple[tuple[Term, ...], str]
"""What must fit into the headroom of a class, and what that was computed from."""


def cable_needs(
    drawn: PortDrawing, facts: Port, classes: Classes, length_m: Cell[float] | None
) -> tuple[Needs | None, ...]:
    """What each class in a drawing needs of the headroom at a port with such a cable; None for one without thresholds."""
    length = unknown(Why.NOT_VISIBLE) if length_m is None else length_m
    return tuple(
        _needs(cls, facts, length) if path.thresholds is not None else None
        for cls, path in zip(_drawn_classes(classes), drawn.paths, strict=True)
    )


def with_cable(drawn: PortDrawing, needed: tuple[Needs | None, ...]) -> PortDrawing:
    """The drawing with what `cable_needs` says."""
    return replace(drawn, paths=tuple(map(_with_needs, drawn.paths, needed)))


def _with_needs(path: PacketPath, needed: Needs | None) -> PacketPath:
    if path.thresholds is None or needed is None:
        return path
    needs, basis = needed
    return replace(path, thresholds=replace(path.thresholds, needs=needs, basis=basis))


def _drawn_classes(classes: Classes) -> list[Class]:
    return [*classes.roce, *([classes.cnp] if classes.cnp is not None else [])]


def _packet_path(cls: Class, hop: Hop, facts: Port, is_cnp: bool, carries: bool) -> PacketPath:
    group, queue = hop.group, hop.queue
    curve = _inner(queue, "ecn")
    thresholds = None
    if not is_cnp and (group.is_known or curve.is_known):
        thresholds = _thresholds(cls, group, curve, facts)
    protected = carries and cls.lossless.is_known and cls.lossless.get()
    return PacketPath(
        cls.name,
        tuple(_steps(cls, hop, is_cnp, protected)),
        thresholds,
        _curve(curve.get()) if curve.is_known else None,
    )


def _steps(cls: Class, hop: Hop, is_cnp: bool, protected: bool) -> Iterator[Step]:
    by_tag = cls.pcp.is_known and not cls.dscp.is_known
    marks = cls.pcp if by_tag else cls.dscp
    yield Step("packet", f"{'PCP' if by_tag else 'DSCP'} {value(marks)}", _state(marks))
    yield Step("class", _number("class", hop.traffic_class), _state(hop.traffic_class))
    yield Step("queue", _number("queue", hop.queue), _state(hop.queue))
    if is_cnp:
        return
    curve = _inner(hop.queue, "ecn")
    yield Step("ECN", _ecn_words(curve), "absent" if _off(curve) else _state(curve))
    lossless = _inner(hop.group, "lossless")
    kind = {"yes": ", lossless", "no": ", lossy"}.get(value(lossless), "")
    yield Step("group", _number("group", hop.group) + kind, _held(lossless, hop.group, protected))
    words = {"yes": "on", "no": "off"}.get(value(hop.pfc_on), value(hop.pfc_on))
    number = value(hop.priority) if hop.priority.is_known else "?"
    yield Step("PFC", f"priority {number} {words}", _held(hop.pfc_on, hop.pfc_on, protected))


def _held(holds: Cell[bool], shown: Cell[Any], protected: bool) -> State:
    """The state of a step that a lossless class needs."""
    if holds.is_known and not holds.get():
        return "bad" if protected else "absent"
    return _state(shown)


def _ecn_words(cell: Cell[Ecn]) -> str:
    if not cell.is_known:
        return "no ECN" if cell.is_absent else value(cell)
    if _off(cell):
        return "WRED drops" if value(cell.get().drops) == "yes" else "no marking"
    low, high = cell.get().min_bytes, cell.get().max_bytes
    if low.is_known and high.is_known:
        return f"{_short(low.get())} to {_short(high.get())}"
    return "marks" if cell.get().marks.is_known else "marking unknown"


def _off(cell: Cell[Ecn]) -> bool:
    return cell.is_absent or (cell.is_known and cell.get().marks.is_known and not cell.get().marks.get())


def _thresholds(cls: Class, group: Cell[PriorityGroup], curve: Cell[Ecn], facts: Port) -> BufferThresholds:
    xoff, dynamic = _xoff(group)
    shared = _inner(group, "headroom_is_shared")
    return BufferThresholds(
        kmin=_amount(_inner(curve, "min_bytes")),
        kmax=_amount(_inner(curve, "max_bytes")),
        xon=_amount(_inner(group, "xon_at_bytes")),
        xoff=xoff,
        dynamic=dynamic,
        headroom=_amount(_inner(group, "headroom_bytes")),
        shared_headroom=shared.is_known and bool(shared.get()),
        pays=_pays(cls, group, facts),
        needs=(),
        basis="",
    )


def _xoff(group: Cell[PriorityGroup]) -> tuple[Amount, str]:
    """The static threshold, or the largest that a dynamic one allows to a single sender."""
    static = _inner(group, "xoff_at_bytes")
    if not static.is_absent:
        return _amount(static), ""
    alpha, pool = _inner(group, "alpha"), _inner(_inner(group, "pool"), "size_bytes")
    words = f"alpha {f'{alpha.get():g}' if alpha.is_known else value(alpha)} of a pool of {_bytes(pool)}"
    if alpha.is_known and pool.is_known and alpha.get() > 0 and pool.get() > 0:
        largest = ecn_formulas.pfc_start_depth_dynamic(alpha.get(), pool.get(), 1)
        return Amount(largest, f"at most {largest:,.0f} B"), words
    return Amount(None, "dynamic"), words


def _pays(cls: Class, group: Cell[PriorityGroup], facts: Port) -> str:
    """The longest cable whose rest the headroom holds: also said where the length is not known."""
    headroom, speed, mtu = _inner(group, "headroom_bytes"), facts.speed_bps, facts.ip_mtu_bytes
    if facts.is_nic or not all(cell.is_known for cell in (headroom, speed, mtu, cls.mtu_bytes)):
        return ""
    try:
        packet = mtu_formulas.roce_packet(cls.mtu_bytes.get()).total_bytes
        metres = headroom_formulas.metres_paid_for(headroom.get(), speed.get(), packet, mtu.get())
    except ValueError:
        return ""
    return f"pays for {metres:,.0f} m of cable" if metres >= 0 else "pays for no cable at all"


def _needs(cls: Class, facts: Port, length: Cell[float]) -> Needs:
    speed, mtu, payload = facts.speed_bps, facts.ip_mtu_bytes, cls.mtu_bytes
    if facts.is_nic:
        return (), "a NIC's receive buffer follows another formula"
    missing = [
        name
        for name, cell in (("speed", speed), ("cable length", length), ("MTU", mtu), ("RDMA MTU", payload))
        if not cell.is_known
    ]
    if missing:
        return (), f"not computed: {', '.join(missing)} not known"
    try:
        packet = mtu_formulas.roce_packet(payload.get()).total_bytes
        terms = headroom_formulas.floor(speed.get(), length.get(), packet, mtu.get())
    except ValueError as error:
        return (), f"not computed: {error}"
    basis = f"{speed.get() / 1e9:g}G, {length.get():g} m of cable, packets of {packet:,} and {mtu.get():,} B"
    needs = [
        Term("cable, both ways", terms.cable_bytes),
        Term("a frame begun at each end", terms.lossless_frame_bytes + terms.any_frame_bytes),
        Term("PFC frame", terms.pfc_frame_bytes),
    ]
    return tuple(needs), basis


def _curve(ecn: Ecn) -> Curve:
    marks = value(ecn.marks) if ecn.marks.is_known else "unknown"
    return Curve(
        marks="unknown" if ecn.marks.is_unknown else "yes" if marks == "yes" else "no",
        kmin=_amount(ecn.min_bytes),
        kmax=_amount(ecn.max_bytes),
        pmax=_amount(ecn.max_probability_percent, " %"),
    )


def _shares(queues: tuple[Queue, ...], leaving: dict[int, list[str]]) -> Iterator[Share]:
    """All queues that are scheduled; shares in percent of what the weighted ones have together."""
    weighted = [queue for queue in queues if queue.share.is_known]
    total = sum(queue.share.get() for queue in weighted)
    for queue in queues:
        strict = queue.scheduling.is_known and queue.scheduling.get() == "strict"
        names = tuple(leaving.get(queue.number, ()))
        if queue.share.is_known and total:
            part = 100 * queue.share.get() / total
            yield Share(queue.number, False, Amount(part, f"{queue.share.get()}"), names)
        elif strict:
            yield Share(queue.number, True, Amount(None, "strict"), names)
        elif names:
            yield Share(queue.number, False, Amount(None, value(queue.share)), names)


def _inner(cell: Cell[Any], field: str) -> Cell[Any]:
    """The field of the object in a cell, or the doubt that covers it."""
    if not cell.is_known:
        return Cell(None, cell.why)
    found: Cell[Any] = getattr(cell.get(), field)
    return found


def _amount(cell: Cell[int], unit: str = " B") -> Amount:
    if not cell.is_known:
        return Amount(None, value(cell))
    return Amount(float(cell.get()), f"{cell.get():,}{unit}")


def _bytes(cell: Cell[int]) -> str:
    return f"{cell.get():,} B" if cell.is_known else value(cell)


def _short(number: int) -> str:
    for size, unit in ((10**6, "MB"), (10**3, "kB")):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number} B"


def _number(word: str, cell: Cell[Any]) -> str:
    return f"{word} {cell.get().number}" if cell.is_known else value(cell)


def _state(cell: Cell[Any]) -> State:
    return "known" if cell.is_known else "absent" if cell.is_absent else "unknown"
