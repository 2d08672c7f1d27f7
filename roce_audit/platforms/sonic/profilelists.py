"""Lists of the profiles of a whole port (BUFFER_PORT_INGRESS_PROFILE_LIST, BUFFER_PORT_EGRESS_PROFILE_LIST): one for each pool it uses.

They say how much all groups or queues of a port may take of a pool, besides what each of them may (sonic-swss, bufferorch.cpp).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.base import Seen, seen
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.sonic.config import Database

LISTS = {
    "BUFFER_PORT_INGRESS_PROFILE_LIST": "ingress_lossless_pool",
    "BUFFER_PORT_EGRESS_PROFILE_LIST": "egress_lossless_pool",
}
"""Table -> the pool of lossless traffic, whose name is fixed (sonic-swss, buffermgrdyn.cpp)."""
_NOTHING = "-8"
"""2^dynamic_th is the share of what is free; this one means 0."""
_FEWEST = 4
_MOST_DIFFERENT = 0.1


def named(value: object) -> list[str]:
    """The profiles that a list names, plain or in the older form `[BUFFER_PROFILE|name]`."""
    names = value if isinstance(value, list) else str(value).split(",")
    return [plain(name) for name in names if name]


def plain(reference: object) -> str:
    """The name in a reference, also in the older form `[TABLE|name]`."""
    return str(reference).strip().strip("[]").rpartition("|")[2]


def odd_lists(database: Database) -> Iterator[Seen]:
    """Ports with PFC whose list leaves the lossless pool out, or that have none, while those of nearly all others name it."""
    pausing = paused(database)
    if len(pausing) < _FEWEST:
        return
    profiles = {row.key: row for row in database.by_table["BUFFER_PROFILE"]}
    for table, pool in LISTS.items():
        of_pool = {name for name, row in profiles.items() if plain(row.fields.get("pool", "")) == pool}
        listing: dict[str, list[str]] = {}
        given: dict[str, tuple[bool, Place]] = {}
        for row in database.by_table[table]:
            listed = named(
                row.fields.get(field := "profile_list@" if "profile_list@" in row.fields else "profile_list", "")
            )
            for port in row.key.split(","):
                given[port] = not of_pool.isdisjoint(listed), row.place(field)
                for name in of_pool.intersection(listed) if port in pausing else ():
                    listing.setdefault(name, []).append(port)
        for name, ports in listing.items():
            if str(profiles[name].fields.get("dynamic_th", "")) == _NOTHING:
                text = f"dynamic_th {_NOTHING} of {name} is a share of 0, and {table} names it: the port gets nothing of {pool}"
                yield seen("conflict", name, text, profiles[name].place("dynamic_th"), name, tuple(ports))
        without = [port for port in pausing if not given.get(port, (False,))[0]]
        others = len(pausing) - len(without)
        if not without or len(without) > max(1, _MOST_DIFFERENT * len(pausing)):
            continue
        for port in without:
            has = "names no profile of" if port in given else "is missing; it would name a profile of"
            text = f"{table} of {port} {has} {pool}, as those of {others} other ports with PFC do"
            place = given[port][1] if port in given else pausing[port]
            yield seen("conflict", port, text, place, table, (port,))


def paused(database: Database) -> dict[str, Place]:
    """Ports that are up and pause for some priority, and where that is said."""
    up = {row.key for row in database.by_table["PORT"] if row.fields.get("admin_status") == "up"}
    return {
        port: row.place("pfc_enable")
        for row in database.by_table["PORT_QOS_MAP"]
        if row.fields.get("pfc_enable")
        for port in row.key.split(",")
        if port in up
    }
