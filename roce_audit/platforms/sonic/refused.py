"""Buffer profiles that the switch refuses, since a field is missing that each must have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.sonic.database import Row

_NEEDED = ("pool", "size")
"""sonic-buildimage, sonic-yang-models/sonic-buffer-profile.yang: mandatory."""
_COMPUTED = "size"
"""Not written where the device computes the headroom itself."""


def refused(profiles: Iterable[Row]) -> Mapping[Name, str]:
    """Which of the profiles of a whole datastore are refused, and what is wrong where one of them is used."""
    fields: dict[Name, dict[str, str]] = defaultdict(dict)
    for row in profiles:
        if not row.odd:
            fields[row.table, row.key] |= {name.removesuffix("@"): str(value) for name, value in row.fields.items()}
    found: dict[Name, str] = {}
    for (table, key), its in fields.items():
        needed = [name for name in _NEEDED if name != _COMPUTED or its.get("headroom_type") != "dynamic"]
        missing = next((name for name in needed if its and name not in its), None)
        if missing is not None:
            found[table, key] = f"{table}|{key} has no `{missing}`, without which the switch makes no profile of it"
    return found
