"""Whose answers are that say no name themselves: their file or folder is called after more than the switch (`leaf1-facts.json`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.factorynames import is_factory
from roce_audit.sources import names
from roce_audit.sources.naming import is_answers, own_name
from roce_audit.sources.unit import Unit

_PARTS = lazy(r"[^\W_]+")
_MOST_PARTS = 16


def attribute(units: Sequence[Unit], unclaimed: Iterable[Unit]) -> None:
    """Call answers of a switch as the one is called whose name is a part of that of their file, else of a folder above it."""
    asked = [unit for unit in chain(units, unclaimed) if not (unit.given or unit.claimed) and _are_nameless(unit)]
    if not asked:
        return
    switches: dict[str, set[str]] = defaultdict(set)
    """Name in parts -> the names of the switches with a configuration that are called so."""
    for unit in units:
        if platforms.platform(unit.platform).kind == "switch" and not is_answers(unit):
            name = own_name(unit)
            if not is_factory(name):
                switches[_in_parts(name)].add(name)
    for unit in asked:
        found = next(filter(None, (_named_within(_in_parts(called), switches) for called in _called(unit))), "")
        unit.fallback = found or unit.fallback


def _called(unit: Unit) -> Iterator[str]:
    """What the answers and their file are called; of a file whose own name can be that of no device, the folder too."""
    yield unit.fallback
    is_file = all(document.path == unit.path for document in unit.documents)
    if is_file:
        folder, _, file = unit.path.rpartition("/")
        stem = names.stem(file)
        yield stem
        if stem == unit.fallback and not any(letter.isdigit() for letter in stem):
            yield folder.rpartition("/")[2]


def _are_nameless(unit: Unit) -> bool:
    return not unit.platform or is_answers(unit)


def _named_within(called: str, switches: dict[str, set[str]]) -> str:
    """The one switch whose name stands in a name as a part of it; of several the longest, "" where two are as long."""
    parts = called.split("-")[:_MOST_PARTS]
    runs = {"-".join(parts[first:last]) for last in range(1, len(parts) + 1) for first in range(last)}
    within = [name for name in runs if name and name in switches]
    longest = max(map(len, within), default=0)
    found = [one for name in within if len(name) == longest for one in switches[name]]
    return found[0] if len(found) == 1 else ""


def _in_parts(name: str) -> str:
    return "-".join(_PARTS.findall(name.casefold()))
