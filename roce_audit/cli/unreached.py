"""How many devices may be missing: `--max-unreachable N|N%`."""

from __future__ import annotations

import re

from roce_audit.cli.errors import UsageError

_ALLOWED = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)(%?)")


def checked(allowed: str) -> str:
    """The option, if it is one. Raises UsageError."""
    found = _ALLOWED.fullmatch(allowed)
    if found is None or (not found[2] and "." in found[1]) or (found[2] and float(found[1]) > 100):
        raise UsageError(f"--max-unreachable {allowed}: write a number of devices or a percentage like 2%")
    return allowed


def beyond(missing: int, total: int, allowed: str) -> bool:
    """Whether more devices are missing than may be."""
    found = _ALLOWED.fullmatch(allowed)
    if found is None:
        return missing > 0
    return missing * 100 > float(found[1]) * total if found[2] else missing > int(found[1])
