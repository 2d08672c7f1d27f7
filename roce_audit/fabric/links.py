"""Links: cables between two ports, from the topology file; the fabrics that they form."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from roce_audit.fabric.facts import is_hostless
from roce_audit.fabric.port import FabricPort, FabricPorts
from roce_audit.model import Link, Observation
from roce_audit.platforms.base import DeviceReading
from roce_audit.values import Cell, Place, Why, known, unknown


@dataclass(frozen=True, slots=True)
class Cable:
    """One line of the topology: two ends (device, port), and what it says of the cable."""

    a: tuple[str, str]
    b: tuple[str, str]
    place: Place
    length_m: float | None = None
    roce: bool | None = None
    ours: bool = True
    """Written for us: in the file of a lab ports may have other names than on the device."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkView:
    """A link both of whose ends were read."""

    a: FabricPort
    b: FabricPort
    link: Link
    place: Place

    @property
    def id(self) -> str:
        """`a <-> b`, in stable order."""
        return " <-> ".join(sorted((self.a.id, self.b.id)))


@dataclass(frozen=True, slots=True)
class Wiring:
    """All links, and what was noticed while joining them."""

    links: tuple[LinkView, ...]
    one_end: int
    observations: tuple[Observation, ...]
    said: dict[str, tuple[bool, Place]]
    """Port id -> the link's `roce:` attribute."""


LengthOf = Callable[[FabricPort, FabricPort], Cell[float] | None]


def join(ports: FabricPorts, cables: Iterable[Cable], length_of: LengthOf) -> Wiring:
    """Find the ends of each cable. An end that was not read counts as `one_end`; a port with two cables is a conflict."""
    links: list[LinkView] = []
    seen: dict[str, Place] = {}
    observations: list[Observation] = []
    said: dict[str, tuple[bool, Place]] = {}
    one_end = 0
    for cable in cables:
        a, b = ports.find(*cable.a), ports.find(*cable.b)
        for end in (a, b):
            if end is not None and cable.roce is not None:
                said[end.id] = (cable.roce, cable.place)
        if a is None or b is None:
            one_end += a is not b
            observations.extend(_missing(ports, cable))
            only = a or b
            if only is not None and only.length is None and cable.length_m is not None:
                only.length = known(cable.length_m, cable.place)
            continue
        if a.id in seen or b.id in seen:
            observations.append(_twice(a if a.id in seen else b, cable.place))
            continue
        seen[a.id] = seen[b.id] = cable.place
        a.peer, b.peer = b, a
        length = _length(cable, a, b, length_of)
        a.length = b.length = length
        links.append(LinkView(a, b, Link(length, _speed(a, b)), cable.place))
    return Wiring(tuple(links), one_end, tuple(observations), said)


def goes_by(port: FabricPort, roles: Mapping[str, str]) -> tuple[str, ...]:
    """What an end of a cable may be called in the policy: the device's name, its role, and what its name tells of its role."""
    name = port.device.name
    role = roles.get(name, "host" if port.is_nic else "switch")
    return (name, role, *(part for part in ("leaf", "spine", "tor") if part in name.lower() and name not in roles))


def _length(cable: Cable, a: FabricPort, b: FabricPort, length_of: LengthOf) -> Cell[float]:
    if cable.length_m is not None:
        return known(cable.length_m, cable.place)
    given = length_of(a, b)
    return unknown(Why.NOT_VISIBLE) if given is None else given


def _speed(a: FabricPort, b: FabricPort) -> Cell[int]:
    for port in (a, b):
        speed = port.reading.facts.speed_bps
        if speed.is_known:
            return known(speed.get(), *port.absolute(speed.at))
    return unknown(Why.NOT_VISIBLE)


def _twice(port: FabricPort, place: Place) -> Observation:
    text = f"{port.id} is on two cables; the first one counts"
    return Observation("conflict", port.id, text, known(True, place), known(port.id, place))


def _missing(ports: FabricPorts, cable: Cable) -> Iterable[Observation]:
    """Ends that the whole configuration of a switch does not have: the port was forgotten, or its name is misspelt."""
    for device, port in (cable.a, cable.b) if cable.ours else ():
        if ports.find(device, port) is None and ports.is_whole_switch(device):
            name = f"{device}:{port}"
            text = f"a cable ends on {name}; the configuration of {device} is whole and has no such port"
            yield Observation("undefined", name, text, known(False, cable.place), known(name, cable.place))


def groups(
    devices: Sequence[DeviceReading], links: Iterable[LinkView], not_roce: Callable[[FabricPort], bool]
) -> dict[str, str]:
    """Device name -> fabric name: connected devices; a device without links joins those of its top-level folder."""
    parent = {device.name: device.name for device in devices}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    linked: set[str] = set()
    for link in links:
        if not_roce(link.a) or not_roce(link.b):
            continue
        linked |= {link.a.device.name, link.b.device.name}
        parent[root(link.a.device.name)] = root(link.b.device.name)
    folders: dict[str, list[str]] = defaultdict(list)
    top = _folders(devices)
    for device in devices:
        folders[top[device.name]].append(device.name)
    for names in folders.values():
        anchor = next((name for name in names if name in linked), names[0])
        for name in names:
            if name not in linked:
                parent[root(name)] = root(anchor)
    members: dict[str, list[str]] = defaultdict(list)
    for device in devices:
        members[root(device.name)].append(device.name)
    return _named(members, top)


def _folders(devices: Sequence[DeviceReading]) -> dict[str, str]:
    """Device name -> the first folder in which the paths of the run differ ("" where they do not)."""
    living = Counter(device.first.path.rpartition("/")[0] for device in devices)
    split = {device.name: _group_folder(device, living) for device in devices}
    shared = 0
    while (
        all(len(p) > shared + 1 for p in split.values()) and len({tuple(p[: shared + 1]) for p in split.values()}) == 1
    ):
        shared += 1
    return {name: (parts[shared] if len(parts) > shared else "") for name, parts in split.items()}


def _group_folder(device: DeviceReading, living: Mapping[str, int]) -> list[str]:
    """The folders above a device. A folder that holds one device in one file a command is no group of devices."""
    folder = device.first.path.rpartition("/")[0]
    above = folder.split("/")
    files = {part.block.path for port in device.ports for part in port.parts}
    named = [step.lower() for step in above]
    if device.name.lower() in named[:-1]:  # the device's own tree of folders below the one of its name
        return above[: named.index(device.name.lower())]
    is_the_device = named[-1] == device.name.lower() or len(files) > 1
    return above[:-1] if living[folder] == 1 and is_the_device else above


def _named(members: dict[str, list[str]], top: dict[str, str]) -> dict[str, str]:
    names: dict[str, str] = {}
    taken: set[str] = set()
    for devices in members.values():
        folders = {top[device] for device in devices}
        name = folders.pop() if len(folders) == 1 else ""
        if not name or name in taken:
            name = f"{name or 'fabric'}" if (name or "fabric") not in taken else f"{name or 'fabric'}-{len(taken) + 1}"
        taken.add(name)
        names.update(dict.fromkeys(devices, name))
    return names


def of_hostless(devices: Sequence[DeviceReading], names: Mapping[str, str]) -> dict[str, str]:
    """Job script or setup file without a host -> fabric, where the nearest folder with devices leaves no choice.

    `names` are the devices' fabrics.

    Such a file names no port, so no cable says where it belongs. Hosts count before switches: it is they who run it.
    """
    below: dict[str, tuple[set[str], set[str]]] = {}
    for device in devices:
        if not is_hostless(device):
            for folder in _folders_around(device):
                hosts, all_kinds = below.setdefault(folder, (set(), set()))
                all_kinds.add(names[device.name])
                if device.kind == "host":
                    hosts.add(names[device.name])
    found: dict[str, str] = {}
    for device in filter(is_hostless, devices):
        hosts, all_kinds = next((below[f] for f in _folders_around(device) if f in below), (set(), set()))
        choice = hosts or all_kinds
        if len(choice) == 1:
            (found[device.name],) = choice
    return found


def _folders_around(device: DeviceReading) -> list[str]:
    """The folders around a device's main file, the nearest first."""
    steps = device.first.path.split("/")[:-1]
    return ["/".join(steps[:end]) for end in range(len(steps), -1, -1)]
