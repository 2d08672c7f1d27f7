"""Links: cables between two ports, as LLDP shows and plans say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, Protocol

from roce_audit.fabric.cables.addressedends import Ends, addressed_otherwise
from roce_audit.fabric.cables.neighbours import Hearing, is_data
from roce_audit.fabric.cables.unreadends import UnreadEnd, cabled_twice, misnamed_nics
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Link, Observation, Port
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.text.sentences import listed
from roce_audit.values import Cell, Place, Why, known, unknown

Origin = Literal["plan", "lab", "configuration", "description"]
"""Who says it: a plan of the site; the file of a lab, where ports may have other names than on the device; one end's
configuration; or the description of a port, which nobody may have kept up to date."""


@dataclass(frozen=True, slots=True)
class Cable:
    """One line of a plan: two ends (device, port), and what it says of the cable."""

    a: tuple[str, str]
    b: tuple[str, str]
    place: Place
    length_m: float | None = None
    roce: bool | None = None
    origin: Origin = "plan"


@dataclass(frozen=True, slots=True, eq=False)
class LinkView:
    """A link both of whose ends were read."""

    a: FabricPort
    b: FabricPort
    link: Link
    place: Place
    """The line of the plan, else that of the LLDP answer."""

    @property
    def id(self) -> str:
        """`a <-> b`, in stable order."""
        return " <-> ".join(sorted((self.a.id, self.b.id)))

    @property
    def joins_a_pair(self) -> bool:
        """Whether it is the peer link of two switches that hosts see as one."""
        return self.a.reading.labels.peer_link or self.b.reading.labels.peer_link


@dataclass(frozen=True, slots=True)
class Wiring:
    """All links, and what was noticed while joining them."""

    links: tuple[LinkView, ...]
    one_end: int
    """Ports whose far end is named and was not read."""
    observations: tuple[Observation, ...]
    said: dict[str, tuple[bool, Place]]
    """Port id -> the link's `roce:` attribute."""
    unread: tuple[UnreadEnd, ...] = ()
    """Cables to devices of which no file was read."""


_MOST = 3
"""Ports that a sentence names."""


def configured(devices: Iterable[DeviceReading]) -> list[Cable]:
    """The cables that configurations state; the local port comes first."""
    return [
        Cable((device.name, one.port), (one.system, one.port_id), one.place, origin="configuration")
        for device in devices
        for one in device.neighbours
        if one.configured and one.system
    ]


LengthOf = Callable[[FabricPort, FabricPort], Cell[float] | None]


class Described(Protocol):
    """What descriptions of ports tell."""

    @property
    def tell_cables(self) -> bool:
        """False where no description can tell a cable, whatever it says."""

    def cables(self, of: Collection[FabricPort]) -> Iterable[Cable]:
        """The cables that the descriptions of these ports tell."""

    def cables_of_one_word(self, of: Collection[FabricPort]) -> Iterable[Cable]:
        """The cables that one description tells, or addresses, where nothing says more."""

    def exchanged(self, of: Iterable[FabricPort]) -> Iterable[Observation]:
        """What descriptions of these ports, of which nothing tells a cable, contradict in each other."""

    def may_tell(self, device: str, port: Port, description: str) -> bool:
        """False where the description of a port tells no cable."""


def join(
    ports: FabricPorts,
    cables: Iterable[Cable],
    length_of: LengthOf,
    hearing: Hearing,
    described: Described,
) -> Wiring:
    """The links that LLDP shows, then those of the plan where LLDP shows no other, then those that descriptions tell.

    What the ports hear is what is cabled; a plan that says otherwise is told, and counts for its other cables alone. An end that
    was not read counts as `one_end`; of two cables of the plan in one port the first counts.
    """
    return _Joining(ports, length_of, hearing).of(cables, described)


class _Joining:
    """The links of one site while they are found."""

    def __init__(self, ports: FabricPorts, length_of: LengthOf, hearing: Hearing) -> None:
        self._ports = ports
        self._length_of = length_of
        self._hearing = hearing
        self._heard = {frozenset((one.port.id, far.id)): (one, far) for one, far in hearing.cables}
        self._by_lldp = {port.id: key for key, (one, far) in self._heard.items() for port in (one.port, far)}
        self._planned: dict[frozenset[str], Cable] = {}
        self._links: list[LinkView] = []
        self._seen: dict[str, Place] = {}
        """Port -> where its cable is said."""
        self._again: dict[tuple[str, str], list[tuple[FabricPort, Place]]] = {}
        """(file of the cable that counts, file of the other one) -> ports that are on two cables."""
        self._stated_by_both: Collection[tuple[str, str]] = ()
        """The ends of cables that the configurations of both state, both ways round."""
        self._half: set[str] = set()
        self._stated: list[Ends] = []
        """The cables that are more than a guess."""
        self._described: list[Ends] = []
        self._unread: dict[str, UnreadEnd] = {}
        self._lost: list[tuple[str, str, Place]] = []
        self._observations = list(hearing.observations)
        self._said: dict[str, tuple[bool, Place]] = {}

    def of(self, cables: Iterable[Cable], described: Described) -> Wiring:
        left = self._not_heard(cables)
        self._not_heard(described.cables(self._heard_alone()))
        for key, (one, far) in self._heard.items():
            planned = self._planned.get(key)
            self._link(one.port, far, one.said.place if planned is None else planned.place, planned)
            self._stated.append((one.port, far, one.said.place))
        self._stated_by_both = _mutual(left)
        for cable, a, b in sorted(left, key=lambda one: not self._is_by_both(*one)):
            self._plan(cable, a, b)
        self._observations += [_twice(*files, ports) for files, ports in self._again.items()]
        cabled = set(self._seen)
        left_over = self._ports.without_cable(described.may_tell) if described.tell_cables else ()
        for tell in (described.cables, described.cables_of_one_word):
            for cable, a, b in self._not_heard(tell([port for port in left_over if port.id not in self._seen])):
                self._plan(cable, a, b)
        self._observations.extend(described.exchanged(port for port in left_over if port.id not in self._seen))
        stated, told = self._of_channels(self._stated), self._of_channels(self._described)
        self._observations.extend(addressed_otherwise(stated, told, self._ports.in_use))
        for port_id, its in self._hearing.by_port.items():
            if is_data(its[0].port):
                self._half.add(port_id)
                one = its[0]
                self._names_unread(one.port, one.said.system, one.said.port_id, one.said.place, stated=False)
        unread = tuple(end for port_id, end in self._unread.items() if port_id not in cabled)
        half = len(self._half - self._seen.keys())
        self._observations.extend(_missing(self._lost, self._ports))
        self._observations.extend(misnamed_nics(self._lost, self._ports))
        self._observations.extend(cabled_twice(unread))
        return Wiring(tuple(self._links), half, tuple(self._observations), self._said, unread)

    def _of_channels(self, cables: Iterable[Ends]) -> Sequence[Ends]:
        """The ends that have addresses: the channels of cables in some, each pair of them once."""
        found: dict[tuple[str, str], Ends] = {}
        for a, b, place in cables:
            one, other = (
                (self._ports.find(end.device.name, end.reading.labels.lag) if end.reading.labels.lag else None) or end
                for end in (a, b)
            )
            found.setdefault((one.id, other.id), (one, other, place))
        return list(found.values())

    def _names_unread(self, port: FabricPort, device: str, far_port: str, place: Place, *, stated: bool) -> None:
        if device and not self._ports.has(device):
            self._unread[port.id] = UnreadEnd(port, device, far_port, place, stated)

    def _not_heard(self, cables: Iterable[Cable]) -> list[tuple[Cable, FabricPort | None, FabricPort | None]]:
        """Those that LLDP does not show, with their ends; the others say more of what it shows."""
        left: list[tuple[Cable, FabricPort | None, FabricPort | None]] = []
        for cable in cables:
            a, b = self._ports.find(*cable.a), self._ports.find(*cable.b)
            for end in (a, b):
                if end is not None and cable.roce is not None:
                    self._said[end.id] = (cable.roce, cable.place)
            if self._heard and a is not None and b is not None and frozenset((a.id, b.id)) in self._heard:
                self._planned.setdefault(frozenset((a.id, b.id)), cable)
            else:
                left.append((cable, a, b))
        return left

    def _is_by_both(self, cable: Cable, a: FabricPort | None, b: FabricPort | None) -> bool:
        """Whether the configurations of both ends state it; any other plan counts as such."""
        return cable.origin != "configuration" or (
            a is not None and b is not None and (a.id, b.id) in self._stated_by_both
        )

    def _heard_alone(self) -> Sequence[FabricPort]:
        """The ends of cables that LLDP shows and no plan."""
        ends = {id for key in self._heard if key not in self._planned for id in key}
        return [port for port in self._ports.in_use if port.id in ends] if ends else ()

    def _plan(self, cable: Cable, a: FabricPort | None, b: FabricPort | None) -> None:
        """A cable that LLDP does not show: told where it shows another one, else taken."""
        other = self._other_far_end(cable, a, cable.b[0], b) or self._other_far_end(cable, b, cable.a[0], a)
        if other is not None:
            self._observations.append(other)
            return
        if a is None or b is None:
            if cable.origin == "plan":
                self._lost += [(*end, cable.place) for end, port in ((cable.a, a), (cable.b, b)) if port is None]
            only = a or b
            if only is not None:
                self._half.add(only.id)
                only.has_neighbour = only.has_neighbour or cable.origin != "description"
                if cable.origin != "description":
                    self._names_unread(only, *(cable.b if only is a else cable.a), cable.place, stated=True)
                if only.length is None and cable.length_m is not None:
                    only.length = known(cable.length_m, cable.place)
        elif a.peer is b:
            return  # another plan has the same cable
        elif a.id in self._seen or b.id in self._seen:
            taken = a if a.id in self._seen else b
            is_heard = cable.origin == "lab" and taken.id in self._by_lldp
            far = taken.peer
            if cable.origin == "configuration" and far is not None and (taken.id, far.id) in self._stated_by_both:
                self._observations.append(_not_by_both(cable, a, b, taken, far))
            if cable.origin not in ("configuration", "description") and not is_heard:
                files = (self._seen[taken.id].path, cable.place.path)
                if cable.origin != "lab" or _folder(files[0]) == _folder(files[1]):  # laboratories use names again
                    self._again.setdefault(files, []).append((taken, cable.place))
        else:
            self._link(a, b, cable.place, cable)
            (self._described if cable.origin == "description" else self._stated).append((a, b, cable.place))

    def _other_far_end(
        self, cable: Cable, end: FabricPort | None, planned: str, far: FabricPort | None
    ) -> Observation | None:
        """What this end of a planned cable hears, where that is not the far end of the plan (`far`, or a port of `planned`)."""
        if end is None or cable.origin in ("lab", "description"):
            return None
        key = self._by_lldp.get(end.id)
        if key is not None:
            one, other = self._heard[key]
            peer = other if one.port is end else one.port
            is_meant = far is None and same_device(peer.device.name, planned)
            return None if is_meant else _not_as_planned(cable, end, peer.id, one.said.place)
        for one in self._hearing.by_port.get(end.id, ()):
            name = one.device.name if one.device is not None else one.said.system
            if name and not same_device(name, planned):
                return _not_as_planned(cable, end, one.said.text, one.said.place)
        return None

    def _link(self, a: FabricPort, b: FabricPort, place: Place, cable: Cable | None) -> None:
        self._seen |= {a.id: place, b.id: place}
        a.peer, b.peer = b, a
        a.length = b.length = length = _length(cable, a, b, self._length_of)
        self._links.append(LinkView(a, b, Link(length, _speed(a, b)), place))


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _mutual(cables: Iterable[tuple[Cable, FabricPort | None, FabricPort | None]]) -> Collection[tuple[str, str]]:
    """The ends of the cables that the configurations of both ends state, both ways round."""
    stated = {(a.id, b.id) for cable, a, b in cables if cable.origin == "configuration" and a and b}
    return {(one, other) for one, other in stated if (other, one) in stated}


def _not_by_both(cable: Cable, a: FabricPort, b: FabricPort, taken: FabricPort, far: FabricPort) -> Observation:
    """One end's configuration names a far end that names another one, which names it as well."""
    text = (
        f"the configuration of {a.device.name} has {a.id} cabled to {b.id}; those of {taken.device.name} and "
        f"{far.device.name} have {taken.id} cabled to {far.id}, and that counts"
    )
    return Observation("conflict", a.id, text, known(True, cable.place), known(a.id, cable.place))


def same_device(one: str, other: str) -> bool:
    """Whether two names are one device's, with or without its domain."""
    one, other = one.lower(), other.lower()
    return one == other or one.partition(".")[0] == other or other.partition(".")[0] == one


def _not_as_planned(cable: Cable, end: FabricPort, hears: str, place: Place) -> Observation:
    planned = " and ".join(f"{device}:{port}".rstrip(":") for device, port in (cable.a, cable.b))
    says = "the configuration" if cable.origin == "configuration" else "the plan"
    text = f"{says} has {planned} cabled, but {end.id} hears {hears} by LLDP, and that counts"
    at = known(planned, cable.place, place)
    return Observation("cabled-otherwise", planned, text, known(True, cable.place), at)


def goes_by(name: str, roles: Mapping[str, str], *, is_nic: bool) -> tuple[str, ...]:
    """What an end of a cable may be called in the policy: the device's name, its role, and what its name tells of its role."""
    role = roles.get(name, "host" if is_nic else "switch")
    return (name, role, *(part for part in ("leaf", "spine", "tor") if part in name.lower() and name not in roles))


def _length(cable: Cable | None, a: FabricPort, b: FabricPort, length_of: LengthOf) -> Cell[float]:
    if cable is not None and cable.length_m is not None:
        return known(cable.length_m, cable.place)
    given = length_of(a, b)
    return unknown(Why.NOT_VISIBLE) if given is None else given


def _speed(a: FabricPort, b: FabricPort) -> Cell[int]:
    for port in (a, b):
        speed = port.reading.facts.speed_bps
        if speed.is_known:
            return known(speed.get(), *port.absolute(speed.at))
    return unknown(Why.NOT_VISIBLE)


def _twice(first: str, other: str, ports: Sequence[tuple[FabricPort, Place]]) -> Observation:
    """Ports on two cables: of one plan, which are slips, or of two, which mostly are two versions of one."""
    port, place = ports[0]
    is_one = len(ports) == 1
    name = port.id if is_one else f"{port.id} and {len(ports) - 1} more"
    text = f"{port.id} is on two cables" if is_one else f"{len(ports)} ports, such as {port.id}, are on two cables"
    if first == other:
        text = f"{text}; the first one {'' if is_one else 'of each '}counts"
    else:
        text = f"{text}; the one of {first} counts: leave the plan that does not hold out (policy: exclude)"
    return Observation("conflict", name, text, known(True, place), known(port.id, place))


def _missing(lost: Iterable[tuple[str, str, Place]], ports: FabricPorts) -> Iterable[Observation]:
    """Ends of a plan that the whole configuration of a switch does not have: forgotten, misspelt, or ports that are not set up."""
    of_device: dict[str, dict[str, Place]] = {}
    for device, port, place in lost:
        if ports.is_whole_switch(device):
            of_device.setdefault(device, {}).setdefault(port, place)
    for device, its in of_device.items():
        (first, place), is_one = next(iter(its.items())), len(its) == 1
        name = f"{device}:{first}"
        where = f"a cable ends on {name}" if is_one else f"cables end on {listed(tuple(its), _MOST)} of {device}"
        text = f"{where}; the configuration of {device} is whole and sets no such port{'' if is_one else 's'} up"
        yield Observation("undefined", name, text, known(False, place), known(name, place))
