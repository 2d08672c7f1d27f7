"""What all command-line switches share: stanzas to ports, names to definitions, unread lines to observations.

A platform gives its table and a few functions; the rest of reading a running-config is the same everywhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from roce_audit.model import Port
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.bounds import MOST_PORTS, too_many_ports
from roce_audit.platforms.portreading import Labels, PortReading, bound_labels
from roce_audit.platforms.shared.cli.interface import Interface, as_member, described
from roce_audit.platforms.shared.cli.knowledge import given_in, knowledge_of
from roce_audit.platforms.shared.cli.namedblocks import NamedBlocks
from roce_audit.platforms.shared.cli.running import NO_LINK, Running, asleep, only_of
from roce_audit.platforms.shared.cli.syntax import UNCLEAR, PortContext, Syntax
from roce_audit.platforms.shared.cli.unreadlines import UnreadLines
from roce_audit.platforms.shared.ramps import Written, turned_round, without_idle
from roce_audit.platforms.shared.references import Name, References
from roce_audit.text.block import (
    CONTEXT,
    SHOWN,
    Block,
    LateBlock,
    Part,
    PartShape,
    PlacedParts,
    Texts,
    block,
    shapes_of,
    with_first,
)
from roce_audit.text.comments import Comment, addressed_to_us
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.indented import without_margin
from roce_audit.text.names import by_number, cut_short, expand
from roce_audit.text.outline import Outline, Stanza
from roce_audit.values import Place


@dataclass(frozen=True)
class _Alike:
    """What ports of a device have in common whose only stanzas say the same."""

    facts: Port
    shapes: tuple[PartShape, ...]
    paths: tuple[str, ...]
    firsts: tuple[int, ...]
    """The lines on which the parts begin that are before the port's own."""
    names: tuple[str, ...]
    """What the stanza names."""
    used: tuple[Name, ...]
    """What it names and what that names in turn."""
    leaning: tuple[list[str] | None, ...]
    """For each of those parts the ports that lean on lines in it which nobody understood, None where it has none."""


SWITCHED = "switched "
"""How a statement begins that tells what a port is configured to do: it counts where no configuration is there to say it."""
_BEGINNING = lazy(r"^(?:[0-9]{0,4}[A-Za-z-]+ ?)?\d+(?:[/.:]\d+)*(?:-(?:\d+[/.:])*\d+)?(?![\d/.:-])")
_FIRST_OF_RANGE = lazy(r"^(?:[0-9]{0,4}[A-Za-z-]+ ?)?\d+(?:[/.:]\d+)*(?=-[\d/.:]+\Z)")
"""The port at which a range begins whose ends do not fit together."""
_PLAIN = lazy(r"^[\w/.:, -]+$")
_CONFIGURATION = (
    "running-config",
    "startup-config",
    "show configuration",
    "current-configuration",
    "saved-configuration",
)
_DATA = ("ethernet", "lag")


class CommandLineReader:
    """One switch being read."""

    def __init__(self, syntax: Syntax, device: DeviceInput) -> None:
        self.syntax = syntax
        self.device = device
        self.interfaces: dict[str, Interface] = {}
        self.globals: list[Part] = []
        self.seen: list[Seen] = []
        self.complete: dict[str, str] = {}
        self.comments: list[Comment] = []
        self.strangers: list[tuple[str, str]] = []
        """(path, why) of answers about the ports of another switch, or about ports by names that nobody knows."""
        self.lines = self.relevant = self.described = 0
        self.unread = UnreadLines()
        self.split: set[str] = set()
        """Ports that are split into others, as a statement says or as the names of the others show."""
        self._runs_as_written: dict[tuple[int, int, int], tuple[Port, Port, Port]] = {}
        """By what they are: readings of one port that say the same of what runs and of what is configured."""
        self.without_link: set[str] = set()
        """Ports that have no link, as an answer says."""
        self.is_cut = False
        self.is_state_alone = False
        """Only answers of other commands are there: they name the ports as well."""
        self.knowledge = knowledge_of(syntax)
        self.references = References(syntax.words, syntax.builtin, syntax.used_elsewhere)
        self.named = NamedBlocks(self.references, self.knowledge)
        self.apart = ""
        """What tells the port that is read from others whose stanzas say the same: its slot."""
        self._alike: dict[tuple[Texts, tuple[int, ...], str, str, bool | None, str], _Alike | None] = {}
        """By what their stanza says, its file, and what else they are read by."""

    def read(self) -> DeviceReading:
        """Everything of this switch."""
        configuration = [document for document in self.device.documents if _is_configuration(document)]
        self.is_state_alone = not configuration
        for document in configuration:
            self._document(document)
        for document in self.device.documents:
            self._answer(document)
        for part in self.globals:
            self.named.bind(part, None, self.globals, [])
        # what is in doubt as a whole may not be there, and splits nothing
        self.split.update(n[:-2] for n, one in self.interfaces.items() if n.endswith(("/1", ":1")) and one.blocks)
        ports = tuple([self._port(name, interface) for name, interface in self.interfaces.items()])
        self.seen.extend(self.unread.observations())
        data = tuple(p.name for p in ports if self.syntax.interfaces.kind(p.name) in _DATA)
        wrong = tuple(turned_round(self._ramps()))
        if self._settles_names():
            odd = self.references.observations(data)
            empty = self.named.without_match(self.syntax.matching)
        elif any(one.observation.kind == "truncated" for one in self.seen):  # its last name may be cut as well
            odd = empty = iter(())
        else:
            odd, empty = self.references.slips(data, self.syntax.applied_once), iter(())
        self.seen.extend((*without_idle(odd, wrong), *wrong, *empty))
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
            lines=self.lines,
            lines_relevant=self.relevant,
            inline_suppressions=tuple(self.comments),
            unrecognised=tuple(self.strangers),
        )

    def _settles_names(self) -> bool:
        """Whether a name that nothing here defines or applies is an observation: in a fragment it may stand elsewhere."""
        return bool(self.complete)

    def _ramps(self) -> Iterator[Written]:
        """The pairs of thresholds in definitions that reach no port."""
        for name, block_ in self.named.without_port():
            for index, statement in enumerate(block_.texts.statements):
                ramp = self.syntax.ramp_of(self.syntax.table.parse(name[0], statement).value)
                if ramp is not None:
                    quote = statement.rpartition(CONTEXT)[2]
                    yield Written(name[1], self.references.called(name), ramp, block_.place(index), quote)

    def _document(self, document: Document) -> None:
        outline = self.syntax.outliner.outline(without_margin(document.text), document.path, document.first_line)
        self.lines += outline.lines
        self._completeness(document)
        if outline.top.texts.statements:
            self._device_part(Part("device", outline.top, "top"))
        for stanza in outline.stanzas:
            self._stanza(stanza)
        for index, text in enumerate(outline.top.texts.statements):
            if self.syntax.table.misspelt_header("top", text) == "port":
                self._doubt(given_in(text), outline.top.place(index))
        self.comments.extend(self._addressed_to_us(document, outline))

    def _addressed_to_us(self, document: Document, outline: Outline) -> tuple[Comment, ...]:
        """Comments that speak to us, bound to a stanza or to the next."""
        sign = self.syntax.other_comment(document) or self.syntax.table.comments[0]
        return addressed_to_us(document, sign, outline)

    def _answer(self, document: Document) -> None:
        """Hand the state that another command shows to the ports of the configuration."""
        strange: dict[str, None] = {}
        is_ours = False
        numbered: Mapping[str, str] | None = None
        for given, line, statement in self.syntax.answers(document):
            if statement.startswith(SWITCHED) and not self.is_state_alone:
                continue
            try:
                names = expand(given, self.syntax.interfaces.long_forms)
            except ValueError:
                numbered = by_number(self.interfaces) if numbered is None else numbered
                names = cut_short(given, numbered)
            if not names:
                strange[given] = None
                continue
            for name in names:
                if statement == NO_LINK:
                    if name in self.interfaces:
                        self.without_link.add(name)
                    continue
                if (
                    self.is_state_alone
                    and self.syntax.interfaces.kind(name) in _DATA
                    and len(self.interfaces) < MOST_PORTS
                ):
                    self.interfaces.setdefault(name, Interface(Place(document.path, line)))
                if name in self.interfaces:
                    is_ours = True
                    told = block(document.path, line, (statement,), (line,))
                    self.interfaces[name].state.append(told)
                    self._look(told, SHOWN)
                elif self.syntax.interfaces.kind(name) in _DATA:
                    strange[name] = None
        if strange and not is_ours and document.command and not _is_configuration(document):
            first = next(iter(strange))
            why = f"the answer of `{document.command}` names no port of this switch's configuration (but {first})"
            self.strangers.append((document.path, why))

    def _completeness(self, document: Document) -> None:
        because = self.syntax.why_whole(document)
        if because:
            self.complete[document.path] = because
            return
        cut = self.syntax.why_cut(document)
        if cut and not document.truncated and document.declared_complete is None:
            last = Place(document.path, document.line_at(len(document.text.rstrip())))
            text = f"{cut}: nothing that is missing here is taken as absent"
            self.seen.append(seen("truncated", document.path, text, last, "", ()))

    def _stanza(self, stanza: Stanza) -> None:
        if stanza.mode == "port":
            self._interface(stanza)
        elif stanza.mode in self.syntax.device_modes:
            self._device_part(Part("device", stanza.block, stanza.mode))
        elif stanza.mode == "breakout":
            self.split.update(self.syntax.breakout_parents(stanza.header))
        else:
            self._named(stanza)

    def _named(self, stanza: Stanza) -> None:
        word, _, taken_back = stanza.header.partition(" ")
        if word in self.syntax.table.negations:
            self._forget(stanza.mode, taken_back)
            return
        says = self.syntax.header_statement(stanza.mode, stanza.header)
        inner = self._with_header(stanza, says) if says else stanza.given
        place = Place(inner.path, stanza.line)
        for name in self.syntax.stanza_names(stanza.mode, stanza.header):
            self.named.define((stanza.mode, name), inner, place, stanza.header)
        if isinstance(inner, LateBlock):  # its statements are kept as they stand
            self.relevant += inner.count
            return
        self._look(inner, stanza.mode)
        tell = self.references.apply if stanza.mode in self.syntax.applying_modes else self.references.mention
        for index, name_in, quote in self.knowledge.of(inner, stanza.mode).names:
            tell(*name_in, inner.place(index), quote)

    def _forget(self, mode: str, header: str) -> None:
        """`no policy-map X`: what was defined under that name is no more, until it is defined again."""
        for name in self.syntax.stanza_names(mode, header):
            self.named.forget((mode, name))

    def _device_part(self, part: Part) -> None:
        self.globals.append(part)
        self._look(part.block, part.kind)

    def _interface(self, stanza: Stanza) -> None:
        header = self.knowledge.header(stanza.header)
        names = header.names
        if names is None:
            self._unnamed(stanza, header.given)
            return
        if header.is_taken_back:
            self._take_back([name for name, _ in names], stanza)
            return
        named = len(names)
        self.described += named
        if self.described > MOST_PORTS:
            self._leave_out(stanza)
            return
        inner, labels = stanza.block, stanza.labels
        for name, kind in names:
            found = self.interfaces.get(name)
            if found is None:
                found = self.interfaces[name] = Interface(Place(inner.path, stanza.line), named)
            elif named < found.named_with:
                found.header, found.named_with = Place(inner.path, stanza.line), named
            if labels:
                if named == 1:
                    if found.own_labels and kind in _DATA:
                        self._told_twice(name, found, stanza)
                    else:
                        found.own_labels = labels
                found.labels += labels
            # the name is left out of the header, so that equal ports stay equal
            found.blocks += (self._with_header(stanza, f"interface {kind}{self._attributes(header.given)}"),)
        self._look(inner, "port")

    def _take_back(self, names: Sequence[str], stanza: Stanza) -> None:
        """`default interface` and `no interface`: what was said of these holds no more; a port of the device stays, as it came."""
        for name in self.interfaces.keys() & set(names):
            kind = self.syntax.interfaces.kind(name)
            if kind == "ethernet":
                anew = self._with_header(stanza, f"interface {kind}")
                self.interfaces[name] = Interface(Place(stanza.block.path, stanza.line), MOST_PORTS, (anew,))
            else:
                del self.interfaces[name]

    def _leave_out(self, stanza: Stanza) -> None:
        """Read no more of the ports: what is missing is not taken as absent."""
        self.complete.pop(stanza.block.path, None)
        if not self.is_cut:
            self.is_cut = True
            self.seen.append(too_many_ports(Place(stanza.block.path, stanza.line), stanza.header))

    def _unnamed(self, stanza: Stanza, given: str) -> None:
        """A stanza whose name is none of this platform."""
        if not self._is_aside(given):
            place = Place(stanza.block.path, stanza.line)
            self.unread.add(place, stanza.header, self._doubt(given, place))

    def _doubt(self, given: str, place: Place) -> list[str]:
        """The data ports that this names, or else its beginning: nobody knows what the stanza on this line says of them."""
        named: tuple[str, ...] = ()
        begun = (pattern.match(given) for pattern in (_BEGINNING, _FIRST_OF_RANGE))
        beginnings = [found.group() for found in begun if found]
        for text in () if self._is_aside(given) else (given, *beginnings):
            with contextlib.suppress(ValueError):  # then there is nothing to guess from
                named = named or self.syntax.interfaces.expand(text)
        ports = [name for name in named if self.syntax.interfaces.kind(name) in _DATA]
        for name in ports:
            found = self.interfaces.setdefault(name, Interface(place))
            found.unclear.append(block(place.path, place.line, (), ()))
        return ports

    def _is_aside(self, given: str) -> bool:
        """Whether an interface is of a kind that is not read."""
        return _PLAIN.match(given) is not None and given.lower().startswith(self.syntax.interfaces.set_aside)

    def _told_twice(self, name: str, interface: Interface, stanza: Stanza) -> None:
        """A port that two stanzas describe in different words was meant for two things."""
        before, now = described(interface.own_labels), described(stanza.labels)
        if (
            before and now is not None and not (now.startswith(before) or before.startswith(now))
        ):  # one that says more is the same one
            text = f"configured before as {before!r}: what this stanza does not repeat stays in force from there"
            place = Place(stanza.block.path, stanza.line)
            self.seen.append(seen("conflict", name, text, place, stanza.header, (name,)))

    def _attributes(self, given: str) -> str:
        """What the header of an interface says behind its name, with a blank before it."""
        return ""

    def _with_header(self, stanza: Stanza, statement: str) -> Block:
        """The stanza with what its header says as first statement."""
        return with_first(stanza.block, stanza.line, statement)

    def _look(self, of: Block, kind: str) -> None:
        """Count the relevant lines of a block, and record those that were not understood."""
        known = self.knowledge.of(of, kind)
        self.relevant += known.relevant
        if known.unread:
            self.unread.note(of, kind, known.unread)

    def _port(self, name: str, interface: Interface) -> PortReading:
        kind = self._kind(name)
        labels = self.knowledge.labels(interface.labels, kind)
        implied = self.syntax.implied(interface.labels, labels)
        if interface.is_plain and not implied:
            plain = self._plain_port(name, interface, kind, labels)
            if plain is not None:
                return plain
        own = [Part("own", b, "port") for b in interface.blocks]
        lag = interface.member_of or self._lag_of(own)
        channel = self.interfaces.get(lag) if lag else None
        behind = [] if channel is None else [Part("lag", b, "port") for b in channel.blocks]
        if channel is not None:
            labels = as_member(labels, self.knowledge.labels(channel.labels, "lag"))
            implied = self.syntax.implied(interface.labels, labels)
        bound: list[Part] = []
        names: list[str] = []
        for part in (*own, *behind):
            self.named.bind(part, name, bound, names)
        for one in implied:
            for found in self.named.defined(one):
                bound.append(Part("bound", found, *one))
                self.named.bind(bound[-1], name, bound, names)
        state = [Part("own", b, SHOWN) for b in interface.state]
        unclear = [Part("own", b, UNCLEAR) for b in interface.unclear]
        unclear += [] if channel is None else [Part("lag", b, UNCLEAR) for b in channel.unclear]
        parts = (*self.globals, *bound, *own, *unclear, *behind, *state)
        if self.unread.any_in_blocks:
            self.unread.lean(name, self.unread.leaning(parts, on_device=kind in _DATA))
        said = (*interface.blocks, *interface.unclear)
        complete = bool(said) and all(b.path in self.complete for b in said)
        context = self._context(kind, labels.routed, complete)
        facts = self.syntax.read_port(parts, context)
        if state and own:
            facts = self._running(name, kind, facts, parts, labels.routed)
        if name in self.without_link:
            facts = asleep(facts)
        if lag or names:
            labels = bound_labels(labels, lag, tuple(dict.fromkeys(names)))
        return PortReading(name, facts, parts, interface.header, labels)

    def _running(self, name: str, kind: str, facts: Port, parts: Sequence[Part], routed: bool | None) -> Port:
        """The facts as they run, where an answer shows them otherwise than they are written; which is told."""
        context = self._context(kind, routed, False)
        shown = self.syntax.read_port(only_of(parts, shown=True), context)
        written = self.syntax.read_port(only_of(parts, shown=False), context)
        key = id(facts), id(written), id(shown)
        if key in self._runs_as_written:
            return facts
        running = Running(facts, written, shown, parts)
        if running.facts is facts and not running.told:
            self._runs_as_written[key] = facts, written, shown
        for text, place in running.told:
            self.seen.append(seen("conflict", name, text, place, text.partition(":")[0], (name,)))
        return running.facts

    def _plain_port(self, name: str, interface: Interface, kind: str, labels: Labels) -> PortReading | None:
        """A port of one stanza, as the first of those that say the same was read; None where it is in a channel."""
        (own,) = interface.blocks
        key = (own.texts, own.offsets, own.path, kind, labels.routed, self.apart)
        if key in self._alike:
            found = self._alike[key]
        else:
            context = self._context(kind, labels.routed, own.path in self.complete)
            found = self._alike[key] = self._read_plain(name, Part("own", own, "port"), kind, context)
        if found is None:
            return None
        self.references.use_again(found.used, name)
        if self.unread.any_in_blocks:
            self.unread.lean(name, (*found.leaning, self.unread.below(own, "port")))
        if found.names:
            labels = bound_labels(labels, "", found.names)
        parts = PlacedParts(found.shapes, found.paths, (*found.firsts, own.first))
        return PortReading(name, found.facts, parts, interface.header, labels)

    def _read_plain(self, name: str, own: Part, kind: str, context: PortContext) -> _Alike | None:
        """What holds for all ports whose only stanza says the same as that of this one; None where it is in a channel."""
        if self._lag_of([own]):
            return None
        bound: list[Part] = []
        names: list[str] = []
        self.named.bind(own, name, bound, names)
        parts = (*self.globals, *bound, own)
        paths = tuple([part.block.path for part in parts])
        return _Alike(
            facts=self.syntax.read_port(parts, context),
            shapes=shapes_of(parts),
            paths=paths if len(set(paths)) > 1 else paths[:1],
            firsts=tuple([part.block.first for part in parts[:-1]]),
            names=tuple(dict.fromkeys(names)),
            used=tuple(dict.fromkeys(used for part in (own, *bound) for _, used, _ in self.named.named_in(part))),
            leaning=tuple(self.unread.leaning(parts[:-1], on_device=kind in _DATA)),
        )

    def _context(self, kind: str, routed: bool | None, complete: bool) -> PortContext:
        """What the reading of a port depends on besides its statements."""
        return PortContext(kind, routed, complete)

    def _kind(self, name: str) -> str:
        return "breakout-parent" if name in self.split else self.syntax.interfaces.kind(name)

    def _lag_of(self, own: Iterable[Part]) -> str:
        found = ""
        for part in own:
            found = self.knowledge.of(part.block, part.kind).lag or found
        return found


def _is_configuration(document: Document) -> bool:
    return document.command is None or any(word in document.command for word in _CONFIGURATION)
