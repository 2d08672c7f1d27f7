"""Members of one channel: a hash spreads flows over all of them, so that what one member carries each of them does."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence, as_said, from_afar
from roce_audit.model import Port
from roce_audit.records import dataclass
from roce_audit.values import HERE, Cell, Place, Where, Why, absent, known, unknown

_NONE: Cell[Any] = absent()
_IN_NONE: Cell[int] = known(0, HERE)

_DECIDED = frozenset({"policy", "cabling", "port_config"})


def decide_by_channel(ports: Sequence[FabricPort]) -> None:
    """A member that says nothing, or turns PFC off, beside one that carries RoCE by its own evidence. What speaks against RoCE stands."""
    channels: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.reading.labels.lag and not port.is_nic:
            channels[port.device.name, port.reading.labels.lag].append(port)
    for members in channels.values():
        like = next((port for port in members if port.roce.carries and port.roce.rank in _DECIDED), None)
        for port in members if like is not None else ():
            if like is not None and _is_open(port):
                at = (like.reading.header, *like.absolute(like.roce.at))
                port.roce = RoceEvidence(True, "similar_ports", at, f"{like.id}, of the same channel, carries RoCE")
    _decide_by_other_half(ports)


def _decide_by_other_half(ports: Sequence[FabricPort]) -> None:
    """The same for a channel that two switches make together: one host is behind both halves."""
    open_ports = [port for port in ports if port.reading.labels.lag and not port.is_nic and _is_open(port)]
    names = {shared.get() for port in open_ports if (shared := port.reading.facts.shared_channel).is_known}
    halves = {name for name in names if is_own_name(name)}
    if not halves:
        return
    like: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in ports:
        shared = port.reading.facts.shared_channel
        decided = port.roce.carries and port.roce.rank in _DECIDED
        if decided and not port.is_nic and shared.is_known and shared.get() in halves:
            like[port.fabric, shared.get()].append(port)
    beside = peers_by_cable(ports)
    for port in open_ports:
        name, pair = port.reading.facts.shared_channel.value or "", beside.get(port.device.name, ())
        is_anywhere = kind_of(name) in WITHOUT_PEER_LINK  # numbers of channels are used again by each pair
        others = [one for one in like.get((port.fabric, name), ()) if one.device is not port.device]
        other = next((one for one in others if is_anywhere or one.device.name in pair), None)
        if other is not None:
            at = (other.reading.header, *other.absolute(other.roce.at))
            port.roce = RoceEvidence(
                True, "similar_ports", at, f"{other.id}, the other half of its channel, carries RoCE"
            )


def _is_open(port: FabricPort) -> bool:
    turned_off = port.roce.carries is False and port.roce.rank == "port_config"
    return turned_off or (port.roce is UNDECIDED and (port.hint is None or port.reading.labels.peer_link))


@dataclass(frozen=True, slots=True)
class Membership:
    """The channel of a port and how many members that has, the channel of its far end, and where the other members lead instead."""

    channel: Cell[str]
    members: Cell[int] = _IN_NONE
    far: Cell[str] = _NONE
    usual_far: Cell[str] = _NONE
    strange: Cell[str] = _NONE
    """A channel of another device to which its far end leads as well, while the two are not one channel of two switches."""


def memberships(ports: Sequence[FabricPort]) -> Mapping[str, Membership]:
    """Port id -> its channel and that of its far end, of each port that carries data."""
    bundles = {f"{port.device.name}:{port.reading.labels.lag}" for port in ports if port.reading.labels.lag}
    headers = {port.id: port.reading.header for port in ports if port.id in bundles} if bundles else {}
    ports = [port for port in ports if port.roce.rank != "not_data" or port.reading.labels.lag or port.peer is not None]
    channel_of = _Channels()
    own: dict[str, Cell[str]] = {}
    sizes: Counter[tuple[str, str | None]] = Counter()
    for port in ports:
        channel = own[port.id] = channel_of(port)
        if channel.why is None:
            sizes[port.device.name, channel.value] += 1
    alone: dict[int, Membership] = {}
    found = {port.id: alone.get(id(own[port.id])) or _membership(port, own, sizes, alone) for port in ports}
    leading: dict[tuple[str, str, str], dict[str, list[FabricPort]]] = defaultdict(lambda: defaultdict(list))
    for port in ports if sizes else ():
        channel, far = own[port.id], found[port.id].far
        if channel.is_known and far.is_known and port.peer is not None:
            leading[port.device.name, channel.get(), port.peer.device.name][far.get()].append(port)
    for far_ends in leading.values():
        usual = max(far_ends, key=lambda name: len(far_ends[name]))  # of equally many the first
        for name, members in far_ends.items():
            for port in members if name != usual else ():
                example = far_ends[usual][0]
                far = found[example.id].far
                found[port.id] = replace(found[port.id], usual_far=Cell(far.value, far.why, example.absolute(far.at)))
    for port, strange in _strangers(ports, own, headers):
        found[port.id] = replace(found[port.id], strange=strange)
    return found


def _strangers(
    ports: Sequence[FabricPort], own: Mapping[str, Cell[str]], headers: Mapping[str, Place]
) -> Iterator[tuple[FabricPort, Cell[str]]]:
    """The ports of switches before one channel whose members end on several devices, and the port that does not go with them."""
    around: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in ports:
        peer = port.peer
        if own[port.id].why is None and peer is not None and not port.is_nic and own[peer.id].is_known:
            around[peer.device.name, own[peer.id].get()].append(port)
    beside = peers_by_cable(ports)
    for members in around.values():
        firsts = {one.device.name: one for one in reversed(members)}
        for port in members:
            others = [(_are_one(port, one, beside), one) for one in firsts.values() if one.device is not port.device]
            apart = next((one for are_one, one in others if are_one is False and _is_told_at(port, one)), None)
            if apart is not None:
                name = f"{apart.device.name}:{own[apart.id].get()}"
                yield port, known(name, *_said(port, headers), *_said(apart, headers))
            elif any(are_one is None for are_one, _ in others):
                yield port, unknown(Why.NOT_VISIBLE, *_said(port, headers))


def _is_told_at(port: FabricPort, other: FabricPort) -> bool:
    """Which of the two is wrong: the one that does not share its channel; where both do, or none, the second."""
    here, there = (one.reading.facts.shared_channel.is_absent for one in (port, other))
    return here if here != there else port.device.name > other.device.name


def _are_one(port: FabricPort, other: FabricPort, beside: Mapping[str, set[str]]) -> bool | None:
    """Whether the channels of two ports of different switches are one; None = nobody can say."""
    here, there = port.reading.facts.shared_channel, other.reading.facts.shared_channel
    if here.is_unknown or there.is_unknown:
        return None
    if here.is_absent or there.is_absent:
        return False
    if here.get() != there.get():
        return False if kind_of(here.get()) == kind_of(there.get()) else None
    seen = beside.get(port.device.name), beside.get(other.device.name)
    needs_peer_link = kind_of(here.get()) not in WITHOUT_PEER_LINK
    return not (needs_peer_link and all(seen) and other.device.name not in (seen[0] or ()))


WITHOUT_PEER_LINK = frozenset({"esi", "segment"})
"""Kinds of shared channels for which the switches need no link to each other (EVPN, RFC 7432)."""


def is_own_name(name: str) -> bool:
    """Whether it tells one channel from others: many channels of a switch are called `esi auto`, by what their partners say."""
    return any(map(str.isdigit, name))


def kind_of(name: str) -> str:
    return name.partition(" ")[0]


def peers_by_cable(ports: Sequence[FabricPort]) -> Mapping[str, set[str]]:
    """Switch -> the switches at the far ends of its peer link."""
    found: dict[str, set[str]] = defaultdict(set)
    for port in ports:
        if port.reading.labels.peer_link and port.peer is not None:
            found[port.device.name].add(port.peer.device.name)
    return found


def _said(port: FabricPort, headers: Mapping[str, Place]) -> tuple[Where, ...]:
    """What makes it a channel of two switches, else where the channel begins."""
    facts, stanza = port.reading.facts, headers.get(f"{port.device.name}:{port.reading.labels.lag}")
    begins = (stanza,) if stanza is not None else port.places(facts.lacp.at)
    return port.places(facts.shared_channel.at) or begins or (port.reading.header,)


class _Channels:
    """The channel that spreads traffic over a port, worked out once for ports with the same facts in the same channel."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, bool], Cell[str]] = {}

    def __call__(self, port: FabricPort) -> Cell[str]:
        facts, lag = port.reading.facts, port.reading.labels.lag
        whole = port.reading.header.path in port.device.complete_because
        key = (id(facts), lag, whole)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _channel(facts, lag, whole=whole)
        return found


def _channel(facts: Port, lag: str, *, whole: bool) -> Cell[str]:
    """A bond that keeps its members in reserve looks like single ports from outside."""
    at = as_said(facts.lacp.at) if facts.lacp.is_known else (HERE,)
    nic = facts.nic.value_or_none()
    if nic is None:
        if lag:
            return known(lag, *at)
        if facts.lacp.is_unknown:
            return unknown(facts.lacp.why or Why.NOT_PARSED, *as_said(facts.lacp.at))
        return absent(*at) if whole else unknown(Why.NOT_VISIBLE)
    if nic.bond_mode.is_unknown:
        return Cell(None, nic.bond_mode.why, as_said(nic.bond_mode.at))
    spreads = facts.lacp.is_known and lag
    return known(lag, *at) if spreads else absent(*(as_said(nic.bond_mode.at) or at))


def _membership(
    port: FabricPort,
    own: Mapping[str, Cell[str]],
    sizes: Mapping[tuple[str, str | None], int],
    alone: dict[int, Membership],
) -> Membership:
    """What is known before the members of a channel are compared; of what is not, nobody can say that they agree.

    `alone` are those of ports in no channel, by the id of what says so.
    """
    channel = own[port.id]
    if channel.is_absent:
        return alone.setdefault(id(channel), Membership(channel))
    members = known(sizes.get((port.device.name, channel.value), 0), HERE)
    if port.peer is None:
        return Membership(channel, members)
    there = own[port.peer.id]
    far = Cell(f"{port.peer.device.name}:{there.get()}" if there.is_known else None, there.why, from_afar(there.at))
    doubt = next((cell for cell in (channel, far) if cell.is_unknown), None)
    return Membership(channel, members, far, _NONE if doubt is None or far.is_absent else doubt)
