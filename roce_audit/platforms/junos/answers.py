"""What `show interfaces` tells of ports: link, speed, MTU, FEC, link pause, a BPDU that shut one; `show lacp interfaces`: members that
their channel does not use. Juniper CLI Reference, show interfaces, show lacp interfaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen
from roce_audit.platforms.shared.cli.running import shut_port
from roce_audit.platforms.shared.shown import Shown, doubt
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = re.compile(
    r"show interfaces(?: (?!terse|descriptions|queue|diagnostics|policers|filters|statistics\b)[^|]{1,60}?)?"
    r"(?: ?\| ?(?:no-more|display (?:xml|json))){0,3}"
)
HEAD = re.compile(r"Physical interface: (\S{2,40}), .{1,120}")
_MTU = re.compile(r"(?:\A|[, ])Link-level type: Ethernet, MTU: (?!Unlimited,)([^\s,]{1,20}),")
_SPEED = re.compile(r"(?:\A|[, ])Speed: (?!Unlimited|Unspecified|Auto)([^\s,]{1,20}),")
_PAUSE = re.compile(
    r"(?:\A|[, ])Flow control: (?!(?:None|A?[Ss]ymmetric)(?:/A?[Ss]ymmetric)?, Remote fault)([^\s,]{1,20})(?:,|[ \t]{0,9}\Z)"
)
"""What the port has; what the ends of a link of copper offered each other says nothing of that."""
_BPDU = re.compile(r"(?:\A|[, ])(BPDU Error: Detected)(?:,|\Z)")
_FEC = re.compile(r"\A *Ethernet FEC Mode *: +(\S{1,20}) *\Z")


_LINK = re.compile(r"Physical interface: (\S{2,40}), Enabled, Physical link is (Up|Down)\b.{0,80}")
_LACP = re.compile(r"show lacp interfaces(?: \S{2,40})?(?: ?\| ?no-more)?")
_CHANNEL = re.compile(r"\s{0,8}Aggregated interface: (ae\d{1,5})\s{0,8}")
_MUX = re.compile(r"\s{2,12}(\S{4,40})\s{1,40}\S.{2,60}\b(Detached|Waiting|Attached)\s{0,8}")


def dark_links(documents: Sequence[Document]) -> tuple[dict[str, Place], dict[str, tuple[str, Place]]]:
    """Ports that have no link, and members that their channel does not use: what is said of them, and where."""
    dark: dict[str, Place] = {}
    unused: dict[str, tuple[str, Place]] = {}
    for document in documents:
        is_lacp, channel = _LACP.fullmatch(document.command or "") is not None, ""
        if not is_lacp and not is_about_interfaces(document.command):
            continue
        for number, line in document.numbered():
            place = Place(document.path, number)
            link, head = (None, _CHANNEL.fullmatch(line)) if is_lacp else (_LINK.fullmatch(line), None)
            channel = channel if head is None else head[1]
            member = _MUX.fullmatch(line) if channel and head is None else None
            if link is not None and link[2] == "Down":
                dark.setdefault(link[1], place)
            elif member is not None:
                unused.setdefault(member[1], (f"is {member[2].lower()} in {channel}", place))
    return dark, unused


def is_about_interfaces(command: str | None) -> bool:
    """Whether the answer of a command is what `show interfaces` prints."""
    return command is not None and _COMMAND.fullmatch(command) is not None


def answers(document: Document) -> Iterator[Shown]:
    """(port, line, statement) of what the answer tells of ports; nothing for other commands."""
    if not is_about_interfaces(document.command):
        return
    port = ""
    for number, line in document.numbered():
        head = HEAD.fullmatch(line)
        if head is not None:
            port = head[1]
            link = _LINK.fullmatch(line)
            if link is not None and link[2] == "Up":
                yield port, number, f"link Up{doubt(line)}"
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
