"""What a whole tier lacks is taken for a decision of its operators, and is no error; a fault of a part of it is one."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rulepack import builtin_folder, load
from roce_audit.policy import load_text

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import synthetic

POLICY = load_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n", "roce-audit.yaml")
(RULE,) = [rule for rule in load([builtin_folder()]) if rule.id == "mtu/below-roce"]
DECIDED = "on all 8 RoCE ports of 2 devices (a decision?)"


@pytest.mark.parametrize(
    ("switches", "too_small", "asks", "severity", "spread"),
    [
        (2, 2, "absent", "warning", DECIDED),
        (2, 2, "present", "error", DECIDED),  # a contradiction is nobody's decision
        (2, 1, "absent", "error", "on 4 of 8 RoCE ports"),
        (3, 2, "absent", "error", "on 8 of 12 RoCE ports"),
        (1, 1, "absent", "error", "on 4 of 4 RoCE ports"),  # one device is no tier
    ],
)
def test_what_all_of_several_devices_lack_is_a_decision(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    switches: int,
    too_small: int,
    asks: str,
    severity: str,
    spread: str,
) -> None:
    for number, (name, text) in enumerate(synthetic.fleet(switches, 4, diverse=True).items()):
        (tmp_path / f"{name}.cfg").write_text(text.replace("mtu 9214\n", "mtu 1500\n") if number < too_small else text)
    monkeypatch.chdir(tmp_path)
    rule = replace(RULE, asks=asks)  # type: ignore[arg-type]
    report = check(Request((".",), POLICY, rules=(rule,))).report
    (finding,) = [f for f in report.findings if f.verdict == "fails"]
    assert (finding.severity, finding.rule_severity, finding.spread) == (severity, "error", spread)
