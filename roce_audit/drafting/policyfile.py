"""From a checked site to the text of its policy file: inferred values become written ones, what is open becomes a comment.

What is written changes no verdict; what would change one stands there commented out, for people to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from roce_audit.audit import Checked
from roce_audit.drafting import open_questions
from roce_audit.drafting.existing import Existing
from roce_audit.drafting.yamltext import comment, key, numbers, patterns, text
from roce_audit.engine.assembling import fabric_summaries
from roce_audit.engine.findings import FabricSummary
from roce_audit.fabric.classes.majority import Support
from roce_audit.fabric.site import FabricView
from roce_audit.model import Class
from roce_audit.policy.values import FabricPolicy, Policy
from roce_audit.records import dataclass
from roce_audit.report.words import count
from roce_audit.text.sentences import listed

_NAMES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of the file, and what was left to people."""

    text: str
    classes: int
    fabrics: int
    left: tuple[str, ...] = field(default=())


def draft(checked: Checked, policy: Policy, existing: str | None, folder: str) -> Draft:
    """The policy file of this site; `existing` is the text of the one that was judged with, which is kept as it stands."""
    summaries = {summary.name: summary for summary in fabric_summaries(checked.site)}
    fabrics = [_Fabric(view, policy, summaries[view.name]) for view in checked.site.fabrics]
    old = Existing(existing or "")
    written = [fabric for fabric in fabrics if fabric.frozen]
    lines: list[str] = [] if existing else list(_head(checked))
    if policy.fabrics:
        for fabric in written:
            added = [*fabric.inferred(), *fabric.settings()]
            if not old.add_to_fabric(fabric.name, added):
                lines += [comment(f"fabric {fabric.name}: to be written under fabrics:"), *_commented(added)]
    elif len(fabrics) == 1:
        for fabric in fabrics:
            lines += [*fabric.evidence(), *fabric.settings(), ""]
    else:
        names = {fabric.name: [device.name for device in fabric.view.devices] for fabric in fabrics}
        lines += ["fabrics:", *(line for fabric in fabrics for line in fabric.block(names)), ""]
    questions = open_questions.of(checked, folder)
    lines += [line for question in questions for line in (*question.lines, "")]
    body = "\n".join([*old.lines, *lines]).rstrip() + "\n"
    classes = sum(fabric.classes_written for fabric in written)
    return Draft(body, classes, 0 if policy.fabrics else len(fabrics), tuple(question.words for question in questions))


def _head(checked: Checked) -> Iterator[str]:
    coverage = checked.report.coverage
    seen = (
        f"{count(coverage.devices, 'device')}, {count(coverage.links, 'link')}, {count(coverage.documents, 'document')}"
    )
    yield comment(f"Written by roce-audit init from {seen}.")
    yield "# What stands here was inferred and is now fixed: a majority that moves no longer moves it. Correct what is wrong."
    yield "# What is commented out was not decided, because it would change verdicts: take out the '#' where it is so."
    yield "profile: base"
    yield ""


def _commented(lines: Sequence[str]) -> list[str]:
    return [line if line.lstrip().startswith("#") else f"# {line}" for line in lines]


@dataclass(frozen=True, slots=True)
class _Fabric:
    view: FabricView
    policy: Policy
    summary: FabricSummary

    @property
    def name(self) -> str:
        return self.view.name

    @property
    def given(self) -> FabricPolicy | None:
        return next((fabric for fabric in self.policy.fabrics if fabric.name == self.name), None)

    @property
    def _classes_are_open(self) -> bool:
        """Nobody wrote any class for it; a fabric whose classes are half written is left to people."""
        return not self.policy.classes_of(self.given) and bool(self.view.classes.roce)

    @property
    def _mtu(self) -> int | None:
        """The inferred path MTU."""
        found = next((value.value for value in self.view.classes.inferred if value.key == "mtu.roce"), None)
        return found if isinstance(found, int) else None

    @property
    def frozen(self) -> bool:
        """There is something to write down."""
        return self._classes_are_open or self._mtu is not None

    @property
    def classes_written(self) -> int:
        return len(self.view.classes.roce) if self._classes_are_open else 0

    def evidence(self, indent: str = "") -> Iterator[str]:
        """How many devices and ports, and what each inferred value is based on."""
        found = self.summary
        ranks = ", ".join(f"{number:,} {rank}" for rank, number in found.by_rank.items())
        carrying = count(found.roce_ports, "RoCE port") + (f" ({ranks})" if ranks else "")
        names = listed([device.name for device in self.view.devices], _NAMES_SHOWN)
        yield comment(f"{count(found.devices, 'device')}: {names}", indent)
        yield comment(f"{carrying}, {found.undecided:,} unclear, {found.not_roce:,} not RoCE", indent)
        yield from self.inferred(indent)
        if len(self.view.classes.votes) > 1:
            votes = ", ".join(
                f"{count(n, 'device')} on {_priorities(vote)}" for vote, n in self.view.classes.votes.items()
            )
            yield comment(f"PFC is not alike on all: {votes}", indent)

    def inferred(self, indent: str = "") -> Iterator[str]:
        """What each inferred value is based on."""
        for value in self.view.classes.inferred:
            yield comment(_agreed(value), indent)

    def settings(self) -> Iterator[str]:
        """`classes:` and `mtu:`."""
        if self._classes_are_open:
            yield "classes:"
            for cls in self.view.classes.roce:
                lossless = f", lossless: {str(cls.lossless.get()).lower()}" if cls.lossless.is_known else ""
                yield f"  - {{name: {key(cls.name)}{_marks(cls)}{lossless}}}"
                if cls.dscp.is_unknown:
                    yield comment(
                        f"the devices do not agree on the DSCP of priority {_number(cls)}: add dscp: [...]", "    "
                    )
            if self.view.classes.cnp is not None:
                yield f"  - {{name: cnp, role: cnp{_marks(self.view.classes.cnp)}}}"
        if self._mtu is not None:
            yield f"mtu: {{roce: {self._mtu}}}"

    def block(self, names: dict[str, list[str]]) -> Iterator[str]:
        """The fabric as an entry of `fabrics:`."""
        others = [device for fabric, devices in names.items() if fabric != self.name for device in devices]
        devices = ", ".join(map(text, patterns(names[self.name], others)))
        yield f"  {key(self.name)}:"
        yield from self.evidence("    ")
        yield f"    devices: [{devices}]"
        if self.frozen:
            yield from (f"    {line}" for line in self.settings())
        elif not self.summary.roce_ports:
            yield "    # roce: none                 # if no RDMA is meant to run here: it is then asked for contradictions alone"


def _agreed(value: Support) -> str:
    agree = round(value.support * value.of)
    shown = numbers(value.value) if isinstance(value.value, list) else str(value.value)
    weak = "; weak, few had a vote" if value.weak else ""
    return f"{value.key} {shown}: {agree:,} of {count(value.of, value.unit)} agree{weak}"


def _marks(cls: Class) -> str:
    words = ""
    for name, cell in (("dscp", cls.dscp), ("pcp", cls.pcp), ("priority", cls.priority)):
        if cell.is_known:
            words += f", {name}: {numbers(cell.get())}"
    return words


def _number(cls: Class) -> str:
    return ", ".join(map(str, sorted(cls.priority.or_else(frozenset()))))


def _priorities(vote: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(vote))) or "none"
