"""What one script, unit, udev rule or table of cron sets up, by its text alone: most hosts of a fleet have the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from roce_audit.platforms.linux.boot.arms import apart, paused_by
from roce_audit.platforms.linux.boot.calls import Call, Kind, overruled, settings, settled
from roce_audit.platforms.linux.boot.shellloops import written_out
from roce_audit.platforms.linux.boot.slips import EXEC_KEYS, cut_off, in_rule, in_script, refused, swallowed, unheard
from roce_audit.platforms.linux.boot.words import in_words
from roce_audit.platforms.shared.host.boot import FLUSHED, MISSPELT, REJECTED, SLIPS, misspelt
from roce_audit.platforms.shared.shell.commands import commands
from roce_audit.platforms.shared.shell.script import Script as Shell
from roce_audit.platforms.shared.shell.script import Step
from roce_audit.text.memo import sized
from roce_audit.text.statements.misspelling import meant

_UDEV_NAME = re.compile(r"(?:KERNEL|NAME|ENV\{(?:ID_NET_NAME|INTERFACE)\})==\"([A-Za-z0-9_.*?\[\]|-]{1,100})\"")
_UDEV_MTU = re.compile(r"ATTR\{mtu\}=\"([^\"]{1,20})\"")
_STARTED = re.compile(r"([A-Za-z0-9_.-]{1,60})@(?:%k|\$name|\$env\{INTERFACE\})\.service")
UNIT = re.compile(r"\.service(?:\.d/[^/]+)?$")
EXEC = re.compile(r"\s*Exec(?:Start|StartPre|StartPost|Reload)=[-@:+!]*(.*)")
_SETS_UP = re.compile(
    r"(?:sudo )?(?:/[\w./-]{1,80}/)?(?:mlnx_|cma_|mst|mlx|show_gids|ibdev2netdev|set_irq|dcb|lldp|nic|ethtool|ip|ifconfig|rdma|tc"
    r"|sysctl|modprobe|systemctl|echo|printf|cat|ls|log|sleep|cd|mkdir|chmod|export|local|set|true|test|grep|awk|date|\[|:)"
)
"""What a script runs besides setting NICs up, and what sends nothing."""
_SECTION = re.compile(r"\[(?:Unit|Service|Install)\]")
_ENVIRONMENT = re.compile(r"\s*Environment=(.*)")
_ONE_COMMAND = "systemd loads no unit with several ExecStart lines unless it is of Type=oneshot, and runs none of them"
_PATTERN = ("%k", "$name", "$env{INTERFACE}")
_ASKS_WORD = re.compile(r"\s*case\s+[\"']?\$\{?1(?::-\w{1,20})?\}?[\"']?\s+in\b")
_BEGINS = re.compile(
    r"\s*\(?[\"']?(?:[\w|\"' -]{1,60}\|)?\s?(start|up|apply|enable|setup|set|on)[\"']?\s?(?:\|[^()]{1,60})?\)"
)
"""The arm of `case "$1"` that sets up, in the order in which such words are looked for."""
_DISPATCHED = re.compile(
    r"/etc/(?:NetworkManager/dispatcher\.d|network|networkd-dispatcher)/(?P<early>(?:if-)?pre-up\.d/)?(?P<down>\S*(?:down|off)\.d/)?"
)


_ONE = r"[A-Za-z][\w.-]{1,40}"
_HANDED = r"[\"']?\$\{?(?P<of>1|IFACE|DEVICE_IFACE|INTERFACE|DEV)\}?[\"']?"
_ARM = (
    rf"\(?{_ONE}(?:[ ]?\|[ ]?{_ONE}){{0,31}}\)"
    r"(?:[;\s]{0,9}(?:[A-Za-z_]\w{0,30}=[^\s;]{1,60}(?=[\s;])|:)){0,4}\s{0,20};;\s{0,40}"
)
"""An arm of a `case` that sets variables alone."""
_ONLY_FOR = (
    re.compile(
        rf"\bcase[ \t]{{1,9}}{_HANDED}[ \t]{{1,9}}in\s{{1,40}}(?P<names>(?:{_ARM}){{1,16}})\*\)\s{{0,40}}exit\b"
    ),
    re.compile(
        rf"\[\[[ \t]{{1,9}}{_HANDED}[ \t]{{1,9}}=~[ \t]{{1,9}}\^\((?P<names>{_ONE}(?:[ ]?\|[ ]?{_ONE}){{1,31}})\)\$[ \t]{{1,9}}\]\]"
        r"[ \t]{0,9}\|\|[ \t]{0,9}exit\b"
    ),
)
"""A script that ends unless the NIC that it is handed is one of these."""
_LISTED = re.compile(rf"{_ONE}(?=[ ]?[|)]|\Z)")


class Script(NamedTuple):
    """All that following a file depends on."""

    path: str
    texts: tuple[str, ...]
    words: str | None
    """What it is called with; None: nobody knows how it is called."""
    sourced: tuple[tuple[str, str], ...]
    """The variables of the files that it reads first."""
    is_cut: bool
    """Its end was not gathered."""


class Followed(NamedTuple):
    """What a file sets up; lines are counted in it, from 0."""

    calls: tuple[Call, ...] = ()
    unread: tuple[int, ...] = ()
    """Lines that were not understood."""
    overruled: tuple[tuple[Call, Call], ...] = ()
    """Calls that a later one takes back."""
    undone: frozenset[int] = frozenset()
    """Lines of those of them that leave their NICs without PFC, with nothing run under the PFC in between."""
    apart: tuple[tuple[Call, Call], ...] = ()
    """Calls of different tools, one for the other, that disagree."""
    behind_end: tuple[int, int] | None = None
    """(line of the first call that stands behind the end of the script, line of that end)."""
    started: tuple[tuple[str, str], ...] = ()
    """(unit template, patterns of the NICs that it is started for)."""


def _size(script: Script) -> int:
    return sum(map(len, script.texts))


@sized(_size)
def followed(script: Script) -> Followed:
    """What the file sets up that is called like this."""
    if script.path.endswith(".rules"):
        started = ((template, nic_of_rule(line)) for line in script.texts for template in _STARTED.findall(line))
        calls = (call for index, line in enumerate(script.texts) for call in _of_rule(index, line))
        return Followed(tuple(calls), started=tuple(started))
    hooks = _hooks(script.path)
    return Followed() if hooks is None else _run(script, hooks)


class _Given(NamedTuple):
    """What the shell that runs a file is given."""

    texts: Sequence[str]
    """Its lines, without those that do not run at every boot."""
    hooks: Mapping[str, str]
    """Variables and words that whoever runs it sets."""
    odd: Set[int] = frozenset()
    """Lines of a unit that systemd does not hear."""
    is_refused: bool = False
    """systemd refuses the unit."""


def _given(script: Script, hooks: Mapping[str, str]) -> _Given:
    texts = script.texts
    if script.path.startswith("/etc/cloud/"):
        found = _Given(list(_every_boot(texts)), hooks)
    elif UNIT.search(script.path) or _SECTION.match(next((t.strip() for t in texts if t.strip()), "")):
        variables = {name: value for text in texts for name, value in _environment(text)}
        is_refused = not script.is_cut and refused(texts)
        found = _Given([*_all_executed(texts)], variables, set(unheard(texts)), is_refused)
    else:
        found = _Given(texts, hooks)
    return found._replace(hooks={**dict(script.sourced), **found.hooks, **_words(script, found)})


def _words(script: Script, given: _Given) -> Mapping[str, str]:
    """The words that a script is called with, as its shell names them."""
    if script.words is not None:
        words = script.words.split()[:9]
        numbered = {str(n): words[n - 1] if n <= len(words) else "" for n in range(1, 10)}
        return numbered | {"@": " ".join(words), "*": " ".join(words)}
    if "1" in given.hooks or "1" in dict(script.sourced) or not any(map(_ASKS_WORD.match, given.texts)):
        return {}
    begins = next((found[1] for text in given.texts if (found := _BEGINS.match(text)) is not None), None)
    return {} if begins is None else {"1": begins}


def _run(script: Script, hooks: Mapping[str, str]) -> Followed:
    """The same of a file that a shell runs; `hooks` are variables that whoever runs it sets."""
    given = _given(script, hooks)
    shell = Shell(given.hooks, settings)
    lines = [_argv(text) for text in given.texts]
    steps = list(shell.follow(written_out(commands(lines))))
    until = {step.number: step.until for step in steps if step.until > step.number}
    calls = [call for step in steps for call in _of_step(step)]
    unread = _unread(script, given, steps, calls)
    taken_back = list(overruled(calls))
    contradicting = _said(taken_back, lines, until)
    instead = [call for step in shell.instead for call in _of_step(step)]
    different = _said(apart(calls, instead, lines), lines, until)
    in_doubt = script.is_cut or shell.is_cut
    made = [
        replace(_where_said(call, lines, until), is_maybe=call.is_maybe or in_doubt)
        for call in settled(_in_effect(calls, instead, script, given), shell.arms)
    ]
    made = list(_narrowed(made, script.texts, given.hooks))
    paused = {(call.kind, call.device) for call in made if any(True for _ in paused_by(call.statement))}
    undone = frozenset(
        told.number
        for (before, call), (_, told) in zip(taken_back, contradicting, strict=True)
        if (call.statement == FLUSHED or (call.kind, call.device) not in paused) and _is_undone(before, call, steps)
    )
    never = next((call.number for step in shell.behind for call in _of_step(step)), None)
    return Followed(
        tuple(made),
        tuple(sorted(unread)),
        contradicting,
        undone,
        different,
        (never, shell.ends) if never is not None and shell.ends is not None else None,
    )


def _unread(script: Script, given: _Given, steps: Sequence[Step], calls: Sequence[Call]) -> Set[int]:
    """The lines that are not understood."""
    misspelt_calls = {call.number for call in calls if call.statement.startswith(MISSPELT)}
    unread = {
        *in_words(given.texts),
        *cut_off(script.texts),
        *swallowed(script.texts),
        *(step.number for step in steps if any(True for _ in in_words(step.texts))),
    } - misspelt_calls
    return unread | set(in_script(script.texts, given.hooks)) if calls and not script.is_cut else unread


def _said(
    pairs: Iterable[tuple[Call, Call]], lines: Sequence[str], until: Mapping[int, int]
) -> tuple[tuple[Call, Call], ...]:
    """Pairs of calls, each with the line that says it."""
    return tuple((_where_said(one, lines, until), _where_said(other, lines, until)) for one, other in pairs)


def _in_effect(calls: Sequence[Call], instead: Sequence[Call], script: Script, given: _Given) -> list[Call]:
    """The calls that are made, and the slips among those `instead`: a slip is one wherever a tool is missing as well."""
    found = [
        replace(call, statement=misspelt([call.statement], script.texts[call.number].strip()))
        if call.number in given.odd
        else call
        for call in calls
    ]
    found += [call for call in instead if call.statement.startswith(SLIPS)]
    if given.is_refused:
        return [replace(call, statement=f"{REJECTED} {call.statement}: {_ONE_COMMAND}") for call in found[:1]]
    return found


def _narrowed(calls: Iterable[Call], texts: Sequence[str], hooks: Mapping[str, str]) -> Iterator[Call]:
    """The calls for a NIC that the script is handed, for those that it goes on for."""
    whole = "\n".join(texts) if "exit" in "".join(texts) else ""
    found = next((one for pattern in _ONLY_FOR if (one := pattern.search(whole)) is not None), None)
    names_of = {f"${found['of']}", hooks.get(found["of"])} if found is not None else set()
    if (
        found is not None
        and re.search(rf"^[ \t]{{0,40}}{found['of']}=[\"']?\$\{{?1\b", whole, re.MULTILINE) is not None
    ):
        names_of.add("$1")
    for call in calls:
        handed = call.kind == "net" and call.device in names_of
        yield replace(call, device=" ".join(_LISTED.findall(found["names"]))) if found is not None and handed else call


def _is_undone(before: Call, call: Call, steps: Sequence[Step]) -> bool:
    """Whether a script surely turns PFC on and off again, or maps and flushes, and runs nothing in between that might be what needed
    it (a test)."""
    is_off = call.statement == FLUSHED or (any(paused_by(before.statement)) and not any(paused_by(call.statement)))
    if before.way or call.way or not is_off:
        return False
    first = next((n for n, step in enumerate(steps) if step.number == before.number), 0)
    last = max((n for n, step in enumerate(steps) if step.number == call.number), default=0)
    return all(
        _SETS_UP.match(text) is not None or any(True for _ in settings(text))
        for step in steps[first + 1 : last]
        for text in step.texts
    )


def _where_said(call: Call, lines: Sequence[str], until: Mapping[int, int]) -> Call:
    """A call that goes over several lines, at the one that says what it sets: the first with which it is said."""
    last = until.get(call.number, call.number)
    leads = call.statement.split()
    wanted = [leads[0] if leads[0] != MISSPELT else leads[1]]
    text, found = "", call.number
    is_found = False
    for number in range(call.number, last + 1):
        text += lines[number].strip().removesuffix("\\") + " "
        said = [statement.split() for _, _, statement, _ in settings(text)]
        if leads[0] == MISSPELT and any(statement[:1] == [MISSPELT] for statement in said):
            return replace(call, number=number)
        if leads in said:
            return replace(call, number=number)
        if not is_found and any(statement[: len(wanted)] == wanted for statement in said):
            found, is_found = number, True
    return replace(call, number=found)


def _all_executed(texts: Sequence[str]) -> Iterator[str]:
    """The commands of a unit, line for line; a command may go on behind a backslash (systemd.syntax(7))."""
    goes_on = False
    for text in texts:
        said = text if goes_on else _executed(text)
        goes_on = bool(said) and said.rstrip().endswith("\\")
        yield said


def _executed(text: str) -> str:
    """The command of a line of a unit, also behind a misspelt `ExecStart`; "" for other lines."""
    found = EXEC.match(text)
    if found is not None:
        return found.group(1)
    key, sign, command = text.partition("=")
    return command if sign and meant(key.strip(), EXEC_KEYS) is not None else ""


def _of_step(step: Step) -> Iterator[Call]:
    """The calls of one command: those that say the same of several NICs as one."""
    devices: dict[tuple[Kind, str, str], dict[str, None]] = defaultdict(dict)
    for text in step.texts:
        for kind, device, statement, family in settings(text):
            devices[(kind, statement, family)].setdefault(device.strip("\"'"))
    own = {statement for _, _, statement, _ in settings(step.open)} if step.caller is not None and devices else set()
    for (kind, statement, family), those in devices.items():
        number = step.number if step.caller is None or statement in own else step.caller
        yield Call(number, kind, " ".join(those), statement, way=step.way, family=family)


def _of_rule(index: int, line: str) -> Iterator[Call]:
    """A udev rule: for the NICs whose name it matches."""
    pattern = nic_of_rule(line)
    mtu = _UDEV_MTU.search(line)
    if mtu is not None:
        yield Call(index, "net", pattern, f"mtu {mtu[1]}")
    for kind, device, statement, family in settings(line):
        device = device.strip("\"'")
        if in_rule(line):
            statement = misspelt([statement], line.strip())
        yield Call(index, kind, pattern if device in _PATTERN else device, statement, family=family)


def nic_of_rule(line: str) -> str:
    """The pattern of the names of NICs that a udev rule is for."""
    rule = _UDEV_NAME.search(line)
    return rule.group(1) if rule is not None else "*"


def _hooks(path: str) -> dict[str, str] | None:
    """What the network service hands to scripts in its folders: the name of each NIC in turn, and what happened to it.

    None: what lies there runs when a NIC goes down.
    """
    found = _DISPATCHED.match(path)
    if found is None:
        return {}
    if found["down"]:
        return None
    if path.startswith("/etc/NetworkManager/"):
        action = "pre-up" if found["early"] else "up"
        return {"1": "*", "2": action, "DEVICE_IFACE": "*", "NM_DISPATCHER_ACTION": action}
    if path.startswith("/etc/network/"):
        return {"IFACE": "*", "MODE": "start", "PHASE": "pre-up" if found["early"] else "post-up"}
    return {"IFACE": "*"}


def _environment(text: str) -> Iterator[tuple[str, str]]:
    """The variables of `Environment="A=1" B=2`."""
    found = _ENVIRONMENT.match(text)
    for _, name, value in re.findall(r"([\"']?)([A-Za-z_]\w{0,40})=([^\"'\s]{0,300})", found.group(1) if found else ""):
        yield name, value


def _every_boot(texts: Sequence[str]) -> Iterator[str]:
    """cloud-init runs `bootcmd` at every boot, `runcmd` only at the first (cloud-init, module reference)."""
    section = ""
    for text in texts:
        if text[:1] not in (" ", "-", "\t"):
            section = text.partition(":")[0]
        yield text if section == "bootcmd" else ""


def _argv(value: str) -> str:
    """`- [mlnx_qos, -i, ens1]` of cloud-init as one line of words."""
    if not value.lstrip().startswith("- "):
        return value
    text = value.lstrip().removeprefix("- ")
    return re.sub(r"[\[\],]\s+|^\s*\[|\]\s*$", " ", text) if text.lstrip().startswith("[") else text
