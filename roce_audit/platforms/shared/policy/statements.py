"""Statements of class-maps and policy-maps that several vendors share: classes, criteria, groups, shares.

The same type of statement may be written in different words; each platform's grammar makes these from its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from roce_audit.platforms.shared.numbers import DSCP_NAMES, within

PRECEDENCE_NAMES = {
    name: number
    for number, name in enumerate(
        ("routine", "priority", "immediate", "flash", "flash-override", "critical", "internet", "network")
    )
}


PolicyType = Literal["qos", "network-qos", "queuing"]
Way = Literal["input", "output", ""]


class Binding(NamedTuple):
    """`service-policy` of a type and, where there are two, a direction; name None = removed."""

    kind: PolicyType
    direction: Way
    name: str | None = None


class ClassHeader(NamedTuple):
    """`class X` in a policy, to stand before the class `before`."""

    name: str
    before: str | None = None


class ClassRemoved(NamedTuple):
    """`no class X`."""

    name: str


class SetGroup(NamedTuple):
    """`set qos-group N`."""

    number: int


class SetDscp(NamedTuple):
    """`set dscp N`, or `set precedence` (None): a new mark."""

    dscp: int | None


class Police(NamedTuple):
    """`police ...`."""


class Share(NamedTuple):
    """`bandwidth [remaining] percent N`; None = removed."""

    percent: int | None


class Strict(NamedTuple):
    """`priority [level N]`."""

    strict: bool


class Shape(NamedTuple):
    """`shape`; bps None = a share of the speed or a packet rate."""

    bps: int | None
    on: bool


def shape(amount: int, unit: int | None) -> Shape:
    """A shaper of so many units of so many bit/s; None: packets."""
    return Shape(None if unit is None else amount * unit, True)


class Logic(NamedTuple):
    """Whether all, or any, of a class-map's criteria must hold; None = not said."""

    all: bool | None


class Match(NamedTuple):
    """One criterion of a class-map; "group" is the number of a qos-group or queue."""

    kind: Literal["dscp", "precedence", "cos", "group", "acl", "never", "any", "other"]
    values: tuple[int, ...] = ()
    name: str = ""
    negated: bool = False


def number_list(parts: tuple[Any, ...], high: int, names: Mapping[str, int]) -> tuple[int, ...]:
    """The numbers of `18,20-22,af31`; raises ValueError for what is none, or above `high`."""
    found: list[int] = []
    for piece in "".join(f"{p}," for p in parts).split(","):
        if not piece:
            continue
        if piece in names:
            found.append(names[piece])
            continue
        first, dash, last = piece.partition("-")
        begin = within(first, 0, high)
        found.extend(range(begin, within(last, begin, high) + 1) if dash else (begin,))
    return tuple(found)


def criterion(kind: Any, high: int, names: Mapping[str, int] | None = None) -> Callable[..., Match]:
    """What makes a criterion from the parts of `match [not] KIND LIST...`."""

    def make(*parts: Any) -> Match:
        negated = parts[:1] == ("not",)
        return Match(kind, number_list(parts[negated:], high, names or {}), negated=negated)

    return make


def set_dscp(value: Any) -> SetDscp:
    """A new mark from its number or name; raises ValueError for what is none."""
    (dscp,) = number_list((value,), 63, DSCP_NAMES)
    return SetDscp(dscp)


def class_header(*parts: Any) -> ClassHeader:
    """A class header from the names in it (tuples of one string): its own, and that of the class it stands before."""
    names = [p for p in parts if isinstance(p, tuple)]
    return ClassHeader(names[0][0], names[1][0] if len(names) > 1 else None)


def class_logic(word: Any) -> Logic:
    """`match-all`, `match-any`, or any other word for what is not said."""
    return Logic({"match-all": True, "match-any": False}.get(str(word)))
