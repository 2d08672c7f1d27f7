"""From the statements about one NIC to its facts: a pure function of the statements, memoised over the fleet."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.shared.host import boot, dcb, gids, tlv
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import (
    ACTIVE_FEC,
    ALL_RDMA_LISTED,
    ALL_ROUTES_LISTED,
    ALL_TABLES_LISTED,
    BANDWIDTH,
    DEFAULT_ROUTE,
    DRIVER_ON_DISK,
    GATEWAY,
    HAS_NO_SPEED,
    IPROUTE2,
    PCIE_AVAILABLE,
    PCIE_SPEED,
    PCIE_WIDTH,
    PRIORITY_OF_DSCP,
    RATE_LIMIT,
    SELECTION,
)
from roce_audit.platforms.shared.host.tools import by_name, families
from roce_audit.records import dataclass
from roce_audit.text.block import PartKey
from roce_audit.text.fill import Default, Lack, fill
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

DEFAULTS: dict[str, Default] = {
    "classes.*.mtu_bytes": Default(None, "a NIC has one MTU a port"),
    "classes.*.new_dscp": Default(None, "a NIC sends the DSCP that the application set (source: unverified)"),
    "rewrites_dscp": Default(frozenset(), "a NIC sends the DSCP that the application set (source: unverified)"),
    "queues.*.ecn": Default(None, "a NIC's transmit queues have no marking curve (source: unverified)"),
    "queues.*.max_rate_percent": Default(None, "a NIC's tools show rates, and no shares of a speed", unless_said=True),
    "queues.*.alpha": Default(None, "a NIC's transmit queues drop nothing by a dynamic limit (source: unverified)"),
    "groups.*.profile": Default(None, "a NIC names no buffer profiles"),
    "groups.*.profile_speed_bps": Default(None, "a NIC names no buffer profiles"),
    "groups.*.profile_cable_m": Default(None, "a NIC names no buffer profiles"),
    "forwarding": Default(None, "a NIC chooses among no paths"),
    "nic.cnp_takes_dscp": Default(None, "nothing on this host says that CNPs take over the DSCP of what they answer"),
    "nic.takes_any_order": Default(None, "nothing on this host says in which order packets may come in"),
    "nic.tunnel_keeps_marks": Default(None, "nothing on this host says what becomes of marks in tunnels"),
    "eee": Default(None, "nothing on this host says whether the link saves energy"),
    "pfc.unasked": Default(None, "a NIC pauses what it is told to pause"),
    "pfc.shown_off": Default(None, "nothing on this host shows PFC as switched off"),
    "link_up": Default(None, "nothing on this host says whether the link is up"),
    "policed_dscps": Default(None, "a host polices nothing that enters"),
    "drops_roce": Default(None, "packet filters of a host are not read"),
    "drops_dscps": Default(None, "packet filters of a host are not read"),
    "lacp": Default(None, "not seen to be in a bond that spreads traffic"),
    "lacp_rate": Default(None, "nothing on this host says how often it asks for LACP messages"),
    "min_links": Default(None, "nothing on this host says how many links its bond needs"),
    "shared_channel": Default(None, "a bond is its host's own"),
    "nic.bond_mode": Default(None, "not seen to be in a bond"),
    "nic.fec_running": Default(None, "nothing on this host says which FEC runs on a link that is up"),
    "nic.fec_unused": Default(None, "nothing on this host says that another FEC runs than is configured"),
    "nic.driver_on_disk": Default(None, "nothing on this host says which driver the next boot loads"),
    "nic.sends_priority_tag": Default(None, "nothing on this host says whether packets are tagged"),
    "nic.roce": Default(None, "nothing on this host says that RoCE is switched on or off"),
    **{
        f"nic.dcqcn.{name}": Default(None, "nothing says so; the firmware's own values are not all documented")
        for name in (
            "min_rate_mbps",
            "min_time_between_cnps_us",
            "fast_recovery_stages",
            "alpha_period_us",
            "initial_alpha_over_1024",
            "rate_reduce_period_us",
            "min_decrease_percent",
            "first_cnp_rate_mbps",
            "clamps_target",
            "clamps_target_after_timer",
        )
    },
    "nic.dcqcn.off_alone": Default(None, "no switch of a single priority was shown"),
    "nic.dcqcn.half_on_alone": Default(None, "no switch of a single priority was shown"),
    "nic.dcqcn.out_of_range": Default(None, "no parameter with a documented range was seen"),
    "nic.cma_mode": Default(None, "nothing on this host says what rdma_cm does by default"),
    "nic.cma_tos": Default(None, "nothing on this host says what rdma_cm does by default"),
    "dcbx.roce_priority": Default(None, "no application entry for UDP 4791 was seen"),
    "dcbx.willing": Default(None, "nothing on this host says whether it takes settings over from the far end"),
    "nic.roce_dscp": Default(None, "no setting of this NIC gives its RoCE packets a DSCP"),
    "pfc.watchdog": Default(None, "a NIC watches no queue that a peer's pause stops (source: unverified)"),
    "pfc.most": Default(None, "no tool says for how many priorities the NIC can have PFC on"),
    "pfc.receive_only": Default(frozenset(), "include/uapi/linux/dcbnl.h: one PFC bit a priority for both directions"),
    "pfc.send_only": Default(frozenset(), "include/uapi/linux/dcbnl.h: one PFC bit a priority for both directions"),
}
_STRUCTURAL = frozenset(DEFAULTS) - {"pfc.receive_only", "pfc.send_only"}


@dataclass(frozen=True, slots=True)
class NicReading:
    """The facts of a NIC, the statements that were not understood, and the paths on which tools disagree."""

    port: Port
    unread: tuple[At, ...]
    conflicts: tuple[tuple[str, Cell[Any]], ...]
    family: str


@lru_cache(maxsize=65_536)
def read_nic(key: PartKey) -> NicReading:
    """The facts that these parts tell. Those of the GID table must stand last."""
    settings = tuple(part for part in key if part[1] != gids.TOOL)
    shared = _read(settings)
    if len(settings) == len(key):
        return shared
    table, unread = gids.table(tuple(part[3] for part in key[len(settings) :]), len(settings))
    nic = shared.port.nic
    if nic.why is not None or nic.get().gids.why is Why.NOT_PARSED:
        return replace(shared, unread=(*shared.unread, *unread))
    port = replace(shared.port, nic=Cell(replace(nic.get(), gids=table), None, nic.at or table.at[:1]))
    return replace(shared, port=port, unread=(*shared.unread, *unread))


@lru_cache(maxsize=65_536)
def _read(key: PartKey) -> NicReading:
    nic = NicSettings()
    unread: list[At] = []
    tools = by_name()
    for number, (_, kind, _, texts, _) in enumerate(key):
        tool = tools[kind]
        for index, statement in enumerate(texts.statements):
            at = At(number, index)
            if not tool.apply(nic, statement, at):
                unread.append(at)
    _conclude(nic)
    shells = {tools[name].shell for name in nic.tools}
    family = next((f for f in families() if f.shell in shells and f.is_mine(nic)), None)
    if family is not None:
        family.conclude(nic)
        nic.adopt_family(family.name)
    else:
        _mapped_codes(nic)
    boot.conclude(nic, keeps=family is not None and family.keeps_settings)
    _protected(nic)
    return NicReading(_fill(nic), tuple(unread), _conflicts(nic), family.name if family is not None else "")


def _conflicts(nic: NicSettings) -> tuple[tuple[str, Cell[Any]], ...]:
    """(what people call it, the conflict) of all that tools say differently, in the order of the statements."""
    of_notes = ((name.replace(".", " "), cell) for name, cell in nic.notes.conflicts())
    return tuple(sorted((*nic.conflicts(), *of_notes), key=lambda one: _order(one[1])))


def _order(cell: Cell[Any]) -> list[tuple[int, int]]:
    return [(at.part, at.index) for at in cell.at if isinstance(at, At)]


def _fill(nic: NicSettings) -> Port:
    if not nic.has_below("nic"):
        nic.conclude("nic.near_gpu", unknown(Why.NOT_VISIBLE))
    complete = frozenset(re.sub(r"\.\d+(?=\.|$)", ".*", path) for path in nic.answered)
    if "pfc.priorities" in complete:
        complete |= {"pfc.receive_only", "pfc.send_only"}
    port: Port = fill(Port, nic, Lack(DEFAULTS, complete | _STRUCTURAL))
    return port


def _conclude(nic: NicSettings) -> None:
    """What follows from the tools' notes for any NIC."""
    if nic.cell("nic.rdma_device") is None:
        listed = nic.cell(ALL_RDMA_LISTED)
        if listed is not None:
            nic.conclude("nic.rdma_device", absent(*listed.at) if listed.is_known else listed)
    routes = nic.cell(ALL_ROUTES_LISTED)
    own = nic.cell(DEFAULT_ROUTE)
    if own is not None:
        nic.conclude("nic.default_route", own)
    elif routes is not None:
        nic.conclude("nic.default_route", known(False, *routes.at) if routes.is_known else routes)
    _routed(nic)
    _driver_on_disk(nic)
    _fec(nic)
    tlv.conclude(nic)
    _pcie(nic)
    _max_rates(nic)
    _scheduling(nic)
    if nic.cell("kind") is None:
        _kind(nic)


def _routed(nic: NicSettings) -> None:
    """Whether a route leads beyond the NIC's own subnet; that none does is known only where all tables were shown."""
    gateway, every = nic.cell(GATEWAY), nic.cell(ALL_TABLES_LISTED)
    if gateway is not None:
        nic.conclude("nic.routed", gateway)
    elif every is not None:
        nic.conclude("nic.routed", known(False, *every.at) if every.is_known else every)


def _driver_on_disk(nic: NicSettings) -> None:
    driver = nic.cell("nic.driver")
    if driver is not None and driver.is_known:
        on_disk = nic.cell(DRIVER_ON_DISK[driver.get()])
        if on_disk is not None:
            nic.conclude("nic.driver_on_disk", on_disk)


def _fec(nic: NicSettings) -> None:
    """What runs counts where no single code is configured, which is what the next link gets; and where none at all runs on a link that
    is up. Without a link none runs either, and where nobody saw whether there is one, nobody knows which it is.
    """
    active, configured = nic.cell(ACTIVE_FEC), nic.cell("fec")
    speed = nic.cell("speed_bps")
    is_up = speed is not None and speed.is_known
    not_known = next((cell for cell in (active, speed) if cell is not None and cell.is_unknown), None)
    if active is not None and not_known is not None:
        nic.conclude("nic.fec_running", not_known)
    if active is None or not active.is_known:
        return
    if is_up and nic.cell(HAS_NO_SPEED) is None:
        _fec_in_force(nic, active, configured)
    if active.get() != "none":
        if configured is None or configured.value_or_none() == "auto":
            nic.conclude("fec", active)
        return
    if nic.cell(HAS_NO_SPEED) is not None:
        return
    if is_up:
        nic.conclude("fec", active)
    elif configured is None or configured.value_or_none() != "none":
        nic.conclude("fec", unknown(Why.NOT_VISIBLE, *active.at))


def _fec_in_force(nic: NicSettings, active: Cell[Any], configured: Cell[Any] | None) -> None:
    """On a link that is up, what runs against the code that is configured, where that is one."""
    nic.conclude("nic.fec_running", active)
    one = configured.value_or_none() if configured is not None else None
    if configured is not None and one not in (None, "auto", active.get()):
        nic.conclude("nic.fec_unused", known(one, *active.at, *configured.at))


def _kind(nic: NicSettings) -> None:
    layer = nic.cell("nic.link_layer")
    if layer is not None:
        if layer.is_unknown:
            nic.conclude("kind", layer)
        else:
            nic.conclude("kind", known("infiniband" if layer.get() == "infiniband" else "ethernet", *layer.at))
        return
    tools = by_name()
    if any(tools[name].ethernet for name in nic.tools):
        nic.conclude(
            "kind", known("ethernet", Cited("Data Center Bridging (IEEE 802.1Q) is of Ethernet devices alone"))
        )


_ENCODING = {
    "2.5": (8, 10),
    "5.0": (8, 10),
    "8.0": (128, 130),
    "16.0": (128, 130),
    "32.0": (128, 130),
    "64.0": (242, 256),
}
"""Payload share of the line code: 8b/10b, 128b/130b, and the FLIT mode of PCIe 6 (PCI Express Base Specification)."""


_WIDEST = 16
"""Lanes of the widest slot."""


def _pcie(nic: NicSettings) -> None:
    speed, width, available = nic.cell(PCIE_SPEED), nic.cell(PCIE_WIDTH), nic.cell(PCIE_AVAILABLE)
    if speed is None or width is None:
        if available is not None:
            nic.conclude("nic.pcie_gbps", available)
        return
    for cell in (speed, width):
        if cell.is_unknown:
            nic.conclude("nic.pcie_gbps", cell)
            return
    payload, total = _ENCODING[speed.get()]
    rate = float(speed.get()) * width.get() * payload / total
    if available is not None and available.is_known and available.get() < int(rate):  # a bridge on the way is slower
        nic.conclude("nic.pcie_gbps", available)
        return
    at = (*width.at, *speed.at) if width.get() < _WIDEST else (*speed.at, *width.at)  # what is wanting comes first
    nic.conclude("nic.pcie_gbps", known(int(rate), *at))


def _scheduling(nic: NicSettings) -> None:
    """Transmission selection of each traffic class (IEEE 802.1Qaz): strict, a share in percent, or the vendor's own."""
    for number in range(8):
        tsa = nic.cell(SELECTION[number])
        if tsa is None:
            continue
        queue = f"queues.{number}"
        if tsa.is_unknown:
            for name in ("scheduling", "share", "share_kind"):
                nic.conclude(f"{queue}.{name}", tsa)
        elif tsa.get() == "strict":
            nic.conclude(f"{queue}.scheduling", known("strict", *tsa.at))
            nic.conclude(f"{queue}.share", absent(*tsa.at))
            nic.conclude(f"{queue}.share_kind", known("percent_exact", *tsa.at))
        elif tsa.get() == "ets":
            nic.conclude(f"{queue}.scheduling", known("weighted", *tsa.at))
            share = nic.or_unknown(BANDWIDTH[number])
            nic.conclude(f"{queue}.share", share)
            nic.conclude(f"{queue}.share_kind", known("percent_exact", *tsa.at))
        else:
            nic.conclude(f"{queue}.scheduling", unknown(Why.NO_DEFAULT, *tsa.at))
            nic.conclude(f"{queue}.share", absent(*tsa.at))  # only the classes of type ETS have one
            nic.conclude(f"{queue}.share_kind", known("percent_exact", *tsa.at))


def _mapped_codes(nic: NicSettings) -> None:
    """Of a NIC of no known family only the code points that the application table names are classified (IEEE 802.1Qcd)."""
    for code in nic.keys(PRIORITY_OF_DSCP):
        if nic.cell("dscp") is None:
            nic.conclude(f"dscp.{code}", nic.or_unknown(PRIORITY_OF_DSCP[code]))
    dcb.pfc_runs(nic)


_FIRST_RIGHT = (6, 18)
_EITHER_RATE = "iproute2: kbit/s before 6.18, bytes/s since; this is the reading nearer to the speed of the port"
_SOURCE_RATE = "iproute2 commit e7d4c060, first in v6.18.0: dcb maxrate printed kbit/s as if they were bytes/s"


def _max_rates(nic: NicSettings) -> None:
    """`dcb maxrate` prints JSON in kbit/s before iproute2 6.18, in bytes/s since; zero means the same in both."""
    version = nic.cell(IPROUTE2)
    for number in nic.keys(RATE_LIMIT):
        cell, target = nic.or_unknown(RATE_LIMIT[number]), f"queues.{number}.max_rate_bps"
        if cell.is_unknown:
            nic.conclude(target, cell)
        elif cell.get() == 0:
            nic.set_absent(target, *cell.at)
        elif version is not None and version.is_known:
            scale = 8 if version.get() >= _FIRST_RIGHT else 1000
            nic.set(target, cell.get() * scale, *cell.at, *version.at, Cited(_SOURCE_RATE))
        elif nic.cell(target) is None:
            nic.conclude(target, _whichever(cell, nic.cell("speed_bps")))


def _whichever(limit: Cell[int], speed: Cell[Any] | None) -> Cell[int]:
    """A limit of unknown unit, bit/s: known as far as both readings lie on the same side of the port's speed."""
    low, high = limit.get() * 8, limit.get() * 1000
    if speed is None or not speed.is_known or low < speed.get() <= high:
        return unknown(Why.NO_DEFAULT, *limit.at)
    return known(high if high < speed.get() else low, *limit.at, *speed.at, Cited(_EITHER_RATE))


def _protected(nic: NicSettings) -> None:
    """A receive buffer is lossless when a priority with PFC maps to it."""
    buffers = [nic.cell(f"priorities.{p}.group") for p in range(8)]
    if all(buffer is None for buffer in buffers):
        return
    pfc = nic.or_unknown("pfc.priorities")
    ready = [nic.or_unknown(f"priorities.{p}.group") for p in range(8)]
    missing = next((cell for cell in (pfc, *ready) if not cell.is_known), None)
    for number in range(8):
        path = f"groups.{number}.lossless"
        if missing is not None:
            nic.conclude(path, missing if missing.is_unknown else unknown(Why.NO_DEFAULT, *missing.at))
            continue
        mine = [cell for p, cell in enumerate(ready) if cell.get() == number and p in pfc.get()]
        at = tuple(dict.fromkeys((*pfc.at, *(where for cell in mine or ready for where in cell.at))))
        nic.conclude(path, known(bool(mine), *at))
