"""A site: the fabrics that all devices of a run form, joined; what rules judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.cables.unreadends import UnreadEnd
from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.counters import NO_FABRIC
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.traffic.hops import Hops
from roce_audit.fabric.traffic.ways import Ways
from roce_audit.model import ClassPath, Fabric, FabricCounters, Observation, Position
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class FabricView:
    """One fabric: its devices, ports, classes, and the facts that rules of scope `fabric` judge."""

    name: str
    devices: tuple[DeviceReading, ...]
    in_use: tuple[FabricPort, ...]
    """Its ports but for the idle ones that nothing names."""
    of_site: FabricPorts
    classes: Classes
    facts: Fabric
    counters: FabricCounters = NO_FABRIC

    @property
    def ports(self) -> Sequence[FabricPort]:
        """All its ports."""
        return self.of_site.of_fabric(self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """All devices joined: fabrics, links, and what was noticed while joining them."""

    fabrics: tuple[FabricView, ...]
    links: tuple[LinkView, ...]
    links_one_end: int
    observations: tuple[Observation, ...]
    hops: Hops
    maintenance: frozenset[str]
    layers: Mapping[str, int]
    """Device name -> layer (0 host, 1 leaf, 2 spine, ...), where it is known; see layers.py."""
    positions: Mapping[str, Position]
    """Switch -> where it stands."""
    transit: Mapping[str, ClassPath]
    """Port id -> a way between switches that serve RoCE which passes it."""
    ways: Ways
    """What says which cables traffic takes between two places."""
    unread: tuple[UnreadEnd, ...] = ()
    """Cables to devices of which no file was read."""
    crashes: tuple[str, ...] = ()
    """Comparisons that came to no end, with why."""
