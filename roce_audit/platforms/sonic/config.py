"""One CONFIG_DB: its rows become ports with their parts, and whatever was odd becomes observations."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.references import Name, References
from roce_audit.platforms.sonic.answers import Answers
from roce_audit.platforms.sonic.builder import Context
from roce_audit.platforms.sonic.computed import COMPUTED, PARAMETERS, not_computed
from roce_audit.platforms.sonic.database import Row
from roce_audit.platforms.sonic.device import buffer_model, cell
from roce_audit.platforms.sonic.facts import read_port
from roce_audit.platforms.sonic.filters import dropping
from roce_audit.platforms.sonic.lookup import Lookup
from roce_audit.platforms.sonic.made import Made
from roce_audit.platforms.sonic.ports import CPU, Names, kind, target, whose
from roce_audit.platforms.sonic.refused import refused
from roce_audit.platforms.sonic.statements import concerns_us, header, named_in, parse, shown, statement, table_of
from roce_audit.platforms.sonic.table import (
    DEVICE_TABLES,
    FILTERED,
    LAG_TABLES,
    NAMES,
    NUMBERED,
    OBJECT_TABLES,
    PORT_TABLES,
    TABLES,
)
from roce_audit.platforms.sonic.uses import is_news, template_uses
from roce_audit.records import dataclass
from roce_audit.text.block import CONTEXT, Block, Part, Role, Texts, block
from roce_audit.text.fill import Lack
from roce_audit.values import Place, Why

_WIDE = {"PORT_QOS_MAP": "global", "PFC_WD": "GLOBAL", "SWITCH_HASH": "GLOBAL"}
"""Keys of port tables that hold for all ports."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9/_.:-]{0,127}\Z")
_ORDER = {table: index for index, table in enumerate(TABLES)}
_HEADERLESS = frozenset({"CABLE_LENGTH", "MCLAG_INTERFACE", *NUMBERED})
"""Tables whose rows say nothing by being there."""

_CARD = re.compile(r"[A-Za-z0-9_.-]{1,128}\|[A-Za-z0-9_.-]{1,64}\|")

Line = tuple[str, Place]
"""A statement and where it stands."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """What ports bind of which the same is said."""

    parts: tuple[Part, ...]
    names: tuple[str, ...]
    """What their own rows name."""
    used: tuple[Name, ...]
    """The same, and what that names in turn."""


class Database:
    """One CONFIG_DB."""

    def __init__(
        self, its: list[Row], lack: Lack, answers: Answers, lookup: Lookup | None, namespace: str = ""
    ) -> None:
        self.answers = answers
        self.rows = [row for row in its if not row.written]
        self.lack = lack
        self.names = Names(self.rows)
        self.here = whose(self.rows, self._text("hostname"), self._text("asic_name") or namespace)
        self.own: dict[str, dict[str, list[Line]]] = defaultdict(lambda: defaultdict(list))
        self.lags: dict[str, dict[str, list[Line]]] = defaultdict(lambda: defaultdict(list))
        self.objects: dict[tuple[str, str], list[Block]] = defaultdict(list)
        self.headers: dict[str, Place] = {}
        self.strangers: dict[str, tuple[Place, str]] = {}
        self.unread: dict[Line, dict[str, None]] = {}
        self.object_unread: dict[tuple[str, str], list[Line]] = defaultdict(list)
        self.disagreeing: dict[tuple[Place, Place, str, str], dict[str, None]] = {}
        self.users: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._bound: dict[tuple[Texts, ...], _Bound] = {}
        self.relevant = 0
        by_table: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            by_table[row.table].append(row)
        self.by_table = by_table
        self.refused = refused(by_table["BUFFER_PROFILE"]) if lack.is_complete("PORT") else {}
        self.garbled: list[tuple[str, Line]] = []
        model = buffer_model(by_table["DEVICE_METADATA"], lack)
        self.dynamic = model.value == "dynamic" if model.is_known else None
        parameters = [row for row in its if row.table == PARAMETERS]
        self.idle = not_computed(self.dynamic, parameters, answers.objects, whole=lack.is_complete("PORT"))
        """Why nothing computes the numbers of a group that leaves them to the buffer model."""
        self.references = References({table: table for table in OBJECT_TABLES}, reserved={**self.idle, **self.refused})
        for row in its:
            if row.written:
                self._garble(row, row.written)
                self._named_by(row)
        self.made = Made(answers, lookup, self.dynamic, by_table["BUFFER_POOL"])
        self.local = {row.table for row in self.rows if row.key.count("|") == 3 and self.here.may_be(row.key)}
        self.agreed = {
            (row.table, row.key.split("|", 2)[2]) for row in self.rows if (row.table, row.key) in self.here.agreed
        }
        for table in TABLES:
            for row in by_table[table]:
                self._row(row)
        self._members()
        self._filtered()
        self._shown()
        self.device_parts = self._device_parts()
        template_uses(self.rows, self.references)

    def _text(self, name: str) -> str:
        for row in self.rows:
            if row.table == "DEVICE_METADATA" and isinstance(row.fields.get(name), str):
                return str(row.fields[name])
        return ""

    # rows to statements -------------------------------------------------------------------------------------------

    def _row(self, row: Row) -> None:
        if row.table in OBJECT_TABLES:
            self._object(row)
        elif row.table in LAG_TABLES:
            self._channel(row)
        elif row.table == "CABLE_LENGTH":
            self._cables(row)
        elif row.table in PORT_TABLES and row.key != _WIDE.get(row.table):
            self._port_row(row)

    def _channel(self, row: Row) -> None:
        """A row of a channel; one of MCLAG has its name behind the number of the domain."""
        name, lines = row.key.rpartition("|")[2], self._lines(row, "")
        if row.table == "MCLAG_INTERFACE":
            lines.insert(0, (statement(header(row.table), "channel", name), row.place()))
        if row.table == "PORTCHANNEL" or name in self.lags:
            self.lags[name][row.document].extend(lines)
        self._count(lines, ())

    def _lines(self, row: Row, where: str) -> list[Line]:
        """The statements of a row; fields that are none of our business are left out."""
        begins = header(row.table, where)
        lines: list[Line] = [(begins, row.place())] if row.table not in _HEADERLESS else []
        if row.odd:
            return [*lines, (f"{begins}{CONTEXT}={row.odd}", row.place())]
        fields = [  # NULL: how redis stores a row without fields
            (name, written)
            for name in row.fields
            if name != "NULL" and concerns_us(row.table, written := name.removesuffix("@"))
        ]
        numbers = row.json.lines_of(row.path, [name for name, _ in fields])
        for (name, written), number in zip(fields, numbers, strict=True):
            lines.append((statement(begins, written, row.fields[name]), Place(row.document, number)))
        return lines

    def _count(self, lines: list[Line], ports: Iterable[str]) -> None:
        for text, place in lines:
            parsed = parse(text)
            self.relevant += CONTEXT in text or parsed.unread
            if parsed.unread:
                self.unread.setdefault((text, place), {}).update(dict.fromkeys(ports))

    def _port_row(self, row: Row) -> None:
        found = target(row.table, row.key, self.here)
        if found is None:
            self._foreign(row)
            return
        ports = [p for p in found.ports if p != CPU and self._is_name(p, row)]
        if not ports:
            return
        lines = self._lines(row, found.where)
        self._count(lines, ports)
        for port in ports:
            if self._knows(port, row):
                self.own[port][row.document].extend(lines)

    def _foreign(self, row: Row) -> None:
        """A row of another line card; if no row is ours, the cards' names may be wrong, and nothing can be told."""
        lost = row.table not in self.local
        open_ = self.here.may_be(row.key) and (row.table, row.key.split("|", 2)[2]) not in self.agreed
        if _CARD.match(row.key) is None or (self.lack.is_complete(row.table) and (lost or open_)):
            self._garble(row, row.key)
            return
        for name, value in row.fields.items():
            table = NAMES.get((row.table, name))
            if table is not None and isinstance(value, str):
                self.references.apply(table, value, row.place(name), f"{row.table}|{row.key}")

    def _named_by(self, row: Row) -> None:
        """The names of a table whose own name is misspelt: that is one slip of the pen, and said of the table."""
        content: Any = row.json.value
        for step in row.path:
            content = content[step]
        for key, fields in content.items() if isinstance(content, dict) else ():
            if row.table in OBJECT_TABLES:
                self.references.define(row.table, key, row.place(), row.written)
                self.references.apply(row.table, key, row.place(), row.written)
            for name, value in fields.items() if isinstance(fields, dict) else ():
                table = NAMES.get((row.table, name))
                if table is not None and isinstance(value, str):
                    self.references.apply(table, value, row.place(), row.written)

    def _cables(self, row: Row) -> None:
        for port, length in row.fields.items():
            if self._is_name(port, row, port) and self._knows(port, row, port):
                lines = [(statement(header(row.table), "length", length), row.place(port))]
                self._count(lines, (port,))
                self.own[port][row.document].extend(lines)

    def _members(self) -> None:
        for row in self.by_table["PORTCHANNEL_MEMBER"]:
            channel, _, port = row.key.partition("|")
            named = self._is_name(channel, row) and self._is_name(port, row)
            if named and channel not in self.lags and self.lack.is_complete("PORTCHANNEL"):
                self.strangers.setdefault(channel, (row.place(), f"{row.table}|{row.key}"))

    def _filtered(self) -> None:
        """The rules by which access lists drop RoCE on ports, and on the channels that they name."""
        for name, place, dscp in dropping(self.by_table["ACL_TABLE"], self.by_table["ACL_RULE"]):
            said = ("PACKET_ACTION", "DROP") if dscp is None else ("DSCP", str(dscp))
            line = (statement(header(FILTERED), *said), place)
            lines = self.lags[name] if name in self.lags else self.own[name] if name in self.headers else None
            if lines is not None:
                lines[place.path].append(line)

    def _is_name(self, name: str, row: Row, field: str | None = None) -> bool:
        """Whether a key can name a port; a row whose key cannot might be any port's."""
        if _NAME.match(name) is not None:
            return True
        self._garble(row, row.key if field is None else field, field)
        return False

    def _garble(self, row: Row, name: str, field: str | None = None) -> None:
        """A row that nobody can place: what it might set is unknown on all ports."""
        table = "PORTCHANNEL" if row.table == "PORTCHANNEL_MEMBER" else row.table
        if table in TABLES:
            self.garbled.append((row.document, (f"{table} {json.dumps(name)}", row.place(field))))

    def _knows(self, port: str, row: Row, field: str | None = None) -> bool:
        """Whether there is such a port; in a fragment each row makes its port known."""
        if row.table == "PORT" or not self.lack.is_complete("PORT"):
            self.headers.setdefault(port, row.place())
        if port in self.headers:
            return True
        self.strangers.setdefault(port, (row.place(field), f"{row.table}|{row.key}"))
        return False

    def _object(self, row: Row) -> None:
        lines = self._lines(row, "")
        name = (row.table, row.key)
        self.relevant += len(lines) - 1
        self.object_unread[name].extend([line for line in lines if parse(line[0]).unread])
        if name in self.refused:
            return
        self.objects[name].append(_block(row.document, lines))
        self.references.define(*name, row.place(), f"{row.table}|{row.key}")
        # of a map in a part only that another name may mean it is told
        if not is_news(row) and (self.lack.is_complete("PORT") or not row.table.endswith("_MAP")):
            self.references.apply(*name, row.place(), f"{row.table}|{row.key}")
        if row.table == "BUFFER_PROFILE":
            for index, inner in self._names_in(self.objects[name][-1]):
                self.references.mention(*inner, self.objects[name][-1].place(index), f"{row.table}|{row.key}")

    def _device_parts(self) -> list[Part]:
        by_document: dict[str, list[Line]] = defaultdict(list)
        for table in TABLES:
            for row in self.by_table[table]:
                if row.key == _WIDE.get(table, object()) or table in DEVICE_TABLES:
                    lines = self._lines(row, "")
                    self._count(lines, () if table == "DEVICE_METADATA" else self.headers)
                    if table != "DEVICE_METADATA" and table != "LOSSLESS_TRAFFIC_PATTERN":
                        by_document[row.document].extend(lines)
        for document, line in self.garbled:
            self._count([line], self.headers)
            if table_of(line[0]) not in OBJECT_TABLES:
                by_document[document].append(line)
        parts = [Part("device", _block(path, lines)) for path, lines in by_document.items()]
        for part in list(parts):
            self._bind(part, None, parts, [])
        return parts

    def _shown(self) -> None:
        """What other commands show of the ports; profiles that only run stand in for what is defined nowhere."""
        for port in self.headers:
            lines = [*self.answers.of_all_ports, *self.answers.ports.get(port, ())]
            if lines:
                self._count(lines, (port,))
                by_document: dict[str, list[Line]] = defaultdict(list)
                for text, place in lines:
                    by_document[place.path].append((text, place))
                for path, its in by_document.items():
                    self.own[port][path].extend(its)
        for name, running in list(self.made.running(self.objects)):
            self.objects[name].append(running)
            its = [(text, running.place(i)) for i, text in enumerate(running.texts.statements)]
            self.object_unread[name].extend([line for line in its if parse(line[0]).unread])

    # ports --------------------------------------------------------------------------------------------------------

    def ports(self) -> list[PortReading]:
        """All ports, read."""
        starts = cell(self.by_table["DEVICE_METADATA"], "DEVICE_METADATA", "default_pfcwd_status")
        said: dict[str, Any] = {
            "complete": self.lack.complete,
            "has_groups": bool(self.by_table["BUFFER_PG"]),
            "has_cables": bool(self.by_table["CABLE_LENGTH"]),
            "dynamic": self.dynamic,
            "computes": not self.idle,
            "lag_unseen": False,
            "states_admin": any("admin_status" in row.fields for row in self.by_table["PORT"]),
            "lookup": self.made.state,
            "refused": frozenset(name for _, name in self.refused),
            "names_watched": any("pfcwd_sw_enable" in row.fields for row in self.by_table["PORT_QOS_MAP"]),
            "watchdog_later": (starts.value is True or starts.why is Why.NOT_PARSED) and not self.by_table["PFC_WD"],
        }
        contexts = {one: Context(kind=one, **said) for one in set(map(kind, self.headers))}
        return [self._port(name, contexts[kind(name)]) for name in self.headers]

    def _port(self, name: str, context: Context) -> PortReading:
        lag_name = self.names.lag_of.get(name, "")
        own = [Part("own", _block(path, lines)) for path, lines in self.own[name].items() if lines]
        channel = self.lags.get(lag_name, {})
        if lag_name and not channel:
            context = replace(context, lag_unseen=True)
        lag = [Part("lag", _block(path, lines)) for path, lines in channel.items() if lines]
        bound = self._bound_to(name, own)
        parts = (*self.device_parts, *bound.parts, *own, *lag)
        facts, problems = read_port(parts, context)
        for problem in problems:
            at, other = (parts[a.part].block.place(a.index) for a in (problem.at, problem.other))
            quote = shown(parts[problem.at.part].block.texts.statements[problem.at.index])
            self.disagreeing.setdefault((at, other, quote, problem.text), {})[name] = None
        return PortReading(name, facts, parts, self.headers[name], self._labels(name, bound.names))

    def _bound_to(self, name: str, own: Sequence[Part]) -> _Bound:
        """The objects that a port binds; ports of which the same is said bind the same."""
        key = tuple([part.block.texts for part in own])
        found = self._bound.get(key)
        if found is not None:
            self.references.use_again(found.used, name)
            for one in found.used:
                self.users[one][name] = None
            return found
        bound: list[Part] = []
        names: list[str] = []
        said = [text for part in own for text in part.block.texts.statements]
        awaited = self.made.awaited(said)
        if awaited in self.refused:
            awaited = None
        for part in own:
            self._bind(part, name, bound, names, awaited)
        for made in self.made.of_port(said):
            self._lean_on(made, name, "bound", bound)
        every = (name for part in (*own, *bound) for _, name in self._names_in(part.block))
        used = dict.fromkeys(name for name in every if name != awaited or name in self.objects)
        found = self._bound[key] = _Bound(tuple(bound), tuple(dict.fromkeys(names)), tuple(used))
        return found

    def _labels(self, name: str, bound: tuple[str, ...]) -> Labels:
        labels = self.names.labels(name, bound)
        alias = self.answers.aliases.get(name, name)
        return labels if alias in (name, *labels.aliases) else replace(labels, aliases=(*labels.aliases, alias))

    def _names_in(self, inner: Block) -> Iterator[tuple[int, Name]]:
        """The objects that a block names; in the dynamic buffer model one name means that the device computes it."""
        for index, name in named_in(inner.texts):
            if name[1] != COMPUTED or self.idle:
                yield index, name

    def _bind(
        self, part: Part, port: str | None, bound: list[Part], names: list[str], awaited: Name | None = None
    ) -> None:
        """Add the objects that `part` names, and what these name in turn; but for one that is awaited and that no row defines."""
        role: Role = "device" if port is None else "bound"
        have = {(p.kind, p.name) for p in bound}
        for index, name in self._names_in(part.block):
            if name == awaited and name not in self.objects:
                continue
            self.references.use(*name, part.block.place(index), shown(part.block.texts.statements[index]), port)
            if part.role != "bound":
                names.append(name[1])
            self.users[name].update(dict.fromkeys(self.headers if port is None else (port,)))
            if name not in have:
                self._lean_on(name, port, role, bound)
                have.update((name, *((p.kind, p.name) for p in bound)))

    def _lean_on(self, name: tuple[str, str], port: str | None, role: Role, bound: list[Part]) -> None:
        """Add an object, and what it names in turn."""
        if name in {(p.kind, p.name) for p in bound}:
            return
        made = self.made.looked_up(name[1]) if name[0] == "BUFFER_PROFILE" and name not in self.objects else None
        if made is not None:
            self.objects[name].append(made)
            self.references.define(*name, made.place(0), name[1])
            self.references.apply(*name, made.place(0), name[1])
        for found in self.objects.get(name, ()):
            inner = Part(role, found, *name)
            bound.append(inner)
            self._bind(inner, port, bound, [])


def _block(path: str, lines: list[Line]) -> Block:
    """A block in one order for all, since neither JSON nor redis keeps any: equal ports stay equal."""
    lines = sorted(lines, key=lambda line: (_ORDER[table_of(line[0])], line[0], line[1].line))
    return block(path, lines[0][1].line, tuple([t for t, _ in lines]), tuple([p.line for _, p in lines]))
