"""Loads a batch of files: splits bundles, logs and texts of many hosts, puts folders of answers together, asks the platforms."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.factorynames import is_factory
from roce_audit.sources import commands, detect, files, names, tree
from roce_audit.sources.batches import Batch, Gathered, Plan
from roce_audit.sources.hints import Hints
from roce_audit.sources.loaded import Problem
from roce_audit.sources.loading import opened
from roce_audit.sources.splitting import bundle, commandecho, concatenated, enveloped, multihost, polled, session
from roce_audit.sources.units import Loading, Read, add, claim, keep, platform_said, tell_problems
from roce_audit.text.document import Document
from roce_audit.text.structured.indented import without_margin

_NAMELESS = lazy(r"|(?:ba|z)?sh(?:-[\d.]{1,8})?|[\d.:]{1,40}")
"""What stands in prompts that name no device: none, a shell, an address."""
_CUT_SHORT = 15
"""Characters from which a name may be cut short in a prompt."""


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
        unclaimed=tuple(loading.unclaimed),
    )


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
            several = commandecho.split(path, text, line) or commandecho.of_tasks(path, text, line)
            documents[host] += several or (Document(path, text, None, line),)
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


def _load_file(read: Read, folder: str, loading: Loading) -> None:
    """One file: a bundle, a session log, or one document; as in a page that sets it in, all of a configuration may be indented."""
    path, text = read.candidate.path, read.text
    if text.lstrip("\n")[:1] in (" ", "\t") and concatenated.names_a_device(plain := without_margin(text)):
        text = plain
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
        is_prompt = bool(one.host) and not is_factory(one.host)
        add(
            path, _as_typed(path, one.documents), one.host if is_prompt else short, (read,), loading, is_named=is_prompt
        )
    several = concatenated.split(path, text) if command is None and not sessions else ()
    for document in several:
        add(path, (document,), short, (read,), loading)
    if command is None and not sessions and not several and _load_enveloped(read, text, short, loading):
        return
    if not sessions and not several:
        called = commands.of_device(read.candidate.name) if command is None else None
        if called is not None and not detect.choose((Document(path, text),)).platform:
            keep(read, *called, loading)
            return
        if command is not None:
            short = _folder_name(folder) or short
        add(path, _answers(path, text, command), short, (read,), loading, is_named=command is not None)


def _load_enveloped(read: Read, text: str, short: str, loading: Loading) -> bool:
    """Whether a file is no form that a platform reads, and holds answers of switches in what a program made of them."""
    wrapped = _wrapped(read.candidate.path, text)
    for host, documents in wrapped.items():
        if not host and len(documents) == 1 and documents[0].text == text:
            keep(read, short, documents[0].command or "", loading)
        else:
            add(read.candidate.path, documents, host or short, (read,), loading, is_named=True)
    return bool(wrapped)


def _wrapped(path: str, text: str) -> Mapping[str, tuple[Document, ...]]:
    """Name of a device, or "" -> its answers, in JSON around answers, an answer in JSON, or the state of ports that a program polled."""
    if (
        not (text.lstrip()[:1] in ("{", "[") or polled.has_metrics(text))
        or detect.choose((Document(path, text),)).platform
    ):
        return {}
    found = enveloped.split(text)
    if not found and (look := enveloped.command_of(text)) is not None:
        return {"": (Document(path, text, look),)}
    found = found or {host: (state,) for host, state in polled.split(text).items()}
    return {host: tuple([replace(one, path=path) for one in those]) for host, those in found.items()}


def _as_typed(path: str, documents: tuple[Document, ...]) -> tuple[Document, ...]:
    """The answers of a session; where none of its commands printed anything, what was typed is a script."""
    if len(documents) < 2 or any(one.text.strip() for one in documents):
        return documents
    script = (Document(path, commandecho.unanswered(documents)),)
    return script if detect.choose(script).platform else documents


def _answers(path: str, text: str, command: str | None) -> tuple[Document, ...]:
    """One answer, or several where each stands behind its command or prompt: those say more than the name of the file."""
    several = commandecho.split(path, text)
    answered = tuple(one for one in several if one.text.strip())
    if answered and not commandecho.is_script(several) and detect.choose(several).platform:
        unanswered = Document(path, commandecho.unanswered(several))  # what set something
        return (*answered, unanswered) if detect.choose((unanswered,)).platform else several
    logged = session.split(text, path) if command is not None and session.holds_answers(command, text) else ()
    if len(logged) == 1:
        return logged[0].documents
    return (Document(path, text, command),)


def _load_together(folder: str, reads: list[Read], loading: Loading) -> None:
    """A folder of answers is one device, unless its files say that they are of several."""
    flat = tuple(d for read in reads for d in _read_alone(read))
    platform = loading.hint(folder, folder).platform or platform_said(reads) or detect.choose(flat).platform
    claiming = {d.path: name for d in flat if (name := claim((d,), platform)) and not is_factory(name)}
    claims = set(claiming.values())
    if len(claims) > 1:
        listed = ", ".join(sorted(claims)[:4])
        loading.notes.append(f"{folder}: its files name several devices ({listed}): each file is read by itself")
        for read in reads:
            _load_file(read, folder, loading)
        return
    if len(claims) == 1 and platform and platforms.platform(platform).kind == "switch":
        own, others = {*claims, _folder_name(folder)}, [read for read in reads if read.candidate.path not in claiming]
        strangers = [(read, host) for read in others if _is_other(host := _prompted_at(read), own)]
        for read, host in strangers:
            loading.notes.append(f"{read.candidate.path}: typed at the prompt of {host}: no answer of {min(claims)}")
            add(read.candidate.path, _read_alone(read), host, (read,), loading, is_named=True)
        paths = {read.candidate.path for read, _ in strangers}
        reads = [read for read in reads if read.candidate.path not in paths]
        flat = tuple(d for d in flat if d.path not in paths)
    if platform:
        flat = tuple(_as_kept(d, platform) for d in flat)
    if platform and platforms.platform(platform).kind == "host":
        inner = {read.candidate.path for read in reads if tree.is_inner(folder, read.candidate)}
        flat = tuple(tree.as_shown(d, folder) if d.path in inner else d for d in flat)
    are_answers = all(document.command is not None for document in flat)
    add(folder, flat, _folder_name(folder), tuple(reads), loading, is_named=are_answers)


def _read_alone(read: Read) -> tuple[Document, ...]:
    """What a file of a folder of answers holds."""
    path = read.candidate.path
    command = commands.command_of(read.candidate.name)
    found = session.split(read.text, path) if command is None else ()
    return (
        tuple(d for s in found for d in s.documents)
        or _unwrapped(path, read.text, command)
        or _answers(path, read.text, command)
    )


def _unwrapped(path: str, text: str, command: str | None) -> tuple[Document, ...]:
    """The answers of one device in what a program made of them, in a text that is called after no command."""
    wrapped = _wrapped(path, text) if command is None else {}
    return next(iter(wrapped.values())) if len(wrapped) == 1 else ()


def _prompted_at(read: Read) -> str:
    """The one name at whose prompt all was typed that a file called after a command holds; "" where no prompt stands there."""
    if commands.command_of(read.candidate.name) is None or not session.begins(read.text):
        return ""
    found = session.split(read.text, read.candidate.path)
    return found[0].host if len(found) == 1 and not is_factory(found[0].host) else ""


def _is_other(host: str, own: Iterable[str]) -> bool:
    """Whether a prompt is that of another device: prompts may leave out a part of the name, cut it short, or add something."""
    said = host.casefold()
    return _NAMELESS.fullmatch(said) is None and not any(
        f"-{short}-" in f"-{long}-" or (len(said) >= _CUT_SHORT and one.startswith(said))
        for one in map(str.casefold, own)
        for short, long in ((_in_parts(said), _in_parts(one)), (_in_parts(one), _in_parts(said)))
    )


def _in_parts(name: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", name))


def _as_kept(document: Document, platform: str) -> Document:
    """A document, as the answer that its system keeps under the name of the file."""
    if document.command is not None:
        return document
    return replace(document, command=platforms.kept_answer(platform, document.path.rpartition("/")[2]))


def _folder_name(folder: str) -> str:
    whole = os.getcwd().replace(os.sep, "/") if folder == "." else folder
    return whole.rstrip("/").rpartition("/")[2]
