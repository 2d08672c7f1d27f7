"""From the statements that concern one port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from roce_audit.model import Port
from roce_audit.platforms.cumulus.builder import Builder, Context
from roce_audit.platforms.cumulus.classify import classification, remarking
from roce_audit.platforms.cumulus.flow import flow_control, link_pause, watchdog
from roce_audit.platforms.cumulus.queues import curves, mapping, scheduling, shaping
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.path.builder import Problem
from roce_audit.text.block import Part
from roce_audit.text.fill import fill
from roce_audit.values import Cited, Why, absent, known, unknown

_BONDS = "Cumulus Linux User Guide, Bonding - Link Aggregation: IEEE 802.3ad is the default mode of a bond"
POLICERS = "acl * inbound"
"""The statement that names an access list which arriving packets pass."""
FILTERS = (POLICERS, "acl * outbound")
"""The statements that name one which packets pass in either direction."""
_SEGMENT = ("identifier", "mac-address", "local-id")
_RELEASES = "what storage-optimized sets differs between releases: the datapath files tell"


@memoised
def read_port(parts: tuple[Part, ...], context: Context) -> tuple[Port, tuple[Problem, ...]]:
    """The facts of a port, and what was odd about them; equal statements give the same object."""
    port = Builder(parts, context)
    _interface(port)
    _older_macro(port)
    classification(port)
    remarking(port)
    mapping(port)
    scheduling(port)
    shaping(port)
    curves(port)
    flow_control(port)
    link_pause(port)
    watchdog(port)
    _forwarding(port)
    facts: Port = fill(Port, port.settings, port.lack)
    return facts, tuple(port.problems)


def _interface(port: Builder) -> None:
    settings = port.settings
    settings.set("kind", port.context.kind)
    for name, path, channel_first in (
        ("link speed", "speed_bps", False),
        ("link fec", "fec", False),
        ("link auto-negotiate", "autoneg", False),
        ("link state", "admin_up", False),
        ("link mtu", "ip_mtu_bytes", True),  # a member takes the MTU of its bond
        ("operational-pfc", "pfc.operational", False),
        ("pfc-shown-off", "pfc.shown_off", False),
    ):
        said = port.port_says(name, channel_first=channel_first)
        if said is not None:
            settings.set_cell(path, absent(said[1]) if said[0] is None else known(*said))
    if port.macro is not None:
        settings.set("dcbx.mode", "ieee", *port.macro_at, Cited(port.macro.source))
    _channel(port)
    _policers(port)


def _channel(port: Builder) -> None:
    """How a member is in its bond; two switches with one MLAG id, or one Ethernet segment, make one bond."""
    around, settings = port.channel if port.context.is_member else port.own, port.settings
    mode = around.last("bond mode")
    if mode is not None:
        settings.set("lacp", *mode)
    elif port.context.is_member and port.lack.is_complete("lacp") and settings.unknown_at("lacp") is None:
        settings.set("lacp", "active", Cited(_BONDS))
    for name, path in (("lacp-rate", "lacp_rate"), ("min-links", "min_links")):
        said = around.last(f"bond {name}")
        if said is not None:
            settings.set(path, *said)
    mlag = around.last("bond mlag id")
    segment = [s for name in _SEGMENT if (s := around.last(f"evpn multihoming segment {name}")) is not None]
    if mlag is not None:
        settings.set("shared_channel", f"mlag {mlag[0]}", mlag[1])
    elif segment:
        settings.set("shared_channel", f"segment {' '.join(str(s[0]) for s in segment)}", *(s[1] for s in segment))


def _forwarding(port: Builder) -> None:
    wide = port.wide("forwarding", "")
    for leaf, path in (("ecmp-hash source-port", "hash_uses_ports"), ("hash-seed", "hash_seed")):
        said = wide.last(leaf)
        if said is not None:
            port.settings.set(f"forwarding.{path}", *said)
    for name in ("enable", "state"):
        said = port.port_says(f"router adaptive-routing {name}")
        if said is not None:
            port.settings.set("forwarding.sprays", *said)
    _tunnels(port)


def _tunnels(port: Builder) -> None:
    """The outer DSCP of a VXLAN tunnel is a fixed one only where the action is `set`; else it follows the packet."""
    vxlan, settings = port.wide("vxlan", ""), port.settings
    source = vxlan.last("source address")
    if source is not None:
        settings.set("forwarding.tunnels", True, source[1])
    action, value = vxlan.last("encapsulation dscp action"), vxlan.last("encapsulation dscp value")
    if action is None:
        return
    if action[0] != "set":
        settings.set_absent("forwarding.tunnel_fixed_dscp", action[1])
    elif value is not None:
        settings.set("forwarding.tunnel_fixed_dscp", *value)
    else:
        settings.set_cell("forwarding.tunnel_fixed_dscp", unknown(Why.NO_DEFAULT, action[1]))


def _policers(port: Builder) -> None:
    lists = dict(port.context.policing)
    bound = [(str(leaf.keys[0]), at) for leaf, at in port.own.all(POLICERS)]
    policing = [(polices_roce, at) for name, at in bound if (polices_roce := lists.get(name)) is not None]
    unseen = [at for name, at in bound if name not in lists]
    meeting = [at for polices_roce, at in policing if polices_roce]
    if meeting:
        port.settings.set("policed", True, *meeting)
    elif unseen:
        port.settings.set_cell("policed", unknown(Why.NOT_VISIBLE, *unseen))
        port.settings.set_cell("policed_dscps", unknown(Why.NOT_VISIBLE, *unseen))
    elif policing:
        ats = [at for _, at in policing]
        port.settings.set("policed", True, *ats)
        port.settings.set("policed_dscps", frozenset[int](), *ats)
    for name, place in port.context.dropping:
        for direction in FILTERS:
            for _, at in port.own.all(direction, name):
                port.settings.set("drops_roce", True, place, at)
    for name, dscp, place in port.context.remarking:
        for direction in FILTERS:
            for _, at in port.own.all(direction, name):
                if dscp is None:
                    port.settings.set_cell("rewrites_dscp", unknown(Why.NOT_VISIBLE, place, at))
                    continue
                port.settings.set("rewrites_dscp", frozenset(range(8)), place, at)
                for number in range(8):
                    port.settings.set(f"classes.{number}.new_dscp", dscp, place, at)


def _older_macro(port: Builder) -> None:
    """`net add interface X storage-optimized`: what it sets stands in the datapath files."""
    said = port.port_says("qos storage-optimized")
    if said is not None:
        for path in ("pfc", "groups", "queues", "dscp", "pcp", "trust"):
            port.settings.forbid_default(path, Why.NO_DEFAULT, said[1], Cited(_RELEASES))
