"""Intel E800 NICs (drivers ice and irdma): single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.record import Live, NicSetups, Parts, Platform
from roce_audit.platforms.shared.host.signature import lone_answers

_DCB = "dcb -j {ets,pfc,app} show dev DEV, or lldptool -ti DEV"
_CONTROL = "grep -r . /sys/kernel/config/irdma/RDMA-DEVICE (only where that directory exists already)"


def _load() -> Parts:
    from roce_audit.platforms.irdma.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="irdma",
    kind="host",
    load=_load,
    is_nic_family=True,
    comment="#",
    signature=lone_answers(frozenset({"ice private flags"})),
    commands=(
        "devlink -j dev param show",
        "modinfo ice",
        "cat /sys/module/irdma/parameters/* /sys/module/ice/parameters/*",
        "cat /sys/kernel/config/irdma/RDMA-DEVICE/*",
    ),
    needs={
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
    },
    live=Live(access="probe"),
    underscored=r"irdma_?\d+",
    nics=NicSetups(
        kernel_modules=("irdma", "ice"),
        rdma_modules=("irdma",),
        call_words=("options irdma ",),
        calls=r"echo [\"']options irdma ",
        begins=r"options[ \t]{1,8}irdma[ \t]",
    ),
)
