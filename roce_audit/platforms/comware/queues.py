"""Egress queues of one port: WRED with and without ECN, and how they are served.

Nothing here is one class's: a queue is the local precedence of a packet. Thresholds are cells of the queue's average length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from roce_audit.platforms.comware import defaults as d
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.maps import Maps
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

QUEUES = range(8)
_GREEN = 0
"""The drop level of every DSCP that the map of the switch does not list: H3C S12500 manual, the default dscp-dp mapping."""
THRESHOLDS = ("min_bytes", "max_bytes", "min_value", "max_value", "max_probability_percent")


@dataclass
class Wred:
    """WRED of one queue: thresholds by drop level (None: of all levels), in the order in which they are said."""

    curves: list[tuple[st.Curve, At]] = field(default_factory=list)
    ecn: tuple[bool, At] | None = None
    exponent: tuple[int, At] | None = None

    def take(self, said: object, at: At) -> None:
        """Take one statement in."""
        match said:
            case st.Curve():
                self.curves.append((said, at))
            case st.QueueEcn(on=on):
                self.ecn = (on, at)
            case st.QueueWeight(exponent=exponent):
                self.exponent = None if exponent is None else (exponent, at)

    def curve(self, level: int) -> tuple[st.Curve, At] | None:
        """The thresholds of a drop level: the last that are said of it or of all."""
        fitting = [(said, at) for said, at in self.curves if said.level in (None, level)]
        return fitting[-1] if fitting else None


def wred_of(statements: Iterable[tuple[object, At]]) -> dict[int, Wred]:
    """The WRED of each queue that the statements name."""
    found: dict[int, Wred] = {}
    for said, at in statements:
        if isinstance(said, st.NoCurves):
            found.pop(said.queue, None)
        elif isinstance(said, st.Curve | st.QueueEcn | st.QueueWeight):
            found.setdefault(said.queue, Wred()).take(said, at)
    return found


def settle_wred(
    settings: Settings, by_queue: dict[int, Wred], maps: Maps, whole: bool, cell: tuple[int, str], *bound_at: At
) -> None:
    """Set the ECN of the queues that are spoken of; what a table (`bound_at`) does to others differs by model.

    `whole`: the configuration is at hand as a whole, or a part that sets the port's PFC up as well, so that `ecn` would be there if it
    were said.
    """
    for number in QUEUES:
        base = f"queues.{number}.ecn"
        if number in by_queue:
            _settle(settings, base, by_queue[number], maps, whole, cell, bound_at)
        elif bound_at:
            settings.set_cell(base, unknown(Why.NO_DEFAULT, *bound_at))


def _settle(
    settings: Settings, base: str, wred: Wred, maps: Maps, whole: bool, cell: tuple[int, str], bound_at: Sequence[At]
) -> None:
    said = [at for _, at in wred.curves]
    lines = (*(said[:1] if wred.ecn is None else (wred.ecn[1],)), *bound_at)
    marks = wred.ecn is not None and wred.ecn[0]
    for leaf, value in (("marks", marks), ("drops", not marks)):
        told = known(value, *lines) if whole or wred.ecn is not None else unknown(Why.NOT_VISIBLE, *lines)
        settings.set_cell(f"{base}.{leaf}", told)
    if wred.exponent is not None:
        settings.set(f"{base}.weight", *wred.exponent)
    green = wred.curve(_GREEN)
    others = [wred.curve(level) for level in {level for level, _ in maps.drop_level.values()} - {_GREEN}]
    if green is not None and all(_limits(other) == _limits(green) for other in others):
        _thresholds(settings, base, *green, cell)
    else:  # which curve a packet meets depends on its DSCP; what holds without one differs by model
        doubt: Cell[int] = unknown(Why.NO_DEFAULT if green is None else Why.CONFLICT, *lines)
        for leaf in THRESHOLDS:
            settings.set_cell(f"{base}.{leaf}", doubt)
    wrong = next(((curve, at) for curve, at in wred.curves if curve.low > curve.high), None)
    if wrong is not None:  # no curve, whatever packets meet it
        _written(settings, base, *wrong)


def _limits(found: tuple[st.Curve, At] | None) -> tuple[int, int] | None:
    return None if found is None else (found[0].low, found[0].high)


def _thresholds(settings: Settings, base: str, curve: st.Curve, at: At, cell: tuple[int, str]) -> None:
    _written(settings, base, curve, at)
    for leaf, cells in (("min", curve.low), ("max", curve.high)):
        settings.set(f"{base}.{leaf}_bytes", cells * cell[0], at, Cited(cell[1]))
    if curve.probability is None:
        settings.set(f"{base}.max_probability_percent", d.PROBABILITY, at, Cited(d.WRED_TABLE))
    else:
        settings.set(f"{base}.max_probability_percent", curve.probability, at)


def _written(settings: Settings, base: str, curve: st.Curve, at: At) -> None:
    for leaf, cells in (("min", curve.low), ("max", curve.high)):
        settings.set(f"{base}.{leaf}_value", cells, at)
        settings.set(f"{base}.{leaf}_unit", "cells", at)


@dataclass
class Scheduling:
    """How the queues of a port are served."""

    whole: tuple[bool, At] | None = None
    """(strict, where) for the queues of which nothing else is said."""
    queues: dict[int, tuple[st.Served, At]] = field(default_factory=dict)

    def settle(self, settings: Settings) -> None:
        """Set scheduling and shares. Default weights, and how two groups share, are not documented."""
        several = len({served.group for served, _ in self.queues.values()} - {None}) > 1
        for number in QUEUES:
            base = f"queues.{number}"
            served, at = self.queues.get(number, (None, None))
            if served is not None and at is not None:
                strict = served.share is None
            elif self.whole is not None:
                strict, at = self.whole
            else:
                continue
            settings.set(f"{base}.scheduling", "strict" if strict else "weighted", at)
            if strict:
                settings.set_cell(f"{base}.share", absent(at))
            elif served is None or several:
                settings.set_cell(f"{base}.share", unknown(Why.NO_DEFAULT, at))
            else:
                settings.set_cell(f"{base}.share", known(served.share, at))
            settings.set(f"{base}.share_kind", "weight", at)
