"""JSON and YAML of the management framework as trees: names without module prefix, every value with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, Protocol

from roce_audit.platforms.esonic.objects import BLOCKS, LISTS
from roce_audit.platforms.esonic.table import TABLE
from roce_audit.records import dataclass
from roce_audit.text.block import CONTEXT, Block, block
from roce_audit.text.document import Document
from roce_audit.text.outline import Outline, Stanza
from roce_audit.text.structured import jsontext, yamltext
from roce_audit.text.structured.positions import Path

_MODULE = re.compile(r"^[ \t-]*[\"']?(?:dellemc\.enterprise_sonic\.)?sonic_[a-z0-9_]{1,30}[\"']? *:", re.M)
_ASIDE_OF_QOS = frozenset(
    {"openconfig-qos-queues", "openconfig-interfaces", "sonic_interfaces", "sonic_lag_interfaces"}
)
PROFILE_OF_TREES = "buffer-profile"
"""How a buffer profile is called that is no line `buffer profile`."""
_ASIDE = "state"
"""Containers of operational values: what is configured is beside them."""


class _Lines(Protocol):
    def nearest_line_of(self, path: Path) -> int: ...


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a tree."""

    value: Any
    path: Path
    source: _Lines

    @property
    def line(self) -> int:
        """The line on which its key stands, or itself where it has none; of what a variable gave, the line that names that."""
        return self.source.nearest_line_of(self.path)

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

    def statements(self, keys: Mapping[str, str] = LISTS) -> Iterator[tuple[str, int]]:
        """Each value below, as the keys that lead to it and itself, with its line.

        An element of a list in `keys` is led to by its own key, the value of the leaf that `keys` names; other lists come as one
        value that cannot be written in words.
        """
        for name, member in self.members():
            if name == _ASIDE:
                continue
            if isinstance(member.value, dict):
                for text, line in member.statements(keys):
                    yield f"{name} {text}", line
            elif isinstance(member.value, list) and name in keys:
                for each in member.elements():
                    yield from each._of_list(name, keys)
            else:
                yield f"{name} {member.text}".strip(), member.line

    def _of_list(self, name: str, keys: Mapping[str, str]) -> Iterator[tuple[str, int]]:
        key = self.at(keys[name]) or self.at("config", keys[name])
        if key is None or not key.text:
            yield name, self.line
            return
        header = f"{name} {key.text}"
        below = list(self.others(keys[name], key.text, keys))
        if name in BLOCKS or not below:
            yield header, key.line
        for text, line in below:
            yield f"{header}{CONTEXT if name in BLOCKS else ' '}{text}", line

    def others(self, name: str, value: str, keys: Mapping[str, str] = LISTS) -> Iterator[tuple[str, int]]:
        """The statements of an object but for those that repeat what it is called."""
        copies = (f"{name} {value}", f"config {name} {value}")
        yield from ((text, line) for text, line in self.statements(keys) if text not in copies)


def plain(key: str) -> str:
    """A key without the YANG module or Ansible collection before it, with dashes where Ansible writes underscores."""
    return "-".join(key.rpartition(":")[2].rpartition(".")[2].replace("_", "-").split()) or "-"


def is_tree(text: str) -> bool:
    """Whether a text begins like JSON, or names modules of the Ansible collection as the keys of a YAML text."""
    return text[:4000].lstrip().startswith(("{", "[")) or _MODULE.search(text) is not None


def parse(document: Document) -> Node:
    """The tree of a document; raises PlacedError."""
    if document.text.lstrip().startswith(("{", "[")):
        json = jsontext.parse(document.text, first_line=document.first_line)
        return Node(json.value, (), json)
    yaml = yamltext.parse(document.text, first_line=document.first_line, own_tags=True)
    return Node(yaml.value, (), yaml)


@dataclass
class Body:
    """What is said of one port or named thing; `origin` is the tree or module that says it ("": typed lines), `mode` what it is."""

    origin: str
    mode: str
    header: str
    line: int
    statements: list[tuple[str, int]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def say(self, text: str, line: int) -> None:
        """One statement, in the words of its origin; what is none of our business is left out."""
        if not self.origin:
            self.statements.append((text, line))
            return
        *around, last = text.split(CONTEXT)
        inner = f"{self.mode} of {self.origin}"
        for header in around:
            inner = TABLE.opens(inner, header) or inner
        if around or TABLE.opens(inner, last) is not None or TABLE.paths(inner, last) is not None:
            self.statements.append((f"{self.origin}{CONTEXT}{text}", line))

    def take(self, statements: Iterable[tuple[str, int]]) -> None:
        """These statements."""
        for text, line in statements:
            self.say(text, line)


@dataclass
class Script:
    """What a tree says, in the order in which it counts."""

    path: str
    bodies: list[Body] = field(default_factory=list)
    top: list[tuple[str, int]] = field(default_factory=list)
    containers: set[str] = field(default_factory=set)
    """Names of the whole containers that the tree holds."""

    def body(self, origin: str, mode: str, header: str, line: int) -> Body:
        """What one more object says of a thing; `header` is that of the thing's stanza on the command line."""
        body = Body(origin, mode, header, line)
        self.bodies.append(body)
        return body

    def say(self, text: str, line: int, origin: str = "") -> None:
        """One statement of the device."""
        self.top.append((f"{origin}{CONTEXT}{text}" if origin else text, line))

    def named(self, node: Node, origin: str, mode: str, header: str, keys: tuple[str, ...] = ("name",)) -> Body | None:
        """The body of an object that has a name; None where it has none, which is told."""
        name = next((found for key in keys if (found := node.at(key)) is not None), None)
        if name is None or not name.text:
            self.say(f"qos {header}", node.line)
            return None
        return self.body(origin, mode, f"{header} {name.text}", name.line)

    def forget(self, origin: str, mode: str, header: str | None = None) -> None:
        """Take back what this origin said of a thing of this kind, or of all of them."""
        self.bodies = [b for b in self.bodies if (b.origin, b.mode) != (origin, mode) or header not in (None, b.header)]

    def retract(self, body: Body) -> None:
        """Take back from bodies like this one the statements that it holds, whatever value follows them."""
        gone = {text for text, _ in body.statements}
        like = (body.origin, body.mode, body.header)
        for other in self.bodies:
            if other is not body and (other.origin, other.mode, other.header) == like:
                other.statements = [said for said in other.statements if gone.isdisjoint(_beginnings(said[0]))]
        self.bodies.remove(body)

    def outline(self, lines: int) -> Outline:
        """The stanzas as the reader of command lines takes them; a port is known by where its QoS settings stand, if anywhere."""
        bodies = sorted(self.bodies, key=lambda body: body.origin in _ASIDE_OF_QOS)
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


def _beginnings(statement: str) -> Iterator[str]:
    """A statement, and all that is left of it without its last words."""
    words = statement.split(" ")
    return (" ".join(words[:count]) for count in range(1, len(words) + 1))
