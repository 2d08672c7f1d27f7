"""What the modules of the Ansible collection nvidia.nvue write, as commands that are typed."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.taskmodules import Module, Typed

MODULES: Mapping[str, Module | Typed] = {
    "nvidia.nvue.command": Typed(
        ("commands", "template", "atomic"), "nv ", "nvidia.nvue, command: commands are given without `nv`"
    ),
}
