"""What a shell script types at switches, over SSH (`ssh admin@leaf1 "nv set ..."`) or in loops of its own, as their configuration.

Loops and variables are followed, nothing is run. Switches that are told the same are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.shell.commands import commands
from roce_audit.platforms.shared.shell.script import Script, Step, words_of
from roce_audit.platforms.shared.shell.typed import ONE_OF_MANY
from roce_audit.records import dataclass
from roce_audit.sources.repository.ansible.switchtasks import MATTERS, TAKES_AWAY, statements_of
from roce_audit.sources.repository.ansible.tasksigns import shell_programs, typed_in_shell
from roce_audit.text.memo import of_text

_LIKELY = lazy(r"\bssh[ \t]|^[ \t]*(?:for|while)\b", re.M)
_SSH = frozenset({"ssh", "/usr/bin/ssh"})
_WITH_VALUE = frozenset("BbcDEeFIiJLlmOopQRSWw")
"""Letters of ssh's options that a value follows."""
_OPEN = lazy(r"\$[\w{(@*]|`")
_SHOWS = ("show ", "display ")
_LOOP = lazy(r"[ \t]{0,40}(?:for[ \t(]|while[ \t])[^\n]{0,400}$")
_KEYWORDS = ("for ", "while ", "done")
"""Begin what is left of a loop that could not be gone through."""
_FIRST_WORDS = 8
"""Programs that run another one (`sshpass -p ...`, `timeout 10`) stand before it with so many words at most."""
_MOST_LINES = 20_000
_MOST_TARGETS = 1_000
_MOST = 16
_ELSEWHERE = "a value in it is made elsewhere, and it is not judged"
_PERHAPS = "it stands under a condition, which is not known here: judged as if it holds"

_PERHAPS_AWAY = "it takes settings away under a condition, which is not known here: it is not judged"


@dataclass
class Sent:
    """What one switch is told: the statements, the line of the file of each, and (line, words) on what is left out."""

    statements: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    left_out: dict[tuple[int, str], None] = field(default_factory=dict)


@of_text
def sent(text: str) -> tuple[Sent, ...]:
    """What the script tells each switch; none is listed twice for being told the same."""
    by_target = _by_target(text)
    found = {tuple(one.statements): one for one in reversed(by_target.values()) if one.statements}
    return tuple(reversed(found.values()))[:_MOST]


def is_typed_elsewhere(text: str) -> bool:
    """Whether all that the script types at switches goes over SSH: it runs on none of them."""
    return "ssh" in text and bool(by_target := _by_target(text)) and "" not in by_target


@of_text
def _by_target(text: str) -> dict[str, Sent]:
    if _LIKELY.search(text) is None and typed_in_shell().search(text) is None:
        return {}
    written = text.split("\n")
    said = list(commands(written))
    data = {one.number for one in said if one.is_data}
    by_target: dict[str, Sent] = {}
    opened: tuple[str, ...] = ()
    held: list[Step] = []
    for step in Script(one_of_many=ONE_OF_MANY).follow(said):
        if step.number in data:
            held += [step] if opened else []
            continue
        _take_all(by_target, opened, held)
        opened, held = (), []
        for one in step.texts:
            target, told = _typed(one)
            if told:
                _take(by_target, target, told, step)
            elif target and "<<" in one:
                opened = (*opened, target)
    _take_all(by_target, opened, held)
    return by_target


def _typed(text: str) -> tuple[str, str]:
    """(switch, what is typed there); "" for the switch that the script runs on, and for what is nothing of that kind."""
    words = words_of(text)
    if words and (words[0] in shell_programs() or (words[0] == "sudo" and words[1:2] and words[1] in shell_programs())):
        return "", text
    at = next((number for number, word in enumerate(words[:_FIRST_WORDS]) if word in _SSH), None)
    if at is None:
        return "", ""
    at += 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at][-1] in _WITH_VALUE and len(words[at]) == 2 else 1
    if at >= len(words):
        return "", ""
    rest = words[at + 1 :]
    return words[at].rpartition("@")[2], "" if any(word.startswith("<<") for word in rest) else " ".join(rest)


def _take_all(by_target: dict[str, Sent], targets: Iterable[str], held: Sequence[Step]) -> None:
    """What stands in a here-document for these switches; one with loops is a script of its own."""
    lines = [step.texts[0] for step in held]
    steps: Iterable[Step] = held
    if any(map(_LOOP.match, lines)):
        inner = Script(one_of_many=ONE_OF_MANY).follow(commands(lines))
        steps = [replace(one, number=held[one.number].number, way=(*held[0].way, *one.way)) for one in inner]
        if any(one.startswith(_KEYWORDS) for step in steps for one in step.texts):
            steps = held
    for target in targets:
        for step in steps:
            for text in step.texts:
                _take(by_target, target, text, step)


def _take(by_target: dict[str, Sent], target: str, told: str, step: Step) -> None:
    if target not in by_target and len(by_target) >= _MOST_TARGETS:
        return
    into = by_target.setdefault(target, Sent())
    for number, statement in _pieces(told, step.number + 1):
        if len(into.statements) >= _MOST_LINES:
            return
        if ONE_OF_MANY in statement or _OPEN.search(statement) is not None:
            if MATTERS.search(statement) is not None:
                into.left_out[(number, _ELSEWHERE)] = None
            continue
        if step.way and MATTERS.search(statement) is not None:
            if TAKES_AWAY.match(statement) is not None:
                into.left_out[(number, _PERHAPS_AWAY)] = None
                continue
            into.left_out[(number, _PERHAPS)] = None
        into.statements.append(statement)
        into.lines.append(number)


def _pieces(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The statements of a text that is typed, each with its line; what only shows something is none."""
    for number, line in enumerate(text.split("\n"), start=first):
        yield from ((number, one) for one in statements_of(line) if not one.lstrip().startswith(_SHOWS))
