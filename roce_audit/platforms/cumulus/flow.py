"""Flow control of one port: PFC with its buffers, 802.3x pause, the PFC watchdog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roce_audit.platforms.cumulus.builder import Block, Builder, Said
from roce_audit.platforms.cumulus.defaults import PFC_DIRECTION, ROCE_CABLE
from roce_audit.platforms.cumulus.roce import MACROS
from roce_audit.platforms.cumulus.table import GLOBAL, LOSSLESS_POOLS
from roce_audit.platforms.shared.path.builder import Problem
from roce_audit.text.sentences import runs
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

_COMPUTED = ("xoff_at_bytes", "xon_at_bytes", "alpha", "pool", "reserved_bytes", "headroom_bytes", "headroom_is_shared")
_MEMORY = "the shares of memory of the traffic pools"
_MARKS = (("dscp", 64), ("pcp", 8))
_NO_PRIORITY = (
    "PFC is set up for all ports and no switch-priority of it is named: which priorities are paused, no document tells"
)
_NO_XOFF = "xoff-threshold counts the reserved buffer alone, not what the group takes of the shared pool"


def flow_control(port: Builder) -> None:
    """PFC: the port's profile, else the statements for all ports over what RoCE sets."""
    found = port.effective("pfc")
    listed = found.numbers("switch-priority *")
    at: tuple[Where, ...] = (*listed.values(), *found.bound_at)
    if listed:
        _pfc(port, found, frozenset(listed), at)
        _against_mode(port, listed)
    elif port.macro is not None and not found.bound_at:
        _pfc(port, found, port.macro.priorities, (*port.macro_at, Cited(port.macro.source)))
    elif found.begins or found.bound_at:
        none = port.lack.otherwise(f"qos.pfc.{'profile' if found.bound_at else GLOBAL}", *found.bound_at)
        if none.is_known:
            _pfc(port, found, none.get(), none.at)
        else:
            if port.lack.is_complete("pfc.priorities") and port.settings.unknown_at("pfc.priorities") is None:
                port.conflict((), found.begins, _NO_PRIORITY)
            for path in ("pfc.mode", "pfc.priorities", "pfc.receive_only", "pfc.send_only"):
                port.settings.set_cell(path, none)
    doubt = port.settings.unknown_at("pfc.priorities")
    if doubt is not None and port.settings.get("cable_m") is None:
        port.settings.set_cell("cable_m", doubt)


def _against_mode(port: Builder, listed: Mapping[int, At]) -> None:
    """A mode without PFC, and a statement that pauses the very priority of that mode's RoCE all the same."""
    paused = port.settings.get("pfc.priorities")
    if port.macro is None or port.macro.priorities or paused is None or not paused.is_known:
        return
    for priority in sorted(MACROS["lossless"].priorities & paused.get()):
        text = f"RoCE mode {port.macro_name} is without PFC, and another statement turns PFC on for its switch priority {priority}"
        port.conflict((), (listed[priority], port.macro_at[0]), text)


def _pfc(port: Builder, found: Block, priorities: frozenset[int], at: tuple[Where, ...]) -> None:
    settings = port.settings
    settings.set("pfc.mode", "on" if priorities else "off", *at)
    if not priorities:
        settings.set("pfc.priorities", frozenset(), *at)
        settings.set("pfc.receive_only", frozenset(), *at)
        settings.set("pfc.send_only", frozenset(), *at)
        return
    sends, obeys = (_direction(port, found, way) for way in ("tx", "rx"))
    if sends.is_known and obeys.is_known:
        off = [where for cell in (sends, obeys) if cell.value is False for where in cell.at if isinstance(where, At)]
        settings.set("pfc.priorities", priorities if sends.value and obeys.value else frozenset(), *off, *at)
        for path, only in (("pfc.receive_only", obeys.value), ("pfc.send_only", sends.value)):
            settings.set(path, priorities if only and sends.value != obeys.value else frozenset(), *off, *at)
    else:
        doubt = sends if not sends.is_known else obeys
        for path in ("pfc.priorities", "pfc.receive_only", "pfc.send_only"):
            settings.set_cell(path, unknown(doubt.why or Why.NOT_VISIBLE, *doubt.at, *at))
    _cable(port, found)
    for number in sorted(priorities):
        _group(port, found, number, priorities, sends, at)


def _direction(port: Builder, found: Block, way: str) -> Cell[Any]:
    """Whether pause frames are sent (tx) or obeyed (rx); the reference of the commands tells which word is which."""
    said = found.last(way)
    if said is not None:
        return known(said[0], said[1])
    return known(PFC_DIRECTION.value, Cited(PFC_DIRECTION.source))


def _cable(port: Builder, found: Block) -> None:
    """The length for which the switch computes headroom."""
    said = found.last("cable-length")
    roce = port.wide("roce", "").last("cable-length")
    if said is not None:
        port.settings.set("cable_m", said[0], said[1], *found.bound_at)
    elif roce is not None and not found.bound_at and port.macro is not None:
        port.settings.set("cable_m", roce[0], roce[1])
    elif port.macro is not None and not found.bound_at:
        port.settings.set("cable_m", ROCE_CABLE.value, *port.macro_at, Cited(ROCE_CABLE.source))
    else:
        port.settings.set_cell("cable_m", port.lack.otherwise("qos.pfc.cable-length", *found.bound_at))


def _group(
    port: Builder, found: Block, number: int, priorities: frozenset[int], sends: Cell[Any], at: tuple[Where, ...]
) -> None:
    """The buffer of a switch priority with PFC: lossless where pause is sent and a lossless pool has memory."""
    settings = port.settings
    base = f"groups.{number}"
    pool = _lossless_pool(port)
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
    _of_other_priorities(port, number, at)
    for leaf in _COMPUTED:
        settings.set_cell(f"{base}.{leaf}", port.lack.otherwise("qos.pfc.buffer", *at))
    alpha = port.wide("advance-buffer-config").last("ingress-lossless-buffer shared-alpha")
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
        settings.set_cell(f"{base}.xon_offset_bytes", port.lack.otherwise("qos.pfc.buffer", *at))


def _of_other_priorities(port: Builder, number: int, at: tuple[Where, ...]) -> None:
    """A lossless pool for other switch priorities than the one with PFC, which packets do enter: what the switch makes of it, no
    source says. Where none enter, it is PFC that is on for the wrong one."""
    listed: dict[int, At] = {}
    for name, pool in port.wide_of("traffic-pool"):
        listed |= pool.numbers("switch-priority *") if name in LOSSLESS_POOLS else {}
    paused = next((where for where in at if isinstance(where, At)), None)
    entered = any(
        (cell := port.settings.cell(f"{table}.{mark}")) is not None and cell.value == number
        for table, marks in _MARKS
        for mark in range(marks)
    )
    if listed and number not in listed and paused is not None and entered:
        text = f"PFC is on for switch priority {number}, and the lossless pool of memory is said to be for {', '.join(runs(listed))} alone"
        port.conflict((f"groups.{number}.lossless",), (paused, next(iter(listed.values()))), text)


def _lossless_pool(port: Builder) -> Cell[Any] | None:
    """Whether a lossless pool has memory; None where RoCE or an older file sees to it and nothing says otherwise."""
    said = [
        given
        for name, pool in port.wide_of("traffic-pool")
        if name in LOSSLESS_POOLS and (given := pool.last("memory-percent")) is not None
    ]
    every = [given for _, pool in port.wide_of("traffic-pool") if (given := pool.last("memory-percent")) is not None]
    port.at_most_100(every, _MEMORY)
    at = tuple(where for _, where in said)
    if any(percent > 0 for percent, _ in said):
        return known(True, *at)
    if port.macro is not None:
        return known(False, *at) if said else None
    if said:
        return known(False, *at)
    # only the tree of NVUE tells of all pools; a file of the older form keeps them in another file
    unsaid = port.lack.otherwise("traffic-pool.memory-percent")
    if unsaid.is_known and not port.wide("advance-buffer-config").begins:
        return known(False, *unsaid.at)
    return None


def link_pause(port: Builder) -> None:
    """802.3x pause. What a profile does that does not say it, no document tells; PFC is not possible beside it in any case."""
    found = port.effective("link-pause")
    named, pfc = port.port_says("qos link-pause profile"), port.port_says("qos pfc profile")
    if not found.begins and named is None:
        return
    bound_at = found.bound_at or (() if named is None else (named[1],))
    for way, path in (("tx", "link_pause_tx"), ("rx", "link_pause_rx")):
        said = found.last(way)
        if said is not None:
            port.settings.set(path, said[0], said[1], *bound_at)
        else:
            port.settings.set_cell(path, port.lack.otherwise(f"qos.link-pause.{way}", *bound_at))
    if named is not None and pfc is not None and not (found.last("tx") or found.last("rx")):
        text = "the port has a profile of link pause beside one of PFC, and a port can have only one of the two"
        port.problems.append(Problem(named[1], pfc[1], text))


def watchdog(port: Builder) -> None:
    """The PFC watchdog: on where the port says so; timers are the switch's."""
    settings = port.settings
    wide = port.wide("pfc-watchdog", "")
    on = _watchdog_on(port, wide)
    if on is not None:
        settings.set_cell("pfc.watchdog.on", on)
    poll = _or_else(port, wide.last("polling-interval"), "pfc.watchdog.poll_ms")
    count = _or_else(port, wide.last("robustness"), "pfc.watchdog.robustness")
    settings.set_cell("pfc.watchdog.poll_ms", poll)
    settings.set_cell("pfc.watchdog.restore_ms", poll)
    if poll.is_known and count.is_known:
        settings.set("pfc.watchdog.detect_ms", poll.get() * count.get(), *poll.at, *count.at)
    else:
        settings.set_cell("pfc.watchdog.detect_ms", poll if not poll.is_known else count)


def _or_else(port: Builder, said: Said | None, path: str) -> Cell[Any]:
    """What is said, else what holds at `path`."""
    return known(*said) if said is not None else port.lack.otherwise(path)


def _watchdog_on(port: Builder, wide: Block) -> Cell[Any] | None:
    state = port.port_says("qos pfc-watchdog state")
    if state is not None:
        return known(*state)
    named = port.port_says("qos pfc-watchdog") or wide.last("allports")
    return known(True, named[1]) if named is not None else None
