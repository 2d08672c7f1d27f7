"""Devices that several inputs describe: what is said of them, once a cause."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from roce_audit.records import dataclass
from roce_audit.sources.loaded import Problem
from roce_audit.sources.unit import Unit
from roce_audit.text.sentences import listed

_SHOWN = 3
_PATHS = 2
_SEVERAL = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """A device that several inputs claim to be."""

    device: str
    paths: tuple[str, ...]
    """What claims the name, the likeliest first."""
    kept: str
    """What is judged under the name; empty where nothing is."""
    claimants: tuple[Unit, ...]
    """All of them."""
    folders: frozenset[str]
    """Where the inputs lie; what is called like the device is its own folder, and the one above it counts."""


def claim(
    name: str, claimants: Sequence[Unit], keepers: Sequence[Unit], order: Callable[[Unit], tuple[bool, str]]
) -> Claim:
    """What these inputs claim; `order` sorts them, the likeliest first."""
    paths = tuple(unit.path for unit in sorted(claimants, key=order))
    kept = keepers[0].path if keepers else ""
    return Claim(name, paths, kept, tuple(claimants), frozenset(_folder(unit, name) for unit in claimants))


def problems(claims: Sequence[Claim]) -> tuple[Problem, ...]:
    """A problem for each device; those whose inputs lie in the same folders have one cause, and are told in the same words."""
    found: list[Problem] = []
    for together in _of_one_cause(claims):
        text = _of_one_device(together[0]) if len(together) == 1 else _of_several(together)
        for one in together:
            called = tuple(unit.name for unit in one.claimants)
            found.append(Problem(one.kept or one.paths[0], 0, text, "same-device-twice", one.device, called))
    return tuple(found)


def _folder(unit: Unit, name: str) -> str:
    parts = unit.folder.split("/")
    while parts and parts[-1].casefold() in (name.casefold(), unit.fallback.casefold()):
        parts.pop()
    return "/".join(parts)


def _of_one_cause(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Claims whose folders are joined by a device that lies in both. Inputs that all lie in one folder are a cause of their own, with those
    of other devices in the same files, or of all devices that the folder has twice where they are several.
    """
    joined: dict[str, str] = {}

    def first(folder: str) -> str:
        while joined.setdefault(folder, folder) != folder:
            joined[folder] = joined[joined[folder]]
            folder = joined[folder]
        return folder

    for one in claims:
        start, *others = sorted(one.folders)
        for other in others:
            joined[first(other)] = first(start)
    alone = Counter(min(one.folders) for one in claims if len(one.folders) == 1)
    causes: dict[tuple[str, ...], list[Claim]] = defaultdict(list)
    for one in claims:
        folder = min(one.folders)
        if len(one.folders) > 1:
            causes["across", first(folder)].append(one)
        else:
            causes[("within", folder) if alone[folder] >= _SEVERAL else tuple(sorted(one.paths))].append(one)
    return list(causes.values())


def _of_one_device(one: Claim) -> str:
    which = f"{one.kept} is judged under that name, the others" if one.kept else "they are judged"
    count = len(one.paths)
    return (
        f"{count} files claim the device {one.device} ({', '.join(one.paths)}): {which} under the names of their files"
    )


def _of_several(together: Sequence[Claim]) -> str:
    folders = sorted({folder or "." for one in together for folder in one.folders})
    places = f"more than one of the folders {listed(folders, _SHOWN)}"
    if len(folders) == 1:
        places = f"more than one file of the folder {folders[0]}"
    example = max(together, key=lambda one: len(one.paths))
    which = (
        "one file of each is judged under its device's name, the others"
        if all(one.kept for one in together)
        else "they are judged"
    )
    return (
        f"{len(together):,} devices are described in {places}, such as "
        f"{example.device} in {listed(example.paths, _PATHS)}: {which} under the names of their files; "
        f"check one {'folder' if len(folders) > 1 else 'file'} at a time, or leave the others out (policy: exclude)"
    )
