"""Assumptions: the block with which every report for people begins, and the missing input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from roce_audit.engine.findings import FabricSummary, MissingInput, Report
from roce_audit.report.words import count, listed, prose

INPUTS_SHOWN = 3
MISSING = "missing input"

RANKS: Mapping[str, str] = {
    "policy": "by policy",
    "cabling": "by cabling",
    "port_config": "by their own configuration",
    "similar_ports": "by similar ports",
    "path": "by path",
    "device_wide": "by a statement for the whole device",
    "hint": "by description",
}
"""What decided whether ports carry RoCE, as readers are told."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One line: `fabric`, `class`, `files` or `missing input`; the name of the thing; the words."""

    label: str
    name: str
    words: tuple[str, ...]
    """Parts that stand between dots."""


def assumptions(report: Report) -> Iterator[Assumption]:
    """Fabrics, their classes, files that are taken as whole, and the missing input that would decide most checks first."""
    for fabric in report.fabrics:
        named = "" if fabric.name == "fabric" and len(report.fabrics) == 1 else prose(fabric.name)
        yield Assumption("fabric", named, _fabric(fabric))
        inferred = any(value.fabric == fabric.name for value in report.inferred.values())
        for sentence in fabric.classes:
            name, colon, words = sentence.partition(": ")
            parts = [prose(part) for part in (words if colon else name).split("   ")]
            mark = ["[inferred; pin: roce-audit init]"] if inferred else []
            yield Assumption("class", prose(name) if colon else "", (*parts, *mark))
    whole = report.coverage.assumed_whole
    if whole:
        refuse = f'policy paths: {{"{prose(whole[0])}": {{complete: false}}}}'
        words = f"{count(len(whole), 'file')} taken as whole: {listed([prose(path) for path in whole], INPUTS_SHOWN)}"
        yield Assumption("files", "", (words, f"not whole? {refuse}"))
    needs = report.coverage.missing_input
    if needs:
        parts = [missing_words(need) for need in needs[:INPUTS_SHOWN]]
        if len(needs) > INPUTS_SHOWN:
            parts.append(f"and {count(len(needs) - INPUTS_SHOWN, 'more input')}")
        yield Assumption(MISSING, "", tuple(parts))


def missing_words(need: MissingInput) -> str:
    """`cable length of 64 links (would decide 128 checks: policy cables:)`."""
    return prose(f"{need.input} (would decide {count(need.checks, 'check')}: {need.how})")


def _fabric(fabric: FabricSummary) -> tuple[str, ...]:
    by = ", ".join(_by_rank(rank, number) for rank, number in fabric.by_rank.items() if number)
    jobs = f" and {count(fabric.jobs, 'file without a host', 'files without a host')}" if fabric.jobs else ""
    return (
        count(fabric.devices, "device") + jobs,
        prose(count(fabric.roce_ports, "RoCE port") + (f" ({by})" if by else "")),
        f"{fabric.undecided:,} unclear",
        f"{fabric.not_roce:,} not RoCE",
    )


def _by_rank(rank: str, number: int) -> str:
    words = RANKS.get(rank, rank)
    return f"{number:,} {words.replace('their', 'its') if number == 1 else words}"
