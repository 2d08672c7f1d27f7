"""Ingress priority groups of one port: what its BUFFER_PG rows and their profiles mean."""

from __future__ import annotations

import re
from typing import Any

from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.sonic.builder import Builder
from roce_audit.platforms.sonic.computed import COMPUTED, PARAMETERS, PROFILE
from roce_audit.platforms.sonic.defaults import alpha_of
from roce_audit.platforms.sonic.lookup import generated
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_GENERATED = re.compile(r"pg_lossless_([0-9]{1,8})_([0-9]{1,7})m(?:_[a-z0-9-]{1,20}){0,6}_profile\Z")
_MEGA = 10**6
_NOT_IN_TABLE = "sonic-swss cfgmgr/buffermgr.cpp: no profile for this speed and cable, so no lossless group is made"
_NO_ROW = "no BUFFER_PG row names a profile: what the device makes by itself is not in the file"
POOL_TABLE = "BUFFER_POOL"
_NO_LENGTH = "sonic-swss cfgmgr/buffermgrdyn.cpp: no lossless group is made for a port without a cable length"
_LOSSY = "ingress_lossy_profile"
_BY_NAME = "sonic-buildimage files/build_templates/buffers_config.j2 and sonic-swss buffermgr give these names to no other profiles"


def groups(port: Builder) -> None:
    """All that BUFFER_PG rows say, and the groups that buffermgrd makes without any."""
    listed = set()
    for number in port.numbers("BUFFER_PG"):
        base = f"groups.{number}"
        profile = port.agreed((base,), port.values("BUFFER_PG", "profile", number))
        if profile is not None:
            listed.add(number)
            _group(port, base, *profile)
    _made_at_run_time(port, listed)


def _group(port: Builder, base: str, name: str, ats: tuple[At, ...]) -> None:
    settings = port.settings
    if not name:
        return
    if name == COMPUTED and port.context.computes:
        _computed(port, base, ats)
        return
    settings.set(f"{base}.profile", name, *ats)
    generated = _GENERATED.match(name)
    if generated is not None:
        settings.set(f"{base}.profile_speed_bps", int(generated.group(1)) * _MEGA, *ats)
        settings.set(f"{base}.profile_cable_m", int(generated.group(2)), *ats)
    told = (PROFILE, name) in port.objects or name in port.context.refused
    if name == generated_name(port) and not told and _is_made_from_a_table(port):
        settings.set(f"{base}.lossless", True, *ats, Cited(_BY_NAME))
        settings.forbid_default(base, Why.NOT_VISIBLE, *ats)
        return
    found = port.object(PROFILE, name, (base,), ats)
    if found is not None:
        _profile(port, base, found, ats)
    elif not port.lack.is_complete("groups") and (generated is not None or name == _LOSSY):
        settings.set(f"{base}.lossless", name != _LOSSY, *ats, Cited(_BY_NAME))


def _computed(port: Builder, base: str, ats: tuple[At, ...]) -> None:
    """The dynamic model: lossless, with numbers that only the device knows; no group at all for a cable of 0 m, or of no length.

    (sonic-swss, buffermgrdyn.cpp: a port is not ready, and its groups are skipped, until speed and cable length are there.)
    """
    cable = port.agreed(("cable_m",), port.values("CABLE_LENGTH", "length"))
    doubt = port.settings.unknown_at("cable_m")
    if doubt is not None:
        port.settings.set_cell(f"{base}.lossless", doubt)
        port.settings.forbid_default(base, Why.NOT_PARSED, *ats)
        return
    if cable is not None and cable[0] == 0:
        port.settings.set(f"{base}.lossless", False, *cable[1], *ats)
        return
    if cable is None and port.context.has_cables and port.context.dynamic and port.lack.is_complete("cable_m"):
        port.settings.set(f"{base}.lossless", False, *ats, Cited(_NO_LENGTH))
        return
    port.settings.set(f"{base}.lossless", True, *ats)
    port.settings.forbid_default(base, Why.NO_DEFAULT, *ats)
    running = _running(port)
    threshold = port.agreed((f"{base}.alpha",), port.device[PARAMETERS].values("default_dynamic_th"))
    if running is None and threshold is not None:
        port.settings.set(f"{base}.alpha", alpha_of(threshold[0]), *threshold[1])
    if running is not None:
        _profile(port, base, running, ats)


def _running(port: Builder) -> Leaves | None:
    """The profile that the device computed for the port's speed and cable, where a command showed exactly one."""
    stem = generated_name(port)
    if stem is None:
        return None
    found = [
        given
        for (table, name), given in port.objects.items()
        if table == PROFILE and name.startswith(stem.removesuffix("profile"))
    ]
    return found[0] if len(found) == 1 else None


def generated_name(port: Builder) -> str | None:
    """The name of the lossless profile for the port's speed and cable; None where either is not known, or none is made."""
    speed, cable = port.values("PORT", "speed"), port.values("CABLE_LENGTH", "length")
    if len({value for value, _ in speed}) != 1 or len({value for value, _ in cable}) != 1 or cable[0][0] is None:
        return None
    if any(value is False for value, _ in port.values("PORT", "default_lossless_buffer_profile")):
        return None
    return generated(str(speed[0][0]), f"{cable[0][0]}m")


def _is_made_from_a_table(port: Builder) -> bool:
    """Whether the device makes such a profile itself, from a table that is not at hand."""
    return port.context.lookup == "none" and not port.context.dynamic


def _profile(port: Builder, base: str, found: Leaves, ats: tuple[At, ...]) -> None:
    settings = port.settings
    port.unparsed(found, base)
    headroom = port.agreed((f"{base}.headroom_bytes",), found.values("xoff"))
    dynamic = [at for value, at in found.values("headroom_type") if value == "dynamic"]
    if headroom is not None:
        settings.set(f"{base}.headroom_bytes", headroom[0], *headroom[1], *ats)
        settings.set(f"{base}.lossless", True, *headroom[1], *ats)
    elif dynamic:
        settings.set(f"{base}.lossless", True, *dynamic, *ats)
        settings.set_cell(f"{base}.headroom_bytes", unknown(Why.NO_DEFAULT, *dynamic, *ats))
    else:
        lossy = port.default(PROFILE, "xoff", found, *ats)
        if lossy.is_absent:
            settings.set_cell(f"{base}.headroom_bytes", lossy)
            # a profile may be lossy, and then the row that names it is to blame: not where the profile says when to go on again
            at = lossy.at if found.values("xon") else tuple(dict.fromkeys((*ats, *lossy.at)))
            settings.set(f"{base}.lossless", False, *at)
        elif found.values("pool") and found.values("size") and not found.values("xon"):
            settings.set(f"{base}.lossless", False, *ats, *found.begins)  # a definition, even in part of a datastore
    settings.set_cell(f"{base}.reserved_bytes", port.cell(f"{base}.reserved_bytes", found, PROFILE, "size", *ats))
    if headroom is not None or dynamic or found.values("xon"):
        settings.set_cell(f"{base}.xon_at_bytes", port.cell(f"{base}.xon_at_bytes", found, PROFILE, "xon", *ats))
    offset = port.agreed((f"{base}.xon_offset_bytes",), found.values("xon_offset"))
    if offset is not None:
        settings.set(f"{base}.xon_offset_bytes", offset[0], *offset[1], *ats)
    _threshold(port, base, found, ats)
    _pool(port, base, found, ats, lossless=headroom is not None or bool(dynamic))


def _threshold(port: Builder, base: str, found: Leaves, ats: tuple[At, ...]) -> None:
    """alpha = 2^dynamic_th, and -8 means 0; a static_th is the occupancy in bytes at which XOFF is sent, or a lossy group is full."""
    settings = port.settings
    lossless = settings.get(f"{base}.lossless") if settings.unknown_at(f"{base}.lossless") is None else None
    alpha, level = f"{base}.alpha", f"{base}.xoff_at_bytes"
    dynamic = port.agreed((alpha,), found.values("dynamic_th"))
    static = port.agreed((level,), found.values("static_th"))
    if dynamic is not None:
        settings.set(alpha, alpha_of(dynamic[0]), *dynamic[1], *ats)
    if static is not None and lossless is not None and lossless.value is False:
        settings.set_absent(level, *static[1], *ats)
    elif static is not None:
        settings.set(level, static[0], *static[1], *ats)
    if dynamic is not None and static is not None:
        port.conflict(
            (alpha, level), (*dynamic[1], *static[1]), "a profile has a dynamic or a static threshold, not both"
        )
    elif dynamic is not None:
        settings.set_absent(level, *dynamic[1], *ats)
    elif static is not None:
        settings.set_absent(alpha, *static[1], *ats)
    else:
        for path in (alpha, level):
            settings.set_cell(path, port.default(PROFILE, "dynamic_th", found))


def _pool(port: Builder, base: str, found: Leaves, ats: tuple[At, ...], *, lossless: bool) -> None:
    settings = port.settings
    shared = f"{base}.headroom_is_shared"
    named = port.agreed((f"{base}.pool",), found.values("pool"))
    if named is None or not named[0]:
        for path in (f"{base}.pool", shared):
            settings.set_cell(path, port.default(PROFILE, "pool", found))
        return
    pool = port.object(POOL_TABLE, named[0], (f"{base}.pool", shared), (*named[1], *ats))
    if pool is None:
        return
    port.unparsed(pool, f"{base}.pool")
    settings.set(f"{base}.pool.name", named[0], *named[1], *ats)
    for field, leaf in (("size", "size_bytes"), ("mode", "mode")):
        path = f"{base}.pool.{leaf}"
        settings.set_cell(path, port.cell(path, pool, POOL_TABLE, field, *named[1], *ats))
    headroom_pool = _shared_headroom(port, f"{base}.pool.shared_headroom_bytes", pool)
    settings.set_cell(f"{base}.pool.shared_headroom_bytes", headroom_pool)
    if not lossless:
        settings.set_absent(shared, *found.begins, *ats)
    elif headroom_pool.is_known:
        settings.set(shared, True, *headroom_pool.at, *named[1])
    elif headroom_pool.is_absent:
        settings.set(shared, False, *headroom_pool.at, *named[1])
    elif headroom_pool.why is Why.NO_DEFAULT:
        # the ratio switches the shared headroom pool on; its size is computed by the device
        settings.set(shared, True, *headroom_pool.at)
    else:
        settings.set_cell(shared, headroom_pool)


def _shared_headroom(port: Builder, path: str, pool: Leaves) -> Cell[Any]:
    """Bytes of the shared headroom pool: the pool's own `xoff`, or computed where over_subscribe_ratio is not 0."""
    own = port.agreed((path,), pool.values("xoff"))
    doubt = port.settings.unknown_at(path)
    if doubt is not None:
        return doubt
    if own is not None and own[0] != 0:
        return known(own[0], *own[1])
    for leaves in (port.device[PARAMETERS], port.unplaced[PARAMETERS]):
        for _, at in leaves.unread():
            return unknown(Why.NOT_PARSED, at)
    said = port.device[PARAMETERS].values("over_subscribe_ratio")
    computed = [at for value, at in said if value != 0]
    if computed:
        return unknown(Why.NO_DEFAULT, computed[0])
    ats = [at for _, at in said]
    return absent(*own[1], *ats) if own is not None else port.default(POOL_TABLE, "xoff", pool, *ats)


def _made_at_run_time(port: Builder, listed: set[int]) -> None:
    """In the traditional model buffermgrd makes a group for each priority of pfc_enable once it knows speed and cable.

    A file that was written before holds none of them: their lack is no evidence. A cable of 0 m is: no group is made.
    With the table of headrooms at hand it is known what is made, and that nothing is for what is not in the table.
    """
    if not port.lack.is_complete("groups") or port.context.dynamic:
        return
    if port.settings.unknown_at("pfc.priorities") is not None:
        for number in set(range(8)) - listed:
            port.settings.forbid_default(f"groups.{number}", Why.NOT_VISIBLE)
        return
    enabled = port.agreed(("pfc.priorities",), port.values("PORT_QOS_MAP", "pfc_enable"))
    cable = port.agreed(("cable_m",), port.values("CABLE_LENGTH", "length"))
    name = generated_name(port)
    made = name is not None and port.context.lookup != "none" and (PROFILE, name) in port.objects
    for number in sorted((enabled[0] if enabled is not None else frozenset()) - listed):
        if cable is not None and cable[0] == 0:
            port.settings.set(f"groups.{number}.lossless", False, *cable[1])
        elif made and name is not None and enabled is not None:
            _group(port, f"groups.{number}", name, enabled[1])
        elif name is not None and port.context.lookup == "whole" and cable is not None:
            speed = [at for _, at in port.values("PORT", "speed")]
            port.settings.set(f"groups.{number}.lossless", False, *cable[1], *speed, Cited(_NOT_IN_TABLE))
        elif cable is not None or not port.context.has_cables or port.settings.unknown_at("cable_m") is not None:
            ats = enabled[1] if enabled is not None else ()
            if port.context.lookup == "none":  # beside a table of headrooms the device makes a row of its own
                port.settings.set_absent(f"groups.{number}.profile", *ats, Cited(_NO_ROW))
            port.settings.forbid_default(f"groups.{number}", Why.NOT_VISIBLE, *ats)
