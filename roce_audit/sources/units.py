"""Units: documents that belong together, each with what the policy, the snapshot's manifest and the decoder say of it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache

from roce_audit import platforms
from roce_audit.records import dataclass
from roce_audit.sources import detect, injson, kinds, names
from roce_audit.sources.collected import Collected
from roce_audit.sources.files import Candidate
from roce_audit.sources.hints import NO_HINT, Hints, PathHint
from roce_audit.sources.loaded import Problem, ProblemKind
from roce_audit.sources.manifest import FileRecord
from roce_audit.sources.naming import answers_alone, own_name, place, said, short_name
from roce_audit.sources.repository.variables import Variables
from roce_audit.sources.splitting import bundle
from roce_audit.sources.topology.files import TopologyFile
from roce_audit.sources.unanswered import all_empty, refused_and_answered, without_configuration
from roce_audit.sources.unit import Unit
from roce_audit.text.conflictmarks import without_conflicts
from roce_audit.text.decode import Note
from roce_audit.text.document import Document, State


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read and is text."""

    candidate: Candidate
    text: str
    notes: tuple[Note, ...]
    hint: PathHint
    truncated: bool = False
    """The snapshot's manifest says that the end is missing, or a merge left open what it says."""
    problem: Problem | None = None
    """What an unfinished merge left in it."""
    may_conflict: bool = True
    """Something like the mark of an unfinished merge stands in it."""


@dataclass
class Loading:
    """Everything that is found on the way."""

    hints: Hints
    base: str
    instead: Mapping[str, str]
    collected: Collected
    variables: Variables = Variables()
    units: list[Unit] = field(default_factory=list)
    topologies: list[TopologyFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unrecognised: list[tuple[str, str]] = field(default_factory=list)
    unclaimed: list[tuple[Unit, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    policies: list[str] = field(default_factory=list)
    rendered_from: dict[str, str] = field(default_factory=dict)
    filled_from: dict[str, tuple[str, ...]] = field(default_factory=dict)
    templates: list[str] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)

    def hint(self, shown: str, real: str) -> PathHint:
        """What the policy says about a path."""
        inside = os.path.relpath(os.path.abspath(real), self.base).replace(os.sep, "/")
        return self.hints.of(dict.fromkeys((shown, inside)))


def platform_said(reads: Sequence[Read]) -> str:
    """The platform that the policy says the files are of; "" where it says none."""
    return next((r.hint.platform for r in reads if r.hint.platform is not None), "")


def add(
    path: str,
    documents: tuple[Document, ...],
    short: str,
    reads: tuple[Read, ...],
    loading: Loading,
    *,
    is_named: bool = False,
) -> None:
    """Make a unit of documents that belong together, if a platform takes it.

    `is_named`: `short` is the name of a device, by their prompt or their folder.
    """
    if not documents:
        return
    by_path = {r.candidate.path: r for r in reads}
    folder_hint = loading.hint(path, path) if path not in by_path else NO_HINT
    about = {read.candidate.path: _OfFile.of(read, folder_hint, loading) for read in reads}
    documents = tuple([_finish(d, about[d.path], loading) for d in documents])
    paths = {document.path for document in documents}
    is_told_elsewhere = any(about[path].collected for path in paths)  # a manifest tells how it ended
    if not is_told_elsewhere:
        loading.problems.extend(without_configuration(documents))
    told = folder_hint.platform or platform_said(reads)
    platform = told or _chosen(path, documents, loading)
    if not told:
        documents, platform = _by_their_texts(documents, platform)
    if told:
        loading.problems.extend(_told_wrongly(path, told, documents))
    # a switch answers what is configured with nothing
    if not is_told_elsewhere and not (platform and platforms.platform(platform).kind == "switch"):
        loading.problems.extend(all_empty(documents))
    if not platform:
        if is_named:
            loading.unclaimed.append((Unit(path, documents, "", short), _word(documents)))
        else:
            loading.unrecognised.append((path, _word(documents)))
        return
    documents = tuple([_in_its_form(document, platform) for document in documents])
    _tell_of_reads(reads, platform, documents, loading)
    given = folder_hint.device or next((r.hint.device for r in reads if r.hint.device), None) or ""
    claimed, parts = claim(documents, platform), platforms.platform(platform).load()
    is_source = said(documents, parts.is_source_of_another)
    is_nobodys = not claimed and said(documents, parts.is_of_no_device)
    is_change = not claimed and said(documents, parts.changes_another)
    refused, answered = refused_and_answered(documents, platform)
    unit = Unit(
        path,
        documents,
        platform,
        short,
        claimed,
        given,
        bool(told),
        is_source,
        is_nobodys,
        is_change,
        refused,
        answered,
    )
    loading.units.append(unit)


def keep(read: Read, device: str, command: str, loading: Loading) -> None:
    """Keep an answer that is called after a device and a command until it is known whether there is such a switch."""
    path = read.candidate.path
    document = Document(path, read.text, command)
    kept = _finish(document, _OfFile.of(read, NO_HINT, loading), loading)
    loading.unclaimed.append((Unit(path, (kept,), "", device), _word((replace(document, command=None),))))


def _by_their_texts(documents: tuple[Document, ...], platform: str) -> tuple[tuple[Document, ...], str]:
    """Documents, and the switch that they are of by their texts, where some bear the name of a command that shows the configuration of
    another platform: collectors name the configurations of all devices after that of one vendor.
    """
    shows = platforms.configurations()
    own, others = shows.get(platform, "\0"), tuple(shows.values())
    if not any(one.command and one.command.startswith(others) and not one.command.startswith(own) for one in documents):
        return documents, platform
    plain = tuple([replace(one, command=None) if (one.command or "").startswith(others) else one for one in documents])
    found = detect.choose(plain).platform
    is_another = found != platform and found and platforms.platform(found).kind == "switch"
    return (plain, found) if is_another else (documents, platform)


def _chosen(path: str, documents: tuple[Document, ...], loading: Loading) -> str:
    """The platform that documents are recognised as; "" where none takes them."""
    choice = detect.choose(documents)
    if choice.note:
        loading.notes.append(f"{path}: {choice.note}")
    return choice.platform


def _tell_of_reads(reads: Sequence[Read], platform: str, documents: tuple[Document, ...], loading: Loading) -> None:
    """What went wrong where the files were read, and what was noticed; what is lost is a problem where it is of the device."""
    loading.problems.extend(read.problem for read in reads if read.problem is not None)
    for read in reads:
        loading.notes.extend(_note(read.candidate.path, note) for note in read.notes)
        loading.problems.extend(
            Problem(read.candidate.path, note.line, note.text, "truncated")
            for note in read.notes
            if note.lost and any(d.path == read.candidate.path and detect.may_be_of(platform, d) for d in documents)
        )


def _told_wrongly(path: str, platform: str, documents: tuple[Document, ...]) -> Iterator[Problem]:
    """That the policy has documents read as those of a platform which they surely are not of: nothing in them is understood."""
    other = detect.of_another(platform, documents)
    if other:
        words = f"not read: it is of {other}, and `paths:` in the policy says {platform}"
        yield Problem(documents[0].path, 0, words, "unreadable")


@dataclass(frozen=True, slots=True)
class _OfFile:
    """What policy, manifest and decoder say about all documents of a file."""

    state: State | None
    complete: bool | None
    is_cut: bool
    lost: tuple[int, ...]
    """Lines behind which text is missing."""
    may_conflict: bool
    collected: FileRecord | None
    says_nothing: bool
    """Nothing is said of its documents beside what they say themselves."""

    @classmethod
    def of(cls, read: Read, folder_hint: PathHint, loading: Loading) -> _OfFile:
        """The same of one file."""
        state = read.hint.state or folder_hint.state
        complete = read.hint.complete if read.hint.complete is not None else folder_hint.complete
        lost = tuple(note.line for note in read.notes if note.lost)
        collected = loading.collected.record(read.candidate.path)
        says_nothing = not (read.truncated or lost or read.may_conflict) and (state, complete, collected) == (None,) * 3
        return cls(state, complete, read.truncated, lost, read.may_conflict, collected, says_nothing)

    def is_lost(self, document: Document) -> bool:
        """Whether text of the document itself is missing."""
        last = document.first_line + (document.text.count("\n") if self.lost else 0)
        return any(document.first_line <= line <= last for line in self.lost)


def _finish(document: Document, of_file: _OfFile, loading: Loading) -> Document:
    """A document with what the policy, the file name and the decoder say about it."""
    if of_file.says_nothing and names.state_of(document.path, document.command) == document.state:
        return document  # a bundle has hundreds
    status = document.exit_status
    if status is None and of_file.collected is not None and of_file.collected.command == document.command:
        status = of_file.collected.exit_status
    text, problem = document.text, None
    if of_file.may_conflict:  # the answers in a bundle stand behind signs of their own in the file
        text, problem = settled(document.path, text, document.first_line)
        if problem is not None:
            loading.problems.append(problem)
    state = of_file.state or names.state_of(document.path, document.command)
    truncated = document.truncated or of_file.is_cut or problem is not None or of_file.is_lost(document)
    return replace(
        document, text=text, exit_status=status, state=state, truncated=truncated, declared_complete=of_file.complete
    )


@cache
def _configurations() -> frozenset[str]:
    """What the systems are asked for their configuration."""
    return frozenset(one.live.configuration for one in platforms.every() if one.live is not None)


def _in_its_form(document: Document, platform: str) -> Document:
    """A document under the command that asks for it as JSON, where it came so and that is read: names of files leave it out.

    A configuration in a file that is called as another system would ask for it is under the command of its own.
    """
    if document.command is None:
        return document
    if document.command in _configurations() and (live := platforms.platform(platform).live) is not None:
        is_of_another = document.command.partition(" ")[0] != live.configuration.partition(" ")[0]
        return replace(document, command=live.configuration) if is_of_another and live.configuration else document
    if document.text[:1] != "{":
        return document
    asked = f"{document.command} | json"
    return replace(document, command=asked) if platforms.platform(platform).reads_form(asked) else document


def claim(documents: Sequence[Document], platform: str) -> str:
    """The name that the documents give their device; the running configuration is asked first."""
    for document in documents:
        if document.command == "hostname" and document.text.strip():
            return document.text.split()[0][:253]
    if not platform:
        return ""
    hostname = platforms.platform(platform).hostname
    for document in sorted(documents, key=lambda d: d.state not in (None, "running")):
        found = (hostname(document) or "").strip("\"'")
        if found:
            return found
    return ""


def _note(path: str, note: Note) -> str:
    return f"{path}:{note.line}: {note.text}" if note.line else f"{path}: {note.text}"


def _word(documents: Sequence[Document]) -> str:
    if len(documents) == 1 and documents[0].command is None:
        what = kinds.by_text(documents[0].text)
        return (injson.word(documents[0].text) if what == kinds.JSON else "") or what
    return f"answers of commands that no platform recognised ({len(documents)})"


def adopted(units: Sequence[Unit], unclaimed: Iterable[Unit]) -> Iterator[Unit]:
    """Those answers that no platform recognised by themselves which are of a switch that is called as their prompt or folder is, and
    whose configuration lies beside them, or, where they lie in a folder of answers alone, in another one: they are of its platform.
    """
    asked = tuple(unclaimed)
    if not asked:
        return
    by_name: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        if platforms.platform(unit.platform).kind == "switch":
            by_name[short_name(own_name(unit))].append(unit)
    holds_others = {place(unit) for unit in units} - answers_alone(units)
    of_folder: dict[str, set[str]] = defaultdict(set)
    for one in units:
        of_folder[one.folder].add(short_name(own_name(one)))
    for unit in asked:
        if place(unit) != unit.folder and of_folder[unit.folder] - {short_name(unit.fallback)}:
            continue  # the folder is called like it, and holds others as well
        called = by_name[short_name(unit.fallback)]
        called = [one for one in called if own_name(one) == unit.fallback] or called
        beside = [one for one in called if place(one) == place(unit)] or called
        of_switch = {one.platform for one in beside}
        if len(of_switch) == 1 and (place(beside[0]) == place(unit) or place(unit) not in holds_others):
            (unit.platform,) = of_switch
            unit.documents = tuple([_in_its_form(document, unit.platform) for document in unit.documents])
            unit.refused, unit.answered = refused_and_answered(unit.documents, unit.platform)
            yield unit


def settled(path: str, text: str, first_line: int = 1) -> tuple[str, Problem | None]:
    """The text without what an unfinished merge left open, and what is to be said of that."""
    settled, line, marks = without_conflicts(text)
    if not marks:
        return text, None
    counted = "1 mark" if marks == 1 else f"{marks} marks"
    words = (
        f"{counted} of an unfinished merge: nothing between them is taken as in force, nor what is missing as absent"
    )
    return settled, Problem(path, first_line - 1 + line, words, "merge-conflict")


def tell_problems(path: str, found: Sequence[bundle.Bundle], loading: Loading) -> None:
    """Note what is wrong with bundles."""
    for one in found:
        kind: ProblemKind = "truncated" if one.documents else "unreadable"
        loading.problems.extend(Problem(path, line, clause, kind) for line, clause in one.problems)
        if one.problems:
            loading.incomplete.append(path)
