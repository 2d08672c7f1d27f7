"""Tunnels between the two switches of a pair (dual ToR), whose maps stand in place of a port's: what is lossless must stay lossless.

A packet that goes in gets a queue and an outer DSCP by its traffic class. For one that comes out the map of the tunnel gives the class
by the inner DSCP, and the buffer group by that class (sonic-net/SONiC, doc/qos/tunnel_dscp_remapping.md).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.sonic.database import Row
from roce_audit.platforms.sonic.profilelists import plain
from roce_audit.platforms.sonic.table import MAP_OF_FIELD
from roce_audit.records import dataclass

if TYPE_CHECKING:
    from roce_audit.platforms.sonic.config import Database

_TO_QUEUE, _TO_DSCP, _TO_CLASS, _TO_GROUP = (
    "encap_tc_to_queue_map",
    "encap_tc_to_dscp_map",
    "decap_dscp_to_tc_map",
    "decap_tc_to_pg_map",
)

_OF_PORT = ("dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map")
_EVERY_MAP = 3
"""The maps to a queue, a DSCP and a group."""


@dataclass(frozen=True, slots=True)
class _Pausing:
    """What a port with PFC protects, as numbers are written."""

    classes: frozenset[str]
    class_of: dict[str, str]
    """DSCP -> traffic class."""
    queues: frozenset[str]
    groups: frozenset[str]
    group_of: dict[str, str]
    """Traffic class -> buffer group."""


def tunnels_outside(database: Database) -> Iterator[Seen]:
    """Tunnels that take packets of a class which every port with PFC protects out of what is protected."""
    tunnels = [row for row in database.by_table["TUNNEL"] if row.fields.get("dscp_mode") == "pipe"]
    ports = list(_pausing(database)) if tunnels else []
    if ports:
        for tunnel in tunnels:
            numbers = sorted(frozenset.intersection(*[port.classes for port in ports]))
            for number in numbers:
                yield from _odd(database, tunnel, number, ports)
            yield from _unlike_twins(database, tunnel, numbers)


def _pausing(database: Database) -> Iterator[_Pausing]:
    rows = {row.key: row for row in database.by_table["PORT_QOS_MAP"]}
    for row in rows.values():
        priorities = row.paused
        group_of, queue_of = _map(database, row, "tc_to_pg_map"), _map(database, row, "pfc_to_queue_map")
        marks = _map(database, row, "dscp_to_tc_map") or _map(database, rows.get("global", row), "dscp_to_tc_map")
        if not priorities or group_of is None or queue_of is None or marks is None:
            continue
        other = _map(database, row, "pfc_to_pg_map")
        groups = frozenset(str(other.fields.get(one, "")) if other is not None else one for one in priorities)
        yield _Pausing(
            frozenset(number for number, group in group_of.fields.items() if str(group) in groups),
            {dscp: str(number) for dscp, number in marks.fields.items()},
            frozenset(str(queue_of.fields.get(one, "")) for one in priorities),
            groups,
            {number: str(group) for number, group in group_of.fields.items()},
        )


def _stopped_as_another(
    database: Database, tunnel: Row, number: str, ports: list[_Pausing]
) -> Iterator[tuple[Row, str, str, str]]:
    """A buffer group of what comes out whose pause stops another priority than the one with which the outer DSCP was sent."""
    outer, comes_out = _map(database, tunnel, _TO_DSCP), _map(database, tunnel, _TO_GROUP)
    if outer is None or comes_out is None or number not in outer.fields or number not in comes_out.fields:
        return
    mark, group = str(outer.fields[number]), str(comes_out.fields[number])
    sent = {p.group_of.get(p.class_of[mark]) for p in ports if p.class_of.get(mark) in p.classes}
    if sent and group not in sent:
        other = " or ".join(sorted(map(str, sent)))
        clause = f"comes out in buffer group {group}, and its outer DSCP {mark} is of group {other} at the ports"
        yield comes_out, number, group, f"{clause}: pause stops another priority than these packets have"


def _unlike_twins(database: Database, tunnel: Row, numbers: list[str]) -> Iterator[Seen]:
    """Ports that obey no pause for a queue of what is tunnelled, where most ports with the same maps do: by these the class is lost."""
    found = _map(database, tunnel, _TO_QUEUE)
    queues = {queue for number in numbers if found is not None and (queue := str(found.fields.get(number, "")))}
    alike: dict[tuple[str, ...], list[tuple[Row, frozenset[str]]]] = defaultdict(list)
    for row in database.by_table["PORT_QOS_MAP"] if queues else ():
        queue_of = _map(database, row, "pfc_to_queue_map")
        if queue_of is not None and row.key in database.headers:
            obeyed = frozenset(queues & {str(queue_of.fields.get(one, "")) for one in row.paused})
            alike[tuple(plain(row.fields.get(field, "")) for field in _OF_PORT)].append((row, obeyed))
    for ports in alike.values():
        usual, times = Counter(obeyed for _, obeyed in ports).most_common(1)[0]
        for row, obeyed in ports if times * 2 > len(ports) else ():
            if missing := sorted(usual - obeyed):
                text = (
                    f"in tunnel {tunnel.key} packets of a class that is lossless on every port with PFC leave in queue"
                    f" {' or '.join(missing)}, for which {row.key} obeys no pause, unlike {times} ports with the same maps"
                )
                place = row.place("pfc_enable" if "pfc_enable" in row.fields else None)
                yield seen("unprotected", tunnel.key, text, place, f"PORT_QOS_MAP|{row.key} pfc_enable", (row.key,))


def _map(database: Database, row: Row, field: str) -> Row | None:
    """The map that a field of a port's or tunnel's row names."""
    table = MAP_OF_FIELD[field.removeprefix("encap_").removeprefix("decap_")]
    name = plain(row.fields.get(field, ""))
    return next((one for one in database.by_table[table] if one.key == name), None)


def _odd(database: Database, tunnel: Row, number: str, ports: list[_Pausing]) -> Iterator[Seen]:
    """What a tunnel does with a protected class; of a map that is not there or leaves the class out nothing is told.

    Maps that all lead it to one other number are meant so, and it is the pause of that number that is missing: that is told once.
    """
    marks = [
        dscp for dscp, led in ports[0].class_of.items() if all(p.class_of.get(dscp) == led == number for p in ports)
    ]
    outer = {dscp for port in ports for dscp, led in port.class_of.items() if led in port.classes}
    queues, groups = frozenset.union(*[p.queues for p in ports]), frozenset.union(*[p.groups for p in ports])
    its = f"in tunnel {tunnel.key} traffic class {number}, which is lossless on every port with PFC"
    odd: list[tuple[Row, str, str, str]] = []
    for field, keys, right, clause in (
        (_TO_QUEUE, [number], queues, "leaves in queue {}, for which no port obeys pause"),
        (_TO_DSCP, [number], outer, "gets the outer DSCP {}, which no port puts in a lossless class"),
        (_TO_CLASS, marks, {number}, "comes out in traffic class {}"),
        (_TO_GROUP, [number], groups, "comes out in buffer group {}, for which no port sends pause"),
    ):
        found = _map(database, tunnel, field)
        if found is None:
            continue
        for key in keys:
            given = str(found.fields.get(key, ""))
            if given and given not in right:
                odd.append((found, key, given, clause.format(given)))
    if not odd:
        odd += _stopped_as_another(database, tunnel, number, ports)
    if len(odd) == _EVERY_MAP and len({given for _, _, given, _ in odd}) == 1:
        row, key, given, _ = odd[0]
        odd = [(row, key, given, f"goes by queue, outer DSCP and buffer group {given}, which no port pauses")]
    for row, key, given, clause in odd:
        quote = f"{row.table}|{row.key} {key}={given}"
        yield seen("unprotected", tunnel.key, f"{its}, {clause}", row.place(key), quote, tuple(database.headers))
