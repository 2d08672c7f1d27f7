"""JSON and YAML of the management framework as trees: names without module prefix, every value with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from roce_audit.text import jsontext, yamltext
from roce_audit.text.block import CONTEXT, Block, block
from roce_audit.text.document import Document
from roce_audit.text.outline import Outline, Stanza
from roce_audit.text.positions import Path

Names = tuple[str, ...]
"""Keys from an object down to a value, in the form of `plain`; lists add none."""
_MODULE = re.compile(r"^[ \t-]*[\"']?(?:dellemc\.enterprise_sonic\.)?sonic_[a-z0-9_]{1,30}[\"']? *:", re.M)
_ASIDE = "state"
"""Containers of operational values: what is configured is beside them."""


class _Lines(Protocol):
    def line_of(self, path: Path) -> int: ...


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a tree."""

    value: Any
    path: Path
    source: _Lines

    @property
    def line(self) -> int:
        """The line on which its key stands, or itself where it has none."""
        return self.source.line_of(self.path)

    @property
    def text(self) -> str:
        """The value as a word of a statement; "" for null and for what is no scalar."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return "" if self.value is None or isinstance(self.value, (dict, list)) else " ".join(str(self.value).split())

    def members(self) -> Iterator[tuple[str, Node]]:
        """What an object holds; nothing for anything else."""
        if isinstance(self.value, dict):
            for key, value in self.value.items():
                yield plain(str(key)), Node(value, (*self.path, key), self.source)

    def elements(self) -> Iterator[Node]:
        """What a list holds; nothing for anything else."""
        if isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield Node(value, (*self.path, index), self.source)

    def at(self, *names: str) -> Node | None:
        """The value below these keys; None where there is none."""
        found: Node | None = self
        for name in names:
            found = next((node for key, node in found.members() if key == name), None) if found is not None else None
        return found

    def list_at(self, *names: str) -> Iterator[Node]:
        """The elements of the list below these keys; none where there is none."""
        found = self.at(*names)
        return iter(()) if found is None else found.elements()

    def leaves(self, names: Names = ()) -> Iterator[tuple[Names, Node]]:
        """All values below that are no objects, with the keys that lead to them; lists come whole."""
        for key, node in self.members():
            if key == _ASIDE:
                continue
            if isinstance(node.value, dict):
                yield from node.leaves((*names, key))
            else:
                yield (*names, key), node


def plain(key: str) -> str:
    """A key without the YANG module or Ansible collection before it, with dashes where Ansible writes underscores."""
    return key.rpartition(":")[2].rpartition(".")[2].replace("_", "-")


def is_tree(text: str) -> bool:
    """Whether a text begins like JSON, or names modules of the Ansible collection as the keys of a YAML text."""
    return text[:4000].lstrip().startswith(("{", "[")) or _MODULE.search(text) is not None


def parse(document: Document) -> Node:
    """The tree of a document; raises PlacedError."""
    if document.text.lstrip().startswith(("{", "[")):
        json = jsontext.parse(document.text, first_line=document.first_line)
        return Node(json.value, (), json)
    yaml = yamltext.parse(document.text, first_line=document.first_line)
    return Node(yaml.value, (), yaml)


@dataclass
class Body:
    """One stanza as the command line would write it; `resource` is what the tree calls such a thing."""

    resource: str
    mode: str
    header: str
    line: int
    statements: list[tuple[str, int]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def say(self, text: str, line: int, inside: str = "") -> None:
        """One statement, in the nested block `inside` where that is given."""
        self.statements.append((f"{inside}{CONTEXT}{text}" if inside else text, line))


@dataclass
class Script:
    """A tree in the words of the command line."""

    path: str
    bodies: list[Body] = field(default_factory=list)
    top: list[tuple[str, int]] = field(default_factory=list)
    containers: set[str] = field(default_factory=set)
    """Names of the whole containers that the tree holds."""

    def stanza(self, resource: str, mode: str, header: str, line: int) -> Body:
        """A new stanza at the end."""
        body = Body(resource, mode, header, line)
        self.bodies.append(body)
        return body

    def say(self, text: str, line: int) -> None:
        """One statement of the device."""
        self.top.append((text, line))

    def forget(self, resource: str, header: str | None = None) -> None:
        """Take back what was said of a thing of this kind, or of all of them."""
        self.bodies = [b for b in self.bodies if b.resource != resource or header not in (None, b.header)]

    def retract(self, body: Body) -> None:
        """Take back from stanzas like this one the statements that it holds, whatever value follows them."""
        gone = tuple(text for text, _ in body.statements)
        for other in self.bodies:
            if other is not body and (other.resource, other.header) == (body.resource, body.header):
                other.statements = [(text, line) for text, line in other.statements if not text.startswith(gone)]
        self.bodies.remove(body)

    def outline(self, lines: int) -> Outline:
        """The stanzas as the reader of command lines takes them; a port is known by where its QoS settings stand, if anywhere."""
        bodies = sorted(self.bodies, key=lambda body: not body.resource.startswith("qos"))
        return Outline(
            tuple(
                [
                    Stanza(b.mode, b.header, b.line, _block(self.path, b.line, b.statements), tuple(b.labels))
                    for b in bodies
                ]
            ),
            _block(self.path, 1, self.top),
            lines,
        )


def _block(path: str, first: int, statements: list[tuple[str, int]]) -> Block:
    return block(path, first, tuple([text for text, _ in statements]), tuple([line for _, line in statements]))


@dataclass(frozen=True, slots=True)
class Words:
    """How the values of one kind of object are said: keys down to a value -> a statement, `{}` for the value."""

    says: Mapping[Names, str]
    values: Mapping[Names, Mapping[str, str]] = field(default_factory=dict)
    """Keys -> value -> the statement for it; another value is a statement that nobody understands."""
    aside: frozenset[str] = frozenset()
    """Keys that say nothing to the model, with all below them."""
    doubt: Mapping[str, str] = field(default_factory=dict)
    """First key -> how a statement begins that stands for what is not known below it; "" is for any other key."""

    def statements(self, node: Node, lists: frozenset[Names] = frozenset()) -> Iterator[tuple[str, int]]:
        """The statements of an object; `lists` are read by others."""
        for names, leaf in node.leaves():
            if names in lists or not self.aside.isdisjoint(names):
                continue
            template = self.says.get(names)
            words = self.values.get(names)
            if words is not None:
                short = leaf.text.rpartition(":")[2]
                said = words.get(short.upper(), words.get("", "{}").format(short))
                if said:
                    yield said, leaf.line
            elif template is not None:
                yield template.format(leaf.text).strip(), leaf.line
            else:
                begins = self.doubt.get(names[0], self.doubt.get("", ""))
                if begins:
                    yield f"{begins} {'/'.join(names)} {leaf.text}".strip(), leaf.line
