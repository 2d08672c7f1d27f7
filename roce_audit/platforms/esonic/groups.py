"""Ingress priority groups of one port: the lossless buffers of the device, and the profiles bound to the port."""

from __future__ import annotations

import re

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.defaults import HEADROOM_POOL, ROCE_DESIGN
from roce_audit.platforms.esonic.port import EsonicPort
from roce_audit.platforms.esonic.profiles import Profile, gathered
from roce_audit.values import At, Cited, Why

GENERATED = re.compile(r"pg_lossless_([0-9]{1,8})_([0-9]{1,7})m_profile\Z")
LOSSY = "ingress_lossy_profile"
_MEGA = 10**6


def groups(port: EsonicPort) -> None:
    """Each group by its bound profile, else by what `buffer init lossless` or `roce enable` makes of it."""
    mode = _lossless_mode(port)
    bound = port.named("groups")
    for number in range(8):
        base = f"groups.{number}"
        name, at = bound.get(number, (None, None))
        if name is not None and at is not None:
            _bound(port, base, name, at)
        elif mode is not None:
            _made(port, base, number, mode)


def _lossless_mode(port: EsonicPort) -> At | None:
    """The statement that gives the device its lossless buffers."""
    init, roce = port.last(st.BufferInit), port.last(st.Roce)
    if init is not None and init[0].on:
        return init[1]
    return roce[1] if roce is not None and roce[0].on else None


def _made(port: EsonicPort, base: str, number: int, mode: At) -> None:
    """The device makes lossless buffers for two groups; their numbers are in a table of the platform."""
    cited = Cited(ROCE_DESIGN)
    profile = port.last(st.DefaultProfile)
    if number not in port.lossless_priorities:
        if number in port.pfc:  # releases differ in which groups they can make lossless
            port.settings.forbid_default(base, Why.NO_DEFAULT, mode)
        else:
            port.settings.set(f"{base}.lossless", False, mode, cited)
        return
    if profile is not None and not profile[0].on:
        port.settings.set(f"{base}.lossless", False, profile[1], cited)
        return
    port.settings.set(f"{base}.lossless", True, mode, cited)
    port.settings.forbid_default(base, Why.NO_DEFAULT, mode)
    # it is generated for the port's own speed and cable, with a dynamic threshold
    for leaf in ("profile", "profile_speed_bps", "profile_cable_m", "xoff_at_bytes"):
        port.settings.set_absent(f"{base}.{leaf}", mode, cited)
    _pool(port, base, HEADROOM_POOL, (mode, cited))


def _bound(port: EsonicPort, base: str, name: str, at: At) -> None:
    settings = port.settings
    settings.set(f"{base}.profile", name, at)
    generated = GENERATED.match(name)
    lines = port.definitions.lines("bufprofile", name)
    if generated is not None:
        settings.set(f"{base}.profile_speed_bps", int(generated.group(1)) * _MEGA, at)
        settings.set(f"{base}.profile_cable_m", int(generated.group(2)), at)
    else:
        settings.set_absent(f"{base}.profile_speed_bps", at)
        settings.set_absent(f"{base}.profile_cable_m", at)
    if lines is not None:
        _profile(port, base, gathered(lines), at)
    elif generated is not None:
        settings.set(f"{base}.lossless", True, at)
        settings.forbid_default(base, Why.NO_DEFAULT, at)
        _pool(port, base, HEADROOM_POOL, (at,))
    elif name == LOSSY:
        settings.set(f"{base}.lossless", False, at)
    else:
        settings.set_unknown(base, port.lack.undefined, at)


def _profile(port: EsonicPort, base: str, profile: Profile, at: At) -> None:
    """`pause-threshold` is the headroom that a group may take from the pool, as CONFIG_DB's xoff is."""
    settings = port.settings
    given, ats = profile.given, (*profile.places, at)
    for parsed, where in profile.unread:
        for path in parsed.paths or ():
            settings.set_unknown(f"{base}.{path}", Why.NOT_PARSED, where)
    settings.forbid_default(base, Why.NO_DEFAULT, *ats)
    pause = given.get("pause")
    if pause is not None:
        settings.set(f"{base}.lossless", True, pause[1], at)
        settings.set(f"{base}.headroom_bytes", pause[0], pause[1], at)
        if "pool" in given:
            _pool(port, base, str(given["pool"][0]), (given["pool"][1], at))
    elif profile.is_whole:
        settings.set(f"{base}.lossless", False, *ats)
        settings.set_absent(f"{base}.headroom_bytes", *ats)
        settings.set_absent(f"{base}.headroom_is_shared", *ats)
    else:
        for leaf in ("lossless", "headroom_bytes", "headroom_is_shared"):
            settings.set_cell(f"{base}.{leaf}", port.lack.otherwise(f"{base}.{leaf}", *ats))
    for name, leaf in (
        ("size", "reserved_bytes"),
        ("resume", "xon_at_bytes"),
        ("offset", "xon_offset_bytes"),
        ("static", "xoff_at_bytes"),
    ):
        if name in given:
            settings.set(f"{base}.{leaf}", given[name][0], given[name][1], at)
    if "dynamic" in given:
        power, where = given["dynamic"]
        settings.set(f"{base}.alpha", 0.0 if power == -8 else 2.0 ** int(str(power)), where, at)
        settings.set_absent(f"{base}.xoff_at_bytes", where, at)
    elif "static" in given:
        settings.set_absent(f"{base}.alpha", given["static"][1], at)
        if pause is None and profile.is_whole:  # nothing is paused at what a lossy group may hold
            settings.set_absent(f"{base}.xoff_at_bytes", given["static"][1], at)


def _pool(port: EsonicPort, base: str, name: str, ats: tuple[At | Cited, ...]) -> None:
    """The pool keeps a shared headroom; its sizes are the platform's unless a statement gives the headroom's."""
    settings = port.settings
    settings.set(f"{base}.headroom_is_shared", True, *ats, Cited(ROCE_DESIGN))
    settings.set(f"{base}.pool.name", name, *ats)
    given = port.last(st.BufferPool)
    if given is not None and given[0].name == name and given[0].headroom is not None:
        settings.set(f"{base}.pool.shared_headroom_bytes", given[0].headroom, given[1])
