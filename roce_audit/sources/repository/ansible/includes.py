"""Files of tasks that other tasks take in (`include_tasks: interface.yml`), and roles that plays use: with which variables, and for which
file they are a part."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.jinja.values import fill
from roce_audit.text.memo import of_text
from roce_audit.text.plays import LISTS, items, may_hold_items
from roce_audit.text.structured.yamltext import YamlError, documents

_MENTIONS = lazy(
    r"\n(?: {1,40}+(?:- )?+|- {1,4}+)"
    r"(?:(?:ansible\.builtin\.)?(?:(?:include|import)_(?:tasks|role|playbook)|include_vars)|roles|vars_files|src):"
)
_SETS = lazy(r"(?:ansible\.(?:builtin|legacy)\.)?include_vars")
_KEY = lazy(r"(?:ansible\.(?:builtin|legacy)\.)?(?:include|import)_tasks")
_USES = lazy(r"(?:ansible\.(?:builtin|legacy)\.)?(?:include|import)_role")
_ROLE = lazy(r"((?:.*/)?roles/[^/]+)/.*")
_NAMED = lazy(r"\s*\{\{-?\s*(?P<name>[A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})\s*-?\}\}\s*")
_LOOPS = ("loop", "with_items", "with_list", "with_flattened")
_CONFIG = "_config"
_TEXTS = (".cfg", ".conf", ".txt", ".set", ".config")
_HOLDERS = ("templates", "files", "")
"""Folders beside tasks in which texts are looked for."""
_DEPTH = 12
_MOST = 500
DEEPEST = 50
"""Files that take each other in, one inside the other."""


@dataclass(frozen=True, slots=True)
class Include:
    """`file`, or the role in that folder, is taken in by the tasks of `by`, with `variables`, under a condition ("": always)."""

    by: str
    file: str
    variables: Mapping[str, Any]
    condition: str


Part = tuple[str, str, str]
"""(file of tasks, the file whose tasks take it in, under which condition: "" whenever they run)."""


def _holds_list(text: str) -> bool:
    """Whether a document of a file is a list; where none is, there are no tasks, and parsing a long file is saved."""
    begins = True
    for line in text.split("\n"):
        said = line.strip(" \t\ufeff")
        if line.startswith("---"):
            begins, said = True, line[3:].strip()
        if begins and said and said[0] not in "#%":
            if said[0] == "[" or said == "-" or said.startswith(("- ", "-\t")):
                return True
            begins = False
    return False


@of_text
def _lists(text: str) -> tuple[list[Any], ...]:
    """The lists of tasks or plays that a file holds, where it may take others in; every proof of a change asks again."""
    if not may_hold_items(text) or not mentions("\n" + text) or not _holds_list(text):
        return ()
    try:
        found = documents(text, own_tags=True)
    except YamlError:
        return ()
    return tuple(document.value for document in found if isinstance(document.value, list))


def of_tasks(
    path: str,
    text: str,
    known: Collection[str],
    roles: Mapping[str, str],
    listed: Callable[[str], list[Any] | None],
    set_in: Callable[[str], Mapping[str, Any]],
) -> Iterator[Include]:
    """What the tasks of a file take in, and, as taken in by the file itself, the variables that it takes from others (`vars_files`).

    `known` are the files of the repository, `roles` the folders of its roles by their names, `listed` gives a list that a variable holds,
    `set_in` the variables of a file.
    """
    left: list[tuple[Any, str, Mapping[str, Any], int]] = [(tasks, "", {}, 0) for tasks in _lists(text)]
    for _ in range(_MOST):
        if not left:
            return
        value, asked, around, depth = left.pop()
        for task in value if isinstance(value, list) and depth < _DEPTH else ():
            if not isinstance(task, dict):
                continue
            condition = " and ".join(filter(None, (asked, str(task["when"]) if "when" in task else "")))
            given = {**around, **_variables(task, listed)}
            for at in files_of_variables(path, task, known) if "when" not in task else ():
                given |= set_in(at)
                around = given if "vars_files" not in task else around  # a task sets them for those behind it
                yield Include(path, path, set_in(at), "")
            left += [(task[key], condition, given, depth + 1) for key in LISTS if isinstance(task.get(key), list)]
            for key in task:
                at = file_of(path, task[key], known) if _KEY.fullmatch(str(key)) is not None else ""
                if at:
                    yield Include(path, at, given, condition)
                is_role = _USES.fullmatch(str(key)) is not None
                role = folder_of(task[key], roles) if is_role else ""
                if role:
                    yield Include(path, role, given, condition)
                at = _source(path, task[key], known) if str(key).endswith(_CONFIG) else ""
                if at:
                    yield Include(path, at, {}, condition)
            for used in task["roles"] if isinstance(task.get("roles"), list) else ():
                role = folder_of(used, roles)
                if role:
                    own = _variables(used, listed) if isinstance(used, dict) else {}
                    yield Include(path, role, {**given, **own}, condition)


def mentions(text: str) -> bool:
    """Whether something in a text takes other files in; the text begins with the end of a line."""
    return _MENTIONS.search(text) is not None


def parts(included: Iterable[Include]) -> list[Part]:
    """The files that the tasks of one other file alone take in, each with the outermost file and with what decides that it is."""
    by: dict[str, set[tuple[str, str]]] = {}
    for one in (one for one in included if one.by != one.file):
        by.setdefault(one.file, set()).add((one.by, one.condition))
    found = []
    for file in by:
        root, seen, asked = file, {file}, []
        while (
            len(seen) < DEEPEST and len(above := by.get(root, set())) == 1 and (up := next(iter(above)))[0] not in seen
        ):
            root = up[0]
            asked.append(up[1])
            seen.add(root)
        if root != file and root not in by:
            found.append((file, root, " and ".join(filter(None, reversed(asked)))))
    return sorted(found)


def roles_among(known: Iterable[str]) -> dict[str, str]:
    """The folders of roles by their names; "" for a name that several have."""
    found: dict[str, str] = {}
    for folder in {role[1] for one in known if (role := _ROLE.fullmatch(one)) is not None}:
        name = folder.rpartition("/")[2]
        found[name] = "" if name in found else folder
    return found


def folder_of(value: Any, roles: Mapping[str, str]) -> str:
    """The folder of a role; "" where the repository has none of that name, or several."""
    named = (value.get("role") or value.get("name")) if isinstance(value, dict) else value
    return roles.get(named.rpartition(".")[2], "") if isinstance(named, str) else ""


def file_of(path: str, value: Any, known: Collection[str]) -> str:
    """The file of tasks that those of another take in; "" where it is not here."""
    named = value.get("file") if isinstance(value, dict) else value
    if not isinstance(named, str) or "{" in named:
        return ""
    role = _ROLE.fullmatch(path)
    folders = [posixpath.dirname(path), *([f"{role[1]}/tasks"] if role is not None else [])]
    tried = [posixpath.normpath(posixpath.join(folder, named)) for folder in (*folders, "")]
    return next((at for at in tried if at in known and at != path), "")


def is_tasks(path: str) -> bool:
    """Whether what is taken in are tasks, and not a text that is typed at the switch."""
    return not path.endswith(_TEXTS)


def _source(path: str, value: Any, known: Collection[str]) -> str:
    """The text that a module of a switch takes from a file (`src`); "" for templates, and where it is not here."""
    named = value.get("src") if isinstance(value, dict) else None
    return "" if not isinstance(named, str) or is_tasks(named) else text_named(path, named, known, "")


def text_named(path: str, named: str, known: Collection[str], root: str) -> str:
    """The text or template that the tasks of a file name, which a playbook runs; "" where it is not here."""
    if not named or "{" in named:
        return ""
    role = _ROLE.fullmatch(path)
    folders = [role[1], f"{role[1]}/tasks"] if role is not None else []
    folders += [posixpath.dirname(path), *([posixpath.dirname(root)] if root else [])]
    tried = [posixpath.normpath(posixpath.join(folder, kind, named)) for folder in folders for kind in _HOLDERS]
    return next((at for at in (*tried, posixpath.normpath(named)) if at in known), "")


def files_of_variables(path: str, task: Mapping[Any, Any], known: Collection[str]) -> Iterator[str]:
    """The files from which a play or task takes variables, as far as they are named."""
    named = task.get("vars_files")
    named = list(named) if isinstance(named, list) else [named]
    for key in task:
        if _SETS.fullmatch(str(key)) is not None:
            value = task[key]
            named.append(value.get("file") if isinstance(value, dict) else value)
    role = _ROLE.fullmatch(path)
    folders = [*([f"{role[1]}/vars"] if role is not None else []), posixpath.dirname(path)]
    for one in named:
        for folder in (*folders, posixpath.join(posixpath.dirname(path), "vars")) if isinstance(one, str) else ():
            at = posixpath.normpath(posixpath.join(folder, one))
            if "{" not in one and at in known:
                yield at
                break


def _variables(task: Mapping[Any, Any], listed: Callable[[str], list[Any] | None]) -> dict[str, Any]:
    """What a task gives the file that it takes in: of a loop the first turn, which stands for all.

    A number that the members of the items do not agree on is nobody's: an MTU of the first port says nothing of the others.
    """
    given = task.get("vars")
    key = next((one for one in _LOOPS if one in task), "")
    named = _NAMED.fullmatch(task[key]) if key and isinstance(task[key], str) else None
    looped = {**task, key: listed(named["name"]) or task[key]} if named is not None else task
    turns = items(looped, {}) or [{}]
    first = {name: _agreed(value, [one[name] for one in turns]) for name, value in turns[0].items()}
    variables = {str(name): fill(value, first) for name, value in given.items()} if isinstance(given, dict) else {}
    return {**variables, **first}


def _agreed(first: Any, all_: list[Any]) -> Any:
    if not isinstance(first, dict):
        return first
    others = [one for one in all_ if isinstance(one, dict)]
    return {
        key: value
        for key, value in first.items()
        if not isinstance(value, int) or all(one.get(key) == value for one in others)
    }
