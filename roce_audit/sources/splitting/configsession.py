"""What people typed in configuration mode, in a log that shows no configuration: the lines behind the prompts."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.factorynames import is_factory
from roce_audit.platforms.record import FullPaths
from roce_audit.platforms.signature import compiled, literal_in
from roce_audit.sources.reading import Answer, refusal

FEWEST = 2
"""Lines that make a log: one prompt alone may be pasted help or prose."""
_RENAMES = lazy(r"(?:hostname|switchname) ([A-Za-z0-9][\w.-]{0,62})\Z")


class ConfigLine(NamedTuple):
    """One line that somebody typed to configure: where it stands, the name in its prompt, and what the device answered."""

    start: int
    host: str
    text: str
    answer: str


def configures(mode: str, command: str, before: str, is_below: bool) -> bool:
    """Whether a line behind a prompt configures; `mode` is what the prompt has in parentheses, `before` ends above it. `is_below`
    says that a path was said above, below which it stands."""
    if not command or command.endswith("?"):
        return False
    if "(conf" in mode:
        return True
    return any(
        compiled(form.commands).match(command) is not None
        and (is_below if form.below else compiled(rf"\n{form.above}\n\Z").search(before) is not None)
        for form in _full_paths()
    )


class Levels:
    """The lines of a text that say below which path the lines behind them stand."""

    def __init__(self, text: str) -> None:
        self._found = [
            (form, [(found.start(), found[1] or "") for found in compiled(form.below).finditer(text)])
            for form in _full_paths()
            if form.below
        ]

    def in_full(self, command: str, start: int) -> str | None:
        """A line that was typed at `start` with the path that it is said below; None where no path was said above it."""
        for form, levels in self._found:
            at = bisect(levels, start, key=itemgetter(0))
            if not at:
                continue
            path = levels[at - 1][1]
            verb = compiled(form.relative).match(command) if path else None
            if verb is not None and not command.startswith(path, verb.end()):
                return f"{verb.group()}{path} {command[verb.end() :]}"
            if form.shown and (command == "show" or command.startswith("show ")):
                return " ".join((form.shown, path, command.removeprefix("show").strip())).strip()
            return command
        return None


def _full_paths() -> Iterator[FullPaths]:
    """The forms of configuration that the prompt does not name."""
    return (one.full_paths for one in platforms.every() if one.full_paths is not None)


def may_configure(text: str) -> bool:
    """Whether a prompt of a configuration mode may stand in a text."""
    return ("(" in text and "(conf" in text) or any(
        literal_in(pattern) in text and compiled(pattern).search(text) is not None
        for pattern in (form.below or form.above for form in _full_paths())
    )


def texts(text: str, lines: Sequence[ConfigLine]) -> dict[str, str]:
    """Host -> the text with nothing but what was typed there and taken by the device, each on its line."""
    names = _renamed(lines)
    kept: dict[str, list[tuple[int, str]]] = {}
    at = number = 0
    for line in lines:
        number += text.count("\n", at, line.start)
        at = line.start
        host = names.get(line.host, line.host)
        renamed = _RENAMES.match(line.text)
        if renamed is not None:
            names[renamed[1]] = host
        if not refusal(Answer(line.text, line.answer.encode("utf-8", "replace"))):
            kept.setdefault(host, []).append((number, line.text))
    return {host: _in_place(said) for host, said in kept.items() if len(said) >= FEWEST}


def _renamed(lines: Sequence[ConfigLine]) -> dict[str, str]:
    """The factory's name in the prompts of a device that has its own name further down, in a log of this one device."""
    hosts = list(dict.fromkeys(line.host for line in lines))
    said = {renamed[1] for line in lines if (renamed := _RENAMES.match(line.text)) is not None}
    if len(hosts) != 2 or not is_factory(hosts[0]) or is_factory(hosts[1]) or hosts[1] in said:
        return {}
    begins = next(number for number, line in enumerate(lines) if line.host == hosts[1])
    return {} if any(line.host == hosts[0] for line in lines[begins:]) else {hosts[0]: hosts[1]}


def _in_place(said: Sequence[tuple[int, str]]) -> str:
    rows = [""] * (said[-1][0] + 1)
    for number, line in said:
        rows[number] = line
    return "\n".join(rows) + "\n"
