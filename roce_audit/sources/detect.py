"""Which platform speaks: all are asked, the surest wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from roce_audit import platforms
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
    hosts = (platforms.platform(name) for name in platforms.names())
    return any(found.kind == "host" and found.recognise(document) >= ENOUGH for found in hosts)


def _in_order() -> list[str]:
    """Switches first: what they recognise is decided without a look at the tools of hosts."""
    return sorted(platforms.names(), key=lambda name: (platforms.platform(name).kind == "host", name))


@lru_cache(maxsize=256)
def choose(documents: tuple[Document, ...]) -> Choice:
    """The platform that recognises these documents of one device best: by the sum of its sure scores, then by name."""
    totals: dict[str, int] = {}
    for name in _in_order():
        if totals and max(totals.values()) >= LIKELY * len(documents) and platforms.platform(name).kind == "host":
            continue
        recognise = platforms.platform(name).recognise
        scores = [recognise(document) for document in documents]
        if min(scores, default=0) >= SURE:
            return Choice(name)
        total = sum(score for score in scores if score >= ENOUGH)
        if total:
            totals[name] = total
    if not totals:
        return Choice("")
    best = max(totals.values())
    winners = sorted(name for name, total in totals.items() if total == best)
    if len(winners) == 1:
        return Choice(winners[0])
    return Choice(winners[0], f"could be {' or '.join(winners)}: read as {winners[0]} (policy paths: can say it)")
