"""Port names written short: `Ethernet1/1-4,1/7`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from roce_audit.patterns import lazy
from roce_audit.text.sentences import runs

_LAST_NUMBER = lazy(r"^(.*?)(\d{1,9})$")


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
    written = [f"{stem}{run}" for stem, numbers in stems.items() for run in runs(numbers)]
    return [*written, *plain]
