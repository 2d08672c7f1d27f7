"""Answers of counter commands, described as data: which command, what names a port, which rows hold which counters.

Patterns are matched against a whole line in which every run of blanks is one blank. A row may stand below headings (`PFC 3:`,
`Rx:`, the title of a table): what a heading names is known to the rows below it, until the next port.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import number
from roce_audit.records import dataclass
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

Names = Callable[[str], Iterable[str]]
"""The ports that a name in an answer stands for; raises ValueError for a name of no port."""
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Row:
    """A line with counters. `counts`: path in `model.counters.Counters` -> group of the pattern that holds the number.

    In paths `{name}` stands for what a group of that name holds, in this line or in a heading above it. A group `port` names
    the port of the line. `below`: what the headings above must have said for the line to count.
    """

    pattern: re.Pattern[str]
    counts: Mapping[str, str]
    below: Mapping[str, str] = field(default_factory=dict)
    called: str = ""
    """The device's own name, where another row of the answer is a counter of the same path."""


@dataclass(frozen=True, slots=True)
class Form:
    """The answer of one command. `command` is matched whole; a group `port` in it names the port of the whole answer."""

    command: re.Pattern[str]
    source: str
    """What is cleared together: by this name two readings are of one counter."""
    rows: Sequence[Row]
    port: re.Pattern[str] | None = None
    """The line above the counters of a port, with a group `port`."""
    headings: Sequence[re.Pattern[str]] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    """What words in headings and lines stand for in paths (`Rx` is `received`)."""


def reader(
    forms: Sequence[Form], names: Names, written: Mapping[str, Callable[[str], str]] | None = None
) -> Callable[[DeviceInput], Iterator[Count]]:
    """A reader of all counters in the answers of a switch that these forms describe.

    `written`: group -> how its number is had from what stands there, where it is not written as one.
    """
    plain = written or {}

    def read(device: DeviceInput) -> Iterator[Count]:
        for document in device.documents:
            command = document.command or ""
            for form in forms:
                asked = form.command.fullmatch(command)
                if asked is not None:
                    yield from _of(document, form, asked.groupdict().get("port") or "", names, plain)

    return read


def _of(
    document: Document, form: Form, asked: str, names: Names, written: Mapping[str, Callable[[str], str]]
) -> Iterator[Count]:
    ports = named(asked, names)
    above: dict[str, str] = {}
    for line, text in document.numbered():
        plain = " ".join(text[:_LONGEST].split())
        head = form.port.fullmatch(plain) if form.port is not None else None
        if head is not None:
            ports, above = named(head["port"], names), {}
            continue
        for heading in form.headings:
            found = heading.fullmatch(plain)
            if found is not None:
                above |= {name: form.words.get(said, said) for name, said in found.groupdict().items()}
        for row in form.rows:
            found = row.pattern.fullmatch(plain)
            if found is not None and all(above.get(name) == said for name, said in row.below.items()):
                place = Place(document.path, line)
                said = {
                    **above,
                    **{name: form.words.get(text, text) for name, text in found.groupdict().items() if text},
                }
                of = named(found["port"], names) if "port" in found.groupdict() else ports
                numbers = {name: written[name](text) if name in written else text for name, text in said.items()}
                yield from _counted(row, numbers, of, place, form.source)


def _counted(row: Row, said: Mapping[str, str], ports: Sequence[str], place: Place, source: str) -> Iterator[Count]:
    for path, group in row.counts.items():
        if group in said and _is_named(path, said):
            for port in ports:
                yield Count(port, path.format_map(said), number(said[group]), place, source, called=row.called)


def _is_named(path: str, said: Mapping[str, str]) -> bool:
    """Whether everything that the path leaves open was said."""
    return all(name in said for name in re.findall(r"\{([a-z]{1,20})\}", path))


def named(text: str, names: Names) -> Sequence[str]:
    """The ports that a name in an answer stands for; none for a name of no port."""
    try:
        return tuple(names(text)) if text else ()
    except ValueError:
        return ()
