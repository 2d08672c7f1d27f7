"""How Junos writes a change: `set` and `delete` in configuration mode (Juniper CLI User Guide, modify the configuration).

Flat lines and the blocks of `show configuration` are changed. What groups, ranges and wildcards bring is changed where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from roce_audit.platforms.junos.names import PHYSICAL
from roce_audit.platforms.junos.paths import header, pieces
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.junos.texts import PREFIXES
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Change, Edit, Texts
from roce_audit.platforms.shared.path.repair import PathRepairs, Value
from roce_audit.platforms.shared.path.texts import FlatForm, FlatText, PathText
from roce_audit.platforms.shared.path.trees import TreeForm, TreeText, is_one_a_line
from roce_audit.text.statements.forms import Capture
from roce_audit.text.statements.rows import VALUE
from roce_audit.text.structured import braces
from roce_audit.text.structured.braces import quoted
from roce_audit.text.structured.nodes import Words

_FLAT = re.compile(r"^[ \t]*(set|delete) (\S.*)$")
_WORDS = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_NAMING = frozenset({"host-name", "description", "address", "vlan-id"})
_PORT_MODES = ("interface", "binding")
_KEYED = frozenset(
    {"unit", "family", "code-point", "buffer-partition", "forwarding-class-set", "pfc-account", "filter"}
)
_BLOCKS = _KEYED | {
    "classifiers", "rewrite-rules", "input", "output", "dscp", "ieee-802.1", "pfc-watchdog", "ingress", "egress",
    "shared-buffer", "forwarding-classes", "interpolate", "ether-options", "gigether-options", "configured-flow-control",
}  # fmt: skip
"""Words below a header that `show configuration` writes as blocks; those that are keyed stand with their key."""


@lru_cache(65_536)
def _flat(line: str) -> tuple[int, Words, bool] | None:
    found = _FLAT.match(line)
    if found is None:
        return None
    words = tuple(plain or inner for inner, plain in _WORDS.findall(found[2]))
    return found.start(1), words, found[1] == "delete"


@lru_cache(32_768)
def _setting(words: Words) -> Words:
    """Without the value of a leaf; what has none stays whole."""
    place = header(words)
    if place is None or len(words) <= place.length:
        return words
    split = pieces(place.mode, tuple(word.replace(" ", "\u00a0") for word in words[place.length :]))
    leaf = TABLE.parse(place.mode, " ".join(split[0][0])).value if len(split) == 1 else None
    row = next((row for row in TABLE.modes[place.mode].rows if leaf is not None and row.leaf == leaf.name), None)
    last = row.form[-1] if row is not None else None
    has_value = isinstance(last, Capture) and last.name == VALUE
    return words[:-1] if has_value else words


def _ports(words: Words) -> Sequence[str]:
    place = header(words)
    named = place is not None and place.mode in _PORT_MODES and PHYSICAL.match(place.name)
    return (place.name,) if named and place is not None else ()


def _renamed(words: Words, similar: str, port: str) -> Words:
    return tuple(port if word == similar else word for word in words)


def _said_of(words: Words, other: Words) -> Words | None:
    mine, theirs = header(words), header(other)
    if mine is None or theirs is None or mine.mode != theirs.mode:
        return None
    return (*other[: theirs.length], *words[mine.length :])


@lru_cache(32_768)
def _split(words: Words) -> Sequence[Words]:
    """A path as its blocks, and its leaf as one line."""
    place = header(words)
    if place is None:
        return []
    found: list[Words] = [(word,) for word in words[: place.length]]
    if place.name and words[place.length - 2] in ("dscp", "ieee-802.1", "filter"):
        found[-2:] = [words[place.length - 2 : place.length]]
    at = place.length
    while at < len(words) - 1 and words[at] in _BLOCKS:
        size = 2 if words[at] in _KEYED else 1
        if at + size >= len(words):
            break
        found.append(words[at : at + size])
        at += size
    return [*found, words[at:]] if at < len(words) else found


def _written(words: Words) -> str:
    return " ".join(map(quoted, words))


def _set(words: Words) -> str:
    return f"set {_written(words)}"


def _delete(words: Words) -> str:
    return f"delete {_written(_setting(words))}"


_FORM = TreeForm(
    leaf=lambda words: f"{_written(words)};",
    opens=lambda words: f"{_written(words)} {{",
    split=_split,
    closes="}",
)


def _text(path: str, lines: Sequence[str]) -> PathText | None:
    if any(_FLAT.match(line) for line in lines):
        return FlatText(path, lines, FlatForm(_flat, _set, _delete))
    if any(line.lstrip().startswith(("{", "<")) for line in lines[:1]):  # JSON or XML: a change is typed, not written
        return None
    found = braces.read("\n".join(lines), ends="semicolon", prefixes=PREFIXES)
    whole = found.root.below and not found.damage and is_one_a_line(found.root, closes=True)
    return TreeText(path, lines, found.root, _FORM) if whole else None


class _Repairs(PathRepairs):
    """What is deactivated is activated where it stands."""

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """The statement that applies a profile, made active again; `header` is what was deactivated."""
        path = port.header.path
        lines = texts.get(path, ())
        found = next((n for n, line in enumerate(lines) if line.strip() == f"deactivate {header}"), None)
        if found is not None:
            edit = Edit(path, found + 1, lines[found], lines[found].replace("deactivate ", "activate ", 1))
        elif (block := _deactivated(lines, header)) is not None:
            edit = Edit(path, block, lines[block - 1], lines[block - 1].replace("inactive: ", "", 1))
        else:
            return []
        about = _written(_setting(tuple(header.split())))
        return [Change((edit,), (f"activate {about}",), (f"deactivate {about}",))]


def _deactivated(lines: Sequence[str], header: str) -> int | None:
    """The line of a block or statement that is `inactive:`."""
    if "inactive:" not in "".join(lines):
        return None
    blocks = braces.read("\n".join(lines), ends="semicolon", prefixes=PREFIXES).root.walk()
    return next(
        (node.line for words, node in blocks if "inactive:" in node.prefixes and " ".join(words) == header), None
    )


REPAIRS = _Repairs(
    text=_text,
    ports=_ports,
    renamed=_renamed,
    said_of=_said_of,
    of_port=lambda port, words: ("interfaces", port, *words),
    setting=_setting,
    set=_set,
    unset=_delete,
    values={
        "port.ip_mtu_bytes": Value(("family", "inet", "mtu")),
        "port.pfc.watchdog.on": Value(("pfc-watchdog",), lambda on: "", beside="input"),
        "port.cable_m": Value(("input", "cable-length")),
        "cnp_hop.queue.scheduling": Value(("priority",), lambda value: f"{value}-high", beside="transmit-rate"),
        "hop.queue.share": Value(("transmit-rate", "percent")),
        "hop.queue.ecn.marks": Value(("explicit-congestion-notification",), lambda on: "", beside="drop-profile-map"),
    },
    lists=lambda words: words[-2:-1] in (("code-points",), ("fill-level",), ("drop-probability",), ("members",)),
    guards=lambda words: "filter" in words and "policer" not in words,
    names=lambda words: not _NAMING.isdisjoint(words),
    before=("configure exclusive",),
    after=("commit and-quit",),
)
