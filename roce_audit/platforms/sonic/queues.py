"""Egress queues of one port: scheduler, WRED/ECN curve, static limit."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.shared.rates import tighter
from roce_audit.platforms.sonic.builder import Builder
from roce_audit.platforms.sonic.defaults import WRED_WEIGHT, alpha_of
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_SCHEDULED = ("scheduling", "share", "share_kind", "max_rate_bps")
_BITS = 8
_NO_CURVE = (
    "ecn marks green packets but WRED is not enabled for green: whether anything is marked is left to the ASIC's SAI"
)


def queues(port: Builder) -> None:
    """All that QUEUE and BUFFER_QUEUE rows say."""
    for number in port.numbers("QUEUE"):
        base = f"queues.{number}"
        for begins in port.row("QUEUE", number).begins:
            port.settings.default_location(f"{base}.ecn", begins)
        scheduled = tuple([f"{base}.{leaf}" for leaf in _SCHEDULED])
        scheduler = port.agreed(scheduled, port.values("QUEUE", "scheduler", number))
        if scheduler is not None and scheduler[0]:
            _scheduler(port, base, *scheduler)
        profile = port.agreed((f"{base}.ecn",), port.values("QUEUE", "wred_profile", number))
        if profile is not None:
            _ecn(port, f"{base}.ecn", *profile)
    _port_rate(port)
    for number in port.numbers("BUFFER_QUEUE"):
        paths = (f"queues.{number}.limit_bytes", f"queues.{number}.alpha")
        profile = port.agreed(paths, port.values("BUFFER_QUEUE", "profile", number))
        if profile is not None and profile[0]:
            _limit(port, *paths, *profile)


def _scheduler(port: Builder, base: str, name: str, ats: tuple[At, ...]) -> None:
    settings = port.settings
    found = port.object("SCHEDULER", name, [f"{base}.{leaf}" for leaf in _SCHEDULED], ats)
    if found is None:
        return
    port.unparsed(found, base)
    kind = port.cell(f"{base}.scheduling", found, "SCHEDULER", "type", *ats)
    settings.set_cell(f"{base}.scheduling", kind)
    if kind.value == "strict":
        settings.set_absent(f"{base}.share", *kind.at)
        settings.set_absent(f"{base}.share_kind", *kind.at)
    elif kind.is_known:
        settings.set_cell(f"{base}.share", port.cell(f"{base}.share", found, "SCHEDULER", "weight", *ats))
        settings.set(f"{base}.share_kind", "weight", *kind.at)
    else:
        settings.set_cell(f"{base}.share", kind)
        settings.set_cell(f"{base}.share_kind", kind)
    rate = _rate(port, f"{base}.max_rate_bps", found, ats)
    if rate is not None:
        settings.set_cell(f"{base}.max_rate_bps", rate)


def _port_rate(port: Builder) -> None:
    """The scheduler of the whole port bounds every queue."""
    paths = [f"queues.{number}.max_rate_bps" for number in range(8)]
    scheduler = port.agreed(paths, port.values("PORT_QOS_MAP", "scheduler"))
    found = port.object("SCHEDULER", scheduler[0], paths, scheduler[1]) if scheduler is not None else None
    if scheduler is None or found is None:
        return
    for path in paths:
        cell = tighter(port.settings.get(path), _rate(port, path, found, scheduler[1]))
        if cell is not None:
            port.settings.set_cell(path, cell)


def _rate(port: Builder, path: str, found: Leaves, ats: tuple[At, ...]) -> Cell[int] | None:
    rate = port.agreed((path,), found.values("pir"))
    if rate is None:
        return None
    metered = port.agreed((path,), found.values("meter_type"))
    if rate[0] == 0:
        return absent(*rate[1])
    if metered is not None and metered[0] == "packets":
        return unknown(Why.NO_DEFAULT, *rate[1], *metered[1])
    return known(rate[0] * _BITS, *rate[1], *(metered[1] if metered is not None else ()), *ats)


def _ecn(port: Builder, base: str, name: str, ats: tuple[At, ...]) -> None:
    settings = port.settings
    if not name:
        settings.set_absent(base, *ats)
        return
    found = port.object("WRED_PROFILE", name, (base,), ats)
    if found is None:
        return
    port.unparsed(found, base)
    _marking(port, base, found, ats)
    for end in ("min", "max"):
        path = f"{base}.{end}_bytes"
        own = found.values(f"ecn_green_{end}_threshold")
        given = port.agreed((path,), own or found.values(f"green_{end}_threshold"))
        if given is not None:
            settings.set(path, given[0], *given[1], *ats)
            settings.set(f"{base}.{end}_value", given[0], *given[1], *ats)
            settings.set(f"{base}.{end}_unit", "bytes", *given[1], *ats)
    path = f"{base}.max_probability_percent"
    field = "ecn_green_mark_probability" if found.values("ecn_green_mark_probability") else "green_drop_probability"
    settings.set_cell(path, port.cell(path, found, "WRED_PROFILE", field, *ats))
    settings.set(f"{base}.weight", WRED_WEIGHT.value, *ats, Cited(WRED_WEIGHT.source))


def _marking(port: Builder, base: str, found: Leaves, bound_at: tuple[At, ...]) -> None:
    """Data is green unless something colours it; `ecn` names the colours that are marked, WRED must be on for them."""
    mode = port.cell(f"{base}.marks", found, "WRED_PROFILE", "ecn", *bound_at)
    wred = port.cell(f"{base}.marks", found, "WRED_PROFILE", "wred_green_enable")
    own_curve = found.values("ecn_green_min_threshold")
    if mode.is_known and "green" not in mode.get():
        port.settings.set(f"{base}.marks", False, *mode.at)
        port.settings.set_cell(f"{base}.drops", Cell(wred.value, wred.why, tuple(dict.fromkeys((*mode.at, *wred.at)))))
    elif mode.is_known and own_curve:
        port.settings.set(f"{base}.marks", True, *mode.at, *[at for _, at in own_curve])
        port.settings.set_cell(f"{base}.drops", _and_at(wred, mode))
    elif mode.is_known and wred.value is False:
        ats = tuple([at for at in (*mode.at, *wred.at) if isinstance(at, At)])
        paused = port.settings.cell("pfc.priorities")
        if paused is not None and paused.value == frozenset():
            # images of lossy ports ship it on purpose: mark, and never drop early
            for leaf in ("marks", "drops"):
                port.settings.set_unknown(f"{base}.{leaf}", Why.NO_DEFAULT, *ats, Cited(_NO_CURVE))
        else:
            port.conflict((f"{base}.marks", f"{base}.drops"), ats, _NO_CURVE)
    elif mode.is_known:
        port.settings.set_cell(f"{base}.marks", _and_at(wred, mode))
        port.settings.set(f"{base}.drops", False, *mode.at)
    else:
        port.settings.set_cell(f"{base}.marks", mode)
        port.settings.set_cell(f"{base}.drops", mode)


def _and_at(cell: Cell[Any], other: Cell[Any]) -> Cell[Any]:
    return Cell(cell.value, cell.why, tuple(dict.fromkeys((*cell.at, *other.at))))


def _limit(port: Builder, path: str, alpha: str, name: str, ats: tuple[At, ...]) -> None:
    """A static limit in bytes, or a dynamic one; where packets wait in the pool by which they came in (VOQ), that is none of the queue."""
    found = port.object("BUFFER_PROFILE", name, (path, alpha), ats)
    if found is None:
        return
    for parsed, at in found.unread():
        touches = parsed.paths or ()
        port.set_unknown(
            [p for p, its in ((path, "xoff_at_bytes"), (alpha, "alpha")) if its in touches], Why.NOT_PARSED, at
        )
    static = port.agreed((path,), found.values("static_th"))
    if static is not None:
        port.settings.set_cell(path, known(static[0], *static[1], *ats))
        return
    dynamic = port.agreed((alpha,), found.values("dynamic_th"))
    if dynamic is None:
        return
    port.settings.set_absent(path, dynamic[1][0], *ats)
    pools = [port.objects["BUFFER_POOL", pool] for pool, _ in found.values("pool")]
    if not any(kind == "ingress" for pool in pools for kind, _ in pool.values("type")):
        port.settings.set(alpha, alpha_of(dynamic[0]), *ats, *dynamic[1])
