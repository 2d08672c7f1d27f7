"""Answers in which each neighbour is a run of `label: value` lines, below a line that names the port or with the port among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.neighbour import neighbour
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

_FIELD = lazy(r"[ \t]{0,40}(?:- )?([A-Za-z][A-Za-z0-9 _./()-]{0,40}?)[ \t]*:[ \t]*(.*)")
_NEVER = lazy(r"(?!)")


@dataclass(frozen=True, slots=True)
class Records:
    """How one platform writes them. Labels are in lower case."""

    labels: Mapping[str, str]
    """Label -> what it tells: port, system, chassis, port_id, kind (of the port id), description."""
    begins: str = ""
    """The label that each neighbour begins with, where several may stand below one head."""
    head: re.Pattern[str] = _NEVER
    """A line that names the local port of what follows, in group 1."""
    aside: re.Pattern[str] = _NEVER
    """A line below which no neighbour of the port itself stands, until the next line that names a port or an agent."""
    back: re.Pattern[str] = _NEVER
    """A line that ends such a part."""
    typed: re.Pattern[str] = _NEVER
    """How the value of an id begins with its kind: groups for the kind and the id."""
    value: re.Pattern[str] = re.compile(r"(.*)")
    """What of a value counts, in group 1."""

    def read(self, document: Document) -> Iterator[Neighbour]:
        """All neighbours of an answer; each stands on the line of its system name, else of its first line."""
        port, aside = "", False
        said: dict[str, str] = {}
        at: dict[str, int] = {}
        for number, line in enumerate([*document.text.split("\n"), ""], document.first_line):
            head = self.head.match(line)
            if head is not None or number == document.first_line + document.text.count("\n") + 1:
                yield from _finished(document, port, said, at)
                said, at, aside = {}, {}, False
                port = "" if head is None else head.group(1)
                continue
            if self.aside.match(line):
                aside = True
            elif self.back.match(line):
                aside = False
            found = _FIELD.fullmatch(line)
            if found is None or aside:
                continue
            label = found.group(1).lower()
            if label == self.begins:
                yield from _finished(document, port, said, at)
                said, at = {}, {}
            name = self.labels.get(label)
            if name is not None and name not in said:
                value = self.value.match(found.group(2))
                said[name], at[name] = value.group(1) if value is not None else "", number
                typed = self.typed.match(said[name]) if name in ("chassis", "port_id") else None
                if typed is not None:
                    said[name] = typed.group(2)
                    if name == "port_id":
                        said["kind"] = typed.group(1)


def _finished(document: Document, port: str, said: Mapping[str, str], at: Mapping[str, int]) -> Iterator[Neighbour]:
    rest = {name: text for name, text in said.items() if name != "port"}
    if rest:
        line = next((at[name] for name in ("system", "port_id", "chassis") if name in at), document.first_line)
        found = neighbour(said.get("port", port), Place(document.path, line), **rest)
        if found is not None:
            yield found
