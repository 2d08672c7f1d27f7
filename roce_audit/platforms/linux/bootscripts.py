"""Scripts, units, udev rules and cron lines that call NIC tools at boot, and which NICs they call them for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from roce_audit.platforms.linux.bootcalls import Call, Kind, overruled, settings, settled, subjects
from roce_audit.platforms.linux.bootslips import EXEC_KEYS, in_rule, in_script, unheard
from roce_audit.platforms.linux.bootwords import in_words
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.linux.shell import Script, Step
from roce_audit.platforms.linux.shellvalues import Values
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.boot import MISSPELT, REJECTED, misspelt
from roce_audit.platforms.shared.host.collector import HOST, Collector, noticed
from roce_audit.text.statements.misspelling import meant

BOOT_FILES = "boot files"

_DEVICE = re.compile(r"[A-Za-z0-9@*?\[][A-Za-z0-9_.@*?\[\]| -]{0,2000}")
_UDEV_NAME = re.compile(r"(?:KERNEL|NAME|ENV\{(?:ID_NET_NAME|INTERFACE)\})==\"([A-Za-z0-9_.*?\[\]|-]{1,100})\"")
_STARTED = re.compile(r"([A-Za-z0-9_.-]{1,60})@(?:%k|\$name|\$env\{INTERFACE\})\.service")
_INSTANCE = re.compile(r"/([A-Za-z0-9_.-]+)@([A-Za-z0-9_.-]*)\.service(?:\.d/[^/]+)?$")
_UNIT = re.compile(r"\.service(?:\.d/[^/]+)?$")
_EXEC = re.compile(r"\s*Exec(?:Start|StartPre|StartPost|Reload)=[-@:+!]*(.*)")
_ENVIRONMENT = re.compile(r"\s*Environment=(.*)")
_PATTERN = ("%k", "$name", "$env{INTERFACE}")
_INSTANCES = ("%i", "%I")
_DISPATCHED = re.compile(
    r"/etc/(?:NetworkManager/dispatcher\.d|network|networkd-dispatcher)/(?P<early>(?:if-)?pre-up\.d/)?(?P<down>\S*(?:down|off)\.d/)?"
)
_CALLED = re.compile(r"(/[A-Za-z0-9_./-]{1,200})((?:[ \t]+[A-Za-z0-9%$][^\s;&|\"'<>]{0,60}){0,9})")
_SOURCED = re.compile(r"\s*(?:(?:\.|source)\s+|EnvironmentFile=-?)[\"']?(/etc/[A-Za-z0-9_./-]{1,200})")
_MOST_LINES = 5_000
_MOST_CHARACTERS = 2_000_000
"""Of all scripts of a host together."""


@dataclass
class Written:
    """One file that a boot runs, as it was read."""

    lines: list[tuple[Answer, int, str]] = field(default_factory=list)
    is_cut: bool = False
    """Its end was not gathered."""


@dataclass
class Scripts:
    """The boot scripts of one host."""

    calls: list[Call] = field(default_factory=list)
    templates: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """Name of a unit template -> the calls in it that are for its instance."""
    started: list[tuple[str, str]] = field(default_factory=list)
    """(unit template, patterns of the NICs that it is started for)."""
    units: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """Path of a unit below /etc/systemd/system -> its calls: they count where the unit is enabled."""
    installed: set[str] = field(default_factory=set)
    """Units that can be enabled: they have WantedBy."""
    enabled: set[str] = field(default_factory=set)
    files: dict[str, Written] = field(default_factory=lambda: defaultdict(Written))
    """Path of a script -> its lines, until they are followed."""
    size: int = 0
    """Characters that were read."""
    sees_links: bool = False
    """The links that enable units were looked for."""

    def follow(self, cut: Collection[str] = ()) -> None:
        """Find the calls in all that was read so far; of the files `cut` the end is missing."""
        callers = self._callers()
        for path, written in self.files.items():
            written.is_cut = written.is_cut or path in cut
            for caller, words in callers.get(path, [(path, None)]):
                for call in _calls(path, written, self, words):
                    self._place(caller, call)
        self.files.clear()

    def _callers(self) -> dict[str, list[tuple[str, str | None]]]:
        """Script -> (the unit or rule that calls it, what it hands over)."""
        found: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
        for caller, written in self.files.items():
            if not (_UNIT.search(caller) or caller.endswith(".rules")):
                continue
            for _, _, text in written.lines:
                for path, words in _CALLED.findall(text if caller.endswith(".rules") or _EXEC.match(text) else ""):
                    if path in self.files and path != caller:
                        found[path].append(
                            (caller, words.replace("%k", _nic_of_rule(text)).replace("$name", _nic_of_rule(text)))
                        )
        return found

    def _place(self, path: str, call: Call) -> None:
        instance = _INSTANCE.search(path)
        into = self.calls
        if call.device in _INSTANCES and instance is not None and not instance.group(2):
            into = self.templates[instance.group(1)]
        elif call.device in _INSTANCES and instance is not None:
            call = replace(call, device=instance.group(2))
        elif re.match(r"/etc/systemd/system/[^/]+$", path):
            into = self.units[path]
        into.append(call)

    def all_calls(self) -> Iterator[Call]:
        """The calls of all files that a boot runs."""
        yield from self.calls
        for path, calls in self.units.items():
            name = path.rpartition("/")[2]
            if not self.sees_links or path not in self.installed or name in self.enabled:
                yield from calls
        for template, patterns in self.started:
            for call in self.templates.get(template, ()):
                yield replace(call, device=patterns)

    def say_all(self, collector: Collector) -> None:
        """Say of each NIC what is called for it."""
        self.follow(collector.cut)
        for call in self.all_calls():
            is_slip = call.statement.startswith((MISSPELT, REJECTED))
            statement = f"maybe {call.statement}" if call.is_maybe and not is_slip else call.statement
            named = list(subjects(call, collector))
            for subject in named:
                narrowed = call.family and call.device == "*"
                call.answer.say(
                    f"of {call.family} {statement}" if narrowed else statement, call.number, subject, BOOT_FILES
                )
            if call.kind == "family":
                call.answer.say(f"of {call.device} {statement}", call.number, HOST, BOOT_FILES)
            elif not named and (call.kind == "card" or not _DEVICE.fullmatch(call.device)):
                if is_slip:
                    call.answer.unread(call.number, call.statement)
                call.answer.say(f"somewhere {call.statement.partition(' ')[0]}", call.number, HOST, BOOT_FILES)


def script_line(answer: Answer, scripts: Scripts, path: str, number: int, value: str) -> None:
    """One line of a script, unit, rule or table of cron; it counts when `follow` has seen all lines of the file."""
    if "/systemd/system/" in path:
        name = path.rpartition("/")[2]
        if re.search(r"\.(?:wants|requires)/", path):
            scripts.enabled.add(name)
        if re.match(r"(?:WantedBy|RequiredBy)=", value):
            scripts.installed.add(path)
    written = scripts.files[path]
    scripts.size += len(value)
    if len(written.lines) < _MOST_LINES and scripts.size < _MOST_CHARACTERS:
        written.lines.append((answer, number, value))
    else:
        written.is_cut = True


def _calls(path: str, written: Written, scripts: Scripts, words: str | None) -> list[Call]:
    """What a file sets up that is called with these words; None: nobody knows how it is called."""
    texts = [text for _, _, text in written.lines]
    odd: set[int] = set()
    if path.endswith(".rules"):
        return [call for index, line in enumerate(texts) for call in _of_rule(written, index, line, scripts)]
    hooks = _hooks(path)
    if hooks is None:
        return []
    if path.startswith("/etc/cloud/"):
        texts = list(_every_boot(texts))
    elif _UNIT.search(path) or re.match(
        r"\[(?:Unit|Service|Install)\]", next((t.strip() for t in texts if t.strip()), "")
    ):
        hooks = {name: value for text in texts for name, value in _environment(text)}
        odd = unheard(texts)
        texts = [_executed(text) for text in texts]
    hooks = {**_sourced(written, scripts), **hooks}
    if words is not None:
        given = words.split()[:9]
        hooks |= {str(n): given[n - 1] if n <= len(given) else "" for n in range(1, 10)}
        hooks |= {"@": " ".join(given), "*": " ".join(given)}
    script = Script(hooks)
    calls = [call for step in script.follow(map(_argv, texts)) for call in _of_step(written, step)]
    misspelt_calls = {call.number for call in calls if call.statement.startswith(MISSPELT)}
    told = {index for index in in_words(texts) if written.lines[index][1] not in misspelt_calls}
    if calls and not written.is_cut:
        told |= set(in_script([text for _, _, text in written.lines], hooks))
    for index in sorted(told):
        answer, number, text = written.lines[index]
        answer.unread(number, text.strip())
    for first, second in overruled(calls):
        _tell(first, second)
    passed_over = {written.lines[index][1]: written.lines[index][2].strip() for index in odd}
    calls = [
        replace(call, statement=misspelt([call.statement], passed_over[call.number]))
        if call.number in passed_over
        else call
        for call in calls
    ]
    return [
        replace(call, is_maybe=call.is_maybe or written.is_cut or script.is_cut) for call in settled(calls, script.arms)
    ]


def _executed(text: str) -> str:
    """The command of a line of a unit, also behind a misspelt `ExecStart`; "" for other lines."""
    found = _EXEC.match(text)
    if found is not None:
        return found.group(1)
    key, sign, command = text.partition("=")
    return command if sign and meant(key.strip(), EXEC_KEYS) is not None else ""


def _tell(first: Call, second: Call) -> None:
    """A script that says one thing twice: the later call holds, and which was meant only a person can tell."""
    meaning = f"line {first.number} of this script sets {first.statement}, and this later line, which holds, {second.statement}"
    second.answer.collector.seen.append(
        noticed("conflict", place(second.answer, second.number), second.statement, meaning)
    )


def _of_step(written: Written, step: Step) -> Iterator[Call]:
    """The calls of one command: those that say the same of several NICs as one."""
    answer, number, _ = written.lines[step.number]
    devices: dict[tuple[Kind, str, str], dict[str, None]] = defaultdict(dict)
    for text in step.texts:
        for kind, device, statement, family in settings(text):
            devices[(kind, statement, family)].setdefault(device.strip("\"'"))
    for (kind, statement, family), those in devices.items():
        yield Call(answer, number, kind, " ".join(those), statement, way=step.way, family=family)


def _of_rule(written: Written, index: int, line: str, scripts: Scripts) -> Iterator[Call]:
    """A udev rule: for the NICs whose name it matches."""
    answer, number, _ = written.lines[index]
    pattern = _nic_of_rule(line)
    scripts.started += [(template, pattern) for template in _STARTED.findall(line)]
    for kind, device, statement, family in settings(line):
        device = device.strip("\"'")
        if in_rule(line):
            statement = misspelt([statement], line.strip())
        yield Call(answer, number, kind, pattern if device in _PATTERN else device, statement, family=family)


def _nic_of_rule(line: str) -> str:
    rule = _UDEV_NAME.search(line)
    return rule.group(1) if rule is not None else "*"


def _sourced(written: Written, scripts: Scripts) -> dict[str, str]:
    """The variables of files that a script or unit reads first."""
    values = Values()
    for _, _, text in written.lines:
        found = _SOURCED.match(text)
        other = scripts.files.get(found.group(1)) if found is not None else None
        for _, _, line in other.lines if other is not None else ():
            values.learn(line.strip())
    return {name: value for name, value in values.known.items() if value is not None}


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


def _every_boot(texts: list[str]) -> Iterator[str]:
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
