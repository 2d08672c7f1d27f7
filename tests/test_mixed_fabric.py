"""Fabrics of many vendors: each is quiet, and each change of one value is told at its line, as severely as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule
from roce_audit.policy import Policy, load
from roce_audit.proof.edits import Tree, apply
from roce_audit.proof.exampletext import Example, parse
from roce_audit.sources.files import shown

FIXTURES = Path(__file__).parent.parent / "fixtures"
MUTANTS = Path(__file__).parent / "mixed"
_TITLE = re.compile(r"(?P<rule>[a-z-]+/[a-z0-9-]+)(?: \((?P<severity>warning|info)\))?: \S.*")
"""How a mutant is called: the rule that tells, how severely (an error where nothing is said), and what is wrong."""


@dataclass(frozen=True)
class Fabric:
    """A folder of fixtures, the platform of each device in it, and the kinds of which there are mutants."""

    folder: str
    platforms: dict[str, str]
    links: int
    kinds: tuple[str, ...]
    unseen: float = 0.05
    """At most so many verdicts are unknown, as a share of those that pass."""
    undecided: frozenset[str] = frozenset()
    """Rules about the class itself and its links that stay unknown."""

    @property
    def root(self) -> Path:
        return FIXTURES / self.folder


FABRICS = {
    fabric.folder: fabric
    for fabric in (
        Fabric(
            "mixed",
            {
                "leaf1": "os10",
                "leaf2": "cumulus",
                "leaf3": "eos",
                "leaf4": "sonic",
                "spine1": "srlinux",
                "spine2": "esonic",
                "spine3": "nxos",
                **{f"gpu{number}": "linux" for number in range(1, 9)},
            },
            28,
            ("bnxt", "cumulus", "eos", "esonic", "ionic", "irdma", "mlnx", "nxos", "os10", "sonic", "srlinux"),
        ),
        Fabric(
            "mixed-vendors",
            {
                "leaf1": "junos",
                "leaf2": "vrp",
                "leaf3": "comware",
                "leaf4": "aoscx",
                "spine1": "eos",
                "spine2": "nxos",
                **{f"gpu{number}": "linux" for number in range(1, 6)},
            },
            18,
            ("junos", "vrp", "comware", "aoscx"),
            unseen=0.055,
            # nothing that is read says what FEC a Comware port runs, nor how long the units of its deadlock times are
            undecided=frozenset({"link/fec-mismatch", "link/fec-not-rs"}),
        ),
    )
}
KINDS = [pytest.param(fabric, kind, id=kind) for fabric in FABRICS.values() for kind in fabric.kinds]


def mutants_of(kind: str) -> tuple[Example, ...]:
    """The mutants of one kind of device; their titles are written as `_TITLE` says."""
    file = MUTANTS / f"{kind}.txt"
    return parse(file.read_text(encoding="utf-8"), file.name, "", kind).cases


@cache
def tree(root: Path) -> Tree:
    return {
        file.relative_to(root).as_posix(): file.read_text(encoding="utf-8")
        for file in root.rglob("*")
        if file.is_file()
    }


@cache
def policy(root: Path) -> Policy:
    return load(root / "roce-audit.yaml")


@cache
def pack() -> dict[str, Rule]:
    return {rule.id: rule for rule in rulepack.load([rulepack.builtin_folder()])}


def judged(root: Path, changed: Tree, rules: tuple[Rule, ...] | None = None) -> Checked:
    """The fabric with some files changed."""
    instead = {shown(str(root / name)): text for name, text in changed.items() if text != tree(root)[name]}
    return check(Request(paths=(str(root),), policy=policy(root), instead=instead, rules=rules))


@cache
def clean(folder: str) -> Checked:
    root = FABRICS[folder].root
    return judged(root, tree(root))


@pytest.mark.parametrize("fabric", FABRICS.values(), ids=FABRICS)
def test_the_fabric_is_read_whole(fabric: Fabric) -> None:
    found = clean(fabric.folder)
    assert {device.name: device.platform for device in found.devices} == fabric.platforms
    coverage = found.report.coverage
    assert (coverage.links, coverage.links_one_end, len(coverage.unread)) == (fabric.links, 0, 0)
    ends = 2 * fabric.links
    assert (coverage.ports_roce["yes"], coverage.ports_roce["undecided"]) == (ends, 0)


@pytest.mark.parametrize("folder", FABRICS)
def test_the_fabric_is_quiet(folder: str) -> None:
    assert [f.message for f in clean(folder).report.findings if f.verdict == "fails"] == []


@pytest.mark.parametrize("fabric", FABRICS.values(), ids=FABRICS)
def test_nearly_everything_is_judged(fabric: Fabric) -> None:
    """What stays unknown needs answers that a configuration does not give: computed thresholds, chips, next boot."""
    report = clean(fabric.folder).report
    assert report.checks.undetermined < report.checks.passed * fabric.unseen
    topics = {"pfc", "marking", "mtu", "cnp", "app", "link"}
    assert {f.rule for f in report.findings if f.verdict == "unknown" and f.topic in topics} == fabric.undecided


def test_all_mutants_are_of_a_fabric() -> None:
    assert sorted(file.stem for file in MUTANTS.glob("*.txt")) == sorted(k for f in FABRICS.values() for k in f.kinds)


@pytest.mark.parametrize("kind", [kind for fabric in FABRICS.values() for kind in fabric.kinds])
def test_each_kind_of_device_has_enough_mutants(kind: str) -> None:
    mutants = mutants_of(kind)
    assert len(mutants) >= 8
    assert len({mutant.title for mutant in mutants}) == len(mutants)


@pytest.mark.parametrize(("fabric", "kind"), KINDS)
def test_mutants_are_told_at_their_lines(fabric: Fabric, kind: str) -> None:
    wrong = [f"{m.path}:{m.line} {m.title}: {said}" for m in mutants_of(kind) if (said := untold(fabric.root, m))]
    assert not wrong, "\n".join(wrong)


def untold(root: Path, mutant: Example) -> str:
    """What is wrong with the run over a mutant; "" where its rule fails at all of its marked lines, as severely as it should."""
    title = _TITLE.fullmatch(mutant.title)
    assert title is not None, f"{mutant.path}:{mutant.line}: {mutant.title}"
    rule, severity = title["rule"], title["severity"] or "error"
    changed = apply(tree(root), mutant)
    report = judged(root, changed.tree, (pack()[rule],)).report
    told = [f for f in report.findings if f.rule == rule and f.verdict == "fails"]
    places = {(location.path, location.line) for finding in told for location in finding.locations}
    marked = {(shown(str(root / path)), line) for path, line in changed.marks}
    wrong = [*report.problems, *(f"{path}:{line} is not told" for path, line in sorted(marked - places))]
    wrong += sorted({f"told as {finding.severity}" for finding in told if finding.severity != severity})
    return "; ".join(wrong)
