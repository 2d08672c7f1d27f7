"""Cabling: the cables and roles that the topology files of a run say, and what is wrong in these."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from roce_audit.fabric.cables.links import Cable, LinkView, Origin
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.sources.loaded import Loaded, Problem
from roce_audit.sources.naming import own_name
from roce_audit.text.decode import LIMIT_BYTES
from roce_audit.text.wholefile import read_plain


@dataclass(frozen=True, slots=True)
class Cabling:
    """What the files say together."""

    cables: Sequence[Cable]
    roles: Mapping[str, str]
    """Device -> its role."""
    problems: Sequence[Problem]
    notes: Sequence[str]
    """One for each file of that name that is somebody else's."""


def cabling(loaded: Loaded, named: str | None) -> Cabling:
    """What the topology files among the inputs say, and the one that the user named. Raises ValueError where that is none."""
    is_named = {file.path: named is not None and _is_same(file.path, named) for file in loaded.topology_files}
    files = [file for file in loaded.topology_files if file.is_ours or not is_named[file.path]]
    if named is not None and not any(is_named[file.path] for file in files):
        from roce_audit.sources.topology.files import read as read_topology

        files.append(read_topology(_text(named), named, named=True))
    cables: list[Cable] = []
    roles: dict[str, str] = {}
    problems: list[Problem] = []
    notes: list[str] = []
    claimants = _claimants(loaded)
    for file in files:
        if not file.is_ours:
            notes.append(
                f"{file.path}: no topology in roce-audit's form, so no cable is taken from it (--topology FILE names one)"
            )
        problems.extend(Problem(at.path, at.line, clause, "unreadable") for at, clause in file.errors)
        origin: Origin = "lab" if file.is_lab else "plan"
        for link in file.topology.links:
            a, b = (_meant(end.device, file.path, claimants) for end in (link.a, link.b))
            ends = (a, link.a.port), (b, link.b.port)
            cables.append(Cable(*ends, link.place, link.length_m, link.roce, origin))
        roles.update({_meant(name, file.path, claimants): role.role for name, role in file.topology.roles.items()})
    return Cabling(cables, roles, problems, notes)


_Claimants = Mapping[str, Sequence[tuple[str, str]]]
"""Name that several devices claim -> path of each, and what it is judged as."""


def _claimants(loaded: Loaded) -> _Claimants:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for device, units in zip(loaded.devices, loaded.units, strict=False):
        for unit in units:
            found[own_name(unit)].append((unit.path, device.name))
    return {name: those for name, those in found.items() if len({judged for _, judged in those}) > 1}


def _meant(name: str, path: str, claimants: _Claimants) -> str:
    """The device that a plan means by a name that several claim: the one that lies beside it, as in a folder for each lab."""
    those = claimants.get(name, ())
    folder = path
    while those and folder:
        folder = folder.rpartition("/")[0]
        near = {judged for where, judged in those if not folder or where.startswith(f"{folder}/")}
        if near:
            return near.pop() if len(near) == 1 else name
    return name


_MOST_PORTS = 129


def as_on_devices(cables: Sequence[Cable], devices: Iterable[DeviceReading]) -> Sequence[Cable]:
    """The cables, those of labs with the ports as their devices call them: `eth1` of a lab may be `et-0/0/0` there."""
    in_labs = {device for cable in cables if cable.origin == "lab" for device, _ in (cable.a, cable.b)}
    named: dict[tuple[str, str], str] = {}
    for device in devices if in_labs else ():
        lab_ports = platform(device.platform).lab_ports if device.name in in_labs else None
        if lab_ports is not None:
            own = {port.name for port in device.ports}
            for number in range(1, _MOST_PORTS):
                found = next((name for name in lab_ports.of(number) if name in own), None)
                if found is not None:
                    named[device.name, f"eth{number}"] = found
    return [
        replace(cable, a=(cable.a[0], named.get(cable.a, cable.a[1])), b=(cable.b[0], named.get(cable.b, cable.b[1])))
        if cable.origin == "lab"
        else cable
        for cable in cables
    ]


def unfound(cables: Iterable[Cable], links: Iterable[LinkView], devices: Set[str]) -> Iterator[str]:
    """A note for each lab some of whose cables between devices that were read are no links: its ports have other names there."""
    of_lab: dict[str, list[Cable]] = defaultdict(list)
    for cable in cables:
        if cable.origin == "lab" and cable.a[0] in devices and cable.b[0] in devices:
            of_lab[cable.place.path].append(cable)
    found = {link.place for link in links} if of_lab else set()
    for path, those in of_lab.items():
        lost = [cable for cable in those if cable.place not in found]
        if lost:
            first = " and ".join(":".join(end) for end in (lost[0].a, lost[0].b))
            makes = "makes" if len(lost) == 1 else "make"
            yield f"{path}: {len(lost)} of {len(those)} cables {makes} no link: no such port there, or it is cabled otherwise ({first})"


def _text(path: str) -> str:
    try:
        return read_plain(path, LIMIT_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {getattr(error, 'strerror', '') or error}") from None


def _is_same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)
