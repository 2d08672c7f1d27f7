"""A PFC watchdog on a switch of which no port has PFC: a mode without PFC was left there, or PFC was taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import At, Place


def is_without_pause(ports: Sequence[PortReading]) -> bool:
    """Whether every port that carries data is known to have no PFC, in neither direction."""
    for port in ports:
        if port.facts.kind.value in ("ethernet", "lag"):
            pfc = port.facts.pfc.value
            is_off = pfc is not None and pfc.mode.value == "off"  # in both directions, whatever else is not shown
            directions = (
                (pfc.priorities, *(() if is_off else (pfc.receive_only, pfc.send_only))) if pfc is not None else ()
            )
            if not directions or any(cell.value != frozenset() for cell in directions):
                return False
    return True


def watched_without_pause(ports: Sequence[PortReading], name: str) -> Iterator[Seen]:
    """The watchdog that lines turn on for such ports, by its `name` in these lines: it watches queues that no pause can stop."""
    places: dict[str, Place] = {}
    for port in ports:
        pfc = port.facts.pfc.value_or_none()
        watchdog = pfc.watchdog.value_or_none() if pfc is not None else None
        said = [at for at in watchdog.on.at if isinstance(at, At)] if watchdog is not None and watchdog.on.value else []
        place = resolve(said[0], port.parts) if said else None
        if isinstance(place, Place):
            places[port.name] = place
    if places:
        text = (
            f"the PFC watchdog is on for {len(places)} port{'s' if len(places) > 1 else ''}, and PFC is on for no port"
        )
        yield seen("unpaused", name, text, next(iter(places.values())), name, tuple(places))
