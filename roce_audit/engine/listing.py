"""Listing: findings linked to their causes, worst first, and the lines of each in the order of its members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from roce_audit.engine.findings import SEVERITIES, Finding, Location, Member, distinct, nics_reached


def linked(findings: list[Finding]) -> list[Finding]:
    """Replace the name of the causing rule by the fingerprint of its finding, which shows what was noticed in the input beside it.

    The cause is what fails on the same subject, else on its device, else anywhere: both ends of a cable, or a fabric's ports.
    """
    by_member: dict[tuple[str, str], str] = {}
    for finding in findings:
        for member in finding.members if finding.verdict == "fails" else ():
            for key in (member.id, member.device, ""):
                by_member.setdefault((finding.rule, key), finding.fingerprint)
    found: list[Finding] = []
    for finding in findings:
        if finding.because_of is not None:
            keys = (finding.members[0].id, finding.members[0].device, "")
            causes = (by_member.get((finding.because_of, key)) for key in keys)
            finding = replace(finding, because_of=next(filter(None, causes), None))
        found.append(finding)
    beside: dict[str, list[Location]] = defaultdict(list)
    for finding in found:
        if finding.because_of is not None and finding.topic == "input":
            note = finding.message.partition(",")[0]
            beside[finding.because_of] += [replace(at, role="related", note=note) for at in finding.locations[:1]]
    return [
        replace(one, locations=_with(one.locations, beside[one.fingerprint])) if one.fingerprint in beside else one
        for one in found
    ]


def _with(shown: Sequence[Location], more: Iterable[Location]) -> tuple[Location, ...]:
    """The places of both, each line once; primary ones first."""
    found = {(at.path, at.line): at for at in (*more, *shown)}
    return tuple(sorted(found.values(), key=lambda at: at.role != "primary"))


def rank(finding: Finding) -> tuple[object, ...]:
    """What fails first, then the worst, the one on the way of most NICs, and the largest."""
    return (
        finding.verdict != "fails",
        finding.because_of is not None,
        SEVERITIES.index(finding.severity),
        -nics_reached(finding),
        -len(distinct(finding.members)),
        finding.rule,
        finding.device or "",
        finding.subject,
        finding.fingerprint,
    )


def in_order(places: Iterable[Location], members: Sequence[Member]) -> tuple[Location, ...]:
    """The lines that are wrong first, in the order in which the members are named."""
    named: dict[tuple[str, int], int] = {}
    for number, member in enumerate(members):
        named.setdefault((member.path, member.line), number)
    return tuple(
        sorted(places, key=lambda at: (at.role != "primary", named.get((at.path, at.line), 0) * (at.role == "primary")))
    )
