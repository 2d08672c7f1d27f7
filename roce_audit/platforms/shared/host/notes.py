"""What tools say of a NIC that is no setting of the model, and that its family concludes from: notes, typed by their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Note(Generic[T]):
    """One such thing; `name` is how people call it, and names it among all notes."""

    name: str

    def __getitem__(self, key: int | str) -> Note[T]:
        """The same of one priority, traffic class, code point, parameter."""
        return Note(f"{self.name}.{key}")


Path = str | Note[Any]
"""A path of the model, or a note."""

VENDOR = Note[str]("the PCI vendor")
SELECTION = Note[str]("the scheduling of traffic class")
"""Transmission selection algorithm (IEEE 802.1Qaz) of each traffic class: strict, ets, vendor, cbs."""
BANDWIDTH = Note[int]("the share of traffic class")
"""Percent, where the algorithm is ets."""
CLASSES = Note[int]("the number of traffic classes")
SWITCHED = {
    "np": Note[bool]("whether CNPs are sent for priority"),
    "rp": Note[bool]("whether CNPs are obeyed for priority"),
}
PRIORITY_OF_DSCP = Note[int]("the priority of DSCP")
HAS_DSCP_ENTRIES = Note[bool]("whether the application table has entries for DSCP")
"""Only said where the whole table was shown."""
DEFAULT_PRIORITY = Note[int]("the default priority")
WILLING = Note[bool]("willing to take the peer's")
APPLICATION = Note[int]("application entry")
"""By its number, then `priority`, `sel` and `dscp`: what each line of the entry says."""
RATE_LIMIT = Note[int]("the rate limit of traffic class")
"""As `dcb maxrate` prints it: its unit depends on the release."""
IPROUTE2 = Note[tuple[int, int]]("the release of iproute2")
PFC_DELAY = Note[int]("the delay of PFC")
PCIE_SPEED = Note[str]("the speed of the PCIe link")
"""In GT/s, as sysfs writes it."""
PCIE_WIDTH = Note[int]("the width of the PCIe link")
PCIE_AVAILABLE = Note[int]("Gbit/s that the slowest PCIe link on the way to the NIC takes")
ALL_RDMA_LISTED = Note[bool]("whether all RDMA devices were listed")
ACTIVE_FEC = Note[str]("the FEC that runs")
ALL_ROUTES_LISTED = Note[bool]("whether all routes were listed")
ALL_TABLES_LISTED = Note[bool]("whether the routes of all tables were listed")
GATEWAY = Note[bool]("a route with a gateway")
DEFAULT_ROUTE = Note[bool]("the default route")
HAS_NO_SPEED = Note[bool]("whether it has no speed, for want of a link")
DRIVER_ON_DISK = Note[str]("the version on disk of driver")
OFFERS_ROCE = Note[bool]("whether the device offers RoCE")
OFFERS_IWARP = Note[bool]("whether the device offers iWARP")
