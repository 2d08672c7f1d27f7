"""Programs that set Broadcom's NICs up until the next boot: niccli, its forerunner bnxtqos, and bnxt_setupcc.sh.

Sources: Broadcom, bnxt_setupcc.sh (its usage, and the calls of niccli, bnxtqos and lldptool that it makes).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.shared.host.boot import UDP_PORT, UDP_SELECTORS, FamilyFile, KernelFile, Program
from roce_audit.text.statements.misspelling import meant

_BY_DSCP = "5"
"""Selector of IEEE 802.1Qaz for a code point."""
# fmt: off
_WORDS = (
    "set_pfc", "set_apptlv", "set_ets", "set_map", "set_dscp2prio", "get_qos", "getqos", "get_dscp2prio", "ratelimit",
    "qos", "app", "enabled", "enable", "-enabled", "--enabled", "--enable", "--disable", "--add", "--del", "--show",
    "--pfc", "--ets", "--app", "-app", "--apptlv", "--dscp2prio", "--pri2cos", "--ratelimit", "--listmap",
)
# fmt: on
_PFC = re.compile(r"set_pfc -{0,2}enabled?[= ](\S+)|qos --pfc --enable[= ](\S+)")
_APP = re.compile(r"(?:set_apptlv|qos --apptlv --add) -{0,2}app[= ]([^\s,]+),([^\s,]+),([^\s,]+)")


def _command(options: str) -> Iterator[str]:
    """`set_pfc enabled=3`, `qos --apptlv --add --app 3,5,26`; everything else sets nothing that is read here."""
    text = " ".join(options.split())
    pfc, app = _PFC.match(text), _APP.match(text)
    if pfc is not None:
        value = pfc.group(1) or pfc.group(2)
        yield "pfc-list none" if value.lower() == "0xff" else f"pfc-list {value}"
    elif app is not None:
        if app.group(2) == _BY_DSCP:
            yield f"mapped {app.group(3)} {app.group(1)}"
        elif app.group(2) in UDP_SELECTORS and app.group(3) == UDP_PORT:
            yield f"roce-port {app.group(1)}"
    elif re.match(r"set_pfc|qos --pfc --enable|set_apptlv app|qos --apptlv --add", text):
        raise ValueError(text)


_SETUP = re.compile(r"(?:^|\s)-([mrscpbtu])\s*(\S+)")
_NUMBER = re.compile(r"[0-9]{1,3}|\$.*|\{\{.*")
"""As written, or as a variable."""
_PFC_MODES = ("1", "3")
_CONTROL_MODES = ("2", "3")
"""In which the driver is told what to send RoCE with."""


def _setup(options: str) -> Iterator[str]:
    """`-m 3 -r 3 -s 26`: PFC alone, congestion control alone, or both; priority and DSCP of RoCE."""
    said = dict(_SETUP.findall(options))
    if not all(_NUMBER.fullmatch(value) for value in said.values()):
        raise ValueError(options)
    if "p" in said:
        yield f"cnp-dscp {said['p']}"
        # it maps them on some firmware alone; in the priority of the data they go with it on all
        if "c" in said and said["c"] == said.get("r"):
            yield f"dscp {said['p']} {said['c']}"
    if said.get("m") in _CONTROL_MODES and "s" in said:
        yield f"roce-dscp {said['s']}"
    if said.get("m") in _PFC_MODES:
        yield f"pfc-list {said['r']}" if "r" in said else "elsewhere pfc"
        if "r" in said and "s" in said:
            yield f"mapped {said['s']} {said['r']}"
    elif said.get("m") == "2":
        yield "pfc-list none"
    else:
        yield "elsewhere pfc"


_PCI = r"(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
_DEVICE = rf"(?:^|\s)-(?:-?dev(?:ice)?|i)[= ](?:(?P<pci>{_PCI})|(?P<card>[0-9]{{1,3}})(?=\s|$)|(?P<net>\S+))"

_VALUE = re.compile(r"([A-Z][A-Z0-9_]{1,40})=[\"']?([0-9]{1,3})[\"']?\s*(?:#.*)?")
_BY_OPTION = {
    "m": "FC_MODE",
    "r": "ROCE_PRI",
    "s": "ROCE_DSCP",
    "c": "CNP_PRI",
    "p": "CNP_DSCP",
    "b": "ROCE_BW",
    "u": "UTILITY",
}
"""Option of bnxt_setupcc.sh -> key of /etc/bnxt_re/bnxt_re.conf; that they mean the same, and that the driver's package runs the
script with them for every RoCE device, follows from their names alone (source: unverified)."""


def _configured(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """`ENABLE_FC=1`, `FC_MODE=3`, `ROCE_PRI=3`, `ROCE_DSCP=26`."""
    said: dict[str, tuple[int, str]] = {}
    for index, line in enumerate(lines):
        found = _VALUE.fullmatch(line.strip())
        if found is None:
            raise ValueError(line)
        if meant(found.group(1), ("ENABLE_FC", *_BY_OPTION.values())) is not None:
            raise ValueError(line)
        said[found.group(1)] = (index, found.group(2))
    if "ENABLE_FC" not in said or said["ENABLE_FC"][1] == "0":
        return
    text = " ".join(f"-{option} {said[key][1]}" for option, key in _BY_OPTION.items() if key in said)
    key_of = {"pfc-list": "ROCE_PRI", "mapped": "ROCE_DSCP", "roce-dscp": "ROCE_DSCP"}
    for statement in _setup(text):
        key = key_of.get(statement.split(" ", 1)[0], "FC_MODE")
        yield said.get(key, said["ENABLE_FC"])[0], statement


_CONTROL = r"/sys/kernel/config/bnxt_re/(?P<rdma>[^/\s]{1,80})/ports/\d+/cc/"
KERNEL_FILES = (
    KernelFile(rf"{_CONTROL}cnp_dscp(?!\w)", "cnp-dscp", "bnxt"),
    KernelFile(rf"{_CONTROL}cnp_prio(?!\w)", "cnp-priority", "bnxt"),
    KernelFile(rf"{_CONTROL}roce_prio(?!\w)", "roce-priority", "bnxt"),
    KernelFile(rf"{_CONTROL}roce_dscp(?!\w)", "roce-dscp", "bnxt"),
    KernelFile(
        rf"{_CONTROL}ecn_enable(?!\w)", ";".join(f"{role} {n}" for role in ("np", "rp") for n in range(8)), "bnxt"
    ),
)
FILES = (FamilyFile(r"/etc/bnxt_re/bnxt_re\.conf", "bnxt", _configured),)
PROGRAMS = (
    *(Program(name, _command, nic=_DEVICE, words=_WORDS) for name in ("niccli", "niccli.x86_64", "bnxtqos")),
    Program("bnxt_setupcc.sh", _setup),
)
