"""Every example of every rule on every platform: one test a platform. A rule without an example is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from roce_audit.engine.rules import rulepack
from roce_audit.proof import examples
from roce_audit.proof.exampletext import ExampleError, ExampleSet
from roce_audit.proof.trial import Workbench

RULES = {rule.id: rule for rule in rulepack.load()}
SETS: list[ExampleSet] = []
BROKEN: list[str] = []
for _rule in RULES.values():
    try:
        SETS.extend(examples.of_rule(_rule))
    except ExampleError as error:
        BROKEN.append(str(error))
CASES = [(found, case) for found in SETS for case in ((found.good,) if found.good else ()) + found.cases]


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench() as made:
        yield made


@pytest.mark.parametrize("platform", examples.with_base())
def test_the_examples_of_a_platform_show_what_they_claim(bench: Workbench, platform: str) -> None:
    wrong = [
        f"{case.path}:{case.line}: {case.id}: {problem}"
        for found, case in CASES
        if found.platform == platform and (problem := bench.wrong(found, case, RULES[found.rule]))
    ]
    assert not wrong, "\n".join(wrong)


def test_every_example_has_a_platform_that_runs_it() -> None:
    assert {found.platform for found, _ in CASES} <= set(examples.with_base())


@pytest.mark.parametrize("platform", examples.with_base())
def test_the_base_is_a_good_example(bench: Workbench, platform: str) -> None:
    """A rule without a good example of its own is asked of the base, and holds there."""
    quiet = bench.quiet(examples.base(platform), tuple(RULES.values()))
    on_base = [found for found in SETS if found.platform == platform and found.good is None]
    wrong = [f"{found.path}: on the base: {quiet[found.rule]}" for found in on_base if quiet.get(found.rule)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("platform", examples.with_base())
def test_the_base_of_a_platform_is_quiet(bench: Workbench, platform: str) -> None:
    report = bench.judge(examples.base(platform), tuple(RULES.values()))
    assert not report.problems
    failing = [finding for finding in report.findings if finding.verdict == "fails"]
    assert not failing, "\n".join(f"{f.severity}[{f.rule}] {f.subject}: {f.message}" for f in failing)
    assert report.coverage.ports_roce["yes"]
    assert not report.coverage.unread
    assert not report.coverage.blind


def test_every_example_text_can_be_read() -> None:
    assert not BROKEN, "\n".join(BROKEN)


def test_every_rule_has_an_example() -> None:
    shown = {found.rule for found in SETS}
    missing = [
        id for id, rule in RULES.items() if id not in shown and "history" not in rule.tags
    ]  # those need two runs
    assert not missing, f"{len(missing)} rules without an example: {', '.join(missing)}"


def test_every_example_file_belongs_to_a_rule() -> None:
    assert not examples.strays(RULES.values())


_NEVER_IN_DOUBT = {
    "app/hca-names-front-end",  # where nobody knows whether a NIC is named, it is not asked
    "fleet/releases-differ",  # only releases that were read are compared
    "marking/code-point-beside-usual",  # only maps that were read single a code point out
    "cnp/code-point-beside-usual",  # as above
    "cnp/strict-queue-unreached",  # only a table of code points that is known whole leaves a queue out
    "pfc/pauses-other-number",  # only where class, queue and code points are known do they have one number
    "mtu/no-jumbo-frames",  # where the MTU of some port is not known, it is not asked
    "mtu/nics-without-jumbo-frames",  # likewise
    "mtu/small-on-most-ports",  # likewise
    "fabric/link-missing",  # where a cable leads to what was not read, it is not asked
    "fabric/rail-crossed",  # where no leaf is certainly one of a rail, it is not asked
    "fleet/two-roce-marks",  # opinions that were not understood have no vote
    "mtu/ports-disagree",  # likewise
}


def test_every_rule_about_configuration_shows_when_it_cannot_judge() -> None:
    """Rules of scope `input` report what was seen; all others have an example in which the answer is unknown."""
    doubtful = {found.rule for found in SETS if any(case.kind == "unknown" for case in found.cases)}
    assert {id for id, rule in RULES.items() if rule.scope != "input"} - doubtful == _NEVER_IN_DOUBT
