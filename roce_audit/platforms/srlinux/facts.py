"""From the statements that concern one SR Linux port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.srlinux.builder import Builder, Context
from roce_audit.platforms.srlinux.classify import classification, rewriting
from roce_audit.platforms.srlinux.flow import flow_control
from roce_audit.platforms.srlinux.queues import queues
from roce_audit.platforms.srlinux.subinterfaces import Subinterface, subinterfaces
from roce_audit.text.block import Part
from roce_audit.text.fill import fill
from roce_audit.values import At, Cell, Where, Why, known, unknown

_ETHERNET_BYTES = 14
_TAG_BYTES = 4


@memoised
def read_port(parts: tuple[Part, ...], context: Context) -> Port:
    """The facts of a port; equal statements give the same object."""
    builder = Builder(parts, context)
    for given in (
        builder.own,
        builder.behind,
        builder.qos,
        builder.system,
        builder.lldp,
        *builder.attachments,
    ):
        builder.unparsed(given)
    _interface(builder)
    subs = subinterfaces(builder)
    _mtu(builder, subs)
    classification(builder, subs)
    rewriting(builder, subs)
    flow_control(builder, subs)
    queues(builder)
    if context.dropping:
        builder.settings.set("drops_roce", True, *context.dropping)
    if context.lag_unseen:
        at = [at for _, at in builder.own.all("ethernet aggregate-id")]
        paths = ("ip_mtu_bytes", "dscp", "pcp", "policed", "rewrites_dscp", "pfc", "queues", "groups", "priorities")
        of_lag = ("lacp", "lacp_rate", "min_links")
        builder.set_unknown(
            (*paths, *of_lag, "classes.*.group", "link_pause_rx", "link_pause_tx"), builder.lack.undefined, *at
        )
    port: Port = fill(Port, builder.settings, builder.lack)
    return port


def _interface(builder: Builder) -> None:
    settings, own = builder.settings, builder.own
    settings.set("kind", builder.context.kind)
    down = builder.behind.last("admin-state")
    _put(builder, "admin_up", down if down is not None and down[0] is False else own.last("admin-state"))
    _put(builder, "autoneg", own.last("ethernet auto-negotiate"))
    for leaf in ("ethernet forward-error-correction fec-option", "transceiver forward-error-correction"):
        _put(builder, "fec", own.last(leaf))
    for end, leaf in (("rx", "receive"), ("tx", "transmit")):
        _put(builder, f"link_pause_{end}", builder.logical.last(f"ethernet flow-control {leaf}"))
    for parsed, at in builder.parent.statements:
        if parsed.unread and "speed_bps" in (parsed.paths or ()):
            settings.set_unknown("speed_bps", Why.NOT_PARSED, at)
    _put(
        builder,
        "speed_bps",
        own.last("ethernet port-speed") or builder.parent.last("breakout-mode breakout-port-speed"),
    )
    _put(
        builder, "forwarding.hash_uses_ports", builder.system.last("load-balancing hash-options source-port")
    )  # in the hash unless it is taken out
    _channel(builder)
    _lldp(builder)


def _channel(builder: Builder) -> None:
    """How a member is in its LAG: as the LAG says, else as the data model does where the whole LAG is seen."""
    behind = builder.behind
    if not behind.statements:
        return
    kind, kind_at = _said_or_default(builder, "lag lag-type")
    if kind == "lacp":
        mode, at = _said_or_default(builder, "lag lacp lacp-mode")
        if mode is not None:
            builder.settings.set("lacp", mode, *at, *kind_at)
        rate, at = _said_or_default(builder, "lag lacp interval")
        if rate is not None:
            builder.settings.set("lacp_rate", rate, *at, *kind_at)
    elif kind is not None:
        builder.settings.set("lacp", kind, *kind_at)
    _put(builder, "min_links", behind.last("lag min-links"))


def _said_or_default(builder: Builder, leaf: str) -> tuple[Any, tuple[Where, ...]]:
    """What a leaf of the LAG holds and who says so; None where nobody does."""
    said = builder.behind.last(leaf)
    if said is not None:
        return said[0], (said[1],)
    default = builder.lack.otherwise(leaf)
    return default.value_or_none(), default.at


def _put(builder: Builder, path: str, found: tuple[Any, At] | None) -> None:
    if found is not None:
        builder.settings.set(path, *found)


def _lldp(builder: Builder) -> None:
    """LLDP runs where the system's container is there and neither it nor the interface's is disabled."""
    system, own = builder.system.last("lldp admin-state"), builder.lldp.last("admin-state")
    if system is not None and system[0] is False:
        builder.settings.set("dcbx.lldp", False, system[1])
    elif own is not None:
        builder.settings.set("dcbx.lldp", *own)
    elif system is not None:
        builder.settings.set("dcbx.lldp", *system)
    else:
        container = builder.system.values("lldp")
        default = builder.lack.otherwise("lldp admin-state", *[at for _, at in container[:1]])
        if container and default.is_known:
            builder.settings.set_cell("dcbx.lldp", default)


def _mtu(builder: Builder, subs: list[Subinterface]) -> None:
    """The largest IP packet: what the port's frame holds, and no more than its subinterfaces let through."""
    frame = _sized(builder, builder.logical, "mtu", "mtu default-port-mtu")
    tagged = builder.logical.last("vlan-tagging")
    limits = [_less(frame, _ETHERNET_BYTES + (_TAG_BYTES if tagged is not None and tagged[0] else 0))]
    each = [_of_subinterface(builder, sub) for sub in subs]
    if each and all(cell == each[0] for cell in each):
        limits.append(each[0])
    elif each:
        limits.append(unknown(Why.CONFLICT, *[at for cell in each for at in cell.at]))
    not_known = next((cell for cell in limits if not cell.is_known), None)
    builder.settings.set_cell(
        "ip_mtu_bytes", not_known if not_known is not None else min(limits, key=lambda c: c.get())
    )


def _of_subinterface(builder: Builder, sub: Subinterface) -> Cell[Any]:
    if sub.routed:
        return _sized(builder, builder.logical, "subinterface * ip-mtu", "mtu default-ip-mtu", sub.index)
    frame = _sized(builder, builder.logical, "subinterface * l2-mtu", "mtu default-l2-mtu", sub.index)
    return _less(frame, _ETHERNET_BYTES + (_TAG_BYTES if sub.tagged else 0))


def _sized(builder: Builder, given: Leaves, leaf: str, device_wide: str, *keys: str) -> Cell[Any]:
    found = given.last(leaf, *keys) or builder.system.last(device_wide)
    return known(*found) if found is not None else builder.lack.otherwise(device_wide)


def _less(cell: Cell[Any], overhead: int) -> Cell[Any]:
    return Cell(cell.get() - overhead, None, cell.at) if cell.is_known else cell
