"""Recognition: what gives a platform's texts away, as data, and the one scorer that weighs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from roce_audit.text.document import Document

CONFIGURATION = r"\A\Z|show (?:running|startup)-config"
"""Files that nobody named after a command, and answers that are a switch's configuration."""
ANYTHING = r"\A"
"""A mark that every text has."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Form:
    """One form in which texts of a platform come. Patterns are searched, `^` and `$` stand at the ends of lines."""

    marks: Mapping[str, int]
    """Pattern -> its weight. Words that other systems have as well weigh less than those that nobody else has."""
    most: int = 100
    """What all marks weigh together at most: 95 and more is certain."""
    fewest: int = 1
    """So many marks must be there; fewer are chance."""
    times: int = 1
    """How often a mark counts."""
    commands: str = ""
    """Pattern of the commands whose answers have this form; a file that is named after no command has the empty one."""
    start: str = ""
    """What the text begins with, behind blanks."""
    words: tuple[str, ...] = ()
    """One of these stands in every such text: looked for first, for most texts are of others and words are found quickly."""
    head: int = 200_000
    """So many characters are looked at."""
    cleaned: Callable[[str], str] | None = None
    """Takes away what a terminal put between the words."""
    confirm: Callable[[Document], bool] | None = None
    """Asked last, for what patterns cannot say."""


Signature = tuple[Form, ...]


def score(signature: Signature, document: Document) -> int:
    """How surely the document is of the platform with this signature: 0 no, 100 certain. The best of its forms counts."""
    return max((_weight(form, document) for form in signature), default=0)


def _weight(form: Form, document: Document) -> int:
    if form.commands and compiled(form.commands).search(document.command or "") is None:
        return 0
    text = document.text[: form.head]
    if form.start and compiled(form.start).match(text.lstrip()) is None:
        return 0
    if form.words and not any(word in text for word in form.words):
        return 0
    if form.cleaned is not None:
        text = form.cleaned(text)
    found, wanting = 0, len(form.marks) - form.fewest
    for pattern, weight in form.marks.items():
        count = _count(compiled(pattern), text, form.times)
        found += count * weight
        wanting -= count == 0
        if wanting < 0:
            return 0
    return min(form.most, found) if form.confirm is None or form.confirm(document) else 0


def _count(pattern: re.Pattern[str], text: str, most: int) -> int:
    if most == 1:
        return pattern.search(text) is not None
    return sum(1 for _, _ in zip(range(most), pattern.finditer(text), strict=False))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a record; compiled when it is first asked for."""
    return re.compile(pattern, re.M)
