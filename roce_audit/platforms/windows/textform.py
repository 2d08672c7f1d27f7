"""The answers of PowerShell cmdlets as a window shows them: lists of `Name : value`, and tables with a rule below their heads.

What a window was too narrow for ends in dots: it is left out, as if it had not been printed. Sources: Microsoft, Windows Server
documentation, "Manage Data Center Bridging"; reference of Get-NetAdapterQos.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_PAIR = re.compile(r"\s{0,60}([A-Za-z*][A-Za-z0-9()/]{0,40})\s{0,60}:(?!\\)\s{0,10}(.*)")
_RULE = re.compile(r"\s*-{2,}(?:\s+-{2,})*\s*")
_COLUMN = re.compile(r"-{2,}")
_PROMPT = re.compile(r"(?:PS )?[A-Z]:\\[^>]{0,200}>.*")
_FIRST = "Name"
"""The property that begins an object."""
_HEADS = {"Bandwidth(%)": "BandwidthPercentage", "Operational": "OperationalState"}
_WORDS = {"True": True, "False": False}
_EXPECTED = {
    "PolicySet": r"Global|AdapterSpecific",
    "IfIndex": r"[0-9]{0,6}",
    "OperationalState": r"True|False|",
    "PFC": r"True|False|NA|",
    "ETS": r"True|False|NA|",
    "RegistryValue": r"\{[^{}]*\}",
}
"""What the last columns of tables hold: another text there means that the columns were not told apart rightly."""
_CUT = ("...", "…")
_MOST = 10_000


@dataclass
class Shown:
    """One object: property -> (line, text) for each line of it."""

    first: int
    properties: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def is_odd(self) -> bool:
        """A column holds what it never does."""
        return any(
            not re.fullmatch(_EXPECTED[key], text)
            for key, lines in self.properties.items()
            for _, text in lines
            if key in _EXPECTED and not text.endswith(_CUT)
        )

    def values(self) -> dict[str, object]:
        """The properties as JSON would give them: words, truth values, lists of lines."""
        found: dict[str, object] = {}
        for key, lines in self.properties.items():
            texts = [text for _, text in lines if text and not text.endswith(_CUT)]
            if len(texts) == 1:
                text = texts[0].removeprefix("{").removesuffix("}")
                found[key] = _WORDS.get(text, text)
            elif texts:
                found[key] = texts
        return found


def objects(lines: Sequence[tuple[int, str]]) -> Iterator[Shown]:
    """The objects that are shown, in their order."""
    shown: Shown | None = None
    key = ""
    heads: list[tuple[int, int, str]] = []
    for index, (number, line) in enumerate(lines[:_MOST]):
        below = lines[index + 1][1] if index + 1 < len(lines) else ""
        if _PROMPT.fullmatch(line) or _RULE.fullmatch(line):
            continue
        if shown is None and _RULE.fullmatch(below):
            heads = _columns(line, below)
        elif heads:
            if not line.strip():
                heads = []
            else:
                yield _row(number, line, heads)
        elif (pair := _PAIR.fullmatch(line)) is not None:
            if pair.group(1) == _FIRST:
                if shown is not None:
                    yield shown
                shown = Shown(number)
            if shown is not None:
                key = pair.group(1)
                shown.properties.setdefault(key, []).append((number, pair.group(2).strip()))
        elif shown is not None and line.strip() and not _RULE.fullmatch(below):
            shown.properties[key].append((number, " ".join(line.split())))
    if shown is not None:
        yield shown


def _columns(head: str, rule: str) -> list[tuple[int, int, str]]:
    """(begin, end, name) of each column."""
    begins = [found.start() for found in _COLUMN.finditer(rule)]
    ends = [*begins[1:], 10_000]
    return [
        (begin if begin != begins[0] else 0, end, _HEADS.get(name, name))
        for begin, end in zip(begins, ends, strict=True)
        if (name := head[begin:end].strip())
    ]


def _row(number: int, line: str, heads: Sequence[tuple[int, int, str]]) -> Shown:
    cells = {name: [(number, line[begin:end].strip())] for begin, end, name in heads}
    return Shown(number, cells)
