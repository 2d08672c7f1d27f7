"""Recognition: what gives a platform's texts away, as data, and the one scorer that weighs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.document import Document

CONFIGURATION = r"\A\Z|show (?:running|startup)-config"
"""Files that nobody named after a command, and answers that are a switch's configuration."""
SO_CALLED = rf"{CONFIGURATION}|current-configuration"
"""The same, and what a script that asks switches of many makers calls all their configurations."""
ANYTHING = r"\A"
"""A mark that every text has."""
CERTAIN = 95
"""Who weighs so much is not compared with others."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Form:
    """One form in which texts of a platform come. Patterns are searched, `^` and `$` stand at the ends of lines."""

    marks: Mapping[str, int]
    """Pattern -> its weight. Words that other systems have as well weigh less than those that nobody else has."""
    most: int = 100
    """What all marks weigh together at most."""
    fewest: int = 1
    """So many marks must be there; fewer are chance."""
    times: int = 1
    """How often a mark counts."""
    commands: str | Callable[[str], bool] = ""
    """Whose answers have this form: a pattern of commands, or who knows. A file that is named after no command has the empty one."""
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

    @property
    def may_be_certain(self) -> bool:
        """Whether its marks can come to certainty."""
        return self.most_weight >= CERTAIN

    @property
    def most_weight(self) -> int:
        """What its marks come to at most."""
        return min(self.most, self.times * sum(self.marks.values()))

    @property
    def is_any(self) -> bool:
        """Whether every text has this form."""
        asks = self.start or self.words or self.confirm is not None or self.times > 1 or self.fewest > 1
        return not asks and set(self.marks) == {ANYTHING}


Signature = tuple[Form, ...]
_BLANKS = lazy(r"\s*")
_PIECES = lazy(r"\\.|\[\^?\]?(?:\\.|[^\]\\]){0,60}\]|\(\?[a-zA-Z]{0,4}:?|\{[^}]{0,20}\}|[\s\S]")
"""A pattern taken apart: an escape, a class, the begin of a group, a quantifier, or one character."""
_SPECIAL = frozenset("()|*?+{}^$.[]\\")


@lru_cache(maxsize=65_536)
def forms_of(signature: Signature, command: str) -> tuple[Form, ...]:
    """The forms that an answer of this command may have."""
    return tuple(form for form in signature if _may_have(form, command))


def _may_have(form: Form, command: str) -> bool:
    if callable(form.commands):
        return form.commands(command)
    return not form.commands or compiled(form.commands).search(command) is not None


def score(forms: Iterable[Form], document: Document) -> int:
    """How surely the document has one of these forms: 0 no, 100 certain. The best counts."""
    return max((_weight(form, document) for form in forms), default=0)


def _weight(form: Form, document: Document) -> int:
    text = document.text[: form.head]
    if form.start and compiled(form.start).match(text, _blanks(text)) is None:
        return 0
    if form.words and not any(word in text for word in form.words):
        return 0
    if form.cleaned is not None:
        text = form.cleaned(text)
    found, wanting = 0, len(form.marks) - form.fewest
    lines = ""
    for pattern, weight in form.marks.items():
        if literal_in(pattern) not in text:
            count = 0
        elif form.times > 1:
            count = sum(1 for _, _ in zip(range(form.times), compiled(pattern).finditer(text), strict=False))
        elif pattern.startswith("^"):
            # behind a newline: patterns that begin with a plain character are looked for at the speed of memory
            lines = lines or f"\n{text}"
            count = compiled(f"\n{pattern[1:]}").search(lines) is not None
        else:
            count = compiled(pattern).search(text) is not None
        found += count * weight
        wanting -= count == 0
        if wanting < 0:
            return 0
    return min(form.most, found) if form.confirm is None or form.confirm(document) else 0


@cache
def literal_in(pattern: str) -> str:
    """The longest run of plain characters that stands in every match of a pattern, outside of its groups; "" where none is sure.

    Most texts are no device's, and a run of characters is found many times faster than a pattern.
    """
    runs, run, depth = [""], "", 0
    for found in _PIECES.finditer(pattern):
        piece = found.group()
        if piece.startswith("(?i") or (piece == "|" and depth == 0):
            return ""
        depth += piece.startswith("(") - (piece == ")")
        if len(piece) == 1 and piece not in _SPECIAL:
            run += piece if depth == 0 else ""
            continue
        if piece[0] in "*?{" and depth == 0:
            run = run[:-1]
        runs.append(run)
        run = ""
    return max((*runs, run), key=len)


def _blanks(text: str) -> int:
    """How many blanks a text begins with."""
    found = _BLANKS.match(text)
    return found.end() if found is not None else 0


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a record; compiled when it is first asked for."""
    return re.compile(pattern, re.M)
