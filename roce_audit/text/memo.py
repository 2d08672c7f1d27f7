"""Answers about texts, kept while a process lives: the files of a fleet repeat, and an audit asks of each more than once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

LONGEST = 2_000_000
"""Texts above this many characters are not kept."""
IN_ALL = 20_000_000
"""Characters of the texts kept by one function, all together."""

ROOM = 50_000
"""Answers one memory holds: more than any device has, and few enough that a process of a thousand runs stays small."""

T = TypeVar("T", str, bytes)
Q = TypeVar("Q", bound=Hashable)
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")
_UNKNOWN: Any = object()


class Memory(dict[K, V]):
    """Answers by question, for as long as there is room: a full memory is emptied, and what is asked again is worked out again."""

    def keep(self, key: K, value: V) -> V:
        """Remember the value, and give it back."""
        if len(self) >= ROOM:
            self.clear()
        self[key] = value
        return value


def sized(size: Callable[[Q], int]) -> Callable[[Callable[[Q], R]], Callable[[Q], R]]:
    """The same function of one question, remembering the latest answers: as many as fit by the characters of their questions.

    Answers are held in two generations, the latest and those before them: what is asked again is among the latest, and where these
    are half of all that fits, they become those before. Threads that ask at once may both work an answer out.
    """

    def decorated(function: Callable[[Q], R]) -> Callable[[Q], R]:
        latest: dict[Q, R] = {}
        before: dict[Q, R] = {}
        held = 0

        @wraps(function)
        def ask(question: Q) -> R:
            nonlocal latest, before, held
            answer: R = latest.get(question, _UNKNOWN)
            if answer is not _UNKNOWN:
                return answer
            answer = before.get(question, _UNKNOWN)
            if answer is _UNKNOWN:
                answer = function(question)
            length = size(question)
            if length <= LONGEST:
                if held + length > IN_ALL // 2:
                    latest, before, held = {}, latest, 0
                latest[question] = answer
                held += length
            return answer

        return ask

    return decorated


def of_text(function: Callable[[T], R]) -> Callable[[T], R]:
    """The same for a function of one text."""
    remembering: Callable[[Callable[[T], R]], Callable[[T], R]] = sized(len)
    return remembering(function)
