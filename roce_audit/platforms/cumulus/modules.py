"""What the modules of the Ansible collection nvidia.nvue write, as commands that are typed."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.taskmodules import Arguments, Tree, Typed

MODULES: Mapping[str, Arguments] = {
    "nvidia.nvue.command": Typed(
        ("commands", "template", "atomic"),
        "nv ",
        "nvidia.nvue, command: commands are given without `nv`",
        closes={"apply": {"true": "nv config apply", "false": "# apply: false"}, "save": {"true": "nv config save"}},
    ),
    "nvidia.nvue.qos": Tree("data", "nv set qos", last="nv config apply", source="nvidia.nvue, qos"),
    "nvidia.nvue.interface": Tree(
        "data",
        "nv set interface",
        aside=frozenset({"ip", "bridge", "type", "acl"}),
        last="nv config apply",
        source="nvidia.nvue, interface",
    ),
    "nvidia.nvue.api": Tree(
        "data",
        "nv set",
        state="operation",
        sets=frozenset({"set"}),
        below="path",
        last="nv config apply",
        source="nvidia.nvue, api",
    ),
}
