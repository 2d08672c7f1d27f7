"""`show running-config formal`: each statement stands behind the names of the blocks that it is in, on a line of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from roce_audit.patterns import lazy
from roce_audit.text.document import Document

_STATEMENT = lazy(
    r"^(interface (?:preconfigure )?[A-Za-z][A-Za-z-]{1,40} ?\d[\w./-]{0,80}(?: l2transport)?)"
    r" (?!l2transport\b|(?:point-to-point|multipoint)[ \t]*$)(\S[^\n]*)$"
    r"|^(class-map (?:type qos )?(?:match-(?:any|all) )?\S{1,80}) ((?:match|description|end-class-map)\b[^\n]*)$"
    r"|^(policy-map (?:type qos )?\S{1,80}) ((?:class|description|end-policy-map)\b[^\n]*)$",
    8,
)
"""The header of a block, and what is said in it; an interface's may say how it forwards."""
_CLASS = lazy(r"(class (?:type qos )?(?!type )\S{1,80}) (\S.*)")
"""The class of a policy, and what is said of it."""


def in_blocks(document: Document) -> Document:
    """The same configuration as blocks, each line on the line that said it."""
    if _STATEMENT.search(document.text) is None:
        return document
    kept: list[str] = []
    numbers: list[int] = []
    open_blocks: tuple[str, ...] = ()
    for index, line in enumerate(document.text.split("\n")):
        levels = _levels(line) or (line.rstrip(),)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(levels, open_blocks, strict=False)))
        opened = levels[min(shared, len(levels) - 1) :]  # the statement itself always
        said = [" " * (len(levels) - len(opened) + n) + text for n, text in enumerate(opened)]
        open_blocks = levels
        kept += said
        numbers += [document.line(index)] * len(said)
    return replace(document, text="\n".join(kept), lines=tuple(numbers), first_line=1)


def _levels(line: str) -> tuple[str, ...] | None:
    """The headers above a statement and the statement; None for a line that stands in no other form."""
    found = _STATEMENT.match(line)
    if found is None:
        return None
    header, said = (text.rstrip() for text in found.groups() if text is not None)
    inner = _CLASS.fullmatch(said) if header.startswith("policy-map ") else None
    return (header, said) if inner is None else (header, inner[1], inner[2])
