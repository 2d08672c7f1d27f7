"""The readers of NVIDIA's tools and files, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.mlnx import boot, config, ecn, family, link, qos, rdma
from roce_audit.platforms.mlnx.counters import NAMES
from roce_audit.platforms.shared.host.nicfamily import nic_family

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.repair import HostRepairs


def _changes() -> HostRepairs:
    from roce_audit.platforms.mlnx.repair import REPAIRS

    return REPAIRS


PARTS = nic_family(
    family.CONNECTX,
    family,
    (*qos.TOOLS, *config.TOOLS, *rdma.TOOLS, *ecn.TOOLS, link.LINK),
    _changes,
    NAMES,
    programs=boot.PROGRAMS,
    kernel_files=boot.KERNEL_FILES,
    files=boot.FILES,
    names_every_device=r"ibdev2netdev(?: -v)?",
    counted=link.counted,
    gauges=link.gauges,
    log=link.LOG,
)
