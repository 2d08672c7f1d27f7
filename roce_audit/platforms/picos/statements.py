"""The statements of PicOS that need thought, in its own terms."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["pfcprofile", "classifier", "schedulerprofile"]
OfWred = Literal["on", "min_value", "max_value", "max_probability_percent"]


class Apply(NamedTuple):
    """`class-of-service interface PORT pfc-profile|classifier|scheduler-profile NAME`; None = taken away."""

    kind: Kind
    name: str | None = None


class Channel(NamedTuple):
    """`ether-options 802.3ad NAME`; None = in none."""

    name: str | None = None


class Drop(NamedTuple):
    """`code-point P drop true|false` of a PFC profile: false is lossless; None = back to the default."""

    priority: int
    drop: bool | None = None


class Believed(NamedTuple):
    """`trust-mode MARK` of a classifier; None = none."""

    mark: Literal["dscp", "pcp"] | None = None


class Classified(NamedTuple):
    """`forwarding-class CLASS code-point N` of a classifier."""

    forwarding_class: str
    code_point: int


class Unclassified(NamedTuple):
    """The same, taken away; None = all code points of the class."""

    forwarding_class: str
    code_point: int | None = None


class LocalPriority(NamedTuple):
    """`local-priority N` of a forwarding class; None = back to the default."""

    number: int | None = None


class Served(NamedTuple):
    """`forwarding-class CLASS scheduler NAME` of a scheduler profile; None = taken away."""

    forwarding_class: str
    scheduler: str | None = None


class Scheduling(NamedTuple):
    """`mode SP|WFQ|WRR` of a scheduler."""

    mode: Literal["strict", "weighted"]


class Weight(NamedTuple):
    """`weight N` of a scheduler."""

    number: int


class Limited(NamedTuple):
    """`max-bandwidth-pps N` of a scheduler: packets a second, which are no bit/s."""


class Wred(NamedTuple):
    """`wred queue Q enable|min_thresh|max_thresh|drop_probability VALUE` of a port; None = back to the default."""

    queue: int
    what: OfWred
    value: int | bool | None = None


class EasyEcn(NamedTuple):
    """`class-of-service easy-ecn mode ...`: the switch marks by thresholds that it chooses; False = taken away."""

    on: bool
