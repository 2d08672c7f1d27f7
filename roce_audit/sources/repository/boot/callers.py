"""What calls a script that sets NICs up, and calls it in vain: units, udev rules, tables of cron, interfaces and rc.local.

Sources: systemd.service(5), udev(7) (`RUN`), crontab(5) (`@reboot`; an hour that is a number is once a day), interfaces(5) (`up`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.sources.files import Candidate
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.boot.hostfiles import HostFiles
from roce_audit.text.statements.misspelling import meant

_CRON = lazy(r"(?:[\w.-]{0,60}[._-])?cron(?:tab)?|[\w.-]{1,60}\.cron")
_SHELL = r"(?:(?:/usr)?/bin/(?:ba)?sh[ \t]{1,9})?"
_WORDS = r"(?P<words>(?:[ \t]{1,9}[\"']?[^\s\"';&|<>#]{1,80}[\"']?){0,9})"
_CALLS = lazy(
    rf"(?:^[ \t]{{0,20}}ExecStart=[-@:+!]{{0,3}}|\bRUN(?:\{{program\}})?\+?=\"){_SHELL}(?P<path>/[\w./-]{{1,200}}){_WORDS}",
    re.M,
)
_AT_INTERFACES = lazy(rf"^[ \t]{{0,20}}(?:pre-|post-)?up[ \t]{{1,9}}{_SHELL}(?P<path>/[\w./-]{{1,200}}){_WORDS}", re.M)
_AT_BOOT = lazy(rf"(?:^|&&|;|\bthen\b)[ \t]{{0,20}}{_SHELL}(?P<path>/[\w./-]{{1,200}}){_WORDS}", re.M)
_MTU = lazy(r"^[ \t]{1,40}mtu[ \t]{1,9}(\d{1,5})(?=\s)", re.M)
_PAIR = 2
_NEEDED_BYTES = 4_192
"""The MTU of a network device with which its RDMA path MTU is 4,096 (Linux, include/rdma/ib_addr.h, iboe_get_mtu)."""
_STANZA = lazy(r"^[ \t]{0,20}iface[ \t]{1,9}(?P<name>[\w.-]{1,40})", re.M)
_AT_TIMES = lazy(
    r"^(?P<when>@[a-z]{4,9}|[\d*][\d*/,-]{0,20}(?:[ \t]{1,9}[\w*][\w*/,-]{0,20}){4})[ \t]{1,9}(?:[a-z_][\w-]{0,30}[ \t]{1,9})?"
    rf"(?:sleep[ \t]\d{{1,4}}[ \t]{{0,9}}(?:&&|;)[ \t]{{0,9}})?{_SHELL}(?P<path>/[\w./-]{{1,200}}){_WORDS}",
    re.M,
)
_SELDOM = lazy(r"@(?:daily|midnight|weekly|monthly|yearly|annually)|\d{1,2}[ \t]+\d{1,2}[ \t].*")
WANTS = lazy(r"SYSTEMD_WANTS\}\+?=\"(?P<unit>[A-Za-z][\w.-]{1,60})@")
"""A rule of udev that starts a template of a unit."""
_TREE = lazy(r"(?:^|/)((?:usr|opt|etc|root|srv)/[\w./-]{1,200})\Z")
_TAKES = lazy(r"^([A-Za-z_]\w{0,40})=[\"']?\$\{?([1-9])\}?[\"']?[ \t]{0,9}$", re.M)
"""A script takes a word that it is handed, not in a function, and for no other value."""


def may_call(one: Candidate) -> bool:
    """Whether a file is a unit, a set of udev rules, a table of cron or of interfaces, or rc.local."""
    return one.name.endswith((".service", ".rules")) or _pattern(one) is not _CALLS


def _pattern(one: Candidate) -> re.Pattern[str]:
    """How such a file calls scripts."""
    if _is_cron(one):
        return _AT_TIMES
    if one.name == "rc.local":
        return _AT_BOOT
    return _AT_INTERFACES if one.name == "interfaces" or "/interfaces.d/" in f"/{one.path}" else _CALLS


def _is_cron(one: Candidate) -> bool:
    return "/cron.d/" in f"/{one.path}" or _CRON.fullmatch(one.name) is not None


def problems(caller: Candidate, here: HostFiles) -> Iterator[Problem]:
    """What is wrong with the calls in such a file."""
    text = here.text(caller)
    if caller.name.endswith(".rules"):
        yield from _wanted(caller, text, here)
    pattern = _pattern(caller)
    if pattern is _AT_INTERFACES:
        yield from _small(caller, text, here)
    for found in pattern.finditer(text):
        line = 1 + text.count("\n", 0, found.start("path"))
        script, words = _meant_script(caller, found["path"], here)
        if script is None or not here.sets_up(here.text(script)):
            continue
        words = words or (_for_another(text, found) if pattern is _AT_INTERFACES else "")
        if words:
            yield Problem(caller.path, line, words, "conflict")
            continue
        if pattern is not _AT_TIMES:
            missing = _without_its_word(found["path"], len(found["words"].split()), here.text(script))
            yield from (Problem(caller.path, line, words, "conflict") for words in missing)
        elif _SELDOM.match(found["when"]) is not None and not _is_called_elsewhere(caller, text, script, here):
            words = (
                f"{script.name} sets NICs up, which forget it at each boot, and is called here at times of the clock alone: until then no "
                "NIC is set up (@reboot)"
            )
            yield Problem(caller.path, line, words, "conflict")


def _for_another(text: str, found: re.Match[str]) -> str:
    """What is wrong with a call that the stanza of one interface makes for another, whose own stanza makes it already."""
    stanzas = [(one.start(), one["name"]) for one in _STANZA.finditer(text)]
    names = frozenset(name for _, name in stanzas)

    def of(call: re.Match[str]) -> tuple[str, str]:
        """(the interface in whose stanza it stands, the interface that it names)."""
        own = next((name for at, name in reversed(stanzas) if at < call.start()), "")
        words = [word.strip("\"'") for word in call["words"].split()]
        return own, next((word for word in words if word in names), "")

    own, other = of(found)
    earlier = (of(one) for one in _AT_INTERFACES.finditer(text, 0, found.start()))
    if not other or own == other or (other, other) not in earlier:
        return ""
    return f"it is called for {other} once more, in the lines of {own}, which nothing sets up"


def _small(caller: Candidate, text: str, here: HostFiles) -> Iterator[Problem]:
    """The one of the interfaces whose NIC a script sets up and whose own lines leave RoCE small packets."""
    mtus: dict[str, tuple[int, int | None]] = {}
    starts = [*_STANZA.finditer(text)]
    ends = [one.start() for one in starts[1:]] + [len(text)]
    for one, end in zip(starts, ends, strict=False):  # a torn file may have no stanza
        scripts = [
            _meant_script(caller, found["path"], here)[0] for found in _AT_INTERFACES.finditer(text, one.start(), end)
        ]
        texts = [here.text(script) for script in scripts if script is not None]
        if not any(here.sets_up(its) for its in texts):
            continue
        if any("mtu" in its for its in texts):
            return
        mtu = _MTU.search(text, one.start(), end)
        at = mtu.start() if mtu is not None else one.start()
        mtus[one["name"]] = 1 + text.count("\n", 0, at), int(mtu[1]) if mtu is not None else None
    small = [name for name, (_, mtu) in mtus.items() if (mtu or 0) < _NEEDED_BYTES]
    if len(small) == 1 and len(mtus) > (1 if mtus[small[0]][1] is not None else _PAIR):
        line, size = mtus[small[0]]
        said = "no MTU" if size is None else f"an MTU of {size:,} B"
        words = (
            f"{small[0]} gets {said}, and the other interfaces that are set up for RoCE here get {_NEEDED_BYTES:,} B or more, as a path "
            "MTU of 4,096 needs"
        )
        yield Problem(caller.path, line, words, "conflict")


def _wanted(caller: Candidate, text: str, here: HostFiles) -> Iterator[Problem]:
    """A rule that starts a template of a unit which is not there, beside one of nearly its name that sets NICs up."""
    templates = {one.name.removesuffix("@.service"): one for one in here.files if one.name.endswith("@.service")}
    for found in WANTS.finditer(text):
        name = found["unit"]
        near = meant(name, templates) or next((one for one in templates if _alike(one, name)), None)
        if name not in templates and near is not None and here.sets_up(here.text(templates[near])):
            line = 1 + text.count("\n", 0, found.start("unit"))
            words = (
                f"it starts {name}@.service, which is not among these files; {near}@.service is, and sets the NIC up"
            )
            yield Problem(caller.path, line, words, "conflict")


def _meant_script(caller: Candidate, path: str, here: HostFiles) -> tuple[Candidate | None, str]:
    """The script that a path means, and what is wrong with the path."""
    folder, _, name = path.rpartition("/")
    named = [one for one in here.files if one.name == name]
    if len(named) == 1:
        lies = _TREE.search(named[0].path)
        mentioned = any(path in other for at, other in here.texts.items() if at != caller.path)
        if lies is not None and f"/{lies[1]}" != path and not mentioned:
            return named[0], f"it runs {path}, and these files have {name} for /{lies[1]}"
        return named[0], ""
    beside = [one for one in here.files if f"/{one.path}".rpartition("/")[0].endswith(folder)] if not named else []
    slip = meant(name, [one.name for one in beside])
    script = next((one for one in beside if one.name == slip or _alike(one.name, name)), None)
    return script, f"it runs {path}, which is not among these files; {script.name} is" if script is not None else ""


def _alike(one: str, other: str) -> bool:
    """Whether names differ in the sign between their words alone, or in the ending of a script."""
    return one.removesuffix(".sh").replace("-", "_") == other.removesuffix(".sh").replace("-", "_")


def _without_its_word(path: str, given: int, script: str) -> Iterator[str]:
    """A script takes the name of its NIC by a word that it is not handed."""
    for taken in _TAKES.finditer(script):
        name, place = re.escape(taken[1]), int(taken[2])
        used = re.search(rf"(?:-i|--interface|dev)[ =]?[\"']?\$\{{?{name}\}}?|/\$\{{?{name}\}}?/", script)
        tests = rf"-[nz] [\"']?\$\{{?{name}\b(?![^\n]{{0,80}}\bexit\b)|\{{{name}:?[-=]"
        asked = re.search(tests, script) or len(re.findall(rf"^[ \t]{{0,40}}{name}=", script, re.M)) > 1
        if place > given and used is not None and not asked and "shift" not in script:
            which = "first" if place == 1 else f"{place}."
            handed = "no name of a NIC" if not given else f"{given} word{'s' * (given > 1)}"
            yield f"it calls {path} with {handed}, and the script takes one as its {which} word: it sets nothing up"
            return


def _is_called_elsewhere(caller: Candidate, text: str, script: Candidate, here: HostFiles) -> bool:
    """Whether something else speaks of the script, such as a unit, or the same table at each boot."""
    return text.count(script.name) > 1 or any(
        script.name in other for at, other in here.texts.items() if at not in (caller.path, script.path)
    )
