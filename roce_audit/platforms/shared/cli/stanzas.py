"""Where a line of a command-line configuration stands: the port's own statements, the headers around a line, its indentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_letters

from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Texts, line_at
from roce_audit.text.block import CONTEXT, HEADER
from roce_audit.text.structured import indented
from roce_audit.values import Place

_SECTION_ENDS = "#"


def is_typed(port: PortReading, texts: Texts) -> bool:
    """Whether the port's stanza is one of the command line."""
    return line_at(port.header, texts).lstrip().lower().startswith("int")


def channel_of(port: PortReading) -> Place | None:
    """The header of the channel that the port is in."""
    return next((part.block.place(HEADER) for part in port.parts if part.role == "lag"), None)


def own_statements(port: PortReading) -> Iterator[tuple[Place, tuple[str, ...]]]:
    """The relevant statements of the port's own stanza, with the headers between them and the port's."""
    for part in port.parts:
        if part.role != "own" or part.kind != "port":
            continue
        for index, statement in enumerate(part.block.texts.statements):
            place = part.block.place(index)
            if place.line != port.header.line:
                yield place, tuple(statement.split(CONTEXT))


def chain_of(port: PortReading, place: Place) -> tuple[str, ...] | None:
    """The statement on a line of the port's own stanza, with the headers between it and the port's."""
    return next((chain for at, chain in own_statements(port) if at == place), None)


def numbers_of(name: str) -> str:
    """An interface's name less the word before its numbers, which has short forms."""
    return name.strip().lstrip(ascii_letters + "- ")


def step_of(lines: Sequence[str], header: int) -> str:
    """The indentation of the stanza's own lines; that of the file's other stanzas where it has none."""
    below = lines[header] if header < len(lines) else ""
    if indented.depth(below) > indented.depth(lines[header - 1]):
        return indented.blanks(below)
    return next((indented.blanks(line) for line in lines if line.strip() and indented.depth(line)), "")


def has_inner(place: Place, texts: Texts) -> bool:
    """Whether the line opens a stanza that holds others."""
    lines = texts.get(place.path, ())
    return indented.end(lines, place.line - 1) > place.line


def headers_around(port: PortReading, place: Place, texts: Texts) -> list[str] | None:
    """The lines that enclose this one, outermost first; None where that cannot be told."""
    if not is_typed(port, texts):
        return None
    own = chain_of(port, place)
    if own is not None:
        return [line_at(port.header, texts).strip(), *own[:-1]]
    lines = texts.get(place.path, ())
    if not 0 < place.line <= len(lines):
        return None
    if indented.depth(lines[place.line - 1]) == 0:
        return [] if _is_global(port, place) else None
    return enclosing(place, texts)


def enclosing(place: Place, texts: Texts) -> list[str] | None:
    """The headers around a line by indentation, outermost first; none for a line of its own, None where none is found."""
    lines = texts.get(place.path, ())
    if not 0 < place.line <= len(lines):
        return None
    at = place.line - 1
    section = next((n for n in range(at - 1, -1, -1) if lines[n].rstrip() == _SECTION_ENDS), -1)
    heads = [head for head in indented.around(lines, at, indented.depth(lines[at]), ("!", "#")) if head > section]
    if section >= 0 and not heads:
        return []  # what a section says itself stands below nothing, however it is indented
    outermost = heads[0] if heads else at
    return [lines[head].strip() for head in heads] if indented.depth(lines[outermost]) == 0 else None


def kinds_around(place: Place, texts: Texts) -> list[str]:
    """The first words of the headers around a line: what stands in a stanza is no statement of another kind of stanza."""
    return [header.split()[0] for header in enclosing(place, texts) or ()]


def _is_global(port: PortReading, place: Place) -> bool:
    """Whether the line is a statement of no stanza."""
    return any(
        part.role == "device" and part.kind == "top" and place in map(part.block.place, range(len(part.block.offsets)))
        for part in port.parts
    )
