"""Listing: findings linked to their causes, worst first, and the lines of each in the order of its members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from roce_audit.engine.findings import SEVERITIES, Finding, Location, Member, distinct, nics_reached

_CONFLICT = "input/conflict"
_LOUD = ("error", "warning")


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
    found = _said_once(found)
    beside: dict[str, list[Location]] = defaultdict(list)
    for finding in found:
        if finding.because_of is not None and finding.topic == "input":
            note = finding.message.partition(",")[0]
            beside[finding.because_of] += [replace(at, role="related", note=note) for at in finding.locations[:1]]
    return [
        replace(one, locations=_with(one.locations, beside[one.fingerprint])) if one.fingerprint in beside else one
        for one in found
    ]


def _said_once(findings: Sequence[Finding]) -> list[Finding]:
    """What contradicts itself follows from the failure that points at the same lines: that says what comes of it."""
    failing: dict[tuple[str, int], Finding] = {}
    for finding in findings:
        if finding.verdict == "fails" and finding.because_of is None and finding.topic != "input":
            for at in finding.locations:
                if at.role == "primary":
                    failing.setdefault((at.path, at.line), finding)
    found = [replace(one, because_of=cause) if (cause := _cause_of(one, failing)) else one for one in findings]
    grave = {
        (at.path, at.line): one
        for one in found
        if one.rule == _CONFLICT and one.severity == "error" and one.because_of is None
        for at in one.locations
    }
    if not grave:
        return found
    return [replace(one, because_of=cause) if (cause := _graver(one, grave)) else one for one in found]


def _graver(finding: Finding, grave: Mapping[tuple[str, int], Finding]) -> str | None:
    """The contradiction that is graver than a failure all of whose lines it is about, which comes of it."""
    if finding.verdict != "fails" or finding.topic == "input" or finding.because_of or finding.severity == "error":
        return None
    causes = [grave.get((at.path, at.line)) for at in finding.locations if at.role == "primary"]
    first = causes[0] if causes else None
    return first.fingerprint if first is not None and all(one is first for one in causes) else None


def _cause_of(finding: Finding, failing: Mapping[tuple[str, int], Finding]) -> str | None:
    """The failure that a contradiction is told with: one at its lines, else at those that they contradict, that is as loud, and of
    the same ports; of a map of the whole switch, one at its line.
    """
    if finding.rule != _CONFLICT or finding.because_of is not None or finding.severity not in _LOUD:
        return None
    its, others = ([at for at in finding.locations if (at.role == "primary") is wanted] for wanted in (True, False))
    at = [failing.get((place.path, place.line)) for place in its]
    is_of_its_line = len(finding.members) == 1 and all(at)
    if not any(at):
        at = list(filter(None, (failing.get((place.path, place.line)) for place in others)))
    first = at[0] if at else None
    if first is None or any(one is not first for one in at) or first.severity not in _LOUD:
        return None
    is_as_loud = _LOUD.index(first.severity) <= _LOUD.index(finding.severity)
    is_of_its_ports = {member.id for member in finding.members} <= {member.id for member in first.members}
    return first.fingerprint if is_as_loud and (is_of_its_ports or is_of_its_line) else None


def _with(shown: Sequence[Location], more: Iterable[Location]) -> tuple[Location, ...]:
    """The places of both, each line once; primary ones first. Of a line that both show, both notes are kept."""
    found = {(at.path, at.line): at for at in more}
    for at in shown:
        beside = found.get((at.path, at.line))
        notes = dict.fromkeys(note for note in (at.note, beside.note if beside is not None else "") if note)
        found[at.path, at.line] = replace(at, note="; ".join(notes))
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
