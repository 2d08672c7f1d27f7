"""Groups that leave their numbers to the dynamic buffer model, and when nothing computes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.sonic.database import Row

PROFILE, PARAMETERS = "BUFFER_PROFILE", "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
COMPUTED = "NULL"
"""The profile of a group whose numbers the dynamic buffer model computes at run time."""
_TRADITIONAL = (
    f"profile {COMPUTED} leaves the numbers to the dynamic buffer model, and the buffer model is the traditional one: nothing"
    " computes them, and the group has no buffer of its own"
)
_NO_THRESHOLD = (
    f"profile {COMPUTED} leaves the numbers to the dynamic buffer model, which makes no lossless group until {PARAMETERS} gives a"
    " default_dynamic_th: the group has no buffer of its own"
)
"""sonic-swss, cfgmgr/buffermgrdyn.cpp, refreshPgsForPort: nothing is done while the default threshold is empty."""


def not_computed(
    dynamic: bool | None, rows: Iterable[Row], running: Iterable[Name], *, whole: bool
) -> Mapping[Name, str]:
    """Why that profile is none here; empty where the model computes it, or may: `running` are objects that a command showed."""
    if dynamic is False:
        return {(PROFILE, COMPUTED): _TRADITIONAL}
    given = any(row.written or row.odd or "default_dynamic_th" in row.fields for row in rows)
    if not (dynamic and whole) or given or any(table == PROFILE for table, _ in running):
        return {}
    return {(PROFILE, COMPUTED): _NO_THRESHOLD}
