"""The statements of OS9 in its own terms."""

from __future__ import annotations

from typing import NamedTuple


class Nothing(NamedTuple):
    """Understood, and says nothing to the model."""


class Dcb(NamedTuple):
    """`dcb enable` for the whole switch."""

    on: bool


class DcbMap(NamedTuple):
    """`dcb-map X` of a port; None = removed."""

    name: str | None


class BufferPolicy(NamedTuple):
    """`dcb-policy buffer-threshold X` of a port; None = removed."""

    name: str | None


class PfcPriorities(NamedTuple):
    """`pfc priority LIST` of a port without a DCB map."""

    priorities: tuple[int, ...]


class PfcMode(NamedTuple):
    """`pfc mode on|off` of a port."""

    on: bool


class FlowControl(NamedTuple):
    """`flowcontrol rx X tx Y`."""

    receive: bool
    send: bool


class Mtu(NamedTuple):
    """`mtu N`, the size of a frame, or `ip mtu N`."""

    size_bytes: int
    of_frame: bool


class Shutdown(NamedTuple):
    """`shutdown` / `no shutdown`."""

    down: bool


class Speed(NamedTuple):
    """`speed` in bit/s; None = automatic."""

    bps: int | None


class Channel(NamedTuple):
    """`port-channel N mode ...` below `port-channel-protocol LACP`."""

    number: int


class Group(NamedTuple):
    """`priority-group N bandwidth P pfc on|off` of a DCB map."""

    number: int
    pfc: bool


class Groups(NamedTuple):
    """`priority-pgid`: the priority group of each 802.1p priority, from 0 to 7."""

    by_priority: tuple[int, ...]


class Thresholds(NamedTuple):
    """`priority N buffer-size B pause-threshold X resume-offset Y`, in KB."""

    priorities: tuple[int, ...]
    size: int
    pause: int
    resume_offset: int
