"""Which commands answer with neighbours, and in which form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from roce_audit.platforms.base import Neighbour
from roce_audit.text.document import Document

Reader = Callable[[Document], Iterator[Neighbour]]


def by_command(forms: Mapping[str, Reader]) -> Reader:
    """A reader of the answers of some commands: pattern of the whole command, without what it is piped into -> its reader.

    The first pattern that fits counts; documents of other commands hold nobody.
    """
    compiled = [(re.compile(pattern, re.I), reader) for pattern, reader in forms.items()]

    def read(document: Document) -> Iterator[Neighbour]:
        asked = " ".join((document.command or "").partition("|")[0].removeprefix("sudo ").split())
        for pattern, reader in compiled:
            if asked and pattern.fullmatch(asked):
                yield from reader(document)
                return

    return read


def either(structured: Reader, text: Reader) -> Reader:
    """A reader of a command that answers as JSON as well."""

    def read(document: Document) -> Iterator[Neighbour]:
        yield from structured(document) if document.text.lstrip()[:1] in ("{", "[") else text(document)

    return read
