"""How Cumulus Linux writes a change: NVUE's `nv set` and `nv unset` (Cumulus Linux User Guide, NVUE command reference).

Lists of these commands and the tree (YAML, JSON) are changed. The files of older releases are only read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

from roce_audit.platforms.cumulus.nvue import BRANCHES, tree_lines, tree_of, what_is_set, word_of
from roce_audit.platforms.cumulus.statements import spread
from roce_audit.platforms.cumulus.table import PROFILED, TABLE, UNNAMED
from roce_audit.platforms.cumulus.values import interfaces
from roce_audit.platforms.shared.json_lines import JsonPaths
from roce_audit.platforms.shared.path.repair import PathRepairs, Value
from roce_audit.platforms.shared.path.texts import FlatForm, FlatText, PathText, Said
from roce_audit.platforms.shared.path.yaml_paths import YamlPaths, plain_block
from roce_audit.text.document import Document
from roce_audit.text.statements.rows import Leaf
from roce_audit.text.structured.jsontext import JsonText
from roce_audit.text.structured.nodes import Words
from roce_audit.text.structured.positions import PlacedError

_COMMAND = re.compile(r"^([ \t]*(?:[\w.-]{1,64}@[^\s#$]{1,100}[#$] ?|\$ )?(?:sudo )?)nv (set|unset)[ \t]+(\S.*)$")
_RELOADED = (
    "Cumulus Linux User Guide, Quality of Service, switchd and QoS: applied by a reload of switchd, which does not impact"
    " forwarding unless buffers, pause or PFC change"
)
_FORWARDING_GOES_ON = frozenset({"mapping", "remark", "egress-queue-mapping", "egress-scheduler", "congestion-control"})
"""Branches of `qos` that touch neither buffers nor pause nor PFC."""
_WITH_LISTS = frozenset({"pfc", "traffic-pool", "link-pause"})


@lru_cache(65_536)
def _command(line: str) -> tuple[int, Words, bool] | None:
    found = _COMMAND.match(line)
    return None if found is None else (found.end(1), tuple(found[3].partition(" #")[0].split()), found[2] == "unset")


@lru_cache(32_768)
def _setting(words: Words) -> Words:
    """Without the value, as the words of `nv unset` go; what has none stays whole (`qos pfc P switch-priority 3`)."""
    kind, below = _kind(words)
    if kind is None or not below:
        return words
    said = TABLE.parse(kind, next(spread(below))).value
    if (isinstance(said, Leaf) and said.value is not None) or _lists(words):
        return words[:-1]
    return words


def _lists(words: Words) -> bool:
    """`qos pfc P switch-priority 3` and the like: what is named is added to a list."""
    return len(words) > 4 and words[0] == "qos" and words[-2] == "switch-priority" and words[1] in _WITH_LISTS


def _set(words: Words) -> str:
    return " ".join(("nv set", *words))


def _unset(words: Words) -> str:
    return " ".join(("nv unset", *(words if _lists(words) else _setting(words))))


def _list(value: object) -> str:
    return ",".join(map(str, sorted(value))) if isinstance(value, frozenset) else str(value)


def _on(value: object) -> str:
    return "enable" if value else "disable"


def _mode(value: object) -> str:
    return "strict" if value == "strict" else "dwrr"


def _kind(words: Words) -> tuple[str | None, Words]:
    match words:
        case ("interface", _, *rest):
            return "port", tuple(rest)
        case ("qos", kind, *rest) if kind in UNNAMED:
            return kind, tuple(rest)
        case ("qos", kind, _, *rest):
            return kind, tuple(rest)
    return None, ()


@lru_cache(32_768)
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
        return FlatText(path, lines, FlatForm(_command, _set, _unset))
    document = Document(path, "\n".join(lines))
    try:
        tree = tree_of(document)
    except PlacedError:
        return None
    said = [Said(line.words, line.place.line) for line in tree_lines(document, tree) if not line.unset]
    if isinstance(tree, JsonText):
        return JsonPaths(path, lines, said)
    sets = what_is_set(tree.value)
    root = next((at for at, block, unset in sets if not unset and not block.keys().isdisjoint(BRANCHES)), None)
    if root is None:
        return None
    plain = plain_block(tree, root, lines, word_of)
    return YamlPaths(path, lines, said, root=root, word=word_of, names=_lists, plain=plain)


REPAIRS = PathRepairs(
    text=_text,
    ports=_ports,
    renamed=lambda words, similar, port: (words[0], port, *words[2:]),
    said_of=lambda words, other: (*other[:2], *words[2:]) if other[:1] == words[:1] == ("interface",) else None,
    of_port=lambda port, words: ("interface", port, *words),
    setting=_setting,
    set=_set,
    unset=_unset,
    values={
        "port.ip_mtu_bytes": Value(("link", "mtu"), own=True),
        "port.cable_m": Value(("cable-length",), lambda value: str(math.ceil(float(str(value))))),
        "port.trust": Value(("trust",), lambda value: "l3"),
        "port.pfc.priorities": (
            Value(("qos", "roce", "mode"), lambda value: "lossless"),
            Value(("qos", "roce", "enable"), lambda value: "on"),
            Value(("tx",), _on),
            Value(("rx",), _on),
            Value(("switch-priority",), _list),
        ),
        "port.pfc.watchdog.on": Value(("qos", "pfc-watchdog", "state"), _on, own=True),
        "hop.queue.share": Value(("bw-percent",)),
        "hop.queue.scheduling": Value(("mode",), _mode),
        "cnp_hop.queue.scheduling": Value(("mode",), _mode),
        "hop.queue.ecn.marks": Value(("ecn",), _on),
        "cnp_hop.queue.ecn.marks": Value(("ecn",), _on),
        "hop.queue.ecn.min_bytes": Value(("min-threshold",)),
        "hop.queue.ecn.max_bytes": Value(("max-threshold",)),
        "hop.queue.ecn.max_probability_percent": Value(("probability",)),
        "hop.traffic_class.new_dscp": Value(("dscp",)),
    },
    guards=lambda words: "acl" in words and "police" not in words,
    lists=_lists,
    sweeping=lambda words: words[:2] == ("qos", "roce"),
    binding=_binding,
    safe=_safe,
    after=("nv config apply", "nv config save"),
)
