"""Far ends that cables name and nothing that was read has: devices without a file, NICs that their host does not show.

A host that was not read is still one host: it joins the networks that name NICs of it, and each of its NICs has one cable.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from roce_audit.fabric.classes.votes import paused_priorities
from roce_audit.fabric.hosts.nics import has_rdma_device
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Observation
from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.sentences import listed
from roce_audit.values import Place, known

_SWITCH_PORT = lazy(r"(?i:[^/]*/.*|swp[0-9s]+|ethernet[0-9]+)")
"""The name of a port that no host has: with a slot, as Cumulus has it, or as SONiC and EOS have it."""
_BUNDLE = lazy(r"(?i:bond|team|lag|po|port-?channel|ae|bundle).{0,40}")
"""The name of ports that are bundled, to which several cables lead."""
_NUMBER = lazy(r"[0-9]+")
_SEVERAL = 3
_FEW_OF = 8
"""Ports with one cable, for each that has two."""


@dataclass(frozen=True, slots=True)
class UnreadEnd:
    """A cable of a port that was read, and its far end, which was not."""

    port: FabricPort
    device: str
    far_port: str
    place: Place
    """The line that names the far end."""
    stated: bool = False
    """A plan or a configuration states it: no port heard it."""

    @property
    def is_of_a_plan(self) -> bool:
        """Whether a plan of cables names the far end, and not the port's own configuration."""
        return self.place.path != self.port.reading.header.path


UnreadSwitches = Mapping[str, Sequence[UnreadEnd]]
"""Switch that was read -> its cables to switches that were not."""


def unread_switches(ends: Iterable[UnreadEnd], ports: FabricPorts) -> UnreadSwitches:
    """The cables between switches whose upper or lower end was not read.

    A far end is a host where its name is that of a host that was read, but for the number, or where its port has no name of a switch's.
    """
    hosts = {_NUMBER.sub("#", port.device.name.lower()) for port in ports.in_use if port.is_nic}
    found: dict[str, list[UnreadEnd]] = defaultdict(list)
    for end in ends:
        is_host = _NUMBER.sub("#", end.device.lower()) in hosts or not _SWITCH_PORT.fullmatch(end.far_port[:64])
        if not end.port.is_nic and not is_host:
            found[end.port.device.name].append(end)
    return found


def joined_by_hosts(ends: Iterable[UnreadEnd], network_of: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Pairs of networks of switches that hosts which were not read have in common: `network_of` a device's name.

    Several hosts at the least, with a NIC of its own in each network. The switches before them have the same names but for numbers, and
    all pause the same priorities: they are planes of one design, not storage beside compute. Templates of switches name one port of a host.
    """
    of_host: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    pausing: dict[str, set[frozenset[int]]] = defaultdict(set)
    called: dict[str, set[str]] = defaultdict(set)
    for end in ends:
        if not end.port.is_nic and end.far_port and not _SWITCH_PORT.fullmatch(end.far_port[:64]):
            network = network_of(end.port.device.name)
            of_host[end.device.lower()][network].add(end.far_port)
            pausing[network].add(paused_priorities(end.port.reading.facts))
            called[network].add(_NUMBER.sub("#", end.port.device.name.lower()))
    shared: Counter[tuple[str, str]] = Counter()
    for nics in of_host.values():
        first, *others = nics
        shared.update((first, other) for other in others if nics[first].isdisjoint(nics[other]))
    for (one, other), hosts in shared.items():
        pause_alike = len(pausing[one]) == 1 and pausing[one] == pausing[other] != {frozenset()}
        if hosts >= _SEVERAL and pause_alike and not called[one].isdisjoint(called[other]):
            yield one, other


def cabled_twice(ends: Iterable[UnreadEnd]) -> Iterator[Observation]:
    """Ports of devices that were not read to which two ports of switches are cabled, where few are: a plan that gives each two
    means a cable that splits, or templates. Two plans that each name one are about two sites, or two states of one.
    """
    of_port: dict[tuple[str, str], list[UnreadEnd]] = defaultdict(list)
    for end in ends:
        if end.stated and end.far_port and not _BUNDLE.fullmatch(end.far_port[:64]):
            of_port[end.device.lower(), end.far_port.lower()].append(end)
    twice = [those for those in of_port.values() if len(those) > 1]
    if len(twice) * _FEW_OF > len(of_port):
        return
    for first, second, *_ in twice:
        if first.is_of_a_plan and second.is_of_a_plan and first.place.path != second.place.path:
            continue
        name = f"{first.device}:{first.far_port}"
        text = f"{first.port.id} and {second.port.id} are both cabled to {name}: one of the two is a slip"
        places = [end.place for end in (second, first)]
        yield Observation("conflict", name, text, known(True, places[0]), known(name, *places))


def channels_of_two_hosts(ends: Iterable[UnreadEnd]) -> Iterator[Observation]:
    """Port channels with RoCE of one switch whose members lead to two hosts."""
    members: dict[tuple[str, str], dict[str, UnreadEnd]] = defaultdict(dict)
    for end in ends:
        lag, is_switch = end.port.reading.labels.lag, _SWITCH_PORT.fullmatch(end.far_port[:64])
        if lag and end.far_port and not is_switch and end.port.roce.carries and not end.port.is_nic:
            members[end.port.device.name, lag].setdefault(end.device.lower().partition(".")[0], end)
    for (device, lag), hosts in members.items():
        if len(hosts) > 1:
            one, other, *_ = hosts.values()
            text = (
                f"{one.port.id} leads to {one.device} and {other.port.id} to {other.device}, and both are members of {device}:{lag}: "
                "a channel ends on one host, and packets go to the wrong one"
            )
            places = [other.port.reading.header, other.place, one.place]
            yield Observation("conflict", other.port.id, text, known(True, places[0]), known(lag, *places))


def misnamed_nics(lost: Sequence[tuple[str, str, Place]], ports: FabricPorts) -> Iterator[Observation]:
    """(host, port, line of the plan) of cables that end at no port of a host that was read, while an RDMA NIC of it has none.

    Not where the plan calls most NICs otherwise than their hosts do.
    """
    if not lost:
        return
    nics: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports.in_use:
        if port.is_nic and has_rdma_device(port):
            nics[port.device.name.lower()].append(port)
    theirs = [end for end in lost if end[0].lower() in nics]
    if len(theirs) >= sum(nic.peer is not None for its in nics.values() for nic in its):
        return
    for host, name, place in theirs:
        free = [nic.reading.name for nic in nics[host.lower()] if nic.peer is None and not nic.has_neighbour]
        if free:
            text = f"a cable ends on {host}:{name}; no file of {host} shows such a port, and no cable leads to its {listed(free, 2)}"
            yield Observation("undefined", f"{host}:{name}", text, known(False, place), known(name, place))


def unread_words(ends: Iterable[UnreadEnd]) -> Sequence[str]:
    """`sp2 (4 cables)` for every device that cables lead to and that was not read, the one with most cables first."""
    cables: dict[str, int] = defaultdict(int)
    for end in ends:
        cables[end.device] += 1
    often = sorted(cables.items(), key=lambda one: -one[1])
    return [f"{name} ({count} {'cable' if count == 1 else 'cables'})" for name, count in often]
