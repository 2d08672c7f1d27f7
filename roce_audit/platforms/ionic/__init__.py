"""AMD Pollara and Pensando NICs (driver ionic): single answers of nicctl. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.record import Live, NicSetups, Parts, Platform
from roce_audit.platforms.shared.host.signature import lone_answers


def _load() -> Parts:
    from roce_audit.platforms.ionic.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="ionic",
    kind="host",
    load=_load,
    is_nic_family=True,
    comment="#",
    signature=lone_answers(frozenset({"nicctl qos", "nicctl dcqcn", "nicctl port", "nicctl card", "nicctl lif"})),
    commands=(
        "nicctl show card --json",
        "nicctl show lif --json",
        "nicctl show port",
        "nicctl show qos",
        "nicctl show dcqcn",
        "modinfo ionic",
        "cat /sys/module/ionic/parameters/*",
    ),
    needs={
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
    },
    live=Live(access="probe"),
    programs=("nicctl",),
    underscored=r"ionic_\d+",
    nics=NicSetups(
        folders=("/opt/amd/ainic/bin",),
        slow_programs="nicctl",
        tools="nicctl",
        call_words=("nicctl update ",),
        calls="nicctl update ",
        kernel_modules=("ionic",),
        rdma_modules=("ionic", "ionic_rdma"),
    ),
)
