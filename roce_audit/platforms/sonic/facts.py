"""From the statements that concern one port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from roce_audit.model import Port
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.path.builder import Problem
from roce_audit.platforms.sonic.builder import Builder, Context
from roce_audit.platforms.sonic.groups import groups
from roce_audit.platforms.sonic.qos import classification, flow_control, maps, watchdog
from roce_audit.platforms.sonic.queues import queues
from roce_audit.platforms.sonic.table import FILTERED, SHOWN
from roce_audit.text.block import Part
from roce_audit.text.fill import fill
from roce_audit.values import Why

_MEGA = 10**6


@memoised
def read_port(parts: tuple[Part, ...], context: Context) -> tuple[Port, tuple[Problem, ...]]:
    """The facts of a port, and what was odd about them; equal statements give the same object."""
    port = Builder(parts, context)
    port.unparsed_rows()
    if not context.has_groups:
        port.settings.forbid_default("groups", Why.NOT_VISIBLE)
    _interface(port)
    classification(port)
    maps(port)
    flow_control(port)
    watchdog(port)
    queues(port)
    groups(port)
    port.set_agreed("drops_roce", port.values(FILTERED, "PACKET_ACTION"))
    dropped = port.values(FILTERED, "DSCP")
    if dropped:
        port.settings.set("drops_dscps", frozenset(dscp for dscp, _ in dropped), *(at for _, at in dropped))
    port.set_agreed("forwarding.hash_uses_ports", port.device["SWITCH_HASH"].values("ecmp_hash"))
    port.set_agreed("forwarding.tunnels", port.device["VXLAN_TUNNEL"].values("src_ip"))
    _tunnel_mark(port)
    facts: Port = fill(Port, port.settings, port.lack)
    return facts, tuple(port.problems)


def _tunnel_mark(port: Builder) -> None:
    """The outer DSCP is a fixed one in pipe mode alone (sonic-mgmt-framework, actioner of VXLAN: `qos-mode`, `dscp`)."""
    tunnel, path = port.device["VXLAN_TUNNEL"], "forwarding.tunnel_fixed_dscp"
    mode = port.agreed((path,), tunnel.values("qos-mode"))
    if mode is not None and mode[0] == "pipe":
        port.set_agreed(path, tunnel.values("dscp"))
    elif mode is not None:
        port.settings.set_absent(path, *mode[1])


def _shown(port: Builder) -> None:
    """What other commands show: PFC as it runs, speed and FEC of a port that is up, and whatever the configuration leaves open."""
    settings = port.settings
    for name, path, factor in (
        ("speed", "speed_bps", _MEGA),
        ("mtu", "ip_mtu_bytes", 1),
        ("fec", "fec", 1),
        ("admin_status", "admin_up", 1),
    ):
        if settings.get(path) is None:
            port.set_agreed(path, port.values(SHOWN, name), factor)
    _corrected(port)
    if not port.row("PORTCHANNEL").begins and not port.context.lag_unseen:  # a member has the MTU of its channel
        _differing(port, "mtu", "mtu", "ip_mtu_bytes", " B", 1)
    states = [is_up for is_up, _ in port.values(SHOWN, "oper_status")]
    if states and all(states):
        _differing(port, "speed", "speed", "speed_bps", " Mbit/s", _MEGA)
        _differing(port, "fec", "fec", "fec", "", 1)
    if not port.context.states_admin and settings.get("admin_up") is None:
        settings.forbid_default("admin_up", Why.NOT_VISIBLE)  # a datastore in which no port is up is not what runs
    running = port.agreed(("pfc.operational",), port.values(SHOWN, "pfc_enable"))
    down = [at for up, at in port.values(SHOWN, "oper_status") if up is False]
    if running is not None and down:
        settings.set_absent("pfc.operational", *down, *running[1])
    elif running is not None:
        settings.set("pfc.operational", running[0], *running[1])
        if not running[0]:  # a switch sets PFC up whether or not a port has a link
            settings.set("pfc.shown_off", True, *running[1])


def _corrected(port: Builder) -> None:
    """The code that runs, as another answer shows it of links that are up: for ports whose configuration leaves it open, and against it."""
    running = port.values(SHOWN, "fec_oper")
    if running and all(up for up, _ in port.values(SHOWN, "oper_status")):
        if port.settings.get("fec") is None:
            port.set_agreed("fec", running)
        if running[-1][0] not in [
            code for code, _ in port.values(SHOWN, "fec")
        ]:  # where another answer tells it already
            _differing(port, "fec", "fec_oper", "fec", "", 1)


def _differing(port: Builder, name: str, running: str, path: str, unit: str, factor: int) -> None:
    """What runs otherwise than it is configured (sonic-mgmt, test_verify_fec_oper_mode: the table shows what runs)."""
    negotiated = name == "speed" and any(value for value, _ in port.values("PORT", "autoneg"))
    written, shown = port.values("PORT", name), port.values(SHOWN, running)
    if not written or not shown or written[-1][0] in (shown[-1][0], "auto") or negotiated:
        return
    (before, configured), (now, at) = written[-1], shown[-1]
    port.problems.append(Problem(at, configured, f"{name}: {before}{unit} is configured, and {now}{unit} runs"))
    port.settings.set(path, now * factor, at)


def _interface(port: Builder) -> None:
    """PORT and CABLE_LENGTH. The MTU is that of an IP packet: SAI gets 22 bytes more (portsorch.cpp, setPortMtu)."""
    settings = port.settings
    begins = port.row("PORT").begins
    settings.set("kind", port.context.kind, *begins)
    port.set_agreed("kind", port.values("PORT", "role"))
    port.set_agreed("speed_bps", port.values("PORT", "speed"), _MEGA)
    for field in ("fec", "autoneg"):
        port.set_agreed(field, port.values("PORT", field))
    port.set_agreed("admin_up", port.values("PORT", "admin_status"))
    if port.context.lag_unseen:
        for path in ("ip_mtu_bytes", "admin_up"):
            settings.set_unknown(path, port.lack.undefined, *begins)
    down = [at for value, at in port.values("PORTCHANNEL", "admin_status") if value is False]
    if down:
        settings.set("admin_up", False, *down)
    # a member takes the MTU of its port channel
    port.set_agreed("ip_mtu_bytes", port.values("PORTCHANNEL", "mtu") or port.values("PORT", "mtu"))
    channel = port.row("PORTCHANNEL").begins
    if channel:  # teammgrd runs teamd with an active LACP runner for each port channel (sonic-swss, cfgmgr/teammgr.cpp)
        settings.set("lacp", "active", *channel)
    port.set_agreed("lacp_rate", port.values("PORTCHANNEL", "fast_rate"))
    port.set_agreed("min_links", port.values("PORTCHANNEL", "min_links"))
    shared = port.values("MCLAG_INTERFACE", "channel")
    if shared:  # both switches of a pair call it by one name (SONiC MCLAG enhancements HLD, MCLAG_INTERFACE)
        settings.set("shared_channel", f"mclag {shared[0][0]}", *[at for _, at in shared])
    _shown(port)
    cable = port.agreed(("cable_m",), port.values("CABLE_LENGTH", "length"))
    if cable is not None and cable[0] is None:
        settings.set_absent("cable_m", *cable[1])
    elif cable is not None:
        settings.set("cable_m", cable[0], *cable[1])
