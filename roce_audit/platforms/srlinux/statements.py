"""Lists of statements: what deletions leave of them, what they name, and the block they make."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.srlinux.lines import Line
from roce_audit.platforms.srlinux.schema import parse
from roce_audit.platforms.srlinux.tables import INTERFACE, KEY_NAMES, KIND_OF, NAMES
from roce_audit.text.block import Block, block
from roce_audit.values import Place

_INTERFACE_WORDS = 2
Said = tuple[str, Place]
"""A statement and where it stands."""
Blocks = dict[str, list[Said]]
"""Document -> statements."""


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


def without_labels(text: str) -> str:
    """A statement of an interface without what only names and addresses it, so that equal ports stay equal; "" for none."""
    said = parse(INTERFACE, text)
    if not said.ours or said.leaf in ("description", "subinterface * ipv4 address *"):
        return ""
    words = text.split(" ")
    if said.leaf == "subinterface * ipv6 address *" or said.leaf.endswith(" vlan-id"):
        return " ".join([*words[:-1], "any"])
    return text


def names_in(kind_name: str, inner: Block) -> Iterator[tuple[int, Name]]:
    """(index of the statement, name) of everything that the statements of an object name."""
    known = KIND_OF.get(kind_name)
    if known is None:
        return
    for index, text in enumerate(inner.texts.statements):
        said = parse(known, text)
        named = NAMES.get((kind_name, said.leaf))
        if named is not None and isinstance(said.value, str):
            yield index, (named, said.value)
        by_key = KEY_NAMES.get((kind_name, said.leaf))
        if by_key is not None and said.keys:
            yield index, (by_key, said.keys[0])


def as_block(path: str, statements: list[Said]) -> Block:
    """The statements of one document as a block."""
    return block(path, statements[0][1].line, tuple([t for t, _ in statements]), tuple([p.line for _, p in statements]))
