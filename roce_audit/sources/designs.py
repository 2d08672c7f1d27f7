"""Designs: folders beside each other that describe devices of the same names are networks of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import takewhile

from roce_audit.platforms.factorynames import is_factory
from roce_audit.sources.loaded import Loaded

_Steps = tuple[str, ...]


def designs(loaded: Loaded) -> Mapping[str, str]:
    """Device -> the folder of its design, below what all designs share; nothing where no name is told in two folders.

    Folders whose devices have the same names are the sites of one blueprint, or its variants: no cable leads from one to another,
    and nobody forgot in one what stands in the other.
    """
    folder_of: dict[str, _Steps] = {}
    claimed: dict[str, set[_Steps]] = defaultdict(set)
    for device, units in zip(loaded.devices, loaded.units, strict=False):
        steps = folder_of[device.name] = tuple(units[0].folder.split("/"))
        for name in {unit.claimed for unit in units if unit.claimed and not is_factory(unit.claimed)}:
            claimed[name].add(steps)
    roots = {root for folders in claimed.values() if len(folders) > 1 for root in _roots(folders)}
    shared = len(_common(roots)) if roots else 0
    found: dict[str, str] = {}
    for name, steps in folder_of.items():
        inside = [root for root in roots if steps[: len(root)] == root]
        if inside:
            found[name] = "/".join(max(inside, key=len)[shared:])
    return found


def _roots(folders: set[_Steps]) -> set[_Steps]:
    """Each folder up to the step in which it differs from all the others that have its beginning."""
    shared = len(_common(folders))
    return {steps[: shared + 1] for steps in folders}


def _common(folders: set[_Steps]) -> _Steps:
    return tuple(step for step, *_ in takewhile(lambda alike: len(set(alike)) == 1, zip(*folders, strict=False)))
