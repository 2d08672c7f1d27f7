"""The readers of NVIDIA's tools and files, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.mlnx import boot, config, ecn, family, qos, rdma
from roce_audit.platforms.mlnx.counters import NAMES
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.host.parts import HostParts
from roce_audit.platforms.shared.host.reader import nameless, read_host

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.repair import HostRepairs
    from roce_audit.platforms.statement_docs import Documentation

_TOOLS = (*qos.TOOLS, *config.TOOLS, *rdma.TOOLS, *ecn.TOOLS)


def _changes() -> HostRepairs:
    from roce_audit.platforms.mlnx.repair import REPAIRS

    return REPAIRS


def _documentation() -> Documentation:
    from roce_audit.platforms.statement_docs import Documentation, defaults_in, of_tools

    return Documentation(tuple(of_tools(_TOOLS)), defaults_in(family))


PARTS = Parts(
    read=read_host,
    hostname=nameless,
    documentation=_documentation,
    host=HostParts(
        tools=_TOOLS,
        families=(family.CONNECTX,),
        programs=boot.PROGRAMS,
        counters=NAMES,
        names_every_device=r"ibdev2netdev(?: -v)?",
        changes=_changes,
    ),
)
