"""What `show interfaces` tells of ports: speed, MTU, FEC, link pause, a BPDU that shut one. Juniper CLI Reference, show interfaces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen
from roce_audit.platforms.shared.cli.running import shut_port
from roce_audit.platforms.shared.shown import Shown, doubt
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = re.compile(
    r"show interfaces(?: (?!terse|descriptions|queue|diagnostics|policers|filters|statistics\b)[^|]{1,60}?)?(?: ?\| ?no-more)?"
)
HEAD = re.compile(r"Physical interface: (\S{2,40}), .{1,120}")
_MTU = re.compile(r"(?:\A|[, ])Link-level type: Ethernet, MTU: ([^\s,]{1,20}),")
_SPEED = re.compile(r"(?:\A|[, ])Speed: (?!Unlimited|Unspecified|Auto)([^\s,]{1,20}),")
_PAUSE = re.compile(r"(?:\A|[, ])Flow control: ([^\s,]{1,20})(?:,|\Z)")
_BPDU = re.compile(r"(?:\A|[, ])(BPDU Error: Detected)(?:,|\Z)")
_FEC = re.compile(r"\A *Ethernet FEC Mode *: +(\S{1,20}) *\Z")


def is_about_interfaces(command: str | None) -> bool:
    """Whether the answer of a command is what `show interfaces` prints."""
    return command is not None and _COMMAND.fullmatch(command) is not None


def answers(document: Document) -> Iterator[Shown]:
    """(port, line, statement) of what the answer tells of ports; nothing for other commands."""
    if not is_about_interfaces(document.command):
        return
    port = ""
    for number, line in enumerate(document.text.split("\n"), document.first_line):
        head = HEAD.fullmatch(line)
        if head is not None:
            port = head[1]
        elif port:
            yield from ((port, number, statement) for statement in _of_line(line))


def shut_ports(documents: Sequence[Document]) -> Iterator[Seen]:
    """Ports that BPDU protection has shut (Juniper, Understanding BPDU Protection for Spanning-Tree Instance Interfaces)."""
    for document in documents:
        port = ""
        for number, line in enumerate(
            document.text.split("\n") if is_about_interfaces(document.command) else (), document.first_line
        ):
            head, shut = HEAD.fullmatch(line), _BPDU.search(line)
            port = port if head is None else head[1]
            if shut is not None and port:
                yield shut_port(port, shut[1], Place(document.path, number))


def _of_line(line: str) -> Iterator[str]:
    for word, pattern in (("mtu", _MTU), ("speed", _SPEED), ("flow-control", _PAUSE), ("fec", _FEC)):
        found = pattern.search(line)
        if found is not None:
            yield f"{word} {found[1]}{doubt(line)}"
