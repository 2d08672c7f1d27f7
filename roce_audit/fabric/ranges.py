"""Port names written short: `Ethernet1/1-4,1/7`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

_LAST_NUMBER = re.compile(r"^(.*?)(\d{1,9})$")


def short(names: Iterable[str]) -> list[str]:
    """Names with consecutive last numbers put together: `Ethernet1/1-4`. The result matches the same names as policy globs."""
    stems: dict[str, list[int]] = defaultdict(list)
    plain: list[str] = []
    for name in names:
        found = _LAST_NUMBER.match(name)
        if found is None:
            plain.append(name)
        else:
            stems[found.group(1)].append(int(found.group(2)))
    written = [f"{stem}{run}" for stem, numbers in stems.items() for run in _runs(sorted(set(numbers)))]
    return [*written, *plain]


def _runs(numbers: list[int]) -> Iterable[str]:
    first = last = numbers[0]
    for number in [*numbers[1:], -1]:
        if number == last + 1:
            last = number
            continue
        yield str(first) if first == last else f"{first}-{last}"
        first = last = number
