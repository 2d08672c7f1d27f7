"""The `set` lines of PicOS, or its blocks, as stanzas: what is said of one port or profile stands together, wherever its lines are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from roce_audit.platforms.picos import blocks
from roce_audit.text.block import block
from roce_audit.text.outline import Outline, Outliner, Stanza
from roce_audit.text.statements.misspelling import with_verb_inside

_LINE = re.compile(r"[ \t]*(?:[\w.@-]{1,80}[#>] ?)?(set|delete|(?!show|run)[a-z]{2,10}(?= +class-of-service )) +(\S.*)")
_WORD = re.compile(r'"[^"\n]*"?|[^\s"]+')
_MODES = {
    "pfc-profile": "pfcprofile",
    "classifier": "classifier",
    "forwarding-class": "forwardingclass",
    "scheduler-profile": "schedulerprofile",
    "scheduler": "scheduler",
}
_COS = "class-of-service"


@dataclass
class _Gathered:
    """The lines about one thing."""

    line: int
    statements: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)


class PicosOutliner(Outliner):
    """Cuts PicOS texts."""

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; see Outliner."""
        things: dict[tuple[str, str], _Gathered] = {}
        top = _Gathered(first_line)
        for number, verb, words in _lines(text, first_line):
            mode, header, rest = about(words)
            thing = things.setdefault((mode, header), _Gathered(number)) if mode else top
            said = " ".join(rest)
            if verb == "delete":  # a whole port or profile that goes is named by its line
                said = f"delete {said or ' '.join(words)}"
            elif verb != "set" and rest:
                said = " ".join(with_verb_inside(verb, rest))
            if mode and said and self.table.is_label(mode, said):
                thing.labels.append(said)
            elif said and self.table.paths(mode or "top", said) is not None:
                thing.statements.append(said)
                thing.lines.append(number)
        stanzas = tuple(
            Stanza(
                mode,
                header,
                one.line,
                block(path, one.line, tuple(one.statements), tuple(one.lines)),
                tuple(one.labels),
            )
            for (mode, header), one in things.items()
        )
        return Outline(stanzas, block(path, first_line, tuple(top.statements), tuple(top.lines)), text.count("\n") + 1)


def _lines(text: str, first_line: int) -> Iterator[tuple[int, str, list[str]]]:
    """The line, the verb and the words behind it of each statement."""
    if blocks.is_blocks(text):
        for number, words, goes_on in blocks.lines_of(text, first_line):
            mode, _, rest = about(words)
            if not goes_on or (mode and not rest):  # the head of any other block is said with each line below it
                yield number, "set", words
        return
    for number, line in enumerate(text.split("\n"), first_line):
        found = _LINE.match(line)
        if found is not None:
            yield number, found[1], bare_words(found[2])


def bare_words(text: str) -> list[str]:
    """The words of a line, without their quotes."""
    return [_bare(word) for word in _WORD.findall(text)]


def _bare(word: str) -> str:
    """A word without its quotes; a text of several words keeps them."""
    inner = word.strip('"')
    return inner if inner and " " not in inner else word


def about(words: list[str]) -> tuple[str, str, list[str]]:
    """(mode, header, words behind it) of the port or profile that a line is about; no mode for one about the switch."""
    match words:
        case ["interface", "gigabit-ethernet" | "aggregate-ethernet", name, *rest]:
            return "port", f"interface {name}", rest
        case ["class-of-service", "interface", name, *rest]:
            return "port", f"interface {name}", [_COS, *rest] if rest else []
        case ["class-of-service", kind, name, *rest] if kind in _MODES:
            return _MODES[kind], f"{kind} {name}", rest
    return "", "", words
