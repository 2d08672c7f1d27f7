"""Broadcom NetXtreme-E NICs (BCM57xxx, Thor): single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.record import Live, NicSetups, Parts, Platform
from roce_audit.platforms.shared.host.signature import lone_answers

_QOS = "niccli --dev N qos --ets --show, or dcb -j {pfc,ets,app} show dev DEV"
_CONTROL = "cat /sys/kernel/config/bnxt_re/RDMA-DEVICE/ports/1/cc/apply (only where that directory exists already)"


def _load() -> Parts:
    from roce_audit.platforms.bnxt.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="bnxt",
    kind="host",
    load=_load,
    is_nic_family=True,
    comment="#",
    signature=lone_answers(
        frozenset({"niccli qos", "niccli list", "niccli dscp2prio", "niccli pri2cos", "bnxt_re cc dump"})
    ),
    commands=(
        "niccli --list_devices",  # both generations of the tool, of which one answers
        "niccli --listdev",
        "modinfo bnxt_en",
        "cat /sys/module/bnxt_re/parameters/*",
        "cat /sys/kernel/config/bnxt_re/RDMA-DEVICE/ports/*/cc/*",
        "cat /sys/kernel/debug/bnxt_re/RDMA-DEVICE/info",
    ),
    needs={
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
    },
    live=Live(access="probe"),
    programs=("niccli", "bnxt_setupcc.sh", "bnxtqos"),
    underscored=r"bnxt_setupcc|bnxt_re(?:_bond)?\d+",
    nics=NicSetups(
        folders=("/opt/niccli",),
        slow_programs=r"niccli|bnxt\w*",
        scripts=("bnxt_*",),
        tools="bnxt_setupcc|niccli",
        call_words=("niccli -", "niccli.x86_64 -", "bnxt_setupcc", "bnxtqos ", "/bnxt_re/"),
        calls=r"niccli(?:\.x86_64)? -|bnxt_setupcc\.sh |bnxtqos |kernel/config/bnxt_re/[^/ ]{1,80}/ports/\d",
        kernel_modules=("bnxt",),
        rdma_modules=("bnxt_en", "bnxt_re"),
        files=("/etc/bnxt_re/bnxt_re.conf",),
        begins=r"(?:ENABLE_FC|FC_MODE|ROCE_PRI|ROCE_DSCP)=[\"']?[0-9]",
    ),
)
