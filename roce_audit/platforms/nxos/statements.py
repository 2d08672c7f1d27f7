"""The statements of NX-OS in its own terms, and what makes each from its parts in the grammar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from roce_audit.platforms.numbers import DSCP_NAMES, within


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


class ClassHeader(NamedTuple):
    """`class X` in a policy, to stand before the class `before`."""

    name: str
    before: str | None


class ClassRemoved(NamedTuple):
    """`no class X`."""

    name: str


class SetGroup(NamedTuple):
    """`set qos-group N`."""

    number: int


class SetDscp(NamedTuple):
    """`set dscp` or `set precedence`: a new mark."""


class Police(NamedTuple):
    """`police ...`."""


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


class Share(NamedTuple):
    """`bandwidth [remaining] percent N`; None = removed."""

    percent: int | None


class Strict(NamedTuple):
    """`priority [level N]`."""

    strict: bool


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


class Shape(NamedTuple):
    """`shape`; bps None = a share of the speed or a packet rate."""

    bps: int | None
    on: bool


class Thresholds(NamedTuple):
    """`pause buffer-size B pause-threshold X resume-threshold Y`, in bytes; None = removed."""

    sizes: tuple[int, int, int] | None


class Logic(NamedTuple):
    """Whether all, or any, of a class-map's criteria must hold; None = not said."""

    all: bool | None


class Match(NamedTuple):
    """One criterion of a class-map."""

    kind: Literal["dscp", "precedence", "cos", "group", "acl", "never", "any", "other"]
    values: tuple[int, ...] = ()
    name: str = ""
    negated: bool = False


PRECEDENCE_NAMES = {
    name: number
    for number, name in enumerate(
        ("routine", "priority", "immediate", "flash", "flash-override", "critical", "internet", "network")
    )
}
_RATE = {"bps": 1, "kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}
_FEC = {"auto": "auto", "off": "none", "cl74": "fc", "fc-fec": "fc"}


def _values(parts: tuple[Any, ...], high: int, names: Mapping[str, int]) -> tuple[int, ...]:
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


def _match(kind: Any, high: int, names: Mapping[str, int] | None = None) -> Callable[..., Match]:
    def make(*parts: Any) -> Match:
        negated = parts[:1] == ("not",)
        return Match(kind, _values(parts[negated:], high, names or {}), negated=negated)

    return make


def _class_header(*parts: Any) -> ClassHeader:
    names = [p for p in parts if isinstance(p, tuple)]
    return ClassHeader(names[0][0], names[1][0] if len(names) > 1 else None)


def _wred(*parts: tuple[str, Any]) -> Wred:
    found = dict(parts)
    if len(found) != len(parts) or ("low" in found) != ("high" in found) or ("preset" in found and "low" in found):
        raise ValueError("said twice, or only one threshold")
    return Wred(found.get("low"), found.get("high"), found.get("percent"), found.get("weight"), "ecn" in found)


def _shape(*parts: Any) -> Shape:
    amount, unit = parts[-2:]
    return Shape(int(amount) * _RATE[unit] if unit in _RATE else None, True)


def _thresholds(size: Any, pause: Any, resume: Any) -> tuple[int, int, int]:
    sizes = (int(size), int(pause), int(resume))
    if not sizes[2] <= sizes[1] <= sizes[0]:
        raise ValueError("thresholds do not fit into the buffer")
    return sizes


def _other(word: str, found: str) -> Nothing:
    """Another word, and not this one misspelt."""
    if found.startswith(word[:4]):
        raise ValueError(f"{found} looks like {word}")
    return Nothing()


def _bitmap(text: Any) -> frozenset[int]:
    """The priorities of a bitmap in hexadecimal digits."""
    bits = int(str(text), 16)
    if not 0 <= bits <= 0xFF:
        raise ValueError(text)
    return frozenset(i for i in range(8) if bits & 1 << i)


RULES: Mapping[str, Callable[..., Any]] = {
    "name": lambda n: (str(n),),
    "words": lambda *_: None,
    "nothing": lambda *_: Nothing(),
    "top": lambda s: s,
    "port": lambda s: s,
    "systemqos": lambda s: s,
    "vlanconfig": lambda s: s,
    "qospolicy": lambda s: s,
    "nqpolicy": lambda s: s,
    "qupolicy": lambda s: s,
    "qosmap": lambda s: s,
    "nqmap": lambda s: s,
    "qumap": lambda s: s,
    "watchdog": lambda state: Watchdog(state == "on"),
    "watchdog_off": lambda *_: Watchdog(False),
    "watchdog_interval": lambda n: WatchdogTimer("interval", within(n, 1, 100_000)),
    "watchdog_shutdown": lambda n: WatchdogTimer("shutdown", within(n, 0, 100)),
    "watchdog_restore": lambda n: WatchdogTimer("restore", within(n, 0, 100)),
    "feature": lambda name, *_: Lldp(True) if name == ("lldp",) else _other("lldp", name[0]),
    "no_feature": lambda _, name, *__: Lldp(False) if name == ("lldp",) else _other("lldp", name[0]),
    "other_system": lambda *parts: _other("qos", next(p[0] for p in parts if isinstance(p, tuple))),
    "tlv": lambda *parts: _other("dcbxp", parts[-1][0]),
    "lldp_off": lambda *_: Lldp(False),
    "dcbx_on": lambda: DcbxTlv(True),
    "dcbx_off": lambda *_: DcbxTlv(False),
    "dcbx_version": lambda version: DcbxVersion(str(version)),
    "switchports": lambda: SwitchportDefault(True),
    "no_switchports": lambda *_: SwitchportDefault(False),
    "ports_down": lambda: SwitchportsDown(True),
    "ports_up": lambda *_: SwitchportsDown(False),
    "pfc": lambda mode: PfcMode(str(mode)),
    "pfc_stopped": lambda: PfcState(frozenset()),
    "pfc_runs": lambda name: PfcState(_bitmap(name[0])),
    "pfc_reset": lambda *_: PfcMode(None),
    "qos_binding": lambda way, name: Binding("qos", str(way), name[0]),
    "qos_unbinding": lambda _, way, *__: Binding("qos", str(way), None),
    "queuing_binding": lambda way, name: Binding("queuing", str(way), name[0]),
    "queuing_unbinding": lambda _, way, *__: Binding("queuing", str(way), None),
    "network_binding": lambda name: Binding("network-qos", "", name[0]),
    "network_unbinding": lambda *_: Binding("network-qos", "", None),
    "mtu": lambda n: Mtu(within(n, 64, 65_535)),
    "mtu_default": lambda *_: Mtu(None),
    "flowcontrol": lambda way, state: FlowControl(str(way), state == "on"),
    "flowcontrol_off": lambda _, way, *__: FlowControl(str(way), False),
    "shutdown": lambda: Shutdown(True),
    "no_shutdown": lambda *_: Shutdown(False),
    "speed": lambda n: Speed(within(n, 10, 1_600_000) * 1_000_000),
    "speed_auto": lambda *_: Speed(None),
    "fec": lambda mode: Fec(_FEC.get(str(mode), "rs")),
    "fec_none": lambda *_: Fec(None),
    "negotiate": lambda *_: Negotiate(True),
    "no_negotiate": lambda *_: Negotiate(False),
    "channel": lambda n: ChannelGroup(within(n, 1, 4096)),
    "channel_none": lambda *_: ChannelGroup(None),
    "class_header": _class_header,
    "class_removed": lambda *parts: ClassRemoved(parts[-1][0]),
    "set_group": lambda n: SetGroup(within(n, 0, 7)),
    "set_dscp": lambda *_: SetDscp(),
    "police": lambda *_: Police(),
    "pause": lambda *v: Pause(_values(v, 7, {}), False),
    "pause_receive": lambda *v: Pause(_values(v, 7, {}), True),
    "pause_unnamed": lambda *n: PauseUnnamed(_thresholds(*n) if n else None),
    "no_pause": lambda *_: NoPause(),
    "class_mtu": lambda n: ClassMtu(within(n, 576, 65_535)),
    "class_mtu_none": lambda *_: ClassMtu(None),
    "congestion": lambda: Congestion(False),
    "congestion_ecn": lambda: Congestion(True),
    "share": lambda n: Share(within(n, 0, 100)),
    "share_none": lambda *_: Share(None),
    "strict": lambda *_: Strict(True),
    "not_strict": lambda *_: Strict(False),
    "wred": _wred,
    "wred_none": lambda *_: NoWred(),
    "wred_preset": lambda *_: ("preset", True),
    "wred_low": lambda n, unit: ("low", (int(n), str(unit))),
    "wred_high": lambda n, unit: ("high", (int(n), str(unit))),
    "wred_probability": lambda n: ("percent", within(n, 0, 100)),
    "wred_weight": lambda n: ("weight", within(n, 0, 15)),
    "wred_ecn": lambda *_: ("ecn", True),
    "afd": lambda *_: Afd(False),
    "afd_ecn": lambda *_: Afd(True),
    "limit": lambda n, unit="packets": Limit((int(n), str(unit))),
    "limit_dynamic": lambda *_: Limit(None),
    "shape": _shape,
    "shape_share": lambda *_: Shape(None, True),
    "shape_none": lambda *_: Shape(None, False),
    "thresholds": lambda *n: Thresholds(_thresholds(*n)),
    "thresholds_none": lambda *_: Thresholds(None),
    "logic": lambda logic: Logic({"match-all": True, "match-any": False}.get(str(logic))),
    "match_dscp": _match("dscp", 63, DSCP_NAMES),
    "match_precedence": _match("precedence", 7, PRECEDENCE_NAMES),
    "match_cos": _match("cos", 7),
    "match_group": _match("group", 7),
    "match_acl": lambda name: Match("acl", (), name[0]),
    "match_protocol": lambda *parts: Match("never", negated=parts[:1] == ("not",)),
    "match_any": lambda: Match("any"),
    "match_other": lambda *_: Match("other"),
}
