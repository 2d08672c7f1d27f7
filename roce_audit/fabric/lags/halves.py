"""The two halves of a channel that two switches make together (MLAG, vPC, VLT, an Ethernet segment) have one name and the same VLANs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit.fabric.lags.channels import WITHOUT_PEER_LINK, kind_of
from roce_audit.fabric.lags.pairs import Half, Pairs, halves_of
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Observation
from roce_audit.model.device import ObservationKind
from roce_audit.text.sentences import listed, runs
from roce_audit.values import known

_BOTH = 2
_LISTED = 2
"""Fewer VLANs may be that of packets without a tag, on a trunk that names none and carries all; not where it names that one alone."""
_FEW_VLANS = 64
"""A channel of more VLANs names a range, whatever VLANs there are."""


def unlike_halves(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterator[Observation]:
    """What two switches do not have alike of the channels with RoCE that they make together, one observation for each channel."""
    every = list(data)
    halves = halves_of(ports, every)
    if not halves:
        return
    pairs = Pairs(halves, every)
    yield from _unlike_vlans(halves, pairs)
    yield from _unlike_lacp(halves, pairs)
    unlike = list(_unlike_names(halves, pairs))
    yield from (_other_name(*both) for both in unlike)
    told = {half.port.id for both in unlike for half in both}
    for its in halves.values():
        yield from _named_twice([half for half in its if half.port.id not in told])
    yield from _peer_link_without(ports, halves, pairs, every)
    yield from _without_members(ports, halves, pairs, every)


def _unlike_vlans(halves: Mapping[str, Sequence[Half]], pairs: Pairs) -> Iterator[Observation]:
    """A VLAN that one of the two switches leaves out. A number that more than two switches use is that of several pairs."""
    usual = Counter((half.port.fabric, half.vlans) for its in halves.values() for half in its)
    for those in _called(half for its in halves.values() for half in its if half.vlans):
        for here, there in _twos(those, pairs):
            if here.vlans != there.vlans:
                unusual, other = sorted((here, there), key=lambda half: usual[half.port.fabric, half.vlans])
                yield _other_vlans(unusual, other)


def _unlike_lacp(halves: Mapping[str, Sequence[Half]], pairs: Pairs) -> Iterator[Observation]:
    """A half that is bundled by hand, where the other one speaks LACP. Cables to a bond that was read say this by themselves."""
    told = (half for its in halves.values() for half in its if half.port.reading.facts.lacp.is_known)
    for those in _called(half for half in told if not half.bond):
        for here, there in _twos(those, pairs):
            if _is_static(here) != _is_static(there):
                static, other = (here, there) if _is_static(here) else (there, here)
                text = (
                    f"the channel {static.shared} is bundled without LACP here, and {other.port.device.name} speaks LACP on it: the host "
                    "does the one or the other, and the ports towards one of the two stay out or lose packets"
                )
                yield _told(static, other, text)


def _is_static(half: Half) -> bool:
    return half.port.reading.facts.lacp.get() == "static"


def _called(halves: Iterable[Half]) -> Iterable[Sequence[Half]]:
    """The halves that have one name in a fabric."""
    called: dict[tuple[str, str], list[Half]] = defaultdict(list)
    for half in halves:
        if half.is_named:
            called[half.port.fabric, half.shared or ""].append(half)
    return called.values()


def _twos(those: Sequence[Half], pairs: Pairs) -> Iterator[tuple[Half, Half]]:
    """The halves of one name that are of one channel, where the names of their switches tell."""
    of = {half.port.device.name: half for half in those}
    if len(of) == _BOTH and len(those) == _BOTH:
        here, there = those
        if pairs.are_one(here, there):
            yield here, there
        return
    for name, half in of.items():
        other = of.get(pairs.other(name) or "")
        if other is not None and name < other.port.device.name:
            yield half, other


def _unlike_names(halves: Mapping[str, Sequence[Half]], pairs: Pairs) -> Iterator[tuple[Half, Half]]:
    """Channels that a pair describes alike, and that are called otherwise on one switch, or are that switch's own.

    Cables that were read say this by themselves.
    """
    for name, its in halves.items():
        other = pairs.other(name)
        if other is None or other not in halves or name > other:
            continue
        theirs = _by_title(halves[other])
        for title, half in _by_title(its).items():
            there = theirs.get(title)
            if there is not None and _is_unlike(half, there):
                yield (half, there) if _is_wrong(half, there) else (there, half)


def _by_title(its: Iterable[Half]) -> Mapping[str, Half]:
    """The halves that are described, and alone so on their switch."""
    counted = Counter(half.title for half in its)
    return {half.title: half for half in its if half.title and counted[half.title] == 1}


def _is_unlike(half: Half, there: Half) -> bool:
    if half.shared == there.shared or (half.bond and there.bond):
        return False
    return all(one.is_named or (one.shared == "" and one.is_whole) for one in (half, there))


def _is_wrong(half: Half, there: Half) -> bool:
    """Which of the two is told: the one without a name, or without the number of its channel; of two alike the second."""
    if not half.shared or not there.shared:
        return not half.shared
    return there.has_number_of_channel and not half.has_number_of_channel


def _named_twice(its: Sequence[Half]) -> Iterator[Observation]:
    """Two channels of one switch by the name of one."""
    counted = Counter(half.shared for half in its if half.is_named)
    for name in [name for name, count in counted.items() if count == _BOTH]:
        first, second = (half for half in its if half.shared == name)
        text = f"{first.lag} and {second.lag} of one switch are both {name}: two hosts are taken for one, and packets go to the wrong one"
        yield _told(second, first, text)


def _peer_link_without(
    ports: FabricPorts, halves: Mapping[str, Sequence[Half]], pairs: Pairs, every: Iterable[FabricPort]
) -> Iterator[Observation]:
    """Peer links that name VLANs, and not those of the channels that the pair shares.

    That VLANs of such channels are meant to cross, others of them or the other end of the peer link tell.
    """
    links = {port.device.name: port for port in every if port.reading.labels.peer_link}
    channels = {name: ports.find(name, link.reading.labels.lag) or link for name, link in links.items()}
    crossing = {name: channels[name].reading.labels.vlans or link.reading.labels.vlans for name, link in links.items()}
    for name, link in links.items():
        channel, own = channels[name], crossing[name]
        shared = [half for half in halves.get(name, ()) if _needs_peer_link(half)]
        theirs = {half.shared: half.vlans for half in halves.get(pairs.other(name) or "", ())}
        # a VLAN of one half alone is told there
        lacking = [(half, half.vlans & (theirs.get(half.shared) or half.vlans) - own) for half in shared]
        short = [half for half, vlans in lacking if vlans]
        if not short or (len(own) < _LISTED and not channel.reading.labels.untagged):
            continue
        missing = frozenset[int]().union(*(vlans for _, vlans in lacking))
        beyond = crossing.get(pairs.other(name) or "", frozenset())
        if not any(half.vlans & own for half in shared) and not (missing <= beyond and own & beyond):
            continue
        those = listed([half.lag for half in short], 3)
        text = (
            f"the peer link does not carry VLAN {_listed(missing)} of {those}, which the two switches share: where one of them loses"
            " its half, or holds VLANs back that the peer link lacks, the hosts do not reach each other"
        )
        place = channel.reading.header
        yield Observation("conflict", link.id, text, known(True, place), known(name, place, short[0].begins))


def _without_members(
    ports: FabricPorts, halves: Mapping[str, Sequence[Half]], pairs: Pairs, every: Iterable[FabricPort]
) -> Iterator[Observation]:
    """Channels that no port of one switch is in, and that ports of the other switch of the pair are in."""
    in_use = {(port.device.name, port.reading.labels.lag) for port in every}
    of_other = {
        other: {half.shared: half for half in reversed(its) if half.is_named}
        for name, its in halves.items()
        if (other := pairs.other(name)) is not None
    }
    for channel in ports.of_kind("lag", of_other):
        name, place = channel.device.name, channel.reading.header
        shared = channel.reading.facts.shared_channel.value
        there = of_other[name].get(shared)
        if there is None or (name, channel.reading.name) in in_use or place.path not in channel.device.complete_because:
            continue
        if any(port.reading.labels.lag == channel.reading.name for port in ports.of_kind("ethernet", {name})):
            continue  # one that is shut
        text = (
            f"no port is in {channel.reading.name}, which is {shared}: of the host's links only those to {there.port.device.name} are"
            " bundled"
        )
        yield Observation("conflict", channel.id, text, known(True, place), known(channel.id, place, there.begins))


def _needs_peer_link(half: Half) -> bool:
    kind = kind_of(half.shared or "")
    return half.is_named and kind not in WITHOUT_PEER_LINK and len(half.vlans) <= _FEW_VLANS


def _other_vlans(here: Half, there: Half) -> Observation:
    """What a host is seen to be in is lost at the half without it; VLANs that the switches alone have may be of no use."""
    host = here.port.peer or there.port.peer
    wanted = host.reading.labels.vlans if host is not None and host.is_nic else frozenset[int]()
    if wanted & here.vlans - there.vlans:
        here, there = there, here
    text = (
        f"the channel {here.shared} carries VLAN {_listed(here.vlans)} here and VLAN {_listed(there.vlans)} on"
        f" {there.port.device.name}; what is led over the wrong one of the two switches does not arrive"
    )
    return _told(here, there, text, "vlan-lost" if wanted & there.vlans - here.vlans else "conflict")


def _other_name(here: Half, there: Half) -> Observation:
    mine = f"is {here.shared}" if here.shared else "is no shared channel"
    text = (
        f"{here.lag} {mine} here, and {there.lag} of {there.port.device.name}, which is described alike, is {there.shared}: the host"
        " has two partners, and the ports towards one of them stay out or lose packets"
    )
    return _told(here, there, text)


def _told(here: Half, there: Half, text: str, kind: ObservationKind = "conflict") -> Observation:
    channel = here.shared or here.lag
    return Observation(kind, here.port.id, text, known(True, here.begins), known(channel, here.begins, there.begins))


def _listed(vlans: Iterable[int]) -> str:
    return ", ".join(runs(sorted(vlans)))
