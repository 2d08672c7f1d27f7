"""The readers of Intel's flags and files, and what they mean."""

from __future__ import annotations

from roce_audit.platforms.irdma import boot, driver, family

TOOLS = driver.TOOLS
FAMILIES = (family.IRDMA,)
FILES = boot.FILES
