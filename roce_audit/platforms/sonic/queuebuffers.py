"""Lossless queues without a row in BUFFER_QUEUE on ports whose other queues have one: how much of the pool such a queue may take is then
left to the chip, and what PFC keeps from being dropped on the way in can be dropped on the way out.

The templates that are shipped give each queue of a port a row (sonic-buildimage, files/build_templates/buffers_config.j2).
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

_MOST = 3
"""Names that a sentence holds."""


def queues_without_rows(database: Database) -> Iterator[Seen]:
    """All ports that lack a row for the same queue, at the line where the first of them says that it pauses."""
    kept = _kept(database)
    maps = {row.key: row.fields for row in database.by_table["MAP_PFC_PRIORITY_TO_QUEUE"]}
    found: dict[str, list[tuple[str, Place]]] = defaultdict(list)
    for row in database.by_table["PORT_QOS_MAP"]:
        queue_of = maps.get(plain(row.fields.get("pfc_to_queue_map", "")), {})
        queues = {str(queue_of.get(one, one)) for one in row.paused}
        for port in row.key.split(","):
            for queue in sorted(queues - kept[port]) if port in kept else ():
                found[queue].append((port, row.place("pfc_enable")))
    for queue, its in found.items():
        ports = tuple(port for port, _ in its)
        text = (
            f"BUFFER_QUEUE has rows for other queues of {listed(ports, _MOST)} and none for queue {queue}, which PFC pauses: how much"
            " may wait there is left to the chip, and what does not find room is dropped"
        )
        yield seen("conflict", ports[0], text, its[0][1], f"BUFFER_QUEUE queue {queue}", ports)


def _kept(database: Database) -> dict[str, set[str]]:
    """Port -> the queues for which it has a row; one whose rows are not all understood is left out."""
    kept: dict[str, set[str]] = defaultdict(set)
    unclear: set[str] = set()
    for row in database.by_table["BUFFER_QUEUE"]:
        ports, _, queues = row.key.rpartition("|")
        its = [str(number) for number in numbers(queues)]
        for port in ports.split(","):
            kept[port].update(its)
            unclear |= set() if its else {port}
    return {port: queues for port, queues in kept.items() if port not in unclear}
