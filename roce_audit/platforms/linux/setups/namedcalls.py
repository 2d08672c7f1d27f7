"""Which calls of a file that sets NICs up are for the same NICs, and what these are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from roce_audit.platforms.linux.boot.calls import PlacedCall
from roce_audit.text.sentences import listed

_NAMED = 4
"""NICs that a setup is called by."""
_SEVERAL = 2
_WILD = ("*", "?", "[")
_OPEN_NAMES = (*_WILD, "@", "$", "{")


def by_pattern(own: Sequence[PlacedCall], kind: str, calls: Sequence[PlacedCall]) -> Iterator[PlacedCall]:
    """What is set for these NICs because a pattern or a longer list has the names of all of them, or for all NICs of their family."""
    names = own[0].device.split()
    said = {call.sets[2] for call in own}
    if kind != "family":
        family = own[0].family or _only_family(calls)
        yield from (c for c in calls if (c.kind, c.device) == ("family", family) and c.sets[2] not in said)
    yield from (
        c for c in calls if (_is_other_name(own[0], c) or _is_same_loop(own[0], c, calls)) and c.sets[2] not in said
    )
    if any(sign in own[0].device for sign in _OPEN_NAMES):
        return
    for call in calls:
        is_wider = any(sign in call.device for sign in (*_WILD, " ")) and call.device != own[0].device
        patterns = call.device.split() if call.kind == kind and is_wider else []
        if patterns and call.sets[2] not in said and all(any(fnmatchcase(n, p) for p in patterns) for n in names):
            yield call


def _only_family(calls: Sequence[PlacedCall]) -> str:
    """The family of all NICs that the file sets up, where its calls speak of one alone; else none."""
    families = {call.device if call.kind == "family" else call.family for call in calls} - {""}
    return families.pop() if len(families) == 1 else ""


def _is_other_name(own: PlacedCall, call: PlacedCall) -> bool:
    """Whether one of them names the RDMA device of a NIC, and the other its network device by it."""
    if {own.kind, call.kind} != {"net", "rdma"}:
        return False
    mine, others = own.device.split(), call.device.split()
    by_mine, by_others = ({f"@{name}" for name in names} for names in (mine, others))
    return set(mine) <= by_others or by_mine <= set(others)


def _is_same_loop(own: PlacedCall, call: PlacedCall, calls: Sequence[PlacedCall]) -> bool:
    """Whether a file names its NICs by one variable and its RDMA devices by one other: it goes through both together."""
    if {own.kind, call.kind} != {"net", "rdma"}:
        return False
    named = {(one.kind, one.device) for one in calls if one.kind in ("net", "rdma")}
    return len(named) == 2 and all(device[:1] in ("$", "{") for _, device in named)


def name_of(call: PlacedCall) -> str:
    """Which NICs a call names, in words where they are named by something else."""
    if call.device.startswith("@"):
        of = [name.removeprefix("@") for name in call.device.split()]
        which = of[0] if len(of) < _SEVERAL else f"each of {listed(of, _NAMED, spare_one=False)}"
        return f"the {'network' if call.kind == 'net' else 'RDMA'} device of {which}"
    if call.kind == "family":
        return f"every {call.device} NIC"
    if call.kind == "card" and call.device.isdigit():
        return f"card {call.device}"
    names = call.device.split()
    if call.kind in ("net", "rdma") and call.device[:1] in ("$", "{"):
        return f"the {'NIC' if call.kind == 'net' else 'RDMA device'} of {call.device}"
    if call.kind in ("net", "rdma") and call.device == "*":
        return "every NIC" if call.kind == "net" else "every RDMA device"
    if len(names) < 2 or any(sign in call.device for sign in ("$", "{")):
        return call.device
    return f"each of {listed(names, _NAMED, spare_one=False)}"
