"""Turns paths into devices: reads files, splits bundles and logs, puts folders of answers together, asks the platforms."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from roce_audit import platforms
from roce_audit.platforms.factorynames import is_factory
from roce_audit.sources import commands, detect, files, names, tree
from roce_audit.sources.batches import Batch, Gathered, Plan
from roce_audit.sources.collected import Collected
from roce_audit.sources.files import Candidate
from roce_audit.sources.hints import Hints, PathHint
from roce_audit.sources.loaded import Loaded, Problem
from roce_audit.sources.loading import (
    TOPOLOGY_NAMES,
    Loading,
    Read,
    add,
    claim,
    opened,
    platform_said,
    tell_problems,
)
from roce_audit.sources.naming import decide
from roce_audit.sources.repository.variables import of_repository
from roce_audit.sources.splitting import bundle, commandecho, concatenated, multihost, session
from roce_audit.text.document import Document

_NOTHING: Mapping[str, str] = {}
_FEWEST_ANSWERS = 2


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
    of_one = len(answers) >= _FEWEST_ANSWERS or (bool(answers) and bool(siblings))
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


def gathered(batch: Batch, plan: Plan) -> Gathered:
    """What the files of a batch are; nothing that they hold raises."""
    loading = Loading(Hints(plan.hints), plan.base, plan.instead, plan.collected.alike(), plan.variables)
    if batch.kind == "tree":
        _load_tree(batch, loading)
    elif not (_load_beside if batch.kind == "beside" else _load_folder)(batch, loading):
        return Gathered(of_many=True)
    return Gathered(
        tuple(loading.units),
        tuple(loading.topologies),
        tuple(loading.problems),
        tuple(loading.collected.problems),
        tuple(loading.unrecognised),
        tuple(loading.notes),
        tuple(loading.policies),
        loading.rendered_from,
        loading.filled_from,
        tuple(loading.templates),
        tuple(loading.incomplete),
        loading.hints.used,
    )


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
    units = sorted((unit for one in found for unit in one.units), key=lambda unit: unit.path)
    named, problems, notes = decide(units, plan.is_asked)
    filled_from = {path: givers for one in found for path, givers in one.filled_from.items()}
    used = {giver for givers in filled_from.values() for giver in givers}
    unknown = (row for one in found for row in one.unrecognised if row[0] not in used)
    unrecognised = tuple(sorted((*walk.skipped, *unknown)))
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
        ),
        unrecognised,
        walk.excluded,
        (*_left_out(walk.left_out), *(note for one in found for note in one.notes), *collected.notes, *notes, *looked),
        {path: template for one in found for path, template in one.rendered_from.items()},
        filled_from,
        frozenset(path for one in found for path in one.templates),
        tuple(hint for hint in plan.hints if not any(hint in one.hints_used for one in found)),
        tuple(path for one in found for path in one.policies),
        tuple(path for one in found for path in one.incomplete),
        collected.unreached,
        tuple(of for _, of in named),
    )


def _left_out(numbers: Mapping[str, int]) -> Iterator[str]:
    """One word about what was not opened."""
    if numbers:
        what = ", ".join(f"{number:,} {why}" for why, number in numbers.items())
        yield f"files and folders left out: {what}; name what is to be read"


def _home(folder: str) -> str:
    """The folder of the device that a folder like `leaf1/etc/network` belongs to; any other folder as it is."""
    for pattern in platforms.inner_folders():
        steps = folder.split("/")
        for count in range(len(steps) - 1, -1, -1):
            if pattern.fullmatch("/".join(steps[count:])) is not None:
                return "/".join(steps[:count])
    return folder


def _load_folder(batch: Batch, loading: Loading) -> bool:
    """False for a file by itself that holds answers of many hosts: all those of the folder belong together."""
    folder = batch.folder
    together: list[Read] = []
    shared: dict[str, list[tuple[Document, Read]]] = defaultdict(list)
    for candidate in batch.files:
        read = opened(candidate, loading)
        if read is None:
            continue
        if _is_shared(read, shared, loading):
            if batch.kind == "file":
                return False
        elif batch.kind == "device" and not bundle.is_bundle(read.text) and read.hint.device is None:
            together.append(read)
        else:
            _load_file(read, folder, loading)
    if together:
        _load_together(folder, together, loading)
    for host, given in shared.items():
        sources = tuple(dict.fromkeys(source for _, source in given))
        add(sources[0].candidate.path, tuple(document for document, _ in given), host, sources, loading)
    return True


def _load_beside(batch: Batch, loading: Loading) -> bool:
    """A bundle of one host takes the files of the host's own system; False for a file with answers of many hosts."""
    reads = [read for candidate in batch.files if (read := opened(candidate, loading)) is not None]
    outer = next((read for read in reads if not tree.is_inner(batch.folder, read.candidate)), None)
    bundles = bundle.split(outer.text, outer.candidate.path) if outer and bundle.is_bundle(outer.text) else ()
    if outer is not None and len(bundles) == 1:
        path = outer.candidate.path
        own = [
            tree.as_shown(Document(read.candidate.path, read.text), batch.folder) for read in reads if read is not outer
        ]
        tell_problems(path, bundles, loading)
        short = names.fallback(path, _folder_name(batch.folder))
        add(path, (*bundles[0].documents, *own), short, tuple(reads), loading)
        return True
    if any(_is_shared(read, defaultdict(list), loading) for read in reads):
        return False
    for read in reads:
        _load_file(read, batch.folder, loading)
    return True


def _is_shared(read: Read, shared: dict[str, list[tuple[Document, Read]]], loading: Loading) -> bool:
    """Whether a file holds answers of many hosts; sorts them by host."""
    path = read.candidate.path
    if bundle.begins(read.text):
        return False
    try:
        texts = multihost.texts(read.text)
        of_yaml = [(host, line, text, None) for host, (line, text) in texts.items()]
        found = of_yaml or multihost.answers(read.text)
    except ValueError as error:
        loading.problems.append(Problem(path, 0, f"not read: {error}", "unreadable"))
        return True
    named = commands.command_of(read.candidate.name)
    documents: dict[str, tuple[Document, ...]] = defaultdict(tuple)
    for host, line, text, asked in found:
        command = asked or named
        if bundle.is_bundle(text):
            own = bundle.split(text, path, line)
            documents[host] += tuple(d for one in own for d in one.documents)
            tell_problems(path, own, loading)
        elif command is not None:
            documents[host] += (Document(path, text, command, line),)
        else:
            documents[host] += commandecho.split(path, text, line) or (Document(path, text, None, line),)
    # other texts than configurations stand in YAML, too: one alone proves nothing, and a list must name its device
    if sum(map(_is_named if texts else _is_recognised, documents.values())) < (2 if texts else 1):
        return False
    for host, those in documents.items():
        shared[host] += [(document, read) for document in those]
    return True


def _is_recognised(documents: tuple[Document, ...]) -> bool:
    return bool(detect.choose(documents).platform)


def _is_named(documents: tuple[Document, ...]) -> bool:
    platform = detect.choose(documents).platform
    return bool(platform) and (not documents[0].text.startswith("- ") or bool(claim(documents, platform)))


def _load_tree(batch: Batch, loading: Loading) -> None:
    """A host as a tree of files; most of them are none of our business."""
    root = batch.folder
    reads: list[Read] = []
    documents: list[Document] = []
    for candidate in batch.files:
        documents_of = tree.reader(root, candidate)
        read = opened(candidate, loading) if documents_of is not None else None
        if documents_of is not None and read is not None:
            reads.append(read)
            documents.extend(documents_of(read.text))
    add(root or ".", tuple(documents), _folder_name(root or "."), tuple(reads), loading)


def _siblings(candidates: Sequence[Candidate]) -> frozenset[str]:
    """The names in a folder that some platform spreads one device over; of the platform that has most of them."""
    sets = [frozenset(c.name for c in candidates if p.fullmatch(c.name)) for p in platforms.sibling_files()]
    return max(sets, key=len, default=frozenset())


def _load_file(read: Read, folder: str, loading: Loading) -> None:
    """One file: a bundle, a session log, or one document."""
    path, text = read.candidate.path, read.text
    short = names.fallback(path, _folder_name(folder)) if path != files.STDIN else "stdin"
    if bundle.is_bundle(text):
        bundles = bundle.split(text, path)
        tell_problems(path, bundles, loading)
        for found in bundles:
            add(path, found.documents, short, (read,), loading)
        return
    command = commands.command_of(read.candidate.name)
    sessions = session.split(text, path) if command is None else ()
    for one in sessions:
        prompt = one.host if one.host and not is_factory(one.host) else short
        add(path, one.documents, prompt, (read,), loading)
    several = concatenated.split(path, text) if command is None and not sessions else ()
    for document in several:
        add(path, (document,), short, (read,), loading)
    if not sessions and not several:
        if command is not None:
            short = _folder_name(folder) or short
        add(path, _answers(path, text, command), short, (read,), loading)


def _answers(path: str, text: str, command: str | None) -> tuple[Document, ...]:
    """One answer, or several where each stands behind its command or prompt: those say more than the name of the file."""
    several = commandecho.split(path, text)
    answered = tuple(one for one in several if one.text.strip())
    if answered and not commandecho.is_script(several) and detect.choose(several).platform:
        unanswered = Document(path, commandecho.unanswered(several))  # what set something
        return (*answered, unanswered) if detect.choose((unanswered,)).platform else several
    logged = session.split(text, path) if command is not None and session.begins(text) else ()
    if len(logged) == 1:
        return logged[0].documents
    return (Document(path, text, command),)


def _load_together(folder: str, reads: list[Read], loading: Loading) -> None:
    """A folder of answers is one device, unless its files say that they are of several."""
    documents: list[Sequence[Document]] = []
    for read in reads:
        path = read.candidate.path
        command = commands.command_of(read.candidate.name)
        found = session.split(read.text, path) if command is None else ()
        documents.append([d for s in found for d in s.documents] or _answers(path, read.text, command))
    flat = tuple(d for those in documents for d in those)
    platform = loading.hint(folder, folder).platform or platform_said(reads) or detect.choose(flat).platform
    claims = {name for d in flat if (name := claim((d,), platform)) and not is_factory(name)}
    if len(claims) > 1:
        listed = ", ".join(sorted(claims)[:4])
        loading.notes.append(f"{folder}: its files name several devices ({listed}): each file is read by itself")
        for read in reads:
            _load_file(read, folder, loading)
        return
    if platform and platforms.platform(platform).kind == "host":
        inner = {read.candidate.path for read in reads if tree.is_inner(folder, read.candidate)}
        flat = tuple(tree.as_shown(d, folder) if d.path in inner else d for d in flat)
    add(folder, flat, _folder_name(folder), tuple(reads), loading)


def _folder_name(folder: str) -> str:
    whole = os.getcwd().replace(os.sep, "/") if folder == "." else folder
    return whole.rstrip("/").rpartition("/")[2]
