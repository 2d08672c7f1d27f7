"""Sent marks: with which DSCP or tag a NIC's packets of a class leave it, who says so, and whether that is the class's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.classes.sending import told
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.chain import Break
from roce_audit.fabric.traffic.crossings import Mark
from roce_audit.model import Class
from roce_audit.records import dataclass
from roce_audit.values import Cell, Place

App = Literal["nccl", "ucx", "perftest"]
BY_HOST = "set on the host"


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent: the mark, the class that is meant, who says so, and what is wrong with it."""

    mark: Mark
    cls: Class | None
    """None: the mark was asked for, and no class of the fabric has it."""
    because: str
    assumed: bool
    """Nothing says so: the mark is the class's own."""
    places: tuple[Place, ...] = ()
    wrong: Break | None = None


def sent_by(port: FabricPort, classes: Classes, app: App | None = None) -> Sent | None:
    """What a NIC sends, or what is taken to enter a switch port; None where no class of the fabric is known."""
    if not classes.roce:
        return None
    for tos, who in _said(port, app):
        mark = Mark(tos.get() // 4)
        cls = class_with(mark, classes)
        places = tuple(place for place in port.places(tos.at) if place.line > 0)
        wrong = None if cls is not None else _outside(mark, tos.get(), who, classes.roce[0], places, port)
        return Sent(mark, cls or classes.roce[0], who, False, places, wrong)
    own = own_mark(classes.roce[0])
    return None if own is None else Sent(own, classes.roce[0], "the class's own", True)


def asked_for(dscp: int, classes: Classes) -> Sent:
    """The DSCP that the user asked for."""
    mark = Mark(dscp)
    return Sent(mark, class_with(mark, classes), "as asked", False)


def cnps_of(port: FabricPort, classes: Classes) -> tuple[Mark, str, tuple[Place, ...]] | None:
    """The mark of the CNPs that a NIC sends, who says so, and where; None where nobody says it."""
    nic = nic_of(port)
    if nic is not None and nic.cnp_dscp.is_known:
        places = tuple(place for place in port.places(nic.cnp_dscp.at) if place.line > 0)
        return Mark(nic.cnp_dscp.get()), f"sent by {port.id}", places
    own = own_mark(classes.cnp) if classes.cnp is not None else None
    return None if own is None else (own, "the CNP class of the fabric", ())


def own_mark(cls: Class) -> Mark | None:
    """The lowest code point of a class, or the lowest tag of one that is known by tags alone."""
    if cls.dscp.is_known and cls.dscp.get():
        return Mark(min(cls.dscp.get()))
    return Mark(min(cls.pcp.get()), by_tag=True) if cls.pcp.is_known and cls.pcp.get() else None


def class_with(mark: Mark, classes: Classes) -> Class | None:
    """The RoCE class that a mark belongs to."""
    return next(
        (c for c in classes.roce if mark.value in (c.pcp if mark.by_tag else c.dscp).or_else(frozenset())), None
    )


def _said(port: FabricPort, app: App | None) -> Iterator[tuple[Cell[int], str]]:
    """ToS bytes, the one that counts first: what the driver forces, then the application, then what is told otherwise."""
    found = port.application
    if found is None:
        return
    if found.forced_tos.is_known:
        yield found.forced_tos, "forced by the driver"
    if app == "nccl" and found.nccl_tos.is_known:
        yield found.nccl_tos, "NCCL's default" if found.nccl_tos_is_default.or_else(False) else "NCCL_IB_TC"
    elif app == "ucx" and found.ucx_tos.is_known:
        yield found.ucx_tos, "UCX's default" if found.ucx_tos_is_default.or_else(False) else "UCX_IB_TRAFFIC_CLASS"
    elif app == "perftest" and found.perftest_tos.is_known:
        yield found.perftest_tos, "the perftest run"
    elif app is None:
        by_cell = {id(found.nccl_tos): "NCCL_IB_TC", id(found.ucx_tos): "UCX_IB_TRAFFIC_CLASS"}
        yield from ((cell, by_cell.get(id(cell), BY_HOST)) for cell in told(port))


def _outside(mark: Mark, tos: int, who: str, cls: Class, places: tuple[Place, ...], port: FabricPort) -> Break:
    own = own_mark(cls)
    text = f"sends {mark} (ToS byte {tos}, {who}), and class {cls.name} is {own if own is not None else 'another'}"
    nic = nic_of(port)
    by_nic = nic is not None and nic.roce_dscp.is_known and who == BY_HOST
    owner: Literal["host", "application"] = "host" if by_nic or who == "forced by the driver" else "application"
    return Break(text, owner, places or (port.reading.header,))
