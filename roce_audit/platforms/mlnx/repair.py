"""How NVIDIA's tools set what they show: mlnx-tools (mlnx_qos), and the driver's files below /sys."""

from __future__ import annotations

import math
from collections.abc import Sequence

from roce_audit.platforms.hostrepair import HostLine


def _map_of_driver(trust: str) -> Sequence[str]:
    """Below `dscp` the tool prints the map; the driver starts with priority = DSCP / 8."""
    if trust != "dscp":
        return ()
    rows = (",".join(f"{code:02d}" for code in range(8 * p + 7, 8 * p - 1, -1)) for p in range(8))
    return ("dscp2prio mapping:", *(f"\tprio:{p} dscp:{codes}," for p, codes in enumerate(rows)))


LINES = (
    HostLine(
        "cable",
        r"^Cable len: (?P<value>\d+)$",
        "mlnx_qos -i {dev} --cable_len {value}",
        write=lambda metres: str(math.ceil(float(str(metres)))),
    ),
    HostLine("trust", r"^Priority trust state: (?P<value>\w+)$", "mlnx_qos -i {dev} --trust {value}", _map_of_driver),
    HostLine("trust", r"^/sys/class/net/DEV/qos/trust:(?P<value>\w+)$"),
    HostLine("pfc", r"^\s+enabled\s+(?P<value>[01](?:\s+[01]){7})\s*$", "mlnx_qos -i {dev} --pfc {list}"),
    HostLine(
        "prio2buffer", r"^\s+buffer\s+(?P<value>[0-7](?:\s+[0-7]){7})\s*$", "mlnx_qos -i {dev} --prio2buffer {list}"
    ),
    HostLine(
        "np",
        r"^/sys/class/net/DEV/ecn/roce_np/enable/(?P<number>[0-7]):(?P<value>[01])$",
        "echo {value} > /sys/class/net/{dev}/ecn/roce_np/enable/{number}",
    ),
    HostLine(
        "rp",
        r"^/sys/class/net/DEV/ecn/roce_rp/enable/(?P<number>[0-7]):(?P<value>[01])$",
        "echo {value} > /sys/class/net/{dev}/ecn/roce_rp/enable/{number}",
    ),
    HostLine(
        "dcqcn",
        r"^/sys/class/net/DEV/ecn/(?P<name>roce_[nr]p/\w+):(?P<value>\d+)$",
        "echo {value} > /sys/class/net/{dev}/ecn/{name}",
    ),
    HostLine(
        "forced-tos",
        r"^/sys/class/infiniband/RDMA/tc/1/traffic_class:Global tclass=(?P<value>\d+)$",
        "echo {value} > /sys/class/infiniband/{rdma}/tc/1/traffic_class",
    ),
)
PATHS = {"port.trust": "trust", "port.cable_m": "cable"}
