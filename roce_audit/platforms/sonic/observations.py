"""What was odd in one CONFIG_DB: lines that nobody understood, rows that disagree, names that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.base import UNREAD_LINE, Seen, seen
from roce_audit.platforms.shared.ramps import Halves, Written, turned_round, without_idle
from roce_audit.platforms.sonic.lengths import lengths_without_rows
from roce_audit.platforms.sonic.profilelists import odd_lists, plain
from roce_audit.platforms.sonic.queuebuffers import lossless_among_lossy, queues_without_rows
from roce_audit.platforms.sonic.statements import shown
from roce_audit.platforms.sonic.table import SHOWN
from roce_audit.platforms.sonic.tunnels import tunnels_outside
from roce_audit.platforms.sonic.watchdogs import blind
from roce_audit.text.sentences import listed
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.sonic.config import Database


_MOST = 3
"""Names that a sentence holds."""
_NUMBER = re.compile(r"[0-9]{1,18}")


def observations(database: Database) -> list[Seen]:
    """What was not understood, disagrees, or names what is not there. Ask after `ports`."""
    found = [_unread(text, place, ports) for (text, place), ports in database.unread.items()]
    for name, lines in database.object_unread.items():
        found += [_unread(text, place, database.users[name]) for text, place in lines]
    for (place, other, quote, text), them in database.disagreeing.items():
        about = next(iter(them)) if quote.startswith(SHOWN) else quote
        found.append(seen("conflict", about, text, place, quote, tuple(them), other))
    found.extend(_strangers(database))
    found.extend(database.made.differing(database.by_table["BUFFER_PROFILE"]))
    found.extend(_other_direction(database))
    found.extend(lossless_among_lossy(database))
    found.extend(tunnels_outside(database))
    found.extend(blind(database.by_table["FLEX_COUNTER_TABLE"], database.by_table["PFC_WD"]))
    found.extend(database.answers.watchdogs.storms(database.headers))
    found.extend(database.answers.watchdogs.ended())
    found.extend(database.answers.watchdogs.thrown(database.by_table["PFC_WD"], database.headers))
    found.extend(database.answers.watchdogs.differing(database.by_table["PFC_WD"]))
    wrong = tuple(turned_round(_ramps(database)))
    if database.lack.is_complete("PORT"):
        found.extend(odd_lists(database))
        found.extend(lengths_without_rows(database))
        found.extend(queues_without_rows(database))
        found.extend(without_idle(database.references.observations(tuple(database.headers)), wrong))
    else:
        slips = database.references.slips(tuple(database.headers))
        # rows are written into a database that is there, where others may bind and define them: a repository shows no more of it
        found.extend(one for one in slips if not one.observation.kind.endswith("-here"))
    found.extend(wrong)
    return found


def _strangers(database: Database) -> Iterator[Seen]:
    """Rows of ports that are not there: those of one table are one slip, as after a port was split."""
    by_table: dict[str, list[str]] = {}
    for port, (_, key) in database.strangers.items():
        # part of a configuration, taken for a whole one: that is one fault and not one a table
        by_table.setdefault(key.partition("|")[0] if database.headers else "", []).append(port)
    for table, ports in by_table.items():
        place, key = database.strangers[ports[0]]
        clause = f"there is no {ports[0]} in this configuration, so this row has no effect"
        if not table:
            clause = "there is no port at all in this configuration, so no row of it has an effect"
        elif len(ports) > 1:
            clause = f"{table} has rows for ports that are not in this configuration, which have no effect: {listed(ports, _MOST)}"
        yield seen("undefined", ports[0], clause, place, key, ())


def _other_direction(database: Database) -> Iterator[Seen]:
    """Groups into which packets come, with a profile whose pool is one for packets that leave.

    Not the reverse: where packets wait by the port they came in (VOQ), queues do lie in the pool for what comes in. A switch that has
    one pool for all, and drops what does not find room in it, may call it one for what leaves.
    """
    profiles = {row.key: row for row in database.by_table["BUFFER_PROFILE"]}
    pools = {row.key: row for row in database.by_table["BUFFER_POOL"]}
    has_others = any(row.fields.get("type") != "egress" for row in pools.values())
    told: dict[str, list[str]] = {}
    for row in database.by_table["BUFFER_PG"]:
        profile = profiles.get(plain(row.fields.get("profile", "")))
        if profile is None:
            continue
        pool = plain(profile.fields.get("pool", ""))
        is_meant = not has_others and "xoff" not in profile.fields
        if pool in pools and str(pools[pool].fields.get("type", "")) == "egress" and not is_meant:
            told.setdefault(pool, []).append(row.key.partition("|")[0])
    for pool, ports in told.items():
        text = f"{pool} is a pool for packets that leave (type egress), and profiles of buffer groups (BUFFER_PG) lie in it"
        yield seen("conflict", pool, text, pools[pool].place("type"), pool, tuple(dict.fromkeys(ports)))


def _ramps(database: Database) -> Iterator[Written]:
    """The thresholds of WRED profiles that reach no queue."""
    for row in database.by_table["WRED_PROFILE"]:
        if database.references.reaches_port((row.table, row.key)):
            continue
        halves = Halves(row.key, f"{row.table}|{row.key}")
        for colour in ("green", "yellow", "red"):
            low, high = f"{colour}_min_threshold", f"{colour}_max_threshold"
            ends = [str(row.fields.get(field, "")) for field in (low, high)]
            if all(_NUMBER.fullmatch(end) for end in ends):
                halves.low(colour, int(ends[0]), "bytes")
                halves.high(colour, int(ends[1]), "bytes", row.place(high), f"{high}: {ends[1]}")
        yield from halves.written()


def _unread(text: str, place: Place, ports: Iterable[str]) -> Seen:
    quote = shown(text)
    return seen("unread-line", quote, UNREAD_LINE, place, quote, tuple(ports))
