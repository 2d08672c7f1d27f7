"""Files of datapath settings: `traffic.conf`, `qos_features.conf`, `qos_infra.conf`, in the words of NVUE.

`key = value`, where the key names a port group: a group has an effect where the family's `port_group_list` names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field

from roce_audit.platforms.cumulus.statements import Line
from roce_audit.platforms.cumulus.table import GLOBAL, UNNAMED
from roce_audit.platforms.cumulus.values import bounded
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.statements.misspelling import meant
from roce_audit.values import Place

_SETTING = re.compile(r"^[ \t]*([A-Za-z][A-Za-z0-9_.-]{0,200}?)[ \t]*=[ \t]*([^#\n]*?)[ \t]*(?:#.*)?$", re.M)
_COS = re.compile(r"cos_(\d{1,3})\Z")
_QUEUE = re.compile(r"egr_queue_(\d{1,3})\Z")
_QUOTED = 1_000
ALL_PORTS = "allports"

FAMILIES = {
    "source": "mapping",
    "remark": "remark",
    "pfc": "pfc",
    "ecn": "congestion-control",
    "ecn_red": "congestion-control",
    "egress_sched": "egress-scheduler",
    "shaping": "egress-shaper",
    "link_pause": "link-pause",
    "pfc_watchdog": "pfc-watchdog",
}
"""Families with port groups, and the kinds of NVUE that they are."""
_GLOBAL_FAMILIES = {
    "default_ecn_red_conf": "congestion-control",
    "default_egress_sched": "egress-scheduler",
    "cos_egr_queue": "egress-queue-mapping",
    "pfc_wd": "pfc-watchdog",
}
_FIELDS = {
    "cable_length": "cable-length",
    "tx_enable": "tx",
    "rx_enable": "rx",
    "port_buffer_bytes": "port-buffer",
    "xoff_size": "xoff-threshold",
    "xon_delta": "xon-threshold",
    "ecn_enable": "ecn",
    "red_enable": "red",
    "min_threshold_bytes": "min-threshold",
    "max_threshold_bytes": "max-threshold",
    "probability": "probability",
    "port_default_priority": "port-default-sp",
    "poll_interval": "polling-interval",
    "robustness": "robustness",
    "weight": "weight",
}
_TRUST = {
    frozenset({"802.1p"}): "l2",
    frozenset({"dscp"}): "l3",
    frozenset({"802.1p", "dscp"}): "both",
    frozenset({"port"}): "port",
}
_REWRITE = {
    frozenset(): "none",
    frozenset({"802.1p"}): "l2",
    frozenset({"dscp"}): "l3",
    frozenset({"802.1p", "dscp"}): "both",
}
_MARKS = {"8021p": "pcp", "dscp": "dscp"}
_SOURCES = ("priority_source", "packet_priorities")
"""Which packets a switch priority takes: the word since 3.x, and that of the releases before."""
_OLD_REWRITE = {"none": "none", "802.1p": "l2", "dscp": "l3"}
_BUFFERS = frozenset({"id", "service_pool", "ingress_buffer", "egress_buffer", "unlimited_egress_buffer"})
"""Settings of a priority group that concern lossy buffers alone."""


@dataclass(frozen=True, slots=True)
class _Setting:
    keys: tuple[str, ...]
    value: str
    place: Place
    quote: str

    @property
    def as_written(self) -> str:
        """The setting as one word: what has no words in NVUE."""
        return f"{'.'.join(self.keys)}={self.value}"

    @property
    def items(self) -> tuple[str, ...]:
        """The elements of `[a, b]` or `a,b`."""
        inner = self.value.removeprefix("[").removesuffix("]")
        return tuple(item.strip() for item in inner.split(",") if item.strip())


@dataclass(frozen=True, slots=True)
class InForce:
    """A port group that the list of its family names."""

    kind: str
    name: str
    defined: bool
    """The document holds settings of it."""
    place: Place
    quote: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A port group with ports of its own that no list names, in a document that has such lists."""

    family: str
    name: str
    ports: str
    place: Place
    quote: str


@dataclass
class _Groups:
    """The port groups of one document."""

    listed: dict[tuple[str, str], _Setting] = field(default_factory=dict)
    everywhere: set[tuple[str, str]] = field(default_factory=set)
    defined: set[tuple[str, str]] = field(default_factory=set)
    families: set[str] = field(default_factory=set)
    """Families with a `port_group_list`; a document with one of any family shows which groups are in force."""

    def is_in_force(self, family: str, name: str) -> bool:
        """Whether the ports of a group have what is set for it; of a document without any list nobody can tell, and they have."""
        return (family, name) in self.listed or not self.families


class Settings:
    """The settings of one document, and which of its port groups are in force."""

    def __init__(self, document: Document) -> None:
        self._all = list(_settings(document))
        self._groups = _groups(self._all)

    def lines(self) -> Iterator[Line]:
        """All that concern us, in the words of NVUE."""
        for setting in self._all:
            for words in _words(setting, self._groups):
                yield Line(tuple(word.replace(" ", "_") for word in words), setting.place, setting.quote)

    def in_force(self) -> Iterator[InForce]:
        """The port groups that are in force, but for those of all ports."""
        for setting in self._all:
            family, *rest = setting.keys
            if family in FAMILIES and rest == ["port_group_list"]:
                for name in setting.items:
                    if (family, name) not in self._groups.everywhere:
                        defined = (family, name) in self._groups.defined
                        yield InForce(FAMILIES[family], name, defined, setting.place, setting.quote)

    def left_out(self) -> Iterator[LeftOut]:
        """The port groups that were set up for ports and are not in force."""
        for setting in self._all:
            if len(setting.keys) == 3 and setting.keys[0] in FAMILIES and setting.keys[2] == "port_set":
                family, name, _ = setting.keys
                if not self._groups.is_in_force(family, name):
                    yield LeftOut(family, name, ",".join(setting.items), setting.place, setting.quote)


def _groups(settings: list[_Setting]) -> _Groups:
    groups = _Groups()
    for setting in settings:
        _note(setting, groups)
    return groups


def _settings(document: Document) -> Iterator[_Setting]:
    line, counted = document.first_line, 0
    for found in _SETTING.finditer(document.text):
        line += document.text.count("\n", counted, found.start())
        counted = found.start()
        place = Place(document.path, line)
        yield _Setting(
            tuple(found.group(1).split(".")), bounded(found.group(2)), place, found.group().strip()[:_QUOTED]
        )


def _note(setting: _Setting, groups: _Groups) -> None:
    family, *rest = setting.keys
    if family in FAMILIES and rest == ["port_group_list"]:
        groups.families.add(family)
        for name in setting.items:
            groups.listed[family, name] = setting
    elif family in FAMILIES and len(rest) > 1:
        _note_group(family, rest[0], rest[1], setting, groups)
    elif len(rest) == 1:  # a group of ECN, as the guide writes them since 5.0
        _note_group("ecn_red", family, rest[0], setting, groups)


def _note_group(family: str, name: str, key: str, setting: _Setting, groups: _Groups) -> None:
    groups.defined.add((family, name))
    if key == "port_set" and setting.items == (ALL_PORTS,):
        groups.everywhere.add((family, name))


def _words(setting: _Setting, groups: _Groups) -> Iterator[tuple[str, ...]]:
    family, *rest = setting.keys
    if family in FAMILIES:
        yield from _of_group(setting, family, groups)
    elif family == "traffic" and rest:
        yield from _of_all(setting, rest)
    elif family == "ecmp_hash_seed" and not rest:
        yield ("system", "forwarding", "hash-seed", setting.value)
    elif family in _GLOBAL_FAMILIES and rest:
        yield from _global(setting, _GLOBAL_FAMILIES[family], rest)
    elif family == "priority_group" and len(rest) > 1:
        if rest[1] not in _BUFFERS:
            yield from _in(("qos", "priority-group", rest[0]), setting, {"cos_list": _switch_priorities}, rest[1:])
    elif len(rest) == 1 and ("ecn_red", family) in groups.listed:  # as the guide writes these groups since 5.0
        name = GLOBAL if ("ecn_red", family) in groups.everywhere else family
        yield from _fields(("qos", "congestion-control", name), setting, "ecn_red", family, rest, groups)
    else:
        near = meant(family, [*FAMILIES, *_GLOBAL_FAMILIES, "traffic"])
        if near is not None:
            kind = FAMILIES.get(near) or _GLOBAL_FAMILIES.get(near, "mapping")
            group = (near, *rest[:1])
            own = group in groups.defined and group not in groups.everywhere and rest[1:] != ["port_set"]
            yield (*_block(kind, rest[0] if own else GLOBAL), setting.as_written)


def _of_all(setting: _Setting, rest: list[str]) -> Iterator[tuple[str, ...]]:
    """`traffic.*`: what holds for ports without a group of their own."""
    base = ("qos", "mapping", GLOBAL)
    if rest == ["priority_group_list"]:
        return
    remarks = rest in (["packet_priority_remark_set"], ["remark_packet_priority"])
    if remarks or (len(rest) == 3 and rest[1] == "priority_remark"):
        base = ("qos", "remark", GLOBAL)
    yield from _classifying(base, setting, rest)


def _classifying(base: tuple[str, ...], setting: _Setting, rest: list[str]) -> Iterator[tuple[str, ...]]:
    match rest:
        case ["packet_priority_source_set"]:
            yield (*base, "trust", _TRUST.get(frozenset(setting.items), setting.value or '""'))
        case ["packet_priority_remark_set"]:
            yield (*base, "rewrite", _REWRITE.get(frozenset(setting.items), setting.value))
        case ["remark_packet_priority"]:
            yield (*base, "rewrite", _OLD_REWRITE.get(setting.value, setting.value))
        case ["port_default_priority"]:
            yield (*base, "port-default-sp", setting.value)
        case [cos, word, mark] if word in _SOURCES and _COS.match(cos) and mark in _MARKS:
            for item in setting.items:
                yield (*base, _MARKS[mark], item, "cos", cos[4:])
        case [cos, "priority_remark", mark] if _COS.match(cos) and mark in _MARKS:
            for item in setting.items:
                yield (*base, "switch-priority", cos[4:], _MARKS[mark], item)
        case _:
            yield (*base, setting.as_written)


def _global(setting: _Setting, kind: str, rest: list[str]) -> Iterator[tuple[str, ...]]:
    base = _block(kind, GLOBAL)
    cos = _COS.match(rest[0])
    if kind == "egress-queue-mapping" and cos is not None and len(rest) == 2:
        if rest[1] == "uc":
            yield (*base, "switch-priority", cos.group(1), "traffic-class", setting.value)
        return
    yield from _in(base, setting, _READERS, rest)


def _of_group(setting: _Setting, family: str, groups: _Groups) -> Iterator[tuple[str, ...]]:
    kind = FAMILIES[family]
    rest = setting.keys[1:]
    if rest == ("port_group_list",):
        for name in setting.items:
            if (family, name) not in groups.everywhere and (family, name) not in groups.defined:
                yield (*_block(kind, GLOBAL), "port_group_list", name)
        return
    if len(rest) < 2:
        yield (*_block(kind, GLOBAL), setting.as_written)
        return
    name = rest[0]
    everywhere = (family, name) in groups.everywhere and (family, name) in groups.listed
    base = _block(kind, GLOBAL if everywhere else name)
    yield from _fields(base, setting, family, name, list(rest[1:]), groups)


def _fields(
    base: tuple[str, ...], setting: _Setting, family: str, name: str, rest: list[str], groups: _Groups
) -> Iterator[tuple[str, ...]]:
    """The settings of one port group; its ports are set where the group is in force."""
    kind = FAMILIES[family]
    if rest != ["port_set"]:
        if kind in ("mapping", "remark"):
            yield from _classifying(base, setting, rest)
        elif kind != "pfc-watchdog":
            yield from _in(base, setting, _READERS, rest)
        return
    if not groups.is_in_force(family, name):
        yield base
        return
    ports = ",".join(setting.items) or '""'
    if family == "ecn":  # of 3.x: a group marks because it is there, and has no word that turns marking on
        yield (*base, "ecn", "true")
    if kind == "pfc-watchdog":
        yield (*base, ALL_PORTS) if ports == ALL_PORTS else ("interface", ports, "qos", "pfc-watchdog")
    elif ports != ALL_PORTS:
        yield ("interface", ports, "qos", kind, "profile", name)
    else:
        yield base


def _block(kind: str, name: str) -> tuple[str, ...]:
    """The words of a block."""
    return ("qos", kind) if kind in UNNAMED else ("qos", kind, name)


_Reader = Callable[[tuple[str, ...], "_Setting", list[str]], Iterator[tuple[str, ...]]]


def _in(
    base: tuple[str, ...], setting: _Setting, readers: dict[str, _Reader], rest: list[str]
) -> Iterator[tuple[str, ...]]:
    """A setting of a group: by the reader of its last word, else as one field."""
    reader = readers.get(rest[-1])
    if reader is not None:
        yield from reader(base, setting, rest)
    elif len(rest) == 1:
        field = (_FIELDS[rest[0]], setting.value or '""') if rest[0] in _FIELDS else (setting.as_written,)
        yield (*base, *field)
    else:
        yield (*base, setting.as_written)


def _switch_priorities(base: tuple[str, ...], setting: _Setting, rest: list[str]) -> Iterator[tuple[str, ...]]:
    word = "queue" if base[1] == "congestion-control" else "switch-priority"
    for item in setting.items:
        yield (*base, word, item)


def _share(base: tuple[str, ...], setting: _Setting, rest: list[str]) -> Iterator[tuple[str, ...]]:
    queue = _QUEUE.match(rest[0])
    number = queue.group(1) if queue is not None else rest[0]
    if setting.value == "0":  # strict priority, says the guide
        yield (*base, "traffic-class", number, "mode", "strict")
    else:
        yield (*base, "traffic-class", number, "bw-percent", setting.value or '""')


def _shaper(base: tuple[str, ...], setting: _Setting, rest: list[str]) -> Iterator[tuple[str, ...]]:
    queue = _QUEUE.match(rest[0])
    if queue is None:
        yield (*base, "port-max-rate", setting.value or '""')
    else:
        most = setting.items[1] if len(setting.items) == 2 else setting.value or '""'
        yield (*base, "traffic-class", queue.group(1), "max-rate", most)


_READERS: dict[str, _Reader] = {
    "cos_list": _switch_priorities,
    "egress_queue_list": _switch_priorities,
    "bw_percent": _share,
    "shaper": _shaper,
}
