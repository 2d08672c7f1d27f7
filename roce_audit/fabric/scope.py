"""Scope: which ports carry RoCE. The first rank of evidence that speaks decides; settled once, before the rules.

0 not a data port, 1 said by policy or topology, 2 the wire, 3 the port's own words, 4 its twins, 5 the way to the fabric,
6 a statement for the whole device, 7 hints against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from roce_audit.fabric import nics
from roce_audit.fabric.kin import settle_twins, twin_key
from roce_audit.fabric.seats import NOT_DATA, UNDECIDED, Answer, Seat
from roce_audit.fabric.words import OwnWords, hint_against
from roce_audit.model.joined import Facing
from roce_audit.policy.values import Policy
from roce_audit.values import Cell, Place, Why, absent, known, unknown

_DATA = frozenset({"ethernet", "lag"})
_SLOW = 4
_FACES_UNSEEN: Cell[Facing] = unknown(Why.NOT_VISIBLE)


@dataclass(slots=True)
class _Evidence:
    """What was gathered of all ports before any of them is answered, by port id."""

    told: dict[str, Answer | None] = field(default_factory=dict)
    spoken: dict[str, Answer | None] = field(default_factory=dict)
    weak: set[str] = field(default_factory=set)
    """Ports whose hint stands back where their own words speak for RoCE."""


def settle(seats: Sequence[Seat], policy: Policy, said: Mapping[str, tuple[bool, Place]]) -> None:
    """Set `answer`, `facing`, `hint`, `named` and `twin_key` of every seat."""
    own = OwnWords()
    seats = _without_idle_ports(seats)
    channels = nics.channels_of(seats)
    for seat in seats:
        seat.named = _named(seat, channels)
        seat.facing = _facing(seat)
        seat.twin_key = twin_key(seat)
    evidence = _Evidence()
    _hints(seats, channels, evidence)
    for seat in seats:
        seat.words = own.of(seat)
        evidence.told[seat.id] = _told(seat, policy, said)
        evidence.spoken[seat.id] = _spoken(seat)
    members = {(seat.device.name, seat.port.labels.lag) for seat in seats if seat.port.labels.lag}
    data = []
    for seat in seats:
        if (seat.device.name, seat.port.name) in members:
            seat.answer = Answer(None, "not-data", (seat.port.header,), "a channel: its members are judged")
        elif _not_data(seat):
            seat.answer = Answer(None, "not-data", (seat.port.header,), "not a data port")
        else:
            data.append(seat)
            seat.answer = _by_own_evidence(seat, evidence)
    settle_twins(data)
    _by_far_end(data)
    _by_way(data)
    for seat in data:
        if seat.answer is UNDECIDED and seat.hint is None:
            seat.answer = own.device_wide(seat) or UNDECIDED
        if seat.answer is UNDECIDED and seat.hint is not None:
            seat.answer = seat.hint
    _by_far_hint(data)
    _by_speed(data)


def _without_idle_ports(seats: Sequence[Seat]) -> list[Seat]:
    """A switch's ports that carry no data need no evidence; a host's say something of the host."""
    kept = []
    for seat in seats:
        if seat.is_nic or not _not_data(seat):
            kept.append(seat)
        else:
            seat.answer = NOT_DATA
    return kept


def _by_own_evidence(seat: Seat, evidence: _Evidence) -> Answer:
    """Ranks 1 to 3."""
    return (
        evidence.told[seat.id]
        or _wire(seat, evidence)
        or _peer_link(seat)
        or _against_hint(seat, evidence)
        or UNDECIDED
    )


def _not_data(seat: Seat) -> bool:
    kind, up = seat.port.facts.kind, seat.port.facts.admin_up
    return (kind.why is None and kind.value not in _DATA) or (up.why is None and not up.value)


def _named(seat: Seat, channels: Mapping[tuple[str, str], Seat]) -> Cell[bool] | None:
    host = seat.device.host
    if not seat.is_nic:
        return None
    device = nics.rdma_device_of(seat, channels)
    if host is None or device.is_unknown:
        return unknown(Why.NOT_VISIBLE)
    return absent() if device.is_absent else nics.named_by_application(host, device.get())


def _told(seat: Seat, policy: Policy, said: Mapping[str, tuple[bool, Place]]) -> Answer | None:
    labels = seat.port.labels
    entry = policy.port(seat.device.name, (seat.port.name, *labels.aliases), labels.description)
    if entry is not None:
        because = f" ({entry.because})" if entry.because else ""
        return Answer(entry.roce, "said", (entry.at,), f"the policy says so{because}")
    if seat.id in said:
        value, place = said[seat.id]
        return Answer(value, "said", (place,), "the topology says so")
    fabric = policy.fabric(seat.device.name)
    if fabric is not None and not fabric.carries_roce:
        return Answer(False, "said", (fabric.at,), f"fabric {fabric.name} carries no RoCE")
    return None


def _spoken(seat: Seat) -> Answer | None:
    if seat.named is not None and seat.named.is_known and seat.named.get() and seat.device.host is not None:
        nic = nics.nic_of(seat)
        device = nic.rdma_device.or_else("") if nic is not None else ""
        return Answer(True, "words", seat.named.at, nics.lists_that_name(seat.device.host, device))
    if seat.words is None and seat.is_nic:
        return nics.near_gpu(seat) or nics.settings_for_roce(seat)
    return seat.words


def _wire(seat: Seat, evidence: _Evidence) -> Answer | None:
    """The far end's answer, where the far end was told or speaks for itself.

    A switch port that was set up for RoCE does not outweigh what speaks against RoCE on the NIC behind it: a conflict.
    """
    peer = seat.peer
    if peer is None or _not_data(peer):
        return None
    far = evidence.told[peer.id] or evidence.spoken[peer.id]
    if far is None or far.value is None:
        return None
    if not far.value and not peer.is_nic and far.rank != "said":
        return None  # a switch port with PFC off says nothing about the port at its far end
    at = (*peer.absolute(far.at), peer.port.header)
    said = f"far end {peer.id}: {far.said}"
    hint = seat.hint
    if far.value and far.rank == "words" and seat.is_nic and hint is not None and seat.id not in evidence.weak:
        return Answer(None, "conflict", (*at, *hint.at), f"{said}, but {hint.said}")
    return Answer(far.value, "wire", at, said)


def _peer_link(seat: Seat) -> Answer | None:
    if not seat.port.labels.peer_link:
        return None
    return Answer(False, "hint", (seat.port.header,), "peer link of a switch pair")


def _hints(seats: Iterable[Seat], channels: Mapping[tuple[str, str], Seat], evidence: _Evidence) -> None:
    hosts: dict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        if seat.is_nic:
            hosts[seat.device.name].append(seat)
        seat.hint = hint_against(seat)
    for members in hosts.values():
        found = nics.hints_against(members, channels)
        for seat in members:
            if seat.hint is None and seat.id in found:
                seat.hint = found[seat.id].answer
                if found[seat.id].weak:
                    evidence.weak.add(seat.id)


def _against_hint(seat: Seat, evidence: _Evidence) -> Answer | None:
    """Rank 3; against a hint of rank 7 it is a conflict, and the port undecided."""
    words, hint = evidence.spoken[seat.id], seat.hint
    if words is None or not words.value or hint is None or seat.id in evidence.weak:
        return words
    return Answer(None, "conflict", (*words.at, *hint.at), f"{words.said}, but {hint.said}")


def _facing(seat: Seat) -> Cell[Facing]:
    if seat.port.labels.peer_link:
        return known("peer-link", seat.port.header)
    if seat.peer is None:
        return _FACES_UNSEEN
    return known("host" if seat.peer.is_nic else "fabric", seat.peer.port.header)


def _by_far_end(seats: Iterable[Seat]) -> None:
    """Rank 2 once more: a switch port whose NIC was settled by its twins."""
    for seat in seats:
        peer = seat.peer
        if seat.answer is UNDECIDED and peer is not None and peer.is_nic and peer.answer.rank == "twins":
            at = (*peer.absolute(peer.answer.at), peer.port.header)
            seat.answer = Answer(peer.answer.value, "wire", at, f"far end {peer.id}: {peer.answer.said}")


def _by_far_hint(seats: Iterable[Seat]) -> None:
    """What speaks against RoCE on a NIC speaks against it on the switch port before it."""
    for seat in seats:
        peer = seat.peer
        if seat.answer is UNDECIDED and peer is not None and peer.is_nic and peer.answer.rank == "hint":
            seat.answer = Answer(False, "hint", peer.absolute(peer.answer.at), f"far end {peer.id}: {peer.answer.said}")


def _by_way(seats: Sequence[Seat]) -> None:
    """Rank 5: on a switch that serves RoCE hosts, the ports to other switches of the fabric; and their far ends."""
    serving: dict[str, Seat] = {}
    for seat in seats:
        if seat.answer.value and not seat.is_nic and (seat.peer is None or seat.peer.is_nic):
            serving.setdefault(seat.device.name, seat)
    for seat in seats:
        host_port, peer = serving.get(seat.device.name), seat.peer
        if host_port is None or peer is None or peer.is_nic or seat.fabric != peer.fabric:
            continue
        said = f"leads from {host_port.id}, which carries RoCE, to the switch {peer.device.name}"
        for end, far in ((seat, peer), (peer, seat)):
            if end.answer is UNDECIDED and end.hint is None:
                end.answer = Answer(True, "way", (host_port.port.header, far.port.header), said)


def _by_speed(seats: Sequence[Seat]) -> None:
    """Rank 7: below a quarter of the device's RoCE speed."""
    if not any(seat.answer is UNDECIDED for seat in seats):
        return
    fastest: dict[str, int] = defaultdict(int)
    devices: dict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        devices[seat.device.name].append(seat)
        if seat.answer.value:
            fastest[seat.device.name] = max(fastest[seat.device.name], seat.port.facts.speed_bps.or_else(0))
    for name, members in devices.items():
        for seat in members:
            speed = seat.port.facts.speed_bps.or_else(0)
            if seat.answer is UNDECIDED and 0 < speed * _SLOW < fastest[name]:
                at = seat.absolute(seat.port.facts.speed_bps.at)
                seat.answer = Answer(False, "hint", at, "below a quarter of the speed of the device's RoCE ports")
