"""From the statements that concern one Junos port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.junos.builder import Builder, Context
from roce_audit.platforms.junos.classify import Classification, rewriting
from roce_audit.platforms.junos.flow import flow_control
from roce_audit.platforms.junos.queues import queues
from roce_audit.platforms.shared.cli.syntax import UNCLEAR
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.text.block import Part
from roce_audit.text.fill import fill
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_ETHERNET_BYTES = 14
_TAG_BYTES = 4
_CHASSIS = ("pic * port * speed", "pic * port * channel-speed")
_NO_COPY = "vxlan-disable-copy-tos"
_ZERO = Cited(
    "Juniper CLI reference, vxlan-disable-copy-tos-decap: the DSCP of an outer header into which nothing is copied is 0"
)
_OPTIONS = ("ether-options", "gigether-options")
_AGGREGATED = "aggregated-ether-options"
_LACP = {"lacp": "passive", "lacp periodic": "passive", "lacp passive": "passive", "lacp active": "active"}
"""What runs LACP: it waits for its partner unless it is active (Junos CLI Reference, lacp (Aggregated Ethernet))."""


@memoised
def read_port(parts: tuple[Part, ...], context: Context) -> Port:
    """The facts of a port; equal statements give the same object."""
    builder = Builder(parts, context)
    leaves = (builder.own, builder.behind, builder.cos, builder.lldp, builder.dcbx, builder.bound, builder.forwarding)
    for given in leaves:
        builder.unparsed(given)
    builder.unparsed(builder.shown)
    _shown(builder)
    _interface(builder)
    _mtu(builder)
    classes = Classification(builder)
    classes.apply()
    rewriting(builder)
    flow_control(builder, classes)
    queues(builder)
    _hash(builder)
    _tunnels(builder)
    if context.lag_unseen:
        at = [found[1] for found in (builder.own.last(f"{stanza} 802.3ad") for stanza in _OPTIONS) if found is not None]
        paths = ("ip_mtu_bytes", "dscp", "pcp", "trust", "policed", "rewrites_dscp")
        builder.set_unknown(paths, builder.lack.undefined, *at)
    port: Port = fill(Port, builder.settings, builder.lack)
    return port


def _shown(builder: Builder) -> None:
    """What holds where the configuration says nothing; the MTU is one of its frames, as that is."""
    _put(builder, "speed_bps", builder.shown.last("speed"))
    _put(builder, "fec", builder.shown.last("fec"))
    _put(builder, "link_up", builder.shown.last("link"))
    unpaused = builder.shown.last("congestion-notification")
    _put(builder, "pfc.operational", unpaused)
    if unpaused is not None:  # a binding, which asks for no link
        builder.put("pfc.shown_off", True, unpaused[1])
    for path in ("link_pause_rx", "link_pause_tx"):
        _put(builder, path, builder.shown.last("flow-control"))


def _interface(builder: Builder) -> None:
    if builder.context.kind == UNCLEAR:
        builder.settings.set_unknown("kind", Why.NOT_PARSED, *[at for _, at in builder.own.unread()])
    else:
        builder.settings.set("kind", builder.context.kind)
    down = builder.behind.last("disable") or builder.own.last("disable")
    place = down[1] if down is not None else builder.all_units_down
    if place is not None:
        builder.put("admin_up", False, place)
    for stanza in _OPTIONS:
        _flag(builder, builder.own, "autoneg", f"{stanza} auto-negotiation", f"{stanza} no-auto-negotiation")
        _put(builder, "fec", builder.own.last(f"{stanza} fec"))
        for leaves in (builder.behind, builder.own):
            for end in ("rx", "tx"):
                path = f"link_pause_{end}"
                _flag(builder, leaves, path, f"{stanza} flow-control", f"{stanza} no-flow-control")
                _put(builder, path, leaves.last(f"{stanza} configured-flow-control {end}-buffers"))
    _speed(builder)
    _channel(builder)
    _protocols(builder)


def _channel(builder: Builder) -> None:
    """How the members of an aggregated interface are in it: without a protocol, unless it runs LACP."""
    around = builder.logical
    member = next((s for o in _OPTIONS if (s := builder.own.last(f"{o} 802.3ad")) is not None), None)
    if member is not None and builder.context.lag_unseen:
        builder.set_unknown(("lacp", "shared_channel"), builder.lack.undefined, member[1])
    elif member is not None:
        builder.put("lacp", "static", member[1])
    for leaf, mode in _LACP.items():
        said = around.last(f"{_AGGREGATED} {leaf}")
        if said is not None:
            builder.put("lacp", mode, said[1])
    _put(builder, "lacp_rate", around.last(f"{_AGGREGATED} lacp periodic"))
    _put(builder, "min_links", around.last(f"{_AGGREGATED} minimum-links"))
    for what, leaf in (("mc-ae", f"{_AGGREGATED} mc-ae mc-ae-id"), ("esi", "esi")):
        for name, at in around.values(leaf):
            if name not in ("all-active", "single-active"):
                builder.put("shared_channel", f"{what} {name}", at)
    for way, at in around.values("esi auto-derive"):
        builder.put("shared_channel", _derived_esi(around, str(way)), at)


def _derived_esi(around: Leaves, way: str) -> str:
    """What the segment is called: by what the switch itself says in LACP, where that is written; else by what its partner says."""
    said = [around.last(f"{_AGGREGATED} lacp {leaf}") for leaf in ("system-id", "admin-key")]
    own = [str(one[0]) for one in said if one is not None] if way.startswith("lacp") else []
    return " ".join(("esi auto", *own)) if len(own) == len(said) else "esi auto"


def _flag(builder: Builder, leaves: Leaves, path: str, on: str, off: str) -> None:
    """Set `path` by which of two words is there."""
    for leaf, value in ((on, True), (off, False)):
        found = leaves.last(leaf)
        if found is not None:
            builder.put(path, value, found[1])


def _put(builder: Builder, path: str, found: tuple[Any, At] | None) -> None:
    if found is not None:
        builder.put(path, *found)


def _speed(builder: Builder) -> None:
    """The interface's own statement, that of the port that is split, that of the chassis."""
    found = builder.own.last("speed") or builder.parent.last("speed")
    found = found or next((s for o in _OPTIONS if (s := builder.own.last(f"{o} speed")) is not None), None)
    if found is None and builder.context.port:
        keys = tuple(builder.context.port.split())
        for leaf, at in builder.chassis.statements:
            said = leaf.value
            if said is not None and said.name in _CHASSIS and tuple(map(str, said.keys)) == keys:
                found = (said.value, at)
    for leaves in (builder.parent, builder.chassis):
        for parsed, at in leaves.statements:
            if parsed.unread and "speed_bps" in (parsed.paths or ()):
                builder.settings.set_unknown("speed_bps", Why.NOT_PARSED, at)
    if found is not None and found[0] is not None:
        builder.put("speed_bps", *found)


def _protocols(builder: Builder) -> None:
    """LLDP and DCBX run on the interfaces that they name, `all` included; a name of one's own wins."""
    for leaves, path, running in ((builder.lldp, "dcbx.lldp", True), (builder.dcbx, "dcbx.mode", "on")):
        off = leaves.last("disable") or leaves.last("interface * disable")
        on = leaves.last("interface *")
        version = leaves.last("interface * dcbx-version")
        if off is not None:
            builder.put(path, False if running is True else "off", off[1])
        elif version is not None:
            builder.put(path, *version)
        elif on is not None:
            builder.put(path, running, on[1])


def _hash(builder: Builder) -> None:
    """The ports are in the hash of QFX and EX unless they are taken out (Juniper CLI reference, enhanced-hash-key)."""
    _flag_of(builder, "enhanced-hash-key inet no-l4-source-port", "forwarding.hash_uses_ports", False)


def _tunnels(builder: Builder) -> None:
    """QFX5000 copies the ToS byte into the outer header of a VXLAN packet, and back, unless it is told not to."""
    _flag_of(builder, "vtep-source-interface", "forwarding.tunnels", True)
    _flag_of(builder, f"{_NO_COPY}-decap", "forwarding.tunnel_keeps_marks", False)
    _flag_of(builder, f"{_NO_COPY}-encap", "forwarding.tunnel_keeps_marks", False)
    _flag_of(builder, f"{_NO_COPY}-encap", "forwarding.tunnel_fixed_dscp", 0, _ZERO)


def _flag_of(builder: Builder, leaf: str, path: str, value: object, *cited: Cited) -> None:
    found = builder.forwarding.last(leaf)
    if found is not None:
        builder.put(path, value, found[1], *cited)


def _mtu(builder: Builder) -> None:
    """The largest IP packet: what the frame of the interface holds, and no more than its units let through."""
    given = builder.logical
    tagged = given.last("vlan-tagging") or given.last("flexible-vlan-tagging")
    frames = [found for found in (given.last("mtu"), builder.shown.last("mtu")) if found is not None]
    frame = min(frames, key=lambda each: each[0]) if frames else None  # where less runs than is written, less fits
    cell: Cell[Any] = (
        known(frame[0], *builder.where(frame[1])) if frame is not None else builder.otherwise("mtu", "ip_mtu_bytes")
    )
    if cell.is_known:
        trunk = given.last("unit * family ethernet-switching interface-mode")
        extra = _TAG_BYTES if tagged is not None or (trunk is not None and trunk[0] == "trunk") else 0
        cell = Cell(cell.get() - _ETHERNET_BYTES - extra, None, cell.at)
    limits = [cell]
    for family in ("inet", "inet6"):
        sizes = [(given.last(f"unit * family {family} mtu", number)) for number in builder.units]
        told = [size for size in sizes if size is not None]
        if told and all(size[0] == told[0][0] for size in told):
            limits.append(known(told[-1][0], *builder.where(told[-1][1])))
        elif told:
            limits.append(unknown(Why.CONFLICT, *[size[1] for size in told]))
    doubt = next((each for each in limits if not each.is_known), None)
    builder.settings.set_cell("ip_mtu_bytes", doubt if doubt is not None else min(limits, key=lambda each: each.get()))
