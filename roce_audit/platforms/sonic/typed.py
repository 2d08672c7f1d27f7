"""What a script or playbook types at the shell of a switch, as a part of a CONFIG_DB: each field on the line of its command.

Commands: sonic-utilities, doc/Command-Reference.md, and scripts/ecnconfig, scripts/mmuconfig, pfcwd/main.py; `sonic-db-cli` and
`redis-cli -n 4` write fields of a row. What the device had before is not in such a text, so nothing of it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import add

from roce_audit.patterns import lazy
from roce_audit.platforms.base import UNREAD_LINE, Seen, seen
from roce_audit.platforms.shared import playbook
from roce_audit.platforms.shared.shell.typed import ONE_OF_MANY, Typed, typed
from roce_audit.platforms.sonic import TYPED_AT_PROMPT
from roce_audit.platforms.sonic.lined import Field, LinedFields
from roce_audit.platforms.sonic.table import TABLES
from roce_audit.text.document import Document
from roce_audit.values import Place

_STARTS_AS_JSON = lazy(r"\s*+[\[{\"]")
_CALLS = lazy(
    r"\b(?:sonic-db-cli|redis-cli|ecnconfig|pfcwd|mmuconfig|config[ \t]{1,8}(?:interface|qos|buffer|pfcwd|ecn|mmu))\b"
)
_PROMPT = lazy(r"(?m)^[ \t]{0,8}[\w.-]{1,40}@[\w.-]{1,60}:[^\s#$]{1,60}[$#] {0,4}")
_AT_PROMPT = lazy(TYPED_AT_PROMPT)
"""Commands in a log that set the switch up: their answers are empty."""
_BETWEEN = frozenset({"all", "ports", "detection-time"})
"""Words of `pfcwd start` that name no port: `start --action drop ports all detection-time 400` (doc/Command-Reference.md)."""
_PROGRAMS = frozenset({"sonic-db-cli", "redis-cli", "ecnconfig", "pfcwd", "mmuconfig", "config"})
_FIRST_WORDS = 8
"""Programs that run another one (`sudo`, `docker exec`) stand before it with so many words at most."""
_STAND_IN = "Ethernet0"
"""The port in the place of those that a command lists."""
_SETS = frozenset({"hset", "hmset", "hsetnx"})
_REMOVES = frozenset({"hdel", "del"})
_ASKS = frozenset(
    {
        "hget",
        "hgetall",
        "keys",
        "exists",
        "get",
        "hkeys",
        "ping",
        "scan",
        "monitor",
        "save",
        "bgsave",
        "info",
        "smembers",
        "lrange",
    }
)
_TEMPLATED = frozenset(
    {
        *(
            "DSCP_TO_TC_MAP",
            "DOT1P_TO_TC_MAP",
            "TC_TO_QUEUE_MAP",
            "TC_TO_PRIORITY_GROUP_MAP",
            "MAP_PFC_PRIORITY_TO_QUEUE",
        ),
        *("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "PORT_QOS_MAP", "QUEUE", "SCHEDULER", "WRED_PROFILE", "CABLE_LENGTH"),
        *("BUFFER_PG", "BUFFER_PROFILE", "BUFFER_POOL", "BUFFER_QUEUE"),
    }
)
"""Tables that `config qos reload` empties and fills from the templates of the device."""
_WRED = {
    **{f"-{c[0]}min": f"{c}_min_threshold" for c in ("green", "yellow", "red")},
    **{f"-{c[0]}max": f"{c}_max_threshold" for c in ("green", "yellow", "red")},
    **{f"-{c[0]}drop": f"{c}_drop_probability" for c in ("green", "yellow", "red")},
}
_PROFILE = {"--xon": "xon", "--xoff": "xoff", "--size": "size", "--dynamic_th": "dynamic_th", "--pool": "pool"}
_INTERFACE = {"mtu": "mtu", "speed": "speed", "fec": "fec"}
_AUTONEG = {"enabled": "on", "disabled": "off"}


def is_typed(text: str) -> bool:
    """Whether a text lists commands of the shell."""
    return _STARTS_AS_JSON.match(text) is None and _CALLS.search(text) is not None


def from_prompts(documents: Sequence[Document]) -> list[Document]:
    """The documents, with the commands of a log that set the switch up as one text of each file; not where the log shows what holds."""
    shown = any((one.command or "").startswith("show pfc priority") and one.text.strip() for one in documents)
    said = [
        one
        for one in documents
        if one.command is not None
        and _AT_PROMPT.match(one.command) is not None
        and not (
            shown and " pfc priority " in one.command
        )  # what came of it is shown, with the other priorities of the port
    ]
    if not said or any(one.command is not None and "runningconfiguration" in one.command for one in documents):
        return list(documents)
    texts: dict[str, dict[int, str]] = {}
    for one in said:
        texts.setdefault(one.path, {})[one.first_line - 1] = one.command or ""
    made = [
        Document(path, "\n".join(lines.get(number, "") for number in range(1, max(lines) + 1)))
        for path, lines in texts.items()
    ]
    return [*(one for one in documents if one not in said), *made]


def fields_of(
    document: Document, before: Mapping[Field, str] | None = None
) -> tuple[LinedFields, list[Seen], frozenset[Field]]:
    """The fields that the commands leave, what could not be followed, and which fields that were there `before` they take away."""
    text = _PROMPT.sub("", document.text)
    script = playbook.as_script(text, lambda piece: _CALLS.search(piece) is not None)
    fields = _Fields(document.path, before or {})
    for one in typed(script or text, document.line):
        fields.take(one)
    return LinedFields(fields.found, document.first_line), fields.seen, frozenset(fields.gone)


class _Fields:
    """The fields that commands leave, each with its line."""

    def __init__(self, path: str, before: Mapping[Field, str]) -> None:
        self.found: dict[Field, tuple[str, int]] = {}
        self.seen: list[Seen] = []
        self.gone: set[Field] = set()
        self._path = path
        self._before = before
        self._pfc: dict[str, tuple[frozenset[str], int | None]] = {
            row: (_priorities(value), None)
            for (table, row, field), value in before.items()
            if (table, field) == ("PORT_QOS_MAP", "pfc_enable")
        }
        """Port -> the priorities that it pauses, and the line that says so; None where that stood before."""
        self._doubtful: set[int] = set()
        self._is_loaded = False

    def take(self, one: Typed) -> None:
        """Follow one command."""
        call = _call(one)
        if call is None:
            return
        words, lines = call
        if one.doubt and _writes(words):
            self._unread(words, lines[0], one.doubt)
            return
        program, rest = words[0], words[1:]
        if program in ("sonic-db-cli", "redis-cli"):
            self._database(words, lines)
        elif program == "ecnconfig" or words[:2] == ["config", "ecn"]:
            self._options(words, lines, ("-p", "-profile", "--profile"), "WRED_PROFILE", _WRED)
        elif program == "mmuconfig" or words[:2] == ["config", "mmu"]:
            self._options(words, lines, ("-p",), "BUFFER_PROFILE", {"-a": "dynamic_th", "-s": "static_th"})
        elif program == "pfcwd":
            self._watchdog(rest, lines[1:])
        elif rest[:1] == ["pfcwd"]:
            self._watchdog(rest[1:], lines[2:])
        elif rest[:2] == ["buffer", "profile"] and rest[2:3] in (["add"], ["set"]) and len(rest) > 3:
            self._options(["", rest[3], *rest[4:]], [*lines[3:]], ("",), "BUFFER_PROFILE", _PROFILE, rest[3])
        elif rest[:1] in (["load"], ["reload"], ["replace"]):
            self._is_loaded = True
        elif rest[:2] in (["qos", "reload"], ["qos", "clear"]):
            self._reloaded(" ".join(words[:3]), lines[0])
        elif rest[:1] == ["interface"]:
            self._interface(rest[1:], lines[2:])

    def _set(self, table: str, key: str, field: str, value: str, line: int) -> None:
        if (table, field) == ("PORT_QOS_MAP", "pfc_enable"):
            self._pfc[key] = (_priorities(value), line)
        self.found.pop((table, key, field), None)
        self.found[table, key, field] = (value, line)

    def _remove(self, is_meant: Callable[[Field], bool]) -> None:
        """Fields that a command takes away, of those above it and of those before."""
        for name in [name for name in self.found if is_meant(name)]:
            del self.found[name]
        self.gone.update(name for name in self._before if is_meant(name))

    def _database(self, words: list[str], lines: list[int]) -> None:
        at = next((n for n, word in enumerate(words) if word.lower() in _SETS | _REMOVES), None)
        if at is None or not _is_config(words[:at]) or len(words) < at + 2:
            return
        verb, (table, _, key) = words[at].lower(), words[at + 1].partition("|")
        given, its = words[at + 2 :], lines[at + 2 :]
        if table not in TABLES:
            return
        if verb in _REMOVES:
            gone = set(given) if verb == "hdel" else None
            self._remove(lambda name: name[:2] == (table, key) and (gone is None or name[2] in gone))
            return
        if len(given) % 2 or not given:
            self._unread(words, lines[0], "a field stands without a value")
        for number in range(0, len(given) - 1, 2):
            self._set(table, key, given[number], given[number + 1], its[number])

    def _options(
        self,
        words: list[str],
        lines: list[int],
        named_by: Sequence[str],
        table: str,
        fields: dict[str, str],
        name: str = "",
    ) -> None:
        """`program -p NAME -option value ...`."""
        given: list[tuple[str, str, int]] = []
        number = 1
        while number < len(words):
            word, equals, value = words[number].partition("=")
            line = lines[number] if number < len(lines) else lines[-1]
            if not equals:
                value = words[number + 1] if number + 1 < len(words) else ""
            if word in named_by and word:
                name = value
            elif word in fields:
                given.append((fields[word], value, line))
            else:
                number += 1
                continue
            number += 1 if equals else 2
        for field, value, line in given:
            self._set(table, name, field, value, line)

    def _watchdog(self, words: list[str], lines: list[int]) -> None:
        if not words:
            return
        verb, line = words[0], lines[0]
        if verb == "interval" and len(words) > 1:
            self._set("PFC_WD", "GLOBAL", "POLL_INTERVAL", words[1], line)
        elif verb == "stop":
            ports = {word for word in words[1:] if word != "all"}
            self._remove(lambda name: name[0] == "PFC_WD" and name[1] != "GLOBAL" and (not ports or name[1] in ports))
            if self._before and not ports:  # what the device would start of itself is stopped, too
                self._set("DEVICE_METADATA", "localhost", "default_pfcwd_status", "disable", line)
        elif verb == "start":
            self._watched(words[1:], line)

    def _watched(self, words: list[str], line: int) -> None:
        options = {
            "--action": "action",
            "-a": "action",
            "--restoration-time": "restoration_time",
            "-r": "restoration_time",
        }
        said: dict[str, str] = {}
        plain: list[str] = []
        number = 0
        while number < len(words):
            word, equals, value = words[number].partition("=")
            if word in options:
                said[options[word]] = value if equals else "".join(words[number + 1 : number + 2])
                number += 1 if equals else 2
                continue
            plain.append(words[number])
            number += 1
        named = [name for name in plain if not name.isdigit() and name not in _BETWEEN]
        rows = {(table, key) for table, key, _ in (*self.found, *self._before) if table in ("PORT", "PORT_QOS_MAP")}
        known = {port for _, key in rows for port in key.split(",")} - {"global"}
        for port in sorted(known) if "all" in plain else named:
            for field, value in said.items():
                self._set("PFC_WD", port, field, value, line)
            for value in (name for name in plain if name.isdigit()):
                self._set("PFC_WD", port, "detection_time", value, line)

    def _interface(self, words: list[str], lines: list[int]) -> None:
        if words[:1] == ["-n"]:
            words, lines = words[2:], lines[2:]
        if len(words) < 2:
            return
        verb, port, line = words[0], words[1], lines[0]
        if words[:2] == ["pfc", "priority"] and len(words) == 5:
            self._priority(words[2], words[3], words[4], line)
        elif words[:2] == ["pfc", "asymmetric"] and len(words) == 4:
            self._set("PORT", words[2], "pfc_asym", words[3], line)
        elif verb in _INTERFACE and len(words) > 2:
            self._set("PORT", port, _INTERFACE[verb], words[2], line)
        elif verb in ("startup", "shutdown"):
            for name in words[1].split(","):
                self._set("PORT", name, "admin_status", "up" if verb == "startup" else "down", line)
        elif verb == "autoneg" and len(words) > 2:
            self._set("PORT", port, "autoneg", _AUTONEG.get(words[2], words[2]), line)
        elif verb == "cable-length" and len(words) > 2:
            self._set("CABLE_LENGTH", "AZURE", port, words[2], line)
        elif verb == "buffer" and len(words) > 4:
            self._buffer(words[1:], line)

    def _buffer(self, words: list[str], line: int) -> None:
        """`priority-group lossless add PORT 3-4 [PROFILE]`, `queue add PORT 3-4 PROFILE`."""
        is_group = words[0] == "priority-group"
        verb, rest = (words[2], words[3:]) if is_group else (words[1], words[2:])
        table = "BUFFER_PG" if is_group else "BUFFER_QUEUE"
        if len(rest) < 2:
            return
        key = f"{rest[0]}|{rest[1]}"
        if verb in ("add", "set"):
            self._set(table, key, "profile", rest[2] if len(rest) > 2 else "NULL", line)
        elif verb == "remove":
            self._remove(lambda name: name == (table, key, "profile"))

    def _priority(self, port: str, priority: str, state: str, line: int) -> None:
        """`on` adds to what pauses, `off` takes away from it; the other priorities of the port are those that the text names."""
        before, said_at = self._pfc.get(port, (None, line))
        at = line if said_at is None else said_at
        if state not in ("on", "off") or (before is not None and (priority in before) == (state == "on")):
            return
        after = (before or frozenset()) | {priority} if state == "on" else (before or frozenset()) - {priority}
        is_new = state == "on" or not after
        self._set("PORT_QOS_MAP", port, "pfc_enable", ",".join(sorted(after)), line if is_new else at)

    def _reloaded(self, command: str, line: int) -> None:
        """Whatever stands above in tables that the device fills anew is lost."""
        if self._is_loaded and any(name[0] in _TEMPLATED for name in self._before):
            text = (
                f"`{command}` fills the tables of QoS and buffers from the device's own templates: what the configuration loaded"
                " above it says of them is lost"
            )
            self.seen.append(seen("conflict", command, text, Place(self._path, line), command, ()))
        lost = [name for name in self.found if name[0] in _TEMPLATED]
        if not lost:
            return
        first = min(self.found[name][1] for name in lost)
        for name in lost:
            del self.found[name]
        self._pfc.clear()
        text = f"`{command}` fills the tables of QoS and buffers from the device's own templates: what the lines above set in them is lost"
        self.seen.append(
            seen("conflict", command, text, Place(self._path, line), command, (), Place(self._path, first))
        )

    def _unread(self, words: list[str], line: int, doubt: str) -> None:
        if line in self._doubtful:
            return
        self._doubtful.add(line)
        quote = " ".join(words)[:160]
        text = f"{UNREAD_LINE}: {doubt}"
        self.seen.append(seen("unread-line", quote, text, Place(self._path, line), quote, ()))


def _priorities(value: str) -> frozenset[str]:
    """The priorities that a list with commas names."""
    return frozenset(value.split(",")) - {""}


def _call(one: Typed) -> tuple[list[str], list[int]] | None:
    """The words of a command from the program on; None where it is none of ours."""
    words = [word.replace(ONE_OF_MANY, _STAND_IN) for word in one.words]
    for number, word in enumerate(words[:_FIRST_WORDS]):
        program = word.rpartition("/")[2]
        if program in _PROGRAMS:
            return [program, *words[number + 1 :]], list(one.lines[number:])
        if word in ("echo", "printf", "grep", "which", "command", "show", "[", "[[", "test"):
            return None
        if " " in word and _CALLS.search(word) is not None:
            inside = typed(word, partial(add, one.lines[number]))
            return _call(replace(inside[0], doubt=one.doubt)) if inside else None
    return None


def _is_config(words: Iterable[str]) -> bool:
    """Whether a client writes into CONFIG_DB, which is database 4."""
    said = list(words)
    if "CONFIG_DB" in said:
        return True
    return said[0] == "redis-cli" and (
        "-n4" in said or "4" in said[said.index("-n") + 1 :][:1] if "-n" in said else "-n4" in said
    )


def _concerns(table: str, fields: Sequence[str]) -> bool:
    """Whether one of these fields of a table is, or may be, one that says something of lossless settings."""
    guess = TABLES[table].guess
    return guess is None or not fields or any("$" in name or guess((name,), 0) is not None for name in fields)


def _writes(words: Sequence[str]) -> bool:
    """Whether a command may change what concerns us."""
    if words[0] in ("sonic-db-cli", "redis-cli"):
        at = next((n for n, word in enumerate(words) if word.lower() in _SETS | _REMOVES), None)
        if at is None or len(words) < at + 2:
            return False
        table = words[at + 1].partition("|")[0]
        is_set = words[at].lower() in _SETS
        return table.startswith("$") or (table in TABLES and (not is_set or _concerns(table, words[at + 2 :: 2])))
    if words[0] == "pfcwd":
        return words[1:2] != ["show_config"] and words[1:2] not in (["show"], ["counter_poll"])
    if words[0] == "config":
        return words[1:2] in (["qos"], ["buffer"], ["pfcwd"], ["ecn"], ["mmu"]) or (
            words[1:2] == ["interface"]
            and any(word in ("pfc", "buffer", "mtu", "fec", "cable-length") for word in words[2:5])
        )
    return "-p" in words
