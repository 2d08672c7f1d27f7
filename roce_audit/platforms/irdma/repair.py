"""How Intel's NICs are told what is theirs alone: the switches of the driver's configfs tree (irdma, README)."""

from __future__ import annotations

from roce_audit.platforms.shared.host.repair import HostLine, HostRepairs

_LINES = (
    HostLine(
        "irdma-cc",
        r"^/sys/kernel/config/irdma/RDMA/(?P<name>roce_\w+_enable):(?P<value>[01])$",
        "echo {value} > /sys/kernel/config/irdma/{rdma}/{name}",
    ),
)
REPAIRS = HostRepairs(_LINES, {})
