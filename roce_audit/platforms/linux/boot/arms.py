"""Ways of one script that set a NIC up by different tools, and to different values.

A script that asks which tool is there means the same with each of them. One tool that is called in two ways with two values is a
choice of whoever runs the script, and nothing is said of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from roce_audit.platforms.linux.boot.calls import Call, Kind
from roce_audit.platforms.shared.host.tools import programs
from roce_audit.platforms.shared.shell.blocks import Way
from roce_audit.platforms.shared.shell.commands import calls as called

_BITS = re.compile(r"[01](?:,[01]){7}")
_LIST = re.compile(r"[0-7](?:,[0-7]){0,7}")
_EIGHT = 8
_SWITCHED_ON = ("on", "enable")
Arm = tuple[Kind, str, str, Way | None]
"""NICs, the tool that they are set up by, and the way that the call stands in; None: it is made instead of others."""


def apart(made: Iterable[Call], instead: Iterable[Call], texts: Sequence[str]) -> Iterator[tuple[Call, Call]]:
    """Of two ways that disagree on what is paused, or on where a code point goes, the calls that say so.

    `instead`: calls that are made where a tool is missing that is taken to be there.
    """
    paused: dict[Arm, dict[int, Call]] = defaultdict(dict)
    mapped: dict[int, dict[Arm, tuple[int, Call]]] = defaultdict(dict)
    for is_made, call in (*((True, call) for call in made), *((False, call) for call in instead)):
        tool = next((word for word, _ in called(texts[call.number]) if word in programs()), "")
        arm: Arm = (call.kind, call.device, tool, call.way if is_made else None)
        for priority in paused_by(call.statement):
            paused[arm].setdefault(priority, call)
        lead, *rest = call.statement.split()
        if lead in ("dscp", "mapped") and len(rest) > 1 and rest[0].isdigit() and rest[1].isdigit():
            mapped[int(rest[0])][arm] = (int(rest[1]), call)
    for one, other in combinations(paused, 2):
        if _are_alternatives(one, other) and set(paused[one]) != set(paused[other]):
            yield min(paused[one].items())[1], min(paused[other].items())[1]
    for those in mapped.values():
        for one, other in combinations(those, 2):
            if _are_alternatives(one, other) and those[one][0] != those[other][0]:
                yield those[one][1], those[other][1]


def _are_alternatives(one: Arm, other: Arm) -> bool:
    """Whether two tools are called for the same NICs, one instead of the other."""
    if one[:2] != other[:2] or one[2] == other[2] or "" in (one[2], other[2]) or one[3] == other[3]:
        return False
    return None in (one[3], other[3]) or () not in (one[3], other[3])


def paused_by(statement: str) -> Iterator[int]:
    """The priorities that a statement turns PFC on for, as far as they are written down."""
    lead, _, value = statement.partition(" ")
    if lead == "pfc" and _BITS.fullmatch(value):
        yield from (number for number, bit in enumerate(value.split(",")) if bit == "1")
    elif lead == "pfc-list" and _LIST.fullmatch(value):
        yield from map(int, value.split(","))
    elif lead == "pfc-mask" and value.isdigit():
        yield from (number for number in range(_EIGHT) if int(value) >> number & 1)
    elif lead == "pfc-bit":
        priority, _, switch = value.partition(" ")
        if priority.isdigit() and switch in _SWITCHED_ON:
            yield int(priority)
