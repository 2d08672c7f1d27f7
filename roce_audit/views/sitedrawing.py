"""The site as reports draw it, from a checked run: devices in tiers, ports with what is drawn of each, fabrics, paths.

Of a large site those ports are drawn that a failure concerns, the worst first; of the others it is known how many each device has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import cache

from roce_audit.audit import Checked
from roce_audit.engine.findings import Report
from roce_audit.fabric.layers import LEAF
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView
from roce_audit.fabric.traffic.hops import Hops
from roce_audit.platforms.base import DeviceReading
from roce_audit.report.drawing import DrawnDevice, DrawnPort, PortDrawing, SiteDrawing
from roce_audit.report.worst import Worst, rank
from roce_audit.text.secrets.redact import redact
from roce_audit.values import Cell
from roce_audit.views.cellwords import value
from roce_audit.views.fabricdrawing import fabric_drawings
from roce_audit.views.pathdrawings import path_drawings
from roce_audit.views.portdrawing import Needs, cable_needs, drawing, with_cable

MOST_PORTS = 10_000
"""Ports that are drawn. Where there are more: those with failed checks, the worst first."""


def site_drawing(checked: Checked) -> SiteDrawing:
    """Everything that can be drawn of a run."""
    site, report = checked.site, checked.report
    worst = Worst.of(report)
    device_of = {port.id: port.device.name for fabric in site.fabrics for port in fabric.ports}
    listed = _listed(list(device_of), worst)
    drawn = _Ports(site.hops)
    ports = [drawn.port(port, fabric) for fabric in site.fabrics for port in fabric.ports if port.id in listed]
    fabric_of = {device.name: fabric.name for fabric in site.fabrics for device in fabric.devices}
    count = Counter(device_of.values())
    devices = tuple(
        _device(device, fabric_of.get(device.name, ""), site.layers.get(device.name, LEAF), count[device.name])
        for device in checked.devices
    )
    links = ((link.a.id, link.b.id) for link in site.links)
    return SiteDrawing(
        devices=devices,
        ports=tuple(ports),
        drawings=tuple(drawn.drawings),
        fabrics=tuple(fabric_drawings(devices, links, device_of, worst)),
        paths=path_drawings(checked),
        elsewhere={port: device_of[port] for port in _named(report) if port in device_of and port not in listed},
    )


def _listed(ports: Sequence[str], worst: Worst) -> Set[str]:
    """Which ports are drawn."""
    if len(ports) <= MOST_PORTS:
        return frozenset(ports)
    ends = worst.ends
    return frozenset(sorted((port for port in ports if port in ends), key=lambda port: rank(ends[port]))[:MOST_PORTS])


def _named(report: Report) -> Iterator[str]:
    """What findings name: ports, ends of links, and whatever else they are about."""
    for finding in report.findings:
        for member in finding.members:
            yield from member.id.split(" <-> ")


def _device(device: DeviceReading, fabric: str, tier: int, ports: int) -> DrawnDevice:
    model = device.device.model_name
    return DrawnDevice(
        name=device.name,
        kind=device.kind,
        platform=device.platform,
        fabric=fabric,
        tier=tier,
        model=redact(str(model.value)) if model.is_known else "",
        path=device.first.path,
        complete=next(iter(device.complete_because.values()), ""),
        ports=ports,
    )


class _Ports:
    """Draws ports. Most have facts that others have too, and differ by their cables alone."""

    def __init__(self, hops: Hops) -> None:
        self._hops = hops
        self.drawings: list[PortDrawing] = []
        """Each of which no other is equal."""
        self._numbers: dict[tuple[int, tuple[Needs | None, ...]], int] = {}
        """(drawing without a cable, what the cable needs) -> number of the drawing."""
        self._without: dict[PortDrawing, PortDrawing] = {}
        """Drawings without a cable, equal ones as one."""
        self._of_facts: dict[tuple[int, int, bool], PortDrawing] = {}
        self._of_port: dict[tuple[int, int, bool, Cell[float] | None], int] = {}
        self._redacted = cache(redact)

    def port(self, port: FabricPort, fabric: FabricView) -> DrawnPort:
        """A port of a fabric as it is drawn."""
        reading, answer = port.reading, port.roce
        data = answer.rank != "not_data"
        return DrawnPort(
            id=port.id,
            device=port.device.name,
            name=reading.name,
            description=self._redacted(reading.labels.description),
            speed=_speed(reading.facts.speed_bps),
            mtu=value(reading.facts.ip_mtu_bytes),
            roce="not_data" if not data else {True: "yes", False: "no", None: "undecided"}[answer.carries],  # type: ignore[arg-type]
            evidence=self._redacted(answer.because),
            peer=port.peer.id if port.peer is not None else "",
            cable=f"{port.length.value:g} m" if port.length is not None and port.length.is_known else "",
            path=reading.header.path,
            line=reading.header.line,
            drawing=self._number(port, fabric) if data else None,
        )

    def _number(self, port: FabricPort, fabric: FabricView) -> int:
        """The number of the drawing of a port."""
        facts, classes, carries = port.reading.facts, fabric.classes, bool(port.roce.carries)
        length = port.joined.assumed_length_m if port.joined is not None else None
        key = (id(facts), id(fabric), carries, length)
        found = self._of_port.get(key)
        if found is None:
            without = self._of_facts.get(key[:3])
            if without is None:
                drawn = drawing(facts, carries, classes, self._hops)
                without = self._of_facts[key[:3]] = self._without.setdefault(drawn, drawn)
            found = self._of_port[key] = self._drawn(without, cable_needs(without, facts, classes, length))
        return found

    def _drawn(self, without: PortDrawing, needed: tuple[Needs | None, ...]) -> int:
        number = self._numbers.setdefault((id(without), needed), len(self.drawings))
        if number == len(self.drawings):
            self.drawings.append(with_cable(without, needed))
        return number


def _speed(cell: Cell[int]) -> str:
    return f"{cell.get() / 1e9:g}G" if cell.is_known else value(cell)
