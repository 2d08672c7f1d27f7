"""Document: one piece of text that one device gave as one answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from roce_audit.records import dataclass

POLLED = "polled state of ports"
"""Stands for the command of what a program polled of the ports of a switch: rows of a port, `mtu`, `speed` or `link`, and a value."""

State = Literal["running", "startup", "intended", "candidate"]


@dataclass(frozen=True, slots=True)
class Document:
    """Decoded text, ready to read: line ends are newlines, control characters are gone, no line was lost or moved.

    `path` is shown to people (relative to the working directory where it lies below it, `/`-separated).
    `first_line` is the line of the file on which `text` begins (above 1 inside a bundle or session log).
    `command` is the command that printed the text; None for a plain configuration file.
    `exit_status` is that command's; None where nobody recorded it.
    `truncated` says that the end is known to be missing: such a text is complete for nothing.
    `closed` says that the text was read elsewhere and is not here: only the reading is.
    `lines` is the line of the file for each line of a text that was put together from it; empty where they follow each other.
    `declared_complete` is what the policy says: whole, a fragment, or nothing (None).
    """

    path: str
    text: str
    command: str | None = None
    first_line: int = 1
    exit_status: int | None = None
    state: State | None = None
    truncated: bool = False
    declared_complete: bool | None = None
    closed: bool = False
    lines: tuple[int, ...] = ()

    def line(self, row: int) -> int:
        """The line of the file for a line of the text, counted from 0."""
        return self.lines[min(row, len(self.lines) - 1)] if self.lines else self.first_line + row

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Every line of the text behind the line of the file on which it stands."""
        for row, text in enumerate(self.text.split("\n")):
            yield self.line(row), text

    def line_at(self, offset: int) -> int:
        """The line of the file on which the character at `offset` of the text stands."""
        return self.line(self.text.count("\n", 0, offset))


@dataclass(frozen=True, slots=True)
class DeviceInput:
    """All documents of one device. `name` is the file's or folder's name; the platform may know a better one."""

    name: str
    platform: str
    documents: tuple[Document, ...]
    named_by_policy: bool = False
