"""No-drop buffers on ports of a part of a configuration in which nothing says whether PFC is on: of a whole one rules tell that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from roce_audit.model.walk import follow
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import At, Place, Why

_GROUPS = range(8)


def silent_about_pfc(ports: Sequence[PortReading], name: str, statement: str) -> Iterator[Seen]:
    """All such ports at the first line that makes one of their groups no-drop. The `statement` would turn PFC on; no file may say its
    `name` elsewhere.
    """
    found: dict[str, Place] = {}
    for port in ports:
        mode = follow(port.facts, ("pfc", "mode"))
        stops_all = port.facts.link_pause_rx.or_else(False) or port.facts.link_pause_tx.or_else(False)
        if mode is not None and mode.why is Why.NOT_VISIBLE and not mode.at and not stops_all:
            groups = (follow(port.facts, ("groups", number, "lossless")) for number in _GROUPS)
            said = next((group.at for group in groups if group is not None and group.or_else(False)), ())
            places = (resolve(at, port.parts) for at in said if isinstance(at, At))
            place = next((one for one in places if isinstance(one, Place)), None)
            found.update({} if place is None else {port.name: place})
    if found:
        text = f"this makes a class no-drop, and no file that was given turns PFC on for its ports ({statement}), so nothing pauses it"
        first = next(iter(found.values()))
        yield replace(seen("unapplied-here", name, text, first, name, tuple(found)), makes=("pause",))
