"""Pairs of switches that make channels together (MLAG, vPC, VLT, Ethernet segments), and the halves of such channels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from roce_audit.fabric.lags.channels import WITHOUT_PEER_LINK, is_own_name, kind_of, peers_by_cable
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.records import dataclass
from roce_audit.values import Place

_BOTH = 2
_FEWEST_ALIKE = 2
"""One channel of the same number and description may be another host's."""


@dataclass(frozen=True, slots=True)
class Half:
    """A port channel with RoCE on one switch: its half, where another switch shares it."""

    port: FabricPort
    """A member of it."""
    shared: str | None
    """What both switches call it; "" where it is its switch's own, None where nobody can say."""
    title: str
    """Its description, else that of the member, in small letters."""
    vlans: frozenset[int]
    """Those that it names."""
    begins: Place

    @property
    def lag(self) -> str:
        """What its switch calls it."""
        return self.port.reading.labels.lag

    @property
    def is_named(self) -> bool:
        """Whether the switches give it a name of its own."""
        return is_own_name(self.shared or "")

    @property
    def is_whole(self) -> bool:
        """Whether what its configuration does not say is not set."""
        return self.begins.path in self.port.device.complete_because

    @property
    def has_number_of_channel(self) -> bool:
        """Whether it is called by the number of its channel, as most are: `vpc 4` of port-channel4."""
        return number_of(self.lag) == number_of(self.shared or "")

    @property
    def bond(self) -> str:
        """The channel at its far end, where a cable shows it."""
        far = self.port.peer
        return f"{far.device.name}:{far.reading.labels.lag}" if far is not None and far.reading.labels.lag else ""


def number_of(name: str) -> str:
    """The digits at the end of a name; "" where there are none."""
    return name[len(name.rstrip("0123456789")) :]


def vlan_interfaces(ports: FabricPorts, devices: Collection[str]) -> Iterator[tuple[tuple[str, int], FabricPort]]:
    """((switch, VLAN), its interface) of the switches of these names."""
    for svi in ports.of_kind("svi", devices):
        digits = number_of(svi.reading.name)
        if digits:
            yield (svi.device.name, int(digits)), svi


def halves_of(ports: FabricPorts, data: Iterable[FabricPort]) -> Mapping[str, Sequence[Half]]:
    """Switch -> its port channels that carry RoCE, of the switches that share one."""
    members: dict[str, dict[str, FabricPort]] = defaultdict(dict)
    sharing: set[str] = set()
    for port in data:
        lag = port.reading.labels.lag
        if lag and port.roce.carries and not port.is_nic and not port.reading.labels.peer_link:
            members[port.device.name].setdefault(lag, port)
            if port.reading.facts.shared_channel.is_known:
                sharing.add(port.device.name)
    return {
        name: [_half(ports, lag, port) for lag, port in members[name].items()] for name in members if name in sharing
    }


def _half(ports: FabricPorts, lag: str, port: FabricPort) -> Half:
    channel = ports.find(port.device.name, lag) or port
    shared = port.reading.facts.shared_channel
    said = channel.reading.labels.description or port.reading.labels.description
    called = None if shared.is_unknown else shared.value or ""
    vlans = channel.reading.labels.vlans or port.reading.labels.vlans
    return Half(port, called, said.lower(), vlans, channel.reading.header)


class Pairs:
    """Which switches are pairs: by the cables or the description of a peer link, or by several channels of one name and description."""

    def __init__(self, halves: Mapping[str, Sequence[Half]], every: Iterable[FabricPort]) -> None:
        ports = list(every)
        self._beside = _beside(ports)
        self._cabled = peers_by_cable(ports)
        self._alike = _by_channels(halves)

    def are_one(self, here: Half, there: Half) -> bool:
        """Whether the switches of two halves that are called alike are a pair, or show it by one bond. Ethernet segments need none."""
        if kind_of(here.shared or "") in WITHOUT_PEER_LINK or (here.bond and here.bond == there.bond):
            return True
        one, other = here.port.device.name, there.port.device.name
        named = other.lower() in self._beside.get(one, ()) or one.lower() in self._beside.get(other, ())
        return named or self.other(one) == other

    def other(self, name: str) -> str | None:
        """The other switch of a pair, where cables of the peer link or channels tell it."""
        cabled = self._cabled.get(name, ())
        return next(iter(cabled)) if len(cabled) == 1 else self._alike.get(name)


def _beside(every: Sequence[FabricPort]) -> Mapping[str, Set[str]]:
    """Device -> what is at the other end of its peer link by cables, and the words of its description, in small letters."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, others in peers_by_cable(every).items():
        found[name].update(other.lower() for other in others)
    for port in every:
        if port.reading.labels.peer_link:
            found[port.device.name].update(_words(port))
    return found


def _words(port: FabricPort) -> list[str]:
    return [word.strip("\"'(),;:").lower() for word in port.reading.labels.description.split()]


def _by_channels(halves: Mapping[str, Sequence[Half]]) -> Mapping[str, str]:
    """Switch -> the one switch of its fabric with which it has most channels of one name and description, and that has them with it."""
    called: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for name, its in halves.items():
        for half in its:
            if half.is_named and half.title:
                called[half.port.fabric, half.shared or "", half.title].add(name)
    common: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, shared, _), names in called.items():
        if len(names) == _BOTH:
            one, other = sorted(names)
            counted = _FEWEST_ALIKE if kind_of(shared) in WITHOUT_PEER_LINK else 1  # no two segments have one name
            common[one][other] += counted
            common[other][one] += counted
    best = {name: _only_best(its) for name, its in common.items()}
    return {name: other for name, other in best.items() if other is not None and best.get(other) == name}


def _only_best(counted: Counter[str]) -> str | None:
    (name, most), *others = counted.most_common(_BOTH)
    return name if most >= _FEWEST_ALIKE and all(most > count for _, count in others) else None
