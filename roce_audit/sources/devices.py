"""Turns paths into devices: plans what is opened, gathers it batch by batch, and decides which device is called what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from roce_audit import platforms
from roce_audit.sources import detect, files
from roce_audit.sources.batches import Batch, Gathered, Plan
from roce_audit.sources.files import Candidate
from roce_audit.sources.gathering import gathered
from roce_audit.sources.hints import PathHint
from roce_audit.sources.loaded import Loaded, Problem
from roce_audit.sources.naming import decide, with_parts
from roce_audit.sources.planning import planned
from roce_audit.sources.repository import bootunits, podnetworks, podvariables, shown
from roce_audit.sources.repository.clusterfiles import ClusterFiles
from roce_audit.sources.repository.variablefiles import text_of
from roce_audit.sources.unanswered import refused_commands
from roce_audit.sources.unit import Unit

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
    walk, collected = plan.walk, plan.collected
    of_many: dict[str, list[Candidate]] = defaultdict(list)
    for batch, one in zip(plan.batches, found, strict=True):
        if one.of_many:
            of_many[batch.folder] += batch.files
    found = [*found, *(gathered(Batch(f, tuple(those), "shared"), plan) for f, those in of_many.items())]
    placed = tuple(_placed(found))
    units = sorted((*(unit for one in found for unit in one.units), *placed), key=lambda unit: unit.path)
    named, problems, notes = decide(with_parts(units, plan.variables.parts), plan.is_asked, plan.is_apart)
    filled_from = {path: givers for one in found for path, givers in one.filled_from.items()}
    used = {giver for givers in filled_from.values() for giver in givers} | {unit.path for unit in placed}
    unknown = (row for one in found for row in one.unrecognised if row[0] not in used)
    unrecognised = tuple(sorted((*walk.skipped, *unknown)))
    manifests = ClusterFiles(walk.files, lambda one: text_of(one, plan.instead))
    looked = [f"no device was recognised; looked for {detect.looked_for()}"] if unrecognised and not units else ()
    return Loaded(
        tuple(device for device, _ in named),
        tuple(file for one in found for file in one.topologies),
        (
            *(Problem(path, 0, f"not read: {word}", "unreadable") for path, word in walk.unreadable),
            *(problem for one in found for problem in one.problems),
            *collected.problems,
            *(problem for one in found for problem in one.cut),
            *problems,
            *bootunits.problems(walk.files, lambda one: text_of(one, plan.instead)),
            *podnetworks.problems(manifests),
            *podvariables.problems(manifests),
        ),
        unrecognised,
        walk.excluded,
        (
            *_left_out(walk.left_out),
            *shown.notes(unrecognised),
            *(note for one in found for note in one.notes),
            *collected.notes,
            *notes,
            *looked,
            *refused_commands((device.name, those) for device, those in named),
        ),
        {path: template for one in found for path, template in one.rendered_from.items()},
        filled_from,
        frozenset(path for one in found for path in one.templates),
        tuple(hint for hint in plan.hints if not any(hint in one.hints_used for one in found)),
        tuple(path for one in found for path in one.policies),
        tuple(path for one in found for path in one.incomplete),
        collected.unreached,
        tuple(of for _, of in named),
    )


def _placed(found: Sequence[Gathered]) -> Iterator[Unit]:
    """Answers that only their prompt says something of: they are of the one switch of this name."""
    waiting = [unit for one in found for unit in one.unplaced]
    of_name: dict[str, set[str]] = defaultdict(set)
    for unit in (unit for one in found for unit in one.units) if waiting else ():
        of_name[unit.given or unit.claimed or unit.fallback].add(unit.platform)
    for unit in waiting:
        known = of_name.get(unit.fallback, set())
        if len(known) == 1 and platforms.platform(next(iter(known))).kind == "switch":
            yield replace(unit, platform=next(iter(known)))


def _left_out(numbers: Mapping[str, int]) -> Iterator[str]:
    """One word about what was not opened."""
    if numbers:
        what = ", ".join(f"{number:,} {why}" for why, number in numbers.items())
        yield f"files and folders left out: {what}; name what is to be read"
