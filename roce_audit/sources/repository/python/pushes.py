"""Configurations that a program of Python hands to switches (netmiko, napalm, pyeapi, ncclient, Nornir, scrapli), or writes as files.

What its calls are given is read from the syntax tree, nothing is run. What one session with a switch is given is one device; sessions that
are given the same are one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cache
from typing import Any

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources import detect
from roce_audit.sources.repository.ansible.switchtasks import MATTERS
from roce_audit.sources.repository.ansible.tasksigns import shell_programs
from roce_audit.sources.repository.python.files import Files
from roce_audit.sources.repository.python.methods import bare
from roce_audit.sources.repository.python.program import Call, Followed, follow
from roce_audit.sources.repository.python.texts import Elsewhere, OneOf, Table, Text, TooMuch, as_json, plain
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text

HEAD = 200_000
_PUSHES: Mapping[str, tuple[str, ...]] = {
    "send_config_set": ("config_commands",),
    "send_config": ("config", "config_commands"),
    "send_configs": ("configs",),
    "send_command": ("command_string", "command"),
    "send_command_timing": ("command_string",),
    "send_command_expect": ("command_string",),
    "write_channel": ("out_data",),
    "send": (),
    "sendline": (),
    "config": (),
    "configure": ("commands",),
    "run_commands": ("commands",),
    "load_merge_candidate": ("config",),
    "load_replace_candidate": ("config",),
    "edit_config": ("config", "candidate", "commands"),
    "load_configuration": ("config",),
    "load": ("content", "config"),
    "cli": (),
    "clid": (),
    "clip": (),
    "cli_config": ("config",),
    "netmiko_send_config": ("config_commands",),
    "napalm_configure": ("configuration",),
}
"""Methods that give a switch its configuration, with the names of their argument; else it is the first.

netmiko: BaseConnection; napalm: NetworkDriver; pyeapi: Node; ncclient: Manager; scrapli: NetworkDriver; PyEZ: Config; Nexus: cli.
"""
_BY_NAME_ALONE = frozenset({"run", "run_task", "dispatch"})
_NAMES = ("config_commands", "configuration", "configs", "config_lines")
"""What a task of Nornir is given by name: `task.run(task=netmiko_send_config, config_commands=[...])`."""
_WRITES = frozenset({"write", "write_text", "writelines", "dump"})
_REQUESTS = frozenset({"post", "request", "dumps"})
"""Calls of a library of HTTP that are given the commands for a switch as the body of a request, or what makes that a text."""
_COMMANDS = ("cmds", "cmd", "input", "commands")
"""What bodies of requests call the commands: JSON-RPC of several vendors, with `params` around them."""
_AROUND = ("params", "ins_api")
_SHELLS = frozenset(
    {"run", "call", "check_call", "check_output", "system", "Popen", "getoutput", "exec_command", "sudo"}
)
_LIKELY = lazy(
    rf"\b(?:{'|'.join([*_PUSHES, *_NAMES])})\b|\.(?:write\w*|dump)\(|\bsubprocess\b|\bos\.system\(|\.(?:exec_command|sudo|run)\("
    r"|\bgNMIclient\b|\.set\((?:update|replace)=|[\"'](?:cmds?|ins_api)[\"']"
)
_SPEAKS_OF_IT = (
    "pfc", "priority-f", "priority_f", "flow-control", "flow_control", "flowcontrol", "pause", "qos", "ecn", "wred", "random-detect",
    "mtu", "dscp", "no-drop", "no-loss", "lossless", "watchdog", "watch-dog", "dcb", "service-p", "class-", "policy-", "traffic class",
    "trust ", "congestion", "roce",
)  # fmt: skip
"""Words of programs that set any of it; every program says `class`, and most say `queue` or `priority`."""
_OTHER_PROGRAMS = ("AnsibleModule(", "import cocotb", "from cocotb", "from myhdl")
"""A module of Ansible: what it gives a switch are the parameters of tasks, which are read where they stand. A test bench of hardware
(cocotb, MyHDL) drives the pins of what is simulated.
"""
_MODES = lazy(
    r"(?i)(?:conf(?:igure)?(?: t(?:erm(?:inal)?)?)?|end|commit(?: .{0,40})?|save|wr(?:ite)?(?: mem\w{0,4})?|copy r\S{0,20} .{0,40}"
    r"|enable|do .*"
    r"|(?:show|display|ping|terminal|screen-length|no page|paging)\b.*|y(?:es)?|system-view|return)"
)
_NAMED = lazy(
    r"(?:class-map|policy-map|class|service-policy|qos profile|service-profile|vlan|vrf|router|ip|description)\b"
)
"""Statements whose names may stand elsewhere: the name of the variable stands for them."""
_HEAD_OF = lazy(
    r"(?:class-map|policy-map|class|qos profile|qos \w{1,20}-profile|interface|system|policy|profile|dcb|traffic[- ]\w{1,10}|vlan|router)\b"
)
"""Statements with others below them, which end where the next one begins."""
_OPEN = lazy(r"\{\{ ([\w.\[\]'\"]{1,80}) \}\}")
_INTERFACE = lazy(r"interface\b[^{]{0,40}[A-Za-z0-9/:-](?=\{\{)")
_ANY_INTERFACE = lazy(r"(?:interface|int|port)\s")
_FOREIGN = lazy(
    r"cisco_(?:io|xe|asa|ftd|wlc|viptela)\w{0,20}|ios|fortinet\w{0,20}|paloalto\w{0,20}|mikrotik\w{0,20}|vyos\w{0,20}"
)
"""What netmiko and napalm call systems that nothing here reads, though their statements look like those of others."""
_CLI_PARTS = lazy(r"\s;\s?")
_XML = lazy(r"\s{0,40}</?(?:[\w-]{1,20}:)?(?:config|rpc|edit-config|target|candidate)(?:\s[^<>\n]{0,300})?/?>\s{0,40}")
_ELSEWHERE = "a value in it is made elsewhere, and it is not judged"
_PERHAPS = "it stands under a condition, which is not known here: judged as if it holds"
_NOT_WHOLE = "not read to its end: the program does more than is followed"
_NOT_FOLLOWED = "what is given to a switch here is not read: it is made elsewhere"
_DEEPEST = 12
_MOST = 16
_MOST_LINES = 20_000


@dataclass
class Pushed:
    """What one switch is given: the statements, the line of the program for each, and (line, words) on what is left out. `platform` is
    empty where the program does not say it, `is_file`: it is written, and perhaps nothing of that kind."""

    platform: str = ""
    is_file: bool = False
    statements: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    left_out: dict[tuple[int, str], None] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    """Before which statements one that matters was left out."""

    def without_what_lost_a_line(self) -> None:
        """What is said of a thing, but for ports, is not known where one of its lines stands elsewhere."""
        heads = [number for number, row in enumerate(self.statements) if _HEAD_OF.match(row.strip()) is not None]
        for at in sorted(set(self.lost), reverse=True):
            first = max((number for number in heads if number < at), default=-1)
            if first < 0 or _ANY_INTERFACE.match(self.statements[first].strip()) is not None:
                continue
            last = min((number for number in heads if number >= at), default=len(self.statements))
            del self.statements[first:last], self.lines[first:last]
            heads = [number for number in heads if number < first]


def speaks_of_qos(text: str) -> bool:
    """Whether a program may have statements that matter."""
    lowered = text.lower()
    return any(word in lowered for word in _SPEAKS_OF_IT) or '"QUEUE' in text


def may_push(text: str) -> bool:
    """Whether a program may give statements that matter to a switch."""
    return len(text) <= HEAD and speaks_of_qos(text) and _LIKELY.search(text) is not None


@of_text
def pushed(text: str) -> tuple[Pushed, ...]:
    """What a program gives each switch; none is listed twice for being given the same."""
    return pushed_with(text, {})


def pushed_with(text: str, beside: Mapping[str, str]) -> tuple[Pushed, ...]:
    """The same of a program that loads files: `beside` has their texts by what it calls them."""
    if not may_push(text):
        return ()
    if any(words in text for words in _OTHER_PROGRAMS):
        return ()
    program = follow(text, Files(lambda name: (name, beside.get(name, ""))))
    if program is None:
        return ()
    by_session: dict[tuple[Any, ...], Pushed] = {}
    try:
        shells = _shells(program.calls)
        for call in program.calls:
            _take(call, by_session, shells)
    except TooMuch:
        program = Followed(program.calls, program.perhaps, False)
    for one in by_session.values():
        one.without_what_lost_a_line()
        perhaps = (n for n, row in zip(one.lines, one.statements, strict=True) if MATTERS.search(row))
        for line in dict.fromkeys(perhaps):
            if any(line in those for those in program.perhaps):
                one.left_out[(line, _PERHAPS)] = None
    distinct = {
        (one.platform, *one.statements): one for one in reversed(by_session.values()) if one.statements or one.left_out
    }
    found = tuple(reversed(distinct.values()))
    if found and not program.is_whole:
        found[0].left_out[(1, _NOT_WHOLE)] = None
    return found[:_MOST]


def _take(call: Call, by_session: dict[tuple[Any, ...], Pushed], shells: Collection[str]) -> None:
    given, is_file = _given(call, shells)
    if given is None:
        return
    session = call.on.session if isinstance(call.on, Elsewhere) else ""
    if call.name in _REQUESTS:
        session = bare(call.values[0]) if call.values and isinstance(call.values[0], Text) else ""
    ways = given.values if isinstance(given, OneOf) else (given,)
    for number, one in enumerate(ways):
        own = (call.line, _whole_json(one)) if is_file else ()
        key = (session if not is_file else "", *call.way, *own, number if len(ways) > 1 else -1)
        if key not in by_session and len(by_session) >= _MOST * 4:
            return
        system = call.on.system if isinstance(call.on, Elsewhere) and not is_file else ""
        if not _platform_of(system) and _FOREIGN.fullmatch(system) is not None:
            return
        into = by_session.setdefault(key, Pushed(_platform_of(system), is_file))
        if (
            isinstance(one, Elsewhere)
            and not one.read_at
            and not is_file
            and call.name in ("send_config_set", "load_merge_candidate", "edit_config")
        ):
            into.left_out[(call.line, _NOT_FOLLOWED)] = None
        for row in _told(_rows(one, call, 0), into):
            _add(row, into)


def _given(call: Call, shells: Collection[str]) -> tuple[Any, bool]:
    """What a call gives to a switch (None: nothing), and whether it is a file that is written."""
    if call.name in _WRITES:
        return (call.values[0] if call.values else None), True
    if call.name == "set" and any(one in call.named for one in ("update", "replace")):  # pygnmi
        return _of_gnmi(call.named.get("update", call.named.get("replace")), call.line), True
    if call.name in _REQUESTS:
        return _of_request(call), False
    if call.name in _SHELLS and call.values:
        return _typed(call.values[0], call.line, shells), False
    by_name = next((call.named[one] for one in _NAMES if one in call.named), None)
    if call.name in _BY_NAME_ALONE:
        return by_name, False
    names = _PUSHES.get(call.name)
    if names is None:
        return None, False
    value = next((call.named[one] for one in names if one in call.named), None)
    if value is None and call.name != "edit_config":
        value = call.values[0] if call.values else None
    elif value is None:
        value = next((one for one in call.values if isinstance(one, Text) and "<" in one.text), None)
    return value, False


def _of_request(call: Call) -> Any:
    """The commands in the body of a request; None where it has none."""
    body = call.named.get("json", call.values[0] if call.name == "dumps" and call.values else None)
    found: list[Any] = []
    for one in body if isinstance(body, list) else [body]:
        around = next((one.rows[key] for key in _AROUND if key in one.rows), one) if isinstance(one, Table) else None
        said = [around.rows[key] for key in _COMMANDS if key in around.rows] if isinstance(around, Table) else []
        found += [Text(_CLI_PARTS.sub("\n", it.text), it.lines) if isinstance(it, Text) else it for it in said[:1]]
    return found or None


def _shells(calls: Iterable[Call]) -> frozenset[str]:
    """The programs of switches' shells that a program calls: one that certainly is of a switch speaks for its other calls."""
    texts = {
        value.text for call in calls if call.name in _SHELLS for value in call.values[:1] if isinstance(value, Text)
    }
    own = (text.split()[:2] for text in sorted(texts) if detect.is_typed_at_switch(Document("", text)))
    return frozenset((*shell_programs(), *(word for words in own for word in words if word != "sudo")))


def _typed(value: Any, line: int, shells: Collection[str]) -> Any:
    """What a program of the switch's own shell is told: `subprocess.run(["nv", "set", ...])`."""
    if isinstance(value, list):
        value = Text(" ".join(plain(one, line).text for one in value), (line,))
    if not isinstance(value, Text):
        return None
    words = value.text.split()
    words = words[1:] if words[:1] == ["sudo"] else words
    if words and words[0] in shells:
        return value
    if words and words[0] == "FastCli" and "-c" in words:
        return Text(value.text.partition("-c")[2].strip().strip("\"'").replace("\\n", "\n"), value.lines)
    return None


def _of_gnmi(value: Any, line: int) -> Any:
    """The rows of a request as JSON: [{"path": ..., "val": ...}]."""
    rows = []
    for one in value if isinstance(value, list) else ():
        if isinstance(one, list) and len(one) == 2:
            rows.append(Table({"path": one[0], "val": one[1]}, {"path": line, "val": line}))
    return as_json(rows, line) if rows else None


def _rows(value: Any, call: Call, depth: int) -> Iterator[Text]:
    if depth > _DEEPEST:
        raise TooMuch
    if isinstance(value, Text):
        text = Text(_CLI_PARTS.sub("\n", value.text), value.lines) if call.name.startswith("cli") else value
        if len(text.lines) != text.text.count("\n") + 1:
            text = Text(text.text, (value.lines[0],) * (text.text.count("\n") + 1))
        yield from text.rows()
    elif isinstance(value, list):
        for one in value:
            yield from _rows(one, call, depth + 1)
    elif isinstance(value, Table) and call.name == "dump":
        yield from as_json(value, call.line).rows()
    elif isinstance(value, Table) and isinstance(value.rows.get("cmd"), Text):  # pyeapi: {"cmd": ..., "input": ...}
        yield value.rows["cmd"]


def _whole_json(value: Any) -> str:
    """The text of a value that is a JSON text as a whole: each that is written is a file of its own; empty for any other."""
    text = as_json(value, 0) if isinstance(value, Table) else value
    return text.text if isinstance(text, Text) and text.text.startswith(("{\n", "[\n")) else ""


def _told(rows: Iterator[Text], into: Pushed) -> Iterator[Text]:
    """The rows; of a JSON text without the members that have an open value in their names or are one, so that it stays JSON."""
    first = next(rows, None)
    if first is None or first.text not in ("{", "["):
        yield from (first,) if first is not None else ()
        yield from rows
        return
    before, depth = first, 0
    for row in rows:
        bare = row.text.strip()
        opens, closes = bare.endswith(("{", "[")), bare.startswith(("}", "]"))
        if depth or "{{" in bare:
            if MATTERS.search(bare) is not None:
                into.left_out[(row.lines[0], _ELSEWHERE)] = None
            depth += opens - (closes and depth > 0)
            continue
        yield before.made(lambda text: text.rstrip(",")) if closes else before
        before = row
    yield before


def _add(row: Text, into: Pushed) -> None:
    statement, line = row.text.rstrip(), row.lines[0]
    bare = statement.strip()
    if not bare or _MODES.fullmatch(bare) or _XML.fullmatch(statement):
        return
    if len(into.statements) >= _MOST_LINES:
        raise TooMuch
    if "{{" in statement:
        if _NAMED.match(bare) is not None:
            statement = _OPEN.sub(lambda found: re.sub(r"\W", "_", found[1]), statement)
        elif _INTERFACE.match(bare) is not None:
            statement = _OPEN.sub("1", statement)
        elif _ANY_INTERFACE.match(bare) is None:
            if MATTERS.search(statement) is not None:
                into.left_out[(line, _ELSEWHERE)] = None
                into.lost.append(len(into.statements))
            return
    into.statements.append(statement)
    into.lines.append(line)


@cache
def _systems() -> Mapping[str, str]:
    """Platforms of switches by what libraries call them."""
    switches = [one for one in platforms.every() if one.kind == "switch"]
    return {
        _letters(word): one.name
        for one in switches
        for word in (one.name, *one.aliases, one.live.device_type if one.live is not None else "")
        if word
    }


def _platform_of(system: str) -> str:
    return _systems().get(_letters(system), "")


def _letters(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.lower())
