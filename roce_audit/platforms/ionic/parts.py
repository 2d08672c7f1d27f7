"""The readers of AMD's tool, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.ionic import boot, cards, family, qos
from roce_audit.platforms.ionic.counters import NAMES
from roce_audit.platforms.shared.host.nicfamily import nic_family

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.repair import HostRepairs


def _changes() -> HostRepairs:
    from roce_audit.platforms.ionic.repair import REPAIRS

    return REPAIRS


PARTS = nic_family(
    family.IONIC,
    family,
    (*cards.TOOLS, *qos.TOOLS),
    _changes,
    NAMES,
    programs=boot.PROGRAMS,
)
