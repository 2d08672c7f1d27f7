"""Answers about texts, kept while a process lives: the files of a fleet repeat, and an audit asks of each more than once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import TypeVar

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


class Memory(dict[K, V]):
    """Answers by question, for as long as there is room: a full memory is emptied, and what is asked again is worked out again."""

    def keep(self, key: K, value: V) -> V:
        """Remember the value, and give it back."""
        if len(self) >= ROOM:
            self.clear()
        self[key] = value
        return value


def sized(size: Callable[[Q], int]) -> Callable[[Callable[[Q], R]], Callable[[Q], R]]:
    """The same function of one question, remembering the latest answers: as many as fit by the characters of their questions."""

    def decorated(function: Callable[[Q], R]) -> Callable[[Q], R]:
        kept: OrderedDict[Q, R] = OrderedDict()
        held = 0
        lock = Lock()  # devices are collected by several threads

        @wraps(function)
        def ask(question: Q) -> R:
            nonlocal held
            with lock:
                if question in kept:
                    kept.move_to_end(question)
                    return kept[question]
            answer = function(question)
            length = size(question)
            with lock:
                if length <= LONGEST and question not in kept:
                    kept[question] = answer
                    held += length
                while held > IN_ALL:
                    held -= size(kept.popitem(last=False)[0])
            return answer

        return ask

    return decorated


def of_text(function: Callable[[T], R]) -> Callable[[T], R]:
    """The same for a function of one text."""
    remembering: Callable[[Callable[[T], R]], Callable[[T], R]] = sized(len)
    return remembering(function)
