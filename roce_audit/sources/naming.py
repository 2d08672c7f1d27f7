"""Which document belongs to which device, and what the device is called."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from roce_audit import platforms
from roce_audit.platforms.factorynames import is_factory
from roce_audit.sources import names
from roce_audit.sources.loaded import Problem
from roce_audit.text.document import DeviceInput, Document

_SHOWN = 10


@dataclass
class Unit:
    """Documents that surely belong together: one file, one folder of answers, one bundle, one device of a log."""

    path: str
    """The file or folder."""
    documents: tuple[Document, ...]
    platform: str
    fallback: str
    """The name that file or folder give."""
    claimed: str = ""
    """The name that the documents give; empty where they give none."""
    given: str = ""
    """The name that the policy gives."""
    platform_given: bool = False
    name: str = field(default="", init=False)

    @property
    def folder(self) -> str:
        """The folder that the file or folder lies in."""
        return self.path.rpartition("/")[0]

    @property
    def state(self) -> str:
        """The state of the configuration; one that nobody states counts as running."""
        states = {d.state or "running" for d in self.documents}
        return states.pop() if len(states) == 1 else "running"


def decide(units: Sequence[Unit]) -> tuple[tuple[DeviceInput, ...], tuple[Problem, ...], tuple[str, ...]]:
    """Name all units and join those of one device in different states. Returns devices, problems and notes."""
    notes = _first_names(units)
    units, rendered = _without_sources(units)
    notes += rendered
    problems: list[Problem] = []
    used: set[str] = set()
    by_name: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        by_name[unit.name].append(unit)
    losers: list[Unit] = []
    for name, claimants in by_name.items():
        keepers, others = _keepers(name, claimants)
        if keepers:
            used.add(name)
        if others:
            losers.extend(others)
            if not all(map(_is_nobodys, claimants)):
                problems.append(_twice(name, claimants, keepers))
    for unit in losers:
        unit.name = _free_name(unit, used)
        used.add(unit.name)
    notes.extend(f"{u.path} is judged as {u.name}: other files claim the name as well" for u in losers[:_SHOWN])
    return _join(units), tuple(problems), tuple(notes)


def _without_sources(units: Sequence[Unit]) -> tuple[Sequence[Unit], list[str]]:
    """Leave out files from which a configuration was rendered that is here as well: the device gets the rendered one."""
    if len(units) < 2:
        return units, []
    forms: dict[tuple[str, str], set[bool]] = defaultdict(set)
    is_source = {id(unit): _is_source(unit) for unit in units}
    for unit in units:
        forms[(unit.name, unit.platform)].add(is_source[id(unit)])
    left_out = [u for u in units if is_source[id(u)] and forms[(u.name, u.platform)] == {True, False}]
    if not left_out:
        return units, []
    listed = ", ".join(unit.path for unit in left_out[:_SHOWN])
    more = f" and {len(left_out) - _SHOWN} more" if len(left_out) > _SHOWN else ""
    gone = {id(unit) for unit in left_out}
    note = f"not read, for the configurations rendered from them are here as well: {listed}{more}"
    return [unit for unit in units if id(unit) not in gone], [note]


def _is_source(unit: Unit) -> bool:
    """Whether all of it is a form that another file is rendered from, by the platform's own word."""
    says = platforms.platform(unit.platform).load().is_source_of_another
    return says is not None and all(says(document) for document in unit.documents)


def _is_nobodys(unit: Unit) -> bool:
    """Whether it belongs to no device, by the platform's own word: scripts of two folders may well have one name."""
    says = platforms.platform(unit.platform).load().is_of_no_device
    return says is not None and not unit.claimed and all(says(document) for document in unit.documents)


def _first_names(units: Sequence[Unit]) -> list[str]:
    factory: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        claim = unit.claimed
        if claim and is_factory(claim):
            if not unit.given:
                factory[claim].append(unit)
            claim = ""
        unit.name = unit.given or claim or unit.fallback
    notes = []
    for name, those in sorted(factory.items()):
        as_ = ", ".join(f"{u.path} is {u.name}" for u in those[:_SHOWN])
        more = f" and {len(those) - _SHOWN} more" if len(those) > _SHOWN else ""
        notes.append(f"the hostname {name} is a factory name: the file or folder name is taken ({as_}{more})")
    return notes


def _keepers(name: str, claimants: list[Unit]) -> tuple[list[Unit], list[Unit]]:
    """Who keeps a name (whoever the policy gives it to, else one unit a state), and who must take another.

    A name that files in different folders claim identifies nothing: where their file names tell them apart, those are taken.
    """
    if len(claimants) == 1:
        return claimants, []
    keepers: list[Unit] = []
    others: list[Unit] = []
    for unit in sorted(claimants, key=lambda u: (not u.given, u.fallback != name, u.path)):
        same_platform = all(k.platform == unit.platform for k in keepers)
        if same_platform and (unit.given or all(k.state != unit.state for k in keepers)):
            keepers.append(unit)
        else:
            others.append(unit)
    folders = {u.folder for u in claimants}
    told_apart = len({u.fallback for u in claimants}) == len(claimants)
    if others and len(folders) > 1 and told_apart and not any(k.given or k.fallback == name for k in keepers):
        return [], claimants
    return keepers, others


def _twice(name: str, claimants: list[Unit], keepers: list[Unit]) -> Problem:
    paths = [u.path for u in claimants]
    first = keepers[0].path if keepers else paths[0]
    which = f"{first} is judged under that name, the others" if keepers else "they"
    text = f"{len(paths)} files claim the device {name} ({', '.join(paths)}): {which} under the names of their files"
    return Problem(first, 0, text, "same-device-twice", name)


def _free_name(unit: Unit, used: set[str]) -> str:
    wanted = [unit.fallback, names.qualified(unit.path)]
    wanted += [f"{wanted[1]}#{count}" for count in range(2, len(used) + 3)]
    return next(name for name in wanted if name and name not in used)


def _join(units: Sequence[Unit]) -> tuple[DeviceInput, ...]:
    joined: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in units:
        joined[(unit.name, unit.platform)].append(unit)
    return tuple(
        DeviceInput(
            name,
            platform,
            tuple(d for unit in those for d in unit.documents),
            named_by_policy=any(u.given or u.platform_given for u in those),
        )
        for (name, platform), those in joined.items()
    )
