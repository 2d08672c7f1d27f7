"""Members and locations of findings, field by field: of a large fleet they are most of an answer that is kept.

They stand apart from the rest of it, so that the lines that it quotes are read without it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from roce_audit.engine.findings import Location, Member, Report
from roce_audit.records import dataclass

_Columns = tuple[int, Mapping[str, Sequence[int]]]
"""How many rows there are, and of each field the values, or one where all have the same: of a string its number."""
_LINE = "line"
"""The field that is a number; all others are strings."""


@dataclass(frozen=True, slots=True)
class FindingRows:
    """The members and locations of the findings of a report, finding by finding."""

    strings: Sequence[str]
    members: Sequence[_Columns]
    locations: Sequence[_Columns]

    @staticmethod
    def of(report: Report) -> FindingRows:
        """Those of a report."""
        numbers: dict[str, int] = {}
        members = [_columns(finding.members, numbers) for finding in report.findings]
        locations = [_columns(finding.locations, numbers) for finding in report.findings]
        return FindingRows([*numbers], members, locations)

    @staticmethod
    def read(data: bytes) -> FindingRows:
        """What `written` gave."""
        return FindingRows(*json.loads(data))

    def written(self) -> bytes:
        """One line of JSON."""
        return json.dumps((self.strings, self.members, self.locations), separators=(",", ":")).encode()

    def put_into(self, report: Report) -> Report:
        """The report that they were taken from, made of what `without_rows` left of it."""
        members, locations = self._all(Member, self.members), self._all(Location, self.locations)
        rows = zip(report.findings, members, locations, strict=True)
        return replace(report, findings=tuple([replace(one, members=m, locations=at) for one, m, at in rows]))

    def _all(self, cls: type, findings: Sequence[_Columns]) -> list[tuple[Any, ...]]:
        names = [field.name for field in fields(cls)]
        return [tuple(map(cls, *[self._values(name, columns) for name in names])) for columns in findings]

    def quoted(self) -> Mapping[str, Mapping[int, str]]:
        """The lines that the locations quote, by their files and numbers."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for columns in self.locations:
            paths, lines, texts = [self._values(name, columns) for name in ("path", _LINE, "text")]
            for path, line, text in zip(paths, lines, texts, strict=True):
                found[path][line] = text
        return found

    def _values(self, name: str, columns: _Columns) -> Sequence[Any]:
        count, by_name = columns
        column = by_name.get(name, ())
        whole = column if len(column) == count else [*column] * count
        return whole if name == _LINE else [self.strings[number] for number in whole]


def without_rows(report: Report) -> Report:
    """The report without the members and locations of its findings."""
    return replace(report, findings=tuple([replace(one, members=(), locations=()) for one in report.findings]))


def _columns(rows: Sequence[Member | Location], numbers: dict[str, int]) -> _Columns:
    """The columns of some rows; `numbers` are those of the strings, to which new ones are added."""
    found: dict[str, Sequence[int]] = {}
    names = [field.name for field in fields(rows[0])] if rows else []
    for name in names:
        values = list(map(attrgetter(name), rows))
        column = values if name == _LINE else [numbers.setdefault(value, len(numbers)) for value in values]
        found[name] = column[:1] if len(set(column)) == 1 else column
    return len(rows), found
