"""Slips in the names of scripts that set NICs up: one that sets up fewer NICs by one of the two names that each has, one that names the
RDMA device of another NIC, and two ToS bytes for one device.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from roce_audit.platforms.linux.boot.arms import paused_by
from roce_audit.platforms.linux.boot.calls import PlacedCall
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.series import COUNTS

NAME = re.compile(r"[A-Za-z][\w.-]{0,40}")
"""A name as it is, and no pattern or value that stands elsewhere."""
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
            if call.is_maybe or not all(map(NAME.fullmatch, names)) or _SHARED.search(call.device):
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


def tell_other_device(calls: Sequence[PlacedCall]) -> None:
    """Say where a file that sets one NIC up gives the two ToS bytes of it to two RDMA devices: one of the names is a slip."""
    if any(call.kind not in ("net", "rdma") or NAME.fullmatch(call.device) is None for call in calls):
        return
    by_device: dict[str, dict[str, PlacedCall]] = defaultdict(dict)
    for call in calls:
        if call.kind == "rdma":
            by_device[call.device].setdefault(call.statement.partition(" ")[0], call)
    if len({call.device for call in calls if call.kind == "net"}) != 1 or len(by_device) != 2:
        return
    of_cma = [name for name, said in by_device.items() if "cma_tos" in said and "traffic_class" not in said]
    forced = [name for name, said in by_device.items() if "traffic_class" in said and "cma_tos" not in said]
    if of_cma and forced:
        call = by_device[forced[0]]["traffic_class"]
        meaning = (
            f"this file sets one NIC up; it forces the ToS byte of {forced[0]}, and that of connections by rdma_cm of {of_cma[0]}: one of "
            "the two names is another NIC's"
        )
        call.answer.collector.seen.append(noticed("conflict", place(call.answer, call.number), call.statement, meaning))


def tell_other_byte(calls: Sequence[PlacedCall]) -> None:
    """Say where a file forces one code point on a device, and gives connections by rdma_cm over it another, which never shows."""
    forced: dict[str, tuple[int, PlacedCall]] = {}
    asked: dict[str, tuple[int, PlacedCall]] = {}
    for call in calls:
        lead, _, value = call.statement.partition(" ")
        into = {"traffic_class": forced, "cma_tos": asked}.get(lead)
        if call.kind == "rdma" and into is not None and value.isdigit() and not call.is_maybe:
            into |= {name: (int(value), call) for name in call.device.split() if NAME.fullmatch(name)}
    differing = (one for one in asked if one in forced and asked[one][0] // 4 != forced[one][0] // 4)
    name = next(
        (one for one in differing if asked[one][0] != forced[one][0] // 4), None
    )  # a DSCP as byte is told by a rule
    if name is not None:
        (byte, call), (other, by) = asked[name], forced[name]
        meaning = (
            f"{name} gets ToS byte {byte} (DSCP {byte // 4}) for connections by rdma_cm, and line {by.number} forces {other} "
            f"(DSCP {other // 4}) on all its traffic"
        )
        call.answer.collector.seen.append(noticed("conflict", place(call.answer, call.number), call.statement, meaning))
