"""Commands as file names (`mlnx_qos_-i_eth0.txt`) and as people type them (`sh run`)."""

from __future__ import annotations

import re

_PROGRAMS = (
    "show",
    "display",
    "mlnx_qos",
    "dcb",
    "ethtool",
    "mlxconfig",
    "mstconfig",
    "mlxreg",
    "mlxlink",
    "mst",
    "show_gids",
    "ip",
    "rdma",
    "ibv_devinfo",
    "ibv_devices",
    "ibdev2netdev",
    "ibstat",
    "lldptool",
    "lldpctl",
    "lldpcli",
    "cma_roce_mode",
    "cma_roce_tos",
    "tc",
    "nicctl",
    "niccli",
    "bnxt_setupcc.sh",
    "bnxtqos",
    "devlink",
    "sysctl",
    "uname",
    "lspci",
    "lsmod",
    "modinfo",
    "ofed_info",
    "systemctl",
    "cat",
    "grep",
    "nv",
    "net",
    "vtysh",
    "info",
    "sonic-cfggen",
    "pfcwd",
    "redis-cli",
    "docker",
    "sysfs",
    "env",
    "hostname",
    "Get-NetAdapter",
    "Get-NetAdapterQos",
    "Get-NetAdapterRdma",
    "Get-NetAdapterAdvancedProperty",
    "Get-NetQosPolicy",
    "Get-NetQosFlowControl",
    "Get-NetQosTrafficClass",
    "Get-NetQosDcbxSetting",
)
_BARE = frozenset(
    {"uname", "sysfs", "env", "hostname", "show_gids", "ibdev2netdev", "ibstat", "lsmod", "lspci", "ibv_devinfo"}
)
"""Programs whose name alone is a file name of the form; `show.txt` or `net.txt` says nothing."""
_PROGRAM = re.compile(r"(?:sudo[ _])?(" + "|".join(map(re.escape, _PROGRAMS)) + r")(?=[ _]|\Z)")
_KEEP_UNDERSCORE = re.compile(
    r"mlnx_qos|show_gids|ibv_devinfo|ibv_devices|ofed_info|cma_roce_(?:mode|tos)|bnxt_setupcc|reg_name|ROCE_ACCL"
    r"|mlx[45]_(?:bond_)?\d+|bnxt_re(?:_bond)?\d+|ionic_\d+|irdma_?\d+|config_db|(?<=-)roce_[nr]p"
)
_PCI = re.compile(r"\b([0-9a-fA-F]{4})-([0-9a-fA-F]{2})-([0-9a-fA-F]{2}\.[0-7])")
_PORT = re.compile(r"(?<![\w-])((?:[A-Za-z]+|[a-z]{2}-)\d+)((?:-\d+){1,3})(?![\w-])")
_FILE = re.compile(r"(?<= )-(?=(?:sys|proc|etc|home|root|opt)-)\S*")
_EXTENSION = re.compile(r"\.(?:txt|json|log|out)\Z", re.I)

PROMPTED = re.compile(r"(?:sh(?:o|ow)?|disp(?:lay)?|sudo|" + "|".join(map(re.escape, _PROGRAMS)) + r")\b")
"""Matches at the beginning of what somebody typed when it is a command that shows something."""
_ABBREVIATED = (
    (re.compile(r"^sh(?:o)?(?= )"), "show"),
    (re.compile(r"^disp(?:l|la)?(?= )"), "display"),
    (re.compile(r"^(show) run[a-z-]*(?=\Z| )"), r"\1 running-config"),
    (re.compile(r"^(show) star[a-z-]*(?=\Z| )"), r"\1 startup-config"),
    (re.compile(r"^(display) cu[a-z-]*(?=\Z| )"), r"\1 current-configuration"),
    (re.compile(r"^(display) sa[a-z-]*(?=\Z| )"), r"\1 saved-configuration"),
    (re.compile(r"^(show|display) ver[a-z]*(?=\Z| )"), r"\1 version"),
    (re.compile(r"^(show|display) int(?:e|er|erf|erfa|erfac)?(?= )"), r"\1 interface"),
    (re.compile(r" *\| *(?:no-?more|no more)\b *$"), ""),
)
# "show runningconfiguration" is SONiC's own command and no abbreviation
_WHOLE_WORDS = re.compile(r"^show running?configuration\b")


def command_of(file_name: str) -> str | None:
    """The command whose answer a file of this name holds; None when the name is no command.

    Blanks were written as `_`, `/` and `:` as `-`: PCI addresses, port names and file paths are put together again.
    """
    stem, extensions = _EXTENSION.subn("", file_name)
    found = _PROGRAM.match(stem)
    if found is None or not extensions:
        return None
    program = found.group(1)
    if found.end() == len(stem) and program not in _BARE and not program.startswith("Get-"):
        return None
    kept = _KEEP_UNDERSCORE.sub(lambda m: m.group().replace("_", "\0"), stem)
    text = kept.replace("_", " ").replace("\0", "_")
    text = _PCI.sub(r"\1:\2:\3", text)
    text = _FILE.sub(lambda m: m.group().replace("-", "/").replace("os/release", "os-release"), text)
    if text.startswith("info "):  # a path of SR Linux
        text = text.replace(" - ", " / ")
    if not text.startswith(("ip ", "tc ")):
        text = _PORT.sub(lambda m: m.group(1) + m.group(2).replace("-", "/"), text)
    return typed(text)


def file_name(command: str) -> str:
    """The name of the file that holds the answer of a command: blanks as `_`, `/` and `:` as `-`."""
    return re.sub(r"[/:\x00-\x1f]", "-", command.replace(" ", "_"))[:200] + ".txt"


def typed(command: str) -> str:
    """A command as typed, with the usual abbreviations written out and paging taken away."""
    text = " ".join(command.split()).removeprefix("sudo ")
    if _WHOLE_WORDS.match(text):
        return text
    for short, long in _ABBREVIATED:
        text = short.sub(long, text)
    return text
