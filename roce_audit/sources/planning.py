"""Plans what is opened: walks the paths, and puts files together that are one device or one host."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from roce_audit import platforms
from roce_audit.sources import commands, detect, files, names, tree
from roce_audit.sources.batches import Batch, Plan
from roce_audit.sources.collected import Collected
from roce_audit.sources.files import Candidate
from roce_audit.sources.hints import PathHint
from roce_audit.sources.loading import (
    TOPOLOGY_NAMES,
)
from roce_audit.sources.repository.variablefiles import of_repository

_NOTHING: Mapping[str, str] = {}
_FEWEST_ANSWERS = 2


def planned(
    paths: Sequence[str],
    *,
    beside: Sequence[str] = (),
    hints: Sequence[PathHint] = (),
    exclude: Sequence[str] = (),
    base: str = ".",
    limit: int = files.MAX_FILES,
    instead: Mapping[str, str] = _NOTHING,
    apart: str | None = None,
) -> Plan:
    """What is to be opened, in batches; options as for `load`; `beside` is read as well, for what the paths need.

    No file is opened but a snapshot's manifest, and those that set a repository's variables."""
    for hint in hints:
        if hint.platform is not None and hint.platform not in platforms.names():
            raise ValueError(f"no platform is called {hint.platform!r}: there are {detect.looked_for()}")
    read = (*paths, *beside)
    plans = [found for p in read if p != files.STDIN for found in files.exists_beside(p, TOPOLOGY_NAMES)]
    walk = files.walk([*read, *plans], exclude=exclude, base=base, limit=limit)
    aside = None if apart is None else os.path.realpath(apart)
    candidates = [f for f in walk.files if aside is None or not files.lies_in(os.path.realpath(f.real), aside)]
    trees = tree.roots(candidates)
    in_trees = {candidate.path for members in trees.values() for candidate in members}
    folders: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.path in in_trees:
            continue
        # standard input is no neighbour of the files in the working directory
        folders["" if candidate.path == files.STDIN else _home(candidate.folder) or "."].append(candidate)
    return Plan(
        read,
        (
            *(Batch(root, tuple(members), "tree") for root, members in trees.items()),
            *(batch for folder, those in folders.items() for batch in _batches(folder, those)),
        ),
        walk,
        tuple(hints),
        os.path.abspath(base),
        instead,
        Collected.of(candidates),
        of_repository(candidates, instead),
        tuple(p if p == files.STDIN else files.shown(p) for p in paths) if beside else None,
    )


def _batches(folder: str, candidates: Sequence[Candidate]) -> Iterator[Batch]:
    """The files of a folder: together where they are one device, else each by itself."""
    answers = [c for c in candidates if commands.command_of(c.name) is not None]
    siblings = _siblings(candidates)
    of_one = len(answers) >= _FEWEST_ANSWERS or (bool(answers) and (bool(siblings) or _is_its(folder, candidates)))
    if of_one or any(c.name == "hostname.txt" for c in candidates):
        yield Batch(folder, tuple(candidates), "device")
        return
    one_device = siblings if len(siblings) > 1 else frozenset()
    together = [c for c in candidates if c.name in one_device]
    inner = [c for c in candidates if tree.is_inner(folder, c)]
    if len(siblings) < 2 and inner and len(candidates) - len(inner) == 1:
        yield Batch(folder, tuple(candidates), "beside")
        return
    merged: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in inner:
        if any(pattern.fullmatch(candidate.path) for pattern in platforms.merged_folders()):
            merged[candidate.folder].append(candidate)
    several = {within: tuple(those) for within, those in merged.items() if len(those) > 1}
    taken = {candidate.path for those in several.values() for candidate in those}
    yield from (Batch(within, those, "device") for within, those in several.items())
    yield from (Batch(folder, (c,), "file") for c in candidates if c.name not in one_device and c.path not in taken)
    if together:
        yield Batch(folder, tuple(together), "device")


def _is_its(folder: str, candidates: Sequence[Candidate]) -> bool:
    """Whether the only file of a folder that is no answer has the name of the folder, or that of a kind of file (`running-config.txt`)."""
    name = folder.rpartition("/")[2]
    others = [c.name for c in candidates if commands.command_of(c.name) is None]
    return len(others) == 1 and names.fallback(others[0], name).lower() == name.lower()


def _siblings(candidates: Sequence[Candidate]) -> frozenset[str]:
    """The names in a folder that some platform spreads one device over; of the platform that has most of them."""
    sets = [frozenset(c.name for c in candidates if p.fullmatch(c.name)) for p in platforms.sibling_files()]
    return max(sets, key=len, default=frozenset())


def _home(folder: str) -> str:
    """The folder of the device that a folder like `leaf1/etc/network` belongs to; any other folder as it is."""
    for pattern in platforms.inner_folders():
        steps = folder.split("/")
        for count in range(len(steps) - 1, -1, -1):
            if pattern.fullmatch("/".join(steps[count:])) is not None:
                return "/".join(steps[:count])
    return folder
