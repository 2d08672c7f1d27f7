"""What all command-line switches share: stanzas to ports, names to definitions, unread lines to observations.

A platform gives its dialect and a few functions; the rest of reading a running-config is the same everywhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from roce_audit.model import Device, Observation, Port
from roce_audit.platforms.base import DeviceReading, Labels, PortReading, Seen
from roce_audit.platforms.references import Name, References
from roce_audit.text.block import CONTEXT, Block, Part, PartKey, block, key_of
from roce_audit.text.comments import Comment, addressed_to_us
from roce_audit.text.dialect import Dialect
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import expand
from roce_audit.text.outline import Outliner, Stanza
from roce_audit.values import Place, known


@dataclass(frozen=True, slots=True)
class PortContext:
    """What the reading of a port depends on besides its statements."""

    kind: str
    routed: bool | None
    complete: bool


@dataclass(frozen=True, slots=True)
class Interfaces:
    """How a platform names interfaces: canonical prefix -> kind of port, and lower-case short forms -> canonical prefix."""

    kinds: Mapping[str, str]
    long_forms: Mapping[str, str]
    lag_prefix: str

    def kind(self, name: str) -> str:
        """The port kind of a canonical name."""
        prefix = "".join(c for c in name if not (c.isdigit() or c in "/.:"))
        kind = self.kinds[prefix]
        return "subinterface" if "." in name and kind in ("ethernet", "lag") else kind


@dataclass(frozen=True, slots=True)
class Syntax:
    """One command-line platform."""

    name: str
    dialect: Dialect
    outliner: Outliner
    interfaces: Interfaces
    words: Mapping[str, str]
    """Stanza modes that define a name -> what the vendor calls such a thing. The port's mode is always "port"."""
    builtin: frozenset[Name]
    device_modes: frozenset[str]
    """Modes of nameless stanzas that hold for all ports."""
    named_by: Callable[[object, str], Sequence[Name]]
    """(parsed statement, mode) -> the names it refers to."""
    labels: Callable[[Sequence[str], str], Labels]
    """(label lines of a port, its kind) -> its labels."""
    lag_of: Callable[[object], str]
    """A parsed statement -> the name of the LAG it puts the port in, or ""."""
    complete_because: Callable[[Document], str]
    """Why a document counts as a whole running-config; "" for a fragment."""
    looks_complete: Callable[[Document], bool]
    read_port: Callable[[tuple[Part, ...], PartKey, PortContext], Port]
    device_facts: Callable[[DeviceInput], Device]


@dataclass
class _Interface:
    """What was gathered of one interface before it is read."""

    header: Place
    blocks: list[Block] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)


class CommandLineReader:
    """One switch being read."""

    def __init__(self, syntax: Syntax, device: DeviceInput) -> None:
        self.syntax = syntax
        self.device = device
        self.interfaces: dict[str, _Interface] = {}
        self.named: dict[Name, list[Block]] = defaultdict(list)
        self.globals: list[Part] = []
        self.seen: list[Seen] = []
        self.references = References(syntax.words, syntax.builtin)
        self.complete: dict[str, str] = {}
        self.looks_complete: list[str] = []
        self.comments: list[Comment] = []
        self.lines = self.relevant = 0

    def read(self) -> DeviceReading:
        """Everything of this switch."""
        for document in self.device.documents:
            self._document(document)
        for part in self.globals:
            self._bind(part, None, self.globals, [])
        ports = tuple([self._port(name, interface) for name, interface in self.interfaces.items()])
        if self.complete or self.looks_complete:  # in a fragment a name may well be defined elsewhere
            self.seen.extend(self.references.observations())
        first = self.device.documents[0]
        return DeviceReading(
            name=self.device.name,
            platform=self.syntax.name,
            kind="switch",
            device=self.syntax.device_facts(self.device),
            device_parts=(),
            ports=ports,
            first=Place(first.path, first.first_line),
            seen=tuple(self.seen),
            complete_because=self.complete,
            looks_complete=tuple(self.looks_complete),
            lines=self.lines,
            lines_relevant=self.relevant,
            inline_suppressions=tuple(self.comments),
        )

    def _document(self, document: Document) -> None:
        outline = self.syntax.outliner.outline(document.text, document.path, document.first_line)
        self.lines += outline.lines
        self._completeness(document)
        if outline.top.texts.statements:
            self._device_part(Part("device", outline.top, "top"))
        for stanza in outline.stanzas:
            self._stanza(stanza)
        self.comments.extend(addressed_to_us(document, self.syntax.dialect.comments[0], outline))

    def _completeness(self, document: Document) -> None:
        if document.truncated:
            return
        because = "the policy says so" if document.declared_complete else self.syntax.complete_because(document)
        if because:
            self.complete[document.path] = because
        elif self.syntax.looks_complete(document):
            self.looks_complete.append(document.path)

    def _stanza(self, stanza: Stanza) -> None:
        if stanza.mode == "port":
            self._interface(stanza)
        elif stanza.mode in self.syntax.device_modes:
            self._device_part(Part("device", stanza.block, stanza.mode))
        else:
            name = stanza.header.rsplit(" ", 1)[-1]
            self.named[(stanza.mode, name)].append(stanza.block)
            self.references.define(stanza.mode, name, Place(stanza.block.path, stanza.line), stanza.header)
            part = Part("bound", stanza.block, stanza.mode, name)
            self._look(part, ())
            for index, inner, quote in self._names_in(part):
                self.references.mention(*inner, part.block.place(index), quote)

    def _device_part(self, part: Part) -> None:
        self.globals.append(part)
        self._look(part, ())

    def _interface(self, stanza: Stanza) -> None:
        given = stanza.header.partition(" ")[2].removeprefix("range ").strip()
        try:
            names = expand(given, self.syntax.interfaces.long_forms)
        except ValueError:
            self._unread(Place(stanza.block.path, stanza.line), stanza.header, ())
            return
        for name in names:
            found = self.interfaces.get(name)
            if found is None:
                found = self.interfaces[name] = _Interface(Place(stanza.block.path, stanza.line))
            found.blocks.append(self._with_header(stanza, self.syntax.interfaces.kind(name)))
            found.labels.extend(stanza.labels)
        self._look(Part("own", stanza.block, "port"), names)

    def _with_header(self, stanza: Stanza, kind: str) -> Block:
        """The stanza with its header as first statement, the name left out so that equal ports stay equal."""
        inner = stanza.block
        lines = [inner.first + offset for offset in inner.offsets]
        return block(inner.path, stanza.line, (f"interface {kind}", *inner.texts.statements), (stanza.line, *lines))

    def _look(self, part: Part, ports: tuple[str, ...]) -> None:
        """Count the relevant lines of a block, and record those that were not understood."""
        for index, statement in enumerate(part.block.texts.statements):
            parsed = self.syntax.dialect.parse(part.kind, statement)
            self.relevant += parsed.topic is not None
            if parsed.unread and all(header.value is not None for header in parsed.context):
                self._unread(part.block.place(index), statement.rpartition(CONTEXT)[2], ports)

    def _unread(self, place: Place, text: str, ports: tuple[str, ...]) -> None:
        observation = Observation(
            kind="unread-line",
            name=text,
            text="this line concerns lossless settings and was not understood; what it sets is taken as unknown",
            relied_on=known(bool(ports), place),
            at=known(text, place),
        )
        self.seen.append(Seen(observation, place, text, ports))

    def _port(self, name: str, interface: _Interface) -> PortReading:
        kind = self.syntax.interfaces.kind(name)
        labels = self.syntax.labels(interface.labels, kind)
        own = [Part("own", b, "port") for b in interface.blocks]
        lag = self._lag_of(own)
        channel = self.interfaces.get(lag) if lag else None
        behind = [] if channel is None else [Part("lag", b, "port") for b in channel.blocks]
        bound: list[Part] = []
        names: list[str] = []
        for part in (*own, *behind):
            self._bind(part, name, bound, names)
        parts = (*self.globals, *bound, *own, *behind)
        complete = all(b.path in self.complete for b in interface.blocks)
        context = PortContext(kind, labels.routed, complete)
        facts = self.syntax.read_port(parts, key_of(parts), context)
        labels = replace(labels, lag=lag, names=tuple(names))
        return PortReading(name, facts, parts, interface.header, labels)

    def _lag_of(self, own: Iterable[Part]) -> str:
        found = ""
        for part in own:
            for statement in part.block.texts.statements:
                found = self.syntax.lag_of(self.syntax.dialect.parse("port", statement).value) or found
        return found

    def _names_in(self, part: Part) -> Iterable[tuple[int, Name, str]]:
        for index, statement in enumerate(part.block.texts.statements):
            value = self.syntax.dialect.parse(part.kind, statement).value
            for name in self.syntax.named_by(value, part.kind) if value is not None else ():
                yield index, name, statement.rpartition(CONTEXT)[2]

    def _bind(self, part: Part, port: str | None, bound: list[Part], names: list[str]) -> None:
        """Add what `part` names, and what that names in turn, to `bound`; `port` None = for the whole device."""
        role = "device" if port is None else "bound"
        have = {(p.kind, p.name) for p in bound}
        for index, name, quote in self._names_in(part):
            self.references.use(*name, part.block.place(index), quote, port)
            if part.role != "bound":
                names.append(name[1])
            if name in have:
                continue
            have.add(name)
            for found in self.named.get(name, ()):
                inner = Part(role, found, *name)  # type: ignore[arg-type]
                bound.append(inner)
                if port is not None:
                    self._bind(inner, port, bound, names)
