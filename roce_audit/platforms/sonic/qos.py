"""Classification, maps, PFC and its watchdog: what PORT_QOS_MAP and PFC_WD mean for one port."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roce_audit.platforms.sonic.defaults import (
    NO_CLASSIFIER,
    UNLISTED_GROUP,
    UNLISTED_MARK,
    UNLISTED_QUEUE,
    WATCHDOG_ACTION,
    WATCHDOG_NEEDS_TIME,
)
from roce_audit.platforms.sonic.fold import Fold, Given, Object
from roce_audit.platforms.sonic.tables import MAP_OF_FIELD
from roce_audit.text.fill import Default
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_ALL = frozenset(range(8))


def classification(fold: Fold) -> None:
    """Which traffic class a packet enters: by the DSCP map of the port, else of the switch; by the 802.1p map if tagged."""
    dscp = _bound(fold, "dscp_to_tc_map", "dscp")
    if dscp is None and fold.settings.unknown_at("dscp") is None:
        dscp = _switch_wide(fold)
    pcp = _bound(fold, "dot1p_to_tc_map", "pcp")
    trust = {(True, True): "both", (True, False): "dscp", (False, True): "pcp", (False, False): "none"}
    ats = tuple(at for given in (dscp, pcp) if given is not None for at in given[1])
    if ats:
        fold.settings.set("trust", trust[dscp is not None, pcp is not None], *ats)
    elif fold.context.complete:
        fold.settings.set("trust", "none", Cited(NO_CLASSIFIER.source))
    if dscp is not None:
        _apply(fold, "dscp_to_tc_map", dscp, 64, "dscp.{}".format, UNLISTED_MARK)
    else:
        _everything(fold, "dscp", 64)
    if pcp is not None and dscp is None:
        _apply(fold, "dot1p_to_tc_map", pcp, 8, "pcp.{}".format, UNLISTED_MARK)
    elif dscp is not None:
        # which of the two marks an ASIC prefers on a tagged IP packet is nowhere documented
        why = Why.NOT_VISIBLE if pcp is None else Why.NO_DEFAULT
        for priority in _ALL:
            fold.settings.set_cell(f"pcp.{priority}", unknown(why, *ats))
    elif fold.settings.unknown_at("dscp") is None:
        _everything(fold, "pcp", 8)


def maps(fold: Fold) -> None:
    """Traffic class to queue and group, PFC priority to queue and group, traffic class to DSCP."""
    for field, path, unlisted in (
        ("tc_to_queue_map", "classes.{}.queue", UNLISTED_QUEUE),
        ("tc_to_pg_map", "classes.{}.group", UNLISTED_GROUP),
        ("pfc_to_queue_map", "priorities.{}.queue", None),
        ("pfc_to_pg_map", "priorities.{}.group", None),
    ):
        bound = _bound(fold, field, *map(path.format, range(8)))
        if bound is not None:
            _apply(fold, field, bound, 8, path.format, unlisted)
    _rewriting(fold)


def flow_control(fold: Fold) -> None:
    """PFC as `pfc_enable` and `pfc_asym` say."""
    settings = fold.settings
    enabled = fold.agreed("pfc.priorities", fold.values("PORT_QOS_MAP", "pfc_enable"))
    if enabled is not None:
        settings.set("pfc.priorities", *_flat(enabled))
        settings.set("pfc.mode", "on" if enabled[0] else "off", *enabled[1])
    asymmetric = fold.agreed("pfc.receive_only", fold.values("PORT", "pfc_asym"))
    if asymmetric is not None and asymmetric[0] is False:
        settings.set("pfc.receive_only", frozenset(), *asymmetric[1])
    elif asymmetric is not None and enabled is not None:
        settings.set("pfc.receive_only", _ALL - enabled[0], *asymmetric[1], *enabled[1])
    elif asymmetric is not None:
        settings.set_cell("pfc.receive_only", unknown(Why.NOT_VISIBLE, *asymmetric[1]))


def watchdog(fold: Fold) -> None:
    """The PFC watchdog: a PFC_WD row starts it, `pfcwd_sw_enable` says for which priorities."""
    settings = fold.settings
    rows = fold.own.get("PFC_WD", [])
    for field, leaf in (("action", "action"), ("detection_time", "detect_ms"), ("restoration_time", "restore_ms")):
        fold.put_agreed(f"pfc.watchdog.{leaf}", fold.values("PFC_WD", field))
    polls = [(s.value, at) for s, at in fold.device.get("PFC_WD", ()) if s.field == "POLL_INTERVAL" and not s.unread]
    fold.put_agreed("pfc.watchdog.poll_ms", polls)
    times = [at for _, at in fold.values("PFC_WD", "detection_time")]
    if times:
        settings.set("pfc.watchdog.on", True, *times)
    elif rows and fold.context.complete:
        settings.set("pfc.watchdog.on", False, rows[0][1], Cited(WATCHDOG_NEEDS_TIME))
    if rows and fold.context.complete and settings.get("pfc.watchdog.action") is None:
        settings.set("pfc.watchdog.action", WATCHDOG_ACTION.value, rows[0][1], Cited(WATCHDOG_ACTION.source))
    if not rows and fold.context.watchdog_later:
        settings.forbid_default("pfc.watchdog", Why.NOT_VISIBLE)
    watched = fold.agreed("pfc.watchdog.priorities", fold.values("PORT_QOS_MAP", "pfcwd_sw_enable"))
    if watched is not None:
        settings.set("pfc.watchdog.priorities", *_flat(watched))
        if not watched[0] and rows:
            settings.set("pfc.watchdog.on", False, *watched[1])
    for statement, at in fold.device.get("PFC_WD", ()):
        if statement.field == "BIG_RED_SWITCH" and statement.value is True:
            settings.set("pfc.watchdog.on", False, at)


def _flat(given: Given) -> tuple[Any, ...]:
    return (given[0], *given[1])


def _bound(fold: Fold, field: str, *paths: str) -> Given | None:
    """The name of the map that the port binds; None where it binds none."""
    given = fold.agreed(paths, fold.values("PORT_QOS_MAP", field))
    return given if given is not None and given[0] else None


def _switch_wide(fold: Fold) -> Given | None:
    said = fold.device.get("PORT_QOS_MAP", ())
    given = fold.agreed("dscp", [(s.value, at) for s, at in said if s.field == "dscp_to_tc_map" and not s.unread])
    return given if given is not None and given[0] else None


def _everything(fold: Fold, path: str, count: int) -> None:
    """Without a map all packets are in one class."""
    if fold.context.complete:
        cell = known(NO_CLASSIFIER.value, Cited(NO_CLASSIFIER.source))
        for number in range(count):
            fold.settings.set_cell(f"{path}.{number}", cell)


def _apply(
    fold: Fold, field: str, bound: Given, count: int, path: Callable[[int], str], unlisted: Default | None
) -> None:
    name, ats = bound
    found = fold.object(MAP_OF_FIELD[field], name, map(path, range(count)), ats)
    if found is None:
        # orchagent applies nothing of a PORT_QOS_MAP row, PFC included, while one of its maps is missing
        for below in ("pfc.mode", "pfc.priorities") if fold.context.complete else ():
            fold.settings.set_unknown(below, Why.UNDEFINED, *ats)
        return
    unkeyed = [at for s, at in found.said if s.unread and not s.where]
    for number in range(count):
        _entry(fold, found, number, path(number), ats, unkeyed, unlisted)


def _entry(
    fold: Fold,
    found: Object,
    number: int,
    path: str,
    ats: tuple[At, ...],
    unkeyed: list[At],
    unlisted: Default | None,
) -> None:
    settings = fold.settings
    said = [(s, at) for s, at in found.said if s.where == (number,)]
    unread = [at for s, at in said if s.unread]
    if unread or (unkeyed and not said):
        settings.set_unknown(path, Why.NOT_PARSED, *(unread or unkeyed))
        return
    given = fold.agreed(path, [(s.value, at) for s, at in said])
    if given is not None:
        settings.set(path, given[0], *given[1], *ats)
    elif not said:
        settings.set_cell(path, _not_listed(fold, found, ats, unlisted))


def _not_listed(fold: Fold, found: Object, ats: tuple[At, ...], unlisted: Default | None) -> Cell[Any]:
    if not fold.context.complete:
        return unknown(Why.NOT_VISIBLE, found.header)
    if unlisted is None:
        return unknown(Why.NO_DEFAULT, found.header)
    return known(unlisted.value, found.header, *ats, Cited(unlisted.source))


def _rewriting(fold: Fold) -> None:
    bound = _bound(fold, "tc_to_dscp_map", "rewrites_dscp")
    if bound is None:
        return
    found = fold.object("TC_TO_DSCP_MAP", bound[0], ("rewrites_dscp",), bound[1])
    if found is None:
        return
    for statement, at in found.said:
        if statement.unread:
            fold.settings.set_unknown("rewrites_dscp", Why.NOT_PARSED, at)
    listed = {s.where[0]: at for s, at in found.said if s.where}
    fold.settings.set("rewrites_dscp", frozenset(listed), *listed.values(), *bound[1])
    for statement, at in found.said:
        if statement.where and not statement.unread:
            fold.settings.set(f"classes.{statement.where[0]}.new_dscp", statement.value, at, *bound[1])
