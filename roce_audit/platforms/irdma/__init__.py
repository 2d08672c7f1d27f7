"""Intel E800 NICs (drivers ice and irdma): single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.irdma.tables import COMMANDS, NEEDS, OWN_TOOLS
from roce_audit.platforms.shared.host.platform import NicFamily

PLATFORM = NicFamily("irdma", COMMANDS, NEEDS, OWN_TOOLS)
