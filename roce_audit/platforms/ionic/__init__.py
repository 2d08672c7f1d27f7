"""AMD Pollara and Pensando NICs (driver ionic): single answers of nicctl. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.ionic.tables import COMMANDS, NEEDS, OWN_TOOLS
from roce_audit.platforms.shared.host.platform import NicFamily

PLATFORM = NicFamily("ionic", COMMANDS, NEEDS, OWN_TOOLS)
