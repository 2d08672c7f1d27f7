"""What the documents of a command-line switch say, gathered before a port is read: by interface, by name, and for the whole device."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, no_link, seen
from roce_audit.platforms.bounds import MOST_PORTS, too_many_ports
from roce_audit.platforms.shared.cli.interface import Interface, described
from roce_audit.platforms.shared.cli.knowledge import given_in, knowledge_of
from roce_audit.platforms.shared.cli.namedblocks import NamedBlocks
from roce_audit.platforms.shared.cli.running import ERROR_DISABLED, NO_LINK, OUT_OF_CHANNEL, shut_port
from roce_audit.platforms.shared.cli.syntax import Syntax
from roce_audit.platforms.shared.cli.unreadlines import UnreadLines
from roce_audit.platforms.shared.references import Name, References
from roce_audit.text.block import (
    SHOWN,
    Block,
    LateBlock,
    Part,
    block,
    with_first,
)
from roce_audit.text.comments import Comment, addressed_to_us
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.leftout import left_out_at
from roce_audit.text.names import by_number, cut_short, expand
from roce_audit.text.outline import Outline, Stanza, on_lines
from roce_audit.text.structured.indented import without_margin
from roce_audit.values import Place

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
DATA = ("ethernet", "lag")
"""The kinds of ports that carry data."""


class Gathering:
    """The stanzas and answers of one switch, sorted by what they are about."""

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
        self.ranges: dict[str, Sequence[str]] = {}
        """What ranges of ports are called, by their headers."""
        self.unread = UnreadLines()
        self.split: set[str] = set()
        """Ports that are split into others, as a statement says or as the names of the others show."""
        self.without_link: dict[str, tuple[str, Place]] = {}
        """Ports that have no link, as an answer says: with the port as it is written, and where."""
        self.out_of_channel: dict[str, tuple[str, Place]] = {}
        """Members that their channel does not use: what an answer says of that, and where."""
        self.error_disabled: dict[str, tuple[str, Place]] = {}
        """Of these the ones that the switch itself has shut: its longest words for that, and where they stand."""
        self.is_cut = False
        self.is_state_alone = False
        """Only answers of other commands are there: they name the ports as well."""
        self.knowledge = knowledge_of(syntax)
        self.references = References(syntax.words, syntax.builtin, syntax.used_elsewhere)
        self.named = NamedBlocks(self.references, self.knowledge)
        self.handed_on: dict[Name, tuple[str, ...]] = {}
        """Name of a stanza -> the label lines that it hands on to the ports that name it."""

    def _document(self, document: Document) -> None:
        outline = self.syntax.outliner.outline(without_margin(document.text), document.path, document.first_line)
        if document.lines:
            outline = on_lines(outline, document.lines, outline.lines)
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
        """Hand the state that another command shows to the ports of the configuration, or take it in as what is configured."""
        programmed = self.syntax.programmed(document, self.device.documents)
        if programmed is not None:
            self.seen.extend(programmed.told)
            if not programmed.is_read:
                self.strangers.append((document.path, "an answer in this form is not read"))
            if programmed.document is not None:
                self._document(programmed.document)
                for because in list(self.complete.values())[:1]:  # beside a whole configuration nothing is missing here
                    self.complete.setdefault(document.path, because)
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
                if statement == NO_LINK or statement.startswith(ERROR_DISABLED):
                    if name in self.interfaces or self.is_state_alone:
                        self._without_link(name, given, statement, Place(document.path, line))
                    continue
                if statement.startswith(OUT_OF_CHANNEL):
                    said = statement.removeprefix(OUT_OF_CHANNEL), Place(document.path, line)
                    self.out_of_channel.setdefault(name, said)
                    continue
                if (
                    self.is_state_alone
                    and self.syntax.interfaces.kind(name) in DATA
                    and len(self.interfaces) < MOST_PORTS
                ):
                    self.interfaces.setdefault(name, Interface(Place(document.path, line)))
                if name in self.interfaces:
                    is_ours = True
                    told = block(document.path, line, (statement,), (line,))
                    self.interfaces[name].state.append(told)
                    self._look(told, SHOWN)
                elif self.syntax.interfaces.kind(name) in DATA:
                    strange[name] = None
        if strange and not is_ours and document.command and not is_configuration(document):
            first = next(iter(strange))
            why = f"the answer of `{document.command}` names no port of this switch's configuration (but {first})"
            self.strangers.append((document.path, why))

    def _without_link(self, name: str, given: str, statement: str, place: Place) -> None:
        self.without_link.setdefault(name, (given, place))
        words = statement.removeprefix(ERROR_DISABLED)
        if statement != NO_LINK and len(words) > len(self.error_disabled.get(name, ("", place))[0]):
            self.error_disabled[name] = words, place

    def _shut_ports(self) -> Iterator[Seen]:
        for name, (words, place) in self.error_disabled.items():
            if name in self.interfaces:
                yield shut_port(name, words, place)
        for name, (given, place) in self.without_link.items():
            if name not in self.error_disabled and name in self.interfaces:
                yield no_link(name, place, given)
        for name, (clause, place) in self.out_of_channel.items():
            if name not in self.without_link:
                yield no_link(name, place, "", clause)

    def _completeness(self, document: Document) -> None:
        because = self.syntax.why_whole(document)
        if because:
            self.complete[document.path] = because
            return
        cut = self.syntax.why_cut(document)
        if cut and not document.truncated and document.declared_complete is None:
            mark = left_out_at(document.text)
            place = Place(document.path, document.line_at(mark if mark >= 0 else len(document.text.rstrip())))
            text = f"{cut}: nothing that is missing here is taken as absent"
            self.seen.append(seen("truncated", document.path, text, place, "", ()))

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
            if handed_on := tuple(self.syntax.handed_on(stanza)) if stanza.labels else ():
                self.handed_on[stanza.mode, name] = (*self.handed_on.get((stanza.mode, name), ()), *handed_on)
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
                    if found.own_labels and kind in DATA:
                        self._told_twice((name,), found.own_labels, stanza)
                    else:
                        found.own_labels = labels
                found.labels += labels
            # the name is left out of the header, so that equal ports stay equal
            found.blocks += (self._with_header(stanza, f"interface {kind}{self._attributes(header.given)}"),)
        if labels and named > 1 and any(kind in DATA for _, kind in names):
            before = self.ranges.setdefault(header.given, labels)
            if (
                before is not labels
            ):  # of two ranges that only have ports in common, one may be what most of the other are
                self._told_twice([name for name, _ in names], before, stanza)
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
        ports = [name for name in named if self.syntax.interfaces.kind(name) in DATA]
        for name in ports:
            found = self.interfaces.setdefault(name, Interface(place))
            found.unclear.append(block(place.path, place.line, (), ()))
        return ports

    def _is_aside(self, given: str) -> bool:
        """Whether an interface is of a kind that is not read."""
        return _PLAIN.match(given) is not None and given.lower().startswith(self.syntax.interfaces.set_aside)

    def _told_twice(self, names: Sequence[str], labels: Sequence[str], stanza: Stanza) -> None:
        """A port, or a range, that two stanzas describe in different words was meant for two things."""
        before, now = described(labels), described(stanza.labels)
        if (
            before and now is not None and not (now.startswith(before) or before.startswith(now))
        ):  # one that says more is the same one
            text = f"configured before as {before!r}: what this stanza does not repeat stays in force from there"
            place = Place(stanza.block.path, stanza.line)
            self.seen.append(seen("conflict", names[0], text, place, stanza.header, tuple(names)))

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


def is_configuration(document: Document) -> bool:
    """Whether a document is a configuration, and no answer about the state."""
    return document.command is None or any(word in document.command for word in _CONFIGURATION)
