"""Statements of a port that contradict each other: two ways of marking on one queue, two of scheduling, a packet beyond its frame,
thresholds of PFC where no line of a part, or of the whole switch, turns it on.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.watchdogs import is_without_pause
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.text.block import resolve
from roce_audit.values import At, Place, Why

FRAME_ABOVE_IP = 18
"""Ethernet header and FCS: what a frame has beside its IP packet, bytes."""


def contradictions(reading: DeviceReading) -> Iterator[Seen]:
    """Everything of this kind in one configuration."""
    yield from _rivals(reading)
    if reading.complete_because and is_without_pause(reading.ports):
        yield from _unpaused(reading)
    for port in reading.ports:
        yield from _sizes(port)
        yield from _schedulers(port)
        yield from _backwards(port)
        if not reading.complete_because:
            yield from _without_pfc(port)


def _unpaused(reading: DeviceReading) -> Iterator[Seen]:
    """Thresholds or headroom of PFC on ports of a switch on which PFC is on for no port."""
    said: dict[str, tuple[Place, str]] = {}
    for port in reading.ports:
        for part in port.parts:
            for index, statement in enumerate(part.block.texts.statements if part.kind == "port" else ()):
                if isinstance(TABLE.parse("port", statement).value, st.Threshold | st.QueueBuffer):
                    said.setdefault(port.name, (part.block.place(index), statement))
    if said:
        place, statement = next(iter(said.values()))
        ports = f"{len(said)} port{'s' if len(said) > 1 else ''}"
        text = f"thresholds or headroom of PFC are set on {ports}, and PFC is on for no port (dcb pfc enable)"
        yield seen("unpaused", "dcb pfc enable", text, place, statement, tuple(said))


def _without_pfc(port: PortReading) -> Iterator[Seen]:
    """Thresholds of PFC on a port of a part that does not turn PFC on there; of a whole configuration the rules tell that it is off."""
    pfc = port.facts.pfc.value if port.facts.pfc.is_known else None
    if pfc is None or pfc.mode.value != "off" or any(isinstance(at, At) for at in pfc.mode.at):
        return
    for part in port.parts:
        for index, statement in enumerate(part.block.texts.statements if part.kind == "port" else ()):
            value = TABLE.parse("port", statement).value
            if isinstance(value, st.Threshold) and value.xoff is not None:
                text = f"queue {value.queue} has a threshold to pause at, and no line here turns PFC on for the port (dcb pfc enable)"
                yield seen("conflict", port.name, text, part.block.place(index), statement, (port.name,))
                return


def _backwards(port: PortReading) -> Iterator[Seen]:
    """Thresholds in steps or cells that end a pause above where it starts (command reference, dcb pfc buffer: xon is not above xoff)."""
    for part in port.parts:
        for index, statement in enumerate(part.block.texts.statements if part.kind == "port" else ()):
            said = TABLE.parse("port", statement).value
            if not isinstance(said, st.Threshold) or said.xoff is None or said.xon is None:
                continue
            (kind, xoff, unit), (other, xon, of) = said.xoff, said.xon
            if (kind, unit) == (other, of) and xon > xoff and (kind == "dynamic" or unit == "cells"):
                text = f"queue {said.queue} is paused at {kind} {xoff} and resumed at {kind} {xon}, which is above it"
                yield seen("conflict", port.name, text, part.block.place(index), statement, (port.name,))


def _schedulers(port: PortReading) -> Iterator[Seen]:
    """An ETS profile beside `qos pq|drr|lpq` (command reference, dcb ets enable: the two cannot be configured together)."""
    queues = port.facts.queues.get() if port.facts.queues.is_known else ()
    rivals = next((q.scheduling.at for q in queues if q.scheduling.why is Why.CONFLICT), ())
    places = [resolve(at, port.parts) for at in rivals if isinstance(at, At)]
    if len(places) == 2 and isinstance(places[1], Place):
        text = "an ETS profile and qos pq, drr or lpq schedule the queues of this port; the switch accepts only one of the two"
        yield seen("conflict", port.name, text, places[1], "dcb ets enable", (port.name,))


def _sizes(port: PortReading) -> Iterator[Seen]:
    """An MTU of layer 3 beyond the longest frame (command reference, jumboframe enable: longer frames are discarded).

    Of a port that is seen to pause for nothing it is no matter of lossless traffic.
    """
    pfc = port.facts.pfc.value_or_none()
    if pfc is not None and pfc.mode.is_known and pfc.mode.get() == "off":
        return
    said: dict[type, tuple[int, Place]] = {}
    for part in port.parts:
        for index, statement in enumerate(part.block.texts.statements if part.kind == "port" else ()):
            value = TABLE.parse("port", statement).value
            if isinstance(value, st.Mtu | st.Jumbo):
                size = value.size_bytes if isinstance(value, st.Mtu) else value.frame_bytes
                said.pop(type(value), None)
                if size is not None:
                    said[type(value)] = (size, part.block.place(index))
    if st.Mtu in said and st.Jumbo in said:
        (packet, _), (frame, place) = said[st.Mtu], said[st.Jumbo]
        if packet + FRAME_ABOVE_IP > frame:
            text = f"mtu {packet} does not fit into frames of at most {frame} bytes, {FRAME_ABOVE_IP} of which are no packet"
            yield seen("conflict", port.name, text, place, f"jumboframe enable {frame}", (port.name,))


def _rivals(reading: DeviceReading) -> Iterator[Seen]:
    """Queues for which both AI ECN and a drop profile are configured: the command reference says that they exclude one another."""
    told: set[Place] = set()
    for port in reading.ports:
        if not port.facts.queues.is_known:
            continue
        for queue in port.facts.queues.get():
            ecn = queue.ecn.value if queue.ecn.is_known else None
            if ecn is None or ecn.min_value.why is not Why.CONFLICT:
                continue
            place = resolve(ecn.min_value.at[0], port.parts)
            if not isinstance(place, Place) or place in told:
                continue
            told.add(place)
            text = f"AI ECN and static ECN are both set for queue {queue.number}; the switch accepts only one of them on a queue"
            yield seen("conflict", port.name, text, place, f"assign queue {queue.number}", (port.name,))
