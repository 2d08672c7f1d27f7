"""Egress queues of one port: which switch priority leaves by which, scheduler, shaper, ECN curve."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.cumulus.builder import Block, Builder
from roce_audit.platforms.cumulus.defaults import INSTANT, OWN_GROUP, OWN_QUEUE
from roce_audit.platforms.cumulus.roce import Curve
from roce_audit.values import At, Cell, Cited, Where, Why, absent, known, unknown

_QUEUES = range(8)
_KILO = 1_000
_CURVE = (
    ("marks", "ecn"),
    ("drops", "red"),
    ("min_bytes", "min-threshold"),
    ("min_value", "min-threshold"),
    ("max_bytes", "max-threshold"),
    ("max_value", "max-threshold"),
    ("max_probability_percent", "probability"),
)


def mapping(port: Builder) -> None:
    """Switch priority to traffic class; pause for a priority stops the queue that the priority leaves by."""
    said = port.wide("egress-queue-mapping").by_number("switch-priority * traffic-class")
    for priority in _QUEUES:
        for what in ("classes", "priorities"):  # no statement can change it, so it holds in a fragment as well
            port.settings.set(f"{what}.{priority}.group", priority, Cited(OWN_GROUP))
        cell: Cell[Any] | None = None
        if priority in said:
            cell = known(*said[priority])
        elif port.macro is not None:
            cell = known(port.macro.queues[priority], *port.macro_at, Cited(port.macro.source))
        if cell is not None:
            port.settings.set_cell(f"classes.{priority}.queue", cell)
            port.settings.set_cell(f"priorities.{priority}.queue", cell)


def scheduling(port: Builder) -> None:
    """Strict or DWRR with percent: the port's profile, else the statements for all ports over what RoCE sets."""
    found = port.effective("egress-scheduler")
    for queue in _QUEUES:
        _scheduled(port, found, queue)
    for _, group in port.wide_of("priority-group"):
        _group_of_queues(port, group)


def _scheduled(port: Builder, found: Block, queue: int) -> None:
    base = f"queues.{queue}"
    mode = found.last("traffic-class * mode", queue)
    share = found.last("traffic-class * bw-percent", queue)
    if mode is not None and mode[0] == "strict":
        _put(port, base, known("strict", mode[1], *found.bound_at), absent(mode[1], *found.bound_at))
    elif share is not None:
        at: tuple[Where, ...] = (share[1], *found.bound_at)
        _put(port, base, known("weighted", *((mode[1],) if mode is not None else ()), *at), known(share[0], *at))
    elif mode is not None:
        _put(
            port,
            base,
            known("weighted", mode[1], *found.bound_at),
            port.lack.otherwise("qos.egress-scheduler.dwrr", mode[1]),
        )
    elif port.macro is not None and not found.bound_at:
        given = port.macro.shares[queue]
        cited: tuple[Where, ...] = (*port.macro_at, Cited(port.macro.source))
        kind: Cell[Any] = known("strict" if given is None else "weighted", *cited)
        _put(port, base, kind, absent(*cited) if given is None else known(given, *cited))
    elif found.begins or found.bound_at:
        kind, share_ = (
            port.lack.otherwise(f"qos.egress-scheduler.{leaf}", *found.bound_at) for leaf in ("mode", "bw-percent")
        )
        _put(port, base, kind, share_)


def _put(port: Builder, base: str, kind: Cell[Any], share: Cell[Any]) -> None:
    port.settings.set_cell(f"{base}.scheduling", kind)
    port.settings.set_cell(f"{base}.share", share)
    if share.is_known:
        port.settings.set(f"{base}.share_kind", "percent_at_most", *share.at)
    else:
        port.settings.set_cell(f"{base}.share_kind", share)


def _group_of_queues(port: Builder, group: Block) -> None:
    """traffic.conf before 5.0 gives weights to groups of switch priorities, each with a queue of its own; 0 is strict."""
    weight = group.last("weight")
    for priority, at in group.numbers("switch-priority *").items():
        base = f"queues.{priority}"
        for path in (f"classes.{priority}.queue", f"priorities.{priority}.queue"):
            if port.settings.get(path) is None:
                port.settings.set(path, priority, at, Cited(OWN_QUEUE))
        if weight is None:
            _put(port, base, *[port.lack.otherwise("qos.priority-group.weight", at)] * 2)
        elif weight[0] == 0:
            _put(port, base, known("strict", weight[1], at), absent(weight[1], at))
        else:
            _put(port, base, known("weighted", weight[1], at), unknown(Why.NO_DEFAULT, weight[1], at))


def shaping(port: Builder) -> None:
    """The shaper of a queue, or of the port where that is lower; kbit/s."""
    found = port.effective("egress-shaper")
    whole = found.last("port-max-rate")
    for queue in _QUEUES:
        own = found.last("traffic-class * max-rate", queue)
        said = [s for s in (own, whole) if s is not None]
        if said:
            rate, at = min(said, key=lambda s: s[0])
            port.settings.set(f"queues.{queue}.max_rate_bps", rate * _KILO, at, *found.bound_at)


def curves(port: Builder) -> None:
    """ECN: the port's profile, else the statements for all ports over what RoCE or the default profile sets."""
    own = port.bound["congestion-control"]
    wide = port.wide("congestion-control")
    for queue in _QUEUES:
        base = f"queues.{queue}.ecn"
        found = own if own is not None else wide
        if own is None and port.macro is not None and queue in port.macro.curves:
            _macro_curve(port, base, port.macro.curves[queue])
        if found.names(queue):
            _curve(port, found, queue)
        elif own is not None:
            hidden = wide.names(queue) or (port.macro is not None and queue in port.macro.curves)
            # whether a profile leaves the rest of the default one in force, no document says
            what = "hidden" if hidden else "traffic-class"
            port.settings.set_cell(base, port.lack.otherwise(f"qos.congestion-control.{what}", *own.bound_at))
        elif not wide.begins and port.macro is None and queue == 0:
            default = port.lack.otherwise("qos.congestion-control.default")
            if default.is_known:
                _put_curve(port, base, default.get(), default.at)
        elif port.macro is not None and queue not in port.macro.curves and port.lack.otherwise(base).is_unknown:
            port.settings.set_absent(base, *port.macro_at, Cited(port.macro.source))


def _macro_curve(port: Builder, base: str, curve: Curve) -> None:
    source = () if port.macro is None else (Cited(port.macro.source),)
    _put_curve(port, base, curve, (*port.macro_at, *source))


def _put_curve(port: Builder, base: str, curve: Curve, at: tuple[Where, ...]) -> None:
    settings = port.settings
    settings.set(f"{base}.marks", True, *at)
    settings.set(f"{base}.drops", False, *at)
    for end, value in (("min", curve.min_bytes), ("max", curve.max_bytes)):
        for leaf, what in (("bytes", value), ("value", value), ("unit", "bytes")):
            settings.set(f"{base}.{end}_{leaf}", what, *at)
    settings.set(f"{base}.max_probability_percent", curve.probability, *at)
    settings.set(f"{base}.weight", INSTANT.value, *at, Cited(INSTANT.source))


def _curve(port: Builder, found: Block, queue: int) -> None:
    """The statements of one traffic class; what they leave out, RoCE said before, or it has a default."""
    settings = port.settings
    base = f"queues.{queue}.ecn"
    listed = found.numbers("queue *").get(queue)
    at: tuple[Where, ...] = (*(() if listed is None else (listed,)), *found.bound_at)
    for leaf, name in _CURVE:
        said = _of_queue(found, queue, name)
        if said is not None:
            settings.set(f"{base}.{leaf}", said[0], said[1], *at)
        elif settings.get(f"{base}.{leaf}") is None:
            settings.set_cell(f"{base}.{leaf}", port.lack.otherwise(f"qos.congestion-control.{name}", *at))
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
    own = found.last(f"traffic-class * {name}", queue)
    if own is not None or queue not in found.numbers("queue *"):
        return own
    return found.last(name)
