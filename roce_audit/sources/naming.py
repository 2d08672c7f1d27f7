"""Which document belongs to which device, and what the device is called."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.factorynames import is_factory
from roce_audit.platforms.states import state_of
from roce_audit.sources import claims, names
from roce_audit.sources.files import STDIN
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository import includes
from roce_audit.sources.unit import Unit
from roce_audit.text.document import DeviceInput, Document, State
from roce_audit.text.sentences import listed

_SHOWN = 10
_ARCHIVE = lazy(r"(?:\A|/)(?:old|bak|backups?|archived?|previous|history|attic)(?:[-_.][^/]*)?/", re.I)
"""Folders where people keep what was in force before."""

_OF_ANSWERS = ("cmds", "cmd", "commands", "show", "shows", "answers", "outputs", "output", "cli", "operational", "logs")
"""What folders of answers are called that lie in the folder of their device."""


Of = tuple[DeviceInput, tuple[Unit, ...]]
"""A device, and what it is put together from."""


def decide(
    units: Sequence[Unit],
    is_asked: Callable[[str], bool] = lambda _: True,
    is_apart: Callable[[str], bool] = lambda _: False,
    templates: Collection[str] = (),
) -> tuple[tuple[Of, ...], tuple[Problem, ...], tuple[str, ...]]:
    """Name all units and join those of one device in different states. Returns devices, problems and notes.

    `is_asked` says of the path of a unit whether it was asked for, or is read beside the paths only; `is_apart` whether it was asked
    for and lies outside of what is read beside. `templates` are the paths of templates, read with the variables of a host: beside what
    they render, or each other, they are no copies of it.
    """
    notes = _first_names(units)
    units, replaced = _without_replaced(units, is_asked, is_apart)
    notes += replaced
    units, rendered = _without_sources(units)
    units, copies = _without_copies(units)
    units, changes = _without_changes(units)
    notes += rendered + copies
    twice: list[claims.Claim] = []
    used: set[str] = set()
    by_name: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        by_name[unit.name].append(unit)
    losers: list[Unit] = []
    told: list[Unit] = []
    apart = cache(lambda: answers_alone(units))
    _call_alike(by_name, apart)
    _call_as_beside(units, by_name)
    for name, claimants in by_name.items():
        if not claimants:
            continue
        keepers, others = _keepers(name, claimants, apart)
        if keepers:
            used.add(name)
        if others:
            losers.extend(others)
            if any(map(_is_own_word, claimants)):
                told.extend(others)
                rivals = [
                    unit
                    for unit in claimants
                    if unit.path not in templates and (unit in others or not _is_answers(unit))
                ]
                if len(rivals) > 1:
                    twice.append(claims.claim(name, rivals, keepers, _in_archive))
    for unit in losers:
        unit.name = _free_name(unit, used)
        used.add(unit.name)
    notes.extend(f"{u.path} is judged as {u.name}: other files claim the name as well" for u in told[:_SHOWN])
    devices, changed = _changed(_join(units), changes)
    return devices, claims.problems(twice), (*notes, *changed)


def with_parts(units: Sequence[Unit], parts: Sequence[includes.Part]) -> Sequence[Unit]:
    """The units, with files of tasks as parts of the one whose tasks take them in, which is called after its role.

    Files that are taken in under a condition make a device of their own with what is always there.
    """
    if not parts:
        return units
    asked = {file: (root, condition) for file, root, condition in parts}
    roots = {root for _, root, _ in parts}
    found: dict[tuple[str, str], dict[str, list[Unit]]] = defaultdict(lambda: defaultdict(list))
    for unit in units:
        if (unit.path in asked or unit.path in roots) and not unit.claimed and not unit.given:
            root, condition = asked.get(unit.path, (unit.path, ""))
            found[(root, unit.platform)][condition].append(unit)
    joined: list[Unit] = []
    gone: set[int] = set()
    for (root, _), by_condition in found.items():
        always = by_condition.pop("", [])
        several = sum(unit.path == root for unit in always) > 1
        if several and not all(includes.is_tasks(unit.path) for unit in always):
            continue  # plays for several switches: which of them takes the text in is not told
        name = names.of_tasks(root)
        devices = [(f"{name}-{those[0].fallback}", [*always, *those]) for those in by_condition.values()]
        for called, those in devices if devices and always else [(name, always)]:
            if len(those) > 1:
                documents = tuple([document for unit in those for document in unit.documents])
                joined.append(replace(those[0], documents=documents, fallback=called))
                gone.update(map(id, those))
    return [*(unit for unit in units if id(unit) not in gone), *joined]


def _without_replaced(
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
    apart = {_who(unit) for unit in units if id(unit) in asked and is_apart(unit.path) and _is_own_word(unit)}
    beside = Counter(_who(unit) for unit in units if id(unit) not in asked)
    left_out = [
        unit
        for unit in units
        if id(unit) not in asked
        and (
            (unit.name, unit.platform) in typed
            or (unit.name, unit.platform, names.undated(unit.path)) in here
            or (_who(unit) in apart and beside[_who(unit)] == 1 and _is_own_word(unit))
        )
    ]
    if not left_out:
        return units, []
    return _without(left_out, units, "not read beside the paths, which hold the same devices of another time")


def _who(unit: Unit) -> tuple[str, str, str]:
    return unit.name, unit.platform, unit.state


def _without_sources(units: Sequence[Unit]) -> tuple[Sequence[Unit], list[str]]:
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


def _without_copies(units: Sequence[Unit]) -> tuple[Sequence[Unit], list[str]]:
    """Leave out what people keep in a folder for former states while it is, word for word, still what is in force."""
    kept_twice = [
        unit
        for unit in units
        if _in_archive(unit)[0] and unit.claimed and not unit.given and not is_factory(unit.claimed)
    ]
    if not kept_twice:
        return units, []
    in_force = {_text_of(unit) for unit in units if not _in_archive(unit)[0]}
    copies = [unit for unit in kept_twice if _text_of(unit) in in_force]
    if not copies:
        return units, []
    return _without(copies, units, "not judged, for each is word for word a file of the same device that is")


def _without_changes(units: Sequence[Unit]) -> tuple[Sequence[Unit], list[tuple[Unit, list[Unit]]]]:
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


def _changed(devices: Sequence[Of], changes: Sequence[tuple[Unit, list[Unit]]]) -> tuple[tuple[Of, ...], list[str]]:
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


def _in_archive(unit: Unit) -> tuple[bool, str]:
    """Puts what lies in a folder for former states last."""
    return _ARCHIVE.search(unit.path) is not None, unit.path


def said(documents: Sequence[Document], says: Callable[[Document], bool] | None) -> bool:
    """Whether a platform says it of all documents; False where it never says so."""
    return says is not None and all(says(document) for document in documents)


def _first_names(units: Sequence[Unit]) -> list[str]:
    factory: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        if unit.claimed and is_factory(unit.claimed) and not unit.given:
            factory[unit.claimed].append(unit)
        unit.name = own_name(unit)
    notes = []
    for name, those in sorted(factory.items()):
        instead = listed([f"{unit.path} is {unit.name}" for unit in those], _SHOWN, spare_one=False)
        notes.append(f"the hostname {name} is a factory name: the file or folder name is taken ({instead})")
    return notes


def own_name(unit: Unit) -> str:
    """What a unit is called where no other unit claims the same."""
    claim = "" if is_factory(unit.claimed) else unit.claimed
    return unit.given or claim or unit.fallback


def _is_own_word(unit: Unit) -> bool:
    """Whether the policy or the text of a unit gives its name; a file's name alone (`leaf.j2` in each folder) claims no device."""
    return bool(unit.given) or unit.name == unit.claimed


def _call_alike(by_name: dict[str, list[Unit]], apart: Callable[[], Collection[str]]) -> None:
    """Call answers as the configuration beside them is called, where the name in their prompt differs by case or domain alone."""
    shorts: dict[str, list[str]] = defaultdict(list)
    for name in by_name:
        shorts[short_name(name)].append(name)
    for two in (found for found in shorts.values() if len(found) == 2):
        for name, other in (two, two[::-1]):
            asked, said = by_name.get(name, []), by_name.get(other, [])
            if len(said) == 1 and asked and all(_is_of(unit, said[0], apart) for unit in asked):
                for unit in asked:
                    unit.name = other
                said.extend(by_name.pop(name))


def _is_of(unit: Unit, configuration: Unit, apart: Callable[[], Collection[str]]) -> bool:
    """Whether answers that give no name of their own are those of the switch that a configuration is of."""
    is_one = unit.platform == configuration.platform and not (unit.given or unit.claimed)
    return is_one and _is_answers(unit) and not _is_answers(configuration) and _are_one(unit, configuration, apart)


def _call_as_beside(units: Sequence[Unit], by_name: dict[str, list[Unit]]) -> None:
    """Call answers in a folder that says only what it holds (`cmds`) as the one device is called whose configuration lies beside it."""
    nameless = [unit for word in _OF_ANSWERS for unit in by_name.get(word, ()) if not (unit.given or unit.claimed)]
    beside: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for unit in units if nameless else ():
        if not _is_answers(unit):
            for folder in (unit.folder, unit.folder.rpartition("/")[0]):
                beside[folder].add((unit.name, unit.platform))
    for unit in nameless:
        folder = unit.folder if unit.folder.rpartition("/")[2] == unit.name else unit.path
        of_one = beside[folder.rpartition("/")[0]]
        if len(of_one) == 1 and _is_answers(unit) and (found := next(iter(of_one)))[1] == unit.platform:
            by_name[unit.name].remove(unit)  # who lies within the folder of a device contests no name
            unit.name = found[0]


def short_name(name: str) -> str:
    """A name without its domain, in lower case."""
    return name.partition(".")[0].casefold()


def _keepers(name: str, claimants: list[Unit], apart: Callable[[], Collection[str]]) -> tuple[list[Unit], list[Unit]]:
    """Who keeps a name (whoever the policy gives it to, else one unit a state), and who must take another.

    A name that files in different folders claim identifies nothing: where their file names tell them apart, those are taken. `apart`:
    folders of answers alone.
    """
    if len(claimants) == 1:
        return claimants, []
    keepers: list[Unit] = []
    others: list[Unit] = []
    for unit in sorted(claimants, key=lambda u: (not u.given, u.fallback != name, _in_archive(u))):
        same_platform = all(k.platform == unit.platform for k in keepers)
        if same_platform and (
            unit.given or all(_are_states_apart(k, unit) or _are_one(k, unit, apart) for k in keepers)
        ):
            keepers.append(unit)
        else:
            others.append(unit)
    folders = {u.folder for u in claimants}
    told_apart = len({u.fallback for u in claimants}) == len(claimants)
    if others and len(folders) > 1 and told_apart and not any(k.given or k.fallback == name for k in keepers):
        return [], claimants
    return keepers, others


def _are_states_apart(one: Unit, other: Unit) -> bool:
    """Whether two units of a platform are in different states, by the names of their files or by the platform's own word."""
    stated = [_state_stated(unit) for unit in (one, other)]
    return one.state != other.state or (None not in stated and stated[0] != stated[1])


def _are_one(one: Unit, other: Unit, apart: Callable[[], Collection[str]]) -> bool:
    """Whether answers of a switch, as a log has them, lie beside its configuration, or beside answers to other commands; or in a folder
    beside that of its configuration, or in it, which holds answers alone.
    """
    of_answers = _is_answers(one), _is_answers(other)
    if not any(of_answers):
        return False
    if (
        place(one) != place(other) and one.folder != other.folder
    ):  # config_db.json is called after its folder, whatever that is called
        logged = one if of_answers[0] else other
        if all(of_answers) or place(logged) not in apart() or not _are_of_one_time(one, other):
            return False
    return {d.command for d in one.documents}.isdisjoint({d.command for d in other.documents})


def _are_of_one_time(one: Unit, other: Unit) -> bool:
    """Whether nothing says that the folders of two units, which lie beside each other or one in the other, are of different times."""
    first, second = place(one), place(other)
    above, above_other = first.rpartition("/")[0], second.rpartition("/")[0]
    return (above in (above_other, second) or above_other == first) and not any(
        _in_archive(unit)[0] or names.undated(unit.path) != unit.path for unit in (one, other)
    )


def place(unit: Unit) -> str:
    """The folder that a unit lies in, without one of its own in it, which is called like the device."""
    above, _, own = unit.folder.rpartition("/")
    return above if own.casefold() in (unit.fallback.casefold(), own_name(unit).casefold()) else unit.folder


def answers_alone(units: Sequence[Unit]) -> frozenset[str]:
    """The folders in which nothing lies but answers."""
    found = {place(unit): True for unit in units}
    for unit in units:
        found[place(unit)] &= _is_answers(unit)
    return frozenset(folder for folder, is_one in found.items() if is_one)


def _is_answers(unit: Unit) -> bool:
    """Whether all of a unit are answers of a switch, and none of them is its configuration."""
    platform = platforms.platform(unit.platform)
    return platform.kind == "switch" and not any(
        document.command is None or state_of(platform, document) or platform.hostname(document)
        for document in unit.documents
    )


def _state_stated(unit: Unit) -> State | None:
    """The state of all configurations of a unit; None where one of them has none or another one."""
    platform = platforms.platform(unit.platform)
    stated = [(document, state_of(platform, document)) for document in unit.documents]
    found = {state for document, state in stated if state is not None or platform.hostname(document) is not None}
    return found.pop() if len(found) == 1 else None


def _free_name(unit: Unit, used: set[str]) -> str:
    wanted = [unit.fallback, names.qualified(unit.path)]
    wanted += [f"{wanted[1]}#{count}" for count in range(2, len(used) + 3)]
    return next(name for name in wanted if name and name not in used)


def _join(units: Sequence[Unit]) -> tuple[Of, ...]:
    joined: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in units:
        joined[(unit.name, unit.platform)].append(unit)
    for those in joined.values():
        if len(those) > 1:
            those.sort(key=_is_answers)
    return tuple((device(name, those), tuple(those)) for (name, _), those in joined.items())


def device(name: str, units: Sequence[Unit]) -> DeviceInput:
    """The device that these units are of; at least one, all of one platform."""
    return DeviceInput(
        name,
        units[0].platform,
        tuple(d for unit in units for d in unit.documents),
        named_by_policy=any(u.given or u.platform_given for u in units),
    )
