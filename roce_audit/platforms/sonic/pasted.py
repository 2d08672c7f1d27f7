"""A piece of a CONFIG_DB as people paste it: tables without the braces around them."""

from __future__ import annotations

import re
from dataclasses import replace

from roce_audit.text.document import Document

_TABLE = re.compile(r'\s*"[A-Z][A-Z0-9_]{2,60}(?:\|[^"\n]{1,200})?"[ \t\n]*:[ \t\n]*\{')


def is_piece(text: str) -> bool:
    """Whether a text begins with a table where JSON has a brace."""
    return _TABLE.match(text) is not None


def with_braces(document: Document) -> Document:
    """The document as JSON; one that was pasted without its braces is complete for nothing. No line moves."""
    if not is_piece(document.text):
        return document
    return replace(document, text=f"{{{document.text.rstrip().removesuffix(',')}}}", truncated=True)
