"""What is read of a file: its text, the script that it holds, or the parts of configurations in a template, tasks or a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from roce_audit.sources import detect, files, kinds, names
from roce_audit.sources.files import Candidate
from roce_audit.sources.hints import NO_HINT, PathHint
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository import carried, encoded, remote, shown, terraform
from roce_audit.sources.repository.ansible import conditions, switchtasks
from roce_audit.sources.repository.templates import composed, fragments
from roce_audit.sources.repository.variables import MOST_VERSIONS, Version, with_names
from roce_audit.sources.splitting import bundle, commandecho
from roce_audit.sources.topology.files import read as read_topology
from roce_audit.sources.topology.own import is_plan
from roce_audit.sources.units import Loading, Read, add, settled
from roce_audit.text.conflictmarks import may_conflict
from roce_audit.text.decode import Note, decode
from roce_audit.text.document import Document

TOPOLOGY_NAMES = ("topology.yaml", "topology.yml")
POLICY_NAMES = ("roce-audit.yaml", "roce-audit.yml")
_OPENED = frozenset({kinds.SCRIPT, kinds.PYTHON, kinds.TERRAFORM, kinds.SOURCE_CODE})
"""Kinds of files that may hold what sets hosts up."""
_SOURCE = "argument src of "
"""Begins what is said of a text that a task takes from a file: not where that is here."""
_TASKS_ALONE = "tasks for switches of which nothing is read"
_TAKEN_IN = "the template that is taken in here is judged by itself: what the two say together is not read"
_PROGRAMS = frozenset({kinds.PYTHON, kinds.SOURCE_CODE})
OWN_NAMES = ("roce-audit-baseline.json", "roce-audit-history.sqlite")
"""Files that roce-audit writes, with what stands beside a database: no input."""


def opened(candidate: Candidate, loading: Loading) -> Read | None:
    """The text of a candidate; None when it was dealt with (no text, a topology, clearly something else)."""
    if candidate.name in POLICY_NAMES:
        loading.policies.append(candidate.path)
        return None
    if candidate.name.startswith(OWN_NAMES) or loading.collected.is_manifest(candidate):
        return None
    hint = loading.hint(candidate.path, candidate.real)
    named = _kind_by_name(candidate, hint)
    if named and named not in _OPENED:
        loading.unrecognised.append((candidate.path, _of_page(candidate, named, loading)))
        return None
    data = _bytes(candidate, loading)
    if data is None:
        return None
    decoded = decode(data)
    if decoded.refused:
        if candidate.named or hint != NO_HINT:
            loading.problems.append(Problem(candidate.path, 0, f"not read: {decoded.refused}", "unreadable"))
        loading.unrecognised.append((candidate.path, decoded.refused))
        return None
    if hint.platform is None and _add_played(candidate, decoded.notes, hint, loading):
        return None
    plain, givers = loading.variables.settled(candidate.path, decoded.text)
    if givers:
        loading.filled_from[candidate.path] = givers
    if hint.platform is None and not bundle.begins(plain) and not commandecho.is_keyed(plain):
        if _add_of_hosts(candidate, _in_jinja(candidate.path, decoded.text), named, decoded.notes, hint, loading):
            return None
        found = _what_is_read(candidate, plain, named, decoded.notes, hint, loading)
        if found is None:
            return None
        plain, hint = found
    if hint.rendered_from is not None:
        loading.rendered_from[candidate.path] = hint.rendered_from
    marked = may_conflict(plain)
    text, problem = settled(candidate.path, plain) if marked else (plain, None)
    cut = candidate.path not in loading.instead and loading.collected.check(candidate.path, len(data))
    return Read(candidate, text, decoded.notes, hint, cut or problem is not None, problem, marked)


def _in_jinja(path: str, text: str) -> str:
    """A template in the words of Jinja alone."""
    return with_names(terraform.as_jinja(text) if path.endswith(terraform.TEMPLATE) else text)


def _what_is_read(
    candidate: Candidate, text: str, named: str, notes: tuple[Note, ...], hint: PathHint, loading: Loading
) -> tuple[str, PathHint] | None:
    """What is read of a file of which the policy says nothing: its text, the script that it holds, or the part of a configuration that
    a template shows, with what holds of it; None where it was dealt with.
    """
    path = candidate.path
    if candidate.name in TOPOLOGY_NAMES or is_plan(text):
        loading.topologies.append(read_topology(text, path))
        _add_parts(candidate, fragments.in_data(path, text), notes, hint, loading)
        return None
    text = encoded.decoded(_in_jinja(path, text))
    script = carried.as_script(path, text, named)
    if script and not switchtasks.has_tasks(text):
        return script, hint
    # a program may hold a template, and is none
    kind = named if named in _PROGRAMS else kinds.unfinished(text) or named or files.template_by_name(path)
    if not kind and fragments.has_named_values(path, text):
        kind = kinds.OPEN
    if not kind or (kinds.is_template(kind) and (switchtasks.has_tasks(text) or fragments.has_blocks(path, text))):
        rest = _add_of_data(candidate, text, notes, hint, loading)
        if rest is not None:
            return (text, hint) if rest else None
    is_read = not kind or carried.may_be_read(kind, Document(path, text))
    if is_read and not (kind == kinds.SCRIPT and remote.is_typed_elsewhere(text)):
        return text, hint
    if _add_typed(candidate, text, kind, notes, hint, loading):
        return None
    if is_read:
        return text, hint
    part = fragments.of_template(path, text) if kinds.is_template(kind) else ""
    if not part:
        loading.unrecognised.append((path, shown.word(kind) if shown.shows(path, kind, text) else kind))
        return None
    _note_template(path, text, loading)
    return part, replace(hint, complete=False)


def _add_of_data(
    candidate: Candidate, text: str, notes: tuple[Note, ...], hint: PathHint, loading: Loading
) -> bool | None:
    """The parts of configurations that stand in data or tasks; whether something else of the file is to be read as it stands, None where
    it holds no such part.
    """
    path = candidate.path
    parts = fragments.in_data(path, text)
    _add_parts(candidate, parts, notes, hint, loading)
    if not parts:
        return None
    left_out = ((line, words) for one in parts for line, words in one.left_out)
    if path in loading.variables.sources and sum(bool(one.text.strip()) for one in parts) <= 1:
        left_out = ((line, words) for line, words in left_out if not words.startswith(_SOURCE))
    _note_lines(path, left_out, loading)
    if kinds.is_playbook(text) and detect.is_of_host(Document(path, text)):
        return True  # other plays of it set hosts up
    if any(part.text.strip() for part in parts):
        rest = fragments.without_parts(text, parts)
        if rest and detect.is_of_switch(path, rest):  # what other tasks type
            _add_part(candidate, fragments.Part(rest), names.fallback(path, ""), notes, hint, loading)
        return False
    if detect.is_of_switch(path, text):
        return True  # other tasks of it are read as they stand
    loading.unrecognised.append((path, _TASKS_ALONE))
    return False


def _add_typed(
    candidate: Candidate, text: str, kind: str, notes: tuple[Note, ...], hint: PathHint, loading: Loading
) -> bool:
    """What a file of this kind types at devices; False where it types nothing."""
    path = candidate.path
    if kind == kinds.TERRAFORM:
        typed = fragments.in_plan(path, text, loading.variables.of_plan(path))
    elif kind == kinds.PYTHON:
        typed = fragments.in_program(path, text, loading.variables.beside(path))
    else:
        typed = fragments.in_script(path, text) if kind == kinds.SCRIPT else []
    if not typed:
        return False
    _add_parts(candidate, typed, notes, hint, loading)
    _note_lines(path, (row for one in typed for row in one.left_out), loading)
    if not any(part.text.strip() for part in typed):
        loading.unrecognised.append((path, kind))
    return True


def _note_lines(path: str, left_out: Iterable[tuple[int, str]], loading: Loading) -> None:
    """What is to be said of lines of a file, each once."""
    loading.notes.extend(dict.fromkeys(f"{path}:{line}: {words}" for line, words in left_out))


def _add_of_hosts(
    candidate: Candidate, text: str, named: str, notes: tuple[Note, ...], hint: PathHint, loading: Loading
) -> bool:
    """A template or tasks for each host that the repository has variables of; False where these say the same for all, or are none."""
    path = candidate.path
    if named or not ("{{" in text or "when:" in text):
        return False
    if switchtasks.has_tasks(text):
        found = _tasks_of_hosts(path, text, loading)
    else:
        found = _setups_of_hosts(path, text, loading) or _template_of_hosts(path, text, loading)
    short = names.fallback(path, "")
    for version, parts in found:
        loading.filled_from[path] = tuple(dict.fromkeys((*loading.filled_from.get(path, ()), *version.givers)))
        called = f"{version.host}-{short}" if version.host and len(found) > 1 else short
        for part in parts:
            _add_part(candidate, part, called, notes, hint, loading)
            whom = f" ({version.host})" if version.host and len(found) > 1 else ""
            loading.notes.extend(dict.fromkeys(f"{path}:{line}: {words}{whom}" for line, words in part.left_out))
    return bool(found)


def _add_played(candidate: Candidate, notes: tuple[Note, ...], hint: PathHint, loading: Loading) -> bool:
    """What a playbook writes for each host; False for files of which no playbook makes anything."""
    path, variables = candidate.path, loading.variables
    found = variables.plays_of(path)
    short = names.of_tasks(path)
    if most := max((one.capped_at for one in found), default=0):
        loading.notes.append(f"{path}: not read for all hosts: {most} that differ in its variables are judged")
    for host in found[0].excluded if found else ():
        loading.notes.append(f"{path}: no play is for {host}, which is taken out by name: what it has is not read here")
    for one in found:
        several = len({other.host for other in found}) > 1
        whom = f" ({one.host})" if several else ""
        documents, reads = [], {}
        for piece in one.pieces:
            loading.notes.extend(dict.fromkeys(f"{piece.path}:{line}: {words}{whom}" for line, words in piece.left_out))
            loading.filled_from[piece.path] = tuple(
                dict.fromkeys((*loading.filled_from.get(piece.path, ()), *one.givers))
            )
            if piece.text:
                text = fragments.without_open(piece.text)
                documents.append(Document(piece.path, text, lines=piece.lines))
                of_part = replace(hint, complete=False, platform=one.platform or hint.platform)
                reads[piece.path] = Read(replace(candidate, path=piece.path), text, notes, of_part)
        add(path, tuple(documents), f"{one.host}-{short}" if several else short, tuple(reads.values()), loading)
    if found and not any(piece.text for one in found for piece in one.pieces):
        loading.unrecognised.append((path, _TASKS_ALONE))
    return bool(found) or path in variables.in_plays


def _template_of_hosts(path: str, text: str, loading: Loading) -> list[tuple[Version, list[fragments.Part]]]:
    kind = kinds.unfinished(text) or files.template_by_name(path)
    if kinds.is_playbook(text) or not kinds.is_template(kind):
        return []
    versions = loading.variables.versions(path, text)
    if not versions or carried.as_script(path, text, "") or carried.may_be_read(kind, Document(path, text)):
        return []
    found = fragments.of_hosts(path, text, versions)
    if len(versions) == MOST_VERSIONS:
        loading.notes.append(f"{path}: not read for all hosts: {MOST_VERSIONS} that differ in its variables are judged")
    if found:
        _note_template(path, text, loading)
    return [(version, [part]) for version, part in found]


def _note_template(path: str, text: str, loading: Loading) -> None:
    """What is said of a template that is judged in part."""
    loading.notes.append(f"{path}: {kinds.PART}")
    loading.notes.extend(f"{path}:{line}: {_TAKEN_IN}" for line in composed.takes_in(text))
    loading.templates.append(path)


def _setups_of_hosts(path: str, text: str, loading: Loading) -> list[tuple[Version, list[fragments.Part]]]:
    """Tasks or a template that set NICs up, where they do not do the same on all hosts that the repository has variables of."""
    variables = loading.variables
    is_ours = kinds.is_playbook(text) or path.endswith(".j2")
    if variables.is_part(path) or not is_ours or not detect.is_of_host(Document(path, text)):
        return []
    found: dict[str, Version] = {}
    for version in variables.versions(path, text, of_switches=False):
        plain, _ = variables.settled(path, text, version.values)
        found.setdefault(plain, version)
    return [(version, [fragments.Part(plain)]) for plain, version in found.items()] if len(found) > 1 else []


def _tasks_of_hosts(path: str, text: str, loading: Loading) -> list[tuple[Version, list[fragments.Part]]]:
    """The same of tasks, where what they write is not the same for all hosts; of parts of others each is judged with these."""
    variables = loading.variables
    if variables.is_part(path) or detect.is_of_host(Document(path, text)):
        return []
    found: dict[tuple[str, ...], tuple[Version, list[fragments.Part]]] = {}
    for version in variables.versions(path, text):
        plain, _ = variables.settled(path, text, version.values)
        parts = [part for part in fragments.in_data(path, plain) if part.text.strip()]
        if parts:
            found.setdefault(fragments.what_matters(part.text for part in parts), (version, parts))
    return list(found.values()) if len(found) > 1 or conditions.names_in(text) else []


def _add_part(
    candidate: Candidate, part: fragments.Part, short: str, notes: tuple[Note, ...], hint: PathHint, loading: Loading
) -> None:
    complete = hint.complete if part.is_capture else False
    of_part = replace(hint, complete=complete, platform=part.platform or hint.platform)
    document = Document(candidate.path, part.text, lines=part.lines)
    add(candidate.path, (document,), short, (Read(candidate, part.text, notes, of_part),), loading)


def _add_parts(
    candidate: Candidate, parts: Sequence[fragments.Part], notes: tuple[Note, ...], hint: PathHint, loading: Loading
) -> None:
    """Parts of configurations that a file of data holds: each is a device of its own."""
    for part in filter(lambda one: one.text.strip(), parts):
        _add_part(candidate, part, names.fallback(candidate.path, ""), notes, hint, loading)


def _kind_by_name(candidate: Candidate, hint: PathHint) -> str:
    """What the name alone says of a file; nothing of one that the policy speaks of, and only prose of one that was asked for."""
    kind = kinds.by_name(candidate.name) if hint == NO_HINT else ""
    return "" if candidate.named and kind not in kinds.PROSE else kind


def _of_page(candidate: Candidate, named: str, loading: Loading) -> str:
    """What is said of a file that is not read; of a page that shows configurations, that it does."""
    if named not in kinds.PROSE:
        return named
    try:
        text = decode(_held(candidate, loading)).text
    except OSError:
        return named
    return shown.word(named) if shown.shows(candidate.path, named, text) else named


def _held(candidate: Candidate, loading: Loading) -> bytes:
    """What the file holds, or what is judged in its place. Raises OSError where it cannot be read."""
    given = loading.instead.get(candidate.path)
    return files.read(candidate) if given is None else given.encode()


def _bytes(candidate: Candidate, loading: Loading) -> bytes | None:
    """What the file holds, or what is judged in its place; None where it cannot be read, which is a problem."""
    try:
        return _held(candidate, loading)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        loading.problems.append(Problem(candidate.path, 0, f"not read: {reason}", "unreadable"))
        return None
