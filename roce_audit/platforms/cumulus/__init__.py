"""NVIDIA Cumulus Linux: NVUE (`startup.yaml`, `nv config show`, `nv set`), the datapath files before it, ifupdown2 and NCLU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from roce_audit.platforms.cumulus import marks
from roce_audit.platforms.record import LabPorts, Live, Parts, Platform
from roce_audit.platforms.signature import ANYTHING, Form

if TYPE_CHECKING:
    from roce_audit.platforms.taskmodules import Arguments

_SHOWN = r"\A\Z|\A(?:cat |net show)"


def _load() -> Parts:
    from roce_audit.platforms.cumulus.parts import PARTS

    return PARTS


def _modules() -> Mapping[str, Arguments]:
    from roce_audit.platforms.cumulus.modules import MODULES

    return MODULES


PLATFORM = Platform(
    name="cumulus",
    kind="switch",
    load=_load,
    comment="#",
    signature=(
        Form(commands=r"\Anv ", marks={ANYTHING: 92}),
        Form(commands=r"\Anet (?:add|del) ", marks={ANYTHING: 80}),
        Form(commands=_SHOWN, marks={marks.TREE_SURE: 48, marks.TREE: 48}, fewest=2),
        Form(commands=_SHOWN, start=marks.TREE, marks={marks.BRANCH: 70}),
        Form(commands=_SHOWN, start=r"\{", words=('"qos"',), marks={marks.BARE_QOS: 45, marks.BARE_PORT: 45}, fewest=2),
        Form(commands=_SHOWN, words=("nv set ", "nv unset "), marks={marks.NV: 45}, times=2),
        Form(commands=_SHOWN, words=("=",), marks={marks.SETTING: 45}, times=2),
        Form(commands=_SHOWN, words=("net add ", "net del "), marks={marks.NET: 45}, times=2, most=85),
        Form(commands=_SHOWN, words=("auto ", "iface "), marks={marks.STANZA: 85}),
        Form(commands=_SHOWN, marks={marks.ANSWER: 90}),
    ),
    naming=("nv set system hostname ",),
    commands=(
        "nv config show -o commands",
        "nv show qos roce",
        "nv show interface qos-roce-status",
        "nv show interface",
        "nv show interface lldp -o json",
        "ip -j route show",
        "ip -6 -j route show",
    ),
    states={
        r"^nv config show.{0,80}\bpending\b": "candidate",
        r"^nv config show(?!.{0,80}\bstartup\b)": "running",
        r"(?:^|/)startup\.yaml\Z|^nv config show.{0,80}\bstartup\b": "startup",
    },
    needs={
        "counters": "nv show interface swpN counters qos, nv show interface swpN qos roce counters",
        "groups": "nv show interface swpN qos buffer (its answer is not read; the switch computes headroom and thresholds)",
        "queues": "nv config show",
        "dscp": "nv show qos mapping PROFILE (its answer is not read)",
        "pfc.operational": "nv show interface swpN qos roce status",
        "pfc": "nv config show",
        "speed_bps": "nv show interface swpN link (where a speed is configured)",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(
        access="shell",
        reads=r"nv show|nv config show|ip (?:-6 )?-j route show",
        configuration="nv config show -o commands",
    ),
    task_names=("nvidia.nvue.command", "nvidia.nvue.qos", "nvidia.nvue.interface", "nvidia.nvue.api"),
    modules=_modules,
    lab_ports=LabPorts(("swp{}",)),
    aliases=("cumulus-linux", "cumulus_nvue", "nvue", "nvidia.nvue.nvue"),
    factory_names=("cumulus", "nvidia"),
    siblings=r"(?:traffic|datapath|qos_features|qos_infra|switchd)\.conf|interfaces|startup\.ya?ml",
    inside=r"etc/(?:network|nvue\.d|cumulus(?:/datapath(?:/qos)?)?|mlx/datapath(?:/qos)?)",
    kinds_of_file=("nvue", "frr", "interfaces", "traffic", "datapath", "qos_features", "qos_infra", "ports"),
    programs=("nv", "net", "vtysh"),
)
