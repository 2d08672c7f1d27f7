"""What can be typed, as plain data read off the parser: verbs, options, and what stands behind them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Literal

from roce_audit.records import dataclass

Kind = Literal["flag", "word", "file", "choice"]
_FILES = frozenset({"FILE", "DIR", "PATH", "FILE|URL", "OLD", "NEW"})
_RULES = frozenset({"RULE", "SELECTOR", "FINGERPRINT|RULE[:DEVICE]"})
_FORMATS = "NAME[=FILE]"


@dataclass(frozen=True, slots=True)
class Slot:
    """An option (or a positional word, `names` empty): its help, and what may follow."""

    names: tuple[str, ...]
    help: str
    kind: Kind
    choices: tuple[str, ...] = ()
    what: str = ""
    """What the value is called: FILE, RATE."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb, or a subject of a verb (`calc headroom`: path `calc headroom`)."""

    path: tuple[str, ...]
    help: str
    options: tuple[Slot, ...]
    positionals: tuple[Slot, ...]
    subjects: tuple[str, ...] = ()


def verbs(parser: argparse.ArgumentParser) -> list[Verb]:
    """All verbs of the program with their subjects."""
    return list(_verbs(parser, ()))


def _verbs(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[Verb]:
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for name, inner in action.choices.items():
            below = list(_verbs(inner, (*path, name)))
            slots = [slot for one in inner._actions if (slot := _slot(one)) is not None]
            yield Verb(
                (*path, name),
                helps.get(name, ""),
                tuple(slot for slot in slots if slot.names),
                tuple(slot for slot in slots if not slot.names),
                tuple(verb.path[-1] for verb in below),
            )
            yield from below


def _slot(action: argparse.Action) -> Slot | None:
    if isinstance(action, argparse._SubParsersAction):
        return None
    what = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    names, help_ = tuple(action.option_strings), action.help or ""
    if names and action.nargs == 0:
        return Slot(names, help_, "flag")
    choices = _choices(action, what)
    if choices:
        return Slot(names, help_, "choice", choices, what)
    return Slot(names, help_, "file" if what in _FILES else "word", (), what)


def _choices(action: argparse.Action, what: str) -> tuple[str, ...]:
    if action.choices is not None:
        return tuple(map(str, action.choices))
    if what == _FORMATS:
        from roce_audit.report.registry import format_names

        return format_names()
    if what == "PROFILE":
        return profiles()
    if what in _RULES:
        return _rules(with_topics=what == "SELECTOR")
    return ()


def profiles() -> tuple[str, ...]:
    """Names of the profiles that come with the tool."""
    from roce_audit.engine.rules.rulepack import PROFILES, builtin_folder
    from roce_audit.policy import profiles as of_policy

    return tuple(of_policy.names(builtin_folder() / PROFILES))


def _rules(with_topics: bool) -> tuple[str, ...]:
    from roce_audit.engine.rules import rulepack

    rules = rulepack.load([rulepack.builtin_folder()])
    topics = sorted({rule.topic for rule in rules}) if with_topics else []
    return (*topics, *sorted(rule.id for rule in rules))
