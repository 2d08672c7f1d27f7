"""The readers of NVIDIA's tools and files, and what they mean."""

from __future__ import annotations

from roce_audit.platforms.mlnx import boot, config, ecn, family, qos, rdma

TOOLS = (*qos.TOOLS, *config.TOOLS, *rdma.TOOLS, *ecn.TOOLS)
FAMILIES = (family.CONNECTX,)
PROGRAMS = boot.PROGRAMS
