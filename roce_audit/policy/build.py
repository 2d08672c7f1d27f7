"""From the checked form to the plain policy: short forms become classes, every entry gets its line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from roce_audit.policy import pathfile, schema
from roce_audit.policy.farends import FarEndPolicy
from roce_audit.policy.lines import Lines
from roce_audit.policy.load import PolicyError
from roce_audit.policy.values import (
    CablePolicy,
    ClassPolicy,
    Entry,
    FabricPolicy,
    GivenPath,
    Ignore,
    PathPolicy,
    Policy,
    PortPolicy,
    RulePolicy,
)
from roce_audit.text import globs
from roce_audit.values import Cell, Place, Why, absent, known, unknown

T = TypeVar("T")
Path_ = tuple[str | int, ...]
Wrong = list[tuple[Place, str]]


def build(form: schema.PolicyForm, lines: Lines, folder: Path | None) -> tuple[Policy, Wrong]:
    """The policy, and what it may not say: line and sentence."""
    wrong: Wrong = []
    given_paths: tuple[GivenPath, ...] = ()
    if form.path_file is not None and folder is not None:  # a text without a place names no file
        try:
            given_paths = pathfile.read(folder / form.path_file)
        except PolicyError as error:  # told beside what is wrong in the policy
            named = lines.at("path_file")
            wrong += [
                (Place(problem.path, problem.line), problem.message)
                if problem.line
                else (named, f"path_file: {problem.path}: {problem.message[:1].lower()}{problem.message[1:]}")
                for problem in error.problems
            ]
    mtu_bytes = _mtu(form.mtu, lines, "mtu", "roce")
    lossless = _cell(form.lossless, lines, "lossless")
    classes = _classes(form, lines, (), mtu_bytes, lossless, wrong)
    policy = Policy(
        file=lines.name,
        folder=None if folder is None else str(folder),
        profile=known(form.profile, lines.at("profile")) if form.profile else known("base"),
        classes=classes,
        mtu_bytes=mtu_bytes,
        lossless=lossless,
        fabrics=tuple(_fabric(name, f, lines, mtu_bytes, lossless, wrong) for name, f in form.fabrics.items()),
        ports=tuple(_port(entry, lines, number) for number, entry in enumerate(form.ports)),
        cables=tuple(
            CablePolicy((cable.between[0], cable.between[1]), cable.length_m, lines.at("cables", number))
            for number, cable in enumerate(form.cables)
        ),
        far_ends=tuple(FarEndPolicy(text, lines.at("far_ends", number)) for number, text in enumerate(form.far_ends)),
        exclude=_entries(form.exclude, lines, "exclude"),
        maintenance=_entries(form.maintenance, lines, "maintenance"),
        paths=tuple(_path(pattern, entry, lines) for pattern, entry in form.paths.items()),
        rules=tuple(rule_policy(name, entry, lines) for name, entry in form.rules.items()),
        ignores=tuple(_ignore(entry, lines, number) for number, entry in enumerate(form.ignore)),
        rules_paths=_entries(form.rules_path, lines, "rules_path"),
        path_file=Entry(form.path_file, lines.at("path_file")) if form.path_file is not None else None,
        given_paths=given_paths,
    )
    return policy, wrong


def _cell(value: T | None, lines: Lines, *path: str | int) -> Cell[T]:
    return unknown(Why.NOT_VISIBLE) if value is None else known(value, lines.at(*path))


def _mtu(form: schema.MtuForm | None, lines: Lines, *path: str | int) -> Cell[int]:
    return _cell(None if form is None else form.roce, lines, *path)


def _entries(texts: Sequence[str], lines: Lines, *path: str | int) -> tuple[Entry, ...]:
    return tuple(Entry(text, lines.at(*path, number)) for number, text in enumerate(texts))


def _fabric(
    name: str, form: schema.FabricForm, lines: Lines, mtu: Cell[int], lossless: Cell[bool], wrong: Wrong
) -> FabricPolicy:
    here: Path_ = ("fabrics", name)
    own_mtu = _mtu(form.mtu, lines, *here, "mtu", "roce") if form.mtu else mtu
    own_lossless = lossless if form.lossless is None else _cell(form.lossless, lines, *here, "lossless")
    carries_roce = not ("roce" in form.model_fields_set and form.roce is None)
    classes = _classes(form, lines, here, own_mtu, own_lossless, wrong)
    if classes and not carries_roce:
        wrong.append((lines.at(*here, "roce"), f"fabrics.{name}: `roce: none` contradicts the classes given here"))
    return FabricPolicy(
        name=name,
        devices=_entries(form.devices, lines, *here, "devices"),
        carries_roce=carries_roce,
        profile=_cell(form.profile, lines, *here, "profile"),
        classes=classes,
        mtu_bytes=own_mtu,
        lossless=own_lossless,
        at=lines.at(*here),
    )


def _classes(
    form: schema.PolicyForm | schema.FabricForm,
    lines: Lines,
    here: Path_,
    mtu: Cell[int],
    lossless: Cell[bool],
    wrong: Wrong,
) -> tuple[ClassPolicy, ...]:
    """The long form, then the short forms that say anything the long form does not say already."""
    nothing: tuple[Cell[int], Cell[bool]] = (unknown(Why.NOT_VISIBLE), unknown(Why.NOT_VISIBLE))
    classes: list[ClassPolicy] = []
    for number, entry in enumerate(form.classes):
        path: Path_ = (*here, "classes", number)
        if any(known_class.name == entry.name for known_class in classes):
            wrong.append((lines.at(*path, "name"), f"the class '{entry.name}' is given twice"))
        own = (_cell(entry.mtu, lines, *path, "mtu"), _cell(entry.lossless, lines, *path, "lossless"))
        classes.append(_class(entry.name, entry.role, entry, lines, path, (mtu, lossless), own, wrong))
    for name, short in (("roce", form.roce), ("cnp", form.cnp)):
        if short is not None:
            made = _class(name, None, short, lines, (*here, name), (mtu, lossless), nothing, wrong)
            if any(long.name == name for long in classes):
                wrong.append((lines.at(*here, name), f"the class '{name}' is given in short and in `classes:`"))
            elif not any(_covers(long, made) for long in classes):
                classes.append(made)
    _refuse_shared_marks(classes, wrong)
    return tuple(classes)


def _class(
    name: str,
    role: str | None,
    form: schema.ShortClassForm,
    lines: Lines,
    path: Path_,
    usual: tuple[Cell[int], Cell[bool]],
    own: tuple[Cell[int], Cell[bool]],
    wrong: Wrong,
) -> ClassPolicy:
    at = lines.at(*path)
    if form.dscp is None and form.pcp is None and form.priority is None:
        wrong.append((at, f"the class '{name}' gives neither dscp nor pcp nor priority"))
    is_cnp = role == "cnp" or (role is None and name == "cnp")
    dscp, pcp, priority = (
        _cell(None if values is None else frozenset(values), lines, *path, key)
        for key, values in (("dscp", form.dscp), ("pcp", form.pcp), ("priority", form.priority))
    )
    if form.dscp is None and form.pcp is not None:
        dscp = absent(at)
    if form.pcp is None and form.dscp is not None:
        pcp = absent(at)
    mtu, lossless = own
    if not is_cnp:
        mtu = mtu if mtu.is_known else usual[0]
        lossless = lossless if lossless.is_known else usual[1]
    return ClassPolicy(name, "cnp" if is_cnp else "roce", dscp, pcp, priority, lossless, mtu, at)


def _covers(long: ClassPolicy, short: ClassPolicy) -> bool:
    """True when the long form says all that the short one says."""
    return long.role == short.role and all(
        not given.is_known or (full.is_known and given.get() <= full.get())
        for given, full in (
            (short.dscp, long.dscp),
            (short.pcp, long.pcp),
            (short.priority, long.priority),
        )
    )


def _refuse_shared_marks(classes: list[ClassPolicy], wrong: Wrong) -> None:
    """A packet is in one class: no code point may be in two."""
    for word in ("dscp", "pcp"):
        owner: dict[int, str] = {}
        for entry in classes:
            cell: Cell[frozenset[int]] = getattr(entry, word)
            for mark in sorted(cell.or_else(frozenset())):
                first = owner.setdefault(mark, entry.name)
                if first != entry.name:
                    wrong.append((entry.at, f"{word} {mark} is in the classes '{first}' and '{entry.name}'"))


def _port(form: schema.PortForm, lines: Lines, number: int) -> PortPolicy:
    device, port = globs.split_port(form.match) if form.match is not None else (None, None)
    return PortPolicy(device, port, form.description, form.roce, form.because, lines.at("ports", number))


def _path(pattern: str, form: schema.PathForm, lines: Lines) -> PathPolicy:
    return PathPolicy(
        pattern=pattern,
        at=lines.at("paths", pattern),
        platform=form.platform,
        device=form.device,
        complete=form.complete,
        state=form.state,
        rendered_from=form.rendered_from or "",
    )


def rule_policy(name: str, form: schema.RuleForm, lines: Lines) -> RulePolicy:
    """What a file says about one rule."""
    here = ("rules", name)
    places = {key: lines.at(*here, "params", key) for key in form.params}
    return RulePolicy(name, form.severity, dict(form.params), lines.at(*here), places)


def _ignore(form: schema.IgnoreForm, lines: Lines, number: int) -> Ignore:
    return Ignore(
        reason=form.reason,
        at=lines.at("ignore", number),
        rule=form.rule,
        device=form.device,
        port=form.port,
        fabric=form.fabric,
        class_name=form.class_name,
        tag=form.tag,
        until=form.until,
    )
