"""Scripts that write their NICs out, and set up one fewer by one of the two names that each has."""

from __future__ import annotations

import re
from collections.abc import Iterable

from roce_audit.platforms.linux.bootarms import paused_by
from roce_audit.platforms.linux.bootcalls import PlacedCall
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.series import COUNTS

_NAME = re.compile(r"[A-Za-z][\w.-]{0,40}")
_SHARED = re.compile(r"bond|mlx4")
"""RDMA devices that several network devices have."""
_PAIR = 2


def tell_fewer(calls: Iterable[PlacedCall]) -> None:
    """Say where PFC is turned on for all NICs but one that get a ToS byte, or the other way round."""
    paused: dict[str, PlacedCall] = {}
    marked: dict[str, dict[str, PlacedCall]] = {"traffic_class": {}, "cma_tos": {}}
    is_open = False
    for call in calls:
        is_paused = call.kind == "net" and any(True for _ in paused_by(call.statement))
        if call.kind == "net" and not is_paused and call.statement.startswith("pfc "):
            return  # it says so itself of the NIC
        by_device = marked.get(call.statement.partition(" ")[0]) if call.kind == "rdma" else None
        into = paused if is_paused else by_device
        if into is not None:
            names = call.device.split()
            if call.is_maybe or not all(map(_NAME.fullmatch, names)) or _SHARED.search(call.device):
                if into is paused or into is marked["traffic_class"]:
                    return
                is_open = True
            into |= dict.fromkeys(names, call)
    forced = marked["traffic_class"] or ({} if is_open else marked["cma_tos"])
    few, many = sorted((paused, forced), key=len)
    is_one_of_two = len(many) == _PAIR and few is paused  # both are marked for the class, and one of them drops it
    if not (len(many) in COUNTS or is_one_of_two) or len(many) - len(few) != 1 or not few:
        return
    call, other = next(iter(few.values())), next(iter(many.values()))
    gives = "forces" if marked["traffic_class"] else "gives rdma_cm"
    verb, mine = ("turns PFC on for", "NIC") if few is paused else (f"{gives} a ToS byte on", "RDMA device")
    others = f"{gives} a ToS byte on {{}} RDMA devices" if few is paused else "turns PFC on for {} NICs"
    meaning = f"it {verb} {len(few)} {mine}{'s' * (len(few) > 1)}, and line {other.number} {others.format(len(many))}: one is left out"
    call.answer.collector.seen.append(noticed("conflict", place(call.answer, call.number), call.statement, meaning))
