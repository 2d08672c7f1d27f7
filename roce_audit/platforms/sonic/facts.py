"""From the statements that concern one port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from roce_audit.model import Port
from roce_audit.model.base import fact_types
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.sonic.defaults import DEFAULTS
from roce_audit.platforms.sonic.fold import Context, Fold, Problem
from roce_audit.platforms.sonic.groups import groups
from roce_audit.platforms.sonic.qos import classification, flow_control, maps, watchdog
from roce_audit.platforms.sonic.queues import queues
from roce_audit.platforms.sonic.tables import SHOWN
from roce_audit.text.block import Part
from roce_audit.text.fill import EVERYTHING, Lack, fill
from roce_audit.values import Why, absent

_MEGA = 10**6


@memoised
def read_port(parts: tuple[Part, ...], context: Context) -> tuple[Port, tuple[Problem, ...]]:
    """The facts of a port, and what was odd about them; equal statements give the same object."""
    return _read(Fold(parts, context))


def _read(fold: Fold) -> tuple[Port, tuple[Problem, ...]]:
    fold.spoil_rows()
    _interface(fold)
    classification(fold)
    maps(fold)
    flow_control(fold)
    watchdog(fold)
    queues(fold)
    groups(fold)
    port: Port = fill(Port, fold.settings, Lack(DEFAULTS, _complete(fold.context)))
    return port, tuple(fold.problems)


def _shown(fold: Fold) -> None:
    """What other commands show: PFC as it runs, and whatever the configuration leaves open."""
    settings = fold.settings
    for name, path, factor in (
        ("speed", "speed_bps", _MEGA),
        ("mtu", "ip_mtu_bytes", 1),
        ("fec", "fec", 1),
        ("admin_status", "admin_up", 1),
    ):
        if settings.get(path) is None:
            fold.put_agreed(path, fold.values(SHOWN, name), factor)
    if not fold.context.states_admin and settings.get("admin_up") is None:
        settings.forbid_default("admin_up", Why.NOT_VISIBLE)  # a datastore in which no port is up is not what runs
    running = fold.agreed("pfc.operational", fold.values(SHOWN, "pfc_enable"))
    down = [at for up, at in fold.values(SHOWN, "oper_status") if up is False]
    if running is not None and down:
        settings.set_cell("pfc.operational", absent(*down, *running[1]))
    elif running is not None:
        settings.set("pfc.operational", running[0], *running[1])


def _complete(context: Context) -> frozenset[str]:
    if not context.complete:
        return frozenset()
    if context.has_groups:
        return frozenset({EVERYTHING})
    return frozenset(fact_types(Port)) - {"groups"}


def _interface(fold: Fold) -> None:
    """PORT and CABLE_LENGTH. The MTU is that of an IP packet: SAI gets 22 bytes more (portsorch.cpp, setPortMtu)."""
    settings = fold.settings
    rows = fold.own.get("PORT", [])
    settings.set("kind", fold.context.kind, *[at for _, at in rows[:1]])
    fold.put_agreed("kind", fold.values("PORT", "role"))
    fold.put_agreed("speed_bps", fold.values("PORT", "speed"), _MEGA)
    for field in ("fec", "autoneg"):
        fold.put_agreed(field, fold.values("PORT", field))
    fold.put_agreed("admin_up", fold.values("PORT", "admin_status"))
    if fold.context.lag_unseen:
        for path in ("ip_mtu_bytes", "admin_up"):
            settings.set_unknown(
                path, Why.UNDEFINED if fold.context.complete else Why.NOT_VISIBLE, *[at for _, at in rows[:1]]
            )
    down = [at for value, at in fold.values("PORTCHANNEL", "admin_status") if value is False]
    if down:
        settings.set("admin_up", False, *down)
    # a member takes the MTU of its port channel
    fold.put_agreed("ip_mtu_bytes", fold.values("PORTCHANNEL", "mtu") or fold.values("PORT", "mtu"))
    _shown(fold)
    cable = fold.agreed("cable_m", fold.values("CABLE_LENGTH", "length"))
    if cable is not None and cable[0] is None:
        settings.set_cell("cable_m", absent(*cable[1]))
    elif cable is not None:
        settings.set("cable_m", cable[0], *cable[1])
