"""Egress queues of one port: WRED with and without ECN, and how they are served.

Nothing here is one class's: a queue is the local precedence of a packet. Thresholds are cells of the queue's average length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from roce_audit.platforms.comware import defaults as d
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.maps import Maps
from roce_audit.text.fill import Settings
from roce_audit.values import At, Cited, Where, Why, absent, known, unknown

QUEUES = range(8)
_GREEN = 0


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
                self.exponent = (exponent, at)

    def curve(self, level: int) -> tuple[st.Curve, At] | None:
        """The thresholds of a drop level: the last that are said of it or of all."""
        fitting = [(said, at) for said, at in self.curves if said.level in (None, level)]
        return fitting[-1] if fitting else None


def wred_of(statements: Iterable[tuple[object, At]]) -> dict[int, Wred]:
    """The WRED of each queue that the statements name."""
    found: dict[int, Wred] = {}
    for said, at in statements:
        if isinstance(said, st.Curve | st.QueueEcn | st.QueueWeight):
            found.setdefault(said.queue, Wred()).take(said, at)
    return found


def settle_wred(settings: Settings, by_queue: dict[int, Wred], maps: Maps, whole: bool, *bound_at: At) -> None:
    """Set the ECN of the queues that are spoken of, and of all where a table is applied (`bound_at`): it has thresholds for each.

    `whole`: the configuration is at hand as a whole, so that `ecn` would be there if it were said.
    """
    for number in QUEUES:
        wred = by_queue.get(number)
        if wred is not None or (bound_at and whole):
            _settle(settings, f"queues.{number}.ecn", wred or Wred(), maps, whole, bound_at)


def _settle(settings: Settings, base: str, wred: Wred, maps: Maps, whole: bool, bound_at: Sequence[At]) -> None:
    said = [at for _, at in wred.curves]
    lines = (*(said[:1] if wred.ecn is None else (wred.ecn[1],)), *bound_at)
    marks = wred.ecn is not None and wred.ecn[0]
    for leaf, value in (("marks", marks), ("drops", not marks)):
        told = known(value, *lines) if whole or wred.ecn is not None else unknown(Why.NOT_VISIBLE, *lines)
        settings.set_cell(f"{base}.{leaf}", told)
    if wred.exponent is not None:
        settings.set(f"{base}.weight", *wred.exponent)
    coloured = {level for level, _ in maps.drop_level.values() if level != _GREEN}
    curves = [wred.curve(level) for level in (_GREEN, *sorted(coloured))]
    if len({None if found is None else found[0][1:3] + found[0][4:] for found in curves}) > 1:
        # which curve a packet meets depends on its DSCP
        at = next(found[1] for found in curves if found is not None)
        for leaf in ("min_bytes", "max_bytes", "min_value", "max_value", "max_probability_percent"):
            settings.set_cell(f"{base}.{leaf}", unknown(Why.CONFLICT, at))
        return
    _thresholds(settings, base, curves[0], bound_at)


def _thresholds(settings: Settings, base: str, found: tuple[st.Curve, At] | None, bound_at: Sequence[At]) -> None:
    curve = None if found is None else found[0]
    where: tuple[Where, ...] = (*bound_at, Cited(d.WRED_TABLE)) if found is None else (found[1],)
    low, high = (d.DEFAULT_LOW, d.DEFAULT_HIGH) if curve is None else (curve.low, curve.high)
    for leaf, cells in (("min", low), ("max", high)):
        settings.set(f"{base}.{leaf}_value", cells, *where)
        settings.set(f"{base}.{leaf}_unit", "cells", *where)
        settings.set(f"{base}.{leaf}_bytes", cells * d.CELL_BYTES, *where, Cited(d.CELLS))
    probability = d.DEFAULT_PROBABILITY if curve is None or curve.probability is None else curve.probability
    cited = (Cited(d.WRED_TABLE),) if curve is not None and curve.probability is None else ()
    settings.set(f"{base}.max_probability_percent", probability, *where, *cited)


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
