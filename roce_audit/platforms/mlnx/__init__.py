"""NVIDIA ConnectX and BlueField NICs: single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.record import Live, NicSetups, Parts, Platform
from roce_audit.platforms.shared.host.signature import lone_answers

_SIDES = ("np", "rp")
"""Notification point and reaction point."""


def _load() -> Parts:
    from roce_audit.platforms.mlnx.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="mlnx",
    kind="host",
    load=_load,
    is_nic_family=True,
    comment="#",
    signature=lone_answers(frozenset({"mlnx_qos", "mlxconfig", "show_gids", "ibdev2netdev"})),
    commands=(
        "ibdev2netdev",
        "show_gids",
        "modinfo mlx5_core",
        "cat /sys/module/mlx5_core/parameters/*",
        "cat /sys/class/net/15b3:DEV/qos/trust",
        " ".join(
            (
                "cat",
                *(f"/sys/class/net/15b3:DEV/ecn/roce_{side}/{which}*" for which in ("", "enable/") for side in _SIDES),
            )
        ),
        "cat /sys/kernel/debug/mlx5/15b3:PCI/cc_params/*",
        "mlnx_qos -i 15b3:DEV -a",
        "mlxconfig -d 15b3:PCI -e query",
    ),
    needs={
        "dscp": "mlnx_qos -i DEV",
        "pcp": "mlnx_qos -i DEV",
        "trust": "mlnx_qos -i DEV",
        "pfc": "mlnx_qos -i DEV",
        "queues": "mlnx_qos -i DEV -a",
        "queues.*.max_rate_bps": "mlnx_qos -i DEV -a",
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
    },
    live=Live(access="probe"),
    factory_names=("mlnx",),
    programs=(
        "mlnx_qos",
        "mlxconfig",
        "mstconfig",
        "mlxreg",
        "mlxlink",
        "mst",
        "show_gids",
        "ibdev2netdev",
        "ofed_info",
        "cma_roce_mode",
        "cma_roce_tos",
    ),
    bare_programs=("show_gids", "ibdev2netdev"),
    underscored=(
        r"mlnx_qos|show_gids|ofed_info|cma_roce_(?:mode|tos)|reg_name|ROCE_ACCL|mlx[45]_(?:bond_)?\d+|(?<=-)roce_[nr]p"
    ),
    nics=NicSetups(
        folders=("/opt/mellanox/iproute2/sbin",),
        slow_programs=r"mlx\w+|mst\w+",
        scripts=("mlnx_*", "cma_roce_*", "show_gids", "ibdev2netdev"),
        tools="mlnx_qos|cma_roce_(mode|tos)|mlxconfig|mstconfig|mlxreg|/ecn/roce_|cc_params",
        call_words=(
            "esxcli system module parameters set ",
            "esxcli network nic pauseParams set ",
            "mlnx_qos",
            "cma_roce_",
            "/ecn/roce_",
            "/cc_params/",
            "/qos/trust",
            "mlxconfig ",
            "mstconfig ",
            "CNP_DSCP",
            "ROCE_CC_PRIO_MASK",
            "QOS_TRUST_STATE",
            "LINK_TYPE_P",
        ),
        calls="mlnx_qos[ ,\n]|esxcli system module parameters set (?:-a |--append )?-m ?nmlx5_"
        "|esxcli network nic pauseParams set "
        "|cma_roce_(?:tos|mode)[ ,]|/ecn/roce_[nr]p/(?:enable|cnp_dscp|cnp_802p_prio)|/cc_params/np_cnp_|>[ \"']{0,3}[^ ]{1,99}/qos/trust"
        "|m(?:lx|st)config [^\n#=]{1,80} (?:ROCE_CONTROL|LINK_TYPE)(?:_P[1-8])?="
        "|(?:CNP_DSCP|ROCE_CC_PRIO_MASK|QOS_TRUST_STATE)(?:_P[1-8])?=|LINK_TYPE_P[1-8]=",
        begins=r"(?:options[ \t]{1,8}mlx4_core[ \t][^\n]{1,300}\n){0,4}options[ \t]{1,8}mlx4_en[ \t]",
        trees=("kernel/debug/mlx5",),
        kernel_modules=("mlx[45]",),
        rdma_modules=("mlx5_core", "mlx5_ib"),
        files=("/etc/infiniband/openib.conf",),
    ),
)
