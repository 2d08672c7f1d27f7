"""Scope: which ports carry RoCE. The first rank of evidence that speaks decides; settled once, before the rules.

0 not a data port, 1 said by policy or topology, 2 the wire, 3 the port's own words, 4 its twins, 7 hints against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.fabric import nics
from roce_audit.fabric.seats import NOT_DATA, UNDECIDED, Answer, Seat
from roce_audit.fabric.words import OwnWords, hint_against, words_of
from roce_audit.model.joined import Facing
from roce_audit.policy.values import Policy
from roce_audit.values import Cell, Place, Why, known, unknown

_DATA = frozenset({"ethernet", "lag"})
_FEWEST_TWINS = 3
_MOST_DIFFERENT = 0.1
_SLOW = 4


def settle(seats: Sequence[Seat], policy: Policy, said: Mapping[str, tuple[bool, Place]]) -> None:
    """Set `answer`, `facing` and `twin_key` of every port that can carry data; the others are answered `not-data`."""
    data = [seat for seat in seats if not _set_aside(seat)]
    channels = {(seat.device.name, seat.port.labels.lag) for seat in data if seat.port.labels.lag}
    own = OwnWords()
    told: dict[str, Answer | None] = {}
    spoken: dict[str, Answer | None] = {}
    for seat in data:
        told[seat.id] = _told(seat, policy, said)
        spoken[seat.id] = _spoken(seat, own)
    hints = _hints(data)
    for seat in data:
        seat.facing = _facing(seat)
        seat.twin_key = _twin_key(seat)
        if (seat.device.name, seat.port.name) in channels:
            seat.answer = Answer(None, "not-data", (seat.port.header,), "a channel: its members are judged")
        else:
            wire = told[seat.id] or _wire(seat, told, spoken)
            seat.answer = wire or _peer_link(seat) or _against_hint(seat, spoken, hints) or UNDECIDED
    carrying = [seat for seat in data if seat.answer.rank != "not-data"]
    _twins(carrying, hints)
    for seat in carrying:
        if seat.answer is UNDECIDED and seat.id in hints:
            seat.answer = hints[seat.id]
    _by_speed(carrying)


def _set_aside(seat: Seat) -> bool:
    if _not_data(seat):
        seat.answer = NOT_DATA
        return True
    return False


def _not_data(seat: Seat) -> bool:
    facts = seat.port.facts
    if facts.kind.is_known and facts.kind.get() not in _DATA:
        return True
    return facts.admin_up.is_known and not facts.admin_up.get()


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


def _spoken(seat: Seat, own: OwnWords) -> Answer | None:
    words = own.of(seat)
    if seat.is_nic and seat.device.host is not None:
        nic = nics.nic_of(seat)
        device = nic.rdma_device.or_else("") if nic is not None else ""
        host_at = [part.block.place(0) for part in seat.device.host_parts[:1]]
        named = nics.named_by_application(seat.device.host, host_at, device)
        if named is not None:
            return named
        if nic is not None and nic.near_gpu.or_else(False) and device:
            return Answer(True, "words", seat.absolute(nic.near_gpu.at), "shares a PCIe switch with a GPU")
    return words


def _wire(seat: Seat, told: Mapping[str, Answer | None], spoken: Mapping[str, Answer | None]) -> Answer | None:
    """The far end's answer, where the far end was told or speaks for itself."""
    peer = seat.peer
    if peer is None or _not_data(peer):
        return None
    far = told[peer.id] or spoken[peer.id]
    if far is None or far.value is None:
        return None
    if not far.value and not peer.is_nic and far.rank != "said":
        return None  # a switch port with PFC off says nothing about the port at its far end
    return Answer(far.value, "wire", (*peer.absolute(far.at), peer.port.header), f"far end {peer.id}: {far.said}")


def _peer_link(seat: Seat) -> Answer | None:
    if not seat.port.labels.peer_link:
        return None
    return Answer(False, "hint", (seat.port.header,), "peer link of a switch pair")


def _hints(seats: Iterable[Seat]) -> dict[str, Answer]:
    hints: dict[str, Answer] = {}
    hosts: dict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        if seat.is_nic:
            hosts[seat.device.name].append(seat)
        found = hint_against(seat)
        if found is not None:
            hints[seat.id] = found
    for members in hosts.values():
        hints |= nics.hints_against(members)
    return hints


def _against_hint(seat: Seat, spoken: Mapping[str, Answer | None], hints: Mapping[str, Answer]) -> Answer | None:
    """Rank 3; against a hint of rank 7 it is a conflict, and the port undecided."""
    words = spoken[seat.id]
    hint = hints.get(seat.id)
    if words is None or words.value is None or hint is None or words.value is False:
        return words
    said = f"{words.said}, but {hint.said}"
    return Answer(None, "conflict", (*words.at, *hint.at), said)


def _facing(seat: Seat) -> Cell[Facing]:
    if seat.port.labels.peer_link:
        return known("peer-link", seat.port.header)
    if seat.peer is None:
        return unknown(Why.NOT_VISIBLE)
    return known("host" if seat.peer.is_nic else "fabric", seat.peer.port.header)


def _twin_key(seat: Seat) -> tuple[object, ...]:
    """What makes two ports twins: kind, facing, speed, layer, VLANs or VRF, and the description's words."""
    facts, labels = seat.port.facts, seat.port.labels
    facing = seat.facing.value if seat.facing is not None else None
    model = ""
    if seat.is_nic:
        nic = nics.nic_of(seat)
        model = nic.model_name.or_else("") if nic is not None else ""
    words = frozenset(word for word in words_of(labels.description) if not word.isdigit())
    return (
        seat.device.kind,
        facts.kind.or_else("other"),
        facing,
        facts.speed_bps.or_else(0),
        labels.routed,
        labels.vlans if not labels.routed else frozenset(),
        labels.vrf,
        words,
        model,
    )


def _twins(seats: Sequence[Seat], hints: Mapping[str, Answer]) -> None:
    """Rank 4: first among the ports of the same device, then of the same fabric and platform."""
    for scope in ("device", "fabric"):
        camps: dict[tuple[object, ...], list[Seat]] = defaultdict(list)
        for seat in seats:
            where = seat.device.name if scope == "device" else (seat.fabric, seat.device.platform)
            camps[(where, *seat.twin_key)].append(seat)
        for members in camps.values():
            open_ones = [seat for seat in members if seat.answer is UNDECIDED and seat.id not in hints]
            settled = [
                seat
                for seat in members
                if seat.answer.value is not None and seat.answer.rank in ("said", "wire", "words")
            ]
            if not open_ones or len(settled) < _FEWEST_TWINS:
                continue
            yes = sum(1 for seat in settled if seat.answer.value)
            most = max(yes, len(settled) - yes)
            if len(settled) - most > _MOST_DIFFERENT * len(settled):
                continue
            value = most == yes
            example = next(seat for seat in settled if seat.answer.value is value)
            said = (
                f"{most} of its {len(settled)} twins {'carry' if value else 'do not carry'} RoCE, such as {example.id}"
            )
            for seat in open_ones:
                seat.answer = Answer(value, "twins", (example.port.header, *example.absolute(example.answer.at)), said)


def _by_speed(seats: Iterable[Seat]) -> None:
    """Rank 7: below a quarter of the device's RoCE speed."""
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
