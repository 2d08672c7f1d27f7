"""Loops that count, and build a value up while they do (`mask="${mask}1"` for each priority): written out, one time for each number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from roce_audit.platforms.linux.boot.calls import settings
from roce_audit.platforms.shared.shell.commands import Command
from roce_audit.platforms.shared.shell.values import Values

_FOR = re.compile(r"for\s+([A-Za-z_]\w{0,40})\s+in\s+([\s\S]{1,300})")
_NESTED = re.compile(r"(?:(?:do|then|else)\s+)*(?:for|while|until|select|case|break|continue|return|exit)\b")
_ADDS = re.compile(r"(?:(?:do|then|else)\s+)*([A-Za-z_]\w{0,40})(?:\+=|=[\"']?\$\{?\1\b)")
_MOST_TIMES = 16
_MOST_COMMANDS = 40
_IN_A_LOOP = "do"


def written_out(commands: Iterable[Command]) -> Iterator[Command]:
    """The same commands, with such loops written out; others stay as they are."""
    said = list(commands)
    index = 0
    while index < len(said):
        found = _FOR.fullmatch(said[index].text) if not said[index].is_data else None
        body = _body(said, index + 1) if found is not None else None
        words = Values().listed(found[2]) if found is not None and body is not None else None
        if (
            found is None
            or body is None
            or words is None
            or len(words) > _MOST_TIMES
            or not all(map(str.isdigit, words))
        ):
            yield said[index]
            index += 1
            continue
        for word in words:
            yield replace(said[index], text=f"{found[1]}={word}")
            yield from body
        index += len(body) + 2 + (said[index + 1].text == _IN_A_LOOP)


def _body(said: Sequence[Command], begins: int) -> list[Command] | None:
    """What a loop runs, if that is short, builds a value up and sets up no NIC by itself."""
    ends = next((n for n in range(begins, min(begins + _MOST_COMMANDS, len(said))) if said[n].text == "done"), None)
    if ends is None or ends == begins:
        return None
    inside = list(said[begins:ends])
    if inside[0].text == _IN_A_LOOP:
        inside = inside[1:]
    elif inside[0].text.startswith(f"{_IN_A_LOOP} "):
        inside[0] = replace(inside[0], text=inside[0].text.partition(" ")[2].lstrip())
    else:
        return None
    is_plain = not any(one.is_data or _NESTED.match(one.text) or settings(one.text) for one in inside)
    return inside if is_plain and any(_ADDS.match(one.text) for one in inside) else None
