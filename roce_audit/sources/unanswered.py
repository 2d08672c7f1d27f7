"""Answers in which a device refused to show its configuration, or showed nothing: nobody judged that device."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit import platforms
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


def _refused(document: Document) -> str:
    """Why a document holds no answer; "" where it holds one."""
    if not document.text.strip():
        return "it is empty"
    return refusal(Answer(document.command or "", document.text.encode(), document.exit_status))
