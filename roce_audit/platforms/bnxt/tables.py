"""Tables of Broadcom NICs."""

from __future__ import annotations

COMMANDS = ("niccli --list_devices", "niccli --listdev")
"""Run once a host; both generations of the tool, of which one answers."""

_QOS = "niccli --dev N qos --ets --show, or dcb -j {pfc,ets,app} show dev DEV"
_CONTROL = "cat /sys/kernel/config/bnxt_re/RDMA-DEVICE/ports/1/cc/apply (only where that directory exists already)"

NEEDS = {
    "dscp": _QOS,
    "pcp": _QOS,
    "trust": _QOS,
    "pfc": _QOS,
    "queues": _QOS,
    "classes": _QOS,
    "priorities": _QOS,
    "groups": _QOS,
    "ip_mtu_bytes": "ip -j -d link show",
    "link_pause_rx": "ethtool -a DEV",
    "link_pause_tx": "ethtool -a DEV",
    "nic.rdma_device": "rdma -j link show",
    "nic.gids": "show_gids",
    "nic.dcqcn": _CONTROL,
    "nic.cnp_dscp": _CONTROL,
    "nic.cnp_priority": _CONTROL,
}

OWN_TOOLS = frozenset({"niccli qos", "niccli list", "niccli dscp2prio", "niccli pri2cos", "bnxt_re cc dump"})
"""Tools whose lone answers this platform takes."""
