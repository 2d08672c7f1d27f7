"""Egress queues of one port: scheduler, WRED/ECN curve, static limit."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.sonic.defaults import (
    DROP_PROBABILITY,
    ECN_MODE,
    SCHEDULER_TYPE,
    SCHEDULER_WEIGHT,
    WRED_ENABLE,
    WRED_WEIGHT,
)
from roce_audit.platforms.sonic.fold import Fold, Object
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_SCHEDULED = ("scheduling", "share", "share_kind", "max_rate_bps")
_BITS = 8
_NO_CURVE = (
    "ecn marks green packets but WRED is not enabled for green: whether anything is marked is left to the ASIC's SAI"
)


def queues(fold: Fold) -> None:
    """All that QUEUE and BUFFER_QUEUE rows say."""
    for number in fold.numbers("QUEUE"):
        base = f"queues.{number}"
        scheduled = tuple([f"{base}.{leaf}" for leaf in _SCHEDULED])
        scheduler = fold.agreed(scheduled, fold.values("QUEUE", "scheduler", number))
        if scheduler is not None and scheduler[0]:
            _scheduler(fold, base, *scheduler)
        profile = fold.agreed(f"{base}.ecn", fold.values("QUEUE", "wred_profile", number))
        if profile is not None:
            _ecn(fold, f"{base}.ecn", *profile)
    for number in fold.numbers("BUFFER_QUEUE"):
        path = f"queues.{number}.limit_bytes"
        profile = fold.agreed(path, fold.values("BUFFER_QUEUE", "profile", number))
        if profile is not None and profile[0]:
            _limit(fold, path, *profile)


def _scheduler(fold: Fold, base: str, name: str, ats: tuple[At, ...]) -> None:
    settings = fold.settings
    found = fold.object("SCHEDULER", name, [f"{base}.{leaf}" for leaf in _SCHEDULED], ats)
    if found is None:
        return
    fold.spoil_object(base, found)
    kind = fold.leaf(f"{base}.scheduling", found, "type", SCHEDULER_TYPE, *ats)
    settings.set_cell(f"{base}.scheduling", kind)
    if kind.value == "strict":
        settings.set_cell(f"{base}.share", absent(*kind.at))
        settings.set_cell(f"{base}.share_kind", absent(*kind.at))
    elif kind.is_known:
        settings.set_cell(f"{base}.share", fold.leaf(f"{base}.share", found, "weight", SCHEDULER_WEIGHT, *ats))
        settings.set(f"{base}.share_kind", "weight", *kind.at)
    else:
        settings.set_cell(f"{base}.share", kind)
        settings.set_cell(f"{base}.share_kind", kind)
    _rate(fold, f"{base}.max_rate_bps", found, ats)


def _rate(fold: Fold, path: str, found: Object, ats: tuple[At, ...]) -> None:
    rate = fold.agreed(path, found.values("pir"))
    if rate is None:
        return
    metered = fold.agreed(path, found.values("meter_type"))
    if rate[0] == 0:
        fold.settings.set_cell(path, absent(*rate[1]))
    elif metered is not None and metered[0] == "packets":
        fold.settings.set_cell(path, unknown(Why.NO_DEFAULT, *rate[1], *metered[1]))
    else:
        fold.settings.set(path, rate[0] * _BITS, *rate[1], *(metered[1] if metered is not None else ()), *ats)


def _ecn(fold: Fold, base: str, name: str, ats: tuple[At, ...]) -> None:
    settings = fold.settings
    if not name:
        settings.set_cell(base, absent(*ats))
        return
    found = fold.object("WRED_PROFILE", name, (base,), ats)
    if found is None:
        return
    fold.spoil_object(base, found)
    _marking(fold, base, found, ats)
    for end in ("min", "max"):
        path = f"{base}.{end}_bytes"
        own = found.values(f"ecn_green_{end}_threshold")
        given = fold.agreed(path, own or found.values(f"green_{end}_threshold"))
        if given is not None:
            settings.set(path, given[0], *given[1], *ats)
            settings.set(f"{base}.{end}_value", given[0], *given[1], *ats)
            settings.set(f"{base}.{end}_unit", "bytes", *given[1], *ats)
    path = f"{base}.max_probability_percent"
    field = "ecn_green_mark_probability" if found.values("ecn_green_mark_probability") else "green_drop_probability"
    settings.set_cell(path, fold.leaf(path, found, field, DROP_PROBABILITY, *ats))
    settings.set(f"{base}.weight", WRED_WEIGHT.value, *ats, Cited(WRED_WEIGHT.source))


def _marking(fold: Fold, base: str, found: Object, bound_at: tuple[At, ...]) -> None:
    """Data is green unless something colours it; `ecn` names the colours that are marked, WRED must be on for them."""
    mode = fold.leaf(f"{base}.marks", found, "ecn", ECN_MODE, *bound_at)
    wred = fold.leaf(f"{base}.marks", found, "wred_green_enable", WRED_ENABLE)
    own_curve = found.values("ecn_green_min_threshold")
    if mode.is_known and "green" not in mode.get():
        fold.settings.set(f"{base}.marks", False, *mode.at)
        fold.settings.set_cell(f"{base}.drops", _and_at(wred, mode))
    elif mode.is_known and own_curve:
        fold.settings.set(f"{base}.marks", True, *mode.at, *[at for _, at in own_curve])
        fold.settings.set_cell(f"{base}.drops", _and_at(wred, mode))
    elif mode.is_known and wred.value is False:
        ats = tuple([at for at in (*mode.at, *wred.at) if isinstance(at, At)])
        fold.conflict((f"{base}.marks", f"{base}.drops"), ats, _NO_CURVE)
    elif mode.is_known:
        fold.settings.set_cell(f"{base}.marks", _and_at(wred, mode))
        fold.settings.set(f"{base}.drops", False, *mode.at)
    else:
        fold.settings.set_cell(f"{base}.marks", mode)
        fold.settings.set_cell(f"{base}.drops", mode)


def _and_at(cell: Cell[Any], other: Cell[Any]) -> Cell[Any]:
    return Cell(cell.value, cell.why, tuple(dict.fromkeys((*cell.at, *other.at))))


def _limit(fold: Fold, path: str, name: str, ats: tuple[At, ...]) -> None:
    found = fold.object("BUFFER_PROFILE", name, (path,), ats)
    if found is None:
        return
    for statement, at in found.said:
        if statement.unread and "xoff_at_bytes" in statement.spoils:
            fold.settings.set_unknown(path, Why.NOT_PARSED, at)
    static = fold.agreed(path, found.values("static_th"))
    if static is not None:
        fold.settings.set_cell(path, known(static[0], *static[1], *ats))
        return
    dynamic = found.values("dynamic_th")
    if dynamic:
        fold.settings.set_cell(path, absent(dynamic[0][1], *ats))
