"""One switch: its JSON documents, sorted into databases and read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from roce_audit.platforms.base import UNREAD_LINE, DeviceReading, Seen, no_link, seen
from roce_audit.platforms.shared.watchdogs import is_without_pause, watched_without_pause
from roce_audit.platforms.sonic import lookup, patched, typed
from roce_audit.platforms.sonic.answers import Answers
from roce_audit.platforms.sonic.config import Database
from roce_audit.platforms.sonic.database import Row, rows
from roce_audit.platforms.sonic.defaults import DEFAULTS
from roce_audit.platforms.sonic.device import device_facts
from roce_audit.platforms.sonic.lined import BY_PORT
from roce_audit.platforms.sonic.observations import observations
from roce_audit.platforms.sonic.pasted import with_braces
from roce_audit.platforms.sonic.ports import neighbours
from roce_audit.platforms.sonic.running import Running
from roce_audit.platforms.sonic.table import TABLES
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.fill import EVERYTHING, Lack
from roce_audit.text.structured.jsontext import JsonError, JsonText
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.text.whole import why_whole
from roce_audit.values import Place

_WHOLE = "a whole datastore: DEVICE_METADATA and PORT"
_DATASTORE = re.compile("runningconfiguration|config_db|sonic-cfggen|sonic-db-dump")
"""Commands whose answer is a datastore."""
_PIECE = re.compile(r"(?:\A|/)(?:qos|buffers)\.json\Z")
_NAMELESS = (
    "ports of the chip by number: which is which stands in COUNTERS_PORT_NAME_MAP of COUNTERS_DB; not read without it"
)
_CHIP_FILE = re.compile(r"(?:\A|/)config_db([0-9]{1,3})\.json\Z")
"""The configuration of one chip of a multi-ASIC switch, beside the `config_db.json` of the whole."""


def read(device: DeviceInput) -> DeviceReading:
    """Read all JSON documents of one switch."""
    reader = _Reader()
    for document in typed.from_prompts(device.documents):
        reader.document(document)
    reader.change()
    reader.run()
    found = reader.databases()
    first = device.documents[0]
    ports = tuple([port for database in found for port in database.ports()])
    without_link = {**reader.running.without_link, **reader.answers.without_link}
    dark = (no_link(port, place, port) for port, place in without_link.items())
    idle = watched_without_pause(ports, "pfcwd") if is_without_pause(ports) else ()
    odd = (*reader.seen, *[s for database in found for s in observations(database)], *dark, *idle)
    everything = [row for database in found for row in database.rows]
    return DeviceReading(
        name=device.name,
        platform="sonic",
        kind="switch",
        device=device_facts(everything, _lack(bool(reader.complete)), reader.answers),
        device_parts=(),
        ports=ports,
        first=Place(first.path, first.first_line),
        seen=odd,
        complete_because=reader.complete,
        neighbours=tuple(neighbours(everything)),
        lines=reader.lines,
        lines_relevant=sum(database.relevant for database in found),
        unrecognised=tuple((path, _NAMELESS) for path in reader.running.nameless()),
    )


class _Reader:
    """The documents of one switch, sorted into databases (one an ASIC)."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = defaultdict(list)
        self.pieces: dict[str, list[Row]] = defaultdict(list)
        """Rows of `qos.json` and `buffers.json`, which are loaded where the datastore has no such table."""
        self.whole: set[str] = set()
        self.complete: dict[str, str] = {}
        self.seen: list[Seen] = []
        self.answers = Answers()
        self.running = Running()
        self.lookup: lookup.Lookup | None = None
        self.lines = 0
        self._changes: list[tuple[Document, JsonText | None]] = []
        """What is typed at the shell, and patches: they change what the datastore says, one after the other."""

    def document(self, document: Document) -> None:
        """Take in one document; one that should be JSON and is none is an observation."""
        document = with_braces(document)
        lines = document.text.count("\n") + 1
        if document.command is None and typed.is_typed(document.text):
            self.lines += lines
            self._changes.append((document, None))
            return
        if self.running.take(document):
            self.lines += lines
            self.answers.take(document)
            return
        if document.command is not None and not _DATASTORE.search(document.command) and not _is_json(document.text):
            known = len(self.answers.odd)
            self.lines += lines if self.answers.take(document) else 0
            self._unread(self.answers.odd[known:])
            return
        self.lines += lines
        if lookup.is_table(document) and not _is_json(document.text):
            self._headrooms(document)
            return
        try:
            json = parse_json(document.text, first_line=document.first_line, lines=document.lines)
        except JsonError as error:
            place = Place(document.path, error.line)
            self.seen.append(seen("unreadable", document.path, f"this JSON cannot be read: {error}", place, "", ()))
            return
        if patched.is_patch(json.value):
            self._changes.append((document, json))
            return
        self._repeated(document, json)
        self._take(document, json, ())

    def _take(self, document: Document, json: JsonText, odd: Iterable[Seen]) -> None:
        """Take in the rows of a document."""
        self.seen.extend(odd)
        found: dict[str, list[Row]] = defaultdict(list)
        chip = _CHIP_FILE.search(document.path)
        for row in rows(document, json):
            found[row.namespace or (f"asic{chip.group(1)}" if chip else "")].append(row)
        for namespace, its in found.items():
            (self.pieces if _PIECE.search(document.path) else self.rows)[namespace].extend(its)
            self._completeness(document, namespace, its)

    def change(self) -> None:
        """Let what is typed at the shell, and patches, change the rows that are there. Which chip is meant is not followed: it is the
        host's.
        """
        for document, patch in self._changes:
            rows_ = [one for row in self.rows[""] for one in _of_each_port(row)]
            is_whole = "" in self.whole
            before = {(row.table, row.key, name): str(value) for row in rows_ for name, value in row.fields.items()}
            is_its_own = document.declared_complete is not False
            ports = {row.key for row in rows_ if row.table == "PORT"} if is_whole else None
            fields, odd, gone = (
                typed.fields_of(document, before) if patch is None else patched.fields_of(document, patch, before)
            )
            fields, strange = fields.without_ports_but(ports, document.path)
            new = fields.names | gone
            changed = (
                replace(r, fields={n: v for n, v in r.fields.items() if (r.table, r.key, n) not in new}) for r in rows_
            )
            self.rows[""] = [
                row
                for row, old in zip(changed, rows_, strict=True)
                if row.fields or not old.fields or row.table == "PORT"
            ]
            self._take(replace(document, truncated=True), fields, (*odd, *(strange if is_its_own else ())))

    def run(self) -> None:
        """Let what runs count where it differs from what a row says."""
        self.running.name_ports()
        for place in self.running.damaged:
            text = "a row of this dump cannot be read, and nothing behind it is"
            self.seen.append(seen("unreadable", place.path, text, place, "", ()))
        if not any(self.rows.values()):
            self.rows[""] = self.running.alone(self.answers.priorities)
        elif "" in self.rows:
            self.rows[""], differing = self.running.over(self.rows[""])
            self.seen.extend(differing)

    def _completeness(self, document: Document, namespace: str, its: list[Row]) -> None:
        tables = {row.table for row in its if not row.written}
        # a part of a datastore does not name its host, so nothing less looks whole
        because = why_whole(document, _WHOLE if {"DEVICE_METADATA", "PORT"} <= tables else "", lambda: None)
        if because:
            self.complete[document.path] = because
            self.whole.add(namespace)

    def _headrooms(self, document: Document) -> None:
        """The table from which the device makes its lossless profiles."""
        self.lookup = lookup.parse(document)
        self._unread(self.lookup.odd)

    def _unread(self, lines: Iterable[tuple[str, Place]]) -> None:
        self.seen.extend(seen("unread-line", text, UNREAD_LINE, place, text, ()) for text, place in lines)

    def _repeated(self, document: Document, json: JsonText) -> None:
        for twice in json.duplicates:
            names = [str(step) for step in twice.path]
            if any(name.partition("|")[0] in TABLES for name in names):
                name = "|".join(names)
                text = f"this key stands twice in one object (first on line {twice.first_line}); only the later one is loaded"
                place = Place(document.path, twice.line)
                self.seen.append(seen("conflict", name, text, place, f'"{names[-1]}"', ()))

    def databases(self) -> list[Database]:
        """The databases, ready to be read."""
        for namespace, its in self.pieces.items():
            tables = {row.table for row in self.rows.get(namespace, ())}
            self.rows[namespace].extend(row for row in its if row.table not in tables)
        return [
            Database(its, _lack(namespace in self.whole), self.answers, self.lookup, namespace)
            for namespace, its in self.rows.items()
        ]


def _of_each_port(row: Row) -> list[Row]:
    """A row for several ports (`Ethernet0,Ethernet4|3`), as older releases write it, as one for each of them."""
    ports, bar, rest = row.key.partition("|")
    if row.table not in BY_PORT or "," not in ports:
        return [row]
    return [replace(row, key=f"{port}{bar}{rest}") for port in ports.split(",")]


def _lack(whole: bool) -> Lack:
    """What holds where a datastore says nothing."""
    return Lack(DEFAULTS, frozenset({EVERYTHING} if whole else ()))


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")
