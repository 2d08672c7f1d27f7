"""AMD Pollara and Pensando NICs (driver ionic): single answers of nicctl. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.hostplatform import NicFamily
from roce_audit.platforms.ionic.tables import COMMANDS, NEEDS, OWN_TOOLS

PLATFORM = NicFamily("ionic", COMMANDS, NEEDS, OWN_TOOLS)
