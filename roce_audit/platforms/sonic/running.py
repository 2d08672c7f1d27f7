"""What runs, as fields of CONFIG_DB: dumps of the other databases, rows asked of redis, and the profiles that commands list.

APPL_DB has what orchagent is told to program, ASIC_DB what it gave the chip (sonic-swss, bufferorch.cpp, portsorch.cpp, qosorch.cpp),
STATE_DB what runs. Where they differ from a row of CONFIG_DB, they count, and the difference is told. Tables, keys and fields:
sonic-swss-common, schema.h; how `ecnconfig -l` and `mmuconfig -l` print: sonic-utilities.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import field, replace

from roce_audit.model.device import ObservationKind
from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.sonic.database import Row, rows
from roce_audit.platforms.sonic.lined import LinedFields
from roce_audit.platforms.sonic.statements import concerns_us, header, parse, statement
from roce_audit.platforms.sonic.table import NUMBERED
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

Key = tuple[str, str]
"""Table of CONFIG_DB, and key."""
_APPLIED = {
    "PORT_TABLE": "PORT",
    "BUFFER_PG_TABLE": "BUFFER_PG",
    "BUFFER_QUEUE_TABLE": "BUFFER_QUEUE",
    "BUFFER_POOL_TABLE": "BUFFER_POOL",
    "BUFFER_PROFILE_TABLE": "BUFFER_PROFILE",
}
_NO_PORTS = frozenset({"PortConfigDone", "PortInitDone"})
"""Rows of PORT_TABLE by which daemons wait for each other."""
_OF_PORTS = frozenset({"PORT", "PORT_QOS_MAP", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE"})
_KEYS = (
    r'"(?:(PORT_TABLE|BUFFER_(?:PG|QUEUE|POOL|PROFILE)_TABLE):([\w.@:,-]{1,160})'
    r'|ASIC_STATE:SAI_OBJECT_TYPE_(PORT|WRED):(oid:0x[0-9a-f]{1,16})|(COUNTERS_PORT_NAME_MAP)|PORT_TABLE\|(Ethernet[\w.-]{1,30}))"'
    r"[ \t\n]{0,40}:[ \t\n]{0,40}(?=\{)"
)
_ROW = lazy(_KEYS)
"""A row in a dump of APPL_DB, ASIC_DB, COUNTERS_DB or STATE_DB."""
ASKED = lazy(
    r"(?:sudo )?(?:sonic-db-cli(?: -n \w{1,9})? (APPL_DB|ASIC_DB|CONFIG_DB|COUNTERS_DB)|redis-cli(?: -n ?([0-9]{1,2}))?) +(?i:hgetall) +"
    r"['\"]?(\w{1,60}[:|]\S{1,200}?|COUNTERS_PORT_NAME_MAP)['\"]?\Z"
)
LISTED = lazy(
    r"(?:sudo )?(?:ecnconfig -l|show ecn|mmuconfig -l|buffershow -l|show buffer (?:information|configuration))\b"
)
_ASYMMETRIC = lazy(r"(?:sudo )?(?:show pfc asymmetric|pfc show asymmetric)")
_OF_PORT = lazy(r" *(Ethernet\d{1,4}) +(on|off) *")
_STATUS, _COLUMN = lazy(r"(?:sudo )?show interfaces? status\b"), "Asym PFC"
_IN_STATUS = lazy(r" *(Ethernet\d{1,4}) .{10,400} (on)(?: +\d{1,4}(?:\.\d)?[GM])? *")
"""A port with asymmetric PFC; newer releases have a column of speeds behind it."""
_UNLESS_SAID = {("PORT", "pfc_asym"): "off"}
"""What holds where a row does not say it (sonic-port.yang)."""
_DATABASES = {"0": "APPL_DB", "1": "ASIC_DB", "2": "COUNTERS_DB", "4": "CONFIG_DB"}
"""Numbers of redis: sonic-swss-common, database_config.json. Without one it is 0."""
_HEAD = lazy(r"(Pool|Profile): ([\w.@:+-]{1,128})[ \t]*\Z")
_FIELD = lazy(r"([a-z_]{2,40})[ \t]+(\S{1,200})[ \t]*\Z")
_ANSWERED = lazy(r'(?:[0-9]{1,4}\) )?"?([^"\n]{0,256})"?\Z')
_PAIR = lazy(r"""['"]([\w ]{1,64})['"]: ['"]([^'"\n]{0,512})['"]""")
_MARKS = lazy(r"SAI_ECN_MARK_MODE_(\w{1,30})\Z")
_BITS = lazy(r"[0-9]{1,3}\Z")
_IS_JSON = lazy(r"\s*+\{")
_OF_STATE = ("speed", "fec", "mtu")
_NOT_KNOWN = "N/A"
_MARKS_OF_DUMPS = ("_TABLE:", '"PORT_TABLE|', "ASIC_STATE:", 'COUNTERS_PORT_NAME_MAP"')
_LARGEST = 1_000_000
"""Characters of a row that are looked at where it is printed as one object."""
_MOST_CURVES = 64


@dataclass(frozen=True)
class _Lines:
    """A row in a dump: which line a field of it stands on."""

    document: Document
    text: str
    first: int

    def of(self, name: str) -> int:
        return self.document.line(self.first + self.text.count("\n", 0, max(0, self.text.find(f'"{name}"'))))


@dataclass
class Running:
    """Fields that run, each with its line."""

    fields: dict[Key, dict[str, tuple[str, Place]]] = field(default_factory=lambda: defaultdict(dict))
    chip_ports: dict[str, tuple[str, Place]] = field(default_factory=dict)
    """Number of a port in the chip -> the bitmap of its paused priorities."""
    curves: list[tuple[Mapping[str, str], Place]] = field(default_factory=list)
    """Curves of the chip, and where their marking stands."""
    programmed: set[Key] = field(default_factory=set)
    """Rows of the databases themselves: only these fill in what no row says."""
    damaged: list[Place] = field(default_factory=list)
    """Rows of dumps that cannot be read: nothing behind them is."""
    names: dict[str, str] = field(default_factory=dict)
    """Number of a port in the chip -> its name."""
    dumped: dict[str, Place] = field(default_factory=dict)
    """Ports of which a dump of APPL_DB has a row and that it does not call down."""
    idle: set[str] = field(default_factory=set)
    """Those that it calls down: what is programmed for them may be less than is configured (sonic-swss, buffermgrdyn.cpp)."""
    without_link: dict[str, Place] = field(default_factory=dict)
    """Those of them that are switched on."""

    def take(self, document: Document) -> bool:
        """Take in a dump, a row or a list of profiles; False where it is none."""
        asked = ASKED.match(document.command or "")
        if asked is not None:
            self._asked(document, asked)
        elif LISTED.match(document.command or ""):
            self._listed(document)
        elif _ASYMMETRIC.fullmatch(document.command or ""):
            self._asymmetric(document, _OF_PORT)
        elif _COLUMN in document.text and _STATUS.match(document.command or ""):
            self._asymmetric(document, _IN_STATUS)
            return False
        elif is_dump(document.text):
            self._dump(document)
        else:
            return False
        return True

    def _dump(self, document: Document) -> None:
        """The rows of a dump, up to where one is damaged."""
        decoder, text = json.JSONDecoder(), document.text
        at, line = 0, 0
        while (found := _ROW.search(text, at)) is not None:
            line += text.count("\n", at, found.start())
            try:
                value, at = decoder.raw_decode(text, found.end())
            except (ValueError, RecursionError):
                self.damaged.append(Place(document.path, document.line(line)))
                return
            value = value.get("value", value)
            if isinstance(value, dict):
                begins = _Lines(document, text[found.start() : at], line)
                self._dumped(found, {str(name): str(given) for name, given in value.items()}, begins)
            line += text.count("\n", found.start(), at)

    def _dumped(self, found: re.Match[str], fields: Mapping[str, str], lines: _Lines) -> None:
        if found[6]:
            self._state(lines.document.path, found[6], fields, lines.of)
            return
        table, port = found[1] or found[3] or found[5], found[2] or found[4] or ""
        if table == "PORT_TABLE" and fields.get("oper_status", "up") == fields.get("admin_status", "up") == "up":
            self.dumped[port] = Place(lines.document.path, lines.document.line(lines.first))
        elif table == "PORT_TABLE":
            self.idle.add(port)
            if found[1] and (fields.get("oper_status"), fields.get("admin_status")) == ("down", "up"):
                self.without_link[port] = Place(lines.document.path, lines.of("oper_status"))
        self._row(lines.document.path, table, port, fields, lines.of)

    def _state(self, path: str, port: str, fields: Mapping[str, str], line_of: Callable[[str], int]) -> None:
        """What STATE_DB says of a port that is up (sonic-swss, portsorch.cpp: the speed, the code and the MTU that run)."""
        if fields.get("netdev_oper_status") != "up":
            return
        for name in _OF_STATE:
            if fields.get(name, _NOT_KNOWN) not in ("", _NOT_KNOWN):
                self._say("PORT", port, name, fields[name], Place(path, line_of(name)))

    def _asked(self, document: Document, asked: re.Match[str]) -> None:
        database = asked[1] or _DATABASES.get(asked[2] or "0", "")
        table, _, key = re.sub(r"\AASIC_STATE:SAI_OBJECT_TYPE_", "", asked[3]).replace("|", ":", 1).partition(":")
        if table == "COUNTERS_PORT_NAME_MAP" or database in ("APPL_DB", "ASIC_DB", "CONFIG_DB"):
            fields, lines = _answered(document)
            is_configured = database == "CONFIG_DB"
            self._row(document.path, table, key, fields, lines.__getitem__, of_configuration=is_configured)

    def _row(
        self,
        path: str,
        table: str,
        key: str,
        fields: Mapping[str, str],
        line_of: Callable[[str], int],
        *,
        of_configuration: bool = False,
    ) -> None:
        """A row of any of the databases."""
        if table == "COUNTERS_PORT_NAME_MAP":
            self.names.update({number: name for name, number in fields.items()})
        elif table == "PORT" and key.startswith("oid:"):
            bitmap = fields.get("SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL", "")
            if _BITS.match(bitmap):
                self.chip_ports[key] = bitmap, Place(path, line_of("SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL"))
        elif table == "WRED" and key.startswith("oid:"):
            if "SAI_WRED_ATTR_ECN_MARK_MODE" in fields and len(self.curves) < _MOST_CURVES:
                self.curves.append((fields, Place(path, line_of("SAI_WRED_ATTR_ECN_MARK_MODE"))))
        elif of_configuration or table in _APPLIED:
            ours = table if of_configuration else _APPLIED[table]
            if ours == "PORT" and key in _NO_PORTS:
                return
            for name, value in fields.items():
                if concerns_us(ours, name):
                    self.programmed.add((ours, key))
                    self._say(ours, key, name, value, Place(path, line_of(name)))

    def _say(self, table: str, key: str, name: str, value: str, place: Place) -> None:
        if table not in NUMBERED:
            self.fields[table, key][name] = value, place
            return
        port, _, where = key.replace(":", "|").partition("|")
        for number in numbers(where):
            self.fields[table, f"{port}|{number}"][name] = value, place

    def _asymmetric(self, document: Document, of_port: re.Pattern[str]) -> None:
        for row, line in enumerate(document.text.split("\n")):
            found = of_port.fullmatch(line)
            if found is not None:
                self._say("PORT", found[1], "pfc_asym", found[2], Place(document.path, document.line(row)))

    def _listed(self, document: Document) -> None:
        """`Profile: NAME`, a line of dashes, a field a line."""
        buffers = "ecn" not in (document.command or "")
        key: Key | None = None
        for row, line in enumerate(document.text.split("\n")):
            text = line.strip()
            head, given = _HEAD.match(text), _FIELD.match(text)
            if text.startswith(("Pool:", "Profile:")):
                table = f"BUFFER_{head[1].upper()}" if head is not None and buffers else "WRED_PROFILE"
                key = (table, head[2]) if head is not None else None
            elif key is not None and given is not None:
                self._say(*key, given[1], given[2], Place(document.path, document.line(row)))

    def name_ports(self) -> None:
        """Give the ports of the chip their names: with these the priorities that it pauses are known. Ask after all was taken in."""
        for number, (bitmap, place) in self.chip_ports.items():
            if number in self.names:
                bits = int(bitmap)
                priorities = ",".join(str(i) for i in range(8) if bits >> i & 1)
                self._say("PORT_QOS_MAP", self.names[number], "pfc_enable", priorities, place)

    def nameless(self) -> Iterator[str]:
        """The files with ports of the chip of which nothing tells the names."""
        yield from dict.fromkeys(
            place.path for number, (_, place) in self.chip_ports.items() if number not in self.names
        )

    def over(self, given: list[Row]) -> tuple[list[Row], list[Seen]]:
        """Rows with the fields that run in place of those that differ, and what differs."""
        if not (self.fields or self.curves or self.dumped):
            return given, []
        self._curves(given)
        for row in given:
            if row.table == "PORTCHANNEL_MEMBER":  # which has the MTU of its channel
                self.fields.get(("PORT", row.key.rpartition("|")[2]), {}).pop("mtu", None)
        ports = {row.key for row in given if row.table == "PORT"}
        left: list[Row] = []
        changed: dict[str, dict[tuple[str, str, str], tuple[str, int]]] = defaultdict(dict)
        told: dict[tuple[str, str, str, str], list[tuple[Row, str, Place]]] = defaultdict(list)
        for row in (one for whole in given for one in self._of_each(whole)):
            differing = dict(self._differing(row))
            for name, (value, place) in differing.items():
                changed[place.path][row.table, row.key, name] = value, place.line
                has = str(row.fields.get(name, _UNLESS_SAID.get((row.table, name), "")))
                if has != "NULL":
                    told[row.table, name, has, value].append((row, row.key, place))
            kept = replace(row, fields={n: v for n, v in row.fields.items() if n not in differing})
            if kept.fields or not differing or row.table == "PORT":
                left.append(kept)
        left, gone = self._unprogrammed(left)
        for table, key, name in self._unwritten([*left, *gone], ports):
            value, place = self.fields[table, key][name]
            changed[place.path].setdefault((table, key, name), (_plain(value), place.line))
        return [*left, *_rows(changed)], [*_told(told), *self._absent(gone, given)]

    def alone(self, priorities: Mapping[str, tuple[str, Place]]) -> list[Row]:
        """Rows of what runs, where no configuration was given; `priorities` are those of `show pfc priority`, which lists rows."""
        found: dict[str, dict[tuple[str, str, str], tuple[str, int]]] = defaultdict(dict)
        for port, (value, place) in priorities.items():
            found[place.path]["PORT_QOS_MAP", port, "pfc_enable"] = value, place.line
        for (table, key), fields in self.fields.items():
            for name, (value, place) in fields.items():
                found[place.path][table, key, name] = _plain(value), place.line
        return _rows(found)

    def _unwritten(self, rows_: list[Row], ports: Container[str]) -> Iterator[tuple[str, str, str]]:
        """(table, key, field) of what runs and no row says: groups that the switch makes, and pools and profiles that they lead to."""
        said = {(row.table, row.key): row.fields.keys() for row in rows_}
        groups = [name for name in self.fields if name[0] == "BUFFER_PG" and name[1].partition("|")[0] in ports]
        leading = {_plain(self.fields[name]["profile"][0]) for name in groups if "profile" in self.fields[name]}
        for (table, key), fields in self.fields.items():
            new: Iterable[str]
            if table == "BUFFER_PG":
                new = fields if (table, key) in groups and (table, key) not in said else ()
            elif table in ("BUFFER_POOL", "BUFFER_PROFILE"):
                is_its = (table, key) in self.programmed and ((table, key) in said or key in leading)
                new = fields.keys() - said.get((table, key), set()) if is_its else ()
            else:
                new = ()
            yield from ((table, key, name) for name in new)

    def _differing(self, row: Row) -> Iterator[tuple[str, tuple[str, Place]]]:
        if row.table in _OF_PORTS and row.table != "PORT" and row.key.partition("|")[0] in self.idle:
            return
        for name, (value, place) in self.fields.get((row.table, row.key), {}).items():
            has = row.fields.get(name, _UNLESS_SAID.get((row.table, name)))
            if isinstance(has, str) and not row.written and concerns_us(row.table, name):
                runs = _plain(value)
                if _in_order(runs) != _in_order(_plain(has)) and _is_understood(row, name, has):
                    yield name, (runs, place)

    def _of_each(self, row: Row) -> list[Row]:
        """A row of several queues or groups as one of each, where what runs differs for some of them."""
        if row.table not in NUMBERED:
            return [row]
        port, _, where = row.key.partition("|")
        each = [replace(row, key=f"{port}|{number}") for number in numbers(where)]
        is_told = any((row.table, one.key) in self.fields for one in each)
        return each if len(each) > 1 and is_told else [row]

    def _unprogrammed(self, given: list[Row]) -> tuple[list[Row], list[Row]]:
        """(rows, groups that a row sets up and that the dump of what is programmed does not have for a port of which it has others)."""
        has_groups = {key.partition("|")[0] for table, key in self.fields if table == "BUFFER_PG"} & self.dumped.keys()
        left: list[Row] = []
        gone: list[Row] = []
        for row in given:
            port, _, number = row.key.partition("|")
            is_told = (row.table, row.key) in self.fields
            is_gone = row.table == "BUFFER_PG" and port in has_groups and not is_told and number.isdigit()
            (gone if is_gone else left).append(row)
        return left, gone

    def _absent(self, gone: list[Row], given: list[Row]) -> Iterator[Seen]:
        """Groups that are not programmed: what is lossless by its profile, as far as that is known, is not protected."""
        lossy = {row.key for row in given if row.table == "BUFFER_PROFILE" and "xoff" not in row.fields}
        alike: dict[tuple[ObservationKind, str], list[Row]] = defaultdict(list)
        for row in gone:
            is_lossy = _plain(str(row.fields.get("profile", ""))) in lossy
            alike["conflict" if is_lossy else "not-in-force", row.key.partition("|")[2]].append(row)
        for (kind, _), (row, *more) in alike.items():
            ports = tuple(one.key.partition("|")[0] for one in (row, *more))
            what = f"{row.table}|{row.key}" + (f" (and that of {len(more)} more ports)" if more else "")
            text = f"{what} is configured, and APPL_DB has no such row: the group is not programmed"
            yield seen(kind, row.key, text, self.dumped[ports[0]], f"{row.table}|{row.key}", ports, row.place())

    def _curves(self, given: list[Row]) -> None:
        """WRED of the chip has no name: it is that of the one profile with the same thresholds."""
        for fields, place in self.curves:
            marks = _MARKS.match(fields.get("SAI_WRED_ATTR_ECN_MARK_MODE", ""))
            same = [row for row in given if row.table == "WRED_PROFILE" and _is_curve(row, fields)]
            if marks is not None and len(same) == 1:
                self._say("WRED_PROFILE", same[0].key, "ecn", f"ecn_{marks[1].lower()}", place)


def _rows(found: Mapping[str, dict[tuple[str, str, str], tuple[str, int]]]) -> list[Row]:
    """Rows of fields of several files."""
    return [
        row
        for path, its in found.items()
        for row in rows(Document(path, ""), LinedFields(its, min(line for _, line in its.values())))
    ]


def is_dump(text: str) -> bool:
    """Whether a text has rows of a dump; the words of their keys are looked for first, for most JSON is a datastore."""
    return (
        any(mark in text for mark in _MARKS_OF_DUMPS)
        and _IS_JSON.match(text) is not None
        and _ROW.search(text) is not None
    )


def numbers(where: str) -> list[int]:
    """The queues or groups of a key: `3`, `3-4`."""
    first, _, last = where.partition("-")
    if not first.isdecimal() or not (last or first).isdecimal() or len(where) > 5:
        return []
    return list(range(int(first), int(last or first) + 1))


def _is_understood(row: Row, name: str, has: str) -> bool:
    """Whether a configured value is one: what nobody understands stays in doubt, whatever runs."""
    where = row.key.rpartition("|")[2] if row.table in NUMBERED else ""
    return not parse(statement(header(row.table, where), name, has)).unread


def _in_order(value: str) -> list[str]:
    """The items of a value; in which order they stand means nothing."""
    return sorted(value.lower().replace(" ", "").split(","))


def _is_curve(row: Row, fields: Mapping[str, str]) -> bool:
    ends = [
        (
            str(row.fields.get(f"{colour}_{end}_threshold", "")),
            fields.get(f"SAI_WRED_ATTR_{colour.upper()}_{end.upper()}_THRESHOLD"),
        )
        for colour in ("green", "yellow", "red")
        for end in ("min", "max")
    ]
    given = [(ours, theirs) for ours, theirs in ends if theirs is not None]
    return bool(given) and all(ours == theirs for ours, theirs in given)


def _answered(document: Document) -> tuple[dict[str, str], dict[str, int]]:
    """Fields and their lines in an answer of redis: a name, then its value, on lines of their own; or as one object."""
    fields: dict[str, str] = {}
    lines: dict[str, int] = {}
    if document.text.lstrip().startswith("{"):
        for pair in _PAIR.finditer(document.text[:_LARGEST]):
            fields[pair[1]], lines[pair[1]] = pair[2], document.line_at(pair.start())
        return fields, lines
    texts = list(enumerate(document.text.split("\n")))
    while texts and not texts[0][1].strip():
        del texts[0]
    words = [(found[1], document.line(row)) for row, text in texts if (found := _ANSWERED.match(text.strip()))]
    for (name, _), (value, line) in zip(words[::2], words[1::2], strict=False):
        fields[name], lines[name] = value, line
    return fields, lines


def _told(told: Mapping[tuple[str, str, str, str], list[tuple[Row, str, Place]]]) -> Iterator[Seen]:
    """One observation for all rows that differ alike."""
    for (table, name, has, runs), its in told.items():
        row, key, place = its[0]
        ports = tuple(dict.fromkeys(one.partition("|")[0] for _, one, _ in its)) if table in _OF_PORTS else ()
        more = f" and {len(its) - 1} more" if len(its) > 1 else ""
        text = f"{name} of {key}{more} is {has or 'empty'} in {table}, and {runs or 'nothing'} runs"
        configured = row.place(name if name in row.fields else None)
        yield seen("conflict", key, text, place, name, ports, configured)


def _plain(value: str) -> str:
    """A value; of a reference the name, also in the older form `[TABLE|name]` and `[TABLE:name]`."""
    if not value.startswith("["):
        return value
    return re.split(r"[|:]", value.strip("[]"))[-1]
