"""The statements of Enterprise SONiC that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from roce_audit.platforms.shared.leaves import number
from roce_audit.platforms.shared.numbers import within
from roce_audit.platforms.shared.ramps import Ramp
from roce_audit.text.statements.rows import ABSENT

_KBYTE = 1000
"""The CLI divides the bytes of CONFIG_DB by 1,000 (its first releases divided by 1,024): the smaller reading is taken."""
_KILO = 1000
_COLOURS = frozenset({"green", "yellow", "red"})


class Entry(NamedTuple):
    """One line of a `qos map`: all these keys lead to one value."""

    keys: tuple[int, ...]
    value: int


class Bind(NamedTuple):
    """A name bound to the port, or to some of its queues or groups; name None = taken away.

    `kind` is the mode of a map's stanza, "wred", "scheduler", "policy", or what a buffer profile is for: "groups", "queues".
    """

    kind: str
    name: str | None = None
    numbers: tuple[int, ...] = ()


class Curve(NamedTuple):
    """What a statement says of a colour's curve: whether it is on, its thresholds in bytes, its percent; None = not said."""

    colour: str
    on: bool | None = None
    low: int | None = None
    high: int | None = None
    percent: int | None = None
    unit: str = "kbytes"
    """Of the thresholds as they are written."""


class Ecn(NamedTuple):
    """`ecn ...`: the colours that are marked."""

    colours: frozenset[str]


class QueueHeader(NamedTuple):
    """`queue N` of a scheduler policy; None = `port`, the scheduler of the whole port."""

    number: int | None


class PeakRate(NamedTuple):
    """`pir N`: bit/s, or 1/1000 packets/s where the meter counts those."""

    rate: int


class MeterType(NamedTuple):
    """`meter-type packets|bytes`."""

    unit: str


class BufferInit(NamedTuple):
    """`buffer init lossless` and its opposite."""

    on: bool


class BufferPool(NamedTuple):
    """`buffer pool X shared-headroom-size N`, bytes; None = back to the platform's size."""

    name: str
    headroom: int | None = None


class BufferProfile(NamedTuple):
    """A `buffer profile`: sizes and thresholds in bytes, `dynamic` is n in alpha = 2^n; None = not said."""

    pool: str | None = None
    size: int | None = None
    static: int | None = None
    dynamic: int | None = None
    pause: int | None = None
    resume: int | None = None
    offset: int | None = None


class Roce(NamedTuple):
    """`roce enable`, and the lossless priorities, empty where it names none; None = said elsewhere, in a tree."""

    on: bool | None = None
    priorities: tuple[int, ...] | None = None


class CounterPoll(NamedTuple):
    """`priority-flow-control watchdog counter-poll`."""

    on: bool


class Running(NamedTuple):
    """`show qos interface`: the priorities for which a port has PFC."""

    priorities: tuple[int, ...] = ()


class Pfc(NamedTuple):
    """`priority-flow-control priority N`; none with `on` False = all of them."""

    priorities: tuple[int, ...] = ()
    on: bool = True


class Asymmetric(NamedTuple):
    """`priority-flow-control asymmetric`."""

    on: bool


class Watchdog(NamedTuple):
    """`priority-flow-control watchdog on [detect-time N]`, and taken back; ms."""

    detect: int | None = None
    on: bool = True


class DefaultProfile(NamedTuple):
    """`buffer default-lossless-buffer-profile`: the device makes the lossless profile by speed and cable."""

    on: bool


class AnySpeed(NamedTuple):
    """`speed auto`: the port negotiates its speed."""


class ChannelGroup(NamedTuple):
    """`channel-group N`; None = left."""

    number: int | None


class Channel(NamedTuple):
    """What a port channel's header says behind its name; None = nothing."""

    lacp: str | None = None
    links: int | None = None
    fast: bool = False


class Shared(NamedTuple):
    """`mclag N` in a port channel: both switches of a pair have it under one name."""

    on: bool


class Dcbx(NamedTuple):
    """`dcbx enable` / `no dcbx enable`."""

    on: bool


class PolicyClass(NamedTuple):
    """`class X` in a policy: what follows is done to the packets that class map X takes."""

    name: str


class MatchDscp(NamedTuple):
    """`match dscp N` in a class map."""

    number: int


class MatchRoce(NamedTuple):
    """What every RoCEv2 packet meets (`match ip protocol udp`, `match l4-port destination eq 4791`), or none (`match ip protocol tcp`)."""

    every: bool = True


class MatchList(NamedTuple):
    """`match access-group ip X` in a class map."""

    name: str


class SetClass(NamedTuple):
    """`set traffic-class N` and `set queue N`: the packet's class is no longer that of its mark; None where a queue is set."""

    number: int | None = None


_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
_CABLE = re.compile(r"([0-9]{1,5})m")
_SIGNED = re.compile(r"-?[0-9]{1,2}")
_POLICER = re.compile(r"(cir|cbs|pir|pbs) [0-9]{1,12}( (cir|cbs|pir|pbs) [0-9]{1,12})*")
_SPEED = re.compile(r"SPEED_([0-9]{1,4})(GB|MB)")
_UNITS = {"GB": 10**9, "MB": 10**6}
_SPEEDS = frozenset(
    mbps * 10**6
    for mbps in (
        10,
        100,
        1_000,
        2_500,
        5_000,
        10_000,
        20_000,
        25_000,
        40_000,
        50_000,
        100_000,
        200_000,
        400_000,
        800_000,
    )
)
_WHOLE_PORT = 255
_LAST_QUEUE = 47
_FEC = {"rs": "rs", "fc": "fc", "none": "none", "off": "none", "auto": "auto", "default": ABSENT}


def alone(most: int) -> Callable[[str], tuple[int, ...]]:
    """One number from 0 to `most`."""
    read = number(0, most)
    return lambda text: (int(str(read(text))),)


def decimal(text: str) -> float:
    """A number that may have a fraction; raises ValueError for what is none."""
    return float(_matched(_DECIMAL, text).group())


def thousands(text: str) -> int:
    """Bytes, from kbytes."""
    return round(decimal(text) * _KBYTE)


def kilobits(text: str) -> int:
    """bit/s, from kbit/s."""
    return round(decimal(text) * _KILO)


def cable(text: str) -> int:
    """Metres, from `40m`."""
    return int(_matched(_CABLE, text).group(1))


def alpha(text: str) -> int:
    """n in alpha = 2^n."""
    return within(_matched(_SIGNED, text).group(), -8, 7)


def fec(text: str) -> object:
    """The FEC by its name in capitals or not; ABSENT is the port's own choice."""
    found = _FEC.get(text.lower())
    if found is None:
        raise ValueError(text)
    return found


def colours(text: str) -> frozenset[str]:
    """The colours of `none`, `all`, `green_yellow`, ..."""
    if text in ("none", "all"):
        return _COLOURS if text == "all" else frozenset()
    found = text.split("_")
    if found not in (["green"], ["yellow"], ["red"], ["green", "yellow"], ["green", "red"], ["yellow", "red"]):
        raise ValueError(text)
    return frozenset(found)


def policer(text: str) -> str:
    """The rates and bursts of a policer."""
    return _matched(_POLICER, text).group()


def identity(meanings: Mapping[str, object]) -> Callable[[str], object]:
    """One of these words of a tree, in any case, with its YANG module before it or not."""

    def read(text: str) -> object:
        word = text.rpartition(":")[2].upper()
        if word not in meanings:
            raise ValueError(text)
        return meanings[word]

    return read


def marked(text: str) -> frozenset[str]:
    """The colours of `ECN_ALL`, `green_yellow`, ..."""
    return colours(text.rpartition(":")[2].lower().removeprefix("ecn_"))


def port_speed(text: str) -> int:
    """bit/s, from `SPEED_400GB`."""
    number, unit = _matched(_SPEED, text.rpartition(":")[2]).groups()
    speed = int(number) * _UNITS[unit]
    if speed not in _SPEEDS:
        raise ValueError(text)
    return speed


def port_fec(text: str) -> object:
    """The FEC, from `FEC_RS`."""
    word = text.rpartition(":")[2].lower().removeprefix("fec_")
    return fec("none" if word == "disabled" else word)


def channel(text: str) -> int:
    """The number of a port channel."""
    return within(text.removeprefix("PortChannel"), 0, 9999)


def sequence(text: str) -> int | None:
    """The queue of a scheduler; None = the whole port."""
    number = within(text, 0, _WHOLE_PORT)
    if _LAST_QUEUE < number < _WHOLE_PORT:
        raise ValueError(text)
    return None if number == _WHOLE_PORT else number


def pfc_if_enabled(priorities: tuple[int, ...], on: bool = False) -> Pfc:
    """A priority that is off unless it is said to be on."""
    return Pfc(priorities, on)


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return found


def ramp_of(value: object) -> Ramp | None:
    """The two thresholds of a colour in a WRED policy."""
    if not isinstance(value, Curve) or value.low is None or value.high is None:
        return None
    return Ramp("marking", value.low, value.high, "bytes", "bytes")
