"""Answers that somebody gathered because of what we judge, and that nothing reads: said, lest they be taken for judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

_ABOUT = lazy(
    r"pfc|priority-flow|flow-?control|\bqos\b|queu|buffer|\becn|wred|\bdcb|congestion|policy-map|class-of-service|headroom|traffic-pool"
    r"|\broce"
)
_ARGUMENTS = lazy(r" ?\|.*| -.*")
_MOST = 4


def unread_answers(commands: Sequence[str], device: DeviceInput, reading: DeviceReading) -> Iterator[tuple[str, str]]:
    """(path, which) of the answers about lossless settings that are none of those that are asked for, and told nothing of a port."""
    known = tuple(_ARGUMENTS.sub("", command) for command in commands)
    gathered = [
        document
        for document in device.documents
        if document.command
        and _ABOUT.search(document.command)
        and not document.command.startswith(known)
        and document.text.strip()  # a command that sets something is answered by the next prompt
    ]
    if not gathered:
        return
    told = {(part.block.path, part.block.first) for port in reading.ports for part in port.parts}
    told |= {(part.block.path, part.block.first) for part in reading.device_parts}
    told |= {(one.place.path, one.place.line) for one in reading.seen}
    by_path: dict[str, list[str]] = defaultdict(list)
    for document in gathered:
        if not any(_stands_in(document, line) for path, line in told if path == document.path):
            by_path[document.path].append(f"`{document.command}`")
    for path, which in by_path.items():
        more = f" and {len(which) - _MOST} more" if len(which) > _MOST else ""
        yield path, f"nothing here reads the answer of {', '.join(which[:_MOST])}{more}"


def _stands_in(document: Document, line: int) -> bool:
    return document.first_line <= line <= document.first_line + document.text.count("\n")
