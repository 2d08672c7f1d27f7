"""What was odd in one CONFIG_DB: lines that nobody understood, rows that disagree, names that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from roce_audit.platforms.base import UNREAD_LINE, Seen, seen
from roce_audit.platforms.sonic.statements import shown
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.sonic.config import Database


def observations(database: Database) -> list[Seen]:
    """What was not understood, disagrees, or names what is not there. Ask after `ports`."""
    found = [_unread(text, place, ports) for (text, place), ports in database.unread.items()]
    for name, lines in database.object_unread.items():
        found += [_unread(text, place, database.users[name]) for text, place in lines]
    for (place, other, quote, text), them in database.disagreeing.items():
        found.append(seen("conflict", quote, text, place, quote, tuple(them), other))
    for port, (place, key) in database.strangers.items():
        if not database.headers:  # part of a configuration, taken for a whole one: that is one fault and not one a row
            clause = "there is no port at all in this configuration, so no row of it has an effect"
            found.append(seen("undefined", port, clause, place, key, ()))
            break
        clause = f"there is no {port} in this configuration, so this row has no effect"
        found.append(seen("undefined", port, clause, place, key, ()))
    found.extend(database.made.differing(database.by_table["BUFFER_PROFILE"]))
    if database.lack.is_complete("PORT"):
        found.extend(database.references.observations(tuple(database.headers)))
    return found


def _unread(text: str, place: Place, ports: Iterable[str]) -> Seen:
    quote = shown(text)
    return seen("unread-line", quote, UNREAD_LINE, place, quote, tuple(ports))
