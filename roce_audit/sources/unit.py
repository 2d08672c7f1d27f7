"""Unit: documents that surely belong together, before it is known which device they are of."""

from __future__ import annotations

from dataclasses import dataclass, field

from roce_audit.text.document import Document


@dataclass
class Unit:
    """Documents that surely belong together: one file, one folder of answers, one bundle, one device of a log."""

    path: str
    """The file or folder."""
    documents: tuple[Document, ...]
    platform: str
    fallback: str
    """The name that file or folder give."""
    claimed: str = ""
    """The name that the documents give; empty where they give none."""
    given: str = ""
    """The name that the policy gives."""
    platform_given: bool = False
    is_source: bool = False
    """All of it is a form that another file is rendered from, by the platform's own word."""
    is_nobodys: bool = False
    """It belongs to no device, by the platform's own word: scripts of two folders may well have one name."""
    is_change: bool = False
    """All of it is commands that change what a configuration says, by the platform's own word."""
    refused: tuple[tuple[str, str, str], ...] = ()
    """(command, what was said instead of an answer, where that stands) of what the platform asks and was refused."""
    answered: tuple[str, ...] = ()
    """The commands that the platform asks and that were answered."""
    name: str = field(default="", init=False)

    @property
    def folder(self) -> str:
        """The folder that the file or folder lies in."""
        return self.path.rpartition("/")[0]

    @property
    def state(self) -> str:
        """The state of the configuration; one that nobody states counts as running."""
        states = {d.state or "running" for d in self.documents}
        return states.pop() if len(states) == 1 else "running"
