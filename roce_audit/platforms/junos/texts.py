"""One document as statements: the blocks that `show configuration` prints, flat `set` lines, or both one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from roce_audit.records import dataclass
from roce_audit.text.comments import Comment
from roce_audit.text.document import Document
from roce_audit.text.statements.misspelling import with_verb_inside
from roce_audit.text.structured import braces
from roce_audit.text.structured.nodes import Words

PREFIXES = frozenset({"inactive:", "active:", "protect:", "unprotect:", "replace:", "delete:"})
"""Words before a statement that say how it is to be taken."""
ROOTS = frozenset(
    {
        "groups", "apply-groups", "apply-groups-except", "interfaces", "class-of-service", "chassis", "firewall",
        "protocols", "system", "vlans", "routing-instances", "forwarding-options", "switch-options",
    }
)  # fmt: skip
"""Statements at the root that we read."""
OTHER_ROOTS = frozenset(
    {
        "access", "accounting-options", "applications", "bridge-domains", "dynamic-profiles", "event-options", "fabric",
        "logical-systems", "multi-chassis", "policy-options", "poe", "routing-options", "security",
        "services", "snmp", "tenants", "version", "virtual-chassis", "ethernet-switching-options",
        "access-profile", "diameter", "jsrc", "session-limit-group", "unified-edge", "wlan", "smtp", "schedulers",
    }
)  # fmt: skip
OTHER_PROTOCOLS = frozenset({"ldp"})
"""Protocols whose names are one letter away from those that we read."""
_FLAT = re.compile(
    r"^[ \t]*(?:\S{1,80}@\S{1,80}# )?(set|delete|activate|deactivate|protect|unprotect|annotate|edit|top|up|exit|insert|rename"
    r"|replace|copy)(?=[ \t]|$)"
)
SHOWN = re.compile(
    r"^(?:\{(?:master|backup|primary|secondary|linecard|line-card)[^{}\n]{0,40}\}|\[edit[^\]\n]{0,300}\]"
    r"|(?!\S{0,80}@\S{1,80}# (?:set|delete|deactivate|activate|edit|top|up|exit) )\S{1,80}@[\w.:-]{1,80}[>#%](?: .*)?"
    r"|!.*|#RANCID-CONTENT-TYPE.*)$",
    re.M,
)
"""Lines that a terminal or an archive shows between the answers."""
_SECTION = re.compile(r"show configuration ((?:[\w*:/.-]{1,80} ?){1,8})(?: ?\||\Z)")
"""The answer is what stands below these words, without them."""
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|/\*[^\n]{0,300}?\*/|#[^\n]*')


@dataclass(frozen=True, slots=True)
class Line:
    """One statement as words from the root, with the line of each. `verb` is what is done with it."""

    words: Words
    lines: tuple[int, ...]
    verb: str = "set"
    is_block: bool = False
    """Only the head of a block."""


@dataclass
class Text:
    """A document read: its statements, and the line at which it is damaged (0: nowhere)."""

    lines: list[Line]
    damage: int = 0
    wrong: str = ""
    is_blocks: bool = True
    """Nothing in it is a line to be typed."""
    comments: tuple[Comment, ...] = ()
    """Those of a form that binds each to its statement itself."""


def of_document(document: Document) -> Text:
    """All statements of a document."""
    text = SHOWN.sub("", document.text)
    found = Text([])
    context: list[Words] = [()]
    runs = list(_runs(text))
    is_typed = any(is_flat for *_, is_flat in runs)
    for first, chunk, is_flat in runs:
        number = document.line(first)
        if is_flat:
            found.is_blocks = False
            _flat(chunk, number, context, found)
        else:
            read = braces.read(chunk, first_line=number, ends="semicolon", prefixes=PREFIXES)
            lines = list(_blocks(read))
            lines = _below(document.command or "", lines)
            found.lines.extend(map(_mistyped, lines) if is_typed else lines)
            if read.damage and not found.damage:
                found.damage, found.wrong = read.damage, read.wrong
    return found


def _below(command: str, lines: list[Line]) -> list[Line]:
    """The statements of an answer that shows a part of the configuration, from the root."""
    asked = _SECTION.match(command)
    around = tuple(map(bare, asked[1].split())) if asked is not None else ()
    if not around or any(line.words[0] == around[0] for line in lines):
        return lines
    return [
        replace(one, words=(*around, *one.words), lines=(*(one.lines[0],) * len(around), *one.lines)) for one in lines
    ]


def _runs(text: str) -> Iterator[tuple[int, str, bool]]:
    """(offset of its first line, text, whether it is one flat line) of each run of blocks and each flat line."""
    lines = text.split("\n")
    if not any(_FLAT.match(line) for line in lines):
        yield 0, text, False
        return
    depth, start, in_note = 0, 0, False
    for number, line in enumerate(lines):
        if depth <= 0 and not in_note and _FLAT.match(line):
            if any(each.strip() for each in lines[start:number]):
                yield start, "\n".join(lines[start:number]), False
            yield number, line, True
            start, depth = number + 1, 0
            continue
        bare = _QUOTED.sub("", line)
        in_note = (in_note or "/*" in bare) and "*/" not in bare
        depth += 0 if in_note else bare.count("{") - bare.count("}")
    if any(each.strip() for each in lines[start:]):
        yield start, "\n".join(lines[start:]), False


def _mistyped(line: Line) -> Line:
    """Between lines that are typed, one whose verb is none that we know (`ste class-of-service ...`) is about what follows."""
    if line.is_block or len(line.words) < 3 or line.words[1] not in ROOTS or line.words[0] in ROOTS:
        return line
    verb, *words = line.words
    return replace(line, words=tuple(with_verb_inside(verb, words)))


def _flat(line: str, number: int, context: list[Words], found: Text) -> None:
    """One line that is typed; `edit`, `up` and `top` say where the following ones stand."""
    begun = _FLAT.match(line)
    assert begun is not None  # the run was cut for it
    read = braces.read(line[begun.start(1) :], first_line=number)
    nodes = list(read.root.below)
    if read.damage or len(nodes) != 1 or nodes[0].is_block:
        found.damage, found.wrong = found.damage or number, found.wrong or "a line that is no statement"
        return
    verb, *rest = nodes[0].words
    words = tuple(map(bare, rest))
    match verb:
        case "edit":
            context.append((*context[-1], *words))
        case "top":
            context[:] = [()]
            if words[:1] == ("edit",):
                context.append(words[1:])
        case "up" | "exit":
            if len(context) > 1:
                context.pop()
        case "set" | "delete" | "activate" | "deactivate" if words:
            full = _with_unit((*context[-1], *words))
            found.lines.append(Line(full, (number,) * len(full), verb))
        case _:
            pass


def _with_unit(words: Words) -> Words:
    """`interfaces ge-0/0/1.10` is typed for `interfaces ge-0/0/1 unit 10`."""
    at = 3 if words[0] == "groups" else 1
    if words[at - 1 : at] != ("interfaces",) or len(words) == at:
        return words
    port, _, unit = words[at].rpartition(".")
    return (*words[:at], port, "unit", unit, *words[at + 1 :]) if port and unit.isdecimal() else words


def _blocks(read: braces.Braces) -> Iterator[Line]:
    """The statements of blocks; `inactive:` stands for a `deactivate` of the whole statement."""
    inactive: list[Words] = []
    for full, node in read.root.walk():
        words = tuple(map(bare, full))
        lines = (*[node.line] * (len(full) - len(node.words)), *node.lines)[-len(full) :]
        if "delete:" in node.prefixes or "replace:" in node.prefixes:
            yield Line(words, lines, "delete")
        if "delete:" in node.prefixes:
            continue
        if words:
            yield Line(words, lines, is_block=node.is_block)
        if "inactive:" in node.prefixes:
            inactive.append(words)
            yield Line(words, lines, "deactivate")


def bare(word: str) -> str:
    """A word as it stands in a statement of ours: no blanks in it."""
    return "\u00a0".join(word.split()) or '""'
