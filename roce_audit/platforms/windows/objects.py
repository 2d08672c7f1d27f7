"""The answers of PowerShell cmdlets: as JSON a list of objects, or one object where there is only one (PowerShell 5.1); as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from roce_audit.platforms.shared.host.answers import REFUSED, Answer
from roce_audit.platforms.shared.host.collector import HOST, Subject
from roce_audit.platforms.windows import textform
from roce_audit.text.structured.jsontext import JsonText

_TEXT_FORM = "neither JSON nor the list or table that PowerShell prints: give it through ConvertTo-Json"


def command(cmdlet: str) -> str:
    """Pattern of a cmdlet with any options, as typed or as the file is called."""
    return rf"{cmdlet}(?: .*)?"


class Row:
    """One object of an answer, with the lines of its properties."""

    def __init__(self, found: JsonText, path: tuple[str | int, ...], values: Mapping[str, Any]) -> None:
        self.found = found
        self.path = path
        self.values = values

    @property
    def properties(self) -> Collection[str]:
        """The names of all properties that are shown, those too whose value was cut off."""
        return self.values.keys()

    def line(self, key: str) -> int:
        """The line of a property, or that of the object."""
        return self.found.line_of((*self.path, key) if key in self.values else self.path)

    def line_in(self, *path: str | int) -> int:
        """The line of something within a property."""
        return self.found.line_of((*self.path, *path))

    def text(self, key: str) -> str:
        """The property in one line of words; a list joined by commas; empty where there is none."""
        value = self.values.get(key)
        if isinstance(value, list):
            return ",".join(word(one) for one in value)
        return "" if value is None else word(value)

    def cut(self, key: str) -> str:
        """How a property begins that the window was too narrow for; empty where it is there, or where there is none."""
        return ""

    def adapter(self, *keys: str) -> Subject:
        """The adapter that the object is about; every one where it names none (policy set Global)."""
        name = next(
            (self.values[key] for key in keys if isinstance(self.values.get(key), str) and self.values[key]), ""
        )
        return ("net", name) if 0 < len(name) <= 256 and name.isprintable() else HOST


class ShownRow(Row):
    """One object of an answer that is text."""

    def __init__(self, shown: textform.Shown) -> None:
        self.shown = shown
        self.values = shown.values()

    @property
    def properties(self) -> Collection[str]:
        """The names of all properties that are shown, those too whose value was cut off."""
        return self.shown.properties.keys()

    def line(self, key: str) -> int:
        """The line of a property, or that of the object."""
        return self.line_in(key)

    def cut(self, key: str) -> str:
        """How a property begins that the window was too narrow for; empty where it is there, or where there is none."""
        texts = [text for _, text in self.shown.properties.get(key, ())]
        return "" if key in self.values or not texts else texts[0].rstrip(".…")

    def line_in(self, *path: str | int) -> int:
        """The line of a property, or of one of its lines."""
        lines = [number for number, text in self.shown.properties.get(str(path[0]), ()) if text]
        index = int(path[1]) if len(path) > 1 else 0
        return lines[index] if index < len(lines) else self.shown.first


def word(value: Any) -> str:
    """A value as it stands in a statement."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        # a property that ConvertTo-Json wrapped: {"value": [...], "Count": 1}
        inner = value.get("value", "")
        return ",".join(word(one) for one in inner) if isinstance(inner, list) else word(inner)
    return " ".join(str(value).split())


def rows(answer: Answer) -> Iterator[Row]:
    """The objects of an answer."""
    text = answer.document.text.lstrip()
    if not re.match(r"[{]|\[\s*[{\]]", text):
        shown = list(textform.objects(_numbered(answer)))
        for one in shown:
            if one.is_odd():
                _not_understood(answer, one)
            else:
                yield ShownRow(one)
        if shown:
            return
        answer.unread(answer.document.first_line, f"{answer.tool.name}: {_TEXT_FORM}")
        answer.say(REFUSED + _TEXT_FORM, answer.document.first_line, HOST)
        return
    found = answer.json()
    if found is None:
        return
    listed = found.value if isinstance(found.value, list) else [found.value]
    for index, one in enumerate(listed):
        path: tuple[str | int, ...] = (index,) if isinstance(found.value, list) else ()
        if isinstance(one, dict):
            yield Row(found, path, one)
        else:
            answer.unread(found.line_of(path), "an object was expected")


def _not_understood(answer: Answer, shown: textform.Shown) -> None:
    """Nothing that the tool says of anybody is known, for the line may speak of each."""
    text = " ".join(text for lines in shown.properties.values() for _, text in lines)[:120]
    answer.unread(shown.first, text)
    for line in answer.tool.lines:
        answer.say(f"{line.lead} <{text}>".strip(), shown.first, HOST)


def _numbered(answer: Answer) -> list[tuple[int, str]]:
    """All lines, the blank ones too: they end a table."""
    return list(answer.document.numbered())


def each(*keys: str, by: tuple[str, ...] = ("Name",)) -> Callable[[Answer], None]:
    """A splitter that says `key value` of each object's properties."""

    def split(answer: Answer) -> None:
        for row in rows(answer):
            for key in keys:
                if row.values.get(key) is not None:
                    answer.say(f"{key} {row.text(key)}".rstrip(), row.line(key), row.adapter(*by))

    return split
