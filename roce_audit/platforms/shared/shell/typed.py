"""What a script types at another shell, command by command: its words, and why it may not run like that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.shell.commands import commands
from roce_audit.platforms.shared.shell.script import Script, words_of
from roce_audit.records import dataclass

ONE_OF_MANY = "\ue011"
"""Stands for one of those that a loop goes through and that are not written down."""
_OPEN = lazy(r"\$[\w{(@*]|`")
"""A value that is not known; a prompt is a sign and a blank."""
CONDITION = "it stands under a condition"
ELSEWHERE = "a value in it is made elsewhere"


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it is run: its words, the line of each, and why it may not run like that ("" where it does)."""

    words: tuple[str, ...]
    lines: tuple[int, ...]
    doubt: str = ""


def _counted_from_one(line: int) -> int:
    return line + 1


def typed(text: str, line_of: Callable[[int], int] = _counted_from_one) -> list[Typed]:
    """The commands of a script, in the order of its lines; those of loops once for each item. `line_of` tells the line of the file for one
    of the text, counted from 0.
    """
    written = text.split("\n")
    found = []
    for step in Script(one_of_many=ONE_OF_MANY).follow(commands(written)):
        for one in step.texts:
            words = words_of(one)
            doubt = CONDITION if step.way else ELSEWHERE if _OPEN.search(one) is not None else ""
            lines = [line_of(line) for line in _lines(words, written, step.number, step.until)]
            if words:
                found.append(Typed(tuple(words), tuple(lines), doubt))
    return found


def _lines(words: Sequence[str], written: Sequence[str], first: int, last: int) -> Iterator[int]:
    """The line of each word of a command that goes over several; a word that a variable holds stands where the one before it does."""
    at = first
    for word in words:
        at = next((line for line in range(at, last + 1) if word in written[line]), at)
        yield at
