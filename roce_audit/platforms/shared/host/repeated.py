"""Answers that were read before: most answers of a fleet's hosts are the same, letter by letter, on every host.

What a tool says of a text follows from the text alone as long as it only tells the collector something and asks it nothing. Such
an answer is read once; for the next host what was said of it is said again, at that host's lines. What its tool reads over in it
(the address of a GID, a counter) may differ. An answer whose reader looks at what others said, or that holds a line nobody
understands, is read each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from operator import attrgetter
from typing import Any

from roce_audit.platforms.shared.host.answers import Tool
from roce_audit.platforms.shared.host.collector import Collector, Subject, Told
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.pcie import PcieTree
from roce_audit.platforms.shared.host.speaking import speak
from roce_audit.platforms.shared.host.tools import by_command, tool_for
from roce_audit.records import dataclass
from roce_audit.text.comments import may_hold_comments
from roce_audit.text.document import Document
from roce_audit.text.memo import sized

_Said = Callable[[Collector, Document], None]
"""Says once more, of this document, what was said of its text."""
_OF_AN_ANSWER = tuple(f.name for f in fields(Document) if f.name not in ("path", "first_line", "closed"))
_TEXT = _OF_AN_ANSWER.index("text")
_answered: Callable[[Document], tuple[Any, ...]] = attrgetter(*_OF_AN_ANSWER)
"""All that the reading of an answer follows from: the fields of its document, but for where it lies."""


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What is known of an answer once it was heard; answers of which the same is known have one."""

    document: Document
    """An answer of which this is known, wherever it lies: what is a host's own in it is not there."""
    tool: tuple[Tool, Subject | None] | None
    """Which tool reads it, and whom its command names."""
    is_complete: bool
    """It is the whole answer of a command that a tool reads."""
    lines: int
    """0 where they were not counted: of an answer that says nothing."""
    has_comments: bool
    """There may be comments in it that speak to us."""
    says: Sequence[_Said] | None
    """What its tool says of it, in this order; None where that follows from more than its text."""


def heard(document: Document, own: Own) -> Heard:
    """What is known of an answer; `own` gathers what is the host's own in it."""
    tool = by_command(document)
    if tool is None:
        return _heard(_answered(document))
    if tool[0].is_silent and not may_hold_comments(document.text):
        return _heard(_with(_answered(document), ""))
    if tool[0].plain is None:
        return _heard(_answered(document))
    return _heard(_with(_answered(document), tool[0].plain(document, own)))


def hear(document: Document, known: Heard, collector: Collector) -> None:
    """Let the tool of an answer of which this is known say what it reads in it."""
    if known.says is not None:
        for say in known.says:
            say(collector, document)
    elif known.tool is not None:
        speak(document, *known.tool, collector)


def _with(answered: tuple[Any, ...], text: str) -> tuple[Any, ...]:
    return (*answered[:_TEXT], text, *answered[_TEXT + 1 :])


def _length(answered: tuple[Any, ...]) -> int:
    return len(answered[_TEXT])


@sized(_length)
def _heard(answered: tuple[Any, ...]) -> Heard:
    document = Document(path="", **dict(zip(_OF_AN_ANSWER, answered, strict=True)))
    tool = tool_for(document)
    is_whole = not document.truncated and document.command is not None and document.exit_status in (None, 0)
    says = _said(document, *tool) if tool is not None else ()
    lines = 0 if tool is not None and tool[0].is_silent else document.text.count("\n") + 1
    return Heard(
        document,
        tool,
        tool is not None and not tool[0].prints_nothing and is_whole,
        lines,
        may_hold_comments(document.text),
        says,
    )


def _said(document: Document, tool: Tool, subject: Subject | None) -> Sequence[_Said] | None:
    if tool.asks:
        return None
    recorder = _Recorder()
    try:
        speak(document, tool, subject, recorder)
    except Exception:  # it asked for something that is not here; a fault of its own it will show when it reads for good
        return None
    return recorder.everything()


class _Recorder(Collector):
    """Writes down what it is told by these methods. Whoever asks it for anything else, or sets it, meets an AttributeError."""

    def __init__(self) -> None:
        self._said: list[_Said] = []
        self._open: dict[tuple[Subject, str], Told] = {}
        """Statements to which more may be added."""
        self._linked: set[tuple[str, str]] = set()
        self.pcie = PcieTree()

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("_said", "_open", "_linked", "pcie"):
            raise AttributeError(name)
        super().__setattr__(name, value)

    def everything(self) -> Sequence[_Said]:
        """What was said."""
        tree = self.pcie
        return (*self._said, lambda collector, here: collector.pcie.take(tree, here)) if tree.is_told else self._said

    def add(self, about: Subject, tool: str, document: Document, line: int, statement: str) -> None:
        """A statement, with its line in the text."""
        told = self._open.get((about, tool))
        if told is None:
            told = self._open[about, tool] = Told([], is_shared=True)
            self._said.append(partial(_add_all, about, tool, told))
        told.lines.append((line, statement))

    def note(self, netdev: str, name: str, value: str | bool) -> None:
        """Something of a network device's identity."""
        self._said.append(lambda collector, _: collector.note(netdev, name, value))

    def has_no_link(self, about: Subject, document: Document, line: int) -> None:
        """A NIC has no link, as this line of the text says."""
        self._said.append(lambda collector, here: collector.has_no_link(about, here, here.first_line + line - 1))

    def is_rdma(self, device: str, netdev: str) -> None:
        """An RDMA device belongs to a network device; a table says so in each of its rows."""
        if (device, netdev) not in self._linked:
            self._linked.add((device, netdev))
            self._said.append(lambda collector, _: collector.is_rdma(device, netdev))

    def is_there(self, device: str, document: Document, line: int) -> None:
        """A file of an RDMA device, which may become a statement: none behind it may come before it."""
        self._said.append(lambda collector, here: collector.is_there(device, here, here.first_line + line - 1))
        self._open.clear()

    def is_card(self, card: str, about: Subject) -> None:
        """A card is this NIC."""
        self._said.append(lambda collector, _: collector.is_card(card, about))

    def at_pci(self, netdev: str, address: str) -> None:
        """A network device sits at a PCI address."""
        self._said.append(lambda collector, _: collector.at_pci(netdev, address))

    def has_mac(self, netdev: str, address: object) -> None:
        """A network device has this MAC address."""
        self._said.append(lambda collector, _: collector.has_mac(netdev, address))


def _add_all(about: Subject, tool: str, told: Told, collector: Collector, here: Document) -> None:
    collector.add_all(about, tool, here, told)
