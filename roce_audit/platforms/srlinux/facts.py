"""From the statements that concern one SR Linux port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.shared.cli.builder import filled
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.srlinux.classify import classification, rewriting
from roce_audit.platforms.srlinux.defaults import (
    DEFAULTS,
    IP_MTU,
    L2_MTU,
    LLDP,
    PORT_MTU,
)
from roce_audit.platforms.srlinux.flow import flow_control
from roce_audit.platforms.srlinux.fold import Context, Fold, Object
from roce_audit.platforms.srlinux.queues import queues
from roce_audit.platforms.srlinux.subinterfaces import Subinterface, subinterfaces
from roce_audit.text.block import Part
from roce_audit.text.fill import Default
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_ETHERNET_BYTES = 14
_TAG_BYTES = 4


@memoised
def read_port(parts: tuple[Part, ...], context: Context) -> Port:
    """The facts of a port; equal statements give the same object."""
    fold = Fold(parts, context)
    for given in (fold.own, fold.behind, fold.qos, fold.system, *fold.attachments):
        fold.spoil(given)
    _interface(fold)
    subs = subinterfaces(fold)
    _mtu(fold, subs)
    classification(fold, subs)
    rewriting(fold, subs)
    flow_control(fold, subs)
    queues(fold)
    if context.lag_unseen:
        at = [at for _, at in fold.own.all("ethernet aggregate-id")]
        paths = ("ip_mtu_bytes", "dscp", "pcp", "policed", "rewrites_dscp", "pfc", "queues", "groups", "priorities")
        fold.dark((*paths, "classes.*.group", "link_pause_rx", "link_pause_tx"), fold.undefined, *at)
    return filled(fold.settings, context.complete, DEFAULTS)


def _interface(fold: Fold) -> None:
    settings, own = fold.settings, fold.own
    settings.set("kind", fold.context.kind)
    down = fold.behind.last("admin-state")
    _put(fold, "admin_up", down if down is not None and down[0] is False else own.last("admin-state"))
    _put(fold, "autoneg", own.last("ethernet auto-negotiate"))
    for leaf in ("ethernet forward-error-correction fec-option", "transceiver forward-error-correction"):
        _put(fold, "fec", own.last(leaf))
    for end, leaf in (("rx", "receive"), ("tx", "transmit")):
        _put(fold, f"link_pause_{end}", fold.logical.last(f"ethernet flow-control {leaf}"))
    for said, at in fold.parent.said:
        if said.unread and "speed_bps" in said.spoils:
            settings.set_unknown("speed_bps", Why.NOT_PARSED, at)
    _put(fold, "speed_bps", own.last("ethernet port-speed") or fold.parent.last("breakout-mode breakout-port-speed"))
    _lldp(fold)


def _put(fold: Fold, path: str, found: tuple[Any, At] | None) -> None:
    if found is not None:
        fold.settings.set(path, *found)


def _lldp(fold: Fold) -> None:
    """LLDP runs where the system's container is there and neither it nor the interface's is disabled."""
    system, own = fold.system.last("lldp admin-state"), fold.system.last("lldp interface * admin-state")
    if system is not None and system[0] is False:
        fold.settings.set("dcbx.lldp", False, system[1])
    elif own is not None:
        fold.settings.set("dcbx.lldp", *own)
    elif system is not None:
        fold.settings.set("dcbx.lldp", *system)
    elif fold.system.all("lldp") and fold.context.complete:
        fold.settings.set("dcbx.lldp", True, fold.system.all("lldp")[0][1], Cited(LLDP.source))


def _mtu(fold: Fold, subs: list[Subinterface]) -> None:
    """The largest IP packet: what the port's frame holds, and no more than its subinterfaces let through."""
    frame = _sized(fold, fold.logical, "mtu", "mtu default-port-mtu", PORT_MTU)
    tagged = fold.logical.last("vlan-tagging")
    limits = [_less(frame, _ETHERNET_BYTES + (_TAG_BYTES if tagged is not None and tagged[0] else 0))]
    each = [_of_subinterface(fold, sub) for sub in subs]
    if each and all(cell == each[0] for cell in each):
        limits.append(each[0])
    elif each:
        limits.append(unknown(Why.CONFLICT, *[at for cell in each for at in cell.at]))
    dark = next((cell for cell in limits if not cell.is_known), None)
    fold.settings.set_cell("ip_mtu_bytes", dark if dark is not None else min(limits, key=lambda c: c.get()))


def _of_subinterface(fold: Fold, sub: Subinterface) -> Cell[Any]:
    if sub.routed:
        return _sized(fold, fold.logical, "subinterface * ip-mtu", "mtu default-ip-mtu", IP_MTU, sub.index)
    frame = _sized(fold, fold.logical, "subinterface * l2-mtu", "mtu default-l2-mtu", L2_MTU, sub.index)
    return _less(frame, _ETHERNET_BYTES + (_TAG_BYTES if sub.tagged else 0))


def _sized(fold: Fold, given: Object, leaf: str, device_wide: str, default: Default, *keys: str) -> Cell[Any]:
    found = given.last(leaf, *keys) or fold.system.last(device_wide)
    if found is not None:
        return known(*found)
    if not fold.context.complete:
        return unknown(Why.NOT_VISIBLE)
    return known(default.value, Cited(default.source))


def _less(cell: Cell[Any], overhead: int) -> Cell[Any]:
    return Cell(cell.get() - overhead, None, cell.at) if cell.is_known else cell
