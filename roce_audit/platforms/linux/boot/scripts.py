"""Scripts, units, udev rules and cron lines that call NIC tools at boot, and which NICs they call them for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.linux.boot.arms import paused_by
from roce_audit.platforms.linux.boot.calls import PlacedCall, placed, subjects
from roce_audit.platforms.linux.boot.scriptcalls import EXEC, UNIT, Followed, Script, followed, nic_of_rule
from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.jobs.variables import STORAGE_BYTE
from roce_audit.platforms.linux.storage import nvmecalls
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.boot import FLUSHED, SLIPS
from roce_audit.platforms.shared.host.collector import HOST, Collector, noticed
from roce_audit.platforms.shared.shell.values import Values
from roce_audit.values import Cell, Place, Why, absent, known, unknown

BOOT_FILES = "boot files"
_LONE_SCRIPT = "nic script"

_DEVICE = re.compile(r"[A-Za-z0-9@*?\[][A-Za-z0-9_.@*?\[\]| -]{0,2000}")
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{1,40}")
_INSTANCE = re.compile(r"/([A-Za-z0-9_.-]+)@([A-Za-z0-9_.-]*)\.service(?:\.d/[^/]+)?$")
_ENABLED = re.compile(r"\bsystemctl\b[^\n;&|]{0,80}\b(?:re)?(?:enable|start)\b([^\n;&|]{0,300})")
_INSTANCES = ("%i", "%I")
_CALLED = re.compile(r"(/[A-Za-z0-9_./-]{1,200})((?:[ \t]+[A-Za-z0-9%$][^\s;&|\"'<>]{0,60}){0,9})")
_SOURCED = re.compile(r"\s*(?:(?:\.|source)\s+|EnvironmentFile=-?)[\"']?(/etc/[A-Za-z0-9_./-]{1,200})")
_TAGS = re.compile(
    r"egress[-_](?:qos[-_]|priority[-_])?map|\btype vlan [^\n]{0,100}?\begress(?:-qos)?\s|set_egress_map|\btc_wrap"
    r"|\bvf[ \t]{1,8}[^\n]{0,80}?\bqos[ \t]"
)
"""`ip link add ... type vlan egress-qos-map 0:3`, `vconfig set_egress_map`, `tc_wrap.py -u 3`, `vlan.egress-priority-map`; `ip link set
... vf 0 vlan 100 qos 3`.
"""
_RECEIVED = re.compile(r"\bingress(?:[-_]qos)?(?:[-_](?:priority[-_])?map)?[ \t]{1,9}\d:\d|set_ingress_map")
"""`ingress-qos-map 0:4`: what the host makes of tags that come in."""
_RUN = r"[ \t]{0,40}(?:- {0,4}\[?)?[ \t]{0,9}(?:Exec\w{1,20}=[-@:+!]{0,3})?(?:sudo )?(?:(?:/usr)?(?:/bin/)?(?:ba)?sh[ ,]{1,4}){0,1}[\"']?"
"""What stands before the path of a script that a line runs."""
_DROP_IN = re.compile(r"\.d/[^/]+\Z")
_NOTHING_PAUSED = "PFC for no priority"
_MOST_LINES = 5_000
_MOST_CHARACTERS = 2_000_000
"""Of all scripts of a host together."""
_TAG_MAP = re.compile(r"\begress(?:-qos(?:-map)?)?(?<!-)((?:[ \t]{1,8}[0-9$][^\s:]{0,20}:\S{1,20}){1,32})")
_TAG_GIVEN = re.compile(
    r"\bvf[ \t]{1,8}[^\n]{0,80}?\bqos[ \t]{1,8}(\S{1,20})"
    r"|\bset_egress_map[ \t]{1,8}\S{1,40}[ \t]{1,8}\S{1,20}[ \t]{1,8}(\S{1,20})"
    r"|\btc_wrap[^\n]{0,80}?[ \t]-u[ \t]{0,8}([^\s;|&]{1,80})"
)


def tag_priorities(text: str) -> frozenset[int] | None:
    """The priorities of `egress-qos-map 0:3 1:3`, whose word may be cut short (ip-link(8)), `vf 0 vlan 100 qos 3`,
    `set_egress_map ens1.100 $i 3` and `tc_wrap.py -i ens1 -u 3,3,3`.

    None of another map, or one with values that stand elsewhere."""
    found, given_alone = _TAG_MAP.search(text), _TAG_GIVEN.search(text)
    given = [pair.partition(":")[2] for pair in found[1].split()] if found is not None else []
    if given_alone is not None:
        given = next(filter(None, given_alone.groups())).rstrip(";").split(",")
    return frozenset(map(int, given)) if given and all(re.fullmatch("[0-7]", one) for one in given) else None


@dataclass
class Written:
    """One file that a boot runs, as it was read."""

    lines: list[tuple[Answer, int, str]] = field(default_factory=list)
    is_cut: bool = False
    """Its end was not gathered."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Its lines."""
        return tuple([text for _, _, text in self.lines])


@dataclass
class Scripts:
    """The boot scripts of one host."""

    calls: list[PlacedCall] = field(default_factory=list)
    templates: dict[str, list[PlacedCall]] = field(default_factory=lambda: defaultdict(list))
    """Name of a unit template -> the calls in it that are for its instance."""
    started: list[tuple[str, str]] = field(default_factory=list)
    """(unit template, patterns of the NICs that it is started for)."""
    units: dict[str, list[PlacedCall]] = field(default_factory=lambda: defaultdict(list))
    """Path of a unit below /etc/systemd/system -> its calls: they count where the unit is enabled."""
    installed: set[str] = field(default_factory=set)
    """Units that can be enabled: they have WantedBy."""
    enabled: set[str] = field(default_factory=set)
    files: dict[str, Written] = field(default_factory=lambda: defaultdict(Written))
    """Path of a script -> its lines, until they are followed."""
    size: int = 0
    """Characters that were read."""
    tags: Place | None = None
    """Where priorities are given to VLAN tags by what applications ask for."""
    received: tuple[Answer, int, str] | None = None
    """A line that maps the tags of packets that come in."""
    maps: list[tuple[Place, frozenset[int] | None]] = field(default_factory=list)
    """Each of those maps, and the priorities that it gives tags; None where they cannot be seen."""
    sees_links: bool = False
    """The links that enable units were looked for."""
    after: dict[str, Place] = field(default_factory=dict)
    """Units after which one of those that were read is started."""

    def tagged(self) -> Cell[frozenset[int]]:
        """The priorities that all maps give VLAN tags."""
        hidden = next((at for at, given in self.maps if given is None), None)
        if hidden is not None:
            return unknown(Why.NOT_VISIBLE, hidden)
        union = frozenset(one for _, given in self.maps for one in given or ())
        return known(union, *(at for at, _ in self.maps)) if self.maps else absent()

    def follow(self, cut: Collection[str] = ()) -> None:
        """Find the calls in all that was read so far; of the files `cut` the end is missing."""
        callers = self._callers()
        made: list[tuple[str, PlacedCall]] = []
        for path, written in self.files.items():
            written.is_cut = written.is_cut or path in cut
            _hear_storage(written)
            for caller, words in callers.get(path, [(path, None)]):
                found = followed(Script(path, written.texts, words, self._sourced(written), written.is_cut))
                self.started += found.started
                _tell(found, written)
                for call in found.calls:
                    one = placed(call, *written.lines[call.number][:2])
                    self._place(caller, one)
                    made.append((path, one))
        self._tell_taken_back(made)
        self.files.clear()
        _tell_apart(made)
        _tell_split(made)

    def _tell_taken_back(self, made: list[tuple[str, PlacedCall]]) -> None:
        """Say where a file runs a script that turns PFC on for a NIC, and then turns it off itself."""
        paused: dict[tuple[str, str], tuple[str, PlacedCall]] = {}
        for path, call in made:
            if not call.is_maybe and any(paused_by(call.statement)):
                paused |= dict.fromkeys(((call.kind, name) for name in call.device.split()), (path, call))
        told: set[tuple[str, str]] = set()
        for path, off in made:
            for name in off.device.split() if not off.is_maybe else ():
                script, on = paused.get((off.kind, name), (path, off))
                is_other = script != path and (path, script) not in told and _takes_back(off.statement, on.statement)
                if is_other and self._runs_before(path, script, off.number):
                    told.add((path, script))
                    meaning = (
                        f"line {on.number} sets {_in_words(on.statement)} in {script}, which this file runs first: packets of the class "
                        "are dropped where they were to be paused"
                    )
                    at = place(off.answer, off.number)
                    off.answer.collector.seen.append(noticed("pfc-taken-back", at, _in_words(off.statement), meaning))

    def _runs_before(self, path: str, script: str, line: int) -> bool:
        """Whether a file runs a script above a line of its own; what a drop-in adds is run behind the unit's own commands."""
        unit = _DROP_IN.sub("", path)
        run = re.compile(rf"{_RUN}{re.escape(script)}(?![\w./-])")
        return any(
            run.match(text) is not None
            for caller in {path, unit} & self.files.keys()
            for _, number, text in self.files[caller].lines
            if number < line or caller != path
        )

    def _callers(self) -> dict[str, list[tuple[str, str | None]]]:
        """Script -> (the unit or rule that calls it, what it hands over)."""
        found: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
        for caller, written in self.files.items():
            if not (UNIT.search(caller) or caller.endswith(".rules")):
                continue
            for text in written.texts:
                for path, words in _called(text, is_rule=caller.endswith(".rules")):
                    if path in self.files and path != caller:
                        found[path].append((caller, words))
        return found

    def _sourced(self, written: Written) -> tuple[tuple[str, str], ...]:
        """The variables of files that a script or unit reads first."""
        others = (self.files.get(path) for text in written.texts for path in _source(text))
        values = Values()
        for other in others:
            for line in other.texts if other is not None else ():
                values.learn(line.strip())
        return tuple((name, value) for name, value in values.known.items() if value is not None)

    def _place(self, path: str, call: PlacedCall) -> None:
        instance = _INSTANCE.search(path)
        into = self.calls
        if call.device in _INSTANCES and instance is not None and not instance.group(2):
            into = self.templates[instance.group(1)]
        elif call.device in _INSTANCES and instance is not None:
            call = replace(call, device=instance.group(2))
        elif re.match(r"/etc/systemd/system/[^/]+$", path):
            into = self.units[path]
        into.append(call)

    def all_calls(self) -> Iterator[PlacedCall]:
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
            is_slip = call.statement.startswith(SLIPS)
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
    if value.startswith("After=") and path.endswith(".service"):
        scripts.after |= dict.fromkeys(value.removeprefix("After=").split(), place(answer, number))
    if _TAGS.search(value) is not None:
        scripts.tags = scripts.tags or place(answer, number)
        scripts.maps.append((place(answer, number), tag_priorities(value)))
    if scripts.received is None and _RECEIVED.search(value) is not None:
        scripts.received = (answer, number, value.strip())
    if "@" in value and "systemctl" in value:
        for listed in _ENABLED.findall(value):
            scripts.started += re.findall(r"([\w.-]{1,60})@([\w.-]{1,60}?)(?:\.service)?(?=[\s;&|\"']|$)", listed)
    written = scripts.files[path]
    scripts.size += len(value)
    if len(written.lines) < _MOST_LINES and scripts.size < _MOST_CHARACTERS:
        written.lines.append((answer, number, value))
    else:
        written.is_cut = True


@lru_cache(maxsize=16_384)
def _called(text: str, is_rule: bool) -> tuple[tuple[str, str], ...]:
    """(script, what it is handed) of all that a line of a unit or rule calls."""
    called = _CALLED.findall(text) if is_rule or EXEC.match(text) else ()
    nic = nic_of_rule(text) if called else ""
    return tuple((path, words.replace("%k", nic).replace("$name", nic)) for path, words in called)


@lru_cache(maxsize=16_384)
def _source(text: str) -> tuple[str, ...]:
    """The file that a line of a script or unit reads first."""
    found = _SOURCED.match(text)
    return (found.group(1),) if found is not None else ()


def _hear_storage(written: Written) -> None:
    """The ToS byte with which a boot connects storage (`nvme connect --tos`), or has it sent."""
    told = any("nvme" in text or "mmchconfig" in text for text in written.texts)
    for index, byte in nvmecalls.given(written.texts) if told else ():
        answer, number, _ = written.lines[index]
        answer.collector.other(STORAGE_BYTE, str(byte), place(answer, number))
        answer.collector.variable(STORAGE_BYTE, str(byte), place(answer, number), JOB)


def _tell(found: Followed, written: Written) -> None:
    """Say what was not understood, and where a script says one thing twice: the later call holds, and which was meant only a
    person can tell."""
    for index in found.unread:
        answer, number, text = written.lines[index]
        answer.unread(number, text.strip())
    for first, second in found.overruled:
        answer, number, _ = written.lines[second.number]
        before = written.lines[first.number][1]
        meaning = (
            f"line {before} of this script sets {_in_words(first.statement)}, and this later line, which holds, "
            f"{_in_words(second.statement)}"
        )
        kind: ObservationKind = "pfc-taken-back" if second.number in found.undone else "conflict"
        if kind != "conflict":
            meaning += ": packets of the class are dropped where they were to be paused"
        answer.collector.seen.append(noticed(kind, place(answer, number), _in_words(second.statement), meaning))
    if found.behind_end is not None:
        behind, end = found.behind_end
        answer, number, text = written.lines[behind]
        meaning = f"line {written.lines[end][1]} of this script ends it, so that this is never run"
        answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))
    for one, other in found.apart:
        answer, number, _ = written.lines[other.number]
        meaning = (
            f"line {written.lines[one.number][1]} of this script sets {_in_words(one.statement)}, and this line, which takes its "
            f"place where there is another tool, {_in_words(other.statement)}"
        )
        answer.collector.seen.append(noticed("conflict", place(answer, number), _in_words(other.statement), meaning))


def _tell_apart(made: Iterable[tuple[str, PlacedCall]]) -> None:
    """Say where a script sets a NIC up in one way, and a file that it writes for later in another."""
    said: dict[tuple[int, str, str, str], dict[str, tuple[object, PlacedCall]]] = defaultdict(dict)
    for path, call in made:
        if call.is_maybe or call.answer.tool.name != _LONE_SCRIPT:
            continue
        for setting, value in _values(call.statement):
            paths = said[(id(call.answer), call.kind, call.device, setting)]
            before = paths.get(path, (frozenset(), call))[0]
            paths[path] = (
                before | value if isinstance(before, frozenset) and isinstance(value, frozenset) else value,
                call,
            )
    told: set[int] = set()
    for paths in said.values():
        first, *others = sorted(paths.values(), key=lambda one: one[1].number)
        for value, call in others:
            if value != first[0] and call.number not in told:
                told.add(call.number)
                meaning = (
                    f"line {first[1].number} of this file sets {_in_words(first[1].statement)}, and what it writes to be run later "
                    f"{_in_words(call.statement)}"
                )
                at = place(call.answer, call.number)
                call.answer.collector.seen.append(noticed("conflict", at, _in_words(call.statement), meaning))


def _tell_split(made: Iterable[tuple[str, PlacedCall]]) -> None:
    """Say where a file has one NIC trust DSCPs, or tags, and pauses priorities on another alone, whose name is like it but for a sign: both
    were to be one NIC, and neither has all that lossless traffic needs."""
    trusted: dict[str, dict[str, PlacedCall]] = defaultdict(dict)
    paused: dict[str, dict[str, PlacedCall]] = defaultdict(dict)
    unclear: set[str] = set()
    for path, call in made:
        is_trust, is_pause = call.statement in ("trust dscp", "trust pcp"), bool(tuple(paused_by(call.statement)))
        if call.kind != "net" or not (is_trust or is_pause):
            continue
        if call.is_maybe or _PLAIN_NAME.fullmatch(call.device) is None:
            unclear.add(path)
        (trusted if is_trust else paused)[path][call.device] = call
    for path in trusted.keys() & paused.keys() - unclear:
        if len(trusted[path]) != 1 or len(paused[path]) != 1:
            continue
        ((one, trust),) = trusted[path].items()
        ((other, pause),) = paused[path].items()
        if len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1:
            what = "DSCPs" if trust.statement == "trust dscp" else "the tag"
            meaning = f"set on {other} alone, and line {trust.number} of this file has {one} alone trust {what}"
            at = place(pause.answer, pause.number)
            pause.answer.collector.seen.append(noticed("conflict", at, _in_words(pause.statement), meaning))


def _takes_back(off: str, on: str) -> bool:
    """Whether a statement turns off all that another one turns on."""
    words = _in_words(off)
    return words == _NOTHING_PAUSED or words in {f"no PFC for priority {priority}" for priority in paused_by(on)}


def _values(statement: str) -> Iterator[tuple[str, object]]:
    """(setting, value) of what a statement sets for good and two files cannot mean differently."""
    lead, *rest = statement.split()
    paused = frozenset(paused_by(statement))
    if paused:
        yield "pfc", paused
    elif lead in ("dscp", "mapped") and len(rest) > 1:
        yield f"dscp {rest[0]}", rest[1]
    elif lead in ("trust", "traffic_class", "cma_tos") and rest and "$" not in rest[0]:
        yield lead, rest[0]


def _in_words(statement: str) -> str:
    """What a statement of boot files sets, as people say it."""
    lead, *rest = statement.split()
    if statement == FLUSHED:
        return "no DSCP to any priority"
    if lead in ("dscp", "mapped") and len(rest) > 1:
        return f"DSCP {rest[0]} to priority {rest[1]}"
    if lead in ("pfc", "pfc-list", "pfc-mask", "pfc-bit"):
        paused = sorted(paused_by(statement))
        if paused:
            return f"PFC for {'priority' if len(paused) == 1 else 'priorities'} {', '.join(map(str, paused))}"
        if "$" not in statement:
            return _NOTHING_PAUSED if lead != "pfc-bit" else f"no PFC for priority {rest[0]}"
    return f"ToS {' '.join(rest)}" if lead == "traffic_class" else statement
