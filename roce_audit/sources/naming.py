"""Which document belongs to which device, and what the device is called."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache

from roce_audit import platforms
from roce_audit.platforms.factorynames import is_factory
from roce_audit.platforms.states import state_of
from roce_audit.sources import claims, names
from roce_audit.sources.leftaside import (
    Of,
    in_archive,
    is_own_word,
    with_changes,
    without_changes,
    without_copies,
    without_replaced,
    without_sources,
)
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.ansible import includes
from roce_audit.sources.unit import Unit
from roce_audit.text.document import DeviceInput, Document, State
from roce_audit.text.sentences import listed

_SHOWN = 10
_OF_ANSWERS = ("cmds", "cmd", "commands", "show", "shows", "answers", "outputs", "output", "cli", "operational", "logs")
"""What folders of answers are called that lie in the folder of their device."""


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
    units, replaced = without_replaced(units, is_asked, is_apart)
    notes += replaced
    units, rendered = without_sources(units)
    units, copies = without_copies(units)
    units, changes = without_changes(units)
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
            if any(map(is_own_word, claimants)):
                told.extend(others)
                rivals = [
                    unit
                    for unit in claimants
                    if unit.path not in templates and (unit in others or not is_answers(unit))
                ]
                if len(rivals) > 1:
                    twice.append(claims.claim(name, rivals, keepers, in_archive))
    for unit in losers:
        unit.name = _free_name(unit, used)
        used.add(unit.name)
    notes.extend(f"{u.path} is judged as {u.name}: other files claim the name as well" for u in told[:_SHOWN])
    devices, changed = with_changes(_join(units), changes)
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
    return is_one and is_answers(unit) and not is_answers(configuration) and _are_one(unit, configuration, apart)


def _call_as_beside(units: Sequence[Unit], by_name: dict[str, list[Unit]]) -> None:
    """Call answers in a folder that says only what it holds (`cmds`) as the one device is called whose configuration lies beside it."""
    nameless = [unit for word in _OF_ANSWERS for unit in by_name.get(word, ()) if not (unit.given or unit.claimed)]
    beside: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for unit in units if nameless else ():
        if not is_answers(unit):
            for folder in (unit.folder, unit.folder.rpartition("/")[0]):
                beside[folder].add((unit.name, unit.platform))
    for unit in nameless:
        folder = unit.folder if unit.folder.rpartition("/")[2] == unit.name else unit.path
        of_one = beside[folder.rpartition("/")[0]]
        if len(of_one) == 1 and is_answers(unit) and (found := next(iter(of_one)))[1] == unit.platform:
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
    for unit in sorted(claimants, key=lambda u: (not u.given, u.fallback != name, in_archive(u))):
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
    of_answers = is_answers(one), is_answers(other)
    if not any(of_answers):
        return False
    if (
        place(one) != place(other) and one.folder != other.folder
    ):  # config_db.json is called after its folder, whatever that is called
        logged = one if of_answers[0] else other
        if all(of_answers) or place(logged) not in apart() or not _are_of_one_time(one, other):
            return False
    return _commands(one).isdisjoint(_commands(other))


def _commands(unit: Unit) -> set[str]:
    return {document.command for document in unit.documents if document.command is not None}


def _are_of_one_time(one: Unit, other: Unit) -> bool:
    """Whether nothing says that the folders of two units, which lie beside each other or one in the other, are of different times."""
    first, second = place(one), place(other)
    above, above_other = first.rpartition("/")[0], second.rpartition("/")[0]
    return (above in (above_other, second) or above_other == first) and not any(
        in_archive(unit)[0] or names.undated(unit.path) != unit.path for unit in (one, other)
    )


def place(unit: Unit) -> str:
    """The folder that a unit lies in, without one of its own in it, which is called like the device."""
    above, _, own = unit.folder.rpartition("/")
    return above if own.casefold() in (unit.fallback.casefold(), own_name(unit).casefold()) else unit.folder


def answers_alone(units: Sequence[Unit]) -> frozenset[str]:
    """The folders in which nothing lies but answers."""
    found = {place(unit): True for unit in units}
    for unit in units:
        found[place(unit)] &= is_answers(unit)
    return frozenset(folder for folder, is_one in found.items() if is_one)


def is_answers(unit: Unit) -> bool:
    """Whether all of a unit are answers of a switch, and none of them is its configuration."""
    platform = platforms.platform(unit.platform)
    if platform.kind != "switch":
        return False
    is_answer = platform.load().is_answer
    return not any(
        (document.command is None and not (is_answer is not None and is_answer(document)))
        or state_of(platform, document)
        or platform.hostname(document)
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
            those.sort(key=is_answers)
    return tuple((device(name, those), tuple(those)) for (name, _), those in joined.items())


def device(name: str, units: Sequence[Unit]) -> DeviceInput:
    """The device that these units are of; at least one, all of one platform."""
    return DeviceInput(
        name,
        units[0].platform,
        tuple(d for unit in units for d in unit.documents),
        named_by_policy=any(u.given or u.platform_given for u in units),
    )
