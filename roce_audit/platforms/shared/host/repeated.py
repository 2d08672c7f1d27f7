"""Answers that were read before: most answers of a fleet's hosts are the same, letter by letter, on every host.

What a tool says of a text follows from the text alone as long as it only tells the collector something and asks it nothing. Such
an answer is read once; for the next host what was said of it is said again, at that host's lines. An answer whose reader looks
at what others said, or that holds a line nobody understands, is read each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import Collector, Subject
from roce_audit.platforms.shared.host.pcie import PcieTree
from roce_audit.platforms.shared.host.tools import by_name
from roce_audit.text.document import Document
from roce_audit.text.memo import sized

_Said = Callable[[Collector, Document], None]
"""Says once more, of this document, what was said of its text."""


_OF_AN_ANSWER = tuple(f.name for f in fields(Document) if f.name not in ("path", "first_line", "closed"))
_answered = attrgetter(*_OF_AN_ANSWER)


class _Question(NamedTuple):
    """All that the reading of an answer follows from: the document, but for where it lies."""

    tool: str
    subject: Subject | None
    said: tuple[Any, ...]
    """The fields of the document, in their order."""

    @property
    def document(self) -> Document:
        """The document as if it lay nowhere."""
        return Document(path="", **dict(zip(_OF_AN_ANSWER, self.said, strict=True)))


def split(answer: Answer) -> None:
    """Cut an answer into statements, as its tool does."""
    if answer.tool.split is None:
        return
    said = _said(_Question(answer.tool.name, answer.subject, _answered(answer.document)))
    if said is None:
        answer.tool.split(answer)
        return
    for say in said:
        say(answer.collector, answer.document)


def _length(question: _Question) -> int:
    return len(question.said[_OF_AN_ANSWER.index("text")])


@sized(_length)
def _said(question: _Question) -> Sequence[_Said] | None:
    """What the tool says of this text, in its order; None where that follows from more than the text."""
    tool, recorder = by_name()[question.tool], _Recorder()
    if tool.split is not None:
        try:
            tool.split(Answer(question.document, tool, question.subject, recorder))
        except (
            Exception
        ):  # it asked for something that is not here; a fault of its own it will show when it reads for good
            return None
    return recorder.everything()


class _Recorder(Collector):
    """Writes down what it is told by these methods. Whoever asks it for anything else, or sets it, meets an AttributeError."""

    def __init__(self) -> None:
        self._said: list[_Said] = []
        self._open: dict[tuple[Subject, str], list[tuple[int, str]]] = {}
        """Statements to which more may be added: those since the last thing of another kind."""
        self.pcie = PcieTree()

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("_said", "_open", "pcie"):
            raise AttributeError(name)
        super().__setattr__(name, value)

    def everything(self) -> Sequence[_Said]:
        """What was said."""
        tree = self.pcie
        return (*self._said, lambda collector, here: collector.pcie.take(tree, here)) if tree.is_told else self._said

    def add(self, about: Subject, tool: str, document: Document, line: int, statement: str) -> None:
        """A statement, with its line in the text."""
        if (about, tool) not in self._open:
            told = self._open[about, tool] = []
            self._said.append(lambda collector, here: collector.add_all(about, tool, here, told))
        self._open[about, tool].append((line, statement))

    def note(self, netdev: str, name: str, value: str | bool) -> None:
        """Something of a network device's identity."""
        self._later(lambda collector, _: collector.note(netdev, name, value))

    def is_rdma(self, device: str, netdev: str) -> None:
        """An RDMA device belongs to a network device."""
        self._later(lambda collector, _: collector.is_rdma(device, netdev))

    def is_there(self, device: str, document: Document, line: int) -> None:
        """A file of an RDMA device."""
        self._later(lambda collector, here: collector.is_there(device, here, here.first_line + line - 1))

    def is_card(self, card: str, about: Subject) -> None:
        """A card is this NIC."""
        self._later(lambda collector, _: collector.is_card(card, about))

    def at_pci(self, netdev: str, address: str) -> None:
        """A network device sits at a PCI address."""
        self._later(lambda collector, _: collector.at_pci(netdev, address))

    def has_mac(self, netdev: str, address: object) -> None:
        """A network device has this MAC address."""
        self._later(lambda collector, _: collector.has_mac(netdev, address))

    def _later(self, said: _Said) -> None:
        self._said.append(said)
        self._open = {}
