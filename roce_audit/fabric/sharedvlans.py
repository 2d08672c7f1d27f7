"""The two halves of a channel that two switches make together (MLAG, vPC, VLT, an Ethernet segment) carry the same VLANs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from roce_audit.fabric.channels import WITHOUT_PEER_LINK, kind_of, peers_by_cable
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Observation
from roce_audit.text.sentences import runs
from roce_audit.values import Place, known

_HALVES = 2


def unlike_halves(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterator[Observation]:
    """One observation for each shared channel with RoCE of which a switch leaves out a VLAN that the other one has.

    A number of a channel that more than two switches of a fabric use is that of several pairs, and nobody shows which are one; two
    switches are a pair where the cables of a peer link or its description say so.
    """
    every = list(data)
    halves: dict[tuple[str, str], dict[str, FabricPort]] = defaultdict(dict)
    usual: Counter[tuple[str, frozenset[int]]] = Counter()
    for port in every:
        if not port.roce.carries or port.is_nic or not port.reading.labels.vlans:
            continue
        usual[port.fabric, port.reading.labels.vlans] += 1
        shared = port.reading.facts.shared_channel
        if shared.is_known:
            halves[port.fabric, shared.get()].setdefault(port.device.name, port)
    unlike = [
        sorted(those.values(), key=lambda port: usual[port.fabric, port.reading.labels.vlans])
        for those in halves.values()
        if len(those) == _HALVES and len({port.reading.labels.vlans for port in those.values()}) == _HALVES
    ]
    beside = _beside(every) if unlike else {}
    for here, there in unlike:
        if _are_paired(here, there, beside):
            yield _told(ports, here, there)


def _are_paired(here: FabricPort, there: FabricPort, beside: Mapping[str, Set[str]]) -> bool:
    if kind_of(here.reading.facts.shared_channel.get()) in WITHOUT_PEER_LINK:
        return True
    ends = {here.device.name: there.device.name, there.device.name: here.device.name}
    return any(other.lower() in beside.get(name, ()) for name, other in ends.items())


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


def _told(ports: FabricPorts, here: FabricPort, there: FabricPort) -> Observation:
    mine, others = here.reading.labels.vlans, there.reading.labels.vlans
    channel = here.reading.facts.shared_channel.get()
    text = (
        f"the channel {channel} carries VLAN {_listed(mine)} here and VLAN {_listed(others)} on {there.device.name}; what is led over"
        " the wrong one of the two switches does not arrive"
    )
    place, other = _begins(ports, here), _begins(ports, there)
    return Observation("conflict", here.id, text, known(True, place), known(channel, place, other))


def _listed(vlans: Iterable[int]) -> str:
    return ", ".join(runs(sorted(vlans)))


def _begins(ports: FabricPorts, port: FabricPort) -> Place:
    """Where the channel of a port begins; where the port does, if that is not seen."""
    channel = ports.find(port.device.name, port.reading.labels.lag)
    return (channel or port).reading.header
