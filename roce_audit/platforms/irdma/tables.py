"""Tables of Intel NICs."""

from __future__ import annotations

COMMANDS = ("devlink -j dev param show",)
"""Run once a host; what belongs to one NIC comes with the bundle of `host-probe`."""

_DCB = "dcb -j {ets,pfc,app} show dev DEV, or lldptool -ti DEV"
_CONTROL = "grep -r . /sys/kernel/config/irdma/RDMA-DEVICE (only where that directory exists already)"

NEEDS = {
    "dscp": _DCB,
    "pcp": _DCB,
    "trust": _DCB,
    "pfc": _DCB,
    "queues": _DCB,
    "classes": _DCB,
    "priorities": _DCB,
    "groups": _DCB,
    "dcbx": "ethtool --show-priv-flags DEV",
    "kind": "devlink dev param show, or grep . /sys/class/infiniband/*/node_type",
    "ip_mtu_bytes": "ip -j -d link show",
    "link_pause_rx": "ethtool -a DEV",
    "link_pause_tx": "ethtool -a DEV",
    "nic.rdma_device": "rdma -j link show",
    "nic.gids": "show_gids",
    "nic.dcqcn": _CONTROL,
}

OWN_TOOLS = frozenset({"ice private flags"})
"""Tools whose lone answers this platform takes."""
