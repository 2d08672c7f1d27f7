"""Statements of one object in one document: what deletions leave of them, what they name, and the block they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.srlinux.lines import Line
from roce_audit.platforms.srlinux.paths import names
from roce_audit.platforms.srlinux.table import TABLE
from roce_audit.text.block import Block, block
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

_INTERFACE_WORDS = 2
LABELS = frozenset(
    {
        "description",
        "subinterface * ipv4 address *",
        "subinterface * ipv6 address *",
        "subinterface * vlan encap single-tagged vlan-id",
    }
)
"""Leaves of an interface that only name and address it: without them equal ports are equal."""


@dataclass
class Statements:
    """What one document says of an object; `header` is where it begins."""

    header: Place
    said: list[tuple[str, Place]] = field(default_factory=list)

    @property
    def block(self) -> Block:
        """The statements as a block."""
        texts, places = [text for text, _ in self.said], [place.line for _, place in self.said]
        return block(self.header.path, self.header.line, tuple(texts), tuple(places))


Documents = dict[str, Statements]
"""Document -> what it says of one object."""


def add(documents: Documents, header: Place, text: str = "", place: Place | None = None) -> None:
    """Put down where an object begins in a document, and a statement of it if there is one."""
    found = documents.setdefault(header.path, Statements(header))
    if place is not None:
        found.said.append((text, place))


def left(lines: list[Line]) -> list[Line]:
    """The lines that no later `delete` takes away again; an interface stays when something of it is deleted."""
    gone: set[tuple[str, ...]] = set()
    found: list[Line] = []
    for line in reversed(lines):
        if line.deletes:
            gone.add(line.words)
            continue
        deleted = next((n for n in range(1, len(line.words) + 1) if line.words[:n] in gone), 0) if gone else 0
        if not deleted:
            found.append(line)
        elif line.words[0] == "interface" and deleted > _INTERFACE_WORDS:
            found.append(Line(line.words[:_INTERFACE_WORDS], line.lines[:_INTERFACE_WORDS]))
    return found[::-1]


def names_in(mode: str, inner: Block) -> Iterator[tuple[int, Name]]:
    """(index of the statement, name) of everything that the statements of an object name."""
    for index, text in enumerate(inner.texts.statements):
        leaf = TABLE.parse(mode, text).value
        if isinstance(leaf, Leaf):
            for name in names(mode, leaf):
                yield index, name
