"""The readers of Broadcom's tools and files, and what they mean."""

from __future__ import annotations

from roce_audit.platforms.bnxt import boot, control, family, niccli

TOOLS = (*niccli.TOOLS, *control.TOOLS)
FAMILIES = (family.BNXT,)
PROGRAMS = boot.PROGRAMS
FILES = boot.FILES
