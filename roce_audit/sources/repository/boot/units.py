"""Units and udev rules of a repository that set NICs up: what no boot starts, or starts otherwise than the script needs.

Sources: systemctl(1) (`start` is for now alone; `enable` makes the links that [Install] asks for, and none without it),
systemd.unit(5), systemd.service(5), systemd.special(7) (network-pre.target is reached before any interface is set up).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.sources.files import Candidate
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.boot import blocks as bootblocks
from roce_audit.sources.repository.boot import callers as bootcallers
from roce_audit.sources.repository.boot import nics as bootnics
from roce_audit.sources.repository.boot.hostfiles import HostFiles

_UNIT = ".service"
_TRIGGERS = (".timer", ".path", ".target", ".socket")
_MOST_UNITS = 40
_MOST_FILES = 2_000
_WANTED = lazy(r"^[ \t]{0,20}(?:WantedBy|RequiredBy|UpheldBy|Also|Alias)=\S", re.M)
_SERVICE = lazy(r"^[ \t]{0,20}\[Service\]", re.M)
_EXEC = lazy(r"^[ \t]{0,20}ExecStart=", re.M)
_EARLY = lazy(r"^[ \t]{0,20}Before=(?:[^\n]{0,200}[ \t])?(?P<target>(?:network-pre|sysinit|basic)\.target)", re.M)
_WAITS = lazy(r"^[ \t]{0,20}(?:After|BindsTo|Requires|Requisite)=\S|\b(?:udevadm[ \t]+settle|modprobe)\b", re.M)
"""What a unit waits for, or loads itself."""
_STARTS = lazy(r"\bsystemctl[ \t]+(?:--?[\w=-]{1,30}[ \t]+){0,4}(?:re)?start[ \t]+([^\n;&|#]{1,300})")
_ENABLES = lazy(r"\bsystemctl[ \t]+(?:--?[\w=-]{1,30}[ \t]+){0,4}(?:re)?enable[ \t]+([^\n;&|#]{1,300})")
_ANY_ENABLES = lazy(
    r"\b(?:(?:re)?enabled?|preset(?:-all)?|add-wants|systemd_post|deb-systemd-helper|dh_(?:installsystemd|systemd_\w+))\b[^\n]{0,300}"
)
_AN_ENABLED = lazy(r"\benabled[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?:true|yes|True)\b")


def problems(candidates: Iterable[Candidate], text_of: Callable[[Candidate], str]) -> Iterator[Problem]:
    """What is wrong with the units and udev rules among these files that set NICs up."""
    known = list(candidates)
    callers = [one for one in known if bootcallers.may_call(one)][:_MOST_UNITS]
    blocking = [one for one in known if bootblocks.may_block(one)][:_MOST_UNITS]
    if len(known) > _MOST_FILES or not (callers or blocking):
        return
    here = HostFiles(known, text_of)
    for one in blocking:
        yield from bootblocks.problems(one, here)
    for caller in callers:
        yield from bootcallers.problems(caller, here)
        if caller.name.endswith(".rules"):
            yield from bootnics.problems(caller, here)
    for unit in [one for one in here.files if one.name.endswith(_UNIT)][:_MOST_UNITS]:
        text = here.text(unit)
        if _SERVICE.search(text) is not None and here.sets_up(text) and not here.is_too_large:
            yield from _of_unit(unit, text, here)


def _too_early(unit: Candidate, text: str) -> Iterator[Problem]:
    """A unit that runs before networks are brought up, and waits for nothing: drivers may not have made the interface by then."""
    before = _EARLY.search(text)
    if before is not None and _WAITS.search(text) is None and "@" not in unit.name:
        line = 1 + text.count("\n", 0, before.start("target"))
        words = (
            f"{unit.name}, which sets NICs up, runs before {before['target']} and after nothing: the driver may not have made the "
            "interface yet, and then its calls fail (After=sys-subsystem-net-devices-NAME.device)"
        )
        yield Problem(unit.path, line, words, "conflict")


def _of_unit(unit: Candidate, text: str, here: HostFiles) -> Iterator[Problem]:
    yield from _too_early(unit, text)
    name = unit.name.removesuffix(_UNIT)
    named = _naming(name)
    if _is_triggered(name, unit, here):
        return
    if _WANTED.search(text) is None:
        words = f"{unit.name} has no WantedBy= that enable could make a link for: no boot starts it"
        told = list(_told(here, named, _ENABLES, words))
        yield from told or _by_nobody(unit, text, named, here)
    elif not _is_enabled(named, here):
        words = f"{unit.name}, which sets NICs up, is started for now, and nothing in these files enables it: no boot starts it"
        yield from _told(here, named, _STARTS, words)


def _naming(name: str) -> re.Pattern[str]:
    """A word that names a unit; of a template any instance."""
    instance = r"[\w.:${}-]{0,80}" if name.endswith("@") else ""
    return re.compile(rf"(?<![\w.@/-]){re.escape(name)}{instance}(?:\.service)?(?![\w.@-])")


def _told(here: HostFiles, named: re.Pattern[str], calls: re.Pattern[str], words: str) -> Iterator[Problem]:
    """The first call of a script that names a unit."""
    for path, text in here.scripts.items():
        for found in calls.finditer(text):
            begins = text.rfind("\n", 0, found.start()) + 1
            if named.search(found[1]) is not None and "#" not in text[begins : found.start()]:
                yield Problem(path, 1 + text.count("\n", 0, found.start()), words, "conflict")
                return


def _by_nobody(unit: Candidate, text: str, named: re.Pattern[str], here: HostFiles) -> Iterator[Problem]:
    """A unit that no other file speaks of, beside the script that it runs."""
    is_whole = next(here.run(text), None) is not None and "@" not in unit.name
    own = {script.path for _, script in here.run(text)}
    others = [text for at, text in here.texts.items() if at != unit.path and at not in own]
    starts_any = any(sign in found for text in others for found in _STARTS.findall(text) for sign in ("$", "{{", "*"))
    if is_whole and not starts_any and not any(unit.name in other or named.search(other) for other in others):
        starts = _EXEC.search(text)
        line = 1 + text.count("\n", 0, starts.start()) if starts is not None else 1
        words = f"{unit.name}, which sets NICs up, has no WantedBy=, and nothing in these files starts it: no boot does"
        yield Problem(unit.path, line, words, "conflict")


def _is_triggered(name: str, unit: Candidate, here: HostFiles) -> bool:
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


def _is_enabled(named: re.Pattern[str], here: HostFiles) -> bool:
    """Whether something may enable a unit: by its name, by a name that is computed, or beside its name in a playbook."""
    for text in here.texts.values():
        for found in _ANY_ENABLES.finditer(text):
            if "$" in found[0] or "{{" in found[0] or "*" in found[0] or named.search(found[0]) is not None:
                return True
        if _AN_ENABLED.search(text) is not None and named.search(text) is not None:
            return True
    return False
