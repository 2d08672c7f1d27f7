"""Inferred policy values that are not what they were in the last run: a change that nobody may have meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from roce_audit.fabric.site import Site
from roce_audit.model import Observation
from roce_audit.platforms.base import Seen
from roce_audit.values import known


def observations(site: Site, before: Mapping[str, str]) -> Iterator[Seen]:
    """One observation for every value that a majority decides otherwise now, at the fabric's first device."""
    now = {name: (value, fabric) for name, value, fabric in values(site)}
    for name, old in before.items():
        found = now.get(name)
        if found is None or found[0] == old:
            continue
        view = next(view for view in site.fabrics if view.name == found[1])
        place = view.devices[0].first
        text = (
            f"{name} of fabric {view.name} was {old} in the last run, and most devices say {found[0]} now: everything is "
            "judged by the new value; write it into the policy (classes:) if it is meant"
        )
        yield Seen(Observation("inferred-moved", name, text, known(True, place), known(found[0], place)), place, "")


def values(site: Site) -> Iterator[tuple[str, str, str]]:
    """(name, value as text, fabric) of what majorities decided; the largest fabric has the plain names."""
    used: set[str] = set()
    for fabric in sorted(site.fabrics, key=lambda view: -len(view.devices)):
        for value in fabric.classes.inferred:
            name = value.key if value.key not in used else f"{value.key}@{fabric.name}"
            used.add(name)
            yield name, _text(value.value), fabric.name


def _text(value: object) -> str:
    if isinstance(value, frozenset | set | list | tuple):
        return ", ".join(map(str, sorted(value, key=str)))
    return str(value)
