"""Interface names: ranges and abbreviations of the command-line platforms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_MOST = 4096
_NAME = re.compile(r"^([A-Za-z][A-Za-z-]*) ?([0-9][0-9/.:,\- A-Za-z]*)?$")


def expand(text: str, long_forms: Mapping[str, str]) -> tuple[str, ...]:
    """All interfaces that `Ethernet1/1-4, Eth1/7` names, in canonical spelling.

    `long_forms` maps lower-case prefixes (`eth`, `ethernet`) to the canonical one. Raises ValueError for what is no name of
    this platform, or for more than 4,096 names.
    """
    names: list[str] = []
    prefix = ""
    for piece in text.split(","):
        found = _NAME.match(piece.strip())
        if found is not None:
            known = long_forms.get(found.group(1).lower())
            if known is None:
                raise ValueError(f"no such interface type: {found.group(1)}")
            prefix, numbers = known, (found.group(2) or "").strip()
        elif prefix and piece.strip()[:1].isdigit():
            numbers = piece.strip()
        else:
            raise ValueError(f"not an interface name: {text}")
        names.extend(prefix + number for number in _numbers(numbers, long_forms))
        if len(names) > _MOST:
            raise ValueError(f"more than {_MOST:,} interfaces in one range")
    return tuple(names)


def _numbers(text: str, long_forms: Mapping[str, str]) -> Iterator[str]:
    low, dash, high = text.partition("-")
    low, high = low.strip(), high.strip()
    if not dash:
        if text and not re.fullmatch(r"\d+(?:[/.:]\d+)*", low):
            raise ValueError(f"not an interface number: {text}")
        yield low
        return
    found = _NAME.match(high)
    if found is not None and found.group(1).lower() in long_forms:
        high = (found.group(2) or "").strip()
    if not re.fullmatch(r"\d+(?:[/.:]\d+)*", low) or not re.fullmatch(r"\d+(?:[/.:]\d+)*", high):
        raise ValueError(f"not an interface range: {text}")
    stem, cut, first = low.rpartition("/") if "/" in low else low.rpartition(":")
    high_stem, _, last = high.rpartition(cut) if cut else ("", "", high)
    if high_stem not in ("", stem) or not first.isdigit() or not last.isdigit() or int(last) < int(first):
        raise ValueError(f"not an interface range: {text}")
    if int(last) - int(first) >= _MOST:
        raise ValueError(f"more than {_MOST:,} interfaces in one range")
    for number in range(int(first), int(last) + 1):
        yield f"{stem}{cut}{number}"


def vlan_numbers(text: str) -> set[int]:
    """The VLANs of `10,20-29`; pieces that are no numbers are left out (labels are hints, never verdicts)."""
    found: set[int] = set()
    for piece in text.split(","):
        low, _, high = piece.partition("-")
        if low.isdigit() and (not high or high.isdigit()) and len(low) <= 4 and len(high) <= 4:
            found.update(range(int(low), min(int(high or low), 4094) + 1))
    return found
