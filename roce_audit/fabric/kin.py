"""Twins: ports that people would set up alike, and rank 4 of the scope: what most of its twins do, a port does too."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache

from roce_audit.fabric.nics import nic_of
from roce_audit.fabric.seats import UNDECIDED, Answer, Seat
from roce_audit.fabric.words import words_of

_FEWEST_TWINS = 3
_MOST_DIFFERENT = 0.1
_SETTLED = ("said", "wire", "words")
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


def twin_key(seat: Seat) -> tuple[object, ...]:
    """What makes two ports twins.

    Switch ports: kind, facing, speed, layer, VLANs or VRF, and the description's words. NICs: model and speed.
    """
    facts, labels = seat.port.facts, seat.port.labels
    kind, speed = facts.kind.or_else("other"), facts.speed_bps.or_else(0)
    if seat.is_nic:
        nic = nic_of(seat)
        model = nic.model_name.or_else("") if nic is not None else ""
        return ("host", kind, speed, model)
    facing = seat.facing.value if seat.facing is not None else None
    words = _kind_words(labels.description)
    vlans = labels.vlans if not labels.routed else frozenset()
    return ("switch", kind, facing, speed, labels.routed, vlans, labels.vrf, words)


@lru_cache(65536)
def _kind_words(description: str) -> frozenset[str]:
    """The words of a description without its numbers, which tell one port of a kind from the next."""
    return frozenset(word for word in words_of(description) if not word.isdigit())


def settle_twins(seats: Sequence[Seat]) -> None:
    """Rank 4: among the ports of the same device; then of the same fabric and platform, NICs there by their slot."""
    if not any(_is_open(seat) for seat in seats):
        return
    _among(seats, lambda seat: (seat.device.name,))
    _among(seats, lambda seat: (seat.fabric, seat.device.platform, _slot(seat)))


def _is_open(seat: Seat) -> bool:
    return seat.answer is UNDECIDED and seat.hint is None


def _slot(seat: Seat) -> str:
    """Where a NIC sits in its host: PCI address, else its name; "" for a switch port."""
    if not seat.is_nic:
        return ""
    return next((alias for alias in seat.port.labels.aliases if _PCI.fullmatch(alias)), seat.port.name)


def _among(seats: Sequence[Seat], where: Callable[[Seat], tuple[object, ...]]) -> None:
    camps: dict[tuple[object, ...], list[Seat]] = defaultdict(list)
    for seat in seats:
        if _comparable(seat):
            camps[(*where(seat), *seat.twin_key)].append(seat)
    for members in camps.values():
        open_ones = [seat for seat in members if _is_open(seat)]
        settled = [seat for seat in members if seat.answer.value is not None and seat.answer.rank in _SETTLED]
        if not open_ones or len(settled) < _FEWEST_TWINS:
            continue
        yes = sum(1 for seat in settled if seat.answer.value)
        most = max(yes, len(settled) - yes)
        if len(settled) - most > _MOST_DIFFERENT * len(settled):
            continue
        value = most == yes
        example = next(seat for seat in settled if seat.answer.value is value)
        verb = "carry" if value else "do not carry"
        said = f"{most} of its {len(settled)} twins {verb} RoCE, such as {example.id}"
        at = (example.port.header, *example.absolute(example.answer.at))
        for seat in open_ones:
            seat.answer = Answer(value, "twins", at, said)


def _comparable(seat: Seat) -> bool:
    """NICs of which neither model nor speed was seen are not alike for that."""
    return not seat.is_nic or any(seat.twin_key[2:])
