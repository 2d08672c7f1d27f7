"""NVIDIA ConnectX and BlueField NICs: single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from roce_audit.platforms.hostplatform import NicFamily
from roce_audit.platforms.mlnx.tables import COMMANDS, NEEDS, OWN_TOOLS

PLATFORM = NicFamily("mlnx", COMMANDS, NEEDS, OWN_TOOLS)
