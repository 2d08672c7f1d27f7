"""How Broadcom's NICs are told: the files of the driver's configfs tree, and iproute2's dcb, which Broadcom's own
bnxt_setupcc.sh uses for what niccli shows (man dcb-pfc, dcb-ets)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from roce_audit.platforms.shared.host.repair import HostLine, HostRepairs
from roce_audit.platforms.shared.host.tlv_repair import PFC_VALUE, lists, paused, priorities

_APPLIED = "/sys/kernel/config/bnxt_re/{rdma}/ports/{port}/cc"


def _ets(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    """dcb sets all lists of a port's ETS in one request."""
    new, bandwidth = lists(after), lists(after).get("TC Bandwidth", ())
    if new == lists(before) or not {"PRIO_MAP", "TSA_MAP"} <= set(new):
        return ()
    shares = (f"{n}:{share.rstrip('%')}" for n, share in enumerate(bandwidth))
    words = ("prio-tc", *new["PRIO_MAP"], "tc-tsa", *new["TSA_MAP"], "tc-bw", *shares)
    return (f"dcb ets set dev {names['dev']} {' '.join(words)}",)


def _pfc(names: Mapping[str, str], before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    on = "".join(f" {priority}:on" for priority in paused(after))
    return (f"dcb pfc set dev {names['dev']} prio-pfc all:off{on}",)


_LINES = (
    HostLine("pfc", rf"^ +PFC enabled: {PFC_VALUE}\s*$", write=priorities, whole=_pfc),
    HostLine(
        "niccli-ets", r"^ +(?P<what>PRIO_MAP|TC Bandwidth|TSA_MAP): (?P<value>\S.*?)\s*$", with_others=True, whole=_ets
    ),
    HostLine(
        "bnxt-cc",
        r"^/sys/kernel/config/bnxt_re/RDMA/ports/(?P<port>\d+)/cc/apply:(?P<name>\w+)=(?P<value>0x\S+.*)$",
        f"echo {{first}} > {_APPLIED}/{{name}}; echo 1 > {_APPLIED}/apply",
    ),
)
REPAIRS = HostRepairs(_LINES, {})
