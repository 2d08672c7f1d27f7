"""Files of tasks that no playbook runs: parts of roles that nothing takes in, and roles that nothing calls."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.sources.files import YAML
from roce_audit.sources.repository.ansible.playbooks import Files, Played
from roce_audit.sources.repository.ansible.switchtasks import has_tasks

_TASKS = lazy(r"((?:.*/)?roles/[^/]+)/tasks/[^/]+\.ya?ml")
_OPEN_INCLUDE = lazy(
    r"(?:include|import)_tasks:[^\n]{0,200}\{\{|(?:include|import)_tasks:[ \t]*\n[^\n]{0,200}\{\{|first_found|tasks_from"
)
_OPEN_ROLE = lazy(
    r"(?:role|_role:\s{0,40}name):\s{0,4}[\"']?\{\{|(?:_role|roles):[^\n]{0,200}\{\{|\n {0,40}- {1,4}[\"']?\{\{"
)
"""Roles that a variable names."""


def of_roles(found: Iterable[Played], files: Files, taken_in: Collection[str]) -> Iterator[str]:
    """The files of tasks for switches, in roles that plays use, which nothing takes in; none of a role that names files by variables.

    Of roles beside those that plays use, which nothing names, what they begin with.
    """
    runs = {piece.path for one in found for piece in one.pieces}
    used = {role[1] for role in map(_TASKS.fullmatch, runs) if role is not None}
    yield from _uncalled(used, files)
    by_role: dict[str, list[str]] = defaultdict(list)
    for path in sorted(files.known):
        role = _TASKS.fullmatch(path)
        if role is not None and role[1] in used:
            by_role[role[1]].append(path)
    for paths in by_role.values():
        if not any(_OPEN_INCLUDE.search(files.text(path)) is not None for path in paths):
            yield from (
                path
                for path in paths
                if path not in runs and path not in taken_in and not _is_main(path) and has_tasks(files.text(path))
            )


def _uncalled(used: Collection[str], files: Files) -> Iterator[str]:
    """What the roles begin with that no playbook and no other role names; none where a variable names roles."""
    beside = {posixpath.dirname(folder) for folder in used}
    left = {
        path: role[1]
        for path in sorted(files.known)
        if (role := _TASKS.fullmatch(path)) is not None
        and _is_main(path)
        and role[1] not in used
        and posixpath.dirname(role[1]) in beside
        and has_tasks(files.text(path))
    }
    callers = [path for path in files.known if path.endswith(YAML)] if left else []
    if any(_OPEN_ROLE.search(files.text(path)) is not None for path in callers):
        return
    for path, folder in left.items():
        name = re.compile(rf"(?<![\w-]){re.escape(posixpath.basename(folder))}(?![\w-])")
        if not any(name.search(files.text(one)) for one in callers if not one.startswith(f"{folder}/")):
            yield path


def _is_main(path: str) -> bool:
    return path.rpartition("/")[2].partition(".")[0] == "main"
