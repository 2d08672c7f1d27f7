"""Two classes of one network-qos policy that pause the same priority, a pause threshold beyond its buffer, a no-drop class that a map
of queues leaves out or on ports of a part on which nothing turns PFC on, and a policy that leads code points elsewhere than the trust
map does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.os10.lossless import CLASSES
from roce_audit.platforms.os10.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.policy.policies import Policies, PolicySyntax
from roce_audit.platforms.shared.unpaused import silent_about_pfc
from roce_audit.text.block import resolve
from roce_audit.text.sentences import runs
from roce_audit.values import At, Place, Why

_KIND = "nqpolicy"


def contradictions(reading: DeviceReading) -> Iterator[Seen]:
    """Each such priority or class once, with the ports that it is about."""
    yield from _paused_twice(reading)
    yield from _without_queue(reading)
    yield from _beyond_its_buffer(reading)
    yield from _led_elsewhere(reading)
    if not reading.complete_because:
        yield from silent_about_pfc(reading.ports, "priority-flow-control", "priority-flow-control mode on")


def _led_elsewhere(reading: DeviceReading) -> Iterator[Seen]:
    """Code points that a policy of a port leads to another qos-group than its trust map: which of the two holds is not documented."""
    marks: dict[Place, tuple[frozenset[int], list[str]]] = {}
    for port in reading.ports:
        if not {"qospolicy", "dscpmap"} <= {part.kind for part in port.parts}:
            continue  # beside the default map of tags policies are usual
        cells = {mark: follow(port.facts, ("dscp", mark)) for mark in range(64)}
        led = {mark: cell.at[0] for mark, cell in cells.items() if cell is not None and cell.why is Why.CONFLICT}
        for at in dict.fromkeys(led.values()):
            place = resolve(at, port.parts)
            if isinstance(place, Place):
                those = frozenset(mark for mark, where in led.items() if where == at)
                marks.setdefault(place, (those, []))[1].append(port.name)
    for place, (those, ports) in marks.items():
        named = ", ".join(runs(those))
        text = f"the policy leads DSCP {named} to another qos-group than the trust map: which of them holds is not documented"
        yield seen("conflict", "set qos-group", text, place, "set qos-group", tuple(ports))


def _without_queue(reading: DeviceReading) -> Iterator[Seen]:
    """Where the map of queues of a port names none for a class whose packets may not be dropped."""
    told: dict[tuple[Place, str], dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for port in reading.ports:
        maps = [part for part in port.parts if part.kind == "tcmap" and part.block.texts.statements]
        for number in CLASSES if len(maps) == 1 else ():
            queue = follow(port.facts, ("classes", number, "queue"))
            group = follow(port.facts, ("classes", number, "group"))
            if queue is None or group is None or queue.why is not Why.NO_DEFAULT or not group.is_known:
                continue
            lossless = follow(port.facts, ("groups", group.get(), "lossless"))
            if lossless is not None and lossless.or_else(False):
                told[maps[0].block.place(0), maps[0].name][number].append(port.name)
    for (place, name), by_number in told.items():
        numbers = ", ".join(map(str, sorted(by_number)))
        text = f"qos-map traffic-class {name} names no queue for qos-group {numbers}, whose packets are no-drop"
        ports = dict.fromkeys(port for names in by_number.values() for port in names)
        yield seen("conflict", name, text, place, f"qos-map traffic-class {name}", tuple(ports))


def _bound(reading: DeviceReading) -> list[list[PortReading]]:
    """The ports that have the same policies."""
    bound: dict[tuple[int, ...], list[PortReading]] = defaultdict(list)
    for port in reading.ports:
        bound[tuple(id(part.block) for part in port.parts if part.kind == _KIND)].append(port)
    return list(bound.values())


def _beyond_its_buffer(reading: DeviceReading) -> Iterator[Seen]:
    """A class that pauses when more is waiting than its buffer holds. Where nothing is shared beside that buffer, rules tell it."""
    told: dict[Place, tuple[st.Pause, list[str]]] = {}
    for those in _bound(reading):
        for place, pause in _too_late(those[0]):
            told.setdefault(place, (pause, []))[1].extend(port.name for port in those)
    for place, (pause, ports) in told.items():
        size, threshold, _ = pause.sizes or (0, 0, 0)
        text = f"pause begins at {threshold} KB, and the buffer of the class has {size} KB: it is full before anybody is paused"
        yield seen(
            "conflict", "pause", text, place, f"pause buffer-size {size} pause-threshold {threshold}", tuple(ports)
        )


def _too_late(port: PortReading) -> Iterator[tuple[Place, st.Pause]]:
    policies = Policies(port.parts, PolicySyntax(TABLE))
    for name in dict.fromkeys(part.name for part in port.parts if part.kind == _KIND and part.name):
        for one in policies.policy(_KIND, name) or ():
            shares = any(isinstance(parsed.value, st.SharedLimit) and parsed.value.on for parsed, _ in one.lines)
            for parsed, at in one.lines if shares else ():
                said, place = parsed.value, resolve(at, port.parts)
                if (
                    isinstance(said, st.Pause)
                    and said.sizes
                    and said.sizes[0] <= said.sizes[1]
                    and isinstance(place, Place)
                ):
                    yield place, said


def _paused_twice(reading: DeviceReading) -> Iterator[Seen]:
    told: dict[tuple[Place, int], tuple[str, list[str]]] = {}
    for those in _bound(reading):
        for place, priority, names in _twice(those[0]):
            told.setdefault((place, priority), (names, []))[1].extend(port.name for port in those)
    for (place, priority), (names, ports) in told.items():
        text = (
            f"classes {names} of one policy name priority {priority}; its packets cannot wait in more than one buffer"
        )
        yield seen("conflict", f"pfc-cos {priority}", text, place, f"pfc-cos {priority}", tuple(ports))


def _twice(port: PortReading) -> Iterator[tuple[Place, int, str]]:
    """Where a priority is named again, the priority, and the classes that name it."""
    policies = Policies(port.parts, PolicySyntax(TABLE))
    for name in dict.fromkeys(part.name for part in port.parts if part.kind == _KIND and part.name):
        named: dict[int, list[tuple[str, At]]] = defaultdict(list)
        for one in policies.policy(_KIND, name) or ():
            last: dict[int, At] = {}
            for parsed, at in one.lines:
                if isinstance(parsed.value, st.PfcCos):
                    last = dict.fromkeys(parsed.value.priorities, at)
            for priority, at in last.items():
                named[priority].append((one.name or "", at))
        for priority, those in named.items():
            place = resolve(those[-1][1], port.parts)
            if len(those) > 1 and isinstance(place, Place):
                yield place, priority, " and ".join(dict.fromkeys(label for label, _ in those))
