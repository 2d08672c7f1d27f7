"""What BUFFER_QUEUE keeps for queues that PFC pauses: what is not dropped on the way in can be dropped on the way out.

A port whose other queues have a row leaves to the chip how much of the pool a queue without one may take; and a queue in the pool of
lossy traffic finds it full, whatever its own limit is. The templates that are shipped give each queue of a port a row, and lossless ones
a pool of their own (sonic-buildimage, files/build_templates/buffers_config.j2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.sonic.profilelists import plain
from roce_audit.platforms.sonic.running import numbers
from roce_audit.text.sentences import listed
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.sonic.config import Database
    from roce_audit.platforms.sonic.database import Row

_MOST = 3
"""Names that a sentence holds."""


def queues_without_rows(database: Database) -> Iterator[Seen]:
    """All ports that lack a row for the same queue, at the line where the first of them says that it pauses."""
    kept = _kept(database)
    found: dict[str, list[tuple[str, Place]]] = defaultdict(list)
    for port, queue, place in _paused(database):
        if port in kept and queue not in kept[port]:
            found[queue].append((port, place))
    for queue, its in found.items():
        ports = tuple(port for port, _ in its)
        text = (
            f"BUFFER_QUEUE has rows for other queues of {listed(ports, _MOST)} and none for queue {queue}, which PFC pauses: how much"
            " may wait there is left to the chip, and what does not find room is dropped"
        )
        yield seen("conflict", ports[0], text, its[0][1], f"BUFFER_QUEUE queue {queue}", ports)


def lossless_among_lossy(database: Database) -> Iterator[Seen]:
    """Profiles of queues that PFC pauses, and those that are named lossless, in the pool of lossy traffic beside one of their own."""
    pools = {row.key for row in database.by_table["BUFFER_POOL"]}
    strangers: dict[str, tuple[Row, str, str]] = {}
    for row in database.by_table["BUFFER_PROFILE"]:
        pool = plain(row.fields.get("pool", ""))
        own = pool.replace("lossy", "lossless")
        if own != pool and {own, pool} <= pools:
            strangers[row.key] = row, pool, own
    if not strangers:
        return
    kept = _kept(database)
    bound: dict[str, dict[str, Row]] = defaultdict(dict)
    served: set[str] = set()
    for port, queue, _ in _paused(database):
        its = kept.get(port, {}).get(queue)
        if its is not None:
            profile = plain(its.fields.get("profile", ""))
            bound[profile][port] = its
            served |= set() if profile in strangers else {port}
    for name, (row, pool, own) in strangers.items():
        pausing = bound.get(name, {})
        ports = tuple(pausing) or tuple(database.users.get(("BUFFER_PROFILE", name), ()))
        is_named = "lossless" in name and "lossy" not in name
        if pausing or is_named:
            whose = f" of queues that PFC pauses ({listed(ports, _MOST)})" if pausing else ""
            text = f"profile {name}{whose} lies in {pool}, which lossy traffic can fill, and not in {own}"
            bound_at = dict.fromkeys(its.place("profile") for its in pausing.values())
            first, *others = (row.place("pool"), *bound_at) if is_named else bound_at
            # a port with another paused queue that has its room may pause this one for nothing
            is_lost = not pausing.keys() <= served
            yield seen("unprotected" if is_lost else "conflict", name, text, first, pool, ports, *others)


def _paused(database: Database) -> Iterator[tuple[str, str, Place]]:
    """Each queue of a port that PFC pauses, and where."""
    maps = {row.key: row.fields for row in database.by_table["MAP_PFC_PRIORITY_TO_QUEUE"]}
    for row in database.by_table["PORT_QOS_MAP"]:
        queue_of = maps.get(plain(row.fields.get("pfc_to_queue_map", "")), {})
        queues = sorted({str(queue_of.get(one, one)) for one in row.paused})
        yield from ((port, queue, row.place("pfc_enable")) for port in row.key.split(",") for queue in queues)


def _kept(database: Database) -> dict[str, dict[str, Row]]:
    """Port -> the rows of its queues; one whose rows are not all understood is left out."""
    kept: dict[str, dict[str, Row]] = defaultdict(dict)
    unclear: set[str] = set()
    for row in database.by_table["BUFFER_QUEUE"]:
        ports, _, queues = row.key.rpartition("|")
        its = [str(number) for number in numbers(queues)]
        for port in ports.split(","):
            kept[port].update(dict.fromkeys(its, row))
            unclear |= set() if its else {port}
    return {port: queues for port, queues in kept.items() if port not in unclear}
