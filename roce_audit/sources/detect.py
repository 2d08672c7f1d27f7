"""Which platform speaks: all are asked, the surest wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from roce_audit import platforms
from roce_audit.sources import foreign
from roce_audit.text.document import Document

ENOUGH = 20
"""Scores below this are no recognition."""
SURE = 95
"""A platform that is this sure of every document is not compared with others."""


LIKELY = 60
"""A switch that is this sure is not taken for a host: the tools of hosts need not be loaded."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The platform of a device; empty where none was sure enough. `note` says why the choice is doubtful."""

    platform: str
    note: str = ""


def looked_for() -> str:
    """The names of all platforms as one clause."""
    return ", ".join(platforms.names()) or "no platform at all"


def is_of_host(document: Document) -> bool:
    """Whether some platform of hosts recognises a document of which nothing else is known."""
    return any(one.kind == "host" and one.recognise(document) >= ENOUGH for one in platforms.every())


@lru_cache(maxsize=256)
def choose(documents: tuple[Document, ...]) -> Choice:
    """The platform that recognises these documents of one device best."""
    if any(foreign.release_of(document.text) for document in documents):
        return Choice("")
    totals: dict[str, int] = {}
    # switches first: what they recognise is settled without a look at the tools of hosts
    for one in sorted(platforms.every(), key=lambda one: one.kind == "host"):
        if one.kind == "host" and max(totals.values(), default=0) >= LIKELY * max(1, len(documents)):
            break
        scores = [one.recognise(document) for document in documents]
        if min(scores, default=0) >= SURE:
            return Choice(one.name)
        total = sum(score for score in scores if score >= ENOUGH)
        if total:
            totals[one.name] = total
    return _settled(totals)


def _settled(totals: Mapping[str, int]) -> Choice:
    """The platform with the most evidence; of several with as much, the first by name, and the choice says so."""
    best = max(totals.values(), default=0)
    winners = sorted(name for name, total in totals.items() if total == best)
    if len(winners) < 2:
        return Choice(next(iter(winners), ""))
    return Choice(winners[0], f"could be {' or '.join(winners)}: read as {winners[0]} (policy paths: can say it)")
