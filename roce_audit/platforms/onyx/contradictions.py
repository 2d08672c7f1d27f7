"""A RoCE mode without full PFC, and statements that turn PFC on for the priority of that mode all the same."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.model import Port
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.onyx.flowcontrol import PRIORITY
from roce_audit.values import Place

_DOES = {"lossy": "is without PFC", "semi-lossless": "obeys pause and sends none"}
"""NVIDIA Onyx User Manual, RoCE commands: what the modes do with PFC."""


def contradictions(reading: DeviceReading) -> Iterator[Seen]:
    """The mode's line, with the ports on which PFC is on in both directions."""
    mode = reading.device.roce_mode
    place = next((at for at in mode.at if isinstance(at, Place)), None)
    does = _DOES.get(mode.get()) if mode.is_known else None
    if does is None or place is None:
        return
    ports = [port.name for port in reading.ports if _is_paused(port.facts)]
    if ports:
        text = f"RoCE mode {mode.get()} {does}, and other statements turn PFC on for its switch priority {PRIORITY}"
        yield seen("conflict", f"roce {mode.get()}", text, place, f"roce {mode.get()}", tuple(ports))


def _is_paused(facts: Port) -> bool:
    return facts.pfc.is_known and PRIORITY in facts.pfc.get().priorities.or_else(frozenset())
