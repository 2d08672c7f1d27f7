"""Which platform speaks: all are asked, the surest wins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from operator import attrgetter

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
_FEW = 16
"""Documents of one device up to which a choice is remembered; answers of more are remembered one by one."""
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


def may_be_of(platform: str, document: Document) -> bool:
    """Whether a document is of a platform by itself, or is named after a command: a folder of answers may hold other files."""
    return document.command is not None or platforms.platform(platform).recognise(document) >= ENOUGH


def of_another(platform: str, documents: tuple[Document, ...]) -> str:
    """The platform that documents surely are of, where nothing in them looks like `platform`; empty for all others."""
    if any(platforms.platform(platform).recognise(document) >= ENOUGH for document in documents):
        return ""
    found = choose(documents).platform
    is_sure = found and any(platforms.platform(found).recognise(document) >= LIKELY for document in documents)
    return found if is_sure else ""


def is_of_switch(path: str, text: str) -> bool:
    """Whether a text as it stands is a configuration of a switch; what is found out is remembered for who reads it next."""
    name = choose((Document(path, text),)).platform if text.strip() else ""
    return bool(name) and platforms.platform(name).kind == "switch"


def is_typed_at_switch(document: Document) -> bool:
    """Whether a script lists commands for the shell of a switch: one that makes up its commands as it runs only where it is followed."""
    switches = (one for one in platforms.every() if one.kind == "switch")
    is_program = _PROGRAM.search(document.text) is not None
    shells = [one for one in switches if one.live is not None and one.live.access == "shell"]
    return any(one.recognise(document) >= ENOUGH for one in shells if one.follows_scripts or not is_program)


_NUMBERS = count()


class _Answer:
    """What was found out about a document: how surely it is whose, as far as it was asked, and who names himself in it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._scores: dict[str, int] = {}
        self.release = foreign.release_of(document.text)
        self.command = document.command
        self.length = len(document.text)
        self.number = next(_NUMBERS)
        """Answers that were met sooner have a smaller one."""
        self.best: dict[str, int] = {}
        """How surely it is that of the one, of several platforms by their names, which recognises it best."""

    def is_certain_at_once(self, one: Platform) -> bool:
        """Whether its first lines, where a system names itself, are certainly the platform's."""
        return one.is_certain(_head(self._document))

    def is_certain(self, one: Platform) -> bool:
        """Whether it is certainly the platform's."""
        return one.is_certain(self._document)

    def best_of(self, names: str) -> int:
        """How surely it is that of the one of these platforms which recognises it best."""
        asked = (platforms.platform(name) for name in names.split() if _may_print(name, self.command))
        found = self.best[names] = max([_counted(self.score(one)) for one in asked], default=0)
        return found

    def score(self, one: Platform) -> int:
        """How surely it is the platform's."""
        found = _by_command(one.name, self.command)
        if found is None:
            found = self._scores.get(one.name)
        if found is None:
            found = self._scores[one.name] = one.recognise(self._document)
        return found


_LENGTH, _NUMBER, _RELEASE = map(attrgetter, ("length", "number", "release"))


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

    def __init__(self, one: Platform, shortest_first: Sequence[_Answer]) -> None:
        self.name = one.name
        self._one = one
        self._left = [answer for answer in reversed(shortest_first) if _may_print(one.name, answer.command)]
        self._found = 0

    def total(self, least: int) -> int:
        """The sum over all documents; 0 where it cannot come to `least`, which may be clear before all were looked at."""
        while self._left:
            if self._found + _MOST * len(self._left) < least:
                return 0
            self._found += _counted(self._left.pop().score(self._one))
        return self._found


def _counted(score: int) -> int:
    return score if score >= ENOUGH else 0


@lru_cache(maxsize=65_536)
def _may_print(name: str, command: str | None) -> bool:
    """Whether this platform may print an answer of this command."""
    return platforms.platform(name).may_print(command)


@lru_cache(maxsize=256)
def _certain_of_all(some: tuple[Platform, ...], commands: tuple[str | None, ...]) -> tuple[Platform, ...]:
    """Which of these platforms may be certain of the answers of all these commands."""
    return tuple(one for one in some if commands and all(map(one.may_be_certain, commands)))


@lru_cache(maxsize=256)
def _total_by_commands(name: str, commands: tuple[str | None, ...]) -> int | None:
    """How surely answers of these commands are a platform's, all together; None where that follows from their texts."""
    scores = [_by_command(name, command) for command in commands]
    return None if None in scores else sum(_counted(score) for score in scores if score is not None)


def _may_be_switch(answers: Sequence[_Answer], switches: Sequence[Platform], least: int) -> bool:
    """Whether a switch may come to `least`: not where the best of all of them, taken answer by answer, does not.

    What another device answered as well is asked first: it is remembered for the next one.
    """
    names = " ".join([one.name for one in switches])
    unasked = [answer for answer in answers if names not in answer.best]
    found, most = sum([answer.best.get(names, 0) for answer in answers]), _MOST * len(unasked)
    for answer in sorted(unasked, key=_NUMBER):
        if found + most < least:
            return False
        found += answer.best_of(names)
        most -= _MOST
    return found >= least


def choose(documents: tuple[Document, ...]) -> Choice:
    """The platform that recognises these documents of one device best."""
    return remembered(documents) if len(documents) <= _FEW else _choice(documents)


@lru_cache(maxsize=8)
def remembered(documents: tuple[Document, ...]) -> Choice:
    """The same of few documents, which are asked about more than once."""
    return _choice(documents)


def _choice(documents: tuple[Document, ...]) -> Choice:
    answers = list(map(_answer, documents))
    if any(map(_RELEASE, answers)):
        return Choice("")
    shortest_first = sorted(answers, key=_LENGTH)
    commands = tuple([answer.command for answer in answers])
    switches, hosts = ([one for one in platforms.every() if one.kind == kind] for kind in ("switch", "host"))
    of_all = _certain_of_all(tuple(switches), commands)
    for is_certain in (_Answer.is_certain_at_once, _Answer.is_certain):
        for one in of_all:
            if all(is_certain(answer, one) for answer in shortest_first):
                return Choice(one.name)
    # switches first: what they recognise is settled without a look at the tools of hosts
    likely = LIKELY * max(1, len(documents))
    may_be_switch = _may_be_switch(answers, switches, likely)
    scores = [_Score(one, shortest_first) for one in switches] if may_be_switch else []
    totals = {score.name: score.total(likely) for score in scores}
    if max(totals.values(), default=0) < likely:
        for one in hosts:
            total = _total_by_commands(one.name, commands)
            totals[one.name] = _Score(one, shortest_first).total(0) if total is None else total
            if totals[one.name] >= likely:
                break
        best = max(totals.values(), default=0)
        if not scores and best < likely:
            scores = [_Score(one, shortest_first) for one in switches]
        totals |= {score.name: score.total(best) for score in scores}
    return _settled({name: total for name, total in totals.items() if total})


def _settled(totals: Mapping[str, int]) -> Choice:
    """The platform with the most evidence; of several with as much, the first by name, and the choice says so."""
    best = max(totals.values(), default=0)
    winners = sorted(name for name, total in totals.items() if total == best)
    if len(winners) < 2:
        return Choice(next(iter(winners), ""))
    return Choice(winners[0], f"could be {' or '.join(winners)}: read as {winners[0]} (policy paths: can say it)")
