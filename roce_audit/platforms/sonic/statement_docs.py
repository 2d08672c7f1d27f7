"""The tables of CONFIG_DB as statements."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.sonic.tables import SHOWN, TABLES
from roce_audit.platforms.statement_docs import Statement

_USED_AT = {
    "SCHEDULER": "queues.*",
    "WRED_PROFILE": "queues.*.ecn",
    "BUFFER_PROFILE": "groups.*",
    "BUFFER_POOL": "groups.*.pool",
}
"""Table of objects -> where in the model of a port what it says ends up."""
_MAPS = {
    "DSCP_TO_TC_MAP": "dscp.*",
    "DOT1P_TO_TC_MAP": "pcp.*",
    "TC_TO_QUEUE_MAP": "classes.*.queue",
    "TC_TO_PRIORITY_GROUP_MAP": "classes.*.group",
    "MAP_PFC_PRIORITY_TO_QUEUE": "priorities.*.queue",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": "priorities.*.group",
    "TC_TO_DSCP_MAP": "rewrites_dscp classes.*.new_dscp",
}


def statements() -> Iterator[Statement]:
    """Table by table, field by field."""
    for name, table in TABLES.items():
        base = table.base or _USED_AT.get(name, "")
        where = "answers of show commands" if name == SHOWN else name
        if table.entry is not None:
            yield Statement(where, "(entries)", tuple(_MAPS.get(name, "").split()))
        for words, field in table.fields.items():
            yield Statement(where, words, tuple(_below(base, path) for path in field.paths.split()))


def _below(base: str, path: str) -> str:
    return f"{base}.{path}" if base else path
