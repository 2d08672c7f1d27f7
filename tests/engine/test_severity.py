"""How loud a failure is: on one port as on all, and never milder than what follows from it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.policy import load_text

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import synthetic

POLICY = "roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n"
MILD = POLICY + "rules: {mtu/below-roce: {severity: info}}\n"
(RULE,) = [rule for rule in load([builtin_folder()]) if rule.id == "mtu/below-roce"]
FOLLOWING = replace(RULE, id="mtu/second", after=("mtu/below-roce",))
LAST = replace(RULE, id="mtu/third", after=("mtu/second",))


def _findings(folder: Path, policy: str, rules: tuple[Rule, ...], switches: int, too_small: int) -> list[Finding]:
    for number, (name, text) in enumerate(synthetic.fleet(switches, 4, diverse=True).items()):
        (folder / f"{name}.cfg").write_text(text.replace("mtu 9214\n", "mtu 1500\n") if number < too_small else text)
    report = check(Request((".",), load_text(policy, "roce-audit.yaml"), rules=rules)).report
    return [finding for finding in report.findings if finding.verdict == "fails"]


@pytest.mark.parametrize(
    ("switches", "too_small", "spread"),
    [
        (2, 2, "on all 8 RoCE ports of 2 devices"),
        (2, 1, "on 4 of 8 RoCE ports"),
        (1, 1, "on 4 of 4 RoCE ports"),
    ],
)
def test_a_fault_is_as_loud_on_all_ports_as_on_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switches: int, too_small: int, spread: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (finding,) = _findings(tmp_path, POLICY, (RULE,), switches, too_small)
    assert (finding.severity, finding.spread) == ("error", spread)


@pytest.mark.parametrize(
    ("rules", "severity"),
    [
        ((RULE,), "info"),
        ((RULE, FOLLOWING), "error"),
        ((RULE, FOLLOWING, LAST), "error"),
    ],
)
def test_a_cause_is_never_milder_than_what_follows_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: tuple[Rule, ...], severity: str
) -> None:
    monkeypatch.chdir(tmp_path)
    cause, *following = sorted(_findings(tmp_path, MILD, rules, 2, 1), key=lambda finding: finding.rule)
    assert (cause.rule, cause.severity) == (RULE.id, severity)
    assert all(finding.because_of for finding in following)


def test_what_follows_over_a_mild_step_counts_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    policy = POLICY + "rules: {mtu/below-roce: {severity: info}, mtu/second: {severity: info}}\n"
    found = {finding.rule: finding.severity for finding in _findings(tmp_path, policy, (RULE, FOLLOWING, LAST), 2, 1)}
    assert found == {"mtu/below-roce": "error", "mtu/second": "error", "mtu/third": "error"}


def test_a_remark_explains_only_what_no_failure_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    both = replace(RULE, id="mtu/third", after=("mtu/below-roce", "mtu/second"))
    found = _findings(tmp_path, MILD, (RULE, replace(RULE, id="mtu/second"), both), 2, 1)
    by_rule = {finding.rule: finding for finding in found}
    assert by_rule["mtu/third"].because_of == by_rule["mtu/second"].fingerprint
    assert by_rule["mtu/below-roce"].severity == "info"
    found = _findings(tmp_path, MILD, (RULE, both), 2, 1)
    by_rule = {finding.rule: finding for finding in found}
    assert by_rule["mtu/third"].because_of == by_rule["mtu/below-roce"].fingerprint


def test_a_remark_explains_no_difference_and_is_not_raised_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is the same on all ports of a tier does not make the one that differs in something else."""
    monkeypatch.chdir(tmp_path)
    comparing = replace(FOLLOWING, tags=("consistency",))
    found = {finding.rule: finding for finding in _findings(tmp_path, MILD, (RULE, comparing), 2, 1)}
    assert (found["mtu/below-roce"].severity, found["mtu/second"].because_of) == ("info", None)
