"""The files of a repository in which something may be said of units, udev rules and tables of cron, each read once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.sources.files import Candidate

_MOST_CHARACTERS = 200_000
_MOST_IN_ALL = 8_000_000
"""Of a larger repository nothing is told: each unit is looked for in all texts, and what enables it may stand behind the end."""
_RUNS = lazy(r"^[ \t]{0,20}ExecStart=[-@:+!]{0,3}(?:(?:/usr)?/bin/(?:ba)?sh[ \t]{1,9})?(/[\w./-]{1,200})", re.M)
_SCRIPTS = lazy(r"(?:.*\.(?:sh|bash)|[\w-]+|[Mm]akefile|Dockerfile[\w.-]*|Containerfile[\w.-]*)")
_TEXTS = lazy(
    r"(?:.*\.(?:sh|bash|py|pl|rb|ya?ml|json|spec|preset|conf|cfg|ks|toml|nix|j2|tf|mk|md|rst|txt|service|timer|target|path|install|postinst)"
    r"|[\w-]+|rc\.local|Makefile[\w.-]*|Dockerfile[\w.-]*|Containerfile[\w.-]*)"
)


class HostFiles:
    """The files that are looked through, each read once."""

    def __init__(self, files: list[Candidate], text_of: Callable[[Candidate], str]) -> None:
        self.files = files
        self._text_of = text_of
        self._texts: dict[str, str] = {}
        self._calls = re.compile("|".join([one.nics.calls for one in platforms.every() if one.nics.calls]) or "(?!)")

    def text(self, one: Candidate) -> str:
        """What a file holds, or its beginning."""
        if one.path not in self._texts:
            self._texts[one.path] = self._text_of(one)[:_MOST_CHARACTERS]
        return self._texts[one.path]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Path -> text of all files in which something may be said of units."""
        return {one.path: self.text(one) for one in self.files if _TEXTS.fullmatch(one.name) is not None}

    @cached_property
    def is_too_large(self) -> bool:
        """Whether it is more than can be looked through for each unit."""
        return sum(map(len, self.texts.values())) > _MOST_IN_ALL

    @cached_property
    def scripts(self) -> Mapping[str, str]:
        """Those of them that call programs."""
        names = {one.path for one in self.files if _SCRIPTS.fullmatch(one.name) is not None}
        return {path: text for path, text in self.texts.items() if path in names}

    def run(self, unit: str) -> Iterator[tuple[str, Candidate]]:
        """(path on the host, file) of each script that a unit runs and that is here by its name alone."""
        for path in _RUNS.findall(unit):
            named = [one for one in self.files if one.name == path.rpartition("/")[2]]
            if len(named) == 1:
                yield path, named[0]

    def sets_up(self, unit: str) -> bool:
        """Whether a unit calls a tool of NICs, itself or in a script that it runs."""
        return self._calls.search(unit) is not None or any(
            self._calls.search(self.text(script)) is not None for _, script in self.run(unit)
        )
