"""How a Linux host is told: the tools of every host, and those of the NIC families beside this package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roce_audit.platforms.shared.host.repair import HostLine, HostRepairs
from roce_audit.platforms.shared.host.settings import NUMBERS
from roce_audit.platforms.shared.host.tlv_repair import PFC_VALUE, lists, paused, priorities
from roce_audit.platforms.shared.host.tools import host_parts


def _lldptool_ets(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    """All lists of ETS at once (man lldptool-ets)."""
    new = lists(after)
    if new == lists(before) or set(new) != {"PRIO_MAP", "TC Bandwidth", "TSA_MAP"}:
        return ()
    shares = ",".join(share.rstrip("%") for share in new["TC Bandwidth"])
    words = f"tsa={','.join(new['TSA_MAP'])} up2tc={','.join(new['PRIO_MAP'])} tcbw={shares}"
    return (f"lldptool -T -i {names['dev']} -V ETS-CFG {words}",)


def _lldptool_pfc(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    """man lldptool-pfc."""
    return (f"lldptool -T -i {names['dev']} -V PFC enabled={','.join(paused(after)) or 'none'}",)


def _dcb_app(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Entries that are gone are deleted, the others replaced (man dcb-app)."""
    old, new = (
        {entry for line in lines if line.startswith("dscp-prio ") for entry in line.split()[1:]}
        for lines in (before, after)
    )
    codes = {entry.partition(":")[0] for entry in new}
    for entry in sorted(old - new):
        if entry.partition(":")[0] not in codes:
            yield f"dcb app del dev {names['dev']} dscp-prio {entry}"
    if new - old:
        yield f"dcb app replace dev {names['dev']} dscp-prio {' '.join(sorted(new - old))}"


def _switches(value: object) -> str:
    """A set of priorities as dcb prints it."""
    return " ".join(f"{p}:{'on' if isinstance(value, frozenset) and p in value else 'off'}" for p in range(8))


def _variable(setting: str, name: str) -> Iterator[HostLine]:
    """A variable of the libraries: set by a shell, an option of a launcher, or a manifest (one line, or name and value)."""
    command = f"{name}={{value}}   # where the job gets its environment"
    for pattern, above in (
        (rf"(?<![\w.]){name}(?:=|: ?| )[\"']?(?P<value>\d+)(?!\w)", ""),
        (rf"\bname: ?[\"']?{name}[\"']?, ?value: ?[\"']?(?P<value>\d+)(?!\w)", ""),
        (r"^\s*value: ?[\"']?(?P<value>\d+)[\"']?\s*(?:#.*)?$", rf"\bname: ?[\"']?{name}[\"']?\s*(?:#.*)?$"),
    ):
        yield HostLine(setting, pattern, command, lasts=True, above=above)


def _switched(priorities: object) -> str:
    """A set of priorities as people write it for dcb."""
    on = sorted(priorities) if isinstance(priorities, frozenset) else ()
    return " ".join(("all:off", *(f"{p}:on" for p in on)))


_ECHO = r"^[^#]{0,400}?\becho [\"']?(?P<value>\d{1,3})[\"']? ?(?:>|\| ?(?:sudo )?tee )[^#;|&]{0,200}"
_IN_FILES = (
    HostLine("file-mtu", r"^[^#]{0,400}?\b(?:ip link set|ifconfig) \S+(?: \S+){0,4}? mtu (?P<value>\d+)\b"),
    HostLine("file-mtu", r"^[^#]{0,400}?\b(?:802-3-ethernet|ethernet|infiniband)\.mtu[ =](?P<value>\d+)\b"),
    HostLine("file-mtu", r"^\s*(?:- )?[\"']?(?:mtu|MTU|MTUBytes)[\"']?(?:: ?| ?= ?)[\"']?(?P<value>\d+)\b"),
    HostLine(
        "file-pause",
        r"^[^#]{0,400}?\bethtool (?:-A|--pause) \S+(?P<value>(?: (?:rx|tx) (?:on|off)){1,2})",
        write=lambda on: " rx on tx on" if on else " rx off tx off",
    ),
    HostLine(
        "file-pfc",
        r"^[^#]{0,400}?\bdcb pfc (?:set|replace) dev \S+ prio-pfc (?P<value>(?:(?:all|[0-7]):(?:on|off)\b ?){1,9}(?<! ))",
        write=_switched,
    ),
    *(
        line
        for key, name in NUMBERS.items()
        if key.endswith("_traffic_class")
        for line in _variable("file-job-tos", name)
    ),
    HostLine("file-tos", rf"{_ECHO}/tc/\S{{1,20}}/traffic_class\b"),
    HostLine("file-cma-tos", rf"{_ECHO}/default_roce_tos\b"),
    HostLine(
        "file-cma-mode",
        r"^[^#]{0,400}?\becho [\"']?(?P<value>IB/RoCE v1|RoCE v[12])[\"']? ?(?:>|\| ?(?:sudo )?tee )[^#;|&]{0,200}/default_roce_mode\b",
        write=lambda mode: "RoCE v2" if mode == "roce-v2" else "IB/RoCE v1",
    ),
)
"""What people write for a host: scripts, units, templates, files of variables."""
_LINES = (
    HostLine("mtu", r'"ifname": ?"DEV"[^{}]{0,2000}?"mtu": ?(?P<value>\d+)', "ip link set dev {dev} mtu {value}"),
    HostLine("mtu", r'^\s*"mtu": ?(?P<value>\d+)', "ip link set dev {dev} mtu {value}"),
    HostLine("mtu", r"^/sys/class/net/DEV/mtu:(?P<value>\d+)$"),
    HostLine(
        "pause",
        r"^(?P<way>RX|TX):\s+(?P<value>on|off)$",
        "ethtool -A {dev} {way} {value}",
        write=lambda on: "on" if on else "off",
        with_others=True,
    ),
    HostLine(
        "fec",
        r"^(?:Supported/)?Configured FEC encodings?: (?P<value>\w+)\s*$",
        "ethtool --set-fec {dev} encoding {lower}",
        with_others=True,
    ),
    HostLine("fec", r"^(?P<what>Active) FEC encodings?: (?P<value>\w+)\s*$", with_others=True),
    *_variable("nccl-tos", "NCCL_IB_TC"),
    *_variable("ucx-tos", "UCX_IB_TRAFFIC_CLASS"),
    *_variable("nccl-gid", "NCCL_IB_GID_INDEX"),
    *_variable("ucx-gid", "UCX_IB_GID_INDEX"),
    *_variable("nvshmem-gid", "NVSHMEM_IB_GID_INDEX"),
    # lldptool indents with a tabulator; niccli, which prints the same TLVs, with blanks
    HostLine("pfc", rf"^\t +PFC enabled: {PFC_VALUE}\s*$", write=priorities, whole=_lldptool_pfc),
    HostLine(
        "lldptool-ets",
        r"^\t +(?P<what>PRIO_MAP|TC Bandwidth|TSA_MAP): (?P<value>\S.*?)\s*$",
        with_others=True,
        whole=_lldptool_ets,
    ),
    HostLine(
        "pfc",
        r"^prio-pfc (?P<value>[0-7]:(?:on|off)(?: [0-7]:(?:on|off)){7})\s*$",
        "dcb pfc set dev {dev} prio-pfc {value}",
        write=_switches,
    ),
    HostLine(
        "dcb-ets",
        r"^(?P<what>prio-tc|tc-tsa|tc-bw) (?P<value>[0-7]:\w+(?: [0-7]:\w+){1,7})\s*$",
        "dcb ets set dev {dev} {what} {value}",
    ),
    HostLine("dcb-app", r"^dscp-prio (?P<value>\w+:[0-7](?: \w+:[0-7])*)\s*$", whole=_dcb_app),
)
_PATHS = {
    "port.pfc.priorities": "pfc",
    "port.ip_mtu_bytes": "mtu",
    "port.link_pause_rx": "pause",
    "port.link_pause_tx": "pause",
    "app.nccl_tos": "nccl-tos",
    "app.ucx_tos": "ucx-tos",
    "app.gid_index": "nccl-gid",
    "host.nic_setups.ip_mtu_bytes": "file-mtu",
    "host.nic_setups.link_pause_rx": "file-pause",
    "host.nic_setups.link_pause_tx": "file-pause",
    "host.nic_setups.pfc_priorities": "file-pfc",
    "host.nic_setups.trust": "file-trust",
    "host.nic_setups.tos": "file-tos",
    "host.tos_bytes.value": "file-job-tos",
    "host.nic_setups.cma_tos": "file-cma-tos",
    "host.nic_setups.cma_mode": "file-cma-mode",
}


def repairs() -> HostRepairs:
    """Those of every host, behind what the families of NICs add."""
    families = [part.changes() for part in host_parts() if part.changes is not None]
    lines = [line for family in families for line in family.lines]
    paths = {path: setting for family in families for path, setting in family.paths.items()}
    return HostRepairs((*lines, *_LINES, *_IN_FILES), {**_PATHS, **paths})
