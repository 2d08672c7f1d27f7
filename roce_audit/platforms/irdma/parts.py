"""The readers of Intel's flags and files, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.irdma import boot, driver, family
from roce_audit.platforms.irdma.counters import NAMES
from roce_audit.platforms.shared.host.nicfamily import nic_family

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.repair import HostRepairs


def _changes() -> HostRepairs:
    from roce_audit.platforms.irdma.repair import REPAIRS

    return REPAIRS


PARTS = nic_family(
    family.IRDMA,
    family,
    driver.TOOLS,
    _changes,
    NAMES,
    programs=boot.PROGRAMS,
    files=boot.FILES,
)
