"""What the statements of a switch say against one another, and what a device would refuse to apply.

AOS-CX QoS Guide: Lossless QoS pool (considerations), qos schedule-profile, map queue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.aoscx.defaults import (
    BUILTIN,
    COS_MAP,
    FACTORY,
    FACTORY_HEADROOM_KB,
    FACTORY_POOL_PERCENT,
    LARGEST_MEMORY_KB,
)
from roce_audit.platforms.aoscx.facts import ROCE
from roce_audit.platforms.aoscx.queueing import QUEUES, queue_map, served
from roce_audit.platforms.aoscx.table import TABLE
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.references import Name
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.text.block import HEADER, Block, Part
from roce_audit.text.sentences import runs
from roce_audit.values import At, Place

_MOST_PERCENT = 90
Said = tuple[Any, Place, str]
"""A statement, its place, and the line itself."""


def contradictions(
    parts: Sequence[Part], named: Mapping[Name, Sequence[Block]], ports: Sequence[PortReading]
) -> Iterator[Seen]:
    """All of a switch whose configuration is whole."""
    lines = list(_said(parts))
    data = tuple(port.name for port in ports if port.facts.kind.value in ("ethernet", "lag"))
    yield from _pools(lines, data)
    yield from _unpaused_pools(lines, ports)
    yield from _map_without_trust(lines, ports, data)
    yield from _shared_priority(lines, ports)
    yield from _profiles(lines, named, ports, data)
    yield from _applications(lines, data)


def in_part(parts: Sequence[Part], ports: Sequence[PortReading]) -> Iterator[Seen]:
    """What contradicts itself in a part of a configuration as well."""
    data = tuple(port.name for port in ports if port.facts.kind.value in ("ethernet", "lag"))
    yield from _map_without_trust(list(_said(parts)), ports, data)


def _said(parts: Iterable[Part]) -> Iterator[Said]:
    for part in parts:
        if part.kind == "top":
            for index, statement in enumerate(part.block.texts.statements):
                value = TABLE.parse("top", statement).value
                if value is not None:
                    yield value, part.block.place(index), statement


# pools ----------------------------------------------------------------------------------------------------------------


def _pools(lines: Sequence[Said], data: tuple[str, ...]) -> Iterator[Seen]:
    pools: dict[int, tuple[st.Pool, Place, str]] = {}
    for value, place, line in lines:
        if isinstance(value, st.Pool):
            pools[value.number] = (value, place, line)
        elif isinstance(value, st.PoolRemoved):
            pools.pop(value.number, None)
    total = 0.0
    owner: dict[int, int] = {}
    for pool, place, line in pools.values():
        percent = FACTORY_POOL_PERCENT if pool.size is None else pool.size
        headroom = FACTORY_HEADROOM_KB if pool.headroom is None else pool.headroom
        largest = percent / 100 * LARGEST_MEMORY_KB
        name = f"qos pool {pool.number}"
        if headroom > largest / 2:
            text = (
                f"headroom of {headroom:,} kbytes is more than half of the pool: {percent:g} % are {largest:,.0f} kbytes at the "
                f"most (66 MB of packet memory, 9300; less on other models), so the switch refuses the pool"
            )
            yield seen("conflict", name, text, place, line, data)
        total += percent
        if total > _MOST_PERCENT:
            text = f"the pools take {total:g} % of the packet memory up to here, and {_MOST_PERCENT} % is the most"
            yield seen("conflict", name, text, place, line, data)
        for priority in pool.priorities:
            other = owner.setdefault(priority, pool.number)
            if other != pool.number:
                text = f"priority {priority} is mapped to pool {other} already"
                yield seen("conflict", name, text, place, line, data)


def _unpaused_pools(lines: Sequence[Said], ports: Sequence[PortReading]) -> Iterator[Seen]:
    """A lossless pool for a priority that no port pauses: its packets are dropped where they do not fit."""
    pausing = {port.name: port.facts.pfc.value for port in ports if port.facts.pfc.is_known}
    cells = {name: pfc.priorities for name, pfc in pausing.items() if pfc is not None and pfc.mode.value == "on"}
    pools = {value.number: (value, place, line) for value, place, line in lines if isinstance(value, st.Pool)}
    if not cells:
        yield from _pools_alone(pools, ports)
        return
    if not all(cell.is_known for cell in cells.values()):
        return
    paused = frozenset[int]().union(*(cell.get() for cell in cells.values()))
    pooled = {priority for pool, _, _ in pools.values() for priority in pool.priorities}
    if not paused or not paused <= pooled:
        return  # that a paused priority has no pool is told by itself
    for number, (pool, place, line) in pools.items():
        idle = set(pool.priorities) - paused
        if idle:
            text = (
                f"this pool is to make {_numbers('priority', idle)} lossless, and no port pauses {'it' if len(idle) == 1 else 'them'}: "
                f"PFC is on for {_numbers('priority', paused)} alone"
            )
            yield seen("conflict", f"qos pool {number}", text, place, line, tuple(cells))


def _pools_alone(pools: Mapping[int, tuple[st.Pool, Place, str]], ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Lossless pools of a switch of which every port is seen to have PFC off."""
    data = [p for p in ports if p.facts.kind.value in ("ethernet", "lag") and p.facts.admin_up.value is not False]
    if not all(pfc is not None and pfc.mode.value == "off" for pfc in (port.facts.pfc.value for port in data)):
        return
    names = tuple(port.name for port in data)
    for number, (pool, place, line) in pools.items():
        text = f"this pool is to make {_numbers('priority', pool.priorities)} lossless, and no port has PFC on"
        if pool.priorities:
            yield replace(seen("unapplied", f"qos pool {number}", text, place, line, names), makes=("pause",))


def _applications(lines: Sequence[Said], data: tuple[str, ...]) -> Iterator[Seen]:
    """A port of UDP that is the one of RoCEv2 but for a slip, for a lossless priority, where nothing names the port itself."""
    lossless = {priority for value, _, _ in lines if isinstance(value, st.Pool) for priority in value.priorities}
    entries = [(value, place, line) for value, place, line in lines if isinstance(value, st.Application)]
    if any((value.protocol, value.number) in ROCE for value, _, _ in entries):
        return
    for value, place, line in entries:
        if (
            "udp" in value.protocol
            and value.priority in lossless
            and _is_slip_of(str(value.number), str(ROCE_UDP_PORT))
        ):
            text = f"RoCEv2 is UDP port {ROCE_UDP_PORT}, and no application entry names it: this one is for port {value.number}"
            yield seen("conflict", "dcbx application", text, place, line, data)


def _is_slip_of(written: str, meant: str) -> bool:
    """Whether a number is another one with two digits swapped, or with one wrong, missing or too many."""
    short, long = sorted((written, meant), key=len)
    if len(short) == len(long):
        return sorted(short) == sorted(long) or sum(a != b for a, b in zip(short, long, strict=True)) == 1
    return any(long[:n] + long[n + 1 :] == short for n in range(len(long)))


def _map_without_trust(lines: Sequence[Said], ports: Sequence[PortReading], data: tuple[str, ...]) -> Iterator[Seen]:
    """Tags alone are trusted, and a map leads DSCPs into a lossless pool all the same."""
    trusts = [(value, place, line) for value, place, line in lines if isinstance(value, st.Trust)]
    if not trusts or trusts[-1][0].mode != "cos" or any(port.facts.trust.value == "dscp" for port in ports):
        return
    pools = {value.number: value for value, _, _ in lines if isinstance(value, st.Pool)}
    lossless = {priority for pool in pools.values() for priority in pool.priorities}
    led: dict[int, int | None] = {}
    for value, _, _ in lines:
        if isinstance(value, st.Mapped) and value.field == "dscp":
            led |= dict.fromkeys(value.marks, value.priority)
    marks = [mark for mark, priority in led.items() if priority in lossless]
    if marks:
        _, place, line = trusts[-1]
        numbers = ", ".join(runs(marks))
        text = f"only the 802.1p tag is trusted, so that the map of DSCP {numbers} into the lossless pool has no effect"
        yield seen("map-without-trust", "qos trust", text, place, line, data)


def _shared_priority(lines: Sequence[Said], ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Tags that are led where a paused one is led: a code point with PFC needs a local priority of its own (Guide, qos cos-map)."""
    led = dict(enumerate(COS_MAP))
    written: dict[int, tuple[Place, str]] = {}
    for value, place, line in lines:
        if isinstance(value, st.Mapped) and value.field == "cos":
            for mark in value.marks:
                led[mark] = COS_MAP[mark] if value.priority is None else value.priority
                written[mark] = place, line
    by_tag = [port for port in ports if written and port.facts.trust.value == "pcp" and port.facts.pfc.is_known]
    paused = {port.name: port.facts.pfc.get().priorities.or_else(frozenset()) for port in by_tag}
    for priority in sorted(frozenset[int]().union(*paused.values())):
        others = [mark for mark in led if mark != priority and led[mark] == led[priority]]
        places = [written[mark] for mark in (*others, priority) if mark in written]
        if others and places:
            tags, own = ", ".join(map(str, others)), led[priority]
            text = (
                f"packets with 802.1p {tags} go to local priority {own}, that of the paused priority {priority}, which needs one of "
                f"its own: they fill its buffer and are not paused"
            )
            leaning = tuple(name for name, its in paused.items() if priority in its)
            yield seen("conflict", "qos cos-map", text, *places[0], leaning)


# profiles -------------------------------------------------------------------------------------------------------------


def _profiles(
    lines: Sequence[Said], named: Mapping[Name, Sequence[Block]], ports: Sequence[PortReading], data: tuple[str, ...]
) -> Iterator[Seen]:
    applied = next((value for value, _, _ in reversed(lines) if isinstance(value, st.Applied)), None)
    queues = FACTORY if applied is None else applied.queues
    used = _queues_used(queues, named)
    if used is None:
        return
    if queues != FACTORY:
        missing = set(range(8)) - used.keys()
        if missing:
            text = f"maps no queue to local {_numbers('priority', missing)}: the profile is incomplete, and the switch does not apply it"
            yield _of_profile("queueprofile", queues, text, named, data)
            return
    wanted = {queue for queue, _ in used.values()}
    told: dict[str, tuple[str, ...]] = {} if applied is None else {applied.schedule: data}
    for port in ports:
        for part in port.parts:
            for statement in part.block.texts.statements if part.kind == "port" else ():
                value = TABLE.parse("port", statement).value
                if isinstance(value, st.Schedule) and value.name is not None:
                    told[value.name] = (*told.get(value.name, ()), port.name)
    for name, leaning in told.items():
        if ("scheduleprofile", name) in BUILTIN or ("scheduleprofile", name) not in named:
            continue
        found = served(_values("scheduleprofile", named["scheduleprofile", name]))
        wrong = []
        if wanted - found.keys():
            wrong.append(f"does not schedule {_numbers('queue', wanted - found.keys())} of queue profile {queues}")
        if found.keys() - wanted:
            wrong.append(
                f"schedules {_numbers('queue', found.keys() - wanted)}, which queue profile {queues} does not use"
            )
        if wrong:
            text = f"{' and '.join(wrong)}: the switch does not apply it, and the schedule of before stays"
            yield _of_profile("scheduleprofile", name, text, named, leaning)
        inner = [q for q, (said, _) in found.items() if said.weight is None and q != max(found)]
        if inner and len(inner) + 1 < len(found):
            text = f"{_numbers('queue', inner)} strict below weighted ones: only the highest queue may be strict among them"
            yield _of_profile("scheduleprofile", name, text, named, leaning)


def _queues_used(name: str, named: Mapping[Name, Sequence[Block]]) -> dict[int, tuple[int, At]] | None:
    """Local priority -> queue; None where nothing defines the profile."""
    if name == FACTORY:
        return {number: (number, At(0, HEADER)) for number in QUEUES}
    blocks = named.get(("queueprofile", name))
    return None if blocks is None else queue_map(_values("queueprofile", blocks))


def _values(kind: str, blocks: Sequence[Block]) -> list[tuple[Any, At]]:
    return [
        (TABLE.parse(kind, statement).value, At(number, index))
        for number, block in enumerate(blocks)
        for index, statement in enumerate(block.texts.statements)
    ]


def _of_profile(kind: str, name: str, text: str, named: Mapping[Name, Sequence[Block]], ports: tuple[str, ...]) -> Seen:
    place = named[kind, name][-1].place(HEADER)
    words = f"qos {kind.removesuffix('profile')}-profile {name}"
    return seen("conflict", name, f"{words} {text}", place, words, ports)


def _numbers(word: str, numbers: Iterable[int]) -> str:
    found = sorted(numbers)
    plural = {"priority": "priorities"}.get(word, f"{word}s")
    return f"{word if len(found) == 1 else plural} {', '.join(map(str, found))}"
