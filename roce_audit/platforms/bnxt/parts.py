"""The readers of Broadcom's tools and files, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.bnxt import boot, control, family, niccli
from roce_audit.platforms.bnxt.counters import NAMES
from roce_audit.platforms.shared.host.nicfamily import nic_family

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.repair import HostRepairs


def _changes() -> HostRepairs:
    from roce_audit.platforms.bnxt.repair import REPAIRS

    return REPAIRS


PARTS = nic_family(
    family.BNXT,
    family,
    (*niccli.TOOLS, *control.TOOLS),
    _changes,
    NAMES,
    programs=boot.PROGRAMS,
    files=boot.FILES,
    kernel_files=boot.KERNEL_FILES,
)
