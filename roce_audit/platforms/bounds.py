"""How much of one device is kept: a hostile or broken file costs no more than the largest real one, and what is left out is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.values import Place

MOST_PORTS = 16_384
"""Ports of one device, and stanzas that describe one each (a range counts as often as it names a port). Sixteen slots of 36 ports
in eight lanes, the largest chassis sold, have 4,608; a port whose statements are its own costs 1.5 ms and 56 KB."""
MOST_UNREAD = 1_000
"""Lines of one device, each told by itself, that nobody understood; behind these they are counted. A reader that knows the platform
leaves a handful, and every rule about the input judges each."""


def too_many_ports(place: Place, quote: str = "") -> Seen:
    """What is said where reading ended, at the first statement that was left out."""
    text = f"more than {MOST_PORTS:,} ports are described in it, more than any device has: from here on nothing of them was read"
    return seen("truncated", place.path, text, place, quote, ())


def bounded(reading: DeviceReading) -> DeviceReading:
    """The reading with no more ports, and no more unread lines told one by one, than the limits."""
    told, more = _unread(reading.seen)
    if reading.saved is not None:
        reading = replace(reading, saved=bounded(reading.saved))
    ports = reading.ports
    if len(ports) > MOST_PORTS:
        told = (*told, too_many_ports(ports[MOST_PORTS].header))
    elif not more:
        return reading
    return replace(reading, ports=ports[:MOST_PORTS], seen=told, unread_more=more)


def _unread(found: tuple[Seen, ...]) -> tuple[tuple[Seen, ...], int]:
    """The observations, of unread lines only the first; and how many lines the last one of these stands for besides its own."""
    lines = [one for one in found if one.observation.kind == "unread-line"]
    rest = lines[MOST_UNREAD:]
    if not rest:
        return found, 0
    first = rest[0]
    text = (
        f"this line and {len(rest) - 1:,} behind it concern lossless settings and were not understood; "
        "what they set is taken as unknown"
    )
    last = seen("unread-line", first.observation.name, text, first.place, first.quote, _ports(rest))
    kept = [one for one in found if one.observation.kind != "unread-line"]
    return (*kept, *lines[:MOST_UNREAD], last), len(rest) - 1


def _ports(found: Iterable[Seen]) -> tuple[str, ...]:
    """All ports that lean on any of them; thousands of lines of one block lean on one list of ports."""
    lists = {id(one.ports): one.ports for one in found}
    return tuple(dict.fromkeys(port for ports in lists.values() for port in ports))
