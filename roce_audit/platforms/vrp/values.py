"""Values of VRP statements: ranges of ports and queues, the words of a policer, what is hashed."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy

_MEMBER = lazy(r"(\d{0,3}[A-Za-z-]{1,24}) ?(\d[\d/:]{0,20})(?: to \d{0,3}[A-Za-z-]{1,24} ?(\d[\d/:]{0,20}))?(?: |\Z)")


def member_ranges(text: str) -> tuple[str, ...]:
    """The ranges behind `group-member`; raises ValueError for what is none."""
    found = list(_MEMBER.finditer(text))
    if not found or sum(len(one.group()) for one in found) != len(text):
        raise ValueError(text)
    return tuple(f"{one[1]}{one[2]}{f'-{one[3]}' if one[3] else ''}" for one in found)


_POLICING = re.compile(
    r"[0-9]{1,9}|cir|pir|cbs|pbs|[kmg]bps|[km]?bytes|share|mode|color-blind|color-aware|green|yellow|red|pass|discard"
    r"|service-class|color|be|af[1-4]|ef|cs[67]"
)


def policing(text: str) -> str:
    """The words of a policer; raises ValueError for others."""
    if not all(_POLICING.fullmatch(word) for word in text.split(" ")):
        raise ValueError(text)
    return text


def ranges(text: str) -> tuple[int, ...]:
    """The queues of `0 to 2 4 to 6 7`; raises ValueError for what is none."""
    found: list[int] = []
    words = text.split(" ")
    while words:
        first = _queue(words.pop(0))
        last = first
        if words[:1] == ["to"]:
            last = _queue(words[1] if len(words) > 1 else "")
            words = words[2:]
        if last < first:
            raise ValueError(text)
        found.extend(range(first, last + 1))
    return tuple(found)


def _queue(word: str) -> int:
    if len(word) != 1 or word not in "01234567":
        raise ValueError(f"not a queue: {word}")
    return int(word)


_HASHED = frozenset(
    {"src-ip", "dst-ip", "vlan", "l4-src-port", "l4-dst-port", "protocol", "flow-label", "src-interface"}
)


def hashed(text: str) -> bool:
    """Whether the source port is among the fields that `ip` of the ECMP view hashes; raises ValueError for an unknown field."""
    words = text.split(" ")
    if not _HASHED.issuperset(words):
        raise ValueError(text)
    return "l4-src-port" in words
