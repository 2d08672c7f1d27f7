"""How NVIDIA's tools set what they show: mlnx-tools (mlnx_qos), and the driver's files below /sys."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from roce_audit.platforms.shared.host.repair import HostLine, HostRepairs


def _map_of_driver(trust: str) -> Sequence[str]:
    """Below `dscp` the tool prints the map; the driver starts with priority = DSCP / 8."""
    if trust != "dscp":
        return ()
    rows = (",".join(f"{code:02d}" for code in range(8 * p + 7, 8 * p - 1, -1)) for p in range(8))
    return ("dscp2prio mapping:", *(f"\tprio:{p} dscp:{codes}," for p, codes in enumerate(rows)))


def _listed(priorities: object) -> str:
    """A set of priorities as the tool prints it."""
    return "   ".join(str(int(isinstance(priorities, frozenset) and p in priorities)) for p in range(8))


_CLASS = re.compile(r"^tc: ([0-7]) ratelimit: (unlimited|[\d.]+ Gbps), tsa: (\w+)(?:, bw: (\d+)%)?")
_ROW = re.compile(r"^\tprio:([0-7]) dscp:([\d,]*)")


def _scheduling(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    """mlnx_qos takes the algorithms, shares and limits of all traffic classes at once."""
    old, new = (
        [found.groups() for found in map(_CLASS.match, lines) if found is not None] for lines in (before, after)
    )
    if len(new) != 8 or len(old) != 8:
        return ()
    what = []
    if [c[2:] for c in old] != [c[2:] for c in new]:
        what = [f"--tsa {','.join(c[2] for c in new)}", f"--tcbw {','.join(c[3] or '0' for c in new)}"]
    if [c[1] for c in old] != [c[1] for c in new]:
        limits = ("0" if c[1] == "unlimited" else c[1].removesuffix(" Gbps") for c in new)
        what.append(f"--ratelimit {','.join(limits)}")
    return (f"mlnx_qos -i {names['dev']} {' '.join(what)}",) if what else ()


def _code_points(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    """One command for each DSCP that moves."""
    old, new = (
        {
            int(code): found[1]
            for found in map(_ROW.match, lines)
            if found is not None
            for code in found[2].split(",")
            if code
        }
        for lines in (before, after)
    )
    moved = sorted(code for code, priority in new.items() if old.get(code) != priority)
    return [f"mlnx_qos -i {names['dev']} --dscp2prio set,{code},{new[code]}" for code in moved]


def _typed(priorities: object) -> str:
    """A set of priorities as the tool takes it."""
    return ",".join(_listed(priorities).split())


_TOOL = r"^[^#]{0,400}?\bmlnx_qos(?:\.py)?\b[^#;|&]{0,300}? "
_IN_FILES = (
    HostLine("file-pfc", rf"{_TOOL}(?:--pfc|-f)[ =][\"']?(?P<value>[01](?:,[01]){{7}})(?![,\d])", write=_typed),
    HostLine("file-pfc", r"^\s*(?:- )?pfc: ?[\"'](?P<value>[01](?:,[01]){7})[\"']", write=_typed),
    HostLine("file-pfc", r"^\s{2,40}(?:--pfc|-f)[ =](?P<value>[01](?:,[01]){7})(?![,\d])", write=_typed),
    HostLine("file-trust", rf"{_TOOL}--trust[ =][\"']?(?P<value>pcp|dscp|both)\b"),
    HostLine("file-trust", r"^\s*(?:- )?trust: ?[\"']?(?P<value>pcp|dscp|both)\b"),
    HostLine("file-trust", r"^\s{2,40}--trust[ =](?P<value>pcp|dscp|both)\b"),
    HostLine(
        "file-cma-tos",
        r"^[^#]{0,400}?\bcma_roce_tos\b[^#;|&]{0,200}? -t ?(?P<value>\d{1,3}\b|\$\(\([\d <*|]{1,40}\)\))",
    ),
    HostLine(
        "file-cma-mode",
        r"^[^#]{0,400}?\bcma_roce_mode\b[^#;|&]{0,200}? -m ?(?P<value>[12])\b",
        write=lambda mode: "2" if mode == "roce-v2" else "1",
    ),
)
_LINES = (
    HostLine(
        "cable",
        r"^Cable len: (?P<value>\d+)$",
        "mlnx_qos -i {dev} --cable_len {value}",
        write=lambda metres: str(math.ceil(float(str(metres)))),
    ),
    HostLine("trust", r"^Priority trust state: (?P<value>\w+)$", "mlnx_qos -i {dev} --trust {value}", _map_of_driver),
    HostLine("trust", r"^/sys/class/net/DEV/qos/trust:(?P<value>\w+)$"),
    HostLine(
        "pfc",
        r"^\s+enabled\s+(?P<value>[01](?:\s+[01]){7})\s*$",
        "mlnx_qos -i {dev} --pfc {list}",
        write=_listed,
    ),
    HostLine("ets", r"^tc: (?P<number>[0-7]) (?P<value>ratelimit: .+)$", with_others=True, whole=_scheduling),
    HostLine("map", r"^\tprio:(?P<number>[0-7]) dscp:(?P<value>[\d,]*)$", with_others=True, whole=_code_points),
    HostLine(
        "prio2buffer", r"^\s+buffer\s+(?P<value>[0-7](?:\s+[0-7]){7})\s*$", "mlnx_qos -i {dev} --prio2buffer {list}"
    ),
    HostLine(
        "np",
        r"^/sys/class/net/DEV/ecn/roce_np/enable/(?P<number>[0-7]):(?P<value>[01])$",
        "echo {value} > /sys/class/net/{dev}/ecn/roce_np/enable/{number}",
    ),
    HostLine(
        "rp",
        r"^/sys/class/net/DEV/ecn/roce_rp/enable/(?P<number>[0-7]):(?P<value>[01])$",
        "echo {value} > /sys/class/net/{dev}/ecn/roce_rp/enable/{number}",
    ),
    HostLine(
        "dcqcn",
        r"^/sys/class/net/DEV/ecn/(?P<name>roce_[nr]p/\w+):(?P<value>\d+)$",
        "echo {value} > /sys/class/net/{dev}/ecn/{name}",
    ),
    HostLine(
        "forced-tos",
        r"^/sys/class/infiniband/RDMA/tc/1/traffic_class:Global tclass=(?P<value>\d+)$",
        "echo {value} > /sys/class/infiniband/{rdma}/tc/1/traffic_class",
    ),
)
REPAIRS = HostRepairs((*_LINES, *_IN_FILES), {"port.trust": "trust", "port.cable_m": "cable"})
