"""What a run found: plain data that every report format is written from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Literal

from roce_audit.fabric.traffic.radius import Reach
from roce_audit.records import dataclass

Severity = Literal["error", "warning", "info", "none"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "none")
"""From worst to none; `none` is the severity of an unknown finding."""


def worst(*severities: Severity) -> Severity:
    """The worst of some severities."""
    return min(severities, key=SEVERITIES.index)


@dataclass(frozen=True, slots=True)
class Location:
    """One line that a finding points at. `path` is as shown to people, `line` from 1 (0: the file as a whole)."""

    path: str
    line: int
    text: str
    role: Literal["primary", "related"]
    note: str = ""
    """What the line says or is here: "headroom of the priority group", "the far end"."""
    block: str = ""
    """Heads of the stanzas around a primary line, outermost first; with the text it names the line wherever it moves.

    Empty where nothing of the run wants it (`Request.blocks`)."""
    field: str = ""
    """Model path of what the line says; empty where it says nothing of the model."""


@dataclass(frozen=True, slots=True)
class Member:
    """One subject of a finding. `id` is device:subject. The fingerprint is made of rule, device, subject and class."""

    id: str
    device: str
    subject: str
    path: str
    line: int
    fingerprint: str
    value: str
    """Digest-free short form of the values that failed: tells "same fault, other value"."""


def distinct(members: Iterable[Member]) -> tuple[Member, ...]:
    """The members without those that only name another class of the same subject."""
    return tuple({(member.id, member.path, member.line): member for member in reversed([*members])}.values())[::-1]


@dataclass(frozen=True, slots=True)
class Replacement:
    """Text of a file as it was read that is to be another: from a line and column up to, and without, the end; all from 1."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What to type on which device. `safe` only for statements that a cited source calls non-disruptive."""

    safe: bool
    commands: tuple[str, ...]
    """Commands of a change that was proved by judging the changed texts; none where no such change is known."""
    note: str = ""
    replacements: tuple[Replacement, ...] = ()
    """The same change in the files; none where a file is no place to make it."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Why a finding is not counted, and where that was written."""

    reason: str
    path: str
    line: int
    until: str
    """Last day on which it holds, as YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A group of equal failures (or equal doubts) of one rule."""

    rule: str
    topic: str
    severity: Severity
    rule_severity: Severity
    verdict: Literal["fails", "unknown"]
    confidence: str
    owner: str
    device: str | None
    platform: str | None
    subject: str
    members: tuple[Member, ...]
    title: str
    message: str
    why: str
    source: str
    locations: tuple[Location, ...]
    values: Mapping[str, object]
    fingerprint: str
    members_more: int = 0
    """Members that are counted and not listed: of a doubt only the first thousand are."""
    source_url: str = ""
    """Address of the first source that has one."""
    unknown_because: str = ""
    """For verdict `unknown`: the reason, as one clause."""
    spread: str = ""
    """How common it is: "on 1 of 64 ports", "on all 1,648 RoCE ports of 412 devices"."""
    reach: Reach | None = None
    """On the way of how many RoCE NICs its subjects are; None where the cabling does not tell."""
    because_of: str | None = None
    fix: Fix | None = None
    suppressed: Suppressed | None = None
    baselined: bool = False
    in_maintenance: bool = False
    """Its subjects are of devices in maintenance, or are cables that end on one: told, and without a say in the exit code."""
    page: str = ""
    """URL of the rule's page; empty where it is published nowhere."""


def nics_reached(finding: Finding) -> int:
    """On the way of how many NICs a finding is; 0 where nobody knows."""
    return 0 if finding.reach is None else finding.reach.nics


@dataclass(frozen=True, slots=True)
class Inferred:
    """A policy value that was not given but taken from a majority."""

    value: object
    support: float
    of: int
    unit: str
    fabric: str
    weak: bool = False


@dataclass(frozen=True, slots=True)
class MissingInput:
    """An input that nobody gave, and how many checks it would decide."""

    input: str
    checks: int
    how: str
    devices: int = 0
    decided_by: Literal["user", "finding", "nobody"] = "user"
    """Who can supply it: the user (`how` says with what), who settles another finding first, or nobody with this version."""


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that concerns the model and that no grammar understood."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class FabricSummary:
    """What is assumed of one fabric."""

    name: str
    devices: int
    roce_ports: int
    by_rank: Mapping[str, int]
    undecided: int
    not_roce: int
    classes: tuple[str, ...]
    """Ready sentences: "roce: DSCP 26 -> priority 3, lossless (405 of 412 devices agree)"."""
    jobs: int = 0
    """Job scripts, manifests, setup scripts and settings of libraries that belong to no host that was seen; no devices."""


@dataclass(frozen=True, slots=True)
class Context:
    """Files that were read for links, majorities and similar ports, and are not among those asked for."""

    files: int = 0
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was and what was not judged, of what was asked for. Always printed."""

    documents: int = 0
    devices: int = 0
    setups: int = 0
    """Of the devices: scripts and templates that set NICs up and belong to no host that was seen."""
    jobs: int = 0
    """Of the devices: job scripts, manifests and settings of libraries that belong to no host that was seen."""
    ports: int = 0
    nics: int = 0
    links: int = 0
    links_one_end: int = 0
    ports_roce: Mapping[str, int] = field(default_factory=dict)
    """yes, no, undecided, not_data."""
    roce_by: Mapping[str, int] = field(default_factory=dict)
    lines: int = 0
    lines_relevant: int = 0
    unread: tuple[UnreadLine, ...] = ()
    unread_more: int = 0
    """Unread lines that are counted and not listed: a device has too many."""
    unreached: tuple[str, ...] = ()
    """`device: why` of the devices of a snapshot that were not read to the end."""
    unrecognised: tuple[tuple[str, str], ...] = ()
    """Path and the word for why."""
    excluded: int = 0
    missing_input: tuple[MissingInput, ...] = ()
    notes: tuple[str, ...] = ()
    """Facts about the input that are worth one line: proposals, names taken from files, layers left out."""
    blind: tuple[tuple[str, str], ...] = ()
    """Document and core family (pfc, class, ecn, buffer, mtu) that no RoCE port of it could be judged on."""
    incomplete: tuple[str, ...] = ()
    """Paths of documents whose end, or part of what the device was asked, is missing."""
    assumed_whole: tuple[str, ...] = ()
    """Paths of switch configurations that look whole, prove it by nothing, and were taken as whole."""
    context: Context = Context()

    @property
    def lines_unread(self) -> int:
        """How many lines were not understood, listed or not."""
        return len(self.unread) + self.unread_more

    @property
    def recognised(self) -> bool:
        """Whether any device was recognised, in the paths or in the context."""
        return self.devices > 0 or self.context.files > 0


@dataclass(frozen=True, slots=True)
class Checks:
    """Rule x subject counts."""

    passed: int = 0
    failed: int = 0
    undetermined: int = 0
    not_applicable: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run."""

    version: str
    profile: str
    policy_file: str | None
    inferred: Mapping[str, Inferred]
    fabrics: tuple[FabricSummary, ...]
    coverage: Coverage
    checks: Checks
    findings: tuple[Finding, ...]
    problems: tuple[str, ...] = ()
    """Internal errors: a rule or platform that crashed, with its name."""
    nothing_to_judge: tuple[str, ...] = ()
    """Rules that judged nothing."""
    changes_tried: Literal["all", "some", "none"] = "none"
    """For how many of the failures that count it was tried whether a proposed change fixes them."""

    def counted(self) -> tuple[Finding, ...]:
        """Findings that count: no consequence, not suppressed, not baselined."""
        return tuple(f for f in self.standing() if f.suppressed is None and not f.baselined)

    def standing(self) -> tuple[Finding, ...]:
        """Findings that follow from no other of this report."""
        return tuple(f for f, root in zip(self.findings, roots(self.findings), strict=True) if root is f)


def roots(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """For each finding the one that it follows from in the end; itself where its cause is not among them."""
    named = {finding.fingerprint: finding for finding in findings}
    found: list[Finding] = []
    for finding in findings:
        root = finding
        while root.because_of in named and root.because_of != root.fingerprint:
            root = named[root.because_of]
        found.append(root)
    return tuple(found)
