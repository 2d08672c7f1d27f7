"""Uses of objects that say nothing of a port, and objects whose being unused is no news."""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.platforms.shared.references import References
from roce_audit.platforms.sonic.database import Row
from roce_audit.platforms.sonic.ports import CPU
from roce_audit.platforms.sonic.profilelists import named
from roce_audit.platforms.sonic.table import MAP_OF_FIELD, NAMES


def template_uses(rows: Iterable[Row], references: References) -> None:
    """Profile lists, tunnels, the CPU's queues."""
    for row in rows:
        if row.table.startswith("BUFFER_PORT_"):
            field = "profile_list@" if "profile_list@" in row.fields else "profile_list"
            for name in named(row.fields.get(field, "")):
                references.apply("BUFFER_PROFILE", name, row.place(field), row.key)
        elif row.table == "TUNNEL":
            for field, name in row.fields.items():
                table = MAP_OF_FIELD.get(field.removeprefix("decap_").removeprefix("encap_"))
                if table is not None:
                    references.apply(table, str(name), row.place(field), row.key)
        elif row.table == "QUEUE" and row.key.startswith(f"{CPU}|"):
            for field, name in row.fields.items():
                if ("QUEUE", field) in NAMES:
                    references.apply(NAMES["QUEUE", field], str(name), row.place(field), row.key)


def is_news(row: Row) -> bool:
    """Whether it is worth a line when nothing uses this object: the factory template defines more than it binds."""
    if row.table in ("SCHEDULER", "BUFFER_POOL"):
        return False
    if row.table == "BUFFER_PROFILE":
        return "xoff" in row.fields and not row.key.startswith("pg_lossless_")
    return row.table == "WRED_PROFILE" or not row.key.startswith("AZURE")
