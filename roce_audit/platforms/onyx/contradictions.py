"""A RoCE mode without full PFC beside PFC for the priority of that mode, a watchdog without PFC, pools of more memory than there is,
groups that resume above all that they keep, maps of DSCPs beside trust in the tag, and marks of another class in a part."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.model import Port
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.onyx import statements as st
from roce_audit.platforms.onyx.flowcontrol import PRIORITY
from roce_audit.platforms.onyx.table import TABLE
from roce_audit.platforms.shared.watchdogs import is_without_pause, watched_without_pause
from roce_audit.text.block import resolve
from roce_audit.text.sentences import runs
from roce_audit.values import At, Place, Why

_ALL = 100
_INGRESS = "i"
"""How the names of the ingress pools begin that the system knows (`iPool0` to `iPool15`)."""
_MAPS = "qos map dscp "
_DOES = {"lossy": "is without PFC", "semi-lossless": "obeys pause and sends none"}
"""NVIDIA Onyx User Manual, RoCE commands: what the modes do with PFC."""


def contradictions(reading: DeviceReading) -> Iterator[Seen]:
    """Everything of this kind in one configuration."""
    yield from _memory(reading)
    yield from _pools(reading)
    yield from _thresholds(reading)
    yield from _mode(reading)
    yield from _untrusted_maps(reading)
    yield from _marks_elsewhere(reading)
    if is_without_pause(reading.ports):
        yield from watched_without_pause(reading.ports, "pfc-wd")


def _untrusted_maps(reading: DeviceReading) -> Iterator[Seen]:
    """Lines that trust the tag alone, on ports on which other lines map DSCPs to what is paused."""
    told: dict[tuple[Place, Place], list[str]] = {}
    for port in reading.ports:
        trust = port.facts.trust
        pfc = port.facts.pfc
        paused = pfc.get().priorities.or_else(frozenset()) if pfc.is_known else frozenset[int]()
        if trust.value != "pcp" or not paused:
            continue
        written = [one for one in trust.at if isinstance(one, At) and one.index >= 0]
        mapped = [
            part.block.place(index)
            for part in port.parts
            for index, statement in enumerate(part.block.texts.statements)
            if statement.startswith(_MAPS)
            and isinstance(said := TABLE.parse("port", statement).value, st.DscpMap)
            and said.priority in paused
        ]
        if written and mapped:
            told.setdefault((port.parts[written[0].part].block.place(written[0].index), mapped[0]), []).append(
                port.name
            )
    for (place, other), ports in told.items():
        text = "the 802.1p tag alone is trusted, so that the map of DSCPs beside it has no effect"
        yield seen("map-without-trust", ports[0], text, place, "qos trust L2", tuple(ports), other)


def _marks_elsewhere(reading: DeviceReading) -> Iterator[Seen]:
    """Lines of a part that mark other traffic classes alone than those of the priorities that PFC pauses, where none binds the one to the
    other; a whole configuration is judged by the queue of each priority.
    """
    told: dict[Place, tuple[list[str], int, frozenset[int]]] = {}
    for port in reading.ports:
        pfc, binding = port.facts.pfc.value_or_none(), port.facts.priorities
        if pfc is None or pfc.mode.value != "on" or binding.why is not Why.NOT_VISIBLE or binding.at:
            continue
        paused = pfc.priorities.or_else(frozenset())
        marking = {
            queue.number: ecn.marks
            for queue in port.facts.queues.or_else(())
            if (ecn := queue.ecn.value_or_none()) is not None and ecn.marks.value
        }
        if not paused or not marking or not paused.isdisjoint(marking):
            continue
        number, cell = next(iter(marking.items()))
        place = next((resolve(at, port.parts) for at in cell.at if isinstance(at, At)), None)
        if isinstance(place, Place):
            told.setdefault(place, ([], number, paused))[0].append(port.name)
    for place, (names, number, paused) in told.items():
        numbers = ", ".join(runs(sorted(paused)))
        text = f"ECN marks traffic class {number}, PFC pauses priority {numbers}, and no line that was read binds the one to the other"
        yield seen("conflict", names[0], text, place, f"traffic-class {number} congestion-control", tuple(names))


def _memory(reading: DeviceReading) -> Iterator[Seen]:
    """The pool with which the traffic pools take more than all memory, with the ports that share it."""
    pools: dict[str, tuple[float, Place, str]] = {}
    for part in reading.ports[0].parts if reading.ports else ():
        for index, statement in enumerate(part.block.texts.statements if part.kind == "top" else ()):
            said = TABLE.parse("top", statement).value
            if isinstance(said, st.NoTrafficPool):
                pools.pop(said.name, None)
            elif isinstance(said, st.TrafficPool) and said.memory:
                percent = 0.0 if said.memory == "auto" else float(said.memory)
                pools.pop(said.name, None)
                pools[said.name] = (percent, part.block.place(index), statement)
    total = 0.0
    for name, (percent, place, statement) in pools.items():
        total += percent
        if total > _ALL:
            text = f"the traffic pools take {total:g} % of the memory up to here, and {_ALL} % is all there is"
            ports = tuple(port.name for port in reading.ports)
            yield seen("conflict", f"traffic pool {name}", text, place, statement, ports)
            return


def _pools(reading: DeviceReading) -> Iterator[Seen]:
    """Groups that are mapped to a pool which no line makes, while another one stands there for nobody."""
    made: dict[str, str] = {}
    used: dict[str, tuple[Place, str, list[str]]] = {}
    for port in reading.ports:
        for part in port.parts:
            for index, statement in enumerate(part.block.texts.statements):
                said = TABLE.parse(part.kind, statement).value if part.kind in TABLE.modes else None
                if isinstance(said, st.Pool):
                    made[said.name] = statement
                elif isinstance(said, st.GroupBuffer):
                    used.setdefault(said.pool, (part.block.place(index), statement, []))[2].append(port.name)
    idle = [name for name in made if name not in used and name.startswith(_INGRESS)]
    for name, (place, statement, ports) in used.items():
        if name not in made and idle:
            text = f"pool {name} is used here and made nowhere; {idle[0]} is made and used by no group: is it meant?"
            yield seen("undefined", f"pool {name}", text, place, statement, tuple(dict.fromkeys(ports)))


def _thresholds(reading: DeviceReading) -> Iterator[Seen]:
    """Lossless groups that resume above all that they keep."""
    found: dict[str, tuple[st.GroupBuffer, Place, list[str]]] = {}
    for port in reading.ports:
        for part in port.parts:
            for index, statement in enumerate(part.block.texts.statements):
                said = TABLE.parse(part.kind, statement).value if part.kind in TABLE.modes else None
                if isinstance(said, st.GroupBuffer) and said.kind == "lossless" and _resumes_above(said):
                    found.setdefault(statement, (said, part.block.place(index), []))[2].append(port.name)
    for statement, (said, place, ports) in found.items():
        text = f"the group resumes at {said.xon:,} bytes, and {said.reserved:,} are all that it keeps (reserved)"
        yield seen("conflict", "ingress-buffer", text, place, statement, tuple(dict.fromkeys(ports)))


def _resumes_above(said: st.GroupBuffer) -> bool:
    return said.xon is not None and said.reserved is not None and said.xon > said.reserved > 0


def _mode(reading: DeviceReading) -> Iterator[Seen]:
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
