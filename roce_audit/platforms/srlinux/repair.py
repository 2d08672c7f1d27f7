"""How SR Linux writes a change: `set /` and `delete /` in a candidate (Nokia SR Linux Configuration Basics, CLI).

Flat lines, the blocks of `info` and JSON are changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from roce_audit.platforms.shared.json_lines import JsonPaths
from roce_audit.platforms.shared.path.repair import PathRepairs, Value
from roce_audit.platforms.shared.path.texts import FlatForm, FlatText, PathText, Said
from roce_audit.platforms.shared.path.trees import TreeForm, TreeText, is_one_a_line
from roce_audit.platforms.srlinux.lines import expanded, of_json, tree_of
from roce_audit.platforms.srlinux.paths import header, takes_value
from roce_audit.platforms.srlinux.table import DEVICE_WIDE, TABLE
from roce_audit.text.statements.leads import WILD
from roce_audit.text.structured.braces import quoted
from roce_audit.text.structured.jsontext import JsonError
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.text.structured.nodes import Words

_FLAT = re.compile(r"^[ \t]*(?:--\{.{0,200}\}--\S{0,80} )?(set|delete) / ?(\S.*)$")
_NAMING = frozenset({"host-name", "description", "address", "vlan-id"})


@lru_cache(65_536)
def _flat(line: str) -> tuple[int, Words, bool] | None:
    found = _FLAT.match(line)
    said = tree_of(found[2]).root.below if found is not None else ()
    return (found.start(1), said[0].words, found[1] == "delete") if found is not None and len(said) == 1 else None


@lru_cache(32_768)
def _split(words: Words) -> list[Words]:
    """A path as its nodes: a list's name stands with its key, a leaf's with its value."""
    place = header(words)
    if place is None:
        return []
    named = place.mode not in DEVICE_WIDE
    found: list[Words] = [(word,) for word in words[: place.length - named]]
    if named:
        found[-1] = (*found[-1], place.name)
    node = TABLE.modes[place.mode].leads
    for at in range(place.length, len(words)):
        word = words[at]
        if word in node.below:
            node = node.below[word]
            if takes_value(node) or node.never:
                return [*found, words[at:]]
            found.append((word,))
        elif WILD in node.below and found:
            node = node.below[WILD]
            found[-1] = (*found[-1], word)
        else:
            return []
    return found


@lru_cache(32_768)
def _setting(words: Words) -> Words:
    """Without the value of a leaf; lists' entries and containers stay whole."""
    pieces, place = _split(words), header(words)
    if not pieces or place is None:
        return words[:-1]
    node = TABLE.modes[place.mode].leads
    for word in words[place.length :]:
        node = node.below.get(word) or node.below[WILD]
        if takes_value(node) or node.never:
            return (*words[: len(words) - len(pieces[-1])], pieces[-1][0])
    return words


@lru_cache(32_768)
def _ports(words: Words) -> Sequence[str]:
    place = header(words)
    if place is None or place.mode not in ("interface", "attachment", "lldp"):
        return ()
    return tuple(each[0].partition(".")[0] for each in expanded((place.name,)))


def _renamed(words: Words, similar: str, port: str) -> Words:
    at = 1 if words[0] == "interface" else 3
    return tuple(
        port + word[len(word.partition(".")[0]) :] if n == at or word.partition(".")[0] == similar else word
        for n, word in enumerate(words)
    )


def _said_of(words: Words, other: Words) -> Words | None:
    mine, theirs = header(words), header(other)
    if mine is None or theirs is None or mine.mode != theirs.mode:
        return None
    return (*other[: mine.length], *words[mine.length :])


def _written(words: Words) -> str:
    return " ".join(map(quoted, words))


_FORM = TreeForm(
    leaf=_written,
    opens=lambda words: f"{_written(words)} {{",
    split=_split,
    closes="}",
)


def _set(words: Words) -> str:
    return f"set / {_written(words)}"


def _delete(words: Words) -> str:
    return f"delete / {_written(_setting(words))}"


def _text(path: str, lines: Sequence[str]) -> PathText | None:
    if lines and lines[0].lstrip()[:1] in ("{", "["):
        try:
            json = parse_json("\n".join(lines))
        except JsonError:
            return None
        return JsonPaths(path, lines, [Said(line.words, line.lines[-1]) for line in of_json(json)])
    if any(_FLAT.match(line) for line in lines):
        return FlatText(path, lines, FlatForm(_flat, _set, _delete))
    found = tree_of("\n".join(lines))
    whole = found.root.below and not found.damage and is_one_a_line(found.root, closes=True)
    return TreeText(path, lines, found.root, _FORM) if whole else None


REPAIRS = PathRepairs(
    text=_text,
    ports=_ports,
    renamed=_renamed,
    said_of=_said_of,
    of_port=lambda port, words: ("interface", port, *words),
    setting=_setting,
    set=_set,
    unset=_delete,
    values={
        "port.ip_mtu_bytes": Value(("ip-mtu",)),
        "hop.queue.share": Value(("weight",)),
        "hop.queue.ecn.max_probability_percent": Value(("max-drop-probability-percent",)),
        "port.pfc.watchdog.on": Value(("deadlock", "enable"), lambda value: "true" if value else "false"),
    },
    names=lambda words: not _NAMING.isdisjoint(words),
    before=("enter candidate",),
    after=("commit save",),
)
