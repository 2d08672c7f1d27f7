"""The site as it is drawn: devices, ports, links, and the path of each class through a port. Plain data, shared by equal ports.

Everything here is safe to show: descriptions and names went through redaction where they were put in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from roce_audit.engine.findings import Severity
from roce_audit.records import dataclass

State = Literal["known", "absent", "unknown", "bad"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, or in words why there is none (`none`, `unknown (not visible)`)."""

    value: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a class's path through a device.

    `state`: its value is known, known to be absent, nobody saw it, or (`bad`) it breaks a class that is meant to be lossless.
    """

    label: str
    words: str
    state: State


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a sum, bytes."""

    name: str
    bytes: float


@dataclass(frozen=True, slots=True)
class BufferThresholds:
    """Thresholds of one class at one port, bytes. `needs` is what must fit into the headroom; empty where nobody knows."""

    kmin: Amount
    kmax: Amount
    xon: Amount
    xoff: Amount
    """Static threshold; for a dynamic one the largest that an empty pool allows."""
    dynamic: str
    """`alpha 0.125 of a pool of 26,000,000 B`; empty for a static threshold."""
    headroom: Amount
    shared_headroom: bool
    pays: str
    """`pays for 200 m of cable`; empty where nobody knows."""
    needs: tuple[Term, ...]
    basis: str
    """What `needs` was computed from: speed, cable, packet sizes; or what is missing for it."""


@dataclass(frozen=True, slots=True)
class Curve:
    """ECN curve of one queue: thresholds in bytes, Pmax in percent."""

    marks: Literal["yes", "no", "unknown"]
    kmin: Amount
    kmax: Amount
    pmax: Amount


@dataclass(frozen=True, slots=True)
class Share:
    """Scheduling of one queue: strict, or a share in percent of the weighted queues."""

    queue: int
    strict: bool
    share: Amount
    classes: tuple[str, ...]
    """Names of the classes that leave here."""


@dataclass(frozen=True, slots=True)
class PacketPath:
    """One class through one kind of port."""

    name: str
    steps: tuple[Step, ...]
    thresholds: BufferThresholds | None
    """None for a class without a queue or group that anybody saw."""
    curve: Curve | None


@dataclass(frozen=True, slots=True)
class PortDrawing:
    """Everything that is drawn of a port; equal ports share one."""

    paths: tuple[PacketPath, ...]
    shares: tuple[Share, ...]
    share_kind: str


@dataclass(frozen=True, slots=True)
class DrawnPort:
    """One port. `drawing` is an index into the drawings of the site; None where it carries no data."""

    id: str
    device: str
    name: str
    description: str
    speed: str
    mtu: str
    roce: Literal["yes", "no", "undecided", "not_data"]
    evidence: str
    peer: str
    cable: str
    path: str
    line: int
    drawing: int | None


@dataclass(frozen=True, slots=True)
class DrawnDevice:
    """One device; `tier` counts from the hosts (0) upward."""

    name: str
    kind: Literal["switch", "host"]
    platform: str
    fabric: str
    tier: int
    model: str
    path: str
    complete: str
    """Why the configuration counts as whole; empty for a fragment."""
    ports: int
    """How many ports it has, listed or not."""


@dataclass(frozen=True, slots=True)
class Box:
    """A device, or several of one tier that stand together."""

    names: tuple[str, ...]
    tier: int
    worst: Severity
    """What fails worst there."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The links between two boxes, which are numbers into those of the fabric."""

    a: int
    b: int
    links: int
    worst: Severity
    port: str
    """Where it fails worst: the id of a port."""


@dataclass(frozen=True, slots=True)
class DrawnFabric:
    """The devices of a fabric and what is between them."""

    name: str
    boxes: tuple[Box, ...]
    """Tier by tier, the highest first."""
    bundles: tuple[Bundle, ...]
    links: int


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """A class from one NIC to another, hop by hop."""

    title: str
    broken: bool
    findings: tuple[str, ...]
    """Fingerprints of those about its links and ports."""
    markup: str
    """HTML in which every name is escaped."""


@dataclass(frozen=True, slots=True)
class SiteDrawing:
    """Everything that pages show beside findings."""

    devices: tuple[DrawnDevice, ...]
    ports: tuple[DrawnPort, ...]
    """All ports; of a large site those with failed checks."""
    drawings: tuple[PortDrawing, ...]
    fabrics: tuple[DrawnFabric, ...] = ()
    paths: tuple[DrawnPath, ...] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Port that findings name and that is not among `ports` -> its device."""
