"""Blocks of scripts (conditions, loops, functions), and what follows from several answers and ways together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from roce_audit.platforms.shared.shell.conditions import Answer, asked

_HANDED_OVER = re.compile(r"\$(?:[1-9]|OPTARG|\{(?:[1-9]|OPTARG)\}|\{[1-9]#[^{}]{1,20}\})")
"""A value that whoever calls the script hands it."""
Way = tuple[tuple[int, int], ...]
"""The conditions around a command that may go either way, and which way of each it stands in."""
Kind = Literal["script", "if", "case", "loop", "function", "group"]


@dataclass
class Block:
    """A block that is being read."""

    kind: Kind
    number: int = 0
    arm: int = 0
    runs: bool | None = True
    """Whether this arm is taken."""
    rest: bool | None = True
    """Whether none of the arms before is taken."""
    alive: bool | None = True
    """Whether the script is still there at this place."""
    by_tool: bool = False
    """One of its conditions asks whether a program is there."""
    complete: bool = False
    """One of the arms is surely taken."""
    test: list[tuple[str, Answer]] | None = None
    word: str = ""
    before: dict[str, str | None] = field(default_factory=dict)
    after: list[dict[str, str | None]] = field(default_factory=list)
    otherwise: Mapping[str, str] = field(default_factory=dict)


def all_hold(*answers: bool | None) -> bool | None:
    """Kleene's and."""
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True


def both(first: Answer, second: Answer) -> Answer:
    """The answer to `first && second`."""
    return Answer(all_hold(first.holds, second.holds), {**first.then, **second.then})


def of_condition(tests: list[tuple[str, Answer]]) -> Answer:
    """The answer to a condition of several commands: all of `a && b`, doubt for anything else."""
    if len(tests) == 1:
        return tests[0][1]
    if not tests or any(joint == "||" for joint, _ in tests):
        return Answer(None)
    whole = Answer(True)
    for _, answer in tests:
        whole = both(whole, answer)
    return whole


def same_for_all(texts: list[str], raw: str, each_nic: frozenset[str]) -> Answer:
    """The answer where loops give several values: only if it is the same for all."""
    answers = {asked(text, raw, each_nic).holds for text in texts}
    return Answer(answers.pop() if len(answers) == 1 else None)


def merged_values(ways: list[dict[str, str | None]]) -> dict[str, str | None]:
    """Values behind several ways: those that are the same on each, and what a script has of its own where a caller may say better."""
    merged: dict[str, str | None] = {}
    for name in dict.fromkeys(name for way in ways for name in way):
        values = {way.get(name) for way in ways}
        own = {value for value in values if value is None or _HANDED_OVER.fullmatch(value) is None}
        values = own if len(own) == 1 and all(own) else values
        merged[name] = values.pop() if len(values) == 1 and all(name in way for way in ways) else None
    return merged
