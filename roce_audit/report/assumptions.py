"""What was taken for granted: the block with which every report for people begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from roce_audit.engine.findings import FabricSummary, MissingInput, Report
from roce_audit.report.words import count, prose

INPUTS_SHOWN = 3

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
    """One line: `fabric`, `class` or `not seen`; the name of the thing; the words."""

    label: str
    name: str
    words: tuple[str, ...]
    """Parts that stand between dots."""


def assumptions(report: Report) -> Iterator[Assumption]:
    """Fabrics, their classes, and what nobody saw, most useful first."""
    for fabric in report.fabrics:
        yield Assumption("fabric", prose(fabric.name), _fabric(fabric))
        inferred = any(value.fabric == fabric.name for value in report.inferred.values())
        for sentence in fabric.classes:
            name, colon, words = sentence.partition(": ")
            parts = [prose(part) for part in (words if colon else name).split("   ")]
            mark = ["[inferred; freeze: roce-audit init]"] if inferred else []
            yield Assumption("class", prose(name) if colon else "", (*parts, *mark))
    needs = report.coverage.missing_input
    if needs:
        parts = [missing_words(need) for need in needs[:INPUTS_SHOWN]]
        if len(needs) > INPUTS_SHOWN:
            parts.append(f"and {count(len(needs) - INPUTS_SHOWN, 'more input')}")
        yield Assumption("not seen", "", tuple(parts))


def missing_words(need: MissingInput) -> str:
    """`cable length of 64 links (settles 128 judgements: policy cables:)`."""
    return prose(f"{need.input} (settles {count(need.checks, 'judgement')}: {need.how})")


def _fabric(fabric: FabricSummary) -> tuple[str, ...]:
    by = ", ".join(f"{number:,} {RANKS.get(rank, rank)}" for rank, number in fabric.by_rank.items() if number)
    return (
        count(fabric.devices, "device") + (f" and {count(fabric.jobs, 'hostless file')}" if fabric.jobs else ""),
        prose(count(fabric.roce_ports, "RoCE port") + (f" ({by})" if by else "")),
        f"{fabric.undecided:,} undecided",
        f"{fabric.not_roce:,} not RoCE",
    )
