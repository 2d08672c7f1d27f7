"""The blocks of one switch that go by a name (policies, profiles, access lists), and who names them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from roce_audit.platforms.base import Makes, Seen, seen
from roce_audit.platforms.shared.cli.filters import FILTER, LIST
from roce_audit.platforms.shared.cli.knowledge import Knowledge
from roce_audit.platforms.shared.policy.statements import Drop, Logic, Match, Police, SetDscp, SetGroup
from roce_audit.platforms.shared.references import Name, References
from roce_audit.text.block import Block, LateBlock, Part
from roce_audit.values import Place

_MATCH = "match"
_MARKS = frozenset({"dscp", "precedence", "cos"})


class NamedBlocks:
    """Blocks by name, and `references` as the record of what is defined, used and applied."""

    def __init__(self, references: References, knowledge: Knowledge) -> None:
        self.references = references
        self._knowledge = knowledge
        self._blocks: dict[Name, list[Block | LateBlock]] = defaultdict(list)

    def define(self, name: Name, block: Block | LateBlock, place: Place, header: str) -> None:
        """A block goes by this name; several blocks make one definition together."""
        self._blocks[name].append(block)
        self.references.define(*name, place, header)

    def forget(self, name: Name) -> None:
        """What was defined under that name is no more, until it is defined again."""
        self._blocks.pop(name, None)
        self.references.forget(*name)

    def names(self) -> Sequence[Name]:
        """What is defined, in order."""
        return list(self._blocks)

    def defined(self, name: Name) -> Sequence[Block]:
        """The blocks that define a name."""
        return [one.cut() if isinstance(one, LateBlock) else one for one in self._blocks.get(name, ())]

    def made_by(self, name: Name) -> tuple[Makes, ...]:
        """What lossless transport takes from a definition, by its kind and the paths that its statements set."""
        syntax = self._knowledge.syntax
        if name[0] in syntax.classifying:
            return () if self._only_limits(name) else ("classes",)
        statements = (one for block in self.defined(name) for one in block.texts.statements)
        said = (one for one in statements if one.partition(" ")[0] not in syntax.table.negations)
        named = [syntax.table.parse(name[0], one).paths or () for one in said]
        # what puts the whole of it in force (`state enabled`) makes nothing by itself
        paths = (path for one in named if "policed" not in one for path in one)
        return ("pause",) if any(path.startswith("pfc") or path.endswith(".lossless") for path in paths) else ()

    def _only_limits(self, name: Name) -> bool:
        """Whether all that a policy does to packets is to police, mark or drop them: it puts none in a class."""
        table = self._knowledge.syntax.table
        inner = {one for block in self.defined(name) for _, one, _ in self._knowledge.of(block, name[0]).names}
        said = [
            table.parse(kind, text)
            for kind, called in (name, *inner)
            for block in self.defined((kind, called))
            for text in block.texts.statements
        ]
        values = {type(one.value) for one in said}
        return (
            not values.isdisjoint((Police, SetDscp, Drop))
            and SetGroup not in values
            and not any(one.unread for one in said)
        )

    def without_port(self, *, is_portless: bool) -> Iterator[tuple[Name, Block]]:
        """The blocks of what reaches no port, by name; ask when all is bound. `is_portless`: there is none to reach."""
        for name, blocks in self._blocks.items():
            if (is_portless or not self.references.reaches_port(name)) and name[0] in self.references.words:
                yield from ((name, one) for one in blocks if isinstance(one, Block))

    def without_match(self, modes: Collection[str]) -> Iterator[Seen]:
        """Classes of some modes that ports lean on and no line of which says what they take; ask when all is bound."""
        for name in self._blocks:
            if name[0] not in modes or name in self._knowledge.syntax.builtin or not self.references.reaches_port(name):
                continue
            said = [text for block in self.defined(name) for text in block.texts.statements]
            if any(_MATCH in text.split() or self._knowledge.syntax.table.parse(name[0], text).unread for text in said):
                continue
            text = f"{self.references.called(name)} is applied and has no {_MATCH} line: it takes nothing, or all"
            yield seen("conflict", name[1], text, *self.references.definition(name), self.references.ports(name))

    def never_met(self, modes: Collection[str]) -> Iterator[Seen]:
        """Classes of some modes that ports lean on and that ask one packet for two marks of a kind; ask when all is bound."""
        table = self._knowledge.syntax.table
        for name in self._blocks:
            if name[0] not in modes or not self.references.reaches_port(name):
                continue
            asked: dict[str, frozenset[int]] = {}
            needs_all = False
            for block in self.defined(name):
                for index, text in enumerate(block.texts.statements):
                    said = table.parse(name[0], text).value
                    needs_all = bool(said.all) if isinstance(said, Logic) else needs_all
                    if not isinstance(said, Match) or said.negated or said.kind not in _MARKS:
                        continue
                    before = asked.get(said.kind)
                    asked[said.kind] = frozenset(said.values) & (before or frozenset(said.values))
                    if needs_all and before and not asked[said.kind]:
                        told = f"{self.references.called(name)} takes nothing: no packet has the marks of all of its {_MATCH} lines"
                        yield seen("conflict", name[1], told, block.place(index), text, self.references.ports(name))

    def named_in(self, part: Part) -> Sequence[tuple[int, Name, str]]:
        """What a part names: the statement that does, the name, and how it is written."""
        return self._knowledge.of(part.block, part.kind).names

    def bind(self, part: Part, port: str | None, bound: list[Part], names: list[str]) -> None:
        """Add what `part` names, and what that names in turn, to `bound`; `port` None = for the whole device."""
        named = self.named_in(part)
        if not named:
            return
        have = {(p.kind, p.name) for p in bound}
        for index, name, quote in named:
            self.references.use(*name, part.block.place(index), quote, port)
            if name[0] == FILTER:
                name = (LIST, name[1])
            elif part.role != "bound":
                names.append(name[1])
            if name in have:
                continue
            have.add(name)
            for found in self.defined(name):
                inner = Part("device" if port is None else "bound", found, *name)
                bound.append(inner)
                if port is not None:
                    self.bind(inner, port, bound, names)
