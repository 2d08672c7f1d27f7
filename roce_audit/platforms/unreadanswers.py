"""Answers that somebody gathered because of what we judge, and that nothing reads: said, lest they be taken for judged."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

if TYPE_CHECKING:
    from roce_audit.platforms.record import Platform

_ABOUT = lazy(
    r"pfc|priority-flow|flow-?control|\bqos\b|queu|buffer|\becn|wred|\bdcb|congestion|policy-map|class-of-service|headroom|traffic-pool"
    r"|\broce|\bdrop|discard|watermark"
)
_OF_PORTS = lazy(r"(?:show|display|get) (?:net-?)?(?:int|ip int)")
"""Beginning of commands that show the state of ports: it counts as well, in whatever form it is given."""
_ARGUMENTS = lazy(r" ?\|.*| -.*")
_OTHER_FORM = lazy(r"\| ?(?:display )?(?:json|xml)\b")
"""What turns a table into another form; pipes that leave lines out turn nothing."""
_FORMS = ("{", "[", "<")
"""How texts begin that are no table: what programs have made of one."""
NOBODYS = "beside answers of a {}, and neither called after a command that is read nor in the form of one"
_PORT = lazy(r"[A-Za-z][ -]?[0-9]{1,3}/[0-9]")
"""How ports are named."""
_MOST = 4


def unread_answers(
    platform: Platform, device: DeviceInput, reading: DeviceReading, counted: Collection[tuple[str, int]]
) -> Iterator[tuple[str, str]]:
    """(path, which) of the answers about lossless settings that told nothing of a port: those that nobody asks for, and those that say
    something of each port that they name; of the files beside them that nobody knows.

    `counted` are the places, path and line, of counters and levels that were read.
    """
    known = tuple(_ARGUMENTS.sub("", command) for command in platform.commands)
    # a command that sets something is answered by the next prompt
    answered = [document for document in device.documents if document.text.strip()]
    gathered = [document for document in answered if document.command and _is_gathered(document, platform, known)]
    strays = _strays(device, reading)
    if not gathered and not strays:
        return
    blocks = {id(part.block): part.block for port in reading.ports for part in port.parts}
    blocks |= {id(part.block): part.block for part in reading.device_parts}
    paths = {document.path for document in (*gathered, *strays)}
    told = {
        (block.path, block.place(index).line)
        for block in blocks.values()
        if block.path in paths
        for index in range(len(block.texts.statements))
    }
    told |= {(one.place.path, one.place.line) for one in reading.seen}
    told.update(counted)
    lines: dict[str, list[int]] = defaultdict(list)
    for path, line in sorted(told):
        lines[path].append(line)
    by_path: dict[str, list[str]] = defaultdict(list)
    for document in gathered:
        if not _is_told(document, lines[document.path]):
            by_path[document.path].append(f"`{document.command}`")
    for path, which in by_path.items():
        yield path, nothing_reads(which)
    for path in sorted({one.path for one in strays if not _is_told(one, lines[one.path])}):
        yield path, NOBODYS.format("switch")


def _strays(device: DeviceInput, reading: DeviceReading) -> Sequence[Document]:
    """What among the device's is called after no command, and of which nothing is known to be read."""
    named = {document.path for document in device.documents if document.command}
    used = {path for path, _ in reading.unrecognised} | {one.place.path for one in reading.neighbours}
    many = Counter(document.path for document in device.documents)
    used |= {path for path in reading.complete_because if many[path] == 1}
    apart = named | used
    return [one for one in device.documents if one.path not in apart and one.text.strip()]


def _is_gathered(document: Document, platform: Platform, known: tuple[str, ...]) -> bool:
    """Whether something of an answer to a command must have been read, lest it be told."""
    command = document.command or ""
    is_of_ports = _OF_PORTS.match(command) is not None
    is_table_asked = platform.kind == "switch" and " -" not in command and is_about_lossless(command)
    if (is_of_ports or is_table_asked) and document.text.lstrip()[:1] in _FORMS:
        is_known = _OTHER_FORM.search(command) is not None and _is_known(command, platform, known)
        return not is_known or _is_to_tell(document, platform)
    if not is_about_lossless(command):
        return False
    return _is_to_tell(document, platform) or not _is_known(command, platform, known)


def is_about_lossless(command: str) -> bool:
    """Whether a command asks for what is judged here."""
    return _ABOUT.search(command.lower().replace("_", " ")) is not None


def nothing_reads(which: Sequence[str]) -> str:
    """What is said of answers that nothing reads."""
    more = f" and {len(which) - _MOST} more" if len(which) > _MOST else ""
    return f"nothing here reads the answer of {', '.join(which[:_MOST])}{more}"


def _is_to_tell(document: Document, platform: Platform) -> bool:
    """Whether something must have been read of an answer: it names ports, and tells something of each of them."""
    return platform.must_tell(document.command) and _PORT.search(document.text) is not None


def _is_known(command: str, platform: Platform, known: tuple[str, ...]) -> bool:
    """Whether it is one that is asked for; in another form than it is asked for (`| json`) it is not, unless that is read as well;
    nor is one that asks for more: what a port has of QoS, beside all ports."""
    if platform.reads_form(command):
        return True
    return _OTHER_FORM.search(command) is None and any(
        command.startswith(one) and not _ABOUT.search(command[len(one) :]) for one in known
    )


def _is_told(document: Document, lines: Sequence[int]) -> bool:
    """Whether one of these lines, which are in order, is the document's."""
    first = bisect_left(lines, document.line(0))
    return first < len(lines) and lines[first] <= document.line(document.text.count("\n"))
