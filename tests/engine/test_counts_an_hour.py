"""What is put up with of a counter is put up with each hour: a week has more lost packets than ten minutes, on a sound fabric as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.policy import Policy
from roce_audit.proof.examples import case_tree, collect

RULES = load([builtin_folder()])
EARLIER = "2025-03-03T10:00:00Z"


@pytest.mark.parametrize(
    "rule",
    ["app/packets-repeated", "app/acknowledgements-time-out", "buffer/nic-discards-roce", "link/corrupt-packets"],
)
@pytest.mark.parametrize(("earlier", "is_told"), [(EARLIER, True), ("2024-03-03T10:00:00Z", False)])
def test_more_is_put_up_with_in_a_longer_time(rule: str, earlier: str, is_told: bool, tmp_path: Path) -> None:
    example = next(one for one in collect(RULES) if one.rule == rule)
    for name, text in case_tree(example, example.bad[0]).tree.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(EARLIER, earlier), encoding="utf-8")
    request = Request((str(tmp_path),), Policy.empty(), since=str(tmp_path / "since"), rules=RULES, select=(rule,))
    told = [one.severity for one in check(request).report.findings if one.rule == rule and one.verdict == "fails"]
    assert ("warning" in told) is is_told
