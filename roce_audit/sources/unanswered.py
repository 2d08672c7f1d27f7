"""Devices that are given and not judged: one refused to show its configuration or showed nothing, or its file is empty."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from roce_audit import platforms
from roce_audit.sources import kinds, names
from roce_audit.sources.loaded import Problem
from roce_audit.sources.reading import Answer, refusal
from roce_audit.text.document import Document


def without_configuration(documents: Sequence[Document]) -> Sequence[Problem]:
    """What is to be said of a device's answers, where none of those that were to show its configuration does."""
    shows = set(platforms.configurations().values())
    asked = [document for document in documents if document.command is not None and "config" in document.command]
    problems = []
    for document in asked:
        words = _refused(document)
        if not words:
            return ()  # another answer shows it, as after a slip of the pen in a session
        if document.command in shows:
            told = f"no configuration in the answer of {document.command}: {words}"
            problems.append(Problem(document.path, document.first_line, told, "unreadable"))
    return problems


def empty_files(unrecognised: Iterable[tuple[str, str]], missing: Collection[str]) -> Iterator[Problem]:
    """Files without a word that are named after a device of the topology of which nothing else was read."""
    for path, word in unrecognised:
        folder = path.rpartition("/")[0].rpartition("/")[2]
        name = names.fallback(path, folder)
        if word == kinds.EMPTY and name in missing:
            yield Problem(path, 0, f"empty, and the topology names {name}", "unreadable")


def _refused(document: Document) -> str:
    """Why a document holds no answer; "" where it holds one."""
    if not document.text.strip():
        return "it is empty"
    return refusal(Answer(document.command or "", document.text.encode(), document.exit_status))
