"""Several configurations in one file, one behind the other: each names its device, as guides and some archives write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.sources import detect
from roce_audit.text.document import Document
from roce_audit.text.structured.indented import without_margin

_END = lazy(r"^(?:end|return)[ \t]*$", re.M)
_ABOVE = lazy(r"[ \t]*(?:[!#].*|(?:set )?version [^\n]*)?\Z")
"""What a configuration begins with above its name."""
_PORT = lazy(r"^(?:interface |(?:nv )?set (?:class-of-service )?interfaces? |set / interface )", re.M)


@cache
def _naming_of(every: tuple[Platform, ...]) -> tuple[tuple[str, ...], re.Pattern[str]]:
    """Words of which one stands in each line that names a device, none of them part of another; and the pattern of such a line."""
    words = sorted({words for one in every for words in one.naming}, key=len, reverse=True)
    shortest = tuple(word for word in words if not any(other in word for other in words if other != word))
    return shortest, re.compile(rf"(?m)^(?:{'|'.join(map(re.escape, words))})\"?([A-Za-z0-9][\w.-]{{0,62}})\"?[ \t]*$")


def names_a_device(text: str) -> bool:
    """Whether a line at the margin says whose configuration it is."""
    shortest, naming = _naming_of(platforms.every())
    return any(word in text for word in shortest) and naming.search(text) is not None


def split(path: str, text: str) -> tuple[Document, ...]:
    """The configurations in a text; nothing where it holds one alone, or where one of them has no port or is of no platform."""
    shortest, naming = _naming_of(platforms.every())
    if sum(map(text.count, shortest)) < 2:  # quick for the many files of one device
        return ()
    plain = without_margin(text)
    names = list(naming.finditer(plain))
    starts = [0, *_starts(plain, names)]
    if len(starts) < 2:
        return ()
    lines = text.split("\n")
    own = plain.split("\n")
    documents = []
    for first, behind in zip(starts, [*starts[1:], len(lines)], strict=True):
        if _PORT.search("\n".join(own[first:behind])) is None:
            return ()
        ending = "\n" if behind < len(lines) else ""
        documents.append(Document(path, "\n".join(lines[first:behind]) + ending, None, first + 1))
    return tuple(documents) if all(detect.choose((one,)).platform for one in documents) else ()


def _starts(text: str, names: list[re.Match[str]]) -> Iterator[int]:
    """The index of the first line of each configuration but the first."""
    lines = text.split("\n")
    for last, found in pairwise(names):
        if found[1] == last[1]:
            continue
        ends = [one.end() for one in _END.finditer(text, last.end(), found.start())]
        number = text.count("\n", 0, found.start())
        if ends:
            yield text.count("\n", 0, ends[-1]) + 1
            continue
        while number and _ABOVE.match(lines[number - 1]):
            number -= 1
        yield number
