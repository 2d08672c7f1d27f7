"""Counters of IOS XR: PFC frames by priority, of `show controllers INTERFACE priority-flow-control`; FEC code words that were
corrected or lost, of `show controllers INTERFACE`; CRC errors of `show interfaces`, and how often links went down; of `show policy-map
interface` drops and marks of each class that one traffic class alone is of.

The table as genieparser's captures of a Cisco 8000 have it; older releases do not count what was sent by priority.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import lines, number
from roce_audit.platforms.iosxr.names import INTERFACES
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.counterforms import Form, Row, named, reader
from roce_audit.platforms.shared.linkchanges import link_downs
from roce_audit.text.document import DeviceInput, Document

_INTERFACES = re.compile(r"show interfaces?(?: .{1,60})?")
_OF_PORT = re.compile(
    r"(?P<port>[A-Z][A-Za-z-]{1,20}[0-9][\w/.]{0,20}) is (?P<state>up|down|administratively down|err(?:or)?[ -]disabled?), .{2,60}"
)
_POLICIES = re.compile(r"show policy-map interface(?: .{1,60})?")
_OF_POLICY = re.compile(r"(\S{3,40}) (?:direction )?(input|output): \S.{0,80}")
_OF_CLASS = re.compile(r"Class (\S{1,64})")
_DROPPED = re.compile(r"Total Dropped *: *([0-9]{1,20})/[0-9]{1,20}(?: +[0-9]{1,20})?")
_TAIL = re.compile(r"Taildropped ?\(packets/bytes\) *: *([0-9]{1,20})/[0-9]{1,20}")
_MARKED = re.compile(r"RED ecn marked & transmitted ?\(packets/bytes\) *: *([0-9]{1,20})/[0-9]{1,20}")
_CLASS_MAP = re.compile(r"class-map (?:match-(?:any|all) )?(\S{1,64})[ \t]*")
_MATCH = re.compile(r" match (.{1,80})")
_TRAFFIC_CLASS = re.compile(r"traffic-class ([0-7])[ \t]*")
_CONTROLLERS = re.compile(r"show controllers .{3,80}")
_WATCHED = re.compile(r"Priority flow control information for interface (\S{3,40}?):")
_EVENTS = re.compile(r"Watchdog Events\s*:((?:\s+[0-9]{1,20}){8})")
_CHANGES = re.compile(r"Interface state transitions: (?P<n>[0-9]{1,20})")
_tables = reader(
    (
        Form(
            command=re.compile(r"show controllers .{3,80}"),
            source="show controllers",
            port=re.compile(r"Priority flow control information for interface (?P<port>\S{3,40}?):"),
            rows=(
                Row(
                    re.compile(r"(?P<n>[0-7])\s+(?:on|off)\s+(?P<received>[0-9]{1,20})(?:\s+(?P<sent>[0-9]{1,20}))?"),
                    {"priorities.{n}.pause_received": "received", "priorities.{n}.pause_sent": "sent"},
                ),
                Row(
                    re.compile(r"(?:Total )?Rx (?:Data Frames Dropped|Dropped Data Frames) ?: (?P<n>[0-9]{1,20})"),
                    {"discards": "n"},
                ),
            ),
        ),
        Form(
            command=re.compile(r"show controllers .{3,80}"),
            source="show controllers, FEC",
            port=re.compile(r"Operational data for interface (?P<port>\S{3,40}?):"),
            rows=tuple(
                Row(re.compile(rf"{word} Codeword Count: (?P<n>[0-9]{{1,20}})(?: .{{1,80}})?"), {name: "n"})
                for word, name in (("Uncorrected", "fec_uncorrectable"), ("Corrected", "fec_corrected"))
            ),
        ),
        Form(
            command=_INTERFACES,
            source="show interfaces",
            port=_OF_PORT,
            rows=(
                Row(re.compile(r"[0-9]{1,20} input errors, (?P<crc>[0-9]{1,20}) CRC, .{1,80}"), {"crc_errors": "crc"}),
            ),
        ),
    ),
    INTERFACES.expand,
)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a router."""
    yield from _tables(device)
    classes = dict(_traffic_classes(device))
    for document in device.documents:
        if _CONTROLLERS.fullmatch(document.command or ""):
            yield from _storms(document)
        if _POLICIES.fullmatch(document.command or ""):
            yield from _of_classes(document, classes)
        if _INTERFACES.fullmatch(document.command or ""):
            yield from link_downs(document, _OF_PORT, _CHANGES, INTERFACES.expand, "show interfaces")


def _traffic_classes(device: DeviceInput) -> Iterator[tuple[str, str]]:
    """The classes of the configuration that match one traffic class and nothing else, each with its number."""
    matched: dict[str, list[str]] = defaultdict(list)
    for document in device.documents:
        name = ""
        for line in document.text.split("\n") if is_configuration(document) else ():
            head, match = _CLASS_MAP.fullmatch(line), _MATCH.fullmatch(line)
            if head is not None:
                name = head[1]
            elif match is not None and name:
                matched[name].append(match[1])
            elif not line.startswith(" "):
                name = ""
    for name, texts in matched.items():
        alone = _TRAFFIC_CLASS.fullmatch(texts[0]) if len(texts) == 1 else None
        if alone is not None:
            yield name, alone[1]


def _storms(document: Document) -> Iterator[Count]:
    """How often the PFC watchdog found a traffic class stuck, a column for each of them."""
    ports: tuple[str, ...] = ()
    for place, text in lines(document):
        head, events = _WATCHED.fullmatch(text.strip()), _EVENTS.fullmatch(text.strip())
        if head is not None:
            ports = tuple(named(head[1], INTERFACES.expand))
        for queue, count in enumerate(events[1].split() if events is not None else ()):
            for port in ports:
                yield Count(port, f"queues.{queue}.storms", number(count), place, "show controllers, PFC watchdog")


def _of_classes(document: Document, classes: Mapping[str, str]) -> Iterator[Count]:
    ports: tuple[str, ...] = ()
    queue: str | None = None
    for place, text in lines(document):
        line = text.strip()
        policy, of_class = _OF_POLICY.fullmatch(line), _OF_CLASS.fullmatch(line)
        if policy is not None:
            ports, queue = tuple(named(policy[1], INTERFACES.expand)) if policy[2] == "output" else (), None
        elif of_class is not None:
            queue = classes.get(of_class[1])
        for pattern, name, called in (
            (_DROPPED, "drops", ""),
            (_TAIL, "drops", "Taildropped"),
            (_MARKED, "marked", ""),
        ):
            counted = pattern.fullmatch(line)
            if counted is not None and queue is not None:
                path, source = f"queues.{queue}.{name}", "show policy-map interface"
                yield from (Count(port, path, number(counted[1]), place, source, called=called) for port in ports)
