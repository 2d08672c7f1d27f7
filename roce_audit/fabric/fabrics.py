"""Fabrics: which devices belong together, by the cables between them and the folders that their files lie in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from roce_audit.fabric.apart import Apart
from roce_audit.fabric.cables.links import LinkView, same_device
from roce_audit.fabric.cables.unreadends import UnreadEnd, joined_by_hosts
from roce_audit.fabric.facts import is_hostless, sets_nics_up
from roce_audit.fabric.hosts.setupsbeside import trees
from roce_audit.fabric.port import FabricPort
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import files_of_ports

_ADDRESS = lazy(r"[0-9]{1,3}(?:[.-][0-9]{1,3}){3}")


_SEVERAL = 2
_TIERS: Mapping[str, str] = {
    name: tier
    for tier, names in {
        "leaf": "leaf leafs leaves tor tors t0",
        "spine": "spine spines t1",
        "super-spine": "superspine superspines super-spine super-spines t2",
        "host": "host hosts server servers node nodes",
        "switch": "switch switches",
    }.items()
    for name in names.split()
}
"""Names of folders that say which part of a network lies there, and none of which network."""


def by_cables_and_folders(
    devices: Sequence[DeviceReading],
    links: Iterable[LinkView],
    not_roce: Callable[[FabricPort], bool],
    naming: Callable[[Collection[str]], Mapping[str, str]],
    unread: Iterable[UnreadEnd] = (),
) -> dict[str, str]:
    """Device name -> fabric name: connected devices; a host without links joins the switch that names it (`naming`), any other device
    without links those of its top-level folder, where several networks lie below that those of the nearest folder with one.

    A host with NICs in two networks of switches makes them one, unless they are two by their own word (`Apart`); then it belongs to
    the one in which it has more NICs, or the first. So do several hosts that were not read (`unread`).
    """
    meant = [link for link in links if not not_roce(link.a) and not not_roce(link.b)]
    ends = [(link.a, link.b) for link in meant]
    linked = {end.device.name for pair in ends for end in pair}
    networks = _Networks(device.name for device in devices)
    for a, b in ends:
        if a.is_nic == b.is_nic:
            networks.join(a.device.name, b.device.name)
    _join_by_hosts(networks, list(_to_switches(ends)))
    unseen = (end for end in unread if not not_roce(end.port))
    for one, other in list(joined_by_hosts(unseen, networks.of)):
        networks.join(one, other)
    unlinked = [device.name for device in devices if device.kind == "host" and device.name not in linked]
    for host, described_at in naming(unlinked).items() if unlinked else ():
        networks.join(host, described_at)
        linked.add(host)
    folders = _folders(devices)
    _join_by_folders(networks, folders, linked)
    members: dict[str, list[str]] = defaultdict(list)
    for device in devices:
        members[networks.of(device.name)].append(device.name)
    return _named(members, {name: steps[0] for name, steps in folders.items()})


class _Networks:
    """Networks of devices, each called as one of its members: a disjoint-set forest."""

    def __init__(self, devices: Iterable[str]) -> None:
        self._parent = {name: name for name in devices}

    def of(self, name: str) -> str:
        """The network of a device."""
        parent = self._parent
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    def join(self, name: str, other: str) -> None:
        """Make the networks of two devices one, called as that of the other."""
        self._parent[self.of(name)] = self.of(other)


def _join_by_hosts(networks: _Networks, to_switches: Sequence[tuple[FabricPort, FabricPort]]) -> None:
    """Put each host into the network in which it has most NICs, and join with it the others that it has NICs in."""
    apart = Apart((nic, switch, networks.of(switch.device.name)) for nic, switch in to_switches)
    of_host: dict[str, Counter[str]] = defaultdict(Counter)
    for nic, switch in to_switches:
        of_host[nic.device.name][networks.of(switch.device.name)] += 1
    for host, its in of_host.items():
        (first, _), *others = its.most_common()
        networks.join(host, first)
        for other, _ in others:
            if not apart.are(first, other):
                networks.join(other, first)


def _join_by_folders(networks: _Networks, folders: Mapping[str, tuple[str, ...]], linked: Collection[str]) -> None:
    """Put each device without links to the first connected device of the nearest folder that has one; in a top-level folder without
    one, to the first of all."""
    anchors: dict[tuple[str, ...], str] = {}
    for name, steps in folders.items():
        for end in range(1, len(steps) + 1) if name in linked else ():
            anchors.setdefault(steps[:end], name)
    for name, steps in folders.items():
        if name not in linked:
            anchors.setdefault(steps[:1], name)
            nearest = next(anchors[steps[:end]] for end in range(len(steps), 0, -1) if steps[:end] in anchors)
            networks.join(name, nearest)


def _to_switches(ends: Iterable[tuple[FabricPort, FabricPort]]) -> Iterator[tuple[FabricPort, FabricPort]]:
    """(NIC, switch port) of the cables that lead from a host to a switch."""
    for a, b in ends:
        if a.is_nic != b.is_nic:
            yield (a, b) if a.is_nic else (b, a)


def _folders(devices: Sequence[DeviceReading]) -> dict[str, tuple[str, ...]]:
    """Device name -> the folders above it, from the first in which the paths of the run differ ("" where they do not)."""
    living = Counter(device.first.path.rpartition("/")[0] for device in devices)
    split = _without_tiers({device.name: _group_folder(device, living) for device in devices})
    shared = 0
    while (
        all(len(p) > shared + 1 for p in split.values()) and len({tuple(p[: shared + 1]) for p in split.values()}) == 1
    ):
        shared += 1
    return {name: tuple(parts[shared:]) or ("",) for name, parts in split.items()}


def _without_tiers(split: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The same without folders that are named after tiers of one network, where those of several tiers lie side by side."""
    beside: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for parts in {tuple(parts) for parts in split.values()}:
        for depth, step in enumerate(parts):
            if step.lower() in _TIERS:
                beside[parts[:depth]].add(_TIERS[step.lower()])
    if all(len(tiers) < _SEVERAL for tiers in beside.values()):
        return dict(split)

    def is_network(parts: list[str], depth: int) -> bool:
        is_tier = parts[depth].lower() in _TIERS
        return not (is_tier and len(beside[tuple(parts[:depth])]) >= _SEVERAL)

    return {
        name: [step for depth, step in enumerate(parts) if is_network(parts, depth)] for name, parts in split.items()
    }


def _group_folder(device: DeviceReading, living: Mapping[str, int]) -> list[str]:
    """The folders above a device. A folder that holds one device is no group of devices where it has the device's name, its address, or
    one file a command."""
    folder = device.first.path.rpartition("/")[0]
    above = folder.split("/")
    named = [step.lower() for step in above]
    if device.name.lower() in named[:-1]:  # the device's own tree of folders below the one of its name
        return above[: named.index(device.name.lower())]
    if living[folder] > 1:
        return above
    is_its_name = same_device(named[-1], device.name) or _ADDRESS.fullmatch(named[-1]) is not None
    is_the_device = is_its_name or len(files_of_ports(device.ports)) > 1
    return above[:-1] if is_the_device else above


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
    if not below:  # nothing but such files: jobs belong to the only folder whose files set NICs up
        of_tree = _by_tree(devices, names)
        set_up = {of_tree.get(d.name, names[d.name]) for d in devices if sets_nics_up(d)}
        jobs = (d.name for d in devices if not sets_nics_up(d) and d.name not in of_tree)
        return of_tree | (dict.fromkeys(jobs, *set_up) if len(set_up) == 1 else {})
    for device in filter(is_hostless, devices):
        hosts, all_kinds = next((below[f] for f in _folders_around(device) if f in below), (set(), set()))
        choice = hosts or all_kinds
        if len(choice) == 1:
            (found[device.name],) = choice
    return found


def _by_tree(devices: Iterable[DeviceReading], names: Mapping[str, str]) -> dict[str, str]:
    """File -> the fabric of the first file in the same tree of a host's file system, where the folders at its top are told apart."""
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    tree_of = trees(device.first.path for device in devices)
    for device in sorted(devices, key=lambda device: device.first.path):
        if device.first.path in tree_of:
            found[device.name] = first.setdefault(tree_of[device.first.path], names[device.name])
    return found


def _folders_around(device: DeviceReading) -> list[str]:
    """The folders around a device's main file, the nearest first."""
    steps = device.first.path.split("/")[:-1]
    return ["/".join(steps[:end]) for end in range(len(steps), -1, -1)]
