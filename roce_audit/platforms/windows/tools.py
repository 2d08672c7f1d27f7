"""The readers of PowerShell's cmdlets, and what they mean."""

from __future__ import annotations

from roce_audit.platforms.windows import adapters, family, policies

TOOLS = (*adapters.TOOLS, *policies.TOOLS)
FAMILIES = (family.WINDOWS,)
