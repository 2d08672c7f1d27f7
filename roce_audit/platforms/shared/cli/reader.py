"""What all command-line switches share: stanzas to ports, names to definitions, unread lines to observations.

A platform gives its table and a few functions; the rest of reading a running-config is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from roce_audit.model import Port
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.portreading import Labels, PortReading, bound_labels
from roce_audit.platforms.shared.cli.gathering import DATA, Gathering, is_configuration
from roce_audit.platforms.shared.cli.interface import Interface, as_member
from roce_audit.platforms.shared.cli.running import Running, asleep, only_of
from roce_audit.platforms.shared.cli.syntax import UNCLEAR, PortContext, Syntax
from roce_audit.platforms.shared.ramps import Written, turned_round, without_idle
from roce_audit.platforms.shared.references import Name
from roce_audit.text.block import (
    CONTEXT,
    SHOWN,
    Block,
    Part,
    PartShape,
    PlacedParts,
    Texts,
    shapes_of,
)
from roce_audit.text.document import DeviceInput
from roce_audit.values import At, Place


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


class CommandLineReader(Gathering):
    """One switch being read."""

    def __init__(self, syntax: Syntax, device: DeviceInput) -> None:
        super().__init__(syntax, device)
        self._runs_as_written: dict[tuple[int, int, int], tuple[Port, Port, Port]] = {}
        """By what they are: readings of one port that say the same of what runs and of what is configured."""
        self.apart = ""
        """What tells the port that is read from others whose stanzas say the same: its slot."""
        self._alike: dict[tuple[Texts, tuple[int, ...], str, str, bool | None, str], _Alike | None] = {}
        """By what their stanza says, its file, and what else they are read by."""

    def _taken_off(self, data: tuple[str, ...]) -> Iterator[Seen]:
        """Names that are applied to the whole device, or to ports, and that a later line takes off again."""
        told: dict[str, tuple[Place, str, list[str]]] = {}
        for statement, (place, quote) in self._off_again([part.block for part in self.globals]).items():
            told[statement] = place, quote, list(data)
        for port, interface in self.interfaces.items():
            for statement, (place, quote) in self._off_again(interface.blocks).items():
                told.setdefault(statement, (place, quote, []))[2].append(port)
        for statement, (place, quote, ports) in told.items():
            for name in self.references.used_by(statement):
                if self.references.is_only_one(name):  # else another one may stand in its place
                    kept = len(set(self.references.ports(name)).difference(ports))
                    effect = f" on {len(ports)} of {kept + len(ports)} ports" if kept else ", so it has no effect"
                    text = f"{self.references.called(name)} is applied and taken off again{effect}"
                    found = seen("unapplied", name[1], text, place, quote, tuple(ports))
                    yield replace(found, makes=self.named.made_by(name))

    def _off_again(self, blocks: Iterable[Block]) -> dict[str, tuple[Place, str]]:
        """The statements of which the last that is said is that they do not hold, and where that is."""
        off: dict[str, tuple[Place, str]] = {}
        said: dict[str, str] = {}
        """Statements by themselves, and by all of their words but the last, which may be a name."""
        for one in blocks:
            for index, statement in enumerate(one.texts.statements):
                word, _, rest = statement.partition(" ")
                if word in self.syntax.table.negations and rest in said:
                    off[said[rest]] = one.place(index), statement
                elif word not in self.syntax.table.negations:
                    off.pop(statement, None)
                    said |= {statement.rpartition(" ")[0]: statement, statement: statement}
        return off

    def read(self) -> DeviceReading:
        """Everything of this switch."""
        configuration = [document for document in self.device.documents if is_configuration(document)]
        self.is_state_alone = not configuration
        for document in configuration:
            self._document(document)
        for document in self.device.documents:
            self._answer(document)
        for part in self.globals:
            self.named.bind(part, None, self.globals, [])
        # what is in doubt as a whole may not be there, and splits nothing
        self.split.update(n[:-2] for n, one in self.interfaces.items() if n.endswith(("/1", ":1")) and one.blocks)
        ports = tuple([self._at_present(self._port(name, one)) for name, one in self.interfaces.items()])
        self.seen.extend(self.unread.observations())
        self.seen.extend(self._shut_ports())
        data = tuple(p.name for p in ports if self.syntax.interfaces.kind(p.name) in DATA)
        wrong = tuple(turned_round(self._ramps(is_portless=not data)))
        if self._settles_names():
            odd = self.references.observations(data, self.named.made_by)
            matching = self.syntax.matching
            empty: Iterator[Seen] = chain(self.named.without_match(matching), self.named.never_met(matching))
        elif any(one.observation.kind == "truncated" for one in self.seen):  # its last name may be cut as well
            odd = empty = iter(())
        else:
            odd, empty = (
                self.references.slips(data, self.syntax.applied_once, self.named.made_by),
                self._taken_off(data),
            )
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

    def _at_present(self, port: PortReading) -> PortReading:
        """The port, and that it has no link where an answer says so."""
        return replace(port, labels=replace(port.labels, no_link=True)) if port.name in self.without_link else port

    def _settles_names(self) -> bool:
        """Whether a name that nothing here defines or applies is an observation: in a fragment it may stand elsewhere."""
        return bool(self.complete)

    def _ramps(self, *, is_portless: bool) -> Iterator[Written]:
        """The pairs of thresholds in definitions that reach no port: those of the whole device neither, where no port is in sight."""
        for name, block_ in self.named.without_port(is_portless=is_portless):
            for index, statement in enumerate(block_.texts.statements):
                ramp = self.syntax.ramp_of(self.syntax.table.parse(name[0], statement).value)
                if ramp is not None:
                    quote = statement.rpartition(CONTEXT)[2]
                    yield Written(name[1], self.references.called(name), ramp, block_.place(index), quote)

    def _port(self, name: str, interface: Interface) -> PortReading:
        kind = self._kind(name)
        label_lines = self._label_lines(interface)
        labels = self.knowledge.labels(label_lines, kind)
        implied = self.syntax.implied(label_lines, labels)
        if interface.is_plain and not implied:
            plain = self._plain_port(name, interface, kind, labels)
            if plain is not None:
                return plain
        own = [Part("own", b, "port") for b in interface.blocks]
        lag = interface.member_of or self._lag_of(own)
        channel = self.interfaces.get(lag) if lag else None
        behind = [] if channel is None else [Part("lag", b, "port") for b in channel.blocks]
        if channel is not None:
            labels = as_member(labels, self.knowledge.labels(self._label_lines(channel), "lag"))
            implied = self.syntax.implied(label_lines, labels)
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
            self.unread.lean(name, self.unread.leaning(parts, on_device=kind in DATA))
        said = (*interface.blocks, *interface.unclear)
        complete = bool(said) and all(b.path in self.complete for b in said)
        context = self._context(kind, labels.routed, complete)
        facts = self.syntax.read_port(parts, context)
        if state and own:
            facts = self._running(name, kind, facts, parts, labels.routed)
        if len(own) > 1 and not complete:
            self._pause_taken_back(name, facts, parts, context)
        if name in self.without_link:
            facts = asleep(facts)
        if lag or names:
            labels = bound_labels(labels, lag, tuple(dict.fromkeys(names)))
        return PortReading(name, facts, parts, interface.header, labels)

    def _pause_taken_back(self, name: str, facts: Port, parts: tuple[Part, ...], context: PortContext) -> None:
        """Tell of a stanza of the port that turns PFC off, which those before it turn on: as tasks and programs write them."""
        pfc = facts.pfc.value_or_none()
        at = next((at for at in pfc.mode.at if isinstance(at, At)), None) if pfc is not None else None
        if pfc is None or pfc.mode.value != "off" or at is None or parts[at.part].role != "own":
            return
        before = self.syntax.read_port((*parts[: at.part], *parts[at.part + 1 :]), context).pfc.value_or_none()
        if before is not None and before.mode.value == "on":
            block_ = parts[at.part].block
            text = f"PFC is turned on for {name} above, and off again here"
            quote = block_.texts.statements[at.index] if at.index >= 0 else name
            self.seen.append(seen("pfc-taken-off-port", name, text, block_.place(at.index), quote, (name,)))

    def _label_lines(self, interface: Interface) -> tuple[str, ...]:
        """The label lines of a port, behind those of the profiles that it takes: what it says itself is said last."""
        if not self.handed_on:
            return interface.labels
        named = (name for said in interface.blocks for _, name, _ in self.knowledge.of(said, "port").names)
        return (*(line for name in named for line in self.handed_on.get(name, ())), *interface.labels)

    def _running(self, name: str, kind: str, facts: Port, parts: Sequence[Part], routed: bool | None) -> Port:
        """The facts as they run, where an answer shows them otherwise than they are written; which is told."""
        context = self._context(kind, routed, False)
        shown = self.syntax.read_port(only_of(parts, shown=True), context)
        written = self.syntax.read_port(only_of(parts, shown=False), context)
        key = id(facts), id(written), id(shown)
        if key in self._runs_as_written:
            return facts
        running = Running(facts, written, shown, parts)
        if running.facts is facts and not running.told and not running.slower:
            self._runs_as_written[key] = facts, written, shown
        for text, place in running.told:
            self.seen.append(seen("conflict", name, text, place, text.partition(":")[0], (name,)))
        for text, place in running.slower:
            self.seen.append(seen("slower", name, f"{name}: {text}", place, "", (name,)))
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
            leaning=tuple(self.unread.leaning(parts[:-1], on_device=kind in DATA)),
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
