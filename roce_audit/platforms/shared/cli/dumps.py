"""Whether a running-configuration of a system that prints no end mark is all there: its head and its last line end say so."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.cli.syntax import ends_before_ports
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.whole import without_farewell

HEAD = 4000
"""Characters in which what stands at the head of a file is looked for."""


@dataclass(frozen=True, slots=True)
class Dump:
    """How a system begins what it prints of its configuration."""

    header: re.Pattern[str]
    """A line near the head of the whole configuration; found anywhere in a line, so it says itself where lines begin."""
    command: re.Pattern[str]
    """Commands, from their first to their last letter, whose answer is the whole configuration."""

    def has_header(self, document: Document) -> bool:
        """Whether the text begins as a whole configuration does."""
        return self.header.search(document.text[:HEAD]) is not None

    def complete_because(self, document: Document) -> str:
        """Why a document counts as whole; empty where nothing proves it: what is cut off inside a line has no line end."""
        if not without_farewell(document.text).endswith("\n") and document.first_line == 1:
            return ""
        if document.command is not None:
            return "the whole answer of the command" if self.command.fullmatch(document.command) else ""
        return "capture header" if self.has_header(document) else ""

    def cut_off(self, document: Document) -> str:
        """Why a document with the head of a whole one is none; empty where it is."""
        if self.has_header(document) and ends_before_ports(document.text):
            return "this running-config ends before its first port: it is cut off"
        return ""
