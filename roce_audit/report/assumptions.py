"""What every report for people says of the run as a whole: what was read, what was assumed, what is undetermined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from roce_audit.engine.findings import FabricSummary, MissingInput, Report
from roce_audit.records import dataclass
from roce_audit.report.words import count, prose
from roce_audit.text.sentences import listed

INPUTS_SHOWN = 3
CLASSES_SHOWN = 2
_BESIDE = " " * 6
"""Between what was read and the classes, where both stand on one line."""

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
    """One line: `fabric`, `class` or `files`; the name of the thing; the words."""

    label: str
    name: str
    words: tuple[str, ...]
    """Parts that stand between dots."""


def assumptions(report: Report) -> Iterator[Assumption]:
    """Fabrics, their classes, and files that are taken as whole."""
    for fabric in report.fabrics:
        named = "" if fabric.name == "fabric" and len(report.fabrics) == 1 else prose(fabric.name)
        yield Assumption("fabric", named, _fabric(fabric))
        keys = [key for key, value in report.inferred.items() if value.fabric == fabric.name]
        what = "" if any(_is_of_class(key) for key in keys) else " in part"
        for sentence in fabric.classes:
            name, colon, words = sentence.partition(": ")
            parts = [prose(part) for part in (words if colon else name).split("   ")]
            mark = [f"[inferred{what}; pin: roce-audit init]"] if keys else []
            yield Assumption("class", prose(name) if colon else "", (*parts, *mark))
    whole = report.coverage.assumed_whole
    if whole:
        refuse = f'policy paths: {{"{prose(whole[0])}": {{complete: false}}}}'
        words = f"{count(len(whole), 'file')} taken as whole: {listed([prose(path) for path in whole], INPUTS_SHOWN)}"
        yield Assumption("files", "", (words, f"not whole? {refuse}"))


def _is_of_class(key: str) -> bool:
    """Whether an inferred value is a code point or priority of RoCE itself: its MTU and CNPs may be, where the policy gives the class."""
    return "roce." in key


def read_words(report: Report) -> tuple[str, str]:
    """(`10 devices, 32 RoCE ports, 2 fabrics`, `class roce = DSCP 26 -> priority 3, lossless (inferred)`): the first line."""
    coverage = report.coverage
    devices = coverage.devices - coverage.setups - coverage.jobs
    setups = count(coverage.setups, "setup file") if coverage.setups else ""
    file = "other file" if setups else "file"
    jobs = count(coverage.jobs, f"{file} without a host", f"{file}s without a host") if coverage.jobs else ""
    others = [words for words in (setups, jobs) if words]
    read = [count(devices, "device")] if devices or not others else []
    read += [*others, count(coverage.ports_roce.get("yes", 0), "RoCE port")]
    if len(report.fabrics) > 1:
        read.append(count(len(report.fabrics), "fabric"))
    if coverage.context.files:
        read[-1] += (
            f"; context: {count(coverage.context.files, 'file')} of {', '.join(map(prose, coverage.context.folders))}"
        )
    classes = [line for line in assumptions(report) if line.label == "class"]
    inferred = " (inferred)" if any(map(_is_of_class, report.inferred)) else ""
    said = dict.fromkeys(
        f"{line.name} = {line.words[0].partition(' (')[0]}" if line.name else line.words[0] for line in classes
    )
    if not said or len(said) > CLASSES_SHOWN:
        return ", ".join(read), f"{count(len(said), 'class', 'classes')}{inferred}" if said else ""
    return ", ".join(read), f"{'class' if len(said) == 1 else 'classes'} {'; '.join(said)}{inferred}"


def beside(read: str, classes: str, width: int) -> str | None:
    """What stands behind what was read on its line: the classes, where they fit; None where they need lines of their own."""
    if not classes:
        return ""
    return f"{_BESIDE}{classes}" if len(read) + len(_BESIDE) + len(classes) <= width else None


@dataclass(frozen=True, slots=True)
class Undetermined:
    """Checks that nobody could decide: what the user can supply, and how many of them hang on what."""

    checks: int
    by_user: tuple[MissingInput, ...]
    by_findings: int
    by_nobody: tuple[MissingInput, ...]

    def lines(self, everything: bool) -> list[str]:
        """What is listed: the first few that the user can supply and how many more there are, or all."""
        if everything:
            return [missing_words(need) for need in self.by_user + self.by_nobody]
        hidden = len(self.by_user) - INPUTS_SHOWN
        shown = [missing_words(need) for need in self.by_user[:INPUTS_SHOWN]]
        return [*shown, f"and {count(hidden, 'more input')} (-v)"] if hidden > 0 else shown

    def sentences(self) -> Iterator[str]:
        """`89 checks.`, `20 follow from findings above.`, `45 need what this version cannot see.`"""
        yield f"{count(self.checks, 'check')}."
        if self.by_findings:
            yield f"{self.by_findings:,} {'follows' if self.by_findings == 1 else 'follow'} from findings above."
        unread = sum(need.checks for need in self.by_nobody)
        if unread:
            yield f"{unread:,} {'needs' if unread == 1 else 'need'} what this version cannot see."
        if self.by_user:
            yield f"You can decide {sum(need.checks for need in self.by_user):,}:"


def undetermined(report: Report) -> Undetermined | None:
    """What would decide the undetermined checks; None where all are decided."""
    needs = report.coverage.missing_input
    if not needs:
        return None
    return Undetermined(
        sum(need.checks for need in needs),
        tuple(need for need in needs if need.decided_by == "user"),
        sum(need.checks for need in needs if need.decided_by == "finding"),
        tuple(need for need in needs if need.decided_by == "nobody"),
    )


def missing_words(need: MissingInput) -> str:
    """`cable length of 64 links (128 checks): policy cables:`."""
    return prose(f"{need.input} ({count(need.checks, 'check')}): {need.how}")


def _fabric(fabric: FabricSummary) -> tuple[str, ...]:
    by = ", ".join(_by_rank(rank, number) for rank, number in fabric.by_rank.items() if number)
    jobs = f" and {count(fabric.jobs, 'file without a host', 'files without a host')}" if fabric.jobs else ""
    parts = [
        count(fabric.devices, "device") + jobs,
        prose(count(fabric.roce_ports, "RoCE port") + (f" ({by})" if by else "")),
        f"{fabric.undecided:,} unclear" if fabric.undecided else "",
        f"{fabric.not_roce:,} not RoCE" if fabric.not_roce else "",
    ]
    return tuple(part for part in parts if part)


def _by_rank(rank: str, number: int) -> str:
    words = RANKS.get(rank, rank)
    return f"{number:,} {words.replace('their', 'its') if number == 1 else words}"
