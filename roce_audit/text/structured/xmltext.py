"""XML as a tree of elements, each with its lines. No entities of its own, no outside files, no depth without end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from roce_audit.text.structured.positions import PlacedError

MAX_DEPTH = 64
MAX_CHARACTERS = 16 * 2**20


class XmlError(PlacedError):
    """The text is no XML, or more than we read."""


@dataclass(slots=True)
class Element:
    """One element, from its opening tag on `line` to its closing one on `last`. `text` is what stands directly in it."""

    name: str
    attributes: Mapping[str, str]
    line: int
    last: int = 0
    text: str = ""
    below: list[Element] = field(default_factory=list)


def parse(text: str, *, first_line: int = 1) -> Element:
    """The outermost element of a text whose first line is line `first_line` of its file. Raises XmlError."""
    if len(text) > MAX_CHARACTERS:
        raise XmlError(first_line, 1, f"the text has {len(text):,} characters, the limit is {MAX_CHARACTERS:,}")
    reader = _Reader(first_line)
    try:
        reader.parser.Parse(text, True)
    except expat.ExpatError as error:
        raise XmlError(first_line + error.lineno - 1, error.offset + 1, expat.ErrorString(error.code)) from None
    return reader.root.below[0]


class _Reader:
    def __init__(self, first_line: int) -> None:
        self.first_line = first_line
        self.root = Element("", {}, first_line)
        self.open = [self.root]
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refused

    @property
    def _line(self) -> int:
        return self.first_line + self.parser.CurrentLineNumber - 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) > MAX_DEPTH:
            raise XmlError(self._line, 1, f"nested deeper than {MAX_DEPTH}")
        element = Element(name, attributes, self._line)
        self.open[-1].below.append(element)
        self.open.append(element)

    def _end(self, name: str) -> None:
        element = self.open.pop()
        element.last = self._line
        element.text = element.text.strip()

    def _characters(self, text: str) -> None:
        self.open[-1].text += text

    def _refused(self, *_: object) -> None:
        """A document type is where entities are defined, which may stand for gigabytes, or for files."""
        raise XmlError(self._line, 1, "a document type is not read")
