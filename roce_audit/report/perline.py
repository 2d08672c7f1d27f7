"""One result a primary line: what code scanning, code quality and test reports show.

A result is known again by rule, device, block and statement; so a moved line, a growing group or another value of some
other port does not reopen it.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from roce_audit.engine.findings import Finding, Location, Member, Report
from roce_audit.records import dataclass
from roce_audit.report.causes import Cause, causes
from roce_audit.report.options import Options
from roce_audit.report.words import clean, headline, named, prose
from roce_audit.text.sentences import listed

RELATED_KEPT = 10
LONGEST_LINE = 1000
"""Characters kept of a quoted line."""


@dataclass(frozen=True, slots=True)
class LineResult:
    """A cause at one of its primary lines, with the members that stand there."""

    cause: Cause
    at: Location
    members: tuple[Member, ...]
    fingerprint: str
    """Unique in the report: the second of two equal statements of one block ends in `:2`. A format that writes it wants `blocks`."""
    related: tuple[Location, ...]
    """Other places of the finding, those of the same file first."""

    @property
    def finding(self) -> Finding:
        """The finding of the cause."""
        return self.cause.finding

    @property
    def about(self) -> str:
        """`leaf1 Ethernet1/3, Ethernet1/4 and 4 more`."""
        names = list(
            dict.fromkeys(named(member.device, member.subject) for member in self.members)
        )  # a port of two classes: once
        finding = self.finding
        return clean(listed(names, 3) if names else named(finding.device or "", finding.subject))

    @property
    def message(self) -> str:
        """What is wrong with whom, in one sentence."""
        finding = self.finding
        because = finding.unknown_because if finding.verdict == "unknown" else ""
        return prose(f"{self.about}: {finding.message}{f' ({because})' if because else ''}")


def results(report: Report, options: Options, *, accepted: bool) -> Iterator[LineResult]:
    """All results, worst first; what was accepted only where asked for, what is unknown only when strict."""
    repeated: Counter[str] = Counter()
    for cause in causes(report):
        if cause.finding.verdict == "unknown" and not options.strict:
            continue
        if cause.accepted and not accepted:
            continue
        yield from _of(cause, repeated)


def _of(cause: Cause, repeated: Counter[str]) -> Iterator[LineResult]:
    finding = cause.finding
    members: dict[tuple[str, int], list[Member]] = defaultdict(list)
    for member in finding.members:
        members[(member.path, member.line)].append(member)
    related = [at for at in finding.locations if at.role == "related"]
    by_path: dict[str, list[Location]] = defaultdict(list)
    for at in related:
        by_path[at.path].append(at)
    for at in _places(finding):
        here = tuple(members.get((at.path, at.line), ()))
        identity = _identity(finding, at, here)
        repeated[identity] += 1
        near = by_path[at.path][:RELATED_KEPT]
        others = [other for other in related[: 2 * RELATED_KEPT] if other.path != at.path]
        yield LineResult(cause, at, here, f"{identity}:{repeated[identity]}", tuple([*near, *others][:RELATED_KEPT]))


def _places(finding: Finding) -> Sequence[Location]:
    """The primary locations; for a finding without one, the lines of its members."""
    primaries = [at for at in finding.locations if at.role == "primary"]
    if primaries:
        return primaries
    lines = dict.fromkeys((member.path, member.line) for member in finding.members)
    return [Location(path, line, "", "primary") for path, line in lines if path]


def _identity(finding: Finding, at: Location, members: Sequence[Member]) -> str:
    devices = {member.device for member in members} or {finding.device or ""}
    device = next(iter(devices)) if len(devices) == 1 else ""
    parts = (finding.rule, device, at.block, " ".join(at.text.split()))
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "replace")).hexdigest()[:20]


def first_line(result: LineResult) -> str:
    """`error[pfc/priority-off] leaf1 Ethernet1/1: message`, for this line alone."""
    mark = headline(result.finding).partition("]")[0]
    return f"{mark}] {result.message}"
