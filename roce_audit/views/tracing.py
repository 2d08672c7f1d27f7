"""Tracing: a class between two places that a user names, and its CNPs back; what `trace` prints and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from roce_audit.engine.findings import Finding
from roce_audit.fabric.classes.sentmark import App, Sent, asked_for, cnps_of, sent_by
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.fabric.traffic.chain import Demand
from roce_audit.fabric.traffic.crossings import Mark
from roce_audit.fabric.traffic.paths import TracedPath, Walk
from roce_audit.fabric.traffic.ways import Ways
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.text.sentences import listed
from roce_audit.values import Cell, Place, Why, absent, known, unknown
from roce_audit.views.choosing import choose

_NAMED = 4


class NoEnd(ValueError):
    """What was named is no place where a path can begin or end."""


@dataclass(frozen=True, slots=True)
class Cnps:
    """The CNPs of a path: with which mark they go back, who says so, and their way."""

    mark: Mark
    because: str
    places: tuple[Place, ...]
    path: TracedPath | None

    @property
    def breaks(self) -> bool:
        """Whether they are seen to be slowed down somewhere."""
        return self.path is not None and self.path.first_break is not None

    @property
    def unseen(self) -> bool:
        """Whether something of their way is not known."""
        return self.path is None or bool(self.path.unseen)


@dataclass(frozen=True, slots=True)
class Trace:
    """One class from one port to another."""

    source: FabricPort
    target: FabricPort
    sent: Sent
    path: TracedPath | None
    cnps: Cnps | None
    """None where nobody says their DSCP, and for traffic of no class."""

    @property
    def breaks(self) -> bool:
        """Whether the class is seen to be unprotected somewhere."""
        return self.sent.wrong is not None or (self.path is not None and self.path.first_break is not None)

    @property
    def unseen(self) -> bool:
        """Whether something must be seen before anybody can say that the chain holds."""
        return self.path is None or bool(self.path.unseen)


def traces(
    site: Site, devices: Sequence[DeviceReading], source: str, target: str, dscp: int | None, app: App | None
) -> list[Trace]:
    """The traces between two places: of two hosts each NIC with the one of the same number. Raises NoEnd, NothingChosen."""
    starts, ends = _ends(site, devices, source), _ends(site, devices, target)
    fabrics = {fabric.name: fabric for fabric in site.fabrics}
    return [_trace(start, end, fabrics[start.fabric], site.ways, dscp, app) for start, end in _pairs(starts, ends)]


def findings_along(found: Sequence[Trace], findings: Sequence[Finding]) -> list[Finding]:
    """The findings about the ports and devices that the traces pass."""
    passed = {name for trace in found for port in _ports(trace) for name in (port.id, port.device.name)}
    return [
        finding
        for finding in findings
        if finding.verdict == "fails" and any(_touches(member.id, passed) for member in finding.members)
    ]


def _touches(member: str, passed: set[str]) -> bool:
    return any(end in passed for end in member.split(" <-> "))


def _ports(trace: Trace) -> Iterator[FabricPort]:
    yield from (trace.source, trace.target)
    for path in (trace.path, trace.cnps.path if trace.cnps is not None else None):
        for row in path.rows if path is not None else ():
            yield from row.ports


def tunnels(path: TracedPath) -> tuple[Place, ...]:
    """The lines that set up VXLAN tunnels on the switches of a path; whether they carry its packets is nowhere read."""
    found: dict[Place, None] = {}
    for port in (port for row in path.rows for port in row.ports):
        forwarding = port.reading.facts.forwarding.value_or_none()
        if forwarding is not None and forwarding.tunnels.or_else(False):
            found.update(dict.fromkeys(port.places(forwarding.tunnels.at)))
    return tuple(found)


def outer_dscp(path: TracedPath) -> Cell[Any]:
    """The DSCP of the outer header at the first switch that tunnels: a number for all packets, or what it is made from (`packet`,
    `class`). Its evidence is in places and citations."""
    for port in (port for row in path.rows for port in row.ports):
        forwarding = port.reading.facts.forwarding.value_or_none()
        if forwarding is not None and forwarding.tunnels.or_else(False):
            number, made_from = forwarding.tunnel_fixed_dscp, forwarding.tunnel_dscp_from
            if number.is_absent and port.places(number.at):
                return known("packet", *port.absolute(number.at))
            said: Cell[Any] = number if number.is_known else made_from
            return Cell(said.value, said.why, port.absolute(said.at))
    return absent()


def _trace(
    start: FabricPort,
    end: FabricPort,
    fabric: FabricView,
    ways: Ways,
    dscp: int | None,
    app: App | None,
) -> Trace:
    if start is end:
        raise NoEnd(f"{start.id} is both ends")
    sent = asked_for(dscp, fabric.classes) if dscp is not None else sent_by(start, fabric.classes, app)
    if sent is None:
        raise NoEnd(
            f"no class of fabric {fabric.name} is known: say which DSCP to follow (--dscp N), or set the policy's `roce:`"
        )
    back = cnps_of(end, fabric.classes) if sent.cls is not None else None
    cnps = None
    if back is not None:
        mark, because, places = back
        demand = Demand(fabric.classes.cnp, unknown(Why.NOT_VISIBLE))
        way = Walk(ways, demand, sent.mark).along(end, start, mark)
        cnps = Cnps(mark, because, places, way)
    return Trace(start, end, sent, data_path(start, end, sent, ways), cnps)


def data_path(start: FabricPort, end: FabricPort, sent: Sent, ways: Ways) -> TracedPath | None:
    """The path of what is sent; None where no cable leads there."""
    return Walk(ways, Demand(sent.cls, _rdma_mtu(start, end, sent))).along(start, end, sent.mark)


def _rdma_mtu(start: FabricPort, end: FabricPort, sent: Sent) -> Cell[int]:
    """The smaller path MTU of the two NICs, bytes, which they agree on; else that of the class."""
    nics = [nic for port in (start, end) if (nic := nic_of(port)) is not None and nic.rdma_mtu_bytes.is_known]
    if nics:
        return min((nic.rdma_mtu_bytes for nic in nics), key=lambda cell: cell.get())
    return sent.cls.mtu_bytes if sent.cls is not None else unknown(Why.NOT_VISIBLE)


@dataclass(frozen=True, slots=True)
class _Ends:
    """Ports that a name stands for; `whole`: a device was named, and these are its ports that come into question."""

    ports: tuple[FabricPort, ...]
    whole: bool


def _ends(site: Site, devices: Sequence[DeviceReading], subject: str) -> _Ends:
    chosen = choose(site, devices, subject)
    if len(chosen) > 1:
        raise NoEnd(f"'{subject}' is {', '.join(one.device.name for one in chosen[:_NAMED])}: name one of them")
    (one,) = chosen
    if one.whole:
        return _Ends(_of_device(one.device, one.ports), True)
    if len(one.ports) > 1:
        raise NoEnd(f"'{subject}' is {_listed(one.ports)}: name one of them")
    (port,) = one.ports
    members = [
        other
        for fabric in site.fabrics
        for other in fabric.ports
        if other.device is port.device and other.reading.labels.lag == port.reading.name
    ]
    if port.peer is None and members:  # a bond or port channel: the way of one of its members
        return _Ends((next((member for member in members if member.peer is not None), members[0]),), False)
    if port.roce.rank == "not_data":
        raise NoEnd(f"{port.id} is no port that carries data (down, or of another kind)")
    return _Ends((port,), False)


def _of_device(device: DeviceReading, ports: Sequence[FabricPort]) -> tuple[FabricPort, ...]:
    """The NICs of a host that carry RoCE; of a switch its one port towards hosts."""
    carrying = [port for port in ports if port.roce.carries]
    if device.kind == "host":
        wired = tuple(port for port in carrying if port.peer is not None) or tuple(carrying)
        if not wired:
            raise NoEnd(f"no NIC of {device.name} is known to carry RoCE: name one ({device.name}:PORT)")
        return wired
    to_hosts = [port for port in carrying if port.peer is None or port.peer.is_nic]
    if len(to_hosts) != 1:
        known = _listed(to_hosts or [port for port in ports if port.roce.rank != "not_data"])
        raise NoEnd(f"{device.name} is a switch: say by which port the packets go ({known or device.name + ':PORT'})")
    return tuple(to_hosts)


def _pairs(starts: _Ends, ends: _Ends) -> list[tuple[FabricPort, FabricPort]]:
    """NIC i with NIC i, as collective libraries do; a named port with the one of its number, else with the first."""
    if starts.whole and ends.whole:
        return list(zip(starts.ports, ends.ports, strict=False))
    if starts.whole:
        return [(_like(starts.ports, ends.ports[0]), ends.ports[0])]
    if ends.whole:
        return [(starts.ports[0], _like(ends.ports, starts.ports[0]))]
    return [(starts.ports[0], ends.ports[0])]


def _like(ports: Sequence[FabricPort], other: FabricPort) -> FabricPort:
    """The port of the same name as the other, else one on the same switch, else the first."""
    by_name = (port for port in ports if port.reading.name == other.reading.name)
    beside = (
        port
        for port in ports
        if port.peer is not None and other.peer is not None and port.peer.device is other.peer.device
    )
    return next(by_name, next(beside, ports[0]))


def _listed(ports: Sequence[FabricPort]) -> str:
    return listed([port.id for port in ports], _NAMED, spare_one=False)
