"""Interface names: ranges and abbreviations of the command-line platforms."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit.patterns import lazy

_SPLIT = lazy(r"(?P<above>(?:\d{1,4}/){0,3})(?P<port>\d{1,4}):(?P<part>\d{1,2})")
_LANE = lazy(r"(?P<port>\d{1,4})(?:/(?P<lane>\d{1,2}))?-(?P<last>\d{1,4})/(?P<same>\d{1,2})")
_MOST = 4096
_TYPE = string.ascii_letters + "-"
_NUMBER = lazy(r"^((?:\d{1,9}[/.:])*)(\d{1,9})$")
_DIGITS = lazy(r"([0-9]{1,18})")
_MASK = lazy(r"(?:\d{1,3}\.){3}\d{1,3}")
_NAME = lazy(r"^([0-9]{0,4}[A-Za-z][A-Za-z-]*) ?([0-9][0-9/.:,\- A-Za-z]*)?$")


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key by which Ethernet1/9 stands before Ethernet1/10."""
    parts = _DIGITS.split(text)
    return tuple((1, int(part), part) if i % 2 else (0, 0, part) for i, part in enumerate(parts))


def expand(text: str, long_forms: Mapping[str, str]) -> tuple[str, ...]:
    """All interfaces that `Ethernet1/1-4, Eth1/7` names, in canonical spelling.

    `long_forms` maps lower-case prefixes (`eth`, `ethernet`) to the canonical one; that of the empty text says that interfaces
    may be numbers alone (`1/1/4`). Raises ValueError for what is no name of this platform, or for more than 4,096 names.
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
        elif (prefix or "" in long_forms) and piece.strip()[:1].isdigit():
            numbers = piece.strip()
        else:
            raise ValueError(f"not an interface name: {text}")
        names.extend(prefix + number for number in _numbers(numbers, long_forms))
        if len(names) > _MOST:
            raise ValueError(f"more than {_MOST:,} interfaces in one range")
    return tuple(names)


def by_number(names: Iterable[str]) -> Mapping[str, str]:
    """Number (`1/0/1`) -> the one interface that has it."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.lstrip(_TYPE), []).append(name)
    return {number: those[0] for number, those in found.items() if "/" in number and len(those) == 1}


def cut_short(text: str, numbered: Mapping[str, str]) -> tuple[str, ...]:
    """The interface that a name means whose type is shortened as nobody has written down: `FourHGE1/0/1` for `FourHundredGigE1/0/1`.

    Its letters stand in those of the type, in this order. Empty where there is none; `numbered` as `by_number` gives it.
    """
    name = numbered.get(text.lstrip(_TYPE), "")
    letters = iter(name.lower())
    return (name,) if name and all(letter in letters for letter in text.lower()) else ()


def _numbers(text: str, long_forms: Mapping[str, str]) -> Iterator[str]:
    low, dash, high = text.partition("-")
    low, high = low.strip(), high.strip()
    if not dash:
        if text and not _NUMBER.match(low):
            raise ValueError(f"not an interface number: {text}")
        yield low
        return
    named = _NAME.match(high)
    if named is not None and named.group(1).lower() in long_forms:
        high = (named.group(2) or "").strip()
    at_first, at_last = _SPLIT.fullmatch(low), _SPLIT.fullmatch(high)
    if at_first is not None and at_last is not None and at_first["port"] != at_last["port"]:
        yield from _split_ports(at_first, at_last, text)
        return
    lane = _LANE.fullmatch(f"{low}-{high}")
    if lane is not None and lane["port"] != lane["last"]:
        yield from _lanes(lane, text)
        return
    first, last = _NUMBER.match(low), _NUMBER.match(high)
    if first is None or last is None or last.group(1) not in ("", first.group(1)):
        raise ValueError(f"not an interface range: {text}")
    begin, end = int(first.group(2)), int(last.group(2))
    if not 0 <= end - begin < _MOST:
        raise ValueError(f"no range, or more than {_MOST:,} interfaces in one: {text}")
    for number in range(begin, end + 1):
        yield f"{first.group(1)}{number}"


def _split_ports(first: re.Match[str], last: re.Match[str], text: str) -> Iterator[str]:
    """`1/1/1:1-1/1/4:2`: the parts of ports that are split; of each as many as the range names, for it says no more."""
    begin, end = int(first["port"]), int(last["port"])
    most = max(int(first["part"]), int(last["part"]))
    if first["above"] != last["above"] or not 0 <= (end - begin + 1) * most < _MOST:
        raise ValueError(f"no range, or more than {_MOST:,} interfaces in one: {text}")
    for port in range(begin, end + 1):
        low = int(first["part"]) if port == begin else 1
        high = int(last["part"]) if port == end else most
        yield from (f"{first['above']}{port}:{part}" for part in range(low, high + 1))


def _lanes(found: re.Match[str], text: str) -> Iterator[str]:
    """`1/1-16/1`, also as `1-16/1`: the same lane of each of these ports; which lanes a range over others covers depends on the ports."""
    begin, end = int(found["port"]), int(found["last"])
    if found["lane"] not in (None, found["same"]) or not 0 <= end - begin < _MOST:
        raise ValueError(f"not an interface range: {text}")
    yield from (f"{port}/{found['same']}" for port in range(begin, end + 1))


def vlan_numbers(text: str) -> set[int]:
    """The VLANs of `10,20-29`; pieces that are no numbers are left out (labels are hints, never verdicts)."""
    found: set[int] = set()
    for piece in text.split(","):
        low, _, high = piece.partition("-")
        if low.isdigit() and (not high or high.isdigit()) and len(low) <= 4 and len(high) <= 4:
            found.update(range(int(low), min(int(high or low), 4094) + 1))
    return found


def is_untagged(lines: Iterable[str]) -> bool:
    """Whether the one VLAN of a port has no tag, by its `switchport` lines: an access port, or a trunk of its native VLAN alone."""
    said = [line.split() for line in lines if line.startswith("switchport ")]
    numbers: dict[str, set[int]] = {"access": set(), "native": set(), "allowed": set()}
    for words in said:
        for name, found in numbers.items():
            if name in words and "vlan" in words and words[-1] != "tag":
                numbers[name] = vlan_numbers(words[-1]) | (found if "add" in words else set())
    modes = [words[2] for words in said if len(words) > 2 and words[1] == "mode"][-1:]  # what was said last holds
    if modes == ["trunk"]:
        return len(numbers["native"]) == 1 and numbers["allowed"] == numbers["native"]
    # in access mode nothing comes of a list that was left behind
    return bool(numbers["access"]) and (modes == ["access"] or not (modes or numbers["allowed"]))


def vlan_words(words: Iterable[str]) -> frozenset[int]:
    """The VLANs of `10 20 to 30`, as Huawei and H3C list them; other words are left out, for these are labels."""
    found: set[int] = set()
    last = 0
    rest = iter(words)
    for word in rest:
        is_range = word == "to" and last > 0
        end = next(rest, "") if is_range else word
        if end.isdecimal() and len(end) <= 4:
            found.update(range(last + 1 if is_range else int(end), int(end) + 1))
            last = int(end)
    return frozenset(vlan for vlan in found if 0 < vlan <= 4094)


def with_prefix_length(words: Sequence[str]) -> str:
    """`192.0.2.1/31` of an address and what follows it: a length, a mask, or neither, where it has its length or none is given."""
    address, mask = words[0], words[1] if words[1:] else ""
    if _MASK.fullmatch(mask):
        mask = str(sum(int(part).bit_count() for part in mask.split(".")))
    return f"{address}/{mask}" if mask.isdecimal() and "/" not in address else address
