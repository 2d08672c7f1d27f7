"""The readers of Broadcom's tools and files, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.bnxt import boot, control, family, niccli
from roce_audit.platforms.bnxt.counters import NAMES
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.host.parts import HostParts
from roce_audit.platforms.shared.host.reader import nameless, read_host

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.repair import HostRepairs
    from roce_audit.platforms.statement_docs import Documentation

_TOOLS = (*niccli.TOOLS, *control.TOOLS)


def _changes() -> HostRepairs:
    from roce_audit.platforms.bnxt.repair import REPAIRS

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
        families=(family.BNXT,),
        programs=boot.PROGRAMS,
        files=boot.FILES,
        counters=NAMES,
        changes=_changes,
    ),
)
