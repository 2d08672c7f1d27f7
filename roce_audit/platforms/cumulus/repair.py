"""How Cumulus Linux writes a change: NVUE's `nv set` and `nv unset` (Cumulus Linux User Guide, NVUE command reference).

Lists of these commands and the tree in YAML are changed. The files of older releases and the tree in JSON are only read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from roce_audit.platforms.cumulus.parsing import parse
from roce_audit.platforms.cumulus.statements import spread
from roce_audit.platforms.cumulus.values import interfaces
from roce_audit.platforms.cumulus.vocabulary import PROFILED, UNNAMED
from roce_audit.platforms.pathrepair import PathRepairs
from roce_audit.platforms.pathtexts import FlatForm, FlatText, PathText, Words
from roce_audit.platforms.pathtrees import TreeForm, TreeText, yaml_block

_COMMAND = re.compile(r"^([ \t]*(?:[\w.-]{1,64}@[^\s#$]{1,100}[#$] ?)?(?:sudo )?)nv (set|unset)[ \t]+(\S.*)$")
_SET = re.compile(r"^-?\s*set\s*:\s*$")
_RELOADED = "Cumulus Linux User Guide, Quality of Service, switchd and QoS: applied by a reload of switchd, which does not impact forwarding unless buffers, pause or PFC change"
_FORWARDING_GOES_ON = frozenset({"mapping", "remark", "egress-queue-mapping", "egress-scheduler", "congestion-control"})
"""Branches of `qos` that touch neither buffers nor pause nor PFC."""


def _command(line: str) -> tuple[int, Words, bool] | None:
    found = _COMMAND.match(line)
    return None if found is None else (found.end(1), tuple(found[3].partition(" #")[0].split()), found[2] == "unset")


def _setting(words: Words) -> Words:
    """Without the value, as the words of `nv unset` go; what has none stays whole (`qos pfc P switch-priority 3`)."""
    kind, below = _kind(words)
    if kind is None or not below:
        return words
    said = parse(kind, next(spread(below)))
    if not said.unread and said.field and said.value is not None:
        return words[:-1]
    return words


def _kind(words: Words) -> tuple[str | None, Words]:
    match words:
        case ("interface", _, *rest):
            return "port", tuple(rest)
        case ("qos", kind, *rest) if kind in UNNAMED:
            return kind, tuple(rest)
        case ("qos", kind, _, *rest):
            return kind, tuple(rest)
    return None, ()


def _ports(words: Words) -> Sequence[str]:
    if words[:1] != ("interface",) or len(words) < 2:
        return ()
    try:
        return interfaces(words[1])
    except ValueError:
        return ()


def _binding(header: str) -> Words | None:
    found = _command(header)
    words = found[1] if found is not None else ()
    return ("qos", words[1], "profile", words[2]) if len(words) > 2 and words[1] in PROFILED else None


def _safe(words: Words) -> str:
    match words:
        case ("qos", kind, *_) | ("interface", _, "qos", kind, *_) if kind in _FORWARDING_GOES_ON:
            return _RELOADED
    return ""


def _text(path: str, lines: Sequence[str]) -> PathText | None:
    if any(_COMMAND.match(line) for line in lines):
        set_, unset = (lambda words, verb=verb: " ".join(("nv", verb, *words)) for verb in ("set", "unset"))
        return FlatText(path, lines, FlatForm(_command, set_, lambda words: unset(_setting(words))))
    first = next((n for n, line in enumerate(lines, 1) if _SET.match(line)), 0)
    last = next((n - 1 for n in range(first + 1, len(lines) + 1) if lines[n - 1][:1] not in ("", " ", "#")), len(lines))
    while last > first and not lines[last - 1].strip():
        last -= 1
    root = yaml_block(lines, first + 1, last) if first else None
    form = TreeForm(
        leaf=lambda words: f"{words[0]}: {words[1]}" if len(words) > 1 else f"{words[0]}: {{}}",
        opens=lambda words: f"{words[0]}:",
        split=lambda words: [*((word,) for word in words[:-2]), words[-2:]],
        step="  ",
    )
    return TreeText(path, lines, root, form) if root is not None else None


REPAIRS = PathRepairs(
    text=_text,
    ports=_ports,
    renamed=lambda words, twin, port: (words[0], port, *words[2:]),
    said_of=lambda words, other: (*other[:2], *words[2:]) if other[:1] == words[:1] == ("interface",) else None,
    of_port=lambda port, words: ("interface", port, *words),
    setting=_setting,
    set=lambda words: " ".join(("nv set", *words)),
    unset=lambda words: " ".join(("nv unset", *_setting(words))),
    values={
        "port.ip_mtu_bytes": lambda value: ("link", "mtu", str(value)),
        "port.cable_m": lambda value: ("cable-length", str(math.ceil(float(str(value))))),
        "port.trust": lambda value: ("trust", "l3"),
        "hop.queue.share": lambda value: ("bw-percent", str(value)),
        "hop.queue.ecn.enabled": lambda value: ("ecn", "enable"),
    },
    binding=_binding,
    safe=_safe,
    after=("nv config apply", "nv config save"),
)
