"""Egress queues: marking curves, scheduling, and which switch-priority leaves through which queue."""

from __future__ import annotations

from roce_audit.platforms.onyx import statements as st
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Where, Why, known, unknown

_KILOBYTE = 1_000
"""Onyx does not say whether its KB are 1,000 or 1,024 bytes; the smaller reading is taken."""


def curve(settings: Settings, base: str, said: st.Curve, *at: Where) -> None:
    """Put the curve of one queue at `base`."""
    settings.reset(base)
    settings.set(f"{base}.marks", said.kind != "red", *at)
    settings.set(f"{base}.drops", said.kind == "red", *at)
    for end, (value, unit) in (("min", said.low), ("max", said.high)):
        if unit != "suffixed":
            settings.set(f"{base}.{end}_value", value, *at)
            settings.set(f"{base}.{end}_unit", unit, *at)
        size: Cell[int] = unknown(Why.NO_DEFAULT, *at)
        settings.set_cell(f"{base}.{end}_bytes", known(value * _KILOBYTE, *at) if unit == "kbytes" else size)


def no_curve(settings: Settings, base: str, at: At) -> None:
    """Take the curve at `base` away."""
    settings.reset(base)
    settings.set_absent(base, at)


def scheduling(settings: Settings, base: str, said: st.Scheduling, *at: Where) -> None:
    """Put scheduling and share of the queue at `base`."""
    for name in ("scheduling", "share", "share_kind"):
        settings.reset(f"{base}.{name}")
    if said.kind is not None:
        settings.set(f"{base}.scheduling", said.kind, *at)
    if said.kind == "strict":
        settings.set_absent(f"{base}.share", *at)
    if said.weight is not None:
        settings.set(f"{base}.share", said.weight, *at)
        settings.set(f"{base}.share_kind", "weight", *at)


def queue_of(settings: Settings, priority: int, queue: int, *at: Where) -> None:
    """A switch-priority leaves through this queue, and pause for it stops this queue."""
    for path in ("classes", "priorities"):
        settings.set(f"{path}.{priority}.queue", queue, *at)


def shares(settings: Settings, said: st.EtsShares, at: At) -> None:
    """Put the shares of four traffic classes; which priority is in which is another statement's to say."""
    for number in range(8):
        for path in ("classes", "priorities"):
            settings.forbid_default(f"{path}.{number}.queue", Why.NO_DEFAULT, at)
    for number, percent in enumerate(said.percents):
        settings.set(f"queues.{number}.share", percent, at)
        settings.set(f"queues.{number}.share_kind", "percent_exact", at)
