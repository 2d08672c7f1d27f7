"""Egress queues of one port: which switch priority leaves by which, scheduler, shaper, ECN curve."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.cumulus.fold import Block, Fold
from roce_audit.platforms.cumulus.tables import (
    DEFAULT_CURVE,
    ECN_ON,
    INSTANT,
    NO_SCHEDULING,
    PROBABILITY,
    RED_OFF,
    Curve,
)
from roce_audit.values import At, Cell, Cited, Where, Why, absent, known, unknown

_QUEUES = range(8)
_KILO = 1_000
_NO_ECN = "this traffic class is in no congestion-control statement that holds here"


def mapping(fold: Fold) -> None:
    """Switch priority to traffic class; pause for a priority stops the queue that the priority leaves by."""
    found = fold.wide("egress-queue-mapping")
    for priority in _QUEUES:
        said = found.last("switch-priority traffic-class", priority)
        cell: Cell[Any] | None = None
        if said is not None:
            cell = known(said[0], said[1])
        elif fold.macro is not None:
            cell = known(fold.macro.queues[priority], *fold.macro_at, Cited(fold.macro.source))
        if cell is not None:
            fold.settings.set_cell(f"classes.{priority}.queue", cell)
            fold.settings.set_cell(f"priorities.{priority}.queue", cell)


def scheduling(fold: Fold) -> None:
    """Strict or DWRR with percent: the port's profile, else the statements for all ports over what RoCE sets."""
    found = fold.effective("egress-scheduler")
    for queue in _QUEUES:
        _scheduled(fold, found, queue)
    for _, group in fold.wide_of("priority-group"):
        _group_of_queues(fold, group)


def _scheduled(fold: Fold, found: Block, queue: int) -> None:
    base = f"queues.{queue}"
    mode = found.last("traffic-class mode", queue)
    share = found.last("traffic-class bw-percent", queue)
    if mode is not None and mode[0] == "strict":
        _put(fold, base, known("strict", mode[1], *found.bound_at), absent(mode[1], *found.bound_at))
    elif share is not None:
        at: tuple[Where, ...] = (share[1], *found.bound_at)
        _put(fold, base, known("weighted", *((mode[1],) if mode is not None else ()), *at), known(share[0], *at))
    elif mode is not None:
        _put(fold, base, known("weighted", mode[1], *found.bound_at), fold.missing("queues", mode[1]))
    elif fold.macro is not None and not found.bound_at:
        given = fold.macro.shares[queue]
        cited: tuple[Where, ...] = (*fold.macro_at, Cited(fold.macro.source))
        kind: Cell[Any] = known("strict" if given is None else "weighted", *cited)
        _put(fold, base, kind, absent(*cited) if given is None else known(given, *cited))
    elif found.said and fold.is_whole("queues"):
        at = (*found.bound_at, Cited(NO_SCHEDULING.source))
        _put(fold, base, known("weighted", *at), known(NO_SCHEDULING.value, *at))
    elif found.said or found.bound_at:
        _put(fold, base, *[unknown(Why.NOT_VISIBLE, *found.bound_at)] * 2)


def _put(fold: Fold, base: str, kind: Cell[Any], share: Cell[Any]) -> None:
    fold.settings.set_cell(f"{base}.scheduling", kind)
    fold.settings.set_cell(f"{base}.share", share)
    if share.is_known:
        fold.settings.set(f"{base}.share_kind", "percent_at_most", *share.at)
    else:
        fold.settings.set_cell(f"{base}.share_kind", share)


def _group_of_queues(fold: Fold, group: Block) -> None:
    """traffic.conf before 5.0 gives weights to groups of switch priorities, each with a queue of its own; 0 is strict."""
    weight = group.last("weight")
    for priority, at in group.numbers("switch-priority").items():
        base = f"queues.{priority}"
        if weight is None:
            _put(fold, base, *[fold.missing("queues", at)] * 2)
        elif weight[0] == 0:
            _put(fold, base, known("strict", weight[1], at), absent(weight[1], at))
        else:
            _put(fold, base, known("weighted", weight[1], at), unknown(Why.NO_DEFAULT, weight[1], at))


def shaping(fold: Fold) -> None:
    """The shaper of a queue, or of the port where that is lower; kbit/s."""
    found = fold.effective("egress-shaper")
    port = found.last("port-max-rate")
    for queue in _QUEUES:
        own = found.last("traffic-class max-rate", queue)
        said = [s for s in (own, port) if s is not None]
        if said:
            rate, at = min(said, key=lambda s: s[0])
            fold.settings.set(f"queues.{queue}.max_rate_bps", rate * _KILO, at, *found.bound_at)


def curves(fold: Fold) -> None:
    """ECN: the port's profile, else the statements for all ports over what RoCE or the default profile sets."""
    own = fold.bound["congestion-control"]
    wide = fold.wide("congestion-control")
    for queue in _QUEUES:
        base = f"queues.{queue}.ecn"
        found = own if own is not None else wide
        if own is None and fold.macro is not None and queue in fold.macro.curves:
            _macro_curve(fold, base, fold.macro.curves[queue])
        if _named(found, queue):
            _curve(fold, found, queue)
        elif own is not None:
            hidden = _named(wide, queue) or (fold.macro is not None and queue in fold.macro.curves)
            # whether a profile leaves the rest of the default one in force, no document says
            if hidden or not fold.is_whole("queues"):
                fold.settings.set_cell(base, fold.missing("queues", *own.bound_at))
            else:
                fold.settings.set_cell(base, absent(*own.bound_at, Cited(_NO_ECN)))
        elif not wide.said and fold.macro is None and queue == 0 and fold.is_whole("queues"):
            _default_curve(fold, base)
        elif fold.macro is not None and queue not in fold.macro.curves and not fold.is_whole("queues"):
            fold.settings.set_cell(base, absent(*fold.macro_at, Cited(fold.macro.source)))


def _named(found: Block, queue: int) -> bool:
    return queue in found.all_numbers("traffic-class") or queue in found.numbers("queue")


def _macro_curve(fold: Fold, base: str, curve: Curve) -> None:
    source = () if fold.macro is None else (Cited(fold.macro.source),)
    _put_curve(fold, base, curve, (*fold.macro_at, *source))


def _default_curve(fold: Fold, base: str) -> None:
    curve = DEFAULT_CURVE.value
    if isinstance(curve, Curve):
        _put_curve(fold, base, curve, (Cited(DEFAULT_CURVE.source),))


def _put_curve(fold: Fold, base: str, curve: Curve, at: tuple[Where, ...]) -> None:
    settings = fold.settings
    settings.set(f"{base}.marks", True, *at)
    settings.set(f"{base}.drops", False, *at)
    for end, value in (("min", curve.min_bytes), ("max", curve.max_bytes)):
        for leaf, what in (("bytes", value), ("value", value), ("unit", "bytes")):
            settings.set(f"{base}.{end}_{leaf}", what, *at)
    settings.set(f"{base}.max_probability_percent", curve.probability, *at)
    settings.set(f"{base}.weight", INSTANT.value, *at, Cited(INSTANT.source))


def _curve(fold: Fold, found: Block, queue: int) -> None:
    """The statements of one traffic class; what they leave out, RoCE said before, or it has a default."""
    settings = fold.settings
    base = f"queues.{queue}.ecn"
    listed = found.numbers("queue").get(queue)
    at: tuple[Where, ...] = (*(() if listed is None else (listed,)), *found.bound_at)
    unsaid = fold.missing("queues", *at)
    whole = fold.is_whole("queues")
    for leaf, name, missing in (
        ("marks", "ecn", fold.cited(ECN_ON, *at) if whole else unsaid),
        ("drops", "red", fold.cited(RED_OFF, *at) if whole else unsaid),
        ("min_bytes", "min-threshold", unsaid),
        ("min_value", "min-threshold", unsaid),
        ("max_bytes", "max-threshold", unsaid),
        ("max_value", "max-threshold", unsaid),
        ("max_probability_percent", "probability", fold.cited(PROBABILITY, *at) if whole else unsaid),
    ):
        said = _of_queue(found, queue, name)
        if said is not None:
            settings.set(f"{base}.{leaf}", said[0], said[1], *at)
        elif settings.get(f"{base}.{leaf}") is None:
            settings.set_cell(f"{base}.{leaf}", missing)
    if settings.get(f"{base}.marks") == known(True):  # packets that can be marked are: RED drops the others alone
        settings.set_cell(f"{base}.drops", _as(False, settings.get(f"{base}.marks")))
    for unit in ("min_unit", "max_unit"):
        settings.set(f"{base}.{unit}", "bytes")
    settings.set(f"{base}.weight", INSTANT.value, Cited(INSTANT.source))


def _as(value: object, cell: Cell[Any] | None) -> Cell[Any]:
    """The value, with the evidence of another cell."""
    return known(value, *(cell.at if cell is not None else ()))


def _of_queue(found: Block, queue: int, name: str) -> tuple[Any, At] | None:
    """What is said of a traffic class, or in the older files of all queues of the group."""
    own = found.last(f"traffic-class {name}", queue)
    if own is not None or queue not in found.numbers("queue"):
        return own
    return found.last(name)
