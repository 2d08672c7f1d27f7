"""Commands as file names (`mlnx_qos_-i_eth0.txt`) and as people type them (`sh run`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.platforms.signature import compiled

_PROGRAMS = ("show", "display", "cat", "grep", "sysfs", "env", "hostname")
"""First words of commands that many systems know, and of the sections of a host's bundle; platforms have more."""
_BARE = ("sysfs", "env", "hostname")
"""Programs whose name alone is a file name of the form; `show.txt` or `net.txt` says nothing."""
_PCI = lazy(r"\b([0-9a-fA-F]{4})-([0-9a-fA-F]{2})-([0-9a-fA-F]{2}\.[0-7])")
_PORT = lazy(r"(?<![\w-])((?:[A-Za-z]+|[a-z]{2}-)\d+)((?:-\d+){1,3})(?![\w-])")
_BEHIND_WORD = lazy(r"(?<=(?:interface|\Wethernet) )(\d{1,2})-(\d{1,2})-(\d{1,3})(?![\w-])")
"""A port without letters behind the word that names its kind: three numbers are no range."""
_FILE = lazy(r"(?<= )-(?=(?:sys|proc|etc|home|root|opt)-)\S*")
_FOLDER = r"(?:[\w.~-]{0,60}/){0,10}"
"""Where a program stands, as it may be called: `./show_it`, `/usr/sbin/ethtool`."""
_EXTENSION = lazy(r"\.(?:txt|json|log|out)\Z", re.I)
_NUMBERED = lazy(r"\A\d{1,3}[-_.] ?(?=[a-z])")
"""Before the names of files that a script numbers in the order in which it asked."""
_BEHIND_HOST = lazy(r"([A-Za-z0-9][\w.-]{0,62}?)[-_. ]{1,2}(?=(?:show|display)[_ ])")
"""A device before the command, as scripts call the files of many."""
_YAML = lazy(r"\.ya?ml\Z", re.I)
"""What a configuration may be shown as; else such a file is somebody's own, as `env.yaml`."""

_ABBREVIATED = (
    (lazy(r"^ip netns exec \S{1,40} (?=show )"), ""),  # asked in the namespace of one of several chips
    (lazy(r"^(?:do|run) (?=sh(?:o|ow)? )"), ""),  # asked while configuring
    (lazy(r"^sh(?:o)?(?= )"), "show"),
    (lazy(r"^dis(?:p|pl|pla)?(?= )"), "display"),
    # a longer word that only begins alike, as `runningconfiguration`, is a command of its own
    (lazy(r"^(show) run(?:n(?:i(?:n(?:g(?:-[a-z-]*)?)?)?)?)?(?=\Z| )"), r"\1 running-config"),
    (lazy(r"^(show) star[a-z-]*(?=\Z| )"), r"\1 startup-config"),
    (lazy(r"^(display) cu[a-z-]*(?=\Z| )"), r"\1 current-configuration"),
    (lazy(r"^(display) sa[a-z-]*(?=\Z| )"), r"\1 saved-configuration"),
    (lazy(r"^(show|display) ver[a-z]*(?=\Z| )"), r"\1 version"),
    (lazy(r"^(show|display) int(?:e|er|erf|erfa|erfac)?(?= )"), r"\1 interface"),
    (lazy(r"(?<! ) *+\| *+(?:no-?more|no more)\b *$"), ""),
)


class _Words(NamedTuple):
    """What the platforms say of the words of commands."""

    programs: str
    """Pattern of the first words of commands."""
    bare: frozenset[str]
    underscored: str
    written: Mapping[str, str]
    """Lower case -> the name of a program that has capitals."""


def _words() -> _Words:
    return _words_of(platforms.every())


@cache
def _words_of(every: tuple[Platform, ...]) -> _Words:
    return _Words(
        "|".join(map(_pattern, (*_PROGRAMS, *(word for one in every for word in one.programs)))),
        frozenset((*_BARE, *(word for one in every for word in one.bare_programs))),
        "|".join(one.underscored for one in every if one.underscored) or "(?!)",
        {word.lower(): word for one in every for word in one.programs if not word.islower()},
    )


def _pattern(program: str) -> str:
    """A program as it may be typed: PowerShell takes its cmdlets in any case."""
    return re.escape(program) if program.islower() else f"(?i:{re.escape(program)})"


def _in_their_case(command: str) -> str:
    """A command with the program's name as its platform writes it."""
    program, blank, rest = command.partition(" ")
    return f"{_words().written.get(program.lower(), program)}{blank}{rest}"


def prompted() -> re.Pattern[str]:
    """Matches at the beginning of what somebody typed when it is a command that shows something, or of a tool that sets what it shows."""
    shows = rf"(?:(?:do|run) )?sh(?:o|ow)?|dis(?:p(?:lay)?)?|sudo|{_FOLDER}(?:{_words().programs})"
    return compiled(rf"(?:(?:{shows})\b|echo [^\n>]{{1,60}}> ?/sys/)")


def with_blanks(name: str) -> str:
    """The text of a file name with blanks for the underscores, except in words that have underscores of their own."""
    kept = compiled(_words().underscored).sub(lambda found: found.group().replace("_", "\0"), name)
    return kept.replace("_", " ").replace("\0", "_")


def command_of(file_name: str) -> str | None:
    """The command whose answer a file of this name holds; None when the name is no command.

    Blanks were written as `_`, `/` and `:` as `-`: PCI addresses, port names and file paths are put together again.
    """
    return _command_of(file_name, platforms.names())


def of_device(file_name: str) -> tuple[str, str] | None:
    """The device and the command that a file is called after (`leaf1_show_version.txt`); None for other names."""
    found = _BEHIND_HOST.match(file_name)
    command = command_of(file_name[found.end() :]) if found is not None else None
    return (found[1], command) if found is not None and command is not None else None


@lru_cache(maxsize=20_000)
def _command_of(file_name: str, _known: tuple[str, ...]) -> str | None:
    """Hosts of a fleet have files of the same names."""
    file_name = _NUMBERED.sub("", file_name)
    stem, extensions = _EXTENSION.subn("", file_name)
    if not extensions:
        stem, extensions = _YAML.subn("", file_name)
        if extensions and stem.replace("_", " ") not in platforms.configurations().values():
            return None
    words = _words()
    found = compiled(rf"(?:sudo[ _])?({words.programs})(?=[ _]|\Z)").match(stem)
    if found is None or not extensions or (found.end() == len(stem) and found.group(1) not in words.bare):
        return None
    text = with_blanks(stem)
    text = _PCI.sub(r"\1:\2:\3", text)
    text = _FILE.sub(lambda m: m.group().replace("-", "/").replace("os/release", "os-release"), text)
    text = text.replace(" - ", " / ")
    text = _BEHIND_WORD.sub(r"\1/\2/\3", text)
    if not text.startswith(("ip ", "tc ")):
        text = _PORT.sub(lambda m: m.group(1) + m.group(2).replace("-", "/"), text)
    return typed(text)


def file_name(command: str) -> str:
    """The name of the file that holds the answer of a command: blanks as `_`, `/` and `:` as `-`."""
    return re.sub(r"[/:\x00-\x1f]", "-", command.replace(" ", "_"))[:200] + ".txt"


def typed(command: str) -> str:
    """A command as typed, with the usual abbreviations written out and paging taken away."""
    text = " ".join(command.split()).removeprefix("sudo ")
    called = compiled(rf"{_FOLDER}((?:{_words().programs})\b.*)").fullmatch(text)
    text = called.group(1) if called is not None else text
    for short, long in _ABBREVIATED:
        text = short.sub(long, text)
    return _in_their_case(text)
