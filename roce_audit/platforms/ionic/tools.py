"""The readers of AMD's tool, and what they mean."""

from __future__ import annotations

from roce_audit.platforms.ionic import boot, cards, family, qos

TOOLS = (*cards.TOOLS, *qos.TOOLS)
FAMILIES = (family.IONIC,)
PROGRAMS = boot.PROGRAMS
