"""Which platform speaks: all are asked, the surest wins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.records import dataclass
from roce_audit.sources import foreign
from roce_audit.text.document import Document
from roce_audit.text.memo import sized

ENOUGH = 20
"""Scores below this are no recognition."""
LIKELY = 60
"""A switch that is this sure is not taken for a host: the tools of hosts need not be loaded."""
_PROGRAM = lazy(r"^[ \t]*(?:for|while|until|if|case|select|function)\b|^[ \t]*\w{1,80} ?\(\)|<<|\$[({\w@]", re.M)
"""What a shell script has that does more than to list commands."""
_MOST = 100
_HEAD = 4_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The platform of a device; empty where none was sure enough. `note` says why the choice is doubtful."""

    platform: str
    note: str = ""


def looked_for() -> str:
    """The names of all platforms as one clause."""
    return ", ".join(platforms.names()) or "no platform at all"


def is_of_host(document: Document) -> bool:
    """Whether some platform of hosts recognises a document of which nothing else is known."""
    return any(one.kind == "host" and one.recognise(document) >= ENOUGH for one in platforms.every())


def is_typed_at_switch(document: Document) -> bool:
    """Whether a script is only a list of commands for the shell of a switch: no program that makes up its commands as it runs."""
    switches = (one for one in platforms.every() if one.kind == "switch")
    shells = (one for one in switches if one.live is not None and one.live.access == "shell")
    return _PROGRAM.search(document.text) is None and any(one.recognise(document) >= ENOUGH for one in shells)


class _Answer:
    """What was found out about a document: how surely it is whose, as far as it was asked, and who names himself in it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._head = _head(document)
        self._scores: dict[str, int] = {}
        self.release = foreign.release_of(document.text)
        self.command = document.command
        self.length = len(document.text)

    def is_certain_at_once(self, one: Platform) -> bool:
        """Whether its first lines, where a system names itself, are certainly the platform's."""
        return one.is_certain(self._head)

    def is_certain(self, one: Platform) -> bool:
        """Whether it is certainly the platform's."""
        return one.is_certain(self._document)

    def score(self, one: Platform) -> int:
        """How surely it is the platform's."""
        found = _by_command(one.name, self.command)
        if found is None:
            found = self._scores.get(one.name)
        if found is None:
            found = self._scores[one.name] = one.recognise(self._document)
        return found


@lru_cache(maxsize=65_536)
def _by_command(name: str, command: str | None) -> int | None:
    """How surely any answer of a command is a platform's; None where that follows from its text."""
    return platforms.platform(name).recognise_command(command)


def _head(document: Document) -> Document:
    text = document.text
    return document if len(text) <= _HEAD else Document("", text[: text.rfind("\n", 0, _HEAD) + 1], document.command)


def _answer(document: Document) -> _Answer:
    """The same of answers that are alike, wherever they stand: they repeat from host to host."""
    return _Answer(document) if document.command is None else _alike((document.command, document.text))


def _characters(asked: tuple[str, str]) -> int:
    return len(asked[1])


@sized(_characters)
def _alike(asked: tuple[str, str]) -> _Answer:
    command, text = asked
    return _Answer(Document("", text, command))


class _Score:
    """How surely documents are a platform's, all together; the shortest are looked at first."""

    def __init__(self, one: Platform, shortest_first: Sequence[_Answer], commands: Set[str | None]) -> None:
        """`commands` are those of the documents whose answers may be the platform's."""
        self.name = one.name
        self._one = one
        self._left = [answer for answer in reversed(shortest_first) if answer.command in commands] if commands else []
        self._found = 0

    def total(self, least: int) -> int:
        """The sum over all documents; 0 where it cannot come to `least`, which may be clear before all were looked at."""
        while self._left:
            if self._found + _MOST * len(self._left) < least:
                return 0
            score = self._left.pop().score(self._one)
            self._found += score if score >= ENOUGH else 0
        return self._found


def _printed(names: Sequence[str], given: Set[str | None]) -> Mapping[str, Set[str | None]]:
    """Each of these platforms -> the commands of these whose answers may be its texts."""
    found: dict[str, set[str | None]] = {name: set() for name in names}
    for command in given:
        for name in _printers(tuple(names), command):
            found[name].add(command)
    return found


@lru_cache(maxsize=16_384)
def _printers(names: tuple[str, ...], command: str | None) -> tuple[str, ...]:
    return tuple(name for name in names if platforms.platform(name).may_print(command))


@lru_cache(maxsize=8)
def choose(documents: tuple[Document, ...]) -> Choice:
    """The platform that recognises these documents of one device best."""
    answers = list(map(_answer, documents))
    if any(answer.release for answer in answers):
        return Choice("")
    shortest_first = sorted(answers, key=lambda answer: answer.length)
    switches, hosts = ([one for one in platforms.every() if one.kind == kind] for kind in ("switch", "host"))
    for is_certain in (_Answer.is_certain_at_once, _Answer.is_certain):
        for one in switches:
            if documents and all(is_certain(answer, one) for answer in shortest_first):
                return Choice(one.name)
    # switches first: what they recognise is settled without a look at the tools of hosts
    likely = LIKELY * max(1, len(documents))
    given = {document.command for document in documents}
    printed = _printed([one.name for one in switches], given)
    scores = [_Score(one, shortest_first, printed[one.name]) for one in switches]
    totals = {score.name: score.total(likely) for score in scores}
    if max(totals.values(), default=0) < likely:
        printed = _printed([one.name for one in hosts], given)
        for one in hosts:
            totals[one.name] = _Score(one, shortest_first, printed[one.name]).total(0)
            if totals[one.name] >= likely:
                break
        best = max(totals.values(), default=0)
        totals |= {score.name: score.total(best) for score in scores}
    return _settled({name: total for name, total in totals.items() if total})


def _settled(totals: Mapping[str, int]) -> Choice:
    """The platform with the most evidence; of several with as much, the first by name, and the choice says so."""
    best = max(totals.values(), default=0)
    winners = sorted(name for name, total in totals.items() if total == best)
    if len(winners) < 2:
        return Choice(next(iter(winners), ""))
    return Choice(winners[0], f"could be {' or '.join(winners)}: read as {winners[0]} (policy paths: can say it)")
