"""How tasks that configure switches are known before their text is parsed: names of modules, and programs of shells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import islice

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.platforms.taskmodules import Arguments

_ANY_SHELL = lazy(r"\n {0,40}+(?:- )?+(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|raw):")
_MOST_LOOKED_AT = 200
"""Names of modules of one text above which the lines are looked at."""
_MOST_ABOVE = 4_000
"""Characters of a task before the name of its module."""


@cache
def by_name() -> Mapping[str, Platform]:
    """The switches' platforms by how the names of their modules begin."""
    return {name: one for one in platforms.every() for name in one.task_names}


@cache
def _likely() -> re.Pattern[str]:
    """How a task of one of these modules begins, from the end of the line before: to ask each line anew takes many times as long."""
    begins = "|".join(re.escape(name) for name in by_name() if "." not in name)
    known = "|".join(re.escape(name) for name in by_name() if "." in name)
    module = rf"(?:[a-z_]\w{{0,40}}\.){{0,2}}(?:(?:{begins})_[a-z]\w{{0,30}}|[a-z]\w{{0,30}}_config)|{known}"
    return re.compile(rf"\n {{0,40}}+(?:- )?+(?:{module}):[ \t]*(?:$|\{{)", re.M)


def may_hold_tasks(text: str) -> bool:
    """Whether a module's name is a key of an item of a list, as it is of a task: a quick look at the lines above it."""
    text = "\n" + text
    found = list(islice(_likely().finditer(text), _MOST_LOOKED_AT + 1))
    return len(found) > _MOST_LOOKED_AT or any(_is_of_item(text, one) for one in found)


def _is_of_item(text: str, found: re.Match[str]) -> bool:
    key = found[0].strip("\n")
    column = _margin(key)
    if key[column] == "-":
        return True
    end = found.start()
    while end > 0 and found.start() - end < _MOST_ABOVE:
        begin = text.rfind("\n", 0, end) + 1
        line = text[begin:end]
        margin = _margin(line)
        if margin < column and line.strip() and line[margin] != "#":
            behind = line[margin + 1 :]
            return line[margin] == "-" and (not behind.strip() or margin + 1 + _margin(behind) == column)
        end = begin - 1
    return end > 0


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


@cache
def shell_programs() -> Mapping[str, str]:
    """The programs by which switches are set up whose only command line is a shell, each with its platform."""
    shells = (
        (one.name, one.live.configuration, one.follows_scripts)
        for one in platforms.every()
        if one.live is not None and one.live.access == "shell"
    )
    return {shown.split()[0]: name for name, shown, is_followed in shells if not is_followed}


@cache
def typed_in_shell() -> re.Pattern[str]:
    """How a command of one of these programs begins."""
    return re.compile(rf"(?:^|[\s\"'|;&])(?:{'|'.join(map(re.escape, shell_programs()))})[ \t]+[a-z]", re.M)


@cache
def known_modules() -> Mapping[str, tuple[Platform, Arguments]]:
    """All modules of which it is known what they write."""
    return {
        name: (one, module)
        for one in platforms.every()
        if one.modules is not None
        for name, module in one.modules().items()
    }


def may_type_in_shell(text: str) -> bool:
    """Whether a task may type one of these programs."""
    return _ANY_SHELL.search("\n" + text) is not None and typed_in_shell().search(text) is not None
