"""What a summary of port channels tells of members: which of them their channel does not use.

`10    Po10(RU)    Eth      LACP      Eth1/5(P)    Eth1/6(s)`: a long list goes on below. P is a member
that carries traffic. One that waits as a spare (H), comes up late (p), or stands alone because its far end may be without LACP (^ and *) is
meant to be so.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.running import OUT_OF_CHANNEL
from roce_audit.platforms.shared.shown import Shown, doubt
from roce_audit.text.document import Document

_COMMAND = lazy(r"sh(?:ow)? port-channel(?: \d{1,4})? summary(?: ?\| ?no-more)?")
_MEMBER = lazy(r"(?<![\w/])((?:[A-Z][a-z]{1,7})?\d{1,3}(?:[/:]\d{1,3}){0,3})\(([A-Za-z+^*-]{1,6})\)")
_CHANNEL = lazy(r"(?<![\w-])(?:Po|port-channel)(\d{1,4}) *\([A-Za-z]{1,4}\)")
_MEANT = frozenset("PHp^*")


def is_about_channels(command: str | None) -> bool:
    """Whether the answer of a command is a summary of port channels."""
    return command is not None and _COMMAND.fullmatch(command) is not None


def unused_members(document: Document, prefix: str = "") -> Iterator[Shown]:
    """(port as written behind `prefix`, line, statement) of each member that its channel does not use."""
    channel = ""
    for number, line in document.numbered():
        head = _CHANNEL.search(line)
        channel = channel if head is None else head[1]
        for member in _MEMBER.finditer(line, 0 if head is None else head.end()) if channel else ():
            if _MEANT.isdisjoint(member[2]) and not doubt(line.replace("^", "")):
                words = "is suspended in" if "s" in member[2] else "is not used by"
                yield f"{prefix}{member[1]}", number, f"{OUT_OF_CHANNEL}{words} port channel {channel} ({member[2]})"
