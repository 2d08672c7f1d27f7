"""Version numbers of drivers and firmware, compared with a list of least versions."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy

_ENTRY = lazy(r"\s*([A-Za-z0-9_-]{1,40})(?:\s+([0-9.]{1,20}))?\s*(?:>=\s*([0-9][A-Za-z0-9._-]{0,40})|(bad))\s*")
_PACKAGE = lazy(r"\bpkg\s+([0-9][A-Za-z0-9._-]{0,40})")


def parts(version: str) -> tuple[int, ...]:
    """The numbers of a version in their order: `1.117.5-a-45` is 1, 117, 5, 45."""
    return tuple(int(number) for number in re.findall(r"[0-9]{1,9}", version))


def meets(version: str, driver: str, floors: str) -> bool:
    """Whether a version of a driver's NIC is none that a list names as too old or as bad.

    `floors` is a list of `DRIVER >= VERSION`, `DRIVER BRANCH >= VERSION` (for versions that begin with BRANCH alone) and
    `DRIVER BRANCH bad`, separated by `;`. Of a driver or branch that it does not name it says nothing. Where a version tells
    its package (`233.0.152.2/pkg 233.1.135.7`), that is compared: it is what vendors call the release. Raises ValueError
    for an entry of another form.
    """
    package = _PACKAGE.search(version)
    mine = parts(package.group(1) if package is not None else version.split("/")[0].split(" ")[0])
    for entry in filter(str.strip, floors.split(";")):
        found = _ENTRY.fullmatch(entry)
        if found is None:
            raise ValueError(f"'{entry.strip()}' is neither DRIVER [BRANCH] >= VERSION nor DRIVER BRANCH bad")
        branch = parts(found.group(2) or "")
        if found.group(1) != driver or mine[: len(branch)] != branch:
            continue
        if found.group(4) is not None or mine < parts(found.group(3)):
            return False
    return True
