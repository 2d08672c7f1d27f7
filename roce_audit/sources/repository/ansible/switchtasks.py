"""Tasks of Ansible that configure a switch (`nxos_config`, `eos_interfaces` and their like): what they write, as its configuration.

Each run of a task is written out, in the order in which Ansible runs them. A value that is given elsewhere leaves its line out, and that
is said. What one play writes is one device, for it is the same for all of the play's hosts; where these are known, each host is one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import groupby

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.taskmodules import (
    CONFIG,
    TAKEN_BACK,
    Arguments,
    Header,
    Row,
    Typed,
    rows_of,
    shell_lines,
    unread,
)
from roce_audit.records import dataclass
from roce_audit.sources import foreign
from roce_audit.sources.repository.ansible.conditions import NEVER
from roce_audit.sources.repository.ansible.tasksigns import (
    by_name,
    known_modules,
    may_hold_tasks,
    may_type_in_shell,
    shell_programs,
)
from roce_audit.sources.repository.ansible.tasktexts import OWN, Made, Placed, with_text, writes_file
from roce_audit.sources.repository.ansible.taskyaml import lines_of
from roce_audit.sources.repository.templates.composed import Held, is_taking_in
from roce_audit.text.jinja.values import is_open
from roce_audit.text.memo import of_text
from roce_audit.text.plays import HeldBack, Run, may_hold_items, runs_of
from roce_audit.text.structured.yamltext import YamlError, documents

MATTERS = lazy(
    r"(?i)priority|pfc|flow-?control|pause|qos|ecn|random-detect|wred|mtu|dscp|no-drop|watch-?dog|dcb|service-p|trust|class|queue|congestion"
)
"""What statements hold on which lossless transport hangs."""
ELSEWHERE = "a value in it is given elsewhere, and it is not judged: check what it renders"
NOT_HERE = "the template that stands here is not read: no file of this name is here"
_CONFIG = "_config"
_ANY_CLI, _SYSTEM = "cli_config", "ansible_network_os"
"""The module that types into any system, and the variable that says which one a host has."""
_WHOLE_CONFIG = Typed(("config",), source="ansible.netcommon, cli_config")
_OF_SHELL = frozenset({"command", "shell", "raw"})
_JOINT = lazy(r";|&&")
_SUDO = lazy(r"sudo[ \t]{1,8}")
_OURS = lazy(r"qos|pfc|queue|buffer|roce|dcb|wred|trust|traffic_class|flow_?control|congestion|schedul|\bmtu\b")
"""Words in the names of modules and arguments that set what lossless transport hangs on."""
_ALONE = lazy(r"\{\{[^{}]{1,400}\}\}")
TAKES_AWAY = lazy(r"[ \t]*(?:nv[ \t]+unset|no|undo|delete|default|unset)[ \t]")
"""How a statement begins that takes something away."""
_NEVER = "does not run with the values that are given here, as {} does not hold: it is not judged"
_AS_IF = "only when {}, which is not known here: judged as if it holds"
_PERHAPS_AWAY = "takes settings away only when {}, which is not known here: it is not judged"
_LEFT_OUT = lazy(r"inventory_hostname(?:_short)?\s{0,4}(?:!=|not\s{1,4}in\b)|\bnot\s{1,4}\(?\s{0,4}inventory_hostname")
"""A condition that leaves hosts out by their names."""
_BY_GROUP = lazy(r"\bgroup_names\b|\binventory_hostname\s{1,4}in\s{1,4}groups\b")
"""One that asks for the groups of a host."""
_PAUSING = lazy(
    r"(?i)priority-flow-control|pfc|no-drop|congestion-notification-profile|service-profile|service-policy|qos.{0,20}profile"
)
"""What statements on a port hold that make it lossless."""
_OF_SYSTEM = lazy(r"network_os\b|\bos_type\b")
"""A condition that asks which system it is, which the module says already."""


@dataclass(frozen=True, slots=True)
class Written:
    """What the tasks of a play write for switches of one kind: the configuration, the line of the file for each of its lines, and
    (line, words) on what is left out of it. `platform` is empty where the names of the modules do not say it, `path` where there is one
    file."""

    platform: str
    text: str
    lines: tuple[int, ...]
    left_out: tuple[tuple[int, str], ...]
    path: str = ""
    idle: tuple[int, ...] = ()
    """Lines of statements whose tasks do not run, and those that name texts which are read."""
    by_name: tuple[int, ...] = ()
    """Lines of tasks that make ports lossless and do not run as the host is left out by its name."""


@dataclass
class _Gathered:
    rows: list[Placed] = field(default_factory=list)
    left_out: dict[tuple[str, int, str], None] = field(default_factory=dict)
    idle: dict[tuple[str, int], None] = field(default_factory=dict)
    by_name: dict[tuple[str, int], None] = field(default_factory=dict)
    taking: dict[str, None] = field(default_factory=dict)
    """The files whose tasks take in texts."""
    is_playbook: bool = False


def statements_of(line: str) -> Iterator[str]:
    """The commands of a line of a shell, without `sudo`."""
    margin = line[: len(line) - len(line.lstrip())]
    for piece in _JOINT.split(line):
        if piece.strip():
            yield margin + _SUDO.sub("", piece.strip(), count=1)


def has_tasks(text: str) -> bool:
    """Whether there are tasks of that kind."""
    return bool(written(text))


@of_text
def written(text: str) -> tuple[Written, ...]:
    """What the tasks of a file write, play by play."""
    if not may_hold_items(text):
        return ()
    is_in_shell = may_type_in_shell(text)
    if not is_in_shell and not may_hold_tasks(text):
        return ()
    try:
        found = documents(text, own_tags=True)
    except YamlError:
        return ()
    gathered = _gathered(runs_of(found), is_in_shell=is_in_shell)
    return tuple([one for (_, platform), said in gathered.items() for one in _made(text, platform, said)])


def written_by(runs: Iterable[Run], held: Held) -> Mapping[str, tuple[Written, ...]]:
    """What the runs on one host write, by platform: a piece for each stretch that stands in one file."""
    found: dict[str, tuple[Written, ...]] = {}
    for (_, platform), said in _gathered(runs, is_in_shell=True, held=held).items():
        if platform and platforms.platform(platform).takes_playbooks:  # it takes one text of each file
            files = list(dict.fromkeys(path for path, _ in said.rows))
            said.rows.sort(key=lambda row: files.index(row[0]))
        found[platform] = tuple(_made("", platform, said))
    return found


def pieces_of(platform: str, rows: list[Placed]) -> tuple[Written, ...]:
    """Statements of several files as what is written for one switch."""
    return tuple(
        _made(
            "", platform, _Gathered(rows, {(path, row[2], ELSEWHERE): None for path, row in rows if _is_left_open(row)})
        )
    )


def _is_left_open(row: Row) -> bool:
    return is_open(row[1]) and MATTERS.search(row[1]) is not None


def _gathered(runs: Iterable[Run], *, is_in_shell: bool, held: Held | None = None) -> dict[tuple[str, str], _Gathered]:
    """What is written, by the hosts of the plays and platform; by the platform alone on one host, where `held` finds what tasks name."""
    gathered: dict[tuple[str, str], _Gathered] = defaultdict(_Gathered)
    skipped: list[tuple[Run, str, Arguments]] = []
    made: Made = {}
    for run in runs:
        if run.is_skipped:
            platform, module = _of(run)
            skipped += [(run, platform, module)] if module is not None else []
            continue
        hosts = run.hosts if held is None else ""
        if run.name in _OF_SHELL and run.collection in OWN:
            for platform, row in _in_shell(run) if is_in_shell else ():
                _add(run, [(run.path, row)], gathered[(hosts, platform)])
            continue
        if held is not None and run.collection in OWN and writes_file(run, made):
            continue
        platform, module = _of(run)
        if module is not None:
            _gather(run, module, platform, gathered[(hosts, platform)], held, made)
        elif platform and _sets_ours(run):
            gathered[(hosts, platform)].left_out[(run.path, run.line(), f"module {run.name} is not read")] = None
    for run, platform, module in skipped:
        rows = _rows(*with_text(run, module, held, {}, made, {}), module)
        if _OF_SYSTEM.search(run.condition) is not None or not any(map(_matters, rows)):
            continue
        is_held = isinstance(run.condition, HeldBack)
        words = run.condition if is_held else _NEVER.format(run.condition.removeprefix(NEVER))
        said = gathered[(run.hosts if held is None else "", platform)]
        said.left_out[(run.path, run.line(), words)] = None
        said.idle.update(dict.fromkeys((path, line) for path, (_, _, line) in rows))
        if not is_held and _leaves_out(run.condition, said.rows) and any(map(_pauses, rows)):
            said.by_name[(run.path, run.line())] = None
    return gathered


def _leaves_out(condition: str, rows: Sequence[Placed]) -> bool:
    """Whether a condition leaves a host out by its name, or by its group though it gets what defines pause and no port with it."""
    if _LEFT_OUT.search(condition) is not None:
        return True
    said = (text for _, (above, statement, _) in rows for text in (statement, *(header for header, _ in above)))
    return (
        _BY_GROUP.search(condition) is not None
        and any(_PAUSING.search(one) is not None for one in said)
        and not any(map(_pauses, rows))
    )


def _of(run: Run) -> tuple[str, Arguments | None]:
    """The platform and the facts of a run's module; None where it writes nothing that we know."""
    full = f"{run.collection}.{run.name}" if run.collection else run.name
    known = known_modules().get(full) or known_modules().get(run.name)
    if known is not None:
        return known[0].name, known[1]
    if run.name == _ANY_CLI:
        system = by_name().get(str(run.variables.get(_SYSTEM, "")).rpartition(".")[2])
        return (system.name if system is not None and not system.takes_playbooks else ""), _WHOLE_CONFIG
    prefix = run.name.partition("_")[0]
    if prefix in foreign.MODULES:
        return "", None
    platform = by_name().get(prefix)
    if platform is not None and platform.takes_playbooks:
        return platform.name, CONFIG
    return (platform.name if platform is not None else "", CONFIG if run.name.endswith(_CONFIG) else None)


def _sets_ours(run: Run) -> bool:
    """Whether a module of which nothing is known sets what matters, as its name or those of its arguments say."""
    arguments = run.arguments if isinstance(run.arguments, dict) else {}
    return any(_OURS.search(str(name)) is not None for name in (run.name, *arguments))


def _gather(run: Run, module: Arguments, platform: str, into: _Gathered, held: Held | None, made: Made) -> None:
    if platform and platforms.platform(platform).takes_playbooks:
        into.is_playbook = held is None
        for line in _open_lines(run, run.arguments, ()):
            into.left_out[(run.path, line, ELSEWHERE)] = None
        if held is not None:
            _add_task(run, into)
        return
    run, taken = with_text(run, module, held, into.taking, made, into.idle)
    for words, line in unread(run, module):
        into.left_out[(run.path, line, words)] = None
    _add(run, _rows(run, taken, module), into)


def _rows(run: Run, taken: list[Placed], module: Arguments) -> list[Placed]:
    return [*taken, *((run.path, row) for row in rows_of(run, module))]


def _add_task(run: Run, into: _Gathered) -> None:
    """A run as a task of YAML."""
    arguments = run.arguments if isinstance(run.arguments, dict) else {}
    if run.condition and arguments.get("state") in TAKEN_BACK:
        into.left_out[(run.path, run.line(), _PERHAPS_AWAY.format(run.condition))] = None
    elif arguments:
        _add(run, [(run.path, ((), text, line)) for text, line in lines_of(run)], into)


def _in_shell(run: Run) -> Iterator[tuple[str, Row]]:
    """(platform, statement) of what a task types into the shell of a switch."""
    for typed, line in shell_lines(run):
        for statement in statements_of(typed):
            platform = shell_programs().get(statement.split()[0]) if statement.split() else None
            if platform is not None:
                yield platform, ((), statement.strip(), line)


def _add(run: Run, rows: list[Placed], into: _Gathered) -> None:
    """What a run writes, and what of that is said."""
    if run.condition and _OF_SYSTEM.search(run.condition) is None and any(map(_matters, rows)):
        kept = [(path, row) for path, row in rows if TAKES_AWAY.match(row[1]) is None]
        if len(kept) < len(rows):  # the other tasks of a file that sets up or takes away, as it is asked to
            into.left_out[(run.path, run.line(), _PERHAPS_AWAY.format(run.condition))] = None
        rows = kept
        if any(map(_matters, rows)):
            into.left_out[(run.path, run.line(), _AS_IF.format(run.condition))] = None
    for path, (above, statement, line) in rows:
        headers = [text for text, _ in above]
        if "include" in statement and is_taking_in(statement):
            into.left_out[(path, line, NOT_HERE)] = None
        elif (is_open(statement) and (MATTERS.search(statement) or _ALONE.fullmatch(statement.strip()))) or (
            not statement.strip() and is_open(headers)
        ):
            into.left_out[(path, line, ELSEWHERE)] = None
        elif is_open(headers) and any(MATTERS.search(text) for text in (*headers, statement)):
            into.left_out[(path, above[0][1], ELSEWHERE)] = None
    into.rows += rows


def _matters(placed: Placed) -> bool:
    above, statement, _ = placed[1]
    return any(MATTERS.search(text) is not None for text in (*(text for text, _ in above), statement))


def _pauses(placed: Placed) -> bool:
    """Whether it makes a port lossless."""
    above, statement, _ = placed[1]
    is_of_port = statement.startswith(("set ", " ")) or any(text.startswith("interface ") for text, _ in above)
    return is_of_port and TAKES_AWAY.match(statement) is None and _PAUSING.search(statement) is not None


def makes_lossless(found: Iterable[Written]) -> bool:
    """Whether something that is written makes a port lossless."""
    lines = (line for one in found for line in one.text.split("\n"))
    return any(_PAUSING.search(line) is not None and line.startswith((" ", "set ")) for line in lines)


def _open_lines(run: Run, value: object, way: tuple[str | int, ...]) -> Iterator[int]:
    """The lines of arguments that hold a value which stands elsewhere, though they matter."""
    inside: Iterable[tuple[str | int, object]] = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in inside:
        yield from _open_lines(run, inner, (*way, key))
    if isinstance(value, str) and is_open(value) and way[-1:] != ("description",):
        yield run.line(*way)


def _names(headers: tuple[Header, ...]) -> tuple[str, ...]:
    return tuple([text for text, _ in headers])


def _is_description(statement: str) -> bool:
    return statement.startswith("description ")


def _made(text: str, platform: str, said: _Gathered) -> Iterator[Written]:
    """The configuration, a piece for each stretch of statements of one file; what is left out of a file stands with the first of them."""
    left_out: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for path, line, words in said.left_out:
        left_out[path].append((line, words))
    if said.is_playbook:
        if "{{" in text:
            yield Written(platform, text, (), tuple(left_out.pop("", ())))
        return
    told: set[str] = set()
    called = {_names(row[0]): n for n, (_, row) in enumerate(said.rows) if _is_description(row[1])}
    kept = (  # a later task may call a port otherwise
        (path, row)
        for n, (path, row) in enumerate(said.rows)
        if not _is_description(row[1]) or called[_names(row[0])] == n
    )
    for path, rows in groupby(kept, key=lambda one: one[0]):
        made = list(_lines_of(row for _, row in rows))
        lines = [line for line, _ in made]
        body = "\n".join(text for _, text in made) + "\n"
        idle = () if path in told else tuple([line for at, line in said.idle if at == path])
        by_name = () if path in told else tuple([line for at, line in said.by_name if at == path])
        told.add(path)
        lasting = (*lines, lines[-1] if lines else 1)
        yield Written(platform, body, lasting, tuple(left_out.pop(path, ())), path, idle, by_name)
    for path in dict.fromkeys(
        (*left_out, *(at for at in (*said.taking, *(at for at, _ in said.idle)) if at not in told))
    ):
        idle = tuple([line for at, line in said.idle if at == path])
        by_name = tuple([line for at, line in said.by_name if at == path])
        yield Written(platform, "", (), tuple(left_out.get(path, ())), path, idle, by_name)


def _lines_of(rows: Iterable[Row]) -> Iterator[tuple[int, str]]:
    """(line of the file, text) of statements with their headers, each of which stands once above what follows it."""
    before: tuple[Header, ...] = ()
    for headers, statement, line in rows:
        for depth, (header, at) in enumerate(headers):
            if headers[: depth + 1] != before[: depth + 1]:
                yield at, "  " * depth + header
                before = headers[: depth + 1]
        before = headers
        if statement.strip():
            yield line, "  " * len(headers) + statement.rstrip()
