"""What VRP has of itself: built-in names and documented defaults, those of one chip family below its name."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.platforms.shared.references import Name
from roce_audit.text.fill import Default

BUILTIN: frozenset[Name] = frozenset(
    (kind, "default") for kind in ("pfcprofile", "etsprofile", "dropprofile", "domain")
) | {("domain", "none")}
"""Profiles that every switch has; a configuration may change them."""

_GUIDE = "CloudEngine 6800/8800 V300R023C00 configuration guide"
_COMMANDS = "CloudEngine 6800/8800 V300R023C00 command reference"
_MAPS = f"{_GUIDE}, Default Settings for Priority Mapping"
_NO_PFC = f"{_COMMANDS}, dcb pfc enable: no PFC profile is applied to an interface by default"
_NO_DCBX = f"{_COMMANDS}, lldp tlv-enable: all TLVs but those of DCBX are sent by default"

SAME_QUEUE = f"{_MAPS}: BE, AF1-4, EF, CS6, CS7 are queues 0 to 7, and PFC names a queue by its number"
ALWAYS_WATCHED = f"{_GUIDE}, Enabling PFC: deadlock detection is always enabled"
POOL_NEEDED = (
    f"{_GUIDE}, Enabling PFC: the headroom pool is mandatory for CE6855, CE6863E, CE6885, CE8851-32CQ4BQ, CE8855"
)
BY_TAG = f"{_COMMANDS}, dcb pfc dscp-mapping enable: without it backpressure goes by the 802.1p priority"
DYNAMIC = f"{_COMMANDS}, dcb pfc buffer: the threshold is dynamic"

ONE_PATH = "Huawei CloudEngine Command Reference, maximum load-balancing: 1 by default, no load balancing"

DEFAULTS: dict[str, Default] = PAIRED_DEFAULTS | {
    "admin_up": Default(True, f"{_COMMANDS}, shutdown: physical interfaces are started after power-on"),
    "speed_bps": Default(None, f"{_COMMANDS}, speed: the highest rate of the interface, which its name does not tell"),
    "fec": Default(None, f"{_COMMANDS}, fec mode: depends on the medium and on auto-negotiation"),
    "autoneg": Default(None, f"{_COMMANDS}, negotiation disable: left to the medium unless configured"),
    "cable_m": Default(None, "VRP has no cable length statement (long-distance mode is not read)"),
    "policed": Default(False, f"{_COMMANDS}, qos car inbound: no CAR profile is applied by default"),
    "rewrites_dscp": Default(frozenset(), f"{_COMMANDS}, qos phb marking: PHBs are not mapped to DSCP by default"),
    "pfc.mode": Default("off", _NO_PFC),
    "pfc.priorities": Default(frozenset(), _NO_PFC),
    "pfc.receive_only": Default(frozenset(), "VRP has no statement for PFC in one direction"),
    "pfc.send_only": Default(frozenset(), "VRP has no statement for PFC in one direction"),
    "pfc.overrides_link_pause": Default(False, f"{_COMMANDS}, flow-control: PFC and flow control exclude one another"),
    "pfc.watchdog.priorities": Default(None, ALWAYS_WATCHED),
    "pfc.watchdog.poll_ms": Default(None, "chosen by the chip"),
    "link_pause_rx": Default(False, f"{_COMMANDS}, flow-control: disabled by default"),
    "link_pause_tx": Default(False, f"{_COMMANDS}, flow-control: disabled by default"),
    "dcbx.lldp": Default(False, f"{_COMMANDS}, lldp enable: LLDP is disabled globally by default"),
    "dcbx.mode": Default("off", _NO_DCBX),
    "queues.*.ecn": Default(None, f"{_COMMANDS}, qos queue wred: no drop profile is applied by default"),
    "queues.*.scheduling": Default("strict", f"{_COMMANDS}, qos pq drr lpq: PQ by default"),
    "queues.*.share": Default(None, f"{_COMMANDS}, qos pq drr lpq: PQ by default"),
    "queues.*.share_kind": Default("weight", f"{_COMMANDS}, qos queue drr: weights are relative"),
    "queues.*.max_rate_bps": Default(None, f"{_COMMANDS}, qos lr: the maximum bandwidth of the interface"),
    "queues.*.limit_bytes": Default(None, f"{_COMMANDS}, qos buffer queue: not configured by default"),
    "classes.*.mtu_bytes": Default(None, "VRP has no MTU of a class"),
    "classes.*.new_dscp": Default(None, f"{_COMMANDS}, qos phb marking: PHBs are not mapped to DSCP by default"),
    "groups.*.lossless": Default(False, _NO_PFC),
}

OWN: dict[str, Default] = (
    {
        "routed": Default(False, f"{_COMMANDS}, portswitch: an Ethernet interface works in Layer 2 mode by default"),
        "mtu": Default(1500, f"{_COMMANDS}, mtu: 1500 bytes by default"),
        "jumbo": Default(9216, f"{_COMMANDS}, jumboframe enable: frames of up to 9216 bytes by default"),
        "trust": Default("unsaid", f"{_MAPS}: tags are trusted on Layer 2, DSCP on Layer 3"),
        "interval": Default(10, f"{_COMMANDS}, dcb pfc deadlock-detect interval: 10 ms by default"),
        "pool": Default(None, f"{_COMMANDS}, qos buffer headroom-pool: not configured by default"),
        "mapping": Default(None, BY_TAG),
        "pfc.none": Default(frozenset(), _NO_PFC),
        "pfc.3": Default(True, f"{_COMMANDS}, priority (DCB PFC view): PFC is enabled for priority 3 by default"),
        "port": Default(0, f"{_MAPS}: the priority of an interface is 0"),
        "said": Default(None, "the block says nothing of it"),
        "weight": Default(1, f"{_COMMANDS}, qos queue drr: the weight is 1 by default"),
        "ce8855.headroom": Default(256_000, f"{_COMMANDS}, dcb pfc buffer: headroom of 256 kbytes"),
        "ce8855.reserved": Default(1_600, f"{_COMMANDS}, dcb pfc buffer: guaranteed 1600 bytes"),
        "ce8855.offset": Default(6_000, f"{_COMMANDS}, dcb pfc buffer: xon offset of 6 kbytes"),
        "ce8855.xoff": Default(None, DYNAMIC),
        "ce6866.xoff": Default(125_000, f"{_COMMANDS}, dcb pfc buffer: xoff static 125 kbytes"),
        "ce6866.xon": Default(100_000, f"{_COMMANDS}, dcb pfc buffer: xon static 100 kbytes"),
        "ce8855.action": Default("forward", f"{_COMMANDS}, dcb pfc deadlock recovery-behavior: forwarding"),
        "ce6866.action": Default("drop", f"{_COMMANDS}, dcb pfc deadlock recovery-behavior: discard"),
        "detect": Default(100.0, f"{_COMMANDS}, priority deadlock-detect time: 100 ms by default"),
        "restore": Default(100.0, f"{_COMMANDS}, priority deadlock-recovery time: 100 ms by default"),
    }
    | {f"pcp.{p}": Default(p, f"{_MAPS}, table 2") for p in range(8)}
    | {f"dscp.{d}": Default(d // 8, f"{_MAPS}, table 3") for d in range(64)}
    | {
        f"outbound.{queue}": Default(dscp, f"{_MAPS}, table 6")
        for queue, dscp in enumerate((0, 10, 18, 26, 34, 46, 48, 56))
    }
    | {f"ets.{q}": Default(15 if q > 5 else int(q == 3), f"{_COMMANDS}, priority-group queue") for q in range(8)}
    | {f"ets.weight.{g}": Default(50, f"{_COMMANDS}, priority-group drr: 50 each by default") for g in (0, 1)}
)
"""Defaults of what is no field of the model: of profiles and domains, and those from which a field is worked out."""
