"""Ports that are down because nothing turns them up, although they are meant for use: one observation per device and evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from roce_audit.fabric.ranges import short
from roce_audit.fabric.seats import Seat, of_port_alone
from roce_audit.fabric.words import OwnWords
from roce_audit.model import Observation
from roce_audit.model.device import ObservationKind
from roce_audit.values import Place, known

_CABLED = "has a neighbour"
_SET_UP = "has settings for RoCE"


def observations(seats: Iterable[Seat]) -> Iterator[Observation]:
    """A port that somebody shut says so in a line and is silent here; settings alone may be a template's, so they are a hint."""
    words = OwnWords()
    found: dict[tuple[str, str], list[Seat]] = defaultdict(list)
    for seat in seats:
        if _is_down_by_default(seat):
            meant = _meant(seat, words)
            if meant:
                found[seat.device.name, meant].append(seat)
    for (device, meant), members in found.items():
        first = members[0]
        names = ", ".join(short([seat.port.name for seat in members])[:6])
        text = (
            f"{names}: nothing turns the port up, and its default is down ({_default(first)}), but it {meant}; "
            "nothing is asked of a port that is down"
        )
        places = [seat.port.header for seat in members]
        kind: ObservationKind = "conflict" if meant == _CABLED else "scope-conflict"
        yield Observation(
            kind, f"{device}: {names}", text, known(meant == _CABLED, places[0]), known(first.port.name, *places)
        )


@of_port_alone
def _is_down_by_default(seat: Seat) -> bool:
    facts = seat.port.facts
    up = facts.admin_up
    if seat.is_nic or not (facts.kind.is_known and facts.kind.get() == "ethernet"):
        return False
    return up.is_known and not up.get() and not any(isinstance(at, Place) for at in seat.places(up.at))


def _default(seat: Seat) -> str:
    return next((str(getattr(at, "source", at)) for at in seat.port.facts.admin_up.at), "documented")


def _meant(seat: Seat, words: OwnWords) -> str:
    if seat.peer is not None or seat.port.labels.neighbour:
        return _CABLED
    said = words.of(seat)
    return _SET_UP if said is not None and said.value else ""
