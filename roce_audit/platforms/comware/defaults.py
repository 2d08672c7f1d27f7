"""Documented defaults of Comware, and what they rest on."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.text.fill import Default

_UNVERIFIED = "(source: unverified)"
_PFC = "H3C Layer 2 LAN Switching Configuration Guide, PFC"
_RDMA = "H3C S6805 & S6825 & S6850 & S9850 & S9820 RDMA Technical Reference"
_MAPS = "HP 6125XLG ACL and QoS Configuration Guide, Priority trust mode on a port"
_WRED = "HPE 5130 HI ACL and QoS Command Reference, queue (WRED table view)"
_TRUST = "HPE FlexFabric 12500 ACL and QoS Command Reference, qos trust: the port priority is trusted by default"

OWN_GROUP = f"{_PFC}: the thresholds of the ingress buffer are set for 802.1p priorities, so each is a group of its own"
NO_PFC = f"{_PFC}: PFC is disabled on all interfaces by default"
NO_PRIORITIES = f"{_PFC}: PFC is disabled for all 802.1p priorities by default"
NO_INTERVAL = f"{_PFC}: the deadlock detection interval of a CoS value is not set by default"
FORWARDING = f"{_PFC}: packets are forwarded during the delay timer of the recovery by default"
UNKNOWN_CELL = (
    256,
    f"{_RDMA}: thresholds are cells, of 208 bytes on the S9820-64H; other models are taken to have 256 bytes {_UNVERIFIED}",
)
"""Bytes of a cell where nobody knows them, and who says so."""
CELLS = {"S9820-64H": (208, f"{_RDMA}: a cell of the S9820-64H has 208 bytes")}
"""Beginning of a model's name -> bytes of a cell, and who says so."""
STEPS = f"{_RDMA}, ingress-buffer dynamic: the ratio is rounded to a step of alpha"
SHARED_BUFFER = (
    f"{_RDMA}: all queues share the cells of the switch; other models are taken to do the same {_UNVERIFIED}"
)
JUMBO = (
    "H3C Layer 2 LAN Switching Configuration Guide, jumboframe enable: it sets the largest frame, 22 bytes more than the IP packet"
    " of a tagged frame"
)
NO_JUMBO = "H3C S6850 Layer 2 LAN Switching Configuration Guide: frames above 1,536 bytes are discarded where jumbo frames are denied"
ROUTED = (
    "H3C S6850 Layer 2 LAN Switching Configuration Guide, Setting the MTU for a Layer 3 interface: IP packets above it are fragmented,"
    " and RoCEv2 forbids that; HPE 7500 command reference, mtu: where there is an ip mtu, that one counts"
)
WRED_TABLE = f"{_WRED}: the drop probability is 10 percent by default"
_TAIL_DROP = f"{_WRED}: without a table tail drop applies"
PROBABILITY = 10
_EXPONENT = "HP FlexFabric 11900 ACL and QoS Configuration Guide, WRED: the weighting constant is 9 by default"

ONE_PATH = (
    "HPE FlexFabric 12900 Layer 3 IP Routing Command Reference, balance: load balancing is not enabled by default"
)

DEFAULTS: dict[str, Default] = (
    PAIRED_DEFAULTS
    | {
        "admin_up": Default(True, "H3C WX6600 Interface Configuration Guide: by default an Ethernet interface is up"),
        "speed_bps": Default(None, "no speed statement: automatic"),
        "cable_m": Default(None, "Comware has no cable length statement"),
        "trust": Default("none", _TRUST),
        "rewrites_dscp": Default(frozenset(), "no policy and no table gives DSCPs new values"),
        "policed": Default(False, "no policer bound"),
        "pfc.mode": Default("off", NO_PFC),
        "pfc.priorities": Default(frozenset(), NO_PRIORITIES),
        "pfc.receive_only": Default(frozenset(), f"{_PFC}: PFC sends and obeys pause"),
        "pfc.send_only": Default(frozenset(), f"{_PFC}: PFC sends and obeys pause"),
        "pfc.watchdog.restore_ms": Default(
            None, f"{_PFC}: recovery is automatic or by hand, and its time is no setting"
        ),
        "pfc.watchdog.on": Default(False, f"{_PFC}: deadlock detection is disabled by default"),
        "pfc.watchdog.action": Default("forward", FORWARDING),
        "pfc.watchdog.poll_ms": Default(None, f"chosen by the device {_UNVERIFIED}"),
        "link_pause_rx": Default(False, f"flow-control is not enabled by default {_UNVERIFIED}"),
        "link_pause_tx": Default(False, f"flow-control is not enabled by default {_UNVERIFIED}"),
        "queues.*.ecn": Default(None, _TAIL_DROP),
        "queues.*.ecn.weight": Default(9, _EXPONENT),
        "queues.*.max_rate_bps": Default(None, "no qos gts and no qos lr"),
        "queues.*.limit_bytes": Default(None, f"{_RDMA}: queues have a dynamic share of the shared area"),
        "classes.*.mtu_bytes": Default(None, "Comware has one MTU a port"),
        "classes.*.new_dscp": Default(None, "no policy or table writes DSCPs"),
        "groups.*.lossless": Default(False, NO_PRIORITIES),
        "dcbx.willing": Default(False, f"PFC is configured, unless its mode is auto {_UNVERIFIED}"),
    }
    | {
        f"{below}.{number}.group": Default(number, OWN_GROUP, unless_said=True)
        for below in ("classes", "priorities")
        for number in range(8)
    }
)

MAPS: dict[str, Default] = (
    {f"dscp.{code_point}": Default(code_point // 8, f"{_MAPS}, table 4") for code_point in range(64)}
    | {
        f"queue.{priority}": Default(queue, f"{_MAPS}, table 3", unless_said=priority == queue)
        for priority, queue in enumerate((2, 0, 1, 3, 4, 5, 6, 7))
    }
    | {"port": Default(0, f"{_MAPS}, and the port priority is 0 by default")}
)
"""The 802.1p priority of a DSCP and the queue of an 802.1p priority where no table says it; `port`: the port priority."""
