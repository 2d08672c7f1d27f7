"""What is left aside before devices are named: former states, word for word copies, sources of what was rendered; and scripts that
change what lies beside them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from roce_audit.patterns import lazy
from roce_audit.platforms.factorynames import is_factory
from roce_audit.sources import names
from roce_audit.sources.files import STDIN
from roce_audit.sources.unit import Unit
from roce_audit.text.document import DeviceInput
from roce_audit.text.sentences import listed

_SHOWN = 10
_ARCHIVE = lazy(r"(?:\A|/)(?:old|bak|backups?|archived?|previous|history|attic)(?:[-_.][^/]*)?/", re.I)
"""Folders where people keep what was in force before."""

Of = tuple[DeviceInput, tuple[Unit, ...]]
"""A device, and what it is put together from."""


def without_replaced(
    units: Sequence[Unit], is_asked: Callable[[str], bool], is_apart: Callable[[str], bool]
) -> tuple[Sequence[Unit], list[str]]:
    """Leave out of what is only read beside the paths each device whose state now, or of that day, is in the paths.

    That is what comes on standard input, what lies in the folder of another date, and what lies apart from all that is read beside
    and says itself that it has the name of one device there. Kept, it would keep the name as well, and what was asked for would lose
    its links, its fabric and its history.
    """
    asked = {id(unit) for unit in units if is_asked(unit.path)}
    if len(asked) == len(units):
        return units, []
    here = {(unit.name, unit.platform, names.undated(unit.path)) for unit in units if id(unit) in asked}
    typed = {(unit.name, unit.platform) for unit in units if id(unit) in asked and unit.path == STDIN}
    apart = {_who(unit) for unit in units if id(unit) in asked and is_apart(unit.path) and is_own_word(unit)}
    beside = Counter(_who(unit) for unit in units if id(unit) not in asked)
    left_out = [
        unit
        for unit in units
        if id(unit) not in asked
        and (
            (unit.name, unit.platform) in typed
            or (unit.name, unit.platform, names.undated(unit.path)) in here
            or (_who(unit) in apart and beside[_who(unit)] == 1 and is_own_word(unit))
        )
    ]
    if not left_out:
        return units, []
    return _without(left_out, units, "not read beside the paths, which hold the same devices of another time")


def _who(unit: Unit) -> tuple[str, str, str]:
    return unit.name, unit.platform, unit.state


def without_sources(units: Sequence[Unit]) -> tuple[Sequence[Unit], list[str]]:
    """Leave out files from which a configuration was rendered that is here as well: the device gets the rendered one."""
    if len(units) < 2:
        return units, []
    forms: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for unit in units:
        forms[(unit.name, unit.platform)].add(unit.is_source)
    left_out = [u for u in units if u.is_source and forms[(u.name, u.platform)] == {True, False}]
    if not left_out:
        return units, []
    return _without(left_out, units, "not read, for the configurations rendered from them are here as well")


def without_copies(units: Sequence[Unit]) -> tuple[Sequence[Unit], list[str]]:
    """Leave out what people keep in a folder for former states while it is, word for word, still what is in force."""
    kept_twice = [
        unit
        for unit in units
        if in_archive(unit)[0] and unit.claimed and not unit.given and not is_factory(unit.claimed)
    ]
    if not kept_twice:
        return units, []
    in_force = {_text_of(unit) for unit in units if not in_archive(unit)[0]}
    copies = [unit for unit in kept_twice if _text_of(unit) in in_force]
    if not copies:
        return units, []
    return _without(copies, units, "not judged, for each is word for word a file of the same device that is")


def without_changes(units: Sequence[Unit]) -> tuple[Sequence[Unit], list[tuple[Unit, list[Unit]]]]:
    """The units without scripts that change what configurations say, and each of these with the configurations of its folder.

    One that is called like a device of the folder is that device's; where the folder has no configuration, the folders in it count.
    """
    changes = [unit for unit in units if unit.is_change and not unit.given]
    if not changes:
        return units, []
    by_folder: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        if not unit.is_change:
            for folder in dict.fromkeys(document.path.rpartition("/")[0] for document in unit.documents):
                by_folder[folder].append(unit)
    found = [(change, changed) for change in changes if (changed := _changed_by(change, by_folder))]
    gone = {id(change) for change, _ in found}
    return [unit for unit in units if id(unit) not in gone], found


def with_changes(devices: Sequence[Of], changes: Sequence[tuple[Unit, list[Unit]]]) -> tuple[tuple[Of, ...], list[str]]:
    """The devices as scripts leave them: each is read with those that change one of its units, behind everything else."""
    if not changes:
        return tuple(devices), []
    by_unit = {id(unit): number for number, (_, units) in enumerate(devices) for unit in units}
    found = list(devices)
    notes: list[str] = []
    for change, changed in changes:
        numbers = sorted({by_unit[id(unit)] for unit in changed})
        added = change.documents
        if len(numbers) > 1:  # what one of them does not have, another may
            added = tuple([replace(document, declared_complete=False) for document in added])
        for number in numbers:
            of, units = found[number]
            found[number] = replace(of, documents=(*of.documents, *added)), (*units, change)
        whose = listed([devices[number][0].name for number in numbers], _SHOWN, spare_one=False)
        notes.append(f"{change.path} changes what lies beside it: it is read with the configuration of {whose}")
    return tuple(found), notes


_OF_PATCHES = lazy(r"(?i)(?:.*/)?(?:[\w.-]{0,20}[-_])?patch(?:es)?")
"""Folders that lie beside what their files change."""


def _changed_by(change: Unit, by_folder: Mapping[str, Sequence[Unit]]) -> list[Unit]:
    """The devices whose configurations the commands of a unit change."""
    here = [unit for unit in by_folder.get(change.folder, ()) if unit.platform == change.platform]
    if here:
        called = change.path.rpartition("/")[2].partition(".")[0]
        return [unit for unit in here if called in (unit.name, unit.fallback)] or here
    if _OF_PATCHES.fullmatch(change.folder):
        return [one for one in by_folder.get(change.folder.rpartition("/")[0], ()) if one.platform == change.platform]
    below = (units for folder, units in by_folder.items() if folder and folder.rpartition("/")[0] == change.folder)
    return list({id(unit): unit for units in below for unit in units if unit.platform == change.platform}.values())


def _without(left_out: Sequence[Unit], units: Sequence[Unit], why: str) -> tuple[Sequence[Unit], list[str]]:
    """The other units, and a note that lists what was left out."""
    gone = {id(unit) for unit in left_out}
    paths = listed([unit.path for unit in left_out], _SHOWN, spare_one=False)
    return [unit for unit in units if id(unit) not in gone], [f"{why}: {paths}"]


def _text_of(unit: Unit) -> tuple[object, ...]:
    return unit.name, unit.platform, unit.state, tuple((d.command, d.text) for d in unit.documents)


def in_archive(unit: Unit) -> tuple[bool, str]:
    """Puts what lies in a folder for former states last."""
    return _ARCHIVE.search(unit.path) is not None, unit.path


def is_own_word(unit: Unit) -> bool:
    """Whether the policy or the text of a unit gives its name; a file's name alone (`leaf.j2` in each folder) claims no device."""
    return bool(unit.given) or unit.name == unit.claimed
