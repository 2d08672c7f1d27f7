"""Repairs of command-line switches: a statement in its stanza, added, replaced or taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import product
from types import MappingProxyType

from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Change, Edit, Texts, line_at, reworded, together
from roce_audit.platforms.shared import leafvalues
from roce_audit.platforms.shared.cli.codelines import CODE, CodeLine
from roce_audit.platforms.shared.cli.negation import negated
from roce_audit.platforms.shared.cli.stanzas import (
    chain_of,
    channel_of,
    enclosing,
    has_inner,
    headers_around,
    is_typed,
    kinds_around,
    numbers_of,
    own_statements,
    step_of,
)
from roce_audit.records import dataclass
from roce_audit.text.block import Block
from roce_audit.text.structured import indented
from roce_audit.values import Place

_SHARED = frozenset({"bound", "device"})
"""Roles of blocks that a port has in common with others."""
_MARKS = "hop.queue.ecn.marks"
_SCHEDULING = "cnp_hop.queue.scheduling"
Say = Callable[[object], str]
"""A value of the model -> the statement that says it."""


@dataclass(frozen=True, slots=True)
class CliRepairs:
    """One command-line platform. What a tree (YAML, JSON) says of a port is changed leaf by leaf, and is no model for others.

    `statements`: model path -> the statement that says a value, in the port's own stanza or where another line says it now.
    What `no STATEMENT` takes away is written as `STATEMENT`. `shortened`: beginnings of statements whose `no` takes no value;
    `negation`: the platform's word for `no`. `beside`: beginnings of statements that stand beside each other where a word at
    `*` differs: a new one does not take the place of the old. `in_place`: model path -> the beginning of another statement that
    may say it now -> how that one says the value. `of_channel`: beginnings of statements that a channel says for its members:
    they are added to the channel that the port is in. `marking`: how the statement of a curve that drops begins -> the one that
    makes it mark, which stands beside it, or in its place where it begins with it.
    """

    statements: Mapping[str, Say]
    binds: Mapping[str, str]
    """How the header of a definition begins -> the statement of a port that applies it, less the name."""
    shortened: Sequence[str] = ()
    beside: Sequence[str] = ()
    before: Sequence[str] = ("configure terminal",)
    after: Sequence[str] = ("end", "copy running-config startup-config")
    whole_lines: bool = False
    listing: tuple[str, str] = ("", "")
    negation: str = "no"
    in_place: Mapping[str, Mapping[str, Say]] = MappingProxyType({})
    codes: Sequence[CodeLine] = ()
    of_channel: tuple[str, ...] = ()
    marking: Mapping[str, Say] = MappingProxyType({})
    strict: Mapping[str, Say] = MappingProxyType({})
    leaves: Mapping[str, Mapping[str, Say]] = MappingProxyType({})
    cautions: Mapping[str, str] = MappingProxyType({})

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """The platform's statement for this path, in the place of the line that says it now or at the port's end."""
        if not is_typed(port, texts):
            name = path.partition("[")[0]
            return list(leafvalues.written(self.leaves.get(name, {}), self.statements.get(name), value, places, texts))
        if path == _MARKS and value is True:
            return self._marking(port, places, texts)
        if path == _SCHEDULING and value == "strict":
            return self._strict(port, places, texts)
        code = CODE.fullmatch(path)
        if code is not None:
            return self._led(port, code[1], value, places, texts)
        render = self.statements.get(path)
        if render is None:
            return []
        line = line_at(places[0], texts).strip() if places else ""
        others = self.in_place.get(path, {}).items()
        statement = next((other for begins, other in others if line.startswith(f"{begins} ")), render)(value)
        if places and self._same_kind(line_at(places[0], texts), statement):
            return self._replaced(port, places[0], statement, texts)
        return self._added(port, (statement,), texts)

    def rewrite(self, path: str, value: object, places: Sequence[Place], texts: Texts) -> list[Change]:
        """Nobody sets a switch up by a host's script."""
        return []

    def like(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The similar port's statement in place of the port's, or added; where none is wanted, all that the port lacks."""
        if not is_typed(similar, texts):
            return list(leafvalues.copied(places, wanted, texts))
        if not wanted:
            return self._all_of_similar(port, similar, texts)
        chain = chain_of(similar, wanted[0])
        if chain is None:
            return []
        own = chain_of(port, places[0]) if places else None
        if own is not None and own[:-1] == chain[:-1]:
            stands = any(have == chain for _, have in own_statements(port))
            return self.drop(port, places[0], texts) if stands else self._replaced(port, places[0], chain[-1], texts)
        return self._added(port, chain, texts)

    def mirror(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The other device's statement in place of the one here, or added; then each definition of the same name whole."""
        if not (is_typed(port, texts) and is_typed(similar, texts)):
            return list(leafvalues.copied(places, wanted, texts))
        found: list[Change] = []
        for place in wanted[:1]:
            statement = line_at(place, texts).strip()
            for here in places[:1]:
                is_alike = line_at(here, texts).split()[:1] == statement.split()[:1]
                if is_alike and not has_inner(here, texts) and kinds_around(here, texts) == kinds_around(place, texts):
                    found += self._replaced(port, here, statement, texts)
            found += self._into_namesake(port, place, statement, texts)
        whole = list(self._definitions(port, similar, texts))
        return [*found, *whole, together(whole)] if len(whole) > 1 else [*found, *whole]

    def _definitions(self, port: PortReading, similar: PortReading, texts: Texts) -> Iterator[Change]:
        """Each definition behind the port made like its namesake behind the similar port."""
        theirs = {(part.kind, part.name): part.block for part in similar.parts if part.role in _SHARED}
        for part in port.parts:
            block = theirs.get((part.kind, part.name)) if part.role in _SHARED else None
            if block is None or block.path == part.block.path or block.texts is part.block.texts:
                continue
            changes = list(self._aligned(port, part.block, block, texts))
            if changes:
                yield together(changes)

    def _aligned(self, port: PortReading, here: Block, there: Block, texts: Texts) -> Iterator[Change]:
        mine, other = here.texts.statements, there.texts.statements
        for step, i, j, k, m in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
            for n in range(i, j if step == "delete" else i):
                yield from self.drop(port, here.place(n), texts)
            if step == "replace" and j - i == m - k:
                for n in range(j - i):
                    statement = line_at(there.place(k + n), texts).strip()
                    yield from self._replaced(port, here.place(i + n), statement, texts)
            for n in range(k, m if step == "insert" else k):
                yield from self._into_namesake(port, there.place(n), line_at(there.place(n), texts).strip(), texts)

    def _into_namesake(self, port: PortReading, place: Place, statement: str, texts: Texts) -> list[Change]:
        """The statement at the end of the stanza here that has the same headers as the one it stands in there."""
        chain = enclosing(place, texts)
        path = port.header.path
        lines = texts.get(path, ())
        if not chain or path == place.path:
            return []
        first, last = 0, len(lines)
        for depth, header in enumerate(chain):
            at = next(
                (
                    n
                    for n in range(first, last)
                    if lines[n].strip() == header and (depth or indented.depth(lines[n]) == 0)
                ),
                None,
            )
            if at is None:
                return []
            first, last = at + 1, indented.end(lines, at)
        if any(lines[n].strip() == statement for n in range(first, last)):
            return []
        indent = step_of(lines, first) if last > first else indented.blanks(lines[first - 1]) + "   "
        edit = Edit(path, last, None, indent + statement)
        return [Change((edit,), (*chain, statement), (*chain, self._negated(statement)))]

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """The port's statement that applies what the header defines."""
        begins, _, name = header.strip().rpartition(" ")
        statement = self.binds.get(begins)
        if statement is None or any(self._same_kind(own[-1], f"{statement} {name}") for _, own in own_statements(port)):
            return []  # what another one does here would be lost
        return self._added(port, (f"{statement} {name}",), texts)

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """`no STATEMENT`."""
        old, inside = line_at(place, texts), headers_around(port, place, texts)
        if not old.strip() or place == port.header or has_inner(place, texts) or inside is None:
            return []
        statement = old.strip()
        return [
            Change(
                (Edit(place.path, place.line, old, None),), (*inside, self._negated(statement)), (*inside, statement)
            )
        ]

    def rename(self, port: PortReading, place: Place, names: Mapping[str, str], texts: Texts) -> list[Change]:
        """The statement with the other words; one that has others below it is made anew with them."""
        before, inside = line_at(place, texts), headers_around(port, place, texts)
        words = reworded(before.split(), names)
        if inside is None or not words:
            return []
        statement = " ".join(words)
        end = indented.end(texts[place.path], place.line - 1)
        below = [line.strip() for line in texts[place.path][place.line : end]]
        if not below:
            return self._replaced(port, place, statement, texts)
        edit = Edit(place.path, place.line, before, indented.blanks(before) + statement)
        typed, was = (*inside, self._negated(before.strip()), statement, *below), before.strip()
        return [Change((edit,), typed, (*inside, self._negated(statement), was, *below))]

    def _all_of_similar(self, port: PortReading, similar: PortReading, texts: Texts) -> list[Change]:
        """Everything at once, then statement by statement: the smallest change that proves out is wanted first."""
        have = {chain for _, chain in own_statements(port)}
        missing = list(
            dict.fromkeys(chain for _, chain in own_statements(similar) if chain not in have and len(chain) == 1)
        )
        single = [change for chain in missing for change in self._put(port, chain, texts)]
        if len(missing) < 2:
            return single
        parts = [change for chain in missing for change in self._put(port, chain, texts)[:1]]
        return [*single, together(parts)]

    def _marking(self, port: PortReading, places: Sequence[Place], texts: Texts) -> list[Change]:
        """What makes the curve of the first of these lines mark instead of dropping."""
        for place in places:
            old, inside = line_at(place, texts), headers_around(port, place, texts)
            write = next((say for begins, say in self.marking.items() if old.strip().startswith(begins)), None)
            if write is None or inside is None:
                continue
            statement = write(old.strip())
            if statement.startswith(old.strip()):
                return self._replaced(port, place, statement, texts)
            edit = Edit(place.path, place.line, None, indented.blanks(old) + statement)
            return [Change((edit,), (*inside, statement), (*inside, self._negated(statement)))]
        return []

    def _strict(self, port: PortReading, places: Sequence[Place], texts: Texts) -> list[Change]:
        """The queue of the first of these lines served before those with shares."""
        found = ((place, self.strict.items(), line_at(place, texts).strip()) for place in places)
        said = (
            (place, write(line)) for place, forms, line in found for begins, write in forms if line.startswith(begins)
        )
        return next((self._replaced(port, place, statement, texts) for place, statement in said), [])

    def _led(self, port: PortReading, code: str, value: object, places: Sequence[Place], texts: Texts) -> list[Change]:
        """A code point led to this class: in the line that leads it alone elsewhere, else in one of its own behind that."""
        for place, line in product(places, self.codes):
            old, inside = line_at(place, texts), headers_around(port, place, texts)
            found = line.pattern.fullmatch(old.strip())
            if found is None or inside is None or found["value"] == line.write(value):
                continue
            codes = found.groupdict().get("codes")
            if codes in (None, code):
                return self._replaced(port, place, line.with_value(found, value, codes), texts)
            if line.adds:
                new, was = line.with_value(found, value, code), line.with_code(found, code)
                edit = Edit(place.path, place.line, None, indented.blanks(old) + new)
                return [Change((edit,), (*inside, new), (*inside, was))]
        return []

    def _put(self, port: PortReading, chain: tuple[str, ...], texts: Texts) -> list[Change]:
        """A statement in place of the port's own one that begins alike, or added."""
        for place, own in own_statements(port):
            if own[:-1] == chain[:-1] and self._same_kind(own[-1], chain[-1]):
                return self._replaced(port, place, chain[-1], texts)
        return self._added(port, chain, texts)

    def _same_kind(self, old: str, new: str) -> bool:
        """Whether the two statements set the same thing: they differ in their last word alone, or in `no`."""
        one, other = (text.strip().removeprefix(f"{self.negation} ").split() for text in (old, new))
        return one == other or (len(one) == len(other) > 1 and one[:-1] == other[:-1])

    def _negated(self, statement: str) -> str:
        return negated(statement, self.shortened, self.negation)

    def _replaced(self, port: PortReading, place: Place, statement: str, texts: Texts) -> list[Change]:
        old, inside = line_at(place, texts), headers_around(port, place, texts)
        if inside is None or old.strip() == statement:
            return []
        edit = Edit(place.path, place.line, old, indented.blanks(old) + statement)
        do = (*inside, *self._cleared(old.strip(), statement), statement)
        return [Change((edit,), do, (*inside, *self._cleared(statement, old.strip()), old.strip()))]

    def _cleared(self, old: str, new: str) -> tuple[str, ...]:
        """`no OLD` where the old statement would stay in force beside the new one."""
        if old.startswith(f"{self.negation} "):
            return ()
        one, other = old.split(), new.removeprefix(f"{self.negation} ").split()
        stays = one[:1] != other[:1] or any(_tells_apart(beginning.split(), one, other) for beginning in self.beside)
        return (self._negated(old),) if stays else ()

    def _added(self, port: PortReading, chain: tuple[str, ...], texts: Texts) -> list[Change]:
        """Below the header of the port or its channel, or below the inner one that the chain names where the stanza has it."""
        if not is_typed(port, texts):
            return []
        channel = channel_of(port) if chain[0].removeprefix(f"{self.negation} ").startswith(self.of_channel) else None
        header = channel or port.header
        lines = texts.get(header.path, ())
        first, last = header.line, indented.end(lines, header.line - 1)
        said_of = numbers_of(lines[first - 1].partition(" ")[2])
        if said_of != numbers_of(port.name) and not (channel is not None and said_of.isdigit()):
            return []  # what the stanza says is said of other ports too
        for n in range(first, last) if channel is not None and len(chain) == 1 else ():
            if self._same_kind(lines[n], chain[0]) and enclosing(Place(header.path, n + 1), texts) == [
                lines[first - 1].strip()
            ]:
                return self._replaced(port, Place(header.path, n + 1), chain[0], texts)
        indent = step_of(lines, first) or "   "
        inside = [lines[first - 1].strip()]
        depth = 0
        for inner in chain[:-1]:
            at = next((n for n in range(first, last) if lines[n].strip() == inner), None)
            if at is None:
                break
            first, last, depth = at + 1, indented.end(lines, at), depth + 1
        added = [indent * (depth + 1 + n) + text for n, text in enumerate(chain[depth:])]
        edits = (Edit(header.path, last, None, "\n".join(added)),)
        do = (*inside, *chain)
        undo = (*inside, *chain[:depth], self._negated(chain[depth]))
        return [Change(edits, do, undo)]


def _tells_apart(beginning: Sequence[str], one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether both statements begin like this, and a word at `*` differs."""
    rows = list(zip(beginning, one, other, strict=False))
    fits = len(rows) == len(beginning) and all(word == a == b for word, a, b in rows if word != "*")
    return fits and any(a != b for _, a, b in rows)
