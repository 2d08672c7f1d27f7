"""Turns paths into devices: reads files, splits bundles and logs, puts folders of answers together, asks the platforms."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from roce_audit import platforms
from roce_audit.sources import bundle, commands, detect, files, kinds, manyhosts, names, session, tree
from roce_audit.sources.collected import Collected
from roce_audit.sources.files import Candidate
from roce_audit.sources.hints import NO_HINT, Hints, PathHint
from roce_audit.sources.loaded import Loaded, Problem, ProblemKind, TextFile
from roce_audit.sources.naming import Unit, settle
from roce_audit.text.decode import Note, decode
from roce_audit.text.document import Document

TOPOLOGY_NAMES = ("topology.yaml", "topology.yml")
OWN_NAMES = ("roce-audit.yaml", "roce-audit.yml", "roce-audit-baseline.json", "roce-audit-history.sqlite")
"""Files that roce-audit writes or is told by: no input."""
_NOTHING: Mapping[str, str] = {}
_FEWEST_ANSWERS = 2


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was read and is text."""

    candidate: Candidate
    text: str
    notes: tuple[Note, ...]
    hint: PathHint
    truncated: bool = False
    """The snapshot's manifest says that the end is missing."""


@dataclass
class _Loading:
    hints: Hints
    base: str
    instead: Mapping[str, str]
    collected: Collected
    units: list[Unit] = field(default_factory=list)
    topologies: list[TextFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unrecognised: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rendered_from: dict[str, str] = field(default_factory=dict)
    incomplete: list[str] = field(default_factory=list)

    def hint(self, shown: str, real: str) -> PathHint:
        """What the policy says about a path."""
        inside = os.path.relpath(os.path.abspath(real), self.base).replace(os.sep, "/")
        return self.hints.of(dict.fromkeys((shown, inside)))


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
    for hint in hints:
        if hint.platform is not None and hint.platform not in platforms.names():
            raise ValueError(f"no platform is called {hint.platform!r}: there are {detect.looked_for()}")
    beside = [found for p in paths if p != files.STDIN for found in files.exists_beside(p, TOPOLOGY_NAMES)]
    walk = files.walk([*paths, *beside], exclude=exclude, base=base, limit=limit)
    loading = _Loading(Hints(hints), os.path.abspath(base), instead, Collected.of(walk.files))
    loading.unrecognised.extend(walk.skipped)
    loading.problems.extend(Problem(path, 0, f"not read: {word}", "unreadable") for path, word in walk.unreadable)
    aside = None if apart is None else os.path.realpath(apart)
    candidates = [f for f in walk.files if aside is None or not files.lies_in(os.path.realpath(f.real), aside)]
    trees = tree.roots(candidates)
    for root, members in trees.items():
        _load_tree(root, members, loading)
    in_trees = {candidate.path for members in trees.values() for candidate in members}
    folders: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.path in in_trees:
            continue
        # standard input is no neighbour of the files in the working directory
        folders["" if candidate.path == files.STDIN else _home(candidate.folder) or "."].append(candidate)
    for folder, candidates in folders.items():
        _load_folder(folder, candidates, loading)
    loading.units.sort(key=lambda u: u.path)
    devices, problems, notes = settle(loading.units)
    return Loaded(
        devices,
        tuple(loading.topologies),
        (*loading.problems, *loading.collected.problems, *problems),
        tuple(sorted(loading.unrecognised)),
        walk.excluded,
        (*loading.notes, *loading.collected.notes, *notes),
        loading.rendered_from,
        loading.hints.unused,
        tuple(loading.incomplete),
        loading.collected.unreached,
    )


def _home(folder: str) -> str:
    """The folder of the device that a folder like `leaf1/etc/network` belongs to; any other folder as it is."""
    for pattern in platforms.inner_folders():
        steps = folder.split("/")
        for count in range(len(steps) - 1, -1, -1):
            if pattern.fullmatch("/".join(steps[count:])) is not None:
                return "/".join(steps[:count])
    return folder


def _load_folder(folder: str, candidates: list[Candidate], loading: _Loading) -> None:
    answers = [c for c in candidates if commands.command_of(c.name) is not None]
    siblings = _siblings(candidates)
    of_one = len(answers) >= _FEWEST_ANSWERS or (bool(answers) and bool(siblings))
    is_device = of_one or any(c.name == "hostname.txt" for c in candidates)
    together: list[_Read] = []
    shared: dict[str, list[tuple[Document, _Read]]] = defaultdict(list)
    for candidate in candidates:
        read = _read(candidate, loading)
        if read is None or _is_shared(read, shared, loading):
            continue
        one_of_them = is_device or (len(siblings) > 1 and candidate.name in siblings)
        if one_of_them and not bundle.is_bundle(read.text) and read.hint.device is None:
            together.append(read)
        else:
            _load_file(read, folder, loading)
    if together:
        _load_together(folder, together, loading)
    for host, given in shared.items():
        sources = tuple(dict.fromkeys(source for _, source in given))
        _add(sources[0].candidate.path, tuple(document for document, _ in given), host, sources, loading)


def _is_shared(read: _Read, shared: dict[str, list[tuple[Document, _Read]]], loading: _Loading) -> bool:
    """Whether a file holds answers of many hosts; sorts them by host."""
    path = read.candidate.path
    try:
        found = manyhosts.split(read.text)
    except ValueError as error:
        loading.problems.append(Problem(path, 0, f"not read: {error}", "unreadable"))
        return True
    command = commands.command_of(read.candidate.name)
    documents: dict[str, tuple[Document, ...]] = {}
    for host, (line, text) in found.items():
        if bundle.is_bundle(text):
            own = bundle.split(text, path, line)
            documents[host] = tuple(d for one in own for d in one.documents)
            _tell_problems(path, own, loading)
        elif command is not None:
            documents[host] = (Document(path, text, command, line),)
        else:
            documents[host] = manyhosts.answers(path, text, line)
    if not any(detect.choose(those).platform for those in documents.values()):
        return False
    for host, those in documents.items():
        shared[host] += [(document, read) for document in those]
    return True


def _tell_problems(path: str, found: Sequence[bundle.Bundle], loading: _Loading) -> None:
    for one in found:
        kind: ProblemKind = "truncated" if one.documents else "unreadable"
        loading.problems.extend(Problem(path, line, clause, kind) for line, clause in one.problems)
        if one.problems:
            loading.incomplete.append(path)


def _load_tree(root: str, members: Sequence[Candidate], loading: _Loading) -> None:
    """A host as a tree of files; most of them are none of our business."""
    reads: list[_Read] = []
    documents: list[Document] = []
    for candidate in members:
        command = tree.command_in(root, candidate)
        read = _read(candidate, loading) if command is not None else None
        if read is not None:
            reads.append(read)
            documents.append(Document(candidate.path, read.text, command))
    _add(root or ".", tuple(documents), _folder_name(root or "."), tuple(reads), loading)


def _siblings(candidates: Sequence[Candidate]) -> frozenset[str]:
    """The names in a folder that some platform spreads one device over; of the platform that has most of them."""
    sets = [frozenset(c.name for c in candidates if p.fullmatch(c.name)) for p in platforms.sibling_files()]
    return max(sets, key=len, default=frozenset())


def _read(candidate: Candidate, loading: _Loading) -> _Read | None:
    """The text of a candidate; None when it was dealt with (no text, a topology, clearly something else)."""
    if candidate.name in OWN_NAMES or loading.collected.is_manifest(candidate):
        return None
    hint = loading.hint(candidate.path, candidate.real)
    word = kinds.by_name(candidate.name) if hint == NO_HINT else ""
    if candidate.named and word not in kinds.PROSE:
        word = ""
    is_script = word == kinds.SCRIPT
    if word and not is_script:
        loading.unrecognised.append((candidate.path, word))
        return None
    given = loading.instead.get(candidate.path)
    try:
        data = files.read(candidate) if given is None else given.encode()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        loading.problems.append(Problem(candidate.path, 0, f"not read: {reason}", "unreadable"))
        return None
    decoded = decode(data)
    if decoded.refused:
        if candidate.named or hint != NO_HINT:
            loading.problems.append(Problem(candidate.path, 0, f"not read: {decoded.refused}", "unreadable"))
        loading.unrecognised.append((candidate.path, decoded.refused))
        return None
    if candidate.name in TOPOLOGY_NAMES and hint.platform is None:
        loading.topologies.append(TextFile(candidate.path, decoded.text))
        return None
    word = "" if hint.platform is not None else kinds.unfinished(decoded.text) or (kinds.SCRIPT if is_script else "")
    if word and _may_be_of_host(word, Document(candidate.path, decoded.text)):
        word = ""
    if word:
        loading.unrecognised.append((candidate.path, word))
        return None
    if hint.rendered_from is not None:
        loading.rendered_from[candidate.path] = hint.rendered_from
    cut = given is None and loading.collected.check(candidate.path, len(data))
    return _Read(candidate, decoded.text, decoded.notes, hint, cut)


def _may_be_of_host(word: str, document: Document) -> bool:
    """A script or playbook that sets NICs up, or launches a job."""
    return (word == kinds.SCRIPT or kinds.is_playbook(document.text)) and detect.is_of_host(document)


def _load_file(read: _Read, folder: str, loading: _Loading) -> None:
    """One file: a bundle, a session log, or one document."""
    path, text = read.candidate.path, read.text
    short = names.fallback(path, _folder_name(folder)) if path != files.STDIN else "stdin"
    if bundle.is_bundle(text):
        bundles = bundle.split(text, path)
        _tell_problems(path, bundles, loading)
        for found in bundles:
            _add(path, found.documents, short, (read,), loading)
        return
    command = commands.command_of(read.candidate.name)
    sessions = session.split(text, path) if command is None else ()
    for one in sessions:
        prompt = one.host if one.host and not names.is_factory(one.host) else short
        _add(path, one.documents, prompt, (read,), loading)
    if not sessions:
        if command is not None:
            short = _folder_name(folder) or short
        _add(path, (Document(path, text, command),), short, (read,), loading)


def _load_together(folder: str, reads: list[_Read], loading: _Loading) -> None:
    """A folder of answers is one device, unless its files say that they are of several."""
    documents = []
    for read in reads:
        path = read.candidate.path
        command = commands.command_of(read.candidate.name)
        found = session.split(read.text, path) if command is None else ()
        documents.append([d for s in found for d in s.documents] or [Document(path, read.text, command)])
    flat = tuple(d for those in documents for d in those)
    platform = loading.hint(folder, folder).platform or _forced(reads) or detect.choose(flat).platform
    claims = {name for d in flat if (name := _claim((d,), platform)) and not names.is_factory(name)}
    if len(claims) > 1:
        listed = ", ".join(sorted(claims)[:4])
        loading.notes.append(f"{folder}: its files name several devices ({listed}): each file is read by itself")
        for read in reads:
            _load_file(read, folder, loading)
        return
    _add(folder, flat, _folder_name(folder), tuple(reads), loading)


def _forced(reads: Sequence[_Read]) -> str:
    return next((r.hint.platform for r in reads if r.hint.platform is not None), "")


def _add(path: str, documents: tuple[Document, ...], short: str, reads: tuple[_Read, ...], loading: _Loading) -> None:
    """Make a unit of documents that belong together, if a platform takes it."""
    if not documents:
        return
    by_path = {r.candidate.path: r for r in reads}
    folder_hint = loading.hint(path, path) if path not in by_path else NO_HINT
    documents = tuple(_finish(d, by_path[d.path], folder_hint, loading) for d in documents)
    platform = folder_hint.platform or _forced(reads)
    if not platform:
        choice = detect.choose(documents)
        platform = choice.platform
        if choice.note:
            loading.notes.append(f"{path}: {choice.note}")
    if not platform:
        loading.unrecognised.append((path, _word(path, documents)))
        return
    for read in reads:
        loading.notes.extend(_note(read.candidate.path, note) for note in read.notes)
        loading.problems.extend(
            Problem(read.candidate.path, note.line, note.text, "truncated") for note in read.notes if note.lost
        )
    given = folder_hint.device or next((r.hint.device for r in reads if r.hint.device), None) or ""
    forced = bool(folder_hint.platform or _forced(reads))
    loading.units.append(Unit(path, documents, platform, short, _claim(documents, platform), given, forced))


def _finish(document: Document, read: _Read, folder_hint: PathHint, loading: _Loading) -> Document:
    """A document with what the policy, the file name and the decoder say about it."""
    last = document.first_line + document.text.count("\n")
    lost = read.truncated or any(note.lost and document.first_line <= note.line <= last for note in read.notes)
    hinted = read.hint.state or folder_hint.state
    complete = read.hint.complete if read.hint.complete is not None else folder_hint.complete
    collected = loading.collected.record(document.path)
    status = document.exit_status
    if status is None and collected is not None and collected.command == document.command:
        status = collected.exit_status
    return replace(
        document,
        exit_status=status,
        state=hinted or names.state_of(document.path, document.command),
        truncated=document.truncated or lost,
        declared_complete=bool(complete),
    )


def _claim(documents: Sequence[Document], platform: str) -> str:
    """The name that the documents give their device; the running configuration is asked first."""
    for document in documents:
        if document.command == "hostname" and document.text.strip():
            return document.text.split()[0][:253]
    if not platform:
        return ""
    hostname = platforms.platform(platform).hostname
    for document in sorted(documents, key=lambda d: d.state not in (None, "running")):
        found = hostname(document)
        if found:
            return found
    return ""


def _note(path: str, note: Note) -> str:
    return f"{path}:{note.line}: {note.text}" if note.line else f"{path}: {note.text}"


def _word(path: str, documents: Sequence[Document]) -> str:
    looked = f"looked for {detect.looked_for()}"
    if len(documents) == 1 and documents[0].command is None:
        what = kinds.by_text(documents[0].text)
        return what if what == "empty" else f"{what}; {looked}"
    return f"answers of {len(documents)} commands that no platform recognised; {looked}"


def _folder_name(folder: str) -> str:
    whole = os.getcwd().replace(os.sep, "/") if folder == "." else folder
    return whole.rstrip("/").rpartition("/")[2]
