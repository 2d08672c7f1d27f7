"""How SONiC is told: fields and rows of the configuration database, as JSON patches (SONiC command reference, config apply-patch)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Change, Edit, Texts, line_at, together
from roce_audit.platforms.shared.cli.codelines import CODE
from roce_audit.platforms.shared.json_lines import opening, value_of, with_value, without
from roce_audit.platforms.sonic.database import Row, rows
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.structured.indented import blanks
from roce_audit.text.structured.jsontext import JsonError, JsonText, parse
from roce_audit.values import Place

_OF_PORTS = (
    "PORT",
    "PORT_QOS_MAP",
    "QUEUE",
    "BUFFER_PG",
    "BUFFER_QUEUE",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "PFC_WD",
    "CABLE_LENGTH",
)
_IDENTITY = frozenset({"alias", "lanes", "description", "index"})
"""What tells one port from the next."""
_NEEDED = frozenset({("PORT", "lanes"), ("PORT", "speed")})
"""Fields without which a row is refused (sonic-yang-models sonic-port.yang: mandatory)."""
_KEPT = frozenset({"CABLE_LENGTH", "BUFFER_POOL"})
"""Without the length of its cable a port gets no lossless group at all; a pool without its size or headroom is another pool for all."""
_WORDS: Mapping[str, Callable[[object], str]] = {
    "port.ip_mtu_bytes": str,
    "port.cable_m": lambda value: f"{math.ceil(float(str(value)))}m",
    "hop.group.headroom_bytes": str,
    "hop.group.reserved_bytes": str,
    "hop.queue.share": str,
    "cnp_hop.queue.scheduling": lambda value: str(value).upper(),
}
"""Model path -> how its value is written in the field that says it."""
_MARKS = ("hop.queue.ecn.marks", "cnp_hop.queue.ecn.marks")
_LISTED = ("echo '[", "]' | sudo config apply-patch /dev/stdin")
_WATCHED = ("port.pfc.watchdog.on", "port.pfc.watchdog.priorities")
_ALL_COLOURS = "ecn_all"
"""As files/build_templates/qos_config.j2 of sonic-buildimage ships it; WRED says for itself which colours it is on for."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """A field of a row ("" = the row itself), found by its line."""

    row: Row
    field: str

    @property
    def path(self) -> tuple[str | int, ...]:
        return (*self.row.path, self.field) if self.field else self.row.path


class SonicRepairs:
    """Changes of config_db.json, where it is written one field a line, as SONiC itself writes it."""

    before: Sequence[str] = ()
    after: Sequence[str] = ("sudo config save -y",)
    whole_lines: bool = True
    listing: tuple[str, str] = _LISTED
    cautions: Mapping[str, str] = {
        "/BUFFER_PROFILE/": "every port and group that names the profile gets its buffers anew",
        "/BUFFER_POOL/": "the pool is that of all ports",
        "/WRED_PROFILE/": "every queue that names the profile gets its curve anew",
        "/SCHEDULER/": "every queue that names the scheduler is served anew",
        "_TO_": "every port that names the map goes by it",
    }

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """The value in the field that says it now."""
        if path in _MARKS and value is True:
            return _marking(places, texts)
        if path in _WATCHED:
            return _watching(places, texts)
        code = CODE.fullmatch(path)
        if code is not None:
            return _led(code[1], str(value), places, texts)
        write = _WORDS.get(path)
        if write is None or not places:
            return []
        spot = _spot(places[0], texts)
        if spot is None or not spot.field:
            return []
        changes = _set(spot, write(value), places[0], texts)
        return [together([*_reserved_with(spot, write(value), texts), *changes])] if changes else []

    def rewrite(self, path: str, value: object, places: Sequence[Place], texts: Texts) -> list[Change]:
        """Nobody sets a switch up by a host's script."""
        return []

    def like(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The similar port's field or row under the name of this port."""
        if not wanted:
            return self._all_of_similar(port, similar, texts)
        spot = _spot(wanted[0], texts)
        return [] if spot is None else list(_copied(spot, port, similar, texts))

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """Names alone do not say which queue or group of a port an object is for."""
        return []

    def mirror(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The other switch's field or row, under the same name; then the rows of those fields whole."""
        found: list[Change] = []
        whole: list[Change] = []
        for place in wanted:
            spot = _spot(place, texts)
            if spot is None or place.path == port.header.path:
                continue
            found += _said_here(spot, spot.row.key, port.header.path, texts)
            fields = list(_said_here(_Spot(spot.row, ""), spot.row.key, port.header.path, texts)) if spot.field else []
            whole += [together(fields)] if len(fields) > 1 else []
        return [*found, *([together(found)] if len(found) > 1 else []), *whole]

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """The field or the row taken out of its object."""
        spot = _spot(place, texts)
        if spot is None or spot.row.table in _KEPT or (spot.row.table, spot.field) in _NEEDED:
            return []
        return list(_removed(spot, place, texts))

    def rename(self, port: PortReading, place: Place, names: Mapping[str, str], texts: Texts) -> list[Change]:
        """The field with the other name or number."""
        spot = _spot(place, texts)
        said = spot.row.fields.get(spot.field) if spot is not None else None
        return (
            _set(spot, names[said], place, texts)
            if spot is not None and isinstance(said, str) and said in names
            else []
        )

    def _all_of_similar(self, port: PortReading, similar: PortReading, texts: Texts) -> list[Change]:
        found = _database(similar.header.path, texts)
        by_table: list[Change] = []
        for table in _OF_PORTS:
            spots = [
                _Spot(row, "")
                for row in (found[1] if found else ())
                if row.table == table and _names(row, similar.name)
            ]
            copied = [change for spot in spots for change in _copied(spot, port, similar, texts)]
            if copied:
                by_table.append(together(copied))
        return [*by_table, together(by_table)] if len(by_table) > 1 else by_table


def _names(row: Row, port: str) -> bool:
    return port in re.split(r"[|,]", row.key)


@lru_cache(maxsize=16)
def _parsed(path: str, text: str) -> tuple[JsonText, tuple[Row, ...]] | None:
    try:
        found = parse(text)
    except JsonError:
        return None
    return found, tuple(rows(Document(path, text), found))


def _database(path: str, texts: Texts) -> tuple[JsonText, tuple[Row, ...]] | None:
    return _parsed(path, "\n".join(texts.get(path, ())))


def _spot(place: Place, texts: Texts) -> _Spot | None:
    found = _database(place.path, texts)
    for row in found[1] if found is not None else ():
        if row.place() == place:
            return _Spot(row, "")
        for field in row.fields:
            if row.place(field) == place:
                return _Spot(row, field)
    return None


def _renamed(key: str, similar: str, port: str) -> str:
    return "".join(port if part == similar else part for part in re.split(r"([|,])", key))


def _copied(spot: _Spot, port: PortReading, similar: PortReading, texts: Texts) -> Iterator[Change]:
    """What the similar port's row says, said for the port."""
    if _names(spot.row, similar.name):
        yield from _said_here(spot, _renamed(spot.row.key, similar.name, port.name), port.header.path, texts)


def _said_here(spot: _Spot, key: str, path: str, texts: Texts) -> Iterator[Change]:
    """What a row says, under this key of the same table in this file: fields set or added, or the row added."""
    row = spot.row
    found = _database(path, texts)
    mine = next((r for r in (found[1] if found else ()) if r.table == row.table and r.key == key), None)
    if mine is None:
        yield from _add_row(row, key, path, texts)
        return
    for field in (spot.field,) if spot.field else tuple(row.fields):
        value = row.fields.get(field)
        if field in _IDENTITY or value is None:
            continue
        if field not in mine.fields:
            yield from _add_field(mine, field, value, texts)
        elif mine.fields[field] != value:
            yield from _set(_Spot(mine, field), str(value), mine.place(field), texts)


def _set(spot: _Spot, value: str, place: Place, texts: Texts) -> list[Change]:
    old = line_at(place, texts)
    before, new = value_of(old), with_value(old, value)
    if new is None:
        return []
    edit = Edit(place.path, place.line, old, new)
    return [Change((edit,), (_patch("replace", spot.path, value),), (_patch("replace", spot.path, before),))]


def _marking(places: Sequence[Place], texts: Texts) -> list[Change]:
    """ECN turned on in the profile that says nothing of it or another thing, as the shipped template has it."""
    spots = [(place, spot) for place in places if (spot := _spot(place, texts)) is not None]
    for place, spot in spots:
        if (spot.row.table, spot.field) == ("WRED_PROFILE", "ecn"):
            return _set(spot, _ALL_COLOURS, place, texts)
    named = {(place.path, spot.row.fields.get("wred_profile")) for place, spot in spots}
    for path in dict.fromkeys(place.path for place, _ in spots):
        found = _database(path, texts)
        for row in found[1] if found is not None else ():
            if row.table == "WRED_PROFILE" and (path, row.key) in named and "ecn" not in row.fields:
                return list(_add_field(row, "ecn", _ALL_COLOURS, texts))
    return []


def _led(code: str, value: str, places: Sequence[Place], texts: Texts) -> list[Change]:
    """A code point led to another class, in the map that leads it now."""
    for place in places:
        spot = _spot(place, texts)
        if spot is not None and (spot.row.table, spot.field) == ("DSCP_TO_TC_MAP", code):
            return _set(spot, value, place, texts)
    return []


def _watching(places: Sequence[Place], texts: Texts) -> list[Change]:
    """The watchdog for the priorities that the port pauses, where a line has it watch none, or others."""
    for place in places:
        spot = _spot(place, texts)
        if spot is not None and (spot.row.table, spot.field) == ("PORT_QOS_MAP", "pfcwd_sw_enable"):
            paused = spot.row.fields.get("pfc_enable")
            return _set(spot, paused, place, texts) if isinstance(paused, str) and paused else []
    return []


def _reserved_with(spot: _Spot, value: str, texts: Texts) -> list[Change]:
    """Where `size` holds a profile's headroom, it changes by as much; with a shared headroom pool it is XON alone.

    SONiC command reference, config buffer profile: without a shared headroom pool, size is xon + xoff.
    """
    if (spot.row.table, spot.field) != ("BUFFER_PROFILE", "xoff"):
        return []
    said = [str(spot.row.fields.get(field, "")) for field in ("size", "xon", "xoff")]
    if not all(text.isdecimal() for text in (*said, value)):
        return []
    size, xon, xoff = map(int, said)
    if size < xoff or size == xon:
        return []
    return _set(_Spot(spot.row, "size"), str(size - xoff + int(value)), spot.row.place("size"), texts)


def _add_field(row: Row, field: str, value: object, texts: Texts) -> Iterator[Change]:
    place, lines = row.place(), texts.get(row.place().path, ())
    if opening(line_at(place, texts)) is None or not row.fields:
        return
    text = f"{blanks(lines[place.line])}{json.dumps(field)}: {json.dumps(value)},"
    path = (*row.path, field)
    yield Change((Edit(place.path, place.line, None, text),), (_patch("add", path, value),), (_patch("remove", path),))


def _add_row(row: Row, key: str, path: str, texts: Texts) -> Iterator[Change]:
    """The row under another key, as the first of its table."""
    found = _database(path, texts)
    namesake = next((r for r in (found[1] if found else ()) if r.table == row.table), None)
    if namesake is None or row.key not in str(row.path[-1]):
        return
    before = namesake.place()
    start = opening(line_at(before, texts))
    if start is None:
        return
    inner = blanks(texts[path][before.line])
    name = str(row.path[-1]).replace(row.key, key)
    fields = [f"{inner}{json.dumps(field)}: {json.dumps(value)}," for field, value in row.fields.items()]
    fields[-1:] = [text[:-1] for text in fields[-1:]]
    block = [f"{start}{json.dumps(name)}: {{", *fields, f"{start}}},"]
    pointer = (*namesake.path[:-1], name)
    edit = Edit(path, before.line - 1, None, "\n".join(block))
    yield Change((edit,), (_patch("add", pointer, row.fields),), (_patch("remove", pointer),))


def _removed(spot: _Spot, place: Place, texts: Texts) -> Iterator[Change]:
    lines = texts.get(place.path, ())
    end = place.line if spot.field else spot.row.json.last_line_of(spot.path)
    first, last = lines[place.line - 1], lines[end - 1]
    if value_of(first) is None if spot.field else opening(first) is None or last.strip() not in ("}", "},"):
        return
    value = spot.row.fields if not spot.field else spot.row.fields[spot.field]
    edits = tuple(without(place.path, lines, place.line, end))
    yield Change(edits, (_patch("remove", spot.path),), (_patch("add", spot.path, value),))


def _patch(op: str, path: Sequence[str | int], value: Any = None) -> str:
    pointer = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
    operation: Mapping[str, Any] = {"op": op, "path": pointer} | ({} if op == "remove" else {"value": value})
    return json.dumps(operation).replace("'", r"'\''").join(_LISTED)


REPAIRS = SonicRepairs()
