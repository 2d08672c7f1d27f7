"""Objects of one configuration: what is said of each, by the document and by what applied it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.junos.expand import Statement
from roce_audit.platforms.junos.paths import names
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.shared.references import Name
from roce_audit.text.block import CONTEXT, Block, Part, Role, block
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

INHERITED = CONTEXT + "inherited"
"""End of the name of a part whose header is the line that applied its statements."""


@dataclass
class _Run:
    """Statements that came the same way. `header` is where the object begins, or what applied them."""

    header: Place
    inherited: bool
    said: list[tuple[str, Place]] = field(default_factory=list)

    @property
    def block(self) -> Block:
        texts, lines = [text for text, _ in self.said], [place.line for _, place in self.said]
        return block(self.header.path, self.header.line, tuple(texts), tuple(lines))


@dataclass
class Thing:
    """One object: its statements in the order in which they win, last."""

    runs: dict[tuple[str, Place | None], _Run] = field(default_factory=dict)

    def begin(self, statement: Statement) -> None:
        """The object is there."""
        key = (statement.place.path, statement.applied)
        if key not in self.runs:
            applied = statement.applied
            inherited = applied is not None and applied.path == statement.place.path
            header = applied if applied is not None and inherited else statement.place
            self.runs[key] = _Run(header, inherited)

    def say(self, statement: Statement, text: str) -> None:
        """One of its statements."""
        self.begin(statement)
        self.runs[statement.place.path, statement.applied].said.append((text, statement.place))

    def put_in_force(self, is_stale: Callable[[str], bool], made: Mapping[str, Place]) -> None:
        """Take back what is not in force, and say what an answer shows, each with its line there."""
        for run in self.runs.values():
            run.said = [one for one in run.said if not is_stale(one[0])]
        for text, place in made.items():
            self.runs.setdefault((place.path, place), _Run(place, False)).said.append((text, place))

    @property
    def place(self) -> Place:
        """Where it begins: by its own statements, where there are such."""
        return next(
            (run.header for run in self.runs.values() if not run.inherited), next(iter(self.runs.values())).header
        )

    @property
    def said(self) -> list[tuple[str, Place]]:
        """All statements."""
        return [said for run in self.runs.values() for said in run.said]

    def parts(self, role: Role, kind: str, name: str = "") -> list[Part]:
        """The object as parts of a port."""
        return [Part(role, run.block, kind, name + INHERITED * run.inherited) for run in self.runs.values()]


def names_in(mode: str, inner: Block) -> Iterator[tuple[int, Name]]:
    """(index of the statement, name) of everything that the statements of an object name."""
    for index, text in enumerate(inner.texts.statements):
        leaf = TABLE.parse(mode, text).value
        if isinstance(leaf, Leaf):
            for name in names(mode, leaf):
                yield index, name
