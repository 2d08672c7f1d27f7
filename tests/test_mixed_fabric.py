"""A fabric of seven kinds of switches and four kinds of NICs: it is quiet, and each change of one value is told at its line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.engine import rulepack
from roce_audit.engine.rule import Rule
from roce_audit.policy import Policy, load
from roce_audit.proof.edits import Tree, apply
from roce_audit.proof.exampletext import Example, parse
from roce_audit.sources.files import shown

FABRIC = Path(__file__).parent.parent / "fixtures" / "mixed"
MUTANTS = Path(__file__).parent / "mixed"
PLATFORMS = {
    "leaf1": "os10",
    "leaf2": "cumulus",
    "leaf3": "eos",
    "leaf4": "sonic",
    "spine1": "srlinux",
    "spine2": "esonic",
    "spine3": "nxos",
    **{f"gpu{number}": "linux" for number in range(1, 9)},
}
KINDS = sorted(file.stem for file in MUTANTS.glob("*.txt"))


def mutants_of(kind: str) -> tuple[Example, ...]:
    """The mutants of one kind of device; the title begins with the rule that tells."""
    file = MUTANTS / f"{kind}.txt"
    return parse(file.read_text(encoding="utf-8"), file.name, "", kind).cases


@cache
def tree() -> Tree:
    return {
        file.relative_to(FABRIC).as_posix(): file.read_text(encoding="utf-8")
        for file in FABRIC.rglob("*")
        if file.is_file()
    }


@cache
def policy() -> Policy:
    return load(FABRIC / "roce-audit.yaml")


@cache
def pack() -> dict[str, Rule]:
    return {rule.id: rule for rule in rulepack.load([rulepack.builtin_folder()])}


def judged(changed: Tree, rules: tuple[Rule, ...] | None = None) -> Checked:
    """The fabric with some files changed."""
    instead = {shown(str(FABRIC / name)): text for name, text in changed.items() if text != tree()[name]}
    return check(Request(paths=(str(FABRIC),), policy=policy(), instead=instead, rules=rules))


@pytest.fixture(scope="module")
def clean() -> Checked:
    return judged(tree())


def test_the_fabric_is_read_whole(clean: Checked) -> None:
    assert {device.name: device.platform for device in clean.devices} == PLATFORMS
    coverage = clean.report.coverage
    assert (coverage.links, coverage.links_one_end, len(coverage.unread)) == (28, 0, 0)
    ends = 2 * 28
    assert (coverage.ports_roce["yes"], coverage.ports_roce["undecided"]) == (ends, 0)


def test_the_fabric_is_quiet(clean: Checked) -> None:
    assert [finding.message for finding in clean.report.findings if finding.verdict == "fails"] == []


def test_nearly_everything_is_judged(clean: Checked) -> None:
    """What stays unknown needs answers that a configuration does not give: computed thresholds, chips, next boot."""
    checks = clean.report.checks
    assert checks.undetermined * 20 < checks.passed
    topics = {finding.topic for finding in clean.report.findings if finding.verdict == "unknown"}
    assert not topics & {"pfc", "marking", "mtu", "cnp", "app", "link"}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_device_has_enough_mutants(kind: str) -> None:
    mutants = mutants_of(kind)
    assert len(mutants) >= 8
    assert len({mutant.title for mutant in mutants}) == len(mutants)


@pytest.mark.parametrize("kind", KINDS)
def test_mutants_are_told_at_their_lines(kind: str) -> None:
    wrong = [f"{m.path}:{m.line} {m.title}: {problem}" for m in mutants_of(kind) if (problem := untold(m))]
    assert not wrong, "\n".join(wrong)


def untold(mutant: Example) -> str:
    """What is wrong with the run over a mutant; "" where its rule fails at all of its marked lines."""
    rule = mutant.title.partition(": ")[0]
    changed = apply(tree(), mutant)
    report = judged(changed.tree, (pack()[rule],)).report
    places = {
        (location.path, location.line)
        for finding in report.findings
        if finding.rule == rule and finding.verdict == "fails"
        for location in finding.locations
    }
    marked = {(shown(str(FABRIC / path)), line) for path, line in changed.marks}
    return "; ".join([*report.problems, *(f"{path}:{line} is not told" for path, line in sorted(marked - places))])
