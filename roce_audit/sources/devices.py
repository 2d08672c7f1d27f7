"""Turns paths into devices: plans what is opened, gathers it batch by batch, and decides which device is called what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit.sources import detect, files
from roce_audit.sources.attribution import attribute
from roce_audit.sources.batches import Batch, Gathered, Plan
from roce_audit.sources.files import Candidate
from roce_audit.sources.gathering import gathered
from roce_audit.sources.hints import PathHint
from roce_audit.sources.loaded import Loaded, Problem
from roce_audit.sources.naming import decide, with_parts
from roce_audit.sources.planning import planned
from roce_audit.sources.repository import shown
from roce_audit.sources.repository.boot import units as bootunits
from roce_audit.sources.repository.cluster import podnetworks, podvariables
from roce_audit.sources.repository.cluster.files import ClusterFiles
from roce_audit.sources.repository.variablefiles import text_of
from roce_audit.sources.unanswered import refused_commands
from roce_audit.sources.units import adopted

_NOTHING: Mapping[str, str] = {}


def load(
    paths: Sequence[str],
    *,
    hints: Sequence[PathHint] = (),
    exclude: Sequence[str] = (),
    base: str = ".",
    limit: int = files.MAX_FILES,
    instead: Mapping[str, str] = _NOTHING,
    apart: str | None = None,
) -> Loaded:
    """Everything that lies in `paths` (files, folders, `-`); `instead` gives texts to take for what some files hold.

    `apart` is a file or folder that is left out wherever it lies: an earlier snapshot below the paths.

    Patterns in `hints` and `exclude` are relative to `base`, the policy file's folder, or to the working directory. Raises
    ValueError for a hint that names no platform; nothing that a file holds raises.
    """
    plan = planned(paths, hints=hints, exclude=exclude, base=base, limit=limit, instead=instead, apart=apart)
    return settled(plan, [gathered(batch, plan) for batch in plan.batches])


def settled(plan: Plan, found: Sequence[Gathered]) -> Loaded:
    """Everything that was gathered, as one: which device is called what, and what is to be said of the files.

    `found` is in the order of the plan's batches.
    """
    found = [*found, *_of_many_hosts(plan, found)]
    own = [unit for one in found for unit in one.units]
    unclaimed = [row for one in found for row in one.unclaimed]
    attribute(own, [unit for unit, _ in unclaimed])
    taken_on = list(adopted(own, [unit for unit, _ in unclaimed]))
    units = sorted((*own, *taken_on), key=lambda unit: unit.path)
    templates = frozenset(path for one in found for path in one.templates)
    parted = with_parts(units, plan.variables.parts)
    named, problems, notes = decide(parted, plan.is_asked, plan.is_apart, templates)
    filled_from = {path: givers for one in found for path, givers in one.filled_from.items()}
    used = {giver for givers in filled_from.values() for giver in givers}
    those = set(map(id, taken_on))
    left = [(unit.path, word) for unit, word in unclaimed if id(unit) not in those]
    unknown = (row for row in (*(row for one in found for row in one.unrecognised), *left) if row[0] not in used)
    unrecognised = tuple(sorted((*plan.walk.skipped, *unknown)))
    looked = [f"no device was recognised; looked for {detect.looked_for()}"] if unrecognised and not units else ()
    refused = refused_commands((device.name, those) for device, those in named)
    return Loaded(
        tuple(device for device, _ in named),
        tuple(file for one in found for file in one.topologies),
        tuple(_problems(plan, found, problems)),
        unrecognised,
        plan.walk.excluded,
        (*_left_out(plan.walk.left_out), *shown.notes(unrecognised), *_notes(plan, found), *notes, *looked, *refused),
        {path: template for one in found for path, template in one.rendered_from.items()},
        filled_from,
        templates,
        tuple(hint for hint in plan.hints if not any(hint in one.hints_used for one in found)),
        tuple(path for one in found for path in one.policies),
        tuple(path for one in found for path in one.incomplete),
        plan.collected.unreached,
        tuple(of for _, of in named),
    )


def _of_many_hosts(plan: Plan, found: Sequence[Gathered]) -> Iterator[Gathered]:
    """What files with answers of many hosts hold: those of a folder are loaded together."""
    of_many: dict[str, list[Candidate]] = defaultdict(list)
    for batch, one in zip(plan.batches, found, strict=True):
        if one.of_many:
            of_many[batch.folder] += batch.files
    for folder, those in of_many.items():
        yield gathered(Batch(folder, tuple(those), "shared"), plan)


def _problems(plan: Plan, found: Sequence[Gathered], of_names: Iterable[Problem]) -> Iterator[Problem]:
    """What was not read or is cut off; which device is meant by what; and what files tell of each other."""
    walk, collected = plan.walk, plan.collected
    manifests = ClusterFiles(walk.files, lambda one: text_of(one, plan.instead))
    for path, word in walk.unreadable:
        yield Problem(path, 0, f"not read: {word}", "unreadable")
    for one in found:
        yield from one.problems
    yield from collected.problems
    for one in found:
        yield from one.cut
    yield from of_names
    yield from bootunits.problems(walk.files, lambda one: text_of(one, plan.instead))
    yield from podnetworks.problems(manifests)
    yield from podvariables.problems(manifests)


def _notes(plan: Plan, found: Sequence[Gathered]) -> Iterator[str]:
    """What was noted of the files, and of what a collection left out."""
    for one in found:
        yield from one.notes
    yield from plan.collected.notes


def _left_out(numbers: Mapping[str, int]) -> Iterator[str]:
    """One word about what was not opened."""
    if numbers:
        what = ", ".join(f"{number:,} {why}" for why, number in numbers.items())
        yield f"files and folders left out: {what}; name what is to be read"
