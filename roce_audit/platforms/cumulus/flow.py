"""Flow control of one port: PFC with its buffers, 802.3x pause, the PFC watchdog."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.cumulus.fold import Block, Fold
from roce_audit.platforms.cumulus.tables import (
    NO_POOL,
    PFC_DIRECTION,
    POLLING_MS,
    PROFILE_CABLE,
    ROBUSTNESS,
    ROCE_CABLE,
)
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

_LOSSLESS_POOLS = ("default-lossless", "roce-lossless")
_COMPUTED = ("xoff_at_bytes", "xon_at_bytes", "alpha", "pool", "reserved_bytes", "headroom_bytes", "headroom_is_shared")
_MEMORY = "the shares of memory of the traffic pools"
_NO_XOFF = "xoff-threshold counts the reserved buffer alone, not what the group takes of the shared pool"


def flow_control(fold: Fold) -> None:
    """PFC: the port's profile, else the statements for all ports over what RoCE sets."""
    found = fold.effective("pfc")
    listed = found.numbers("switch-priority")
    at: tuple[Where, ...] = (*listed.values(), *found.bound_at)
    if listed:
        _pfc(fold, found, frozenset(listed), at)
    elif fold.macro is not None and not found.bound_at:
        _pfc(fold, found, fold.macro.priorities, (*fold.macro_at, Cited(fold.macro.source)))
    elif found.bound_at and fold.is_whole("pfc.mode"):
        _pfc(fold, found, frozenset(), found.bound_at)
    elif found.said or found.bound_at:
        for path in ("pfc.mode", "pfc.priorities", "pfc.receive_only"):
            fold.settings.set_cell(path, fold.missing("pfc.mode", *found.bound_at))
    doubt = fold.settings.unknown_at("pfc.priorities")
    if doubt is not None and fold.settings.get("cable_m") is None:
        fold.settings.set_cell("cable_m", doubt)


def _pfc(fold: Fold, found: Block, priorities: frozenset[int], at: tuple[Where, ...]) -> None:
    settings = fold.settings
    settings.set("pfc.mode", "on" if priorities else "off", *at)
    if not priorities:
        settings.set("pfc.priorities", frozenset(), *at)
        settings.set("pfc.receive_only", frozenset(), *at)
        return
    sends, obeys = (_direction(fold, found, way) for way in ("tx", "rx"))
    if sends.is_known and obeys.is_known:
        off = [where for cell in (sends, obeys) if cell.value is False for where in cell.at if isinstance(where, At)]
        settings.set("pfc.priorities", priorities if sends.value and obeys.value else frozenset(), *off, *at)
        one_way = priorities if obeys.value and not sends.value else frozenset()
        settings.set("pfc.receive_only", one_way, *off, *at)
    else:
        doubt = sends if not sends.is_known else obeys
        for path in ("pfc.priorities", "pfc.receive_only"):
            settings.set_cell(path, unknown(doubt.why or Why.NOT_VISIBLE, *doubt.at, *at))
    _cable(fold, found)
    for number in sorted(priorities):
        _group(fold, found, number, priorities, sends, at)


def _direction(fold: Fold, found: Block, way: str) -> Cell[Any]:
    """Whether pause frames are sent (tx) or obeyed (rx); the reference of the commands tells which word is which."""
    said = found.last(way)
    if said is not None:
        return known(said[0], said[1])
    return fold.cited(PFC_DIRECTION)


def _cable(fold: Fold, found: Block) -> None:
    """The length for which the switch computes headroom."""
    said = found.last("cable-length")
    roce = fold.wide("roce", "").last("cable-length")
    if said is not None:
        fold.settings.set("cable_m", said[0], said[1], *found.bound_at)
    elif roce is not None and not found.bound_at and fold.macro is not None:
        fold.settings.set("cable_m", roce[0], roce[1])
    elif fold.macro is not None and not found.bound_at:
        fold.settings.set_cell("cable_m", fold.cited(ROCE_CABLE, *fold.macro_at))
    elif fold.is_whole("cable_m"):
        fold.settings.set_cell("cable_m", fold.cited(PROFILE_CABLE, *found.bound_at))
    else:
        fold.settings.set_cell("cable_m", unknown(Why.NOT_VISIBLE, *found.bound_at))


def _group(
    fold: Fold, found: Block, number: int, priorities: frozenset[int], sends: Cell[Any], at: tuple[Where, ...]
) -> None:
    """The buffer of a switch priority with PFC: lossless where pause is sent and a lossless pool has memory."""
    settings = fold.settings
    base = f"groups.{number}"
    pool = _lossless_pool(fold)
    if sends.value is False:
        settings.set(f"{base}.lossless", False, *sends.at, *at)
    elif pool is not None and pool.value is False:
        settings.set(f"{base}.lossless", False, *pool.at, *at)
    elif pool is not None and pool.is_unknown:
        settings.set_cell(f"{base}.lossless", pool)
    elif sends.is_known:
        settings.set(f"{base}.lossless", True, *at, *(pool.at if pool is not None else ()))
    else:
        settings.set_cell(f"{base}.lossless", sends)
    for leaf in _COMPUTED:
        settings.set_cell(f"{base}.{leaf}", fold.missing("groups", *at))
    alpha = fold.wide("advance-buffer-config").last("ingress-lossless-buffer shared-alpha")
    if alpha is not None:
        settings.set(f"{base}.alpha", *alpha)
    buffer, xoff, delta = (found.last(name) for name in ("port-buffer", "xoff-threshold", "xon-threshold"))
    if buffer is not None and xoff is not None and len(priorities) == 1:
        # the reserved buffer beyond the XOFF level is what may still arrive
        where = (buffer[1], xoff[1], *found.bound_at)
        settings.set(f"{base}.headroom_bytes", max(buffer[0] - xoff[0], 0), *where)
        settings.set(f"{base}.headroom_is_shared", False, *where)
        settings.set(f"{base}.reserved_bytes", buffer[0], buffer[1], *found.bound_at)
        settings.set_cell(f"{base}.xoff_at_bytes", unknown(Why.NO_DEFAULT, xoff[1], Cited(_NO_XOFF)))
    if delta is not None:
        settings.set(f"{base}.xon_offset_bytes", delta[0], delta[1], *found.bound_at)
    else:
        settings.set_cell(f"{base}.xon_offset_bytes", fold.missing("groups", *at))


def _lossless_pool(fold: Fold) -> Cell[Any] | None:
    """Whether a lossless pool has memory; None where RoCE or an older file sees to it and nothing says otherwise."""
    said = [
        given
        for name, pool in fold.wide_of("traffic-pool")
        if name in _LOSSLESS_POOLS and (given := pool.last("memory-percent")) is not None
    ]
    every = [given for _, pool in fold.wide_of("traffic-pool") if (given := pool.last("memory-percent")) is not None]
    fold.at_most_100(every, _MEMORY)
    at = tuple(where for _, where in said)
    if any(percent > 0 for percent, _ in said):
        return known(True, *at)
    if fold.macro is not None:
        return known(False, *at) if said else None
    if said:
        return known(False, *at)
    # only the tree of NVUE tells of all pools; a file of the older form keeps them in another file
    if "*" in fold.context.tells and not fold.wide("advance-buffer-config").said:
        return known(False, Cited(NO_POOL))
    return None


def link_pause(fold: Fold) -> None:
    """802.3x pause. A profile sends and obeys it unless it says otherwise (source: unverified)."""
    found = fold.effective("link-pause")
    if not found.said:
        return
    for way, path in (("tx", "link_pause_tx"), ("rx", "link_pause_rx")):
        said = found.last(way)
        if said is not None:
            fold.settings.set(path, said[0], said[1], *found.bound_at)
        else:
            fold.settings.set_cell(path, fold.missing(path, *found.bound_at))


def watchdog(fold: Fold) -> None:
    """The PFC watchdog: on where the port says so; timers are the switch's."""
    settings = fold.settings
    wide = fold.wide("pfc-watchdog", "")
    on = _watchdog_on(fold, wide)
    if on is not None:
        settings.set_cell("pfc.watchdog.on", on)
    whole = fold.is_whole("pfc.watchdog")
    polling, robustness = wide.last("polling-interval"), wide.last("robustness")
    poll = known(*polling) if polling is not None else fold.cited(POLLING_MS) if whole else unknown(Why.NOT_VISIBLE)
    count = (
        known(*robustness) if robustness is not None else fold.cited(ROBUSTNESS) if whole else unknown(Why.NOT_VISIBLE)
    )
    settings.set_cell("pfc.watchdog.poll_ms", poll)
    settings.set_cell("pfc.watchdog.restore_ms", poll)
    if poll.is_known and count.is_known:
        settings.set("pfc.watchdog.detect_ms", poll.get() * count.get(), *poll.at, *count.at)
    else:
        settings.set_cell("pfc.watchdog.detect_ms", poll if not poll.is_known else count)


def _watchdog_on(fold: Fold, wide: Block) -> Cell[Any] | None:
    state = fold.port_says("qos pfc-watchdog state")
    if state is not None:
        return known(*state)
    named = fold.port_says("qos pfc-watchdog") or wide.last("allports")
    return known(True, named[1]) if named is not None else None
