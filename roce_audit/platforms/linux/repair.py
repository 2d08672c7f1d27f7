"""How a Linux host is told: the tools of every host, and those of the NIC families beside this package."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator

from roce_audit import platforms
from roce_audit.platforms.hostrepair import HostLine, HostRepairs

LINES = (
    HostLine("mtu", r'"ifname": ?"DEV"[^{}]{0,2000}?"mtu": ?(?P<value>\d+)', "ip link set dev {dev} mtu {value}"),
    HostLine("mtu", r'^\s*"mtu": ?(?P<value>\d+)', "ip link set dev {dev} mtu {value}"),
    HostLine("mtu", r"^/sys/class/net/DEV/mtu:(?P<value>\d+)$"),
    HostLine(
        "pause",
        r"^(?P<way>RX|TX):\s+(?P<value>on|off)$",
        "ethtool -A {dev} {way} {value}",
        write=lambda on: "on" if on else "off",
        with_others=True,
    ),
    HostLine(
        "nccl-tos",
        r"^(?:export )?NCCL_IB_TC=(?P<value>\d+)$",
        "NCCL_IB_TC={value}   # where the job gets its environment",
    ),
    HostLine(
        "ucx-tos",
        r"^(?:export )?UCX_IB_TRAFFIC_CLASS=(?P<value>\d+)$",
        "UCX_IB_TRAFFIC_CLASS={value}   # where the job gets its environment",
    ),
)
PATHS = {
    "port.ip_mtu_bytes": "mtu",
    "port.link_pause_rx": "pause",
    "port.link_pause_tx": "pause",
    "app.nccl_tos": "nccl-tos",
    "app.ucx_tos": "ucx-tos",
}


def _families() -> Iterator[object]:
    for name in platforms.names():
        module = f"{platforms.__name__}.{name}.repair"
        if name != "linux" and importlib.util.find_spec(module) is not None:
            found = importlib.import_module(module)
            if hasattr(found, "LINES"):
                yield found


def _all() -> HostRepairs:
    families = list(_families())
    lines = [line for family in families for line in family.LINES]  # type: ignore[attr-defined]
    paths = {path: setting for family in families for path, setting in family.PATHS.items()}  # type: ignore[attr-defined]
    return HostRepairs((*lines, *LINES), {**PATHS, **paths})


REPAIRS = _all()
