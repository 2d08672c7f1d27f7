"""What lldptool and niccli print alike of a port's DCB: TLVs, whose lists one command sets together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.patterns import lazy

PFC_VALUE = r"(?P<value>none|[0-7](?:[ ,]+[0-7])*)"
"""The priorities behind `PFC enabled:`."""
_LIST = lazy(r"^\s+(PRIO_MAP|TC Bandwidth|TSA_MAP): (\S(?:.*\S)?)\s*$")
_PFC = lazy(r"^\s+PFC enabled: (\S(?:.*\S)?)\s*$")


def lists(lines: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The lists of ETS by their names."""
    return {found[1]: tuple(found[2].split()) for found in map(_LIST.match, lines) if found is not None}


def paused(lines: Sequence[str]) -> Sequence[str]:
    """The priorities with PFC."""
    found = next((found[1] for found in map(_PFC.match, lines) if found is not None), "")
    return re.findall("[0-7]", found)


def priorities(value: object) -> str:
    """A set of priorities as these tools print it."""
    return " ".join(map(str, sorted(value))) or "none" if isinstance(value, frozenset) else "none"
