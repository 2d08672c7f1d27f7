"""What the statements say that a handler has to think about. Thresholds of buffers and queues are cells."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from roce_audit.platforms.shared.ramps import Ramp

QUEUES = {"be": 0, "af1": 1, "af2": 2, "af3": 3, "af4": 4, "ef": 5, "cs6": 6, "cs7": 7}
"""Names of the queues in statements of scheduling."""

Mode = Literal["on", "auto", "off"]
Threshold = Literal["headroom", "reserved", "static", "dynamic", "offset"]


class Nominal(NamedTuple):
    """`interface HundredGigE1/0/1`: the rate that the name of the interface's type tells; None = it tells none."""

    bps: int | None = None


class PfcMode(NamedTuple):
    """`priority-flow-control enable|auto`."""

    mode: Mode


class HeadroomPool(NamedTuple):
    """`priority-flow-control poolID N headroom CELLS`: what the headrooms of all ports have together; None: the default."""

    cells: int | None = None


class NoDrop(NamedTuple):
    """`priority-flow-control no-drop dot1p LIST`; empty: taken back."""

    priorities: tuple[int, ...]


class Deadlock(NamedTuple):
    """`priority-flow-control deadlock enable` of a port."""

    on: bool


class Interval(NamedTuple):
    """`priority-flow-control deadlock cos N interval I`; None: taken back."""

    cos: int
    interval: int | None


class RecoverAction(NamedTuple):
    """`priority-flow-control deadlock auto-recover action`: what is done with packets of a queue in deadlock."""

    action: Literal["drop", "forward"]


class Group(NamedTuple):
    """One threshold of the ingress buffer of these priorities; None: taken back."""

    what: Threshold
    priorities: tuple[int, ...]
    amount: int | None


class Imported(NamedTuple):
    """`import INPUTS export OUTPUT` of a mapping table."""

    inputs: tuple[int, ...]
    output: int


class Dropped(NamedTuple):
    """An entry of the table that gives DSCPs their drop level."""

    inputs: tuple[int, ...]
    output: int


class Marked(NamedTuple):
    """An entry of the table that gives DSCPs new DSCPs."""

    inputs: tuple[int, ...]
    output: int


class Trust(NamedTuple):
    """`qos trust`; none: the port's own priority counts."""

    mode: Literal["dscp", "pcp", "none"]


class PortPriority(NamedTuple):
    """`qos priority N`: of packets whose marks the port does not trust."""

    priority: int


class Curve(NamedTuple):
    """Thresholds of a queue in cells, for one drop level or for all."""

    queue: int
    low: int
    high: int
    level: int | None = None
    probability: int | None = None


class QueueEcn(NamedTuple):
    """`queue N ecn`."""

    queue: int
    on: bool


class QueueWeight(NamedTuple):
    """`queue N weighting-constant E`; None: taken back."""

    queue: int
    exponent: int | None


class NoCurves(NamedTuple):
    """`undo queue N`: all thresholds of the queue are taken back."""

    queue: int


class WredTable(NamedTuple):
    """`qos wred apply [TABLE]`; "" the table that the system has, None: taken back."""

    name: str | None


class Scheduler(NamedTuple):
    """`qos wfq`, `qos wrr` or `qos sp`: how all queues of the port are served."""

    strict: bool | None
    """None: taken back."""


class Served(NamedTuple):
    """One queue: strict (`group sp`), or a share of a group."""

    queue: int
    group: int | None
    share: int | None


class Shaped(NamedTuple):
    """`qos gts` and `qos lr outbound`: a shaper of one queue, or (None) of the whole port; no rate: taken back."""

    queue: int | None
    bps: int | None


class Policy(NamedTuple):
    """`qos apply policy NAME inbound|outbound`, and `qos vlan-policy` for the packets of some VLANs."""

    name: str
    direction: Literal["inbound", "outbound"]
    on: bool = True
    of_vlans: bool = False


class Profile(NamedTuple):
    """`qos apply qmprofile NAME`: a queue scheduling profile."""

    name: str | None


class Pair(NamedTuple):
    """`classifier C behavior B` of a QoS policy."""

    classifier: str
    behavior: str


class Taken(NamedTuple):
    """`if-match ...` of a traffic classifier: whether it takes every packet, what an access list permits, or some code points."""

    everything: bool
    acl: str = ""
    dscps: tuple[int, ...] = ()


class Action(NamedTuple):
    """What a traffic behavior does that concerns us."""

    what: Literal["classifies", "marks", "polices", "drops"]
    dscp: int | None = None
    """What `remark dscp` writes."""
    queue: int | None = None
    """The local precedence that `remark local-precedence` gives, which is the queue."""


class AiEcn(NamedTuple):
    """A queue whose thresholds the device works out itself."""

    queue: int


class Egress(NamedTuple):
    """`buffer egress cell queue N ...`: takes effect with `buffer apply`."""


class BufferApply(NamedTuple):
    """`buffer apply`."""


class Jumbo(NamedTuple):
    """`jumboframe enable [SIZE]`: the largest frame in bytes; 0: jumbo frames are discarded, None: the default of the model."""

    frame_bytes: int | None = None


class RoutedMtu(NamedTuple):
    """`mtu SIZE` (by itself) or `ip mtu SIZE` (`of_ip`, which wins) of a routed port, bytes; None = back to the default."""

    of_ip: bool
    packet_bytes: int | None = None


class ShownFrame(NamedTuple):
    """The largest frame that a port takes, as the switch shows it: what the model's default is where nothing is configured."""

    frame_bytes: int


class Pause(NamedTuple):
    """`flow-control`: 802.3x pause is obeyed, and (where `sends`) sent."""

    receives: bool
    sends: bool


class Lldp(NamedTuple):
    """LLDP of the device or a port."""

    on: bool


class Dcbx(NamedTuple):
    """`lldp tlv-enable dot1-tlv dcbx`."""

    on: bool


class DcbxVersion(NamedTuple):
    """`dcbx version`; "" one that the model has no word for."""

    mode: str


_RATES = re.compile(
    r"(?:any|acl|ipv6|cir|cbs|ebs|pir|percent|green|red|yellow|discard|pass|remark-dscp-pass|pps|kbps|[0-9]{1,10}| )++"
)


_VLANS = re.compile(r"\d{1,4}(?: (?:to )?\d{1,4}){0,40}")
_RELEASE = re.compile(r"\d{1,2}(?:\.\d{1,4}){1,3}, [A-Z][A-Za-z]{1,20} [\w.]{1,40}")


def policing(text: str) -> str:
    """The words of a policer; raises ValueError for others."""
    if _RATES.fullmatch(text) is None:
        raise ValueError(text)
    return text


def vlans(text: str) -> str:
    """VLANs as `10 20 to 29`; raises ValueError for anything else."""
    if _VLANS.fullmatch(text) is None:
        raise ValueError(text)
    return text


def release(text: str) -> str:
    """The words of the `version` line; raises ValueError for others."""
    if _RELEASE.fullmatch(text) is None:
        raise ValueError(text)
    return text


def wred_table(name: str = "") -> WredTable:
    """The table that a port applies; that of the system where none is named."""
    return WredTable(name)


def priorities(text: str) -> frozenset[int]:
    """The 802.1p priorities of `0,3-5`; raises ValueError for anything else."""
    found: set[int] = set()
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        found.update(range(queue(first), queue(last or first) + 1))
    return frozenset(found)


def queue(text: str) -> int:
    """The number of a queue by its name or number; raises ValueError for others."""
    if text in QUEUES:
        return QUEUES[text]
    if len(text) != 1 or not "0" <= text <= "7":
        raise ValueError(f"no queue: {text}")
    return int(text)


def shaped(cir: int, queue: int | None = None) -> Shaped:
    """A shaper; rates are kbit/s."""
    return Shaped(queue, cir * 1_000)


class Channel(NamedTuple):
    """`port link-aggregation group N`; None = in none. Whose layer the group is of, its interface tells."""

    number: int | None


class Aggregation(NamedTuple):
    """`link-aggregation mode dynamic` of an aggregate interface: its members run LACP."""

    dynamic: bool


class Passive(NamedTuple):
    """`lacp mode passive` of a member."""

    on: bool


_HASHED = frozenset({"dest-ip", "dest-port", "ingress-port", "ip-pro", "src-ip", "src-port"})


def hashed(text: str) -> bool:
    """Whether the source port is among the fields of `ip load-sharing mode per-flow`; raises ValueError for an unknown field.

    `global` and `slot N` behind them say where they hold. Without fields all six are hashed (H3C S5560 Switch Series
    Configuration Guide, Configuring load sharing).
    """
    words = re.sub(r"(?:^| )(?:global|slot [0-9]{1,3})$", "", text).split()
    if not _HASHED.issuperset(words):
        raise ValueError(text)
    return not words or "src-port" in words


def ramp_of(value: object) -> Ramp | None:
    """The two limits of a queue in a WRED table."""
    return Ramp("marking", value.low, value.high, "cells", "cells") if isinstance(value, Curve) else None
