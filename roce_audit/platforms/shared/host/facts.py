"""From the statements about one NIC to its facts: a pure function of the statements, memoised over the fleet."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.shared.host import boot, dcb, tlv
from roce_audit.platforms.shared.host.answers import REFUSED
from roce_audit.platforms.shared.host.claims import Facts
from roce_audit.platforms.shared.host.tools import by_name, families
from roce_audit.text.block import Part, PartKey, Texts, key_of
from roce_audit.text.fill import Default, Lack, Settings, fill
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

GIDS = "gids"
"""The tool whose statements hold addresses: read apart, so that NICs that differ in nothing else share their facts."""

DEFAULTS: dict[str, Default] = {
    "classes.*.mtu_bytes": Default(None, "a NIC has one MTU a port"),
    "classes.*.new_dscp": Default(None, "a NIC sends the DSCP that the application set (source: unverified)"),
    "rewrites_dscp": Default(frozenset(), "a NIC sends the DSCP that the application set (source: unverified)"),
    "queues.*.ecn": Default(None, "a NIC's transmit queues have no marking curve (source: unverified)"),
    "groups.*.profile": Default(None, "a NIC names no buffer profiles"),
    "groups.*.profile_speed_bps": Default(None, "a NIC names no buffer profiles"),
    "groups.*.profile_cable_m": Default(None, "a NIC names no buffer profiles"),
    "nic.roce": Default(None, "nothing on this host says that RoCE is switched on or off"),
    "nic.dcqcn.out_of_range": Default(None, "no parameter with a documented range was seen"),
    "nic.cma_mode": Default(None, "nothing on this host says what rdma_cm does by default"),
    "nic.cma_tos": Default(None, "nothing on this host says what rdma_cm does by default"),
    "dcbx.willing": Default(None, "nothing on this host says whether it takes settings over from the far end"),
    "nic.roce_dscp": Default(None, "no setting of this NIC gives its RoCE packets a DSCP"),
    "pfc.watchdog": Default(None, "a NIC watches no queue that a peer's pause stops (source: unverified)"),
    "pfc.receive_only": Default(frozenset(), "include/uapi/linux/dcbnl.h: one PFC bit a priority for both directions"),
}
_STRUCTURAL = frozenset(DEFAULTS) - {"pfc.receive_only"}


@dataclass(frozen=True, slots=True)
class NicReading:
    """The facts of a NIC, the statements that were not understood, and the paths on which tools disagree."""

    port: Port
    unread: tuple[At, ...]
    conflicts: tuple[tuple[str, Cell[Any]], ...]


def read_nic(parts: tuple[Part, ...]) -> NicReading:
    """The facts that these parts tell. The GID parts must stand last."""
    settings = [p for p in parts if p.kind != GIDS]
    shared = _read(key_of(tuple(settings)))
    gids = parts[len(settings) :]
    if not gids:
        return shared
    cell, unread = _gids(gids, len(settings))
    nic = shared.port.nic
    if nic.why is not None or nic.get().gids.why is Why.NOT_PARSED:
        return NicReading(shared.port, (*shared.unread, *unread), shared.conflicts)
    port = replace(shared.port, nic=Cell(replace(nic.get(), gids=cell), None, nic.at or cell.at[:1]))
    return NicReading(port, (*shared.unread, *unread), shared.conflicts)


@lru_cache(maxsize=65_536)
def _read(key: PartKey) -> NicReading:
    facts = Facts()
    unread: list[At] = []
    tools = by_name()
    for number, (_, kind, _, texts, _) in enumerate(key):
        tool = tools[kind]
        for index, statement in enumerate(texts.statements):
            at = At(number, index)
            if not tool.apply(facts, statement, at):
                unread.append(at)
    _conclude(facts)
    shells = {tools[name].shell for name in facts.tools}
    family = next((f for f in families() if f.shell in shells and f.is_mine(facts)), None)
    if family is not None:
        family.conclude(facts)
        boot.adopt(facts, family.name)
    else:
        _mapped_codes(facts)
    boot.conclude(facts, keeps=family is not None and family.keeps_settings)
    _protected(facts)
    return NicReading(_fill(facts), tuple(unread), tuple(facts.conflicts()))


def _fill(facts: Facts) -> Port:
    settings = Settings()
    for path in facts.paths():
        cell = facts.cell(path)
        if cell is not None:
            settings.set_cell(path, cell)
    for path, cell in facts.doubts():
        settings.set_unknown(path, cell.why or Why.NOT_PARSED, *cell.at)
    for path, cell in facts.refused.items():
        if not path.startswith("_"):
            settings.forbid_default(path, Why.REFUSED, *cell.at)
    if not settings.has_below("nic"):
        settings.set_cell("nic.near_gpu", unknown(Why.NOT_VISIBLE))
    complete = frozenset(re.sub(r"\.\d+(?=\.|$)", ".*", path) for path in facts.answered)
    if "pfc.priorities" in complete:
        complete |= {"pfc.receive_only"}
    port: Port = fill(Port, settings, Lack(DEFAULTS, complete | _STRUCTURAL))
    return port


def _conclude(facts: Facts) -> None:
    """What follows from the tools' notes for any NIC."""
    if facts.cell("nic.rdma_device") is None:
        listed = facts.cell("_rdma_seen")
        if listed is not None:
            facts.put("nic.rdma_device", absent(*listed.at) if listed.is_known else listed)
    routes = facts.cell("_routes_seen")
    own = facts.cell("_default_route")
    if own is not None:
        facts.put("nic.default_route", own)
    elif routes is not None:
        facts.put("nic.default_route", known(False, *routes.at) if routes.is_known else routes)
    tlv.conclude(facts)
    _pcie(facts)
    _max_rates(facts)
    _scheduling(facts)
    if facts.cell("kind") is None:
        _kind(facts)


def _kind(facts: Facts) -> None:
    layer = facts.cell("nic.link_layer")
    if layer is not None:
        if layer.is_unknown:
            facts.put("kind", layer)
        else:
            facts.put("kind", known("infiniband" if layer.get() == "infiniband" else "ethernet", *layer.at))
        return
    tools = by_name()
    if any(tools[name].ethernet for name in facts.tools):
        facts.put("kind", known("ethernet", Cited("Data Center Bridging (IEEE 802.1Q) is of Ethernet devices alone")))


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


def _pcie(facts: Facts) -> None:
    speed, width = facts.cell("_pcie_speed"), facts.cell("_pcie_width")
    if speed is None or width is None:
        return
    for cell in (speed, width):
        if cell.is_unknown:
            facts.put("nic.pcie_gbps", cell)
            return
    payload, total = _ENCODING[speed.get()]
    rate = float(speed.get()) * width.get() * payload / total
    at = (*width.at, *speed.at) if width.get() < _WIDEST else (*speed.at, *width.at)  # what is wanting comes first
    facts.put("nic.pcie_gbps", known(int(rate), *at))


def _scheduling(facts: Facts) -> None:
    """Transmission selection of each traffic class (IEEE 802.1Qaz): strict, a share in percent, or the vendor's own."""
    for number in range(8):
        tsa = facts.cell(f"_tsa.{number}")
        if tsa is None:
            continue
        queue = f"queues.{number}"
        if tsa.is_unknown:
            for name in ("scheduling", "share", "share_kind"):
                facts.put(f"{queue}.{name}", tsa)
        elif tsa.get() == "strict":
            facts.put(f"{queue}.scheduling", known("strict", *tsa.at))
            facts.put(f"{queue}.share", absent(*tsa.at))
            facts.put(f"{queue}.share_kind", known("percent_exact", *tsa.at))
        elif tsa.get() == "ets":
            facts.put(f"{queue}.scheduling", known("weighted", *tsa.at))
            share = facts.or_unknown(f"_bandwidth.{number}")
            facts.put(f"{queue}.share", share)
            facts.put(f"{queue}.share_kind", known("percent_exact", *tsa.at))
        else:
            facts.put(f"{queue}.scheduling", unknown(Why.NO_DEFAULT, *tsa.at))
            facts.put(f"{queue}.share", absent(*tsa.at))  # only the classes of type ETS have one
            facts.put(f"{queue}.share_kind", known("percent_exact", *tsa.at))


def _mapped_codes(facts: Facts) -> None:
    """Of a NIC of no known family only the code points that the application table names are classified (IEEE 802.1Qcd)."""
    for path in facts.below("_dscp2prio"):
        cell = facts.cell(path)
        if cell is not None and facts.cell("dscp") is None:
            facts.put(f"dscp.{path.rpartition('.')[2]}", cell)
    dcb.pfc_runs(facts)


_FIRST_RIGHT = (6, 18)
_SOURCE_RATE = "iproute2 commit e7d4c060, first in v6.18.0: dcb maxrate printed kbit/s as if they were bytes/s"


def _max_rates(facts: Facts) -> None:
    """`dcb maxrate` prints JSON in kbit/s before iproute2 6.18, in bytes/s since; zero means the same in both."""
    version = facts.cell("_iproute2")
    for path in list(facts.below("_dcb_maxrate")):
        cell = facts.cell(path)
        target = f"queues.{path.rpartition('.')[2]}.max_rate_bps"
        if cell is None:
            continue
        if cell.is_unknown:
            facts.put(target, cell)
        elif cell.get() == 0:
            facts.claim_absent(target, *cell.at)
        elif version is not None and version.is_known:
            scale = 8 if version.get() >= _FIRST_RIGHT else 1000
            facts.claim(target, cell.get() * scale, *cell.at, *version.at, Cited(_SOURCE_RATE))
        elif facts.cell(target) is None:
            facts.put(target, unknown(Why.NO_DEFAULT, *cell.at))


def _protected(facts: Facts) -> None:
    """A receive buffer is lossless when a priority with PFC maps to it."""
    buffers = [facts.cell(f"priorities.{p}.group") for p in range(8)]
    if all(buffer is None for buffer in buffers):
        return
    pfc = facts.or_unknown("pfc.priorities")
    ready = [facts.or_unknown(f"priorities.{p}.group") for p in range(8)]
    missing = next((cell for cell in (pfc, *ready) if not cell.is_known), None)
    for number in range(8):
        path = f"groups.{number}.lossless"
        if missing is not None:
            facts.put(path, missing if missing.is_unknown else unknown(Why.NO_DEFAULT, *missing.at))
            continue
        mine = [cell for p, cell in enumerate(ready) if cell.get() == number and p in pfc.get()]
        at = tuple(dict.fromkeys((*pfc.at, *(where for cell in mine or ready for where in cell.at))))
        facts.put(path, known(bool(mine), *at))


_GID_KINDS = {"v1": "roce-v1", "v2": "roce-v2", "IB/RoCE v1": "roce-v1", "RoCE v2": "roce-v2", "IB": "ib"}


def _gids(parts: tuple[Part, ...], offset: int) -> tuple[Cell[Any], list[At]]:
    """The GID table. Statements: `3 address X`, `3 kind v2`, `3 netdev N`; one that is not understood makes the table unknown."""
    from roce_audit.model import Gid

    facts = Facts()
    unread: list[At] = []
    refused: list[At] = []
    texts: tuple[Texts, ...] = tuple(p.block.texts for p in parts)
    for number, text in enumerate(texts):
        for index, statement in enumerate(text.statements):
            at = At(offset + number, index)
            if statement.startswith(REFUSED):
                refused.append(at)
                continue
            try:
                _gid(facts, statement, at)
            except ValueError:
                unread.append(at)
    if unread:
        return unknown(Why.NOT_PARSED, *unread), unread
    indices = sorted({int(path.split(".")[0]) for path in facts.paths()})
    found = []
    for i in indices:
        address, local, kind, netdev = (
            facts.or_unknown(f"{i}.{n}") for n in ("address", "link_local", "kind", "netdev")
        )
        if not address.is_absent:
            found.append(Gid(index=i, kind=kind, address=address, link_local=local, netdev=netdev))
    if refused and not found:
        return unknown(Why.REFUSED, *refused), unread
    places = tuple(At(offset + n, 0) for n, text in enumerate(texts) if text.statements)
    return known(tuple(found), *places), unread


def _gid(facts: Facts, statement: str, at: At) -> None:
    index, name, value = statement.split(" ", 2)
    number = int(index)
    if not 0 <= number <= 4095:
        raise ValueError(statement)
    path = f"{number}.{name}"
    if name == "address":
        address = ipaddress.IPv6Address(value)
        if int(address) == 0:
            facts.claim_absent(path, at)
        else:
            facts.claim(path, str(address.ipv4_mapped or address), at)
            facts.claim(f"{number}.link_local", address.is_link_local, at)
    elif name == "kind":
        if value not in _GID_KINDS:
            raise ValueError(value)
        facts.claim(path, _GID_KINDS[value], at)
    elif name == "netdev":
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", value):
            raise ValueError(value)
        facts.claim(path, value, at)
    else:
        raise ValueError(statement)
