"""Statements of class-maps and policy-maps that several vendors share: classes, criteria, groups, shares.

The same type of statement may be written in different words; each platform's grammar makes these from its own.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

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


class Drop(NamedTuple):
    """`deny`: all that the class takes is dropped."""


class Share(NamedTuple):
    """`bandwidth [remaining] percent N`; None = removed."""

    percent: int | None


class Strict(NamedTuple):
    """`priority [level N]`."""

    strict: bool


class Shape(NamedTuple):
    """`shape`; bps None = a packet rate, or a share of the speed where there is a `percent`."""

    bps: int | None
    on: bool
    percent: int | None = None


def shape(amount: int, unit: int | None) -> Shape:
    """A shaper of so many units of so many bit/s; None: packets."""
    return Shape(None if unit is None else amount * unit, True)


def shape_of_speed(percent: int) -> Shape:
    """A shaper of so many percent of the port's speed."""
    return Shape(None, True, percent)


class Logic(NamedTuple):
    """Whether all, or any, of a class-map's criteria must hold; None = not said."""

    all: bool | None


class Match(NamedTuple):
    """One criterion of a class-map; "group" is the number of a qos-group or queue."""

    kind: Literal["dscp", "precedence", "cos", "group", "acl", "never", "any", "other"]
    values: tuple[int, ...] = ()
    name: str = ""
    negated: bool = False
