"""The statements of Onyx that need thought, in its own terms, and what reads their parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from roce_audit.platforms.shared.leaves import numbers
from roce_audit.text.statements.rows import NOTHING, Nothing


class Roce(NamedTuple):
    """`roce [lossless|semi-lossless|lossy]`; None = `no roce`."""

    mode: str | None = "lossless"


class PfcEnabled(NamedTuple):
    """`dcb priority-flow-control enable` for the whole switch."""

    on: bool


class PfcPriorities(NamedTuple):
    """`dcb priority-flow-control priority N enable` for the whole switch."""

    priorities: tuple[int, ...]
    on: bool


class PfcMode(NamedTuple):
    """`dcb priority-flow-control mode on|auto` of a port; off = `no ...`."""

    mode: str


class PfcRuns(NamedTuple):
    """`show dcb priority-flow-control` as JSON: PFC runs on the port; it does not say for which priorities."""


class TrafficPool(NamedTuple):
    """`traffic pool NAME ...`: what this statement says, None for what it does not."""

    name: str
    kind: str | None = None
    priorities: tuple[int, ...] = ()
    memory: str = ""
    """Percent of the memory as written; "auto" = the rest."""


class NoTrafficPool(NamedTuple):
    """`no traffic pool NAME`."""

    name: str


class AdvancedBuffers(NamedTuple):
    """`advanced buffer management`: the groups of the ports are set by hand."""

    on: bool


class Pool(NamedTuple):
    """`pool iPool1 size N type dynamic`; bytes, None where the size has a suffix whose basis is not documented."""

    name: str
    size: int | None
    mode: str | None = None


class EtsShares(NamedTuple):
    """`dcb ets tc bandwidth A B C D` (switches with four traffic classes): percent."""

    percents: tuple[int, ...]


class PriorityClass(NamedTuple):
    """`vlan map-priority P traffic-class N` (switches with four traffic classes)."""

    priority: int
    traffic_class: int


class DscpMap(NamedTuple):
    """`qos map dscp ... to switch-priority N`; None = back to the default."""

    code_points: tuple[int, ...]
    priority: int | None = None


class PcpMap(NamedTuple):
    """`qos map pcp ... dei ... to switch-priority N`."""

    tags: tuple[int, ...]
    priority: int


class DefaultPriority(NamedTuple):
    """`qos default switch-priority N`; None = back to the default."""

    priority: int | None


class DefaultPcp(NamedTuple):
    """`vlan default priority N`: the tag priority of untagged packets; None = back to the default."""

    tag: int | None


class RewriteDscp(NamedTuple):
    """`qos rewrite dscp`: the DSCP of leaving packets is written from their switch-priority."""

    on: bool


class RewriteMap(NamedTuple):
    """`qos rewrite map switch-priority N dscp D`."""

    priorities: tuple[int, ...]
    dscp: int


class AccessGroup(NamedTuple):
    """`ipv4 port access-group NAME`; None = removed."""

    name: str | None


class FixedSpeed(NamedTuple):
    """`speed 100G`, in bit/s; `manual` = without auto-negotiation."""

    bps: int
    manual: bool = False


class Channel(NamedTuple):
    """`channel-group N` (Po) or `mlag-channel-group N` (Mpo); None = in none. How it is in there may not be said."""

    prefix: str
    number: int | None
    lacp: str | None = None


Threshold = tuple[int, str]
"""Number and unit: `kbytes`, `percent`, or `suffixed` (K, M or G, whose basis is not documented)."""


class Curve(NamedTuple):
    """`congestion-control ecn|red|both minimum-... maximum-...`."""

    kind: str
    low: Threshold
    high: Threshold


class NoCurve(NamedTuple):
    """`no congestion-control`."""


class Scheduling(NamedTuple):
    """`dcb ets strict` or `dcb ets wrr WEIGHT`; None = back to the default."""

    kind: str | None
    weight: int | None = None


class Bind(NamedTuple):
    """`bind switch-priority ...` of a traffic class (to its queue) or of a buffer group."""

    to: Literal["queue", "group"]
    priorities: tuple[int, ...]


class GroupBuffer(NamedTuple):
    """`map pool X type T reserved R [xon A] [shared alpha F]`; sizes in bytes, None = suffixed or not said."""

    pool: str
    kind: str
    reserved: int | None
    xon: int | None = None
    alpha: float | None = None


_LIST = re.compile(r"[0-9]{1,2}(-[0-9]{1,2})?([ ,][0-9]{1,2}(-[0-9]{1,2})?)*")
_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
_RATE = re.compile(r"([0-9]{1,4}(?:\.5)?)([GM])(?:x[1248])?")
_FACTORS = {"G": 1_000_000_000, "M": 1_000_000}
_SIZE = re.compile(r"([0-9]{1,12})([KMG]?)")
_ALPHA = re.compile(r"inf|([0-9]{1,3}(?:\.[0-9]{1,6})?)|([0-9]{1,3})/([0-9]{1,3})")
_GROUP = re.compile(r"iPort\.pg([0-7])|[ie]Port(?:\.(?:mc|tc[0-9]{1,2}))?", re.I)
_OTHER_BUFFER = re.compile(r"[ie]Port(\.(mc|tc[0-9]{1,2}))?", re.I)
_PRIORITIES = re.compile(r"[0-7]( [0-7])*")
_TLV = re.compile(r"dcbx|dcbx-cee|none|[a-ce-z][a-z-]*")


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """The whole text as the pattern has it; raises ValueError where it is not so."""
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return found


def listed(most: int) -> Callable[[str], object]:
    """Numbers from 0 to `most` as `3 5`, `0-3` and `24,26`, in the order they are written."""
    read = numbers(most)
    return lambda text: read(_matched(_LIST, text).group())


def running(text: str) -> frozenset[int]:
    """The priorities for which PFC runs, as `show dcb priority-flow-control` lists them."""
    return frozenset(int(word) for word in _matched(_PRIORITIES, text).group().split(" "))


def decimal(text: str) -> str:
    """A number, with a fraction or without."""
    return _matched(_DECIMAL, text).group()


def rate(text: str) -> int:
    """Bit/s of `100G` and `100Gx4` (the number of lanes adds nothing)."""
    amount, unit = _matched(_RATE, text).groups()
    return round(float(amount) * _FACTORS[unit])


def shaper(text: str) -> int | None:
    """Bit/s of a shaper's rate; None where it is written in another way than the speed of a port is."""
    return rate(text) if _RATE.fullmatch(text) else None


def size(text: str) -> int | None:
    """Bytes; None where a suffix is written, for nothing says whether K is 1,000 or 1,024."""
    amount, suffix = _matched(_SIZE, text).groups()
    return None if suffix else int(amount)


def threshold(text: str) -> Threshold:
    """An absolute threshold of a curve, in KB where no suffix is written."""
    amount, suffix = _matched(_SIZE, text).groups()
    return int(amount), "suffixed" if suffix else "kbytes"


def _percent(text: str) -> int:
    if not text.isdecimal() or int(text) > 100:
        raise ValueError(text)
    return int(text)


def percent(text: str) -> Threshold:
    """A relative threshold of a curve."""
    return _percent(text), "percent"


def percents(text: str) -> tuple[int, ...]:
    """The shares of four traffic classes."""
    first, second, third, fourth = map(_percent, text.split(" "))
    return first, second, third, fourth


def alpha(text: str) -> float | None:
    """The factor of `2`, `0.5` and `1/8`; None for `inf`, which is no factor that a depth could be computed from."""
    plain, above, below = _matched(_ALPHA, text).groups()
    if below is not None and int(below) == 0:
        raise ValueError(text)
    if below is not None:
        return int(above) / int(below)
    return None if plain is None else float(plain)


def group(text: str) -> int | None:
    """The number of `iPort.pg3`; None for a buffer to which no priority is bound (`iPort.mc`)."""
    number = _matched(_GROUP, text)[1]
    return None if number is None else int(number)


def other_buffer(text: str) -> None:
    """`ePort.tc3`, `iPort.mc`: a buffer to which no priority is bound; raises ValueError for what is none."""
    _matched(_OTHER_BUFFER, text)


def tlvs(text: str) -> str:
    """The DCBX version among the TLVs that LLDP sends; off where DCBX is not one of them."""
    words = [_matched(_TLV, word).group() for word in text.split(" ")]
    return "cee" if "dcbx-cee" in words else "ieee" if "dcbx" in words else "off"


def pcp_map(tags: tuple[int, ...], priority: int, dei: tuple[int, ...] = (0, 1)) -> PcpMap | Nothing:
    """The map of tags without drop eligibility (DEI 0): RoCE senders set none."""
    return PcpMap(tags, priority) if 0 in dei else NOTHING
