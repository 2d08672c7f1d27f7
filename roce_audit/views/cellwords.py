"""Cells in words: the value, and the line, citation or reason behind it. Quoted lines lose their secrets here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from roce_audit.fabric.classes.majority import INFERRED
from roce_audit.report.words import position
from roce_audit.text.secrets.redact import REDACTED, redact
from roce_audit.text.sentences import runs
from roce_audit.values import Cell, Cited, Place

Quote = Callable[[Place], str]
"""The text of a line."""

PLACES_SHOWN = 3


def value(cell: Cell[Any]) -> str:
    """`9214`, `3, 4`, `yes`, `none` for an absence, `unknown (not visible)`."""
    if cell.why is not None:
        return "none" if cell.is_absent else f"unknown ({cell.why})"
    return plain(cell.value)


def plain(thing: object) -> str:
    """A value without a cell around it."""
    if isinstance(thing, bool):
        return "yes" if thing else "no"
    if isinstance(thing, frozenset):
        return ", ".join(map(plain, sorted(thing))) or "none"
    if isinstance(thing, tuple):
        return f"{len(thing)} elements"
    if isinstance(thing, str | int | float):
        return str(thing)
    return "present"


def safe(cell: Cell[Any], places: Iterable[Place], quote: Quote) -> str:
    """The value, or a stand-in where it is a text that the redacted form of its own line no longer holds."""
    text = value(cell)
    if not isinstance(cell.value, str):
        return text
    lines = [quote(place) for place in places]
    hidden = any(cell.value in line and cell.value not in redact(line) for line in lines)
    return REDACTED if hidden else text


def where(found: Sequence[Place | Cited], quote: Quote) -> str:
    """`leaf1.cfg:14  priority-flow-control on`, `leaf1.cfg:14, 16` for several lines, `default: <citation>`."""
    places = [at for at in found if isinstance(at, Place)]
    cited = [at for at in found if isinstance(at, Cited)]
    if len(places) == 1:
        text = f"{position(places[0].path, places[0].line)}  {redact(quote(places[0])).strip()}".rstrip()
        return f"{text}  [{cited[0].source}]" if cited else text
    if places:
        return positions(places)
    return by_document(cited[0]) if cited else ""


def by_document(cited: Cited) -> str:
    """`default: <citation>`; what the devices agree on is no default."""
    return cited.source if cited.source.startswith(INFERRED) else f"default: {cited.source}"


def positions(places: Sequence[Place]) -> str:
    """`leaf1.cfg:14, 16 and 4 more`: a file is named once for lines that follow each other."""
    shown: list[str] = []
    last = ""
    for place in places[:PLACES_SHOWN]:
        shown.append(str(place.line) if place.path == last else position(place.path, place.line))
        last = place.path
    more = len(places) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def line_runs(places: Sequence[Place]) -> str:
    """`leaf1.json:145-170, 172-208, 264`: all of them, as the runs that they make in each file."""
    lines: dict[str, list[int]] = {}
    for place in places:
        lines.setdefault(place.path, []).append(place.line)
    return ", ".join(f"{position(path, 0)}:{', '.join(runs(numbers))}" for path, numbers in lines.items())
