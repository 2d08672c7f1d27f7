"""Whether other files of a repository say more of a name that a part of a configuration defines and does not apply, or the reverse."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from roce_audit.patterns import lazy
from roce_audit.platforms.taskmodules import Module
from roce_audit.records import dataclass
from roce_audit.sources.files import STDIN, YAML, Candidate
from roce_audit.sources.repository.ansible import lookups
from roce_audit.sources.repository.ansible.tasksigns import known_modules
from roce_audit.sources.repository.ansible.tasktexts import WRITE_FILES
from roce_audit.values import Place

_MOST_CHARACTERS = 200_000
_MOST_FILES = 5_000
_MOST_IN_ALL = 20_000_000
"""Of a larger repository nothing is told: what applies a name may stand behind the end."""
_WRITES = lazy(r"(?s).*\.(?:ya?ml|j2|jinja2?|tmpl|tpl|erb|py|tf|tftpl|sh|bash)")
"""Names of files that write configurations; a piece that was copied out of one is a text without the rest of it."""
_MAPPING = lazy(r"(?<![{$])\{\w\Z")
"""A mapping in braces, as YAML has them, and no value of another place."""
_KEY = lazy(r"(?:parents|lines|commands):")
"""The key of a task behind which a statement may stand."""
_OPEN = ("{{", "{%", "<%", "$", "%s", "{")
_OPEN_USE = lazy(
    r"(?i)(?:(?:polic|profile|scheduler|[-_]map|apply|trust)[\w-]{0,30}[\"']?(?:[ \t:]{1,4}[\w.-]{1,60}){0,3}[ \t:]{1,4}[\"']?"
    r"|\b(?:lines|commands|src|config)[ \t]{0,4}:[ \t]{0,4}[\"']?)(?:\{\{|\{%|\$\{?\w|%s|\{\w)"
)
"""What is applied where a value that stands elsewhere names it, or lines that are made elsewhere."""
_MOST_ABOVE = 2_000
"""Characters of a task before one of its arguments."""


@dataclass(frozen=True, slots=True)
class Uses:
    """Which lines of files say something of a host: all but those that are `idle`, and of templates those that are `rendered` alone.

    `got` are the lines that a device gets of each file from which its playbook alone writes, `settled` those of which it is known what
    they come to for all hosts, `givers` the files whose variables make them.
    """

    idle: Mapping[str, Collection[int]]
    rendered: Mapping[str, Collection[int]]
    got: Mapping[str, Mapping[str, Collection[int]]]
    settled: Mapping[str, Collection[int]]
    givers: Collection[str]
    unused: Collection[str] = ()
    """Files of tasks that nothing runs."""

    def say(self, path: str, line: int, device: str) -> bool:
        """Whether a device gets a line, or, where it is not known what it gets of the file, some host."""
        its = self.got.get(device, {})
        if path in its:
            return line in its[path]
        return line not in self.idle.get(path, ()) and (path not in self.rendered or line in self.rendered[path])


def _all_lines() -> Uses:
    return Uses({}, {}, {}, {}, ())


class Repository:
    """The files of what was given, looked through when somebody asks."""

    def __init__(
        self,
        paths: Sequence[str],
        files: Sequence[Candidate],
        text_of: Callable[[Candidate], str],
        uses: Callable[[], Uses] = _all_lines,
    ) -> None:
        self._uses_of = uses
        self._paths = paths
        self._files = files
        self._text_of = text_of

    def says_no_more_of(self, device: str, name: str, at: Place, quote: str, others: Sequence[Place] = ()) -> bool:
        """Whether no line of any file that says something of a device names what the line `quote` at a place names, but for those that
        say the same, and those at `others`, which name something else.

        Never of a file that was given by itself, of a part of a repository, or of a piece of a configuration: what defines or applies it
        may stand beside it. Nor where some file applies what it does not name in so many words.
        """
        found = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        if _WRITES.fullmatch(at.path) is None or not self._is_whole or at.path not in self._texts:
            return False
        own = self._texts[at.path].split("\n")
        alike = own[at.line - 1].strip() if 0 < at.line <= len(own) else quote
        apart = {_beginning(self._line(one), name) for one in others} - {_beginning(alike, name)}
        others_than_givers = self._texts.keys() - self._uses.givers  # their values stand in lines that are known
        for path, text in ((one, self._texts[one]) for one in others_than_givers):
            lines = own if path == at.path else text.split("\n") if name in text else []
            named = (
                line
                for number, line in enumerate(lines, 1)
                if found.search(line) is not None
                and _beginning(line.strip(), name) not in apart
                and self._uses.say(path, number, device)
            )
            if any(path != at.path or not _is_same(line, quote, alike, name) for line in named):
                return False
        return not self._has_open_uses

    def gives_others(self, device: str, name: str) -> bool:
        """Whether tasks have a name that this device gets nothing of, though it is known what it gets of their file."""
        found = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        return any(
            found.search(line) is not None
            for path, lines in self._uses.got.get(device, {}).items()
            if not lines and name in self._texts.get(path, "")
            for line in self._texts[path].split("\n")
        )

    def texts(self) -> Mapping[str, str]:
        """The texts of a whole repository; none of a part of one."""
        return self._texts if self._is_whole else {}

    def _line(self, at: Place) -> str:
        lines = self._texts.get(at.path, "").split("\n")
        return lines[at.line - 1].strip() if 0 < at.line <= len(lines) else ""

    @cached_property
    def _uses(self) -> Uses:
        return self._uses_of()

    @cached_property
    def _is_whole(self) -> bool:
        is_small = len(self._files) <= _MOST_FILES and not any(one.named for one in self._files)
        return is_small and STDIN not in self._paths and not any(map(_lies_in_repository, self._paths))

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        texts: dict[str, str] = {}
        size = 0
        for one in self._files:
            texts[one.path] = text = self._text_of(one)[:_MOST_CHARACTERS]
            size += len(text)
            if size > _MOST_IN_ALL:
                return {}
        return texts

    @cached_property
    def _has_open_uses(self) -> bool:
        return any(
            not _is_header(found)
            and not (path.endswith(YAML) and _MAPPING.search(found[0]) is not None)
            and not self._is_looked_up(found)
            and not _is_data(found)
            and text.count("\n", 0, found.end()) + 1 not in self._uses.settled.get(path, ())
            for path, text in self._texts.items()
            if path not in self._uses.unused and any(sign in text for sign in _OPEN)
            for found in _OPEN_USE.finditer(text)
        )

    def _is_looked_up(self, found: re.Match[str]) -> bool:
        """Whether what is applied there is the text of a file of the repository."""
        file = lookups.BEHIND_BRACES.match(found.string, found.end())
        return file is not None and any(f"/{path}".endswith(f"/{file[1]}") for path in self._texts)


def _beginning(line: str, name: str) -> str:
    """What stands before a name and says what has it; the whole line where no word does."""
    begins = line.partition(name)[0]
    return begins if any(map(str.isalpha, begins)) else line


def _is_same(line: str, quote: str, alike: str, name: str) -> bool:
    """Whether a line of a file says what was seen, as it begins, or is as plain as it: that one was read together with it."""
    if " " in quote and quote in " ".join(alike.split()):
        return line.strip() == alike or quote in " ".join(line.split())
    begins = [
        _KEY.sub("", one.strip().lstrip("-\"' "), count=1).lstrip("-\"'[ ").partition(name)[0] for one in (line, alike)
    ]
    return begins[0] == begins[1] or not any(sign in line for sign in _OPEN)


def _is_header(found: re.Match[str]) -> bool:
    """Whether the line is the header of what a task defines: it applies nothing."""
    line = found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start() + 1]
    return line.lstrip(" -").startswith("parents")


def _is_data(found: re.Match[str]) -> bool:
    """Whether it is what a module of a table is given (`nxos_interfaces: config:`), or one that writes a file: that applies no names."""
    if not found[0].startswith(("config", "src")):
        return False
    *above, line = found.string[max(0, found.start() - _MOST_ABOVE) : found.start()].split("\n")
    outer = next((one.strip(" -") for one in reversed(above) if one.strip() and _margin(one) < _margin(line)), "")
    name = outer.removesuffix(":").rpartition(".")[2]
    known = known_modules().get(name)
    return name in WRITE_FILES or (known is not None and isinstance(known[1], Module))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" -"))


def _lies_in_repository(path: str) -> bool:
    """Whether a folder is a part of a larger repository."""
    folder = os.path.realpath(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return folder != os.path.realpath(path)
