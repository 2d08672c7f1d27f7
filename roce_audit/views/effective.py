"""The way of each class through a port, on one line: mark, internal class, queue, group, PFC, MTU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.model import Class, Hop, Queue
from roce_audit.values import Cell
from roce_audit.views.cellwords import value
from roce_audit.views.choosing import Chosen, alike, run


def effective_lines(chosen: Sequence[Chosen], site: Site) -> Iterator[str]:
    """A line per class and group of ports on which it takes the same path; ports that carry no data are left out."""
    fabrics = {fabric.name: fabric for fabric in site.fabrics}
    for one in chosen:
        data = [port for port in one.ports if port.roce.rank != "not_data"]
        paths = {port.id: tuple(_packet_paths(port, fabrics, site)) for port in data}
        for first, members in alike(data, lambda port, found=paths: found[port.id]):  # type: ignore[misc]
            for path in paths[first.id]:
                yield f"{one.device.name}:{run(members)}  {path}"


def _packet_paths(port: FabricPort, fabrics: Mapping[str, FabricView], site: Site) -> Iterator[str]:
    classes = fabrics[port.fabric].classes
    for cls in (*classes.roce, *([classes.cnp] if classes.cnp is not None else [])):
        yield f"{cls.name}: {_packet_path(port, cls, site.hops.of(port.reading.facts, cls))}"


def _packet_path(port: FabricPort, cls: Class, hop: Hop) -> str:
    mark = f"PCP {value(cls.pcp)}" if cls.pcp.is_known and not cls.dscp.is_known else f"DSCP {value(cls.dscp)}"
    inside = _number(hop.traffic_class)
    if inside == "unknown (conflict)" and hop.dscp_classes.is_known:
        inside = f"{value(hop.dscp_classes)} (its code points part)"
    pfc = {"yes": "on", "no": "off"}.get(value(hop.pfc_on), value(hop.pfc_on))
    mtu = value(port.reading.facts.ip_mtu_bytes)
    return (
        f"{mark} -> class {inside} -> queue {_number(hop.queue)} ({_queue(hop.queue)}) / group {_number(hop.group)} "
        f"-> PFC priority {value(hop.priority)} {pfc}; MTU {mtu}"
    )


def _number(cell: Cell[Any]) -> str:
    return str(cell.get().number) if cell.is_known else value(cell)


def _queue(cell: Cell[Queue]) -> str:
    if not cell.is_known:
        return "ECN unknown"
    queue = cell.get()
    strict = "strict, " if queue.scheduling.is_known and queue.scheduling.get() == "strict" else ""
    if not queue.ecn.is_known:
        return f"{strict}{'no ECN' if queue.ecn.is_absent else 'ECN ' + value(queue.ecn)}"
    ecn = queue.ecn.get()
    if ecn.marks.is_known and not ecn.marks.get():
        return f"{strict}WRED without ECN"
    return f"{strict}ECN {_bytes(ecn.min_bytes)}..{_bytes(ecn.max_bytes)} B"


def _bytes(cell: Cell[int]) -> str:
    return f"{cell.get():,}" if cell.is_known else value(cell)
