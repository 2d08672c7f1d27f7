"""One switch: its documents, in whatever form, become one configuration and are read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.shared.linkstate import LinkState
from roce_audit.platforms.srlinux.config import Configuration
from roce_audit.platforms.srlinux.device import device_facts
from roce_audit.platforms.srlinux.disagreeing import disagreeing
from roce_audit.platforms.srlinux.lines import ROOTS, Line, of_json, of_text
from roce_audit.platforms.srlinux.paths import header, pieces
from roce_audit.platforms.srlinux.running import Without, with_running, without_pfc
from roce_audit.platforms.srlinux.shown import links_down, takes
from roce_audit.platforms.srlinux.table import TABLE
from roce_audit.platforms.srlinux.unprofiled import unbuffered, unprofiled
from roce_audit.text.block import Block, block
from roce_audit.text.comments import Comment, addressed_to_us
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.outline import Outline, Stanza
from roce_audit.text.structured.jsontext import JsonError, JsonText
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.text.whole import Extent, kinds_of_paths, why_whole
from roce_audit.values import Place

_INFO = re.compile(r"info\b|show running|show startup|display")
_WHOLE_INFO = re.compile(r"info(?: from running| flat| detail)*(?: \| as json)?\Z")
_IN_STATE = re.compile(r'"oper-state"|^[ \t]*oper-state ', re.M)
_TYPED = re.compile(r"^[ \t]*(?:set|delete|insert|/) ?/? ?[a-z]", re.M)
"""Lines to be typed, which may be any part of a configuration; what the device shows is whole."""
_NOT_SHOWN = re.compile(r"^[ \t]*(?!set / |#|$)", re.M)
"""A line that `info flat` does not write: each of its own sets an absolute path."""
_INSERTS = re.compile(r"^[ \t]*insert ", re.M)
"""Lines that change a configuration which is somewhere else; so does a `delete` of what the text itself did not set before."""
_STORE = frozenset({"system", "interface", "network-instance"})


def read(device: DeviceInput) -> DeviceReading:
    """Read all documents of one switch."""
    documents = [d for d in device.documents if d.command is None or _INFO.match(d.command)]
    reader = _Reader(all(_is_state(document) for document in documents))
    # what the device reports comes first, so that what is configured wins
    for document in sorted(documents, key=lambda d: not _is_state(d)):
        reader.document(document)
    for document in device.documents:
        links_down(reader.links, document)
    config = reader.config
    held = list(reader.links.held_against(with_running(config.ports(), device, reader.without_pfc)))
    ports = tuple([port for port, _ in held])
    told = [one for _, of_port in held for one in of_port]
    first = device.documents[0]
    return DeviceReading(
        name=device.name,
        platform="srlinux",
        kind="switch",
        device=device_facts(device),
        device_parts=(),
        ports=ports,
        first=Place(first.path, first.first_line),
        seen=(
            *reader.seen,
            *told,
            *config.observations(),
            *disagreeing(ports),
            *(unprofiled(ports) if reader.complete else ()),
            *(unbuffered(ports, config.buffers_of_pfc_queues()) if reader.complete else ()),
        ),
        complete_because=reader.complete,
        lines=reader.lines,
        lines_relevant=config.relevant,
        inline_suppressions=tuple(reader.comments),
    )


def _is_state(document: Document) -> bool:
    """Whether a document is of the state datastore: it holds what runs, and counters."""
    return (document.command or "").startswith("info from state") or _IN_STATE.search(document.text) is not None


class _Reader:
    """The documents of one switch, put together."""

    def __init__(self, is_state_alone: bool) -> None:
        self.is_state_alone = is_state_alone
        """No configuration is there: the state datastore holds what is configured as well."""
        self.config = Configuration()
        self.links = LinkState()
        self.complete: dict[str, str] = {}
        self.seen: list[Seen] = []
        self.comments: list[Comment] = []
        self.lines = 0
        self.without_pfc: Without = {}
        """Ports on which PFC does not run, as the state datastore says."""

    def document(self, document: Document) -> None:
        """Take in one document."""
        self.lines += document.text.count("\n") + 1
        found = self._json(document) if document.text.lstrip()[:1] in ("{", "[") else self._text(document)
        if found is None:
            return
        if _is_state(document):
            self.without_pfc |= without_pfc(document.path, found)
            if not self.is_state_alone:
                found = [line for line in found if not takes(self.links, document.path, line)]
            found = list(_reported(found, self.is_state_alone))
        else:
            self._completeness(document, found)
        self.config.take(document.path, found)

    def _json(self, document: Document) -> list[Line] | None:
        try:
            json = parse_json(document.text, first_line=document.first_line)
        except JsonError as error:
            self._unreadable(document, error.line, f"this JSON cannot be read: {error}")
            return None
        self._repeated(document, json)
        return list(of_json(json))

    def _text(self, document: Document) -> list[Line]:
        lines, found = of_text(document)
        if found.damage:
            self._unreadable(document, found.damage, f"{found.wrong}: what follows, or is missing, is not read")
        self.comments.extend(addressed_to_us(document, "#", _outline(document, lines)))
        return lines

    def _unreadable(self, document: Document, line: int, text: str) -> None:
        self.seen.append(seen("unreadable", document.path, text, Place(document.path, line), "", ()))

    def _repeated(self, document: Document, json: JsonText) -> None:
        for twice in json.duplicates:
            names = [str(step) for step in twice.path]
            if any(name.rpartition(":")[2] in ROOTS for name in names):
                text = (
                    f"this key stands twice in one object (first on line {twice.first_line}); which one counts is open"
                )
                place = Place(document.path, twice.line)
                self.seen.append(seen("conflict", "/".join(names), text, place, f'"{names[-1]}"', ()))

    def _completeness(self, document: Document, found: list[Line]) -> None:
        if any(s.place.path == document.path for s in self.seen):
            return
        because = why_whole(
            document, _proof(document, found), lambda: None if _changes(document, found) else _extent(found)
        )
        if because:
            self.complete[document.path] = because
            self.config.whole = True


def _proof(document: Document, found: list[Line]) -> str:
    roots = {line.words[0] for line in found}
    if document.command is not None and _WHOLE_INFO.match(document.command):
        return f"the whole datastore: {document.command}"
    if roots >= _STORE and not _TYPED.search(document.text):
        return "a whole datastore: system, interface and network-instance"
    if roots >= _STORE | {"qos"} and _shows_device(found) and not _NOT_SHOWN.search(document.text):
        return "a whole datastore as info flat shows it: system, interface, network-instance and qos"
    return ""


def _shows_device(found: list[Line]) -> bool:
    extent = _extent(found)
    return extent is not None and extent.is_whole


def _extent(found: list[Line]) -> Extent | None:
    if not any(line.words[:2] == ("system", "name") for line in found):
        return None
    ports = {line.words[1] for line in found if line.words[0] == "interface" and len(line.words) > 1}
    fronts = sum(name.startswith("ethernet-") for name in ports)
    return Extent(fronts, lambda: kinds_of_paths(line.words for line in found))


def _changes(document: Document, found: list[Line]) -> bool:
    """Whether the text changes a configuration that is somewhere else."""
    if _INSERTS.search(document.text):
        return True
    given: set[tuple[str, ...]] = set()
    for line in found:
        if line.deletes and line.words not in given:
            return True
        given.update(line.words[:end] for end in range(1, len(line.words) + 1))
    return False


def _reported(found: list[Line], is_alone: bool) -> Iterator[Line]:
    """What a state dump says of interfaces, and of everything where nothing else is there.

    The rest is counters, and what the device made of its configuration: what the table does not know is passed over, and what is
    missing is not taken as absent.
    """
    for line in found:
        about = header(line.words)
        if about is not None and (is_alone or about.mode == "interface") and not line.broken:
            said = [TABLE.parse(about.mode, text) for text, _ in pieces(about.mode, line.words[about.length :])]
            if said and said[-1].value is not None:
                yield line


def _outline(document: Document, lines: list[Line]) -> Outline:
    """The statements as stanzas of one line each: a comment binds to the next statement."""
    numbers = sorted({line.lines[-1] for line in lines if line.lines[-1] >= document.first_line})
    stanzas = tuple(Stanza("", "", number, _line_block(document, number), ()) for number in numbers)
    return Outline(stanzas, block(document.path, document.first_line, (), ()), len(numbers))


def _line_block(document: Document, number: int) -> Block:
    return block(document.path, number, ("",), (number,))
