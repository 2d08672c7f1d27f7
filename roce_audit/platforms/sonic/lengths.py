"""Cable lengths for which no lossless group is made: in the traditional buffer model a length must have a row in the SKU's table."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.sonic.profilelists import paused, plain
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.sonic.config import Database

SHIPPED_METRES = frozenset({1, 2, 5, 30, 40, 50, 60, 100, 150, 200, 250, 300, 500, 1000, 1500, 2000, 80000, 120000})
"""Lengths of the rows of all tables that are shipped (sonic-buildimage, device/**/pg_profile_lookup.ini)."""
_UNPUBLISHED = ("cisco",)
"""Parts of the names of platforms whose tables are not among them."""
_LENGTH = re.compile(r"([0-9]{1,6})m")


def lengths_without_rows(database: Database) -> Iterator[Seen]:
    """Ports that pause, whose length is in no table, and whose group has no profile of its own. Their table is not at hand."""
    if database.dynamic is not False or database.made.state != "none" or _is_unpublished(database):
        return
    ports = paused(database)
    profiled = _profiled(database)
    found: dict[int, list[tuple[str, Place]]] = defaultdict(list)
    for row in database.by_table["CABLE_LENGTH"]:
        for port, length in row.fields.items():
            match = _LENGTH.fullmatch(str(length))
            if match is None or port not in ports or port in profiled:
                continue
            metres = int(match[1])
            if metres and metres not in SHIPPED_METRES:
                found[metres].append((port, row.place(port)))
    for metres, its in found.items():
        text = (
            f"no table of headrooms that SONiC ships has a row for {metres} m (most have 5, 40 and 300), and of lengths that are not"
            " in the switch's table no lossless group is made"
        )
        yield seen("conflict", its[0][0], text, its[0][1], f"CABLE_LENGTH {metres}m", tuple(port for port, _ in its))


def _profiled(database: Database) -> set[str]:
    """Ports of which a group has a profile with a headroom that is written."""
    lossless = {row.key for row in database.by_table["BUFFER_PROFILE"] if "xoff" in row.fields}
    return {
        port
        for row in database.by_table["BUFFER_PG"]
        if plain(row.fields.get("profile", "")) in lossless
        for port in row.key.partition("|")[0].split(",")
    }


def _is_unpublished(database: Database) -> bool:
    names = {str(row.fields.get("platform", "")).lower() for row in database.by_table["DEVICE_METADATA"]}
    return any(part in name for name in names for part in _UNPUBLISHED)
