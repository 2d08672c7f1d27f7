"""Templates of JSON (SONiC's `qos.json.j2`): rows that a loop writes for each port stand for one port, and no row is left in part."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from roce_audit.patterns import lazy
from roce_audit.text.structured.jsontext import is_json

PORT = "Ethernet0"
"""The port that stands for those of a loop."""
_KEY = lazy(
    r"\"(?:Ethernet\{\{[^{}\n]{1,60}\}\}|\{\{-?\s{0,8}(?P<name>\w{1,40})(?:\.(?:name|id|port|intf|interface|ifname|key))?\s{0,8}-?\}\})"
    r"(?P<queues>\|[0-9][0-9,-]{0,15})?\"(?=\s{0,20}:)"
)
_PORT = lazy(r"(?i)(?!\w{0,40}profile)\w{0,40}(?:port|interface|intf)")
_LOOP = lazy(
    r"(?i)\{%-?\s{0,8}for\s{1,8}(?P<name>\w{1,40})(?:\s{0,8},\s{0,8}\w{1,40})?\s{1,8}in\s{1,8}(?!range\b)[^%\n]{0,80}(?:port|interface|intf)"
)
"""A loop over ports, however it calls one of them: `for p in ports`."""
_TABLE = lazy(r"\s*\"([A-Z][A-Z0-9_]{2,60})\"\s{0,8}:.*")
_LEFT_OVER = lazy(r",(\s*[}\]])")
_NO_VALUE = lazy(r"\s*\"[^\"]{1,80}\"\s{0,20}:\s*")


def with_port(text: str) -> str:
    """The template with a port in the place of those that loops go through; as it is where loops give ports of one table differing rows."""
    looped = {found["name"] for found in _LOOP.finditer(text)}
    table, seen = "", set()
    for line in text.split("\n"):
        found = _TABLE.fullmatch(line)
        table = found[1] if found is not None else table
        for key in _KEY.finditer(line):
            if _is_port(key, looped) and (table, key["queues"]) in seen:
                return text
            seen |= {(table, key["queues"])} if _is_port(key, looped) else set()
    return _KEY.sub(lambda key: f'"{PORT}{key["queues"] or ""}"' if _is_port(key, looped) else key[0], text)


def _is_port(key: re.Match[str], looped: Collection[str]) -> bool:
    return key["name"] is None or key["name"] in looped or _PORT.match(key["name"]) is not None


def whole_rows(lines: Sequence[str], kept: Sequence[str]) -> str:
    """What is left of a template's lines, as JSON: a row that lost a line is left out, a table that lost a row is not."""
    rest = ["" if _NO_VALUE.fullmatch(line) else line for line in kept]
    for number, line in enumerate(lines):
        if line.strip().startswith('"') and not rest[number].strip():
            _leave_out_row(rest, number, _margin(line))
    return _LEFT_OVER.sub(r" \1", "\n".join(_joined(rest)))


def is_whole(plain: str) -> bool:
    """Whether what is left can be read: JSON, or tables without the braces around them. What other macros close cannot."""
    return is_json(plain) or is_json(f"{{{plain.strip().rstrip(',')}}}")


def _joined(lines: Sequence[str]) -> list[str]:
    """The lines with the commas that a loop writes between its rounds, and whoever calls several macros between these."""
    found = list(lines)
    last = None
    for number, line in enumerate(found):
        if line.lstrip().startswith('"') and last is not None and found[last].rstrip().endswith(("}", "]")):
            found[last] = f"{found[last].rstrip()},"
        last = number if line.strip() else last
    return found


def _leave_out_row(rest: list[str], number: int, margin: int) -> None:
    first = next((n for n in range(number - 1, -1, -1) if rest[n].strip() and _margin(rest[n]) < margin), None)
    if (
        first is None
        or not rest[first].rstrip().endswith("{")
        or _TABLE.fullmatch(rest[first])
        or rest[first].strip() == "{"
    ):
        return
    last = next(
        (n for n in range(number, len(rest)) if rest[n].strip() and _margin(rest[n]) <= _margin(rest[first])), number
    )
    rest[first : last + 1] = [""] * (last + 1 - first)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
