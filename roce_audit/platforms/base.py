"""What reading the texts of a device gives, whatever platform read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from roce_audit.model import Device, Host, Observation
from roce_audit.model.device import ObservationKind
from roce_audit.platforms.portreading import KeptPorts, PortReading
from roce_audit.records import dataclass
from roce_audit.text.block import Part
from roce_audit.text.comments import Comment
from roce_audit.text.names import vlan_numbers
from roce_audit.text.whole import BY_LOOKS
from roce_audit.values import Cell, Cited, Place, Why, absent, known, unknown


def unseen_device() -> dict[str, Cell[Any]]:
    """The facts of a device by their names while nothing was read of it: none is visible."""
    values: dict[str, Cell[Any]] = {name: unknown(Why.NOT_VISIBLE) for name in Device.__dataclass_fields__}
    values["watchdog_ports"] = absent(Cited("nothing that is read here counts them"))
    values["default_reach_m"] = absent(
        Cited("no document says how long a cable the switch's own thresholds are made for")
    )
    return values


def unseen_switch() -> dict[str, Cell[Any]]:
    """The same for a switch of another system than SONiC, whose own settings it does not have."""
    not_here: Cell[Any] = absent(Cited("a setting of SONiC"))
    return unseen_device() | {"buffer_model": not_here, "calculation_mtu_bytes": not_here}


Makes = Literal["pause", "classes"]
"""What lossless transport takes from definitions: pause, or packets that are led into their class."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation with its place; `ports` are the names of the ports that lean on it."""

    observation: Observation
    place: Place
    quote: str
    ports: tuple[str, ...] = ()
    device: str = ""
    """Name of the device it was seen on; "" for what concerns the run as a whole. Set when the devices are joined."""
    meant: str = ""
    """Of a name that nothing defines: the defined one that comes near it."""
    meant_ports: tuple[str, ...] = ()
    """The ports that lean on that one."""
    makes: tuple[Makes, ...] = ()
    """Of a definition without effect in a part: what lossless transport would take from it."""
    namesakes: tuple[Place, ...] = ()
    """Where things of other kinds are named by the same name."""
    devices: tuple[str, ...] = ()
    """Of what concerns several devices: their names."""


UNREAD_LINE = "not understood, though about lossless settings; what is set there is taken as unknown"


def seen(
    kind: ObservationKind, name: str, text: str, place: Place, quote: str, ports: tuple[str, ...], *others: Place
) -> Seen:
    """An observation with its place and the ports that lean on it; `others` are places that it is about as well."""
    observation = Observation(
        kind=kind, name=name, text=text, relied_on=known(bool(ports), place), at=known(quote, place, *others)
    )
    return Seen(observation, place, quote, ports)


def no_link(name: str, place: Place, quote: str, clause: str = "its own device shows it without link") -> Seen:
    """What is told of a port that has no link, as its own device shows, or that its channel does not use."""
    return seen("no-link", name, clause, place, quote, (name,))


PortIdKind = Literal["name", "mac", "local", "address"]
"""What a port id is: a name or alias of the interface, its MAC address, a number or word of the agent's own, a network address."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The far end of a port: as its LLDP agent sent it, or (`configured`) as the configuration of this end states it.

    `port` is the local port as the answer names it. MAC addresses are twelve lower-case digits.
    """

    port: str
    place: Place
    system: str = ""
    chassis: str = ""
    port_id: str = ""
    port_id_kind: PortIdKind = "name"
    description: str = ""
    configured: bool = False
    offers_pfc: Cell[frozenset[int]] | None = None
    """The priorities in the PFC TLV that it sent (DCBX); None where the answer shows no such TLV."""
    offers_roce_priority: Cell[int] | None = None
    """The priority that its application TLV gives to RoCEv2 (UDP 4791); None where the answer shows none."""
    offers_shares: Cell[tuple[int, ...]] | None = None
    """Percent of the bandwidth for each of eight priorities by its ETS TLV, what it recommends before what it has itself; 100 for one
    that is served first; None where the answer shows none."""

    @property
    def text(self) -> str:
        """`device:port` as far as they are known, for people."""
        return ":".join(filter(None, (self.system or self.chassis, self.port_id or self.description)))


@dataclass(frozen=True, slots=True)
class RouteEntry:
    """A route that a switch forwards by: packets to the prefix leave by these ports, or by those that lead to these next hops.

    The default VRF has no name.
    """

    prefix: str
    ports: tuple[str, ...]
    next_hops: tuple[str, ...]
    place: Place
    vrf: str = ""


Scope = Literal["pair", "gateway", "channel", "tunnel", "tunnelled", "network", "vlans", "own"]


@dataclass(frozen=True, slots=True)
class CommonValue:
    """What a switch says that others must say as well: those of `scope`."""

    what: str
    of: str
    """A port channel or a VLAN; "" where it is of the switch itself."""
    value: str
    place: Place
    scope: Scope = "pair"

    @property
    def vlans(self) -> set[int]:
        """Those that it lists."""
        return vlan_numbers(self.value)


@dataclass(frozen=True, slots=True)
class DeviceReading:
    """Everything read of one device."""

    name: str
    platform: str
    kind: Literal["switch", "host"]
    device: Device
    device_parts: tuple[Part, ...]
    ports: tuple[PortReading, ...] | KeptPorts
    first: Place
    """First line of the device's main document: where an absence that has no stanza is shown."""
    host: Host | None = None
    host_parts: tuple[Part, ...] = ()
    seen: tuple[Seen, ...] = ()
    complete_because: Mapping[str, str] = field(default_factory=dict)
    """Document path -> why it counts as complete; a path that is missing here is a fragment."""
    saved: DeviceReading | None = None
    """What the switch boots with, read by itself; None where only one state of it was given."""
    unrecognised: tuple[tuple[str, str], ...] = ()
    """(path, why) of files among the device's that nothing of the platform reads."""
    neighbours: tuple[Neighbour, ...] = ()
    """What its ports heard of their far ends, and what the configuration says of them."""
    routes: tuple[RouteEntry, ...] = ()
    """Its routing tables, where they were given."""
    common: tuple[CommonValue, ...] = ()
    """What it says that other switches must say as well."""
    macs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """MAC address as twelve digits -> the ports that have it; members of a bond share one."""
    lines: int = 0
    lines_relevant: int = 0
    unread_more: int = 0
    """Unread lines that are told by the last one of `seen`, not by themselves."""
    inline_suppressions: tuple[Comment, ...] = ()

    @property
    def assumed_whole(self) -> tuple[str, ...]:
        """Paths of documents that are taken as whole because they look so; nothing proves it."""
        return tuple(path for path, because in self.complete_because.items() if because == BY_LOOKS)
