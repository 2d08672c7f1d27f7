"""What reading a device gives: raw answers, and honestly how it ended."""

from __future__ import annotations

import re
from typing import Literal, get_args

from roce_audit.platforms.record import Live
from roce_audit.records import dataclass

Outcome = Literal["collected", "changed", "truncated", "refused", "timed out", "unreachable", "interrupted", "pending"]
"""`changed`: read to the end, but the configuration changed meanwhile. `pending`: its turn has not come."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
READ: frozenset[Outcome] = frozenset({"collected", "changed"})
AGAIN: frozenset[Outcome] = frozenset({"changed", "truncated", "timed out", "unreachable"})
"""Worth another try. A refused login is not: tries lock accounts."""
MAX_ANSWER_BYTES = 64 * 2**20

_REFUSAL = re.compile(
    rb"^[ \t]*+(?:%+\s?(?:[A-Z][a-z]|Error)|Error:|error:|\^$|syntax error|Unknown command|unknown command|Unrecognized"
    rb"|Invalid (?:input|command)|Permission denied|Command authorization failed|-?(?:ba|a|da|)sh: |sudo: |Usage: |Try \""
    rb"|Root privileges are required)",
    re.M,
)
_REFUSAL_LINES = 12
_BROKE_OFF = b"Traceback (most recent call last)"
"""What tools that are written in Python print in place of an answer when they fail."""
_VOLATILE = re.compile(rb"^[ \t]*+[!#].*$|^[ \t]*+(?:Time|Last configuration change).*$", re.M)
_WORDS = 200


class Ended(Exception):
    """Reading a device ended before everything was read. The words are the device's or the network's."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Outcome = outcome
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Answer:
    """The raw answer of one command."""

    command: str
    data: bytes
    exit_status: int | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What one device gave."""

    outcome: Outcome
    reason: str = ""
    answers: tuple[Answer, ...] = ()


def refusal(answer: Answer) -> str:
    """The device's words where it refused a command; "" where it answered."""
    failed = answer.exit_status not in (None, 0)
    short = answer.data.count(b"\n") <= _REFUSAL_LINES
    broke_off = answer.data.lstrip().startswith(_BROKE_OFF)
    if not (failed or broke_off) and not (short and answer.exit_status is None and _REFUSAL.search(answer.data)):
        return ""
    return said(answer.data) or (f"exit status {answer.exit_status}" if failed else "")


def said(data: bytes) -> str:
    """The last lines of what a device said, on one line, short and printable."""
    lines = [line.strip() for line in data.decode("utf-8", "replace").splitlines()]
    text = " / ".join([line for line in lines if line.strip("^ ")][-3:])
    return "".join(c if c.isprintable() else "?" for c in text)[:_WORDS]


def cut(end: str, answer: Answer) -> str:
    """Why a configuration that ends with this line is not whole; "" where nothing says so."""
    if end and answer.data.rstrip().rpartition(b"\n")[2] != end.encode():
        return f"{answer.command} has no `{end}` at its end ({len(answer.data):,} bytes)"
    return ""


def differ(first: bytes, second: bytes) -> bool:
    """Whether two answers of the same command say different things; comments with the time of day do not count."""
    return _VOLATILE.sub(b"", first).split() != _VOLATILE.sub(b"", second).split()


def judged(live: Live, answers: tuple[Answer, ...], again: Answer | None) -> Reading:
    """The reading of a device that answered everything; `again` is its configuration, asked for a second time at the end."""
    found = next((a for a in answers if a.command == live.configuration), None)
    if found is None:
        return Reading("collected", "", answers)
    words = refusal(found)
    if words:
        return Reading("refused", f"{found.command}: {words}", answers)
    missing = cut(live.end, found)
    if missing:
        kept = tuple(Answer(a.command, a.data, a.exit_status, truncated=True) if a is found else a for a in answers)
        return Reading("truncated", missing, kept)
    if again is not None and differ(found.data, again.data):
        return Reading("changed", f"{found.command} was another one at the end than at the beginning", answers)
    return Reading("collected", "", answers)
