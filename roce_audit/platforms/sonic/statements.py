"""Statements: one text per field of a row, without the names of ports, and what such a text says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from roce_audit.platforms.shared.leaves import number
from roce_audit.platforms.sonic.tables import NUMBERED, TABLES, Field, Table
from roce_audit.platforms.sonic.values import canonical, numbers

_SOUNDS_RELEVANT = re.compile(r"pfc|qos|mtu|speed|fec|autoneg|pause|lossless|ecn|wred|headroom|buffer|cable", re.I)
_IRRELEVANT = frozenset({"adv_speeds", "valid_speeds", "default_speed"})
"""What a port may run at, not what it runs at."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One field of one row. `field` is empty for the row itself; `value` is None where nothing is judged or understood."""

    table: str
    where: tuple[int, ...] = ()
    field: str = ""
    value: object = None
    unread: bool = False
    spoils: tuple[str, ...] = ()
    """Model paths, below the row's base, that are unknown because the statement is not understood."""


NO_OBJECT = "?"
"""Stands for the field of a row for which the JSON holds no object."""


def statement(table: str, where: str, field: str, value: object) -> str | None:
    """The text of one field; None for a field that is none of our business."""
    known = TABLES[table]
    if known.lenient and field not in known.fields and field != NO_OBJECT and not _concerns_us(known, field):
        return None
    place = " " + re.sub(r"\s", "_", where)[:40] if table in NUMBERED else ""
    return f"{table}{place} {re.sub(r'[ =]', '_', canonical(field))[:80]}={canonical(value)}"


def _concerns_us(table: Table, field: str) -> bool:
    """Whether an unknown field of a lenient table sounds like lossless settings, or like a field that we know."""
    if field in _IRRELEVANT:
        return False
    return _SOUNDS_RELEVANT.search(field) is not None or any(name in field for name in table.fields)


@lru_cache(maxsize=65_536)
def parse(text: str) -> Statement:
    """What a statement says. Never raises: what is not understood is `unread` and says what it spoils."""
    name, _, rest = text.partition(" ")
    table = TABLES[name]
    if not rest:
        return Statement(name)
    where: tuple[int, ...] = ()
    in_range = True
    if name in NUMBERED:
        place, _, rest = rest.partition(" ")
        try:
            where = numbers(place)
        except ValueError:
            in_range = False
    field, _, value = rest.partition("=")
    if table.entry is not None:
        return _entry(name, table.entry, field, value)
    if field == NO_OBJECT:
        every = " ".join(f.paths for f in table.fields.values())
        return Statement(name, where, field, None, True, tuple(dict.fromkeys(every.split())))
    known = table.fields.get(field)
    if known is None:
        return Statement(name, where, field, None, True, _guessed(table, field))
    try:
        if in_range:
            return Statement(name, where, field, known.read(value))
    except ValueError:
        pass
    return Statement(name, where, field, None, True, _spoils(known))


def _guessed(table: Table, field: str) -> tuple[str, ...]:
    """What an unknown field might set, by its words and by the known fields whose names it contains."""
    words = [table.by_word.get(word, "") for word in field.split("_")]
    alike = [known.paths for name, known in table.fields.items() if name in field]
    return tuple(dict.fromkeys(" ".join([table.paths, *words, *alike]).split()))


def _spoils(field: Field) -> tuple[str, ...]:
    return tuple(field.paths.split())


def _entry(name: str, most: tuple[int, int], key: str, value: str) -> Statement:
    """An entry of a map; `where` is its key. With a key that is none, no unlisted key can be judged."""
    try:
        where = (int(str(number(0, most[0])(key))),)
    except ValueError:
        return Statement(name, (), key, None, True)
    try:
        return Statement(name, where, key, number(0, most[1])(value))
    except ValueError:
        return Statement(name, where, key, None, True)
