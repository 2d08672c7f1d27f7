"""iproute2 `dcb [-j] [-N] {pfc,ets,app,buffer,maxrate,dcbx} show dev X`, JSON or text.

Both forms become the same statements, in the words of the text form with `_`: `prio_pfc 0:off 1:off 2:off 3:on ...`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import (
    BANDWIDTH,
    DEFAULT_PRIORITY,
    HAS_DSCP_ENTRIES,
    IPROUTE2,
    PFC_DELAY,
    PRIORITY_OF_DSCP,
    RATE_LIMIT,
    SELECTION,
    Path,
)
from roce_audit.platforms.shared.host.words import integer, matched, one_of, whole
from roce_audit.platforms.shared.numbers import PER_HOP_BEHAVIOURS
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.values import At

_ON_OFF = {"on": True, "off": False}
_ALL = 8
"""Priorities of IEEE 802.1Q."""
DSCP_NAMES = {name.upper(): dscp for name, dscp in PER_HOP_BEHAVIOURS.items()} | {
    "default": 0,
    "LE": 1,
    "VOICE-ADMIT": 44,
}
_TSA = {"strict": "strict", "ets": "ets", "vendor": "vendor", "cbs": "cbs"}


def _command(thing: str) -> str:
    return rf"dcb (?:-\S+ )*{thing} show dev (?P<net>\S+)"


def _split(answer: Answer) -> None:
    text = answer.document.text.lstrip()
    if text.startswith(("{", "[")):
        found = answer.json()
        if found is None:
            return
        value = found.value[0] if isinstance(found.value, list) and len(found.value) == 1 else found.value
        prefix: tuple[str | int, ...] = (0,) if value is not found.value else ()
        if not isinstance(value, dict):
            answer.unread(answer.document.first_line, "an object was expected")
            return
        for key, inner in value.items():
            answer.say(f"{key} {_as_text(inner)}".rstrip(), found.line_of((*prefix, key)))
        keys = set(value)
    else:
        keys = set()
        for number, line in answer.lines():
            word, _, rest = line.strip().partition(" ")
            key = word.replace("-", "_")
            keys.add(key)
            answer.say(f"{key} {rest}".rstrip(), number)
    if answer.tool.name == "dcb app" and "dscp_prio" not in keys and not answer.document.truncated:
        answer.say("no dscp_prio", answer.document.first_line)


def _as_text(value: Any) -> str:
    """A JSON value in the words of the text form."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        if value and all(isinstance(v, list) for v in value):
            # pairs; since iproute2 6.5 a third, blank element follows (commit a245bfe1)
            return " ".join(":".join(str(x) for x in v if x != " ") for v in value)
        return " ".join(f"{i}:{_as_text(v)}" for i, v in enumerate(value))
    return str(value)


def _indexed(text: str, count: int = 8) -> list[str]:
    """The values of `0:a 1:b ...`, all of them and in order; raises ValueError."""
    words = text.split(" ")
    if len(words) != count:
        raise ValueError(text)
    values = []
    for index, word in enumerate(words):
        number, colon, value = word.partition(":")
        if not colon or number != str(index):
            raise ValueError(text)
        values.append(value)
    return values


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for word in text.split(" "):
        left, colon, right = word.partition(":")
        if not colon:
            raise ValueError(text)
        yield left, right


def _each(read: Callable[[str], Any], *paths: Path) -> Callable[[NicSettings, str, At], None]:
    """A reader of `0:a 1:b ...`: what each value means is set at all paths, with the value's number for `*`."""

    def claim(nic: NicSettings, text: str, at: At) -> None:
        for number, value in enumerate([read(v) for v in _indexed(text)]):
            for path in paths:
                nic.set(path.replace("*", str(number)) if isinstance(path, str) else path[number], value, at)

    return claim


def _priority(text: str) -> int:
    return whole(text, 0, 7)


def _prio_pfc(nic: NicSettings, text: str, at: At) -> None:
    enabled = [one_of(value, _ON_OFF) for value in _indexed(text)]
    nic.set("pfc.priorities", frozenset(i for i, on in enumerate(enabled) if on), at)


def _pfc_first(nic: NicSettings, text: str, at: At) -> None:
    """`pfc-cap 8 macsec-bypass off delay 7` of the text form; JSON has one statement a key."""
    found = matched(r"([0-9]{1,3})(?: macsec-bypass (?:on|off) delay ([0-9]{1,5}))?", text)
    if 0 < int(found.group(1)) <= _ALL:  # drivers that leave the field out show 0
        nic.set("pfc.most", int(found.group(1)), at)
    if found.group(2):
        nic.set(PFC_DELAY, int(found.group(2)), at)


def _nothing(pattern: str) -> Callable[[NicSettings, str, At], None]:
    def read(nic: NicSettings, text: str, at: At) -> None:
        matched(pattern, text)

    return read


PFC = Tool(
    name="dcb pfc",
    ethernet=True,
    split=_split,
    commands=_command("pfc"),
    signature=r'\A\s*(?:\{\s*"pfc_cap":|pfc-cap [0-9])',
    lines=(
        Line("prio_pfc", ("pfc.priorities",), _prio_pfc),
        Line("pfc_cap", ("pfc.most", PFC_DELAY), _pfc_first),
        sets("delay", PFC_DELAY, integer(0, 65535)),
        Line("macsec_bypass", (), _nothing("on|off")),
    ),
    covers=("pfc.priorities", "pfc.most", PFC_DELAY),
    ignored=r"(?:requests|indications) .*",
)


def _willing(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"(on|off)(?: ets-cap [0-9]{1,3} cbs (?:on|off))?", text)
    nic.set("dcbx.willing", _ON_OFF[found.group(1)], at)


ETS = Tool(
    name="dcb ets",
    ethernet=True,
    split=_split,
    commands=_command("ets"),
    signature=r'\A\s*(?:\{\s*"willing":|willing (?:on|off) ets-cap )',
    lines=(
        Line("willing", ("dcbx.willing",), _willing),
        Line(
            "tc_tsa",
            (SELECTION, "queues.*.scheduling", "queues.*.share", "queues.*.share_kind"),
            _each(lambda v: one_of(v, _TSA), SELECTION),
        ),
        Line("tc_bw", (BANDWIDTH, "queues.*.share"), _each(lambda v: whole(v, 0, 100), BANDWIDTH)),
        Line(
            "prio_tc",
            ("classes.*.queue", "priorities.*.queue"),
            _each(_priority, "classes.*.queue", "priorities.*.queue"),
        ),
    ),
    covers=("dcbx.willing", "queues.*.scheduling", "queues.*.share", "classes.*.queue", "priorities.*.queue"),
    ignored=r"(?:ets_cap|cbs|pg_bw|reco_tc_bw|reco_tc_tsa|reco_prio_tc|reco_willing)\b.*",
)


def _dscp(text: str) -> int:
    return DSCP_NAMES[text] if text in DSCP_NAMES else whole(text, 0, 63)


def _dscp_prio(nic: NicSettings, text: str, at: At) -> None:
    pairs = [(_dscp(code), whole(priority, 0, 7)) for code, priority in _pairs(text)] if text else []
    for code, priority in pairs:
        nic.set(PRIORITY_OF_DSCP[code], priority, at)
    nic.set(HAS_DSCP_ENTRIES, bool(pairs), at)


def _no_dscp(nic: NicSettings, text: str, at: At) -> None:
    one_of(text, {"": True})
    nic.set(HAS_DSCP_ENTRIES, False, at)


def _default_prio(nic: NicSettings, text: str, at: At) -> None:
    numbers = [whole(value.partition(":")[2] or value, 0, 7) for value in text.split()]
    if len(numbers) != 1:
        raise ValueError(text)
    nic.set(DEFAULT_PRIORITY, numbers[0], at)


def _port_prio(nic: NicSettings, text: str, at: At) -> None:
    """Entries by UDP port, and by port of either protocol: `4791:3`."""
    matched(r"(?:[^\s:]{1,20}:[0-9]\s?){0,600}", text)
    for port, priority in _pairs(text) if text else ():
        if port == str(ROCE_UDP_PORT):
            nic.set("dcbx.roce_priority", whole(priority, 0, 7), at)


_APP_PATHS = (DEFAULT_PRIORITY, HAS_DSCP_ENTRIES, "trust", "dscp", "pcp")

APP = Tool(
    name="dcb app",
    ethernet=True,
    split=_split,
    commands=_command("app"),
    signature=r'\A\s*(?:\{\s*"(?:ethtype_prio|default_prio|dscp_prio|dgram_port_prio)":|(?:ethtype|default|dscp)-prio )',
    lines=(
        Line("dscp_prio", (PRIORITY_OF_DSCP, *_APP_PATHS), _dscp_prio),
        Line("no dscp_prio", _APP_PATHS, _no_dscp),
        Line("default_prio", _APP_PATHS, _default_prio),
        *(
            Line(name, _APP_PATHS, _nothing(r"(?:[^\s:]{1,20}:[0-9]\s?){0,600}"))
            for name in ("ethtype_prio", "stream_port_prio", "pcp_prio")
        ),
        *(Line(name, ("dcbx.roce_priority", *_APP_PATHS), _port_prio) for name in ("dgram_port_prio", "port_prio")),
    ),
    covers=("dscp", "pcp", "trust", "dcbx.roce_priority"),
)

_UNITS = {"b": 1, "Kb": 1024, "Mb": 1024 * 1024, "": 1}


def _bytes(text: str) -> int:
    found = matched(r"([0-9]{1,10})(b|Kb|Mb|)", text)
    return int(found.group(1)) * _UNITS[found.group(2)]


BUFFER = Tool(
    name="dcb buffer",
    ethernet=True,
    split=_split,
    commands=_command("buffer"),
    signature=r'\A\s*(?:\{\s*"prio_buffer":|prio-buffer 0:)',
    lines=(
        Line(
            "prio_buffer",
            ("classes.*.group", "priorities.*.group", "groups.*.lossless"),
            _each(_priority, "classes.*.group", "priorities.*.group"),
        ),
        Line("buffer_size", ("groups.*.reserved_bytes",), _each(_bytes, "groups.*.reserved_bytes")),
    ),
    covers=("classes.*.group", "priorities.*.group", "groups.*.reserved_bytes", "groups.*.lossless"),
    ignored=r"total_size [0-9]+[KM]?b?",
)

_BIT_UNITS: Mapping[str, int] = {"bit": 1, "Kbit": 1000, "Mbit": 10**6, "Gbit": 10**9, "Tbit": 10**12}


def _maxrate(nic: NicSettings, text: str, at: At) -> None:
    """Whole numbers as JSON prints them. The text form shows eight times that in bit/s, right or wrong alike."""
    raw = []
    for value in _indexed(text):
        found = matched(r"([0-9]{1,15})(bit|Kbit|Mbit|Gbit|Tbit|)", value)
        number, unit = int(found.group(1)), found.group(2)
        raw.append(number * _BIT_UNITS[unit] // 8 if unit else number)
    for number, rate in enumerate(raw):
        nic.set(RATE_LIMIT[number], rate, at)


MAXRATE = Tool(
    name="dcb maxrate",
    ethernet=True,
    split=_split,
    commands=_command("maxrate"),
    signature=r'\A\s*(?:\{\s*"tc_maxrate":|tc-maxrate 0:)',
    lines=(Line("tc_maxrate", (RATE_LIMIT, "queues.*.max_rate_bps"), _maxrate),),
    covers=("queues.*.max_rate_bps",),
)


def _split_dcbx(answer: Answer) -> None:
    """One statement of all flags: `host ieee`."""
    if not answer.document.text.lstrip().startswith("{"):
        for number, line in answer.lines():
            answer.say("flags " + line.strip().replace("-", "_"), number)
        return
    found = answer.json()
    if found is not None and isinstance(found.value, dict):
        flags = " ".join(sorted(key for key, on in found.value.items() if on is True))
        first = found.line_of((next(iter(found.value)),)) if found.value else answer.document.first_line
        answer.say(f"flags {flags}".rstrip(), first)


_FLAGS = frozenset({"host", "lld_managed", "cee", "ieee", "static"})


def _owner(text: str) -> str:
    flags = set(text.split())
    if flags - _FLAGS:
        raise ValueError(text)
    return "os" if "host" in flags else "firmware"


DCBX = Tool(
    name="dcb dcbx",
    split=_split_dcbx,
    commands=_command("dcbx"),
    signature=r'\A\s*(?:\{\s*"(?:host|lld_managed|cee|ieee|static)": *(?:true|false)|(?:host|lld-managed) (?:ieee|cee))',
    lines=(sets("flags", "dcbx.owner", _owner),),
    covers=("dcbx.owner",),
)


def _version(answer: Answer) -> None:
    for number, line in answer.lines():
        if "dcb utility" not in line:
            continue
        found = re.fullmatch(
            r"(?:dcb: )?dcb utility, iproute2-(?:ss)?([0-9]{1,2})\.([0-9]{1,3})(?:\.[0-9]{1,4})?(?:, libbpf [0-9.]{1,12})?",
            line,
        )
        answer.say(f"version {found.group(1)}.{found.group(2)}" if found else f"version {line}", number, HOST)


def _release(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return whole(major, 0, 99), whole(minor, 0, 999)


VERSION = Tool(
    name="dcb version",
    split=_version,
    commands=r"pkgver|dcb -V(?:ersion)?",
    lines=(sets("version", IPROUTE2, _release),),
)

TOOLS = (PFC, ETS, APP, BUFFER, MAXRATE, DCBX, VERSION)
