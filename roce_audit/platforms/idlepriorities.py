"""A NIC that counted RDMA packets and next to none of a priority that it pauses: its RoCE goes by another one.

Both kinds of counters count from when the driver was loaded. Those of priorities count every packet on the wire, of RDMA or not: where they
are fewer than the RDMA packets, they were cleared since, and say nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from roce_audit.model import Port
from roce_audit.model.counts import Count
from roce_audit.values import Place

CARRIED = "priorities.{n}.packets"
USED = frozenset(
    {
        "rdma_packets",
        "cnps_sent",
        "cnps_handled",
        "marked_received",
        "out_of_sequence",
        "sequence_errors",
        "ack_timeouts",
    }
)
"""What only RDMA counts."""
_ENOUGH = 1_000
"""RDMA packets, or what came of them (source: unverified): fewer are those of a trial."""
_WAYS = 2
_FEW = 100
"""One packet of a paused priority in so many of RDMA is one of a trial, or of a ping (source: unverified)."""


def idle_priorities(counts: Iterable[Count], ports: Mapping[str, tuple[str, Port]]) -> Iterator[tuple[str, int, Place]]:
    """(port, RDMA packets or what came of them, line of a paused priority that counted next to nothing)."""
    carried: dict[str, dict[int, list[Count]]] = defaultdict(lambda: defaultdict(list))
    used: dict[str, int] = defaultdict(int)
    for count in counts:
        name = ports.get(count.port.lower(), ("", None))[0]
        if count.value is None or not name:
            continue
        table, _, leaf = count.name.rpartition(".")
        if leaf == "packets" and table.startswith("priorities."):
            carried[name][int(table[-1])].append(count)
        elif count.name in USED:
            used[name] = max(used[name], count.value)
    for name, by_priority in carried.items():
        paused = _paused(ports[name.lower()][1])
        its = [by_priority.get(number, []) for number in paused]
        others = sum(count.value or 0 for number, both in by_priority.items() if number not in paused for count in both)
        is_idle = all(
            len(both) == _WAYS and sum(count.value or 0 for count in both) * _FEW < used[name] for both in its
        )
        if its and is_idle and others >= used[name] >= _ENOUGH:
            yield name, used[name], its[0][0].place


def _paused(facts: Port) -> list[int]:
    return sorted(facts.pfc.get().priorities.or_else(frozenset())) if facts.pfc.is_known else []
