"""NVIDIA ConnectX and BlueField NICs: single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.mlnx.tables import COMMANDS, NEEDS, OWN_TOOLS
from roce_audit.platforms.shared.host.platform import NicFamily

PLATFORM = NicFamily("mlnx", COMMANDS, NEEDS, OWN_TOOLS)
