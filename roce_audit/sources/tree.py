"""A host as a tree of files: `sos_commands/`, `etc/`, `proc/`, `sys/` as sosreport writes them, or parts of it beside answers;
and what NVIDIA's sysinfo-snapshot keeps of one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from roce_audit.sources import sysinfosnapshot
from roce_audit.sources.commands import typed, with_blanks
from roce_audit.sources.files import Candidate
from roce_audit.text.document import Document

_TOP_FILES = {"hostname": "hostname", "uname": "uname -a"}


_SOSREPORT = "sos_commands"


def roots(candidates: Sequence[Candidate]) -> Mapping[str, list[Candidate]]:
    """Folder of a tree -> its files. A tree is a folder that holds `sos_commands`, or the answers of a sysinfo-snapshot."""
    marked = set()
    for candidate in candidates:
        for mark in (_SOSREPORT, sysinfosnapshot.FOLDER):
            before, found, _ = f"/{candidate.path}".partition(f"/{mark}/")
            if found:
                marked.add(before.removeprefix("/"))
    trees: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates if marked else ():
        steps = candidate.path.split("/")
        root = next((r for r in map("/".join, (steps[:i] for i in range(len(steps)))) if r in marked), None)
        if root is not None:
            trees[root].append(candidate)
    return trees


def reader(root: str, candidate: Candidate) -> Callable[[str], Iterable[Document]] | None:
    """What makes documents of the text of a file of the tree; None for a file that no host platform reads."""
    inside, path = _inside(root, candidate.path), candidate.path
    if sysinfosnapshot.is_read(inside):
        return lambda text: sysinfosnapshot.documents(inside, path, text)
    command = _command_in(root, candidate)
    return None if command is None else lambda text: [Document(path, text, command)]


def _command_in(root: str, candidate: Candidate) -> str | None:
    """The command whose answer a file of a sosreport holds; None for a file that no host platform reads."""
    from roce_audit.platforms.shared.host.tools import by_command  # the tools of all hosts: only where there are some

    inside = _inside(root, candidate.path)
    if inside in _TOP_FILES:
        return _TOP_FILES[inside]
    if inside.startswith(f"{_SOSREPORT}/"):
        command = typed(with_blanks(inside.rpartition("/")[2]))
        return command if by_command(Document(candidate.path, "", command)) is not None else None
    return _shown_by(root, candidate.path)


def is_inner(folder: str, candidate: Candidate) -> bool:
    """Whether a file of a device's folder lies in the part of the device's own file system that is kept there."""
    return (candidate.folder or ".") != folder


def as_shown(document: Document, folder: str) -> Document:
    """A document of a host; a file of its own system below the folder is what `cat` shows of it."""
    command = _shown_by(folder, document.path) if document.command is None else None
    return document if command is None else replace(document, command=command)


def _shown_by(root: str, path: str) -> str | None:
    """The command that would show a file of the host's own system, kept below `root`; None for one that nobody reads."""
    from roce_audit.platforms.shared.host.tools import file_tool

    inside = f"/{_inside(root, path)}"
    return f"cat {inside}" if not re.search(r"\s", inside) and file_tool(inside) is not None else None


def _inside(root: str, path: str) -> str:
    return path.removeprefix(f"{root}/" if root not in ("", ".") else "")
