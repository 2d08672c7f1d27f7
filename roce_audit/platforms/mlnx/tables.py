"""Tables of NVIDIA NICs."""

from __future__ import annotations

COMMANDS = ("ibdev2netdev", "show_gids")
"""Run once a host; what belongs to one NIC comes with the bundle of `host-probe`."""

NEEDS = {
    "dscp": "mlnx_qos -i DEV",
    "pcp": "mlnx_qos -i DEV",
    "trust": "mlnx_qos -i DEV",
    "pfc": "mlnx_qos -i DEV",
    "queues": "mlnx_qos -i DEV -a",
    "classes": "mlnx_qos -i DEV -a",
    "priorities": "mlnx_qos -i DEV -a",
    "groups": "mlnx_qos -i DEV",
    "cable_m": "mlnx_qos -i DEV",
    "ip_mtu_bytes": "ip -j -d link show",
    "link_pause_rx": "ethtool -a DEV",
    "link_pause_tx": "ethtool -a DEV",
    "nic.rdma_device": "ibdev2netdev",
    "nic.gids": "show_gids",
    "nic.dcqcn": "grep -r . /sys/class/net/DEV/ecn, or /sys/kernel/debug/mlx5/PCI/cc_params as root",
    "nic.cnp_dscp": "grep -r . /sys/class/net/DEV/ecn, or /sys/kernel/debug/mlx5/PCI/cc_params as root",
    "nic.cnp_priority": "grep -r . /sys/class/net/DEV/ecn, or /sys/kernel/debug/mlx5/PCI/cc_params as root",
    "nic.next_boot": "mlxconfig -d PCI -e query",
}

OWN_TOOLS = frozenset({"mlnx_qos", "mlxconfig", "show_gids", "ibdev2netdev"})
"""Tools whose lone answers this platform takes."""
