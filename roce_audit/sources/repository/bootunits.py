"""Units and udev rules of a repository that set NICs up: what no boot starts, or starts otherwise than the script needs.

Sources: systemctl(1) (`start` is for now alone; `enable` makes the links that [Install] asks for, and none without it),
systemd.unit(5), systemd.service(5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.sources.files import Candidate
from roce_audit.sources.loaded import Problem

_UNIT = ".service"
_RULES = ".rules"
_TRIGGERS = (".timer", ".path", ".target", ".socket")
_MOST_UNITS = 40
_MOST_FILES = 2_000
_MOST_CHARACTERS = 200_000
_MOST_IN_ALL = 8_000_000
"""Of a larger repository nothing is told: each unit is looked for in all texts, and what enables it may stand behind the end."""
_WANTED = lazy(r"^[ \t]{0,20}(?:WantedBy|RequiredBy|UpheldBy|Also|Alias)=\S", re.M)
_SERVICE = lazy(r"^[ \t]{0,20}\[Service\]", re.M)
_RUNS = lazy(r"^[ \t]{0,20}ExecStart=[-@:+!]{0,3}(?:(?:/usr)?/bin/(?:ba)?sh[ \t]{1,9})?(/[\w./-]{1,200})", re.M)
_SCRIPTS = lazy(r"(?:.*\.(?:sh|bash)|[\w-]+|[Mm]akefile|Dockerfile[\w.-]*|Containerfile[\w.-]*)")
_TEXTS = lazy(
    r"(?:.*\.(?:sh|bash|py|pl|rb|ya?ml|json|spec|preset|conf|cfg|ks|toml|nix|j2|tf|mk|md|rst|txt|service|timer|target|path|install|postinst)"
    r"|[\w-]+|Makefile[\w.-]*|Dockerfile[\w.-]*|Containerfile[\w.-]*)"
)
_STARTS = lazy(r"\bsystemctl[ \t]+(?:--?[\w=-]{1,30}[ \t]+){0,4}(?:re)?start[ \t]+([^\n;&|#]{1,300})")
_ENABLES = lazy(r"\bsystemctl[ \t]+(?:--?[\w=-]{1,30}[ \t]+){0,4}(?:re)?enable[ \t]+([^\n;&|#]{1,300})")
_ANY_ENABLES = lazy(
    r"\b(?:(?:re)?enabled?|preset(?:-all)?|add-wants|systemd_post|deb-systemd-helper|dh_(?:installsystemd|systemd_\w+))\b[^\n]{0,300}"
)
_AN_ENABLED = lazy(r"\benabled[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?:true|yes|True)\b")
_ROOT = lazy(r"(?:^|/)((?:usr|opt|etc)/[\w./-]{1,200})\Z")


def problems(candidates: Iterable[Candidate], text_of: Callable[[Candidate], str]) -> Iterator[Problem]:
    """What is wrong with the units and udev rules among these files that set NICs up."""
    known = list(candidates)
    if len(known) > _MOST_FILES or not any(one.name.endswith((_UNIT, _RULES)) for one in known):
        return
    here = _Repository(known, text_of)
    for caller in [one for one in here.files if one.name.endswith((_UNIT, _RULES))][:_MOST_UNITS]:
        yield from _without_a_name(caller, here)
    for unit in [one for one in here.files if one.name.endswith(_UNIT)][:_MOST_UNITS]:
        text = here.text(unit)
        if _SERVICE.search(text) is not None and here.sets_up(text) and not here.is_too_large:
            yield from _of_unit(unit, text, here)


_CALLED = lazy(
    r"(?:^[ \t]{0,20}ExecStart=[-@:+!]{0,3}|\bRUN(?:\{program\})?\+?=\")(?:(?:/usr)?/bin/(?:ba)?sh[ \t]{1,9})?"
    r"(/[\w./-]{1,200})[ \t]{0,9}(?=[\"\n]|\Z)",
    re.M,
)
"""A script that is called with no word behind it."""
_TAKES_NAME = lazy(r"^([A-Za-z_]\w{0,40})=[\"']?\$\{?1\}?[\"']?[ \t]{0,9}$", re.M)
"""A script takes its first word, not in a function, and for no other value."""


def _without_a_name(caller: Candidate, here: _Repository) -> Iterator[Problem]:
    """A call of a script that sets up the NIC which it is handed, and that is handed none."""
    text = here.text(caller)
    for found in _CALLED.finditer(text):
        named = [one for one in here.files if one.name == found[1].rpartition("/")[2]]
        script = here.text(named[0]) if len(named) == 1 else ""
        taken = _TAKES_NAME.search(script) if here.sets_up(script) else None
        if taken is None:
            continue
        name = re.escape(taken[1])
        used = re.search(rf"(?:-i|--interface|dev)[ =]?[\"']?\$\{{?{name}\}}?|/\$\{{?{name}\}}?/", script)
        tests = rf"-[nz] [\"']?\$\{{?{name}\b(?![^\n]{{0,80}}\bexit\b)|\{{{name}:?[-=]"
        asked = re.search(tests, script) or len(re.findall(rf"^[ \t]{{0,40}}{name}=", script, re.M)) > 1
        if used is not None and not asked:
            line = 1 + text.count("\n", 0, found.start(1))
            words = f"it calls {found[1]} with no name of a NIC, and the script takes one as its first word: it sets nothing up"
            yield Problem(caller.path, line, words, "conflict")


class _Repository:
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


def _of_unit(unit: Candidate, text: str, here: _Repository) -> Iterator[Problem]:
    for path, script in here.run(text):
        lies = _ROOT.search(script.path)
        mentioned = any(path in other for at, other in here.texts.items() if at != unit.path)
        if lies is not None and f"/{lies[1]}" != path and not mentioned:
            line = 1 + text.count("\n", 0, text.index(path))
            yield Problem(
                unit.path, line, f"it runs {path}, and these files have {script.name} for /{lies[1]}", "conflict"
            )
    name = unit.name.removesuffix(_UNIT)
    named = _naming(name)
    if _is_triggered(name, unit, here):
        return
    if _WANTED.search(text) is None:
        yield from _told(
            here, named, _ENABLES, f"{unit.name} has no WantedBy= that enable could make a link for: no boot starts it"
        )
    elif not _is_enabled(named, here):
        words = f"{unit.name}, which sets NICs up, is started for now, and nothing in these files enables it: no boot starts it"
        yield from _told(here, named, _STARTS, words)


def _naming(name: str) -> re.Pattern[str]:
    """A word that names a unit; of a template any instance."""
    instance = r"[\w.:${}-]{0,80}" if name.endswith("@") else ""
    return re.compile(rf"(?<![\w.@/-]){re.escape(name)}{instance}(?:\.service)?(?![\w.@-])")


def _told(here: _Repository, named: re.Pattern[str], calls: re.Pattern[str], words: str) -> Iterator[Problem]:
    """The first call of a script that names a unit."""
    for path, text in here.scripts.items():
        for found in calls.finditer(text):
            begins = text.rfind("\n", 0, found.start()) + 1
            if named.search(found[1]) is not None and "#" not in text[begins : found.start()]:
                yield Problem(path, 1 + text.count("\n", 0, found.start()), words, "conflict")
                return


def _is_triggered(name: str, unit: Candidate, here: _Repository) -> bool:
    """Whether something else starts a unit: a timer, a link, another unit that wants it, a rule of udev."""
    asked = re.compile(
        rf"(?:Wants|Requires|Unit|Upholds|BindsTo|SYSTEMD_WANTS)[}}\"']?\+?=[^\n]{{0,300}}{re.escape(name)}"
    )
    return any(
        one.name in {f"{name}{trigger}" for trigger in _TRIGGERS}
        or re.search(rf"\.(?:wants|requires)/{re.escape(name)}", one.path) is not None
        for one in here.files
    ) or any(
        asked.search(text) is not None
        or re.search(rf"\.wants/[^\n]{{0,80}}{re.escape(name)}|{re.escape(name)}[^\n]{{0,80}}\.wants/", text)
        for path, text in here.texts.items()
        if path != unit.path
    )


def _is_enabled(named: re.Pattern[str], here: _Repository) -> bool:
    """Whether something may enable a unit: by its name, by a name that is computed, or beside its name in a playbook."""
    for text in here.texts.values():
        for found in _ANY_ENABLES.finditer(text):
            if "$" in found[0] or "{{" in found[0] or "*" in found[0] or named.search(found[0]) is not None:
                return True
        if _AN_ENABLED.search(text) is not None and named.search(text) is not None:
            return True
    return False
