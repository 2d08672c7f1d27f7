"""What a host's tools have in common: how an answer is cut into statements about NICs, and what the statements claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any, Literal

from roce_audit.platforms.shared.host.collector import HOST, UNNAMED, Collector, Subject
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Path
from roce_audit.platforms.shared.host.own import Own
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.settings import each
from roce_audit.text.structured.jsontext import JsonError, JsonText, parse
from roce_audit.values import At, Why

Shell = Literal["posix", "powershell"]
REFUSED = "refused: "
UNREADABLE = "unreadable: "
UNREADABLE_FILE = "unreadable"


class Narrow(ValueError):
    """A statement of which only one part was not understood: `paths` is all that it makes unknown."""

    def __init__(self, text: str, *paths: Path) -> None:
        super().__init__(text)
        self.paths = paths


@dataclass(frozen=True, slots=True)
class Line:
    """A kind of statement: its first words, what is unknown when the rest is not understood, and how to read the rest."""

    lead: str
    paths: tuple[Path, ...]
    read: Callable[[NicSettings, str, At], None]
    """(nic, the rest, where it stands); raises ValueError when it does not understand."""


def sets(
    lead: str,
    path: Path,
    value: Callable[[str], Any],
    *also: Path,
    fallback: bool = False,
    refusable: bool = False,
    nothing: tuple[str, ...] = (),
) -> Line:
    """A statement whose rest is the value of `path`; where it is not understood, `also` is unknown as well.

    A fallback counts only where no tool shows the running state. The words of `nothing` say nothing; a file that is
    `refusable` may be unreadable to us.
    """

    def read(nic: NicSettings, text: str, at: At) -> None:
        if refusable and text == UNREADABLE_FILE:
            nic.refuse(path, at)
        elif text not in nothing:
            (nic.set_fallback if fallback else nic.set)(path, value(text), at)

    return Line(lead, (path, *also), read)


@dataclass(frozen=True)
class Tool:
    """A reader of the answers of one command, or of files of one kind (`files` set)."""

    name: str
    split: Callable[[Answer], None] | None = None
    """Cuts an answer into statements; None for files, whose statements are `key value`."""
    commands: str = ""
    """Pattern of the whole command; its groups net, rdma, pci and card say whom the answer is about."""
    signature: str = ""
    """Pattern that the text of a lone file of this command holds."""
    words: tuple[str, ...] = ()
    """One of these stands in every such text: looked for first, for most texts are of others and words are found quickly."""
    files: str = ""
    """Pattern of a file's path, with the groups net, rdma, pci and key."""
    lines: tuple[Line, ...] = ()
    covers: tuple[Path, ...] = ()
    """Model paths that an answer tells: complete when it came, refused when it did not."""
    complete: bool = True
    """An answer tells all of what it covers; otherwise only refusals concern all of it."""
    ignored: str = ""
    """Pattern of statements that are none of our business."""
    partial: bool = False
    """The tool prints what it can and still ends with an error."""
    read_file: Callable[[Answer, str, int, str], None] | None = None
    """For files that are not of one NIC: (answer, path, line number, content of the line)."""
    of_rdma_nic: bool = False
    """Only network devices with an RDMA device have such an answer."""
    ethernet: bool = False
    """Only Ethernet devices have such an answer."""
    introduces: int = 9
    """The tool with the lowest number introduces a port best: at its first line an absence is shown."""
    of_spare_ports: bool = False
    """The answer tells of all ports of a card, though the host uses only one."""
    scripts: bool = False
    """Its files are scripts, and their lines are what it is known by."""
    anywhere: bool = False
    """The signature may stand far down a text."""
    asks: bool = False
    """What it reads in an answer depends on what other answers said, or is passed on as it stands: it is read anew on each host."""
    prints_nothing: bool = False
    """It reads what was typed itself; of what is printed others read more."""
    named: str = ""
    """Pattern of paths of lone files of which it reads more than their text says: each of them is read alone."""
    changes: str = ""
    """Pattern of the start of those commands that set something and then show all: their answers replace earlier ones of a log."""
    plain: Callable[[Document, Own], str] | None = None
    """The text of an answer, line for line, with one value in place of all that it reads alike: what differs from host to host."""
    shell: Shell = "posix"
    """What runs the command."""
    by_lead: Mapping[str, Line] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_lead", {line.lead: line for line in self.lines})

    @property
    def is_silent(self) -> bool:
        """Whether it says nothing, whatever the answer is."""
        return self.split is None and not self.covers

    def apply(self, nic: NicSettings, statement: str, at: At) -> bool:
        """Let a statement speak; False when it was not understood."""
        nic.tools.add(self.name)
        if statement.startswith((REFUSED, UNREADABLE)):
            for path in self.covers:
                if statement.startswith(REFUSED):
                    nic.refuse(path, at)
                else:
                    nic.set_unknown(path, Why.NOT_PARSED, at)
            return True
        if self.complete:
            nic.answered.update(one for path in self.covers if isinstance(path, str) for one in each(path))
        words = statement.split(" ")
        for count in range(min(len(words), 5), -1, -1):
            line = self.by_lead.get(" ".join(words[:count]))
            if line is None:
                continue
            try:
                line.read(nic, " ".join(words[count:]), at)
            except (ValueError, TypeError, OverflowError) as error:
                for path in error.paths if isinstance(error, Narrow) else line.paths:
                    nic.set_unknown(path, Why.NOT_PARSED, at)
                return False
            return True
        return bool(self.ignored and re.fullmatch(self.ignored, statement))


@dataclass(frozen=True)
class Family:
    """What one family of NICs makes of the tools' statements."""

    name: str
    """That of its platform."""
    is_mine: Callable[[NicSettings], bool]
    conclude: Callable[[NicSettings], None]
    """Puts the neutral facts that follow (classification, what PFC protects); runs after all statements."""
    shell: Shell = "posix"
    """Where the tools run that it understands."""
    keeps_settings: bool = False
    """The NIC may keep settings over a boot by itself, so that one which no boot file makes need not be lost."""


class Answer:
    """One document on its way through a tool: hands statements about NICs to the collector."""

    def __init__(self, document: Document, tool: Tool, subject: Subject | None, collector: Collector) -> None:
        self.document = document
        self.tool = tool
        self.subject = subject
        self.collector = collector

    def lines(self) -> Iterator[tuple[int, str]]:
        """(line number, text) of every line that is not blank."""
        for number, text in self.document.numbered():
            if text.strip():
                yield number, text.rstrip()

    def say(self, statement: str, line: int, subject: Subject | None = None, tool: str = "") -> None:
        """A statement about `subject`, by default about the one that the command names."""
        about = subject or self.subject
        if about is None and re.search(r"\(\?P<(?:net|rdma|card)>", self.tool.commands):
            about = UNNAMED
        if about is None:
            self.unread(line, statement)
        else:
            self.collector.add(about, tool or self.tool.name, self.document, line, statement)

    def unread(self, line: int, text: str) -> None:
        """A relevant line that cannot be laid to any NIC's door."""
        self.collector.unread(self.document, line, text)

    def json(self) -> JsonText | None:
        """The answer as JSON. None when it is none: then all that this tool covers is unknown."""
        try:
            return parse(self.document.text, first_line=self.document.first_line)
        except JsonError as error:
            text = UNREADABLE + error.message
            about = self.subject or HOST
            self.collector.add(about, self.tool.name, self.document, error.line, text)
            self.collector.unread(self.document, error.line, f"{self.document.command or self.tool.name}: {error}")
            return None
