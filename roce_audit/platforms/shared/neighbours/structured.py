"""Answers as JSON: how their objects are walked. What cannot be read as JSON holds nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.neighbour import neighbour
from roce_audit.text.document import Document
from roce_audit.text.structured import jsontext
from roce_audit.text.structured.positions import Path
from roce_audit.values import Place


class Answer:
    """A JSON answer."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text: jsontext.JsonText | None = None
        try:
            self._text = jsontext.parse(document.text, first_line=document.first_line)
        except jsontext.JsonError:
            return

    @property
    def value(self) -> Any:
        """What it holds; None where it is no JSON."""
        return None if self._text is None else self._text.value

    def neighbour(self, port: object, path: Path, **said: object) -> Iterator[Neighbour]:
        """The neighbour whose object stands at `path`, if these values name one."""
        assert self._text is not None
        place = Place(self._document.path, self._text.line_of(path))
        words = {name: text for name, text in said.items() if isinstance(text, str)}
        found = neighbour(port, place, **words) if isinstance(port, str) else None
        if found is not None:
            yield found


def items(value: object, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The objects of a list, or the only one where there is no list, each with its path."""
    if isinstance(value, list):
        for index, inner in enumerate(value):
            if isinstance(inner, dict):
                yield (*path, index), inner
    elif isinstance(value, dict):
        yield path, value


def members(value: object, path: Path = ()) -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
    """The objects in an object by their keys."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, dict):
            yield key, (*path, key), inner


def below(value: object, *keys: str) -> Any:
    """What stands below these keys; None where one is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
