"""What a port's parts define: policies and class-maps, with repeated stanzas of one name merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from roce_audit.platforms.shared.policy.statements import ClassHeader, ClassRemoved, Logic, Match
from roce_audit.platforms.shared.references import Name
from roce_audit.records import dataclass
from roce_audit.text.block import HEADER, Part
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import At, Why

Line = tuple[Parsed, At]


@dataclass
class PolicyClass:
    """A class of a policy: its name (None where the line was not understood), its line, what stands in it."""

    name: str | None
    at: At
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PolicySyntax:
    """What a platform tells of its policies."""

    table: StatementTable
    builtin: frozenset[Name] = frozenset()
    """Policies that the device has of itself, and of which no text is at hand."""
    numbered: Callable[[str], int | None] = lambda name: None
    """Name of a class that stands for one qos-group or queue by itself -> its number."""
    unset_group: int | None = None
    """The qos-group of the packets of a class that sets none; None = where they would be without the policy."""
    needs_all: bool | None = None
    """Whether a class-map that does not say it needs all of its criteria; None = not documented."""


class Policies:
    """Policies and class-maps by kind and name. What the port itself binds hides what is bound device-wide."""

    def __init__(self, parts: Sequence[Part], syntax: PolicySyntax) -> None:
        bound: dict[tuple[str, str], list[int]] = {}
        device: dict[tuple[str, str], list[int]] = {}
        for index, part in enumerate(parts):
            if part.name:
                (device if part.role == "device" else bound).setdefault((part.kind, part.name), []).append(index)
        self.syntax = syntax
        self._parts = parts
        self._indices = device | bound
        self._policies: dict[tuple[str, str], list[PolicyClass] | None] = {}
        self._lines: dict[tuple[str, str], Sequence[Line] | None] = {}
        """What was asked before: a class-map is asked for each code point."""

    def lines(self, kind: str, name: str) -> Sequence[Line] | None:
        """All statements of that name, in order; None where nothing defines it."""
        if (kind, name) not in self._lines:
            self._lines[(kind, name)] = self._lines_of(kind, name)
        return self._lines[(kind, name)]

    def _lines_of(self, kind: str, name: str) -> list[Line] | None:
        indices = self._indices.get((kind, name))
        if indices is None:
            return None
        found: list[Line] = []
        for index in indices:
            for i, statement in enumerate(self._parts[index].block.texts.statements):
                parsed = self.syntax.table.parse(kind, statement)
                if parsed.is_ours:
                    found.append((parsed, At(index, i)))
        return found

    def header(self, kind: str, name: str) -> At | None:
        """The header of the last stanza of that name."""
        indices = self._indices.get((kind, name))
        return At(indices[-1], HEADER) if indices else None

    def raw(self, kind: str, name: str) -> tuple[str, ...] | None:
        """The statements of that name as they stand."""
        indices = self._indices.get((kind, name))
        if indices is None:
            return None
        return tuple(s for i in indices for s in self._parts[i].block.texts.statements)

    def policy(self, kind: str, name: str) -> list[PolicyClass] | None:
        """The classes of a policy in the order in which they are tried; None where nothing defines it."""
        if (kind, name) not in self._policies:
            self._policies[(kind, name)] = self._policy(kind, name)
        return self._policies[(kind, name)]

    def _policy(self, kind: str, name: str) -> list[PolicyClass] | None:
        lines = self.lines(kind, name)
        if lines is None:
            return [] if (kind, name) in self.syntax.builtin else None
        classes: list[PolicyClass] = []
        open_class: PolicyClass | None = None
        for parsed, at in lines:
            if parsed.context:
                if open_class is not None:
                    open_class.lines.append((parsed, at))
                continue
            header = parsed.value
            if isinstance(header, ClassRemoved):
                classes = [c for c in classes if c.name != header.name]
                open_class = None
                continue
            wanted = header.name if isinstance(header, ClassHeader) else None
            open_class = next((c for c in classes if c.name == wanted and wanted is not None), None)
            if open_class is None:
                open_class = PolicyClass(wanted, at)
                before = header.before if isinstance(header, ClassHeader) else None
                position = next((i for i, c in enumerate(classes) if c.name == before), len(classes))
                classes.insert(position if before else len(classes), open_class)
        # class-default is what remains, wherever it is written
        return [c for c in classes if c.name != "class-default"] + [c for c in classes if c.name == "class-default"]

    def numbers(self, kind: str, name: str) -> tuple[int, ...] | str:
        """The qos-groups or queues of a class by its name; "undefined" or "unclear" where they cannot be told."""
        numbered = self.syntax.numbered(name)
        if numbered is not None and (not self.syntax.builtin or (kind, name) in self.syntax.builtin):
            return (numbered,)
        lines = self.lines(kind, name)
        if lines is None:
            return "undefined"
        groups: list[int] = []
        for parsed, _ in lines:
            match = parsed.value
            if isinstance(match, Logic):
                continue
            if not isinstance(match, Match) or match.kind != "group" or match.negated:
                return "unclear"
            groups.extend(match.values)
        return tuple(groups)

    def numbers_of(self, kind: str, one: PolicyClass, undefined: Why) -> tuple[int, ...] | Why:
        """The qos-groups or queues of a policy's class, or the doubt that hangs over it."""
        if one.name is None:
            return Why.NOT_PARSED
        numbers = self.numbers(kind, one.name)
        if numbers == "undefined":
            return undefined
        return Why.NOT_PARSED if isinstance(numbers, str) else numbers
