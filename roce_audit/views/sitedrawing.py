"""The site as reports draw it, from a checked run: devices in tiers, ports with what is drawn of each, links."""

from __future__ import annotations

from roce_audit.audit import Checked
from roce_audit.fabric.layers import LEAF
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.platforms.base import DeviceReading
from roce_audit.report.drawing import DrawnDevice, DrawnPort, PortDrawing, SiteDrawing
from roce_audit.text.redact import redact
from roce_audit.values import Cell
from roce_audit.views.cellwords import value
from roce_audit.views.pathdrawings import path_drawings
from roce_audit.views.portdrawing import drawing


def site_drawing(checked: Checked) -> SiteDrawing:
    """Everything that can be drawn of a run."""
    site = checked.site
    drawings: dict[PortDrawing, int] = {}
    ports: list[DrawnPort] = []
    for fabric in site.fabrics:
        known: dict[tuple[object, ...], int] = {}
        ports += [_port(port, fabric, site, known, drawings) for port in fabric.ports]
    fabrics = {device.name: fabric.name for fabric in site.fabrics for device in fabric.devices}
    return SiteDrawing(
        devices=tuple(
            _device(device, fabrics.get(device.name, ""), site.layers.get(device.name, LEAF))
            for device in checked.devices
        ),
        ports=tuple(ports),
        links=tuple((link.a.id, link.b.id) for link in site.links),
        drawings=tuple(drawings),
        paths=path_drawings(checked),
    )


def _device(device: DeviceReading, fabric: str, tier: int) -> DrawnDevice:
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
    )


def _port(
    port: FabricPort,
    fabric: FabricView,
    site: Site,
    known: dict[tuple[object, ...], int],
    drawings: dict[PortDrawing, int],
) -> DrawnPort:
    reading, answer = port.reading, port.roce
    data = answer.rank != "not_data"
    return DrawnPort(
        id=port.id,
        device=port.device.name,
        name=reading.name,
        description=redact(reading.labels.description),
        speed=_speed(reading.facts.speed_bps),
        mtu=value(reading.facts.ip_mtu_bytes),
        roce="not_data" if not data else {True: "yes", False: "no", None: "undecided"}[answer.carries],  # type: ignore[arg-type]
        evidence=redact(answer.because),
        peer=port.peer.id if port.peer is not None else "",
        cable=f"{port.length.value:g} m" if port.length is not None and port.length.is_known else "",
        path=reading.header.path,
        line=reading.header.line,
        drawing=_drawing(port, fabric, site, known, drawings) if data else None,
    )


def _drawing(
    port: FabricPort,
    fabric: FabricView,
    site: Site,
    known: dict[tuple[object, ...], int],
    drawings: dict[PortDrawing, int],
) -> int:
    """The number of the drawing of the port: worked out once for equal facts at equal cables, kept once where it comes out equal."""
    assumed = port.joined.assumed_length_m if port.joined is not None else None
    key = (id(port.reading.facts), assumed, bool(port.roce.carries))
    found = known.get(key)
    if found is None:
        drawn = drawing(port, fabric.classes, site.hops, assumed)
        found = known[key] = drawings.setdefault(drawn, len(drawings))
    return found


def _speed(cell: Cell[int]) -> str:
    return f"{cell.get() / 1e9:g}G" if cell.is_known else value(cell)
