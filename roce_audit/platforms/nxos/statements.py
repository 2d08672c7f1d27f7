"""The statements of NX-OS in its own terms."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Nothing(NamedTuple):
    """Understood, and says nothing to the model."""


class Watchdog(NamedTuple):
    """`priority-flow-control watch-dog-interval on|off`, global or of a port."""

    on: bool


class WatchdogTimer(NamedTuple):
    """`watch-dog interval` in ms; the shutdown and restore values are multiples of it."""

    what: Literal["interval", "shutdown", "restore"]
    value: int


class Lldp(NamedTuple):
    """`feature lldp`, `no lldp transmit|receive`."""

    on: bool


class DcbxTlv(NamedTuple):
    """`lldp tlv-select dcbxp`."""

    on: bool


class DcbxVersion(NamedTuple):
    """`lldp dcbx version`."""

    version: str


class SwitchportsDown(NamedTuple):
    """`system default switchport shutdown`."""

    down: bool


class SwitchportDefault(NamedTuple):
    """`system default switchport`: ports that say nothing are switchports."""

    on: bool


class PfcState(NamedTuple):
    """The priorities on which PFC runs, from `show interface priority-flow-control`."""

    priorities: frozenset[int]


class PfcMode(NamedTuple):
    """`priority-flow-control mode`; None = back to the default."""

    mode: str | None


class Binding(NamedTuple):
    """`service-policy type T DIRECTION X`; name None = removed. A network-qos policy has direction ""."""

    kind: Literal["qos", "network-qos", "queuing"]
    direction: str
    name: str | None


class Mtu(NamedTuple):
    """`mtu N`; None = back to the default."""

    size_bytes: int | None


class FlowControl(NamedTuple):
    """`flowcontrol receive|send on|off`."""

    direction: str
    on: bool


class Shutdown(NamedTuple):
    """`shutdown` / `no shutdown`."""

    down: bool


class Speed(NamedTuple):
    """`speed` in bit/s; None = automatic."""

    bps: int | None


class Fec(NamedTuple):
    """`fec`; None = removed."""

    mode: str | None


class Negotiate(NamedTuple):
    """`negotiate auto`."""

    on: bool


class ChannelGroup(NamedTuple):
    """`channel-group N`; None = in no channel."""

    number: int | None


class Pause(NamedTuple):
    """`pause pfc-cos N[,M] [receive]`."""

    priorities: tuple[int, ...]
    receive_only: bool


class PauseUnnamed(NamedTuple):
    """`pause no-drop`: no-drop, but the priority is not said. Thresholds in bytes: buffer, pause, resume."""

    thresholds: tuple[int, int, int] | None


class NoPause(NamedTuple):
    """`no pause`."""


class ClassMtu(NamedTuple):
    """`mtu N` of a network-qos class; None = removed."""

    size_bytes: int | None


class Congestion(NamedTuple):
    """`congestion-control random-detect [ecn]` of a network-qos class."""

    ecn: bool


class Wred(NamedTuple):
    """`random-detect`; thresholds as (value, unit), None where a preset or the default decides."""

    low: tuple[int, str] | None
    high: tuple[int, str] | None
    percent: int | None
    weight: int | None
    ecn: bool


class NoWred(NamedTuple):
    """`no random-detect`, `no afd`."""


class Afd(NamedTuple):
    """`afd queue-desired N UNIT [ecn]`: approximate fair drop."""

    ecn: bool


class Limit(NamedTuple):
    """`queue-limit`; None = dynamic."""

    value: tuple[int, str] | None


class Thresholds(NamedTuple):
    """`pause buffer-size B pause-threshold X resume-threshold Y`, in bytes; None = removed."""

    sizes: tuple[int, int, int] | None
