"""One switch: its documents become one configuration and are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from roce_audit.platforms.base import DeviceReading, Seen, no_link, seen
from roce_audit.platforms.junos.answers import dark_links, shut_ports
from roce_audit.platforms.junos.config import Configuration
from roce_audit.platforms.junos.contradictions import contradictions
from roce_audit.platforms.junos.device import device_facts
from roce_audit.platforms.junos.elements import as_table, as_typed, is_answer
from roce_audit.platforms.junos.expand import APPLY, EXCEPT, GROUPS, expanded
from roce_audit.platforms.junos.inforce import InForce
from roce_audit.platforms.junos.names import PHYSICAL
from roce_audit.platforms.junos.observations import observations
from roce_audit.platforms.junos.ports import Ports
from roce_audit.platforms.junos.slower import slower_links
from roce_audit.platforms.junos.texts import Line, Text, of_document
from roce_audit.platforms.junos.trees import of_tree
from roce_audit.platforms.shared.cli.running import asleep
from roce_audit.text.block import block
from roce_audit.text.comments import Comment, addressed_to_us
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.outline import Outline, Stanza
from roce_audit.text.whole import FEWEST_PORTS, Extent, kinds_of_paths, why_whole
from roce_audit.values import Place

_SHOWN = re.compile(
    r"(?:show|display) (?:(?:[a-z]{4,8}-)?config(?:uration)?\b(?!.{0,200}\| ?compare)|run\b)|show system rollback [0-9]"
)
"""Those of other vendors too, by which collectors name the files of every device."""
_WHOLE = re.compile(
    r"show configuration(?: ?\| ?(?:no-more|display (?:set|json|xml|omit|inheritance(?: (?:no-comments|brief|terse|defaults))*)))*\Z"
)
_INHERITANCE = re.compile(r"\| ?display inheritance")
_INHERITED = re.compile(
    r"^[ \t]{0,200}## '[^'\n]{1,200}' was (?:inherited|expanded) from|<[^<>\n]{1,200} junos:(?:group|interface-range)=",
    re.M,
)
_HEADED = re.compile(r"^## Last (?:commit|changed): ", re.M)
_STORE = frozenset({"system", "interfaces"})
_ROUTING = frozenset({"routing-options", "policy-options", "routing-instances"})
_NOTES = ("#", "/*")
_FEWEST_WITH_CLASSES = 2
"""Ports."""


def read(device: DeviceInput) -> DeviceReading:
    """Read all documents of one switch."""
    reader = _Reader()
    forms = [(document, as_typed(as_table(document))) for document in device.documents]
    unread = tuple(document for document, told in forms if told is document and is_answer(document))
    documents = tuple(told for document, told in forms if document not in unread)
    for document in documents:
        if document.command is None or _SHOWN.match(document.command):
            reader.document(document)
    config = Configuration(expanded(reader.texts), bool(reader.complete))
    if not reader.texts:
        config.show_ports(documents)
    for document in documents:
        config.show(document)
    dark, unused = dark_links(documents)
    differing = [one for one in config.running.contradictions(config.bindings) if not dark.keys() >= set(one.ports)]
    config.show_running()
    in_force = tuple(InForce(config, config.shown_objects, alone=not reader.texts).hold())
    ports = Ports(config)
    readings = tuple(
        replace(port, facts=asleep(port.facts), labels=replace(port.labels, no_link=True))
        if port.name in dark
        else port
        for port in ports.read()
    )
    facts = device_facts(device)
    first = device.documents[0]
    return DeviceReading(
        name=device.name,
        platform="junos",
        kind="switch",
        device=facts,
        device_parts=(),
        ports=readings,
        first=Place(first.path, first.first_line),
        seen=(
            *reader.seen,
            *observations(config, ports.kind),
            *contradictions(config, facts),
            *differing,
            *in_force,
            *shut_ports(documents),
            *(no_link(name, place, name) for name, place in dark.items()),
            *(no_link(name, place, "", said) for name, (said, place) in unused.items() if name not in dark),
            *slower_links(readings, config),
        ),
        unrecognised=tuple(
            (path, "an answer in this form is not read")
            for path in (*(document.path for document in unread), *config.shown_objects.unread)
        ),
        complete_because=reader.complete,
        lines=reader.lines,
        lines_relevant=config.relevant,
        inline_suppressions=tuple(reader.comments),
    )


class _Reader:
    """The documents of one switch, put together."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, list[Line]]] = []
        self.complete: dict[str, str] = {}
        self.seen: list[Seen] = []
        self.comments: list[Comment] = []
        self.lines = 0

    def document(self, document: Document) -> None:
        """Take in one document."""
        self.lines += document.text.count("\n") + 1
        found = of_tree(document) or of_document(document)
        if found.damage:
            text = f"{found.wrong}: what follows, or is missing, is not read"
            self.seen.append(seen("unreadable", document.path, text, Place(document.path, found.damage), "", ()))
        else:
            because = why_whole(document, _proof(document, found), lambda: _extent(found.lines))
            if because:
                self.complete[document.path] = because
        self.comments += found.comments or _comments(document, found.lines)
        self.texts.append((document.path, _written_out(document, found.lines)))


def _written_out(document: Document, lines: list[Line]) -> list[Line]:
    """Where `display inheritance` shows what groups bring, a group that is applied need not be there itself."""
    if not _INHERITANCE.search(document.command or "") and not _INHERITED.search(document.text):
        return lines
    groups = {line.words[1] for line in lines if line.words[0] == GROUPS and len(line.words) > 1}
    return [line for line in lines if {APPLY, EXCEPT}.isdisjoint(line.words) or not groups.isdisjoint(line.words)]


def _proof(document: Document, found: Text) -> str:
    """What proves that a document is the whole configuration; "" where nothing does."""
    roots = {line.words[0] for line in found.lines}
    if document.command is not None and _WHOLE.match(document.command):
        return f"the whole configuration: {document.command}"
    if roots >= _STORE and (_HEADED.search(document.text) or "version" in roots):
        return "the whole configuration: it begins with its last commit or its version"
    if roots >= _STORE | {"protocols"} and roots & _ROUTING and found.is_blocks:
        return "the stanzas of a whole configuration: system, interfaces, protocols and what routes"
    return ""


def _extent(lines: list[Line]) -> Extent | None:
    """How much of its device a document shows; None where it names no host, or changes what stands elsewhere.

    Beside a class of service of its own two ports are several: a paste of that stanza does not name its host.
    """
    is_named = any(line.words[:2] == ("system", "host-name") for line in lines)
    if not is_named or any(line.verb == "delete" for line in lines):
        return None
    ports = {line.words[1] for line in lines if line.words[0] == "interfaces" and len(line.words) > 1}
    enough = _FEWEST_WITH_CLASSES if any(line.words[0] == "class-of-service" for line in lines) else FEWEST_PORTS
    front = len(list(filter(PHYSICAL.match, ports)))
    return Extent(front, lambda: kinds_of_paths(line.words for line in lines), enough)


def _comments(document: Document, lines: list[Line]) -> Iterator[Comment]:
    outline = _outline(document, lines)
    for note in _NOTES:
        for comment in addressed_to_us(document, note, outline):
            yield replace(comment, text=comment.text.removesuffix("*/").strip())


def _outline(document: Document, lines: list[Line]) -> Outline:
    """The statements as stanzas of one line each: a comment binds to the next statement."""
    numbers = sorted({line.lines[-1] for line in lines})
    stanzas = tuple(Stanza("", "", number, block(document.path, number, ("",), (number,)), ()) for number in numbers)
    return Outline(stanzas, block(document.path, document.first_line, (), ()), len(numbers))
