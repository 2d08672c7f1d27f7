"""Classification, maps, PFC and its watchdog: what PORT_QOS_MAP and PFC_WD mean for one port."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from roce_audit.platforms.shared.path.builder import Given, Leaves
from roce_audit.platforms.sonic.builder import Builder
from roce_audit.platforms.sonic.table import MAP_OF_FIELD, SHOWN
from roce_audit.values import At, Why, unknown

_ALL = frozenset(range(8))
_BY_VALUE = frozenset({"DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP"})
_BY_KEY = frozenset({"TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP"})
"""Maps to traffic classes, and of traffic classes."""


def classification(port: Builder) -> None:
    """Which traffic class a packet enters: by the DSCP map of the port, else of the switch; by the 802.1p map if tagged."""
    dscp = _bound(port, "dscp_to_tc_map", "dscp")
    if dscp is None and port.settings.unknown_at("dscp") is None:
        dscp = _switch_wide(port)
    doubt = port.settings.unknown_at("dscp")
    pcp = _bound(port, "dot1p_to_tc_map", "pcp")
    trust = {(True, True): "both", (True, False): "dscp", (False, True): "pcp", (False, False): "none"}
    ats = tuple(at for given in (dscp, pcp) if given is not None for at in given[1])
    if ats:
        port.settings.set("trust", trust[dscp is not None, pcp is not None], *ats)
    if dscp is not None:
        _apply(port, "dscp_to_tc_map", dscp, 64, "dscp.{}".format)
        # which of the two marks an ASIC prefers on a tagged IP packet is nowhere documented
        why = Why.NOT_VISIBLE if pcp is None else Why.NO_DEFAULT
        for priority in _ALL:
            port.settings.set_cell(f"pcp.{priority}", unknown(why, *ats))
    elif pcp is not None:
        _apply(port, "dot1p_to_tc_map", pcp, 8, "pcp.{}".format)
    elif (
        doubt is not None and doubt.why is not None
    ):  # with a map of DSCP, neither holds that all packets are in one class
        for path in ("pcp", "trust"):
            port.settings.forbid_default(path, doubt.why, *doubt.at)


def maps(port: Builder) -> None:
    """Traffic class to queue and group, PFC priority to queue and group, traffic class to DSCP."""
    classes = _classes(port)
    for field, count, path in (
        ("tc_to_queue_map", classes, "classes.{}.queue"),
        ("tc_to_pg_map", classes, "classes.{}.group"),
        ("pfc_to_queue_map", 8, "priorities.{}.queue"),
        ("pfc_to_pg_map", 8, "priorities.{}.group"),
    ):
        for begins in port.row("PORT_QOS_MAP").begins:  # which should bind the map
            for number in range(count):
                port.settings.default_location(path.format(number), begins)
        bound = _bound(port, field, *map(path.format, range(count)))
        if bound is not None:
            _apply(port, field, bound, count, path.format)
    _groups_by_number(port)
    _rewriting(port, classes)


def _groups_by_number(port: Builder) -> None:
    """A row that binds the groups of traffic classes, or names what is paused, and not the groups of PFC priorities is seen: these go by
    their number, as in a datastore that is whole."""
    row = port.row("PORT_QOS_MAP")
    written = port.values("PORT_QOS_MAP", "tc_to_pg_map") or port.values("PORT_QOS_MAP", "pfc_enable")
    if port.lack.is_complete("priorities") or not (row.begins and written):
        return
    if port.values("PORT_QOS_MAP", "pfc_to_pg_map") or any(row.unread()):
        return
    for priority in range(8):
        port.settings.set_cell(f"priorities.{priority}.group", port.default("PORT_QOS_MAP", f"group.{priority}", row))


def _classes(port: Builder) -> int:
    """How many traffic classes the port has: eight, or as many as its maps speak of."""
    classes = 8
    for (table, _), found in port.objects.items():
        for leaf, _ in found.all("*") if table in _BY_VALUE | _BY_KEY else ():
            number = leaf.value if table in _BY_VALUE else leaf.keys[0]
            classes = max(classes, number + 1) if isinstance(number, int) else classes
    return classes


def flow_control(port: Builder) -> None:
    """PFC as `pfc_enable` and `pfc_asym` say."""
    settings = port.settings
    for begins in port.row("PORT_QOS_MAP").begins:
        for path in ("pfc.mode", "pfc.priorities", "dscp", "pcp", "trust"):
            settings.default_location(path, begins)
    enabled = port.agreed(("pfc.priorities",), port.values("PORT_QOS_MAP", "pfc_enable"))
    if enabled is not None:
        settings.set("pfc.priorities", *_flat(enabled))
        settings.set("pfc.mode", "on" if enabled[0] else "off", *enabled[1])
    asymmetric = port.agreed(("pfc.receive_only",), port.values("PORT", "pfc_asym"))
    if asymmetric is not None and asymmetric[0] is False:
        settings.set("pfc.receive_only", frozenset(), *asymmetric[1])
    elif asymmetric is not None and enabled is not None:
        settings.set("pfc.receive_only", _ALL - enabled[0], *asymmetric[1], *enabled[1])
    elif asymmetric is not None:
        settings.set_cell("pfc.receive_only", unknown(Why.NOT_VISIBLE, *asymmetric[1]))


def watchdog(port: Builder) -> None:
    """The PFC watchdog: a PFC_WD row starts it, `pfcwd_sw_enable` says for which priorities."""
    settings = port.settings
    row, every = port.row("PFC_WD"), port.device["PFC_WD"]
    for field, leaf in (("action", "action"), ("detection_time", "detect_ms"), ("restoration_time", "restore_ms")):
        port.set_agreed(f"pfc.watchdog.{leaf}", row.values(field) or port.values(SHOWN, f"pfcwd_{field}"))
    port.set_agreed("pfc.watchdog.poll_ms", every.values("POLL_INTERVAL"))
    times = [at for _, at in row.values("detection_time") or port.values(SHOWN, "pfcwd_detection_time")]
    if times:
        settings.set("pfc.watchdog.on", True, *times)
    elif row.begins:
        timeless = port.default("PFC_WD", "detection_time", row)
        if timeless.is_absent:
            settings.set("pfc.watchdog.on", False, *timeless.at)
    if row.begins and settings.get("pfc.watchdog.action") is None:
        settings.set_cell("pfc.watchdog.action", port.default("PFC_WD", "action", row))
    if not row.begins and port.context.watchdog_later:
        settings.forbid_default("pfc.watchdog", Why.NOT_VISIBLE)
    watched = port.agreed(("pfc.watchdog.priorities",), port.values("PORT_QOS_MAP", "pfcwd_sw_enable"))
    if watched is not None:
        settings.set("pfc.watchdog.priorities", *_flat(watched))
        if not watched[0] and row.begins:
            settings.set("pfc.watchdog.on", False, *watched[1])
    elif times and port.row("PORT_QOS_MAP").begins and port.lack.is_complete("PORT_QOS_MAP"):
        _unnamed(port, times)


def _unnamed(port: Builder, times: list[At]) -> None:
    """No line says which priorities are watched: none are, in releases that have `pfcwd_sw_enable`; in older ones all that pause.

    (sonic-swss, orchagent/qosorch.cpp: without the field the mask is 0; pfcwdorch.cpp: with a mask of 0 no watchdog starts.)
    """
    begins = port.row("PORT_QOS_MAP").begins
    if port.context.names_watched:
        port.settings.set("pfc.watchdog.on", False, *begins, *times)
    else:
        port.settings.set_cell("pfc.watchdog.on", unknown(Why.NO_DEFAULT, *begins, *times))


def _flat(given: Given) -> tuple[Any, ...]:
    return (given[0], *given[1])


def _bound(port: Builder, field: str, *paths: str) -> Given | None:
    """The name of the map that the port binds; None where it binds none."""
    given = port.agreed(paths, port.values("PORT_QOS_MAP", field))
    return given if given is not None and given[0] else None


def _switch_wide(port: Builder) -> Given | None:
    given = port.agreed(("dscp",), port.device["PORT_QOS_MAP"].values("dscp_to_tc_map"))
    return given if given is not None and given[0] else None


def _apply(port: Builder, field: str, bound: Given, count: int, path: Callable[[int], str]) -> None:
    name, ats = bound
    table = MAP_OF_FIELD[field]
    found = port.object(table, name, map(path, range(count)), ats)
    if found is None:
        # orchagent applies nothing of a PORT_QOS_MAP row, PFC included, while one of its maps is missing
        port.lack.leads_nowhere(port.settings, ("pfc.mode", "pfc.priorities"), *ats)
        return
    entries = _Entries(found)
    for number in range(count):
        said, unread = entries.of(number)
        given = port.agreed((path(number),), said)
        if unread:
            port.settings.set_unknown(path(number), Why.NOT_PARSED, *unread)
        elif given is not None:
            port.settings.set(path(number), given[0], *given[1], *ats)
        elif not said:
            port.settings.set_cell(path(number), port.default(table, str(number), found, *ats))


class _Entries:
    """The entries of a map by their keys."""

    def __init__(self, found: Leaves) -> None:
        self._said: dict[Any, list[tuple[Any, At]]] = defaultdict(list)
        self._unread: dict[Any, list[At]] = defaultdict(list)
        for leaf, at in found.all("*"):
            self._said[leaf.keys].append((leaf.value, at))
        for parsed, at in found.unread():
            self._unread[parsed.meant.keys if parsed.meant is not None else ()].append(at)

    def of(self, key: int) -> tuple[list[tuple[Any, At]], list[At]]:
        """What is said of a key, and the entries for it that were not understood.

        Where there are neither, any entry whose key was not understood may be for it.
        """
        said, unread = self._said.get((key,), []), self._unread.get((key,), [])
        return said, unread or ([] if said else self._unread.get((), []))


def _rewriting(port: Builder, classes: int) -> None:
    bound = _bound(port, "tc_to_dscp_map", "rewrites_dscp")
    if bound is None:
        return
    found = port.object("TC_TO_DSCP_MAP", bound[0], ("rewrites_dscp",), bound[1])
    if found is None:
        return
    for _, at in found.unread():
        port.settings.set_unknown("rewrites_dscp", Why.NOT_PARSED, at)
    listed = {leaf.keys[0]: at for leaf, at in found.all("*")}
    port.settings.set("rewrites_dscp", frozenset(listed), *listed.values(), *bound[1])
    for leaf, at in found.all("*"):
        if leaf.keys[0] in range(classes):
            port.settings.set(f"classes.{leaf.keys[0]}.new_dscp", leaf.value, at, *bound[1])
