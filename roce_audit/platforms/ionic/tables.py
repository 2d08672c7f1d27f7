"""Tables of AMD NICs."""

from __future__ import annotations

COMMANDS = (
    "nicctl show card --json",
    "nicctl show lif --json",
    "nicctl show port",
    "nicctl show qos",
    "nicctl show dcqcn",
)
"""Run once a host: nicctl answers for all cards."""

NEEDS = {
    "dscp": "nicctl show qos",
    "pcp": "nicctl show qos",
    "trust": "nicctl show qos",
    "pfc": "nicctl show qos, nicctl show port",
    "queues": "nicctl show qos",
    "classes": "nicctl show qos",
    "priorities": "nicctl show qos",
    "groups": "nicctl show qos",
    "ip_mtu_bytes": "ip -j -d link show",
    "link_pause_rx": "nicctl show port",
    "link_pause_tx": "nicctl show port",
    "speed_bps": "nicctl show port",
    "fec": "nicctl show port",
    "nic.rdma_device": "rdma -j link show",
    "nic.rdma_mtu_bytes": "nicctl show lif --json",
    "nic.gids": "show_gids",
    "nic.dcqcn": "nicctl show dcqcn",
    "nic.cnp_dscp": "nicctl show dcqcn",
}

OWN_TOOLS = frozenset({"nicctl qos", "nicctl dcqcn", "nicctl port", "nicctl card", "nicctl lif"})
"""Tools whose lone answers this platform takes."""
