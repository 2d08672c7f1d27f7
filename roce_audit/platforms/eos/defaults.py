"""What EOS has of itself: documented defaults; read-only commands, what would show the rest, the chips of its models."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.text.fill import Default

_MANUAL = "Arista EOS User Manual, Quality of Service"


def _default_class(dscp: int) -> int:
    return {0: 1, 1: 0}.get(dscp // 8, dscp // 8)


ONE_PATH = "Arista, TOI on BGP multipath: maximum-paths is 1 by default"

DEFAULTS: dict[str, Default] = PAIRED_DEFAULTS | {
    "forwarding.tunnel_dscp_from": Default(
        "class",
        "Arista EOS User Manual, VXLAN DSCP Mapping, and TOI: the outer DSCP comes from the traffic class by default",
    ),
    "admin_up": Default(True, "Arista EOS User Manual, Ethernet Ports: ports are enabled unless shut down"),
    "speed_bps": Default(None, "no speed statement: automatic"),
    "fec": Default(None, "no error-correction statement: chosen by the transceiver"),
    "autoneg": Default(None, "not configured"),
    "cable_m": Default(None, "EOS has no cable length statement"),
    "classes.*.new_dscp": Default(None, f"{_MANUAL}: no rewrite unless configured"),
    "rewrites_dscp": Default(frozenset(), f"{_MANUAL}: no rewrite unless configured"),
    "policed": Default(False, "no policer bound"),
    "pfc.mode": Default("off", "Arista EOS User Manual, DCBX and Flow Control: PFC is disabled by default"),
    "pfc.priorities": Default(frozenset(), "Arista EOS User Manual, DCBX and Flow Control: PFC is disabled by default"),
    "pfc.receive_only": Default(frozenset(), "EOS has no asymmetric PFC"),
    "pfc.send_only": Default(frozenset(), "EOS has no asymmetric PFC"),
    "pfc.operational": Default(None, "no show priority-flow-control was read"),
    "pfc.overrides_link_pause": Default(
        True,
        "Arista EOS User Manual, DCBX and Flow Control: an interface configured for PFC is disabled for flow control",
    ),
    "pfc.watchdog.on": Default(False, "Arista EOS: the PFC watchdog is off unless configured"),
    "pfc.watchdog.priorities": Default(None, "the EOS watchdog watches all no-drop priorities of the port"),
    "pfc.watchdog.action": Default("drop", "the EOS watchdog drops what is in a stuck queue (source: unverified)"),
    "pfc.watchdog.poll_ms": Default(None, "chosen by the device unless configured (source: unverified)"),
    "pfc.watchdog.least_polls": Default(
        2,
        "EOS: the polling interval is at most half of timeout and recovery time (source: unverified)",
        unless_said=True,
    ),
    "link_pause_rx": Default(False, "Arista EOS User Manual, DCBX and Flow Control: flow control off by default"),
    "link_pause_tx": Default(False, "Arista EOS User Manual, DCBX and Flow Control: flow control off by default"),
    "queues.*.ecn": Default(None, f"{_MANUAL}: ECN marking is off unless configured"),
    "queues.*.max_rate_bps": Default(None, f"{_MANUAL}: no shaping unless configured"),
    "queues.*.limit_bytes": Default(None, "EOS limits queues dynamically unless an MMU profile says otherwise"),
    "queues.*.ecn.drops": Default(False, "random-detect ecn marks, it does not drop ECN-capable packets"),
    "queues.*.share": Default(None, "no bandwidth statement"),
    "queues.*.share_kind": Default("percent_at_most", f"{_MANUAL}: bandwidth percent is a guarantee"),
    "classes.*.mtu_bytes": Default(None, "EOS has one MTU a port"),
    "groups.*.lossless": Default(False, "a priority is lossy unless made no-drop"),
    "dcbx.mode": Default("off", "Arista EOS User Manual, DCBX and Flow Control: DCBX is off by default"),
    "dcbx.lldp": Default(True, "Arista EOS User Manual, LLDP: enabled by default"),
}
for _i in range(8):
    DEFAULTS[f"classes.{_i}.queue"] = Default(_i, f"{_MANUAL}: traffic class N uses transmit queue N")
    DEFAULTS[f"classes.{_i}.group"] = Default(_i, f"{_MANUAL}: PFC priority N protects traffic class N")
    DEFAULTS[f"priorities.{_i}.group"] = Default(_i, f"{_MANUAL}: PFC priority N protects traffic class N")
    DEFAULTS[f"priorities.{_i}.queue"] = Default(_i, f"{_MANUAL}: pause for priority N stops transmit queue N")

PAUSED = tuple(
    path
    for path in DEFAULTS
    if path.startswith("priorities.") or (path.startswith("classes.") and path.endswith(".group"))
)
"""What no statement can change: it holds in a fragment as well."""

DEFAULTS |= {
    f"dscp.{d}": Default(_default_class(d), f"{_MANUAL}: default DSCP to traffic class map") for d in range(64)
}
DEFAULTS |= {
    f"pcp.{c}": Default({0: 1, 1: 0}.get(c, c), f"{_MANUAL}: default CoS to traffic class map") for c in range(8)
}

_BY_WAY: Mapping[bool, Mapping[str, Default]] = {
    True: {
        "trust": Default("dscp", f"{_MANUAL}: a routed port trusts DSCP"),
        "ip_mtu_bytes": Default(1500, "Arista EOS User Manual, Data Transfer: default MTU 1500 of a routed interface"),
    },
    False: {
        "trust": Default("pcp", f"{_MANUAL}: a switched port trusts CoS"),
        "ip_mtu_bytes": Default(9214, "Arista EOS, show interfaces: Ethernet MTU 9214 bytes of a switched port"),
    },
}
OF_PORTS: Mapping[bool | None, Mapping[str, Default]] = {
    None: DEFAULTS,
    **{routes: {**DEFAULTS, **more} for routes, more in _BY_WAY.items()},
}
"""Whether a port routes (None: nobody knows) -> what holds where nothing is said."""

WATCHDOG_EVERYWHERE = (
    "Arista AI Network Fabric Deployment Guide: with a default timeout the watchdog acts on all PFC ports"
)
WATCHDOG_WRITTEN_OUT = "the watchdog as `show running-config all` writes it out for each port"
RATE_UNIT = "shape rate: a number without a unit is in kbit/s (source: unverified)"
HEADROOM_POOL = "platform trident mmu headroom-pool limit: headroom is a pool of the chip (source: unverified)"


ASIC_OF_MODEL = (
    ("7060X6", "tomahawk5", "shared_on_chip"),
    ("7060DX5", "tomahawk4", "shared_on_chip"),
    ("7060PX5", "tomahawk4", "shared_on_chip"),
    ("7060DX4", "tomahawk3", "shared_on_chip"),
    ("7060PX4", "tomahawk3", "shared_on_chip"),
    ("7060CX2", "tomahawk+", "shared_on_chip"),
    ("7060CX", "tomahawk", "shared_on_chip"),
    ("7260CX3", "tomahawk2", "shared_on_chip"),
    ("7050", "trident", "shared_on_chip"),
    ("7280", "jericho", "voq"),
    ("7500", "jericho", "voq"),
    ("7800", "jericho", "voq"),
    ("7020", "jericho", "voq"),
)
"""Model prefix, chip family, buffer architecture. source: unverified; used for reports and to leave rules unasked, never as an error."""
