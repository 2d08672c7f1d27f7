"""Memory for lossless traffic while PFC is on for no port: how loud that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.policy.values import Policy

LINES = (
    "system hostname leaf1",
    "interface swp1-4 link mtu 9216",
    "interface swp1-4 qos pfc-watchdog state enable",
    "qos traffic-pool default-lossless memory-percent 50",
)


@pytest.mark.parametrize(("policy", "severity"), [("", "error"), ("lossless: false\n", "warning")])
def test_in_a_fabric_that_is_lossy_on_purpose_it_is_no_error(tmp_path: Path, policy: str, severity: str) -> None:
    (tmp_path / "nv_config_show_-o_commands.txt").write_text("".join(f"nv set {line}\n" for line in LINES))
    (tmp_path / "roce-audit.yaml").write_text(policy)
    given = load(tmp_path / "roce-audit.yaml") if policy else Policy.empty()
    report = check(Request((str(tmp_path),), given, select=("pfc/no-port-pauses",), context=())).report
    assert [finding.severity for finding in report.findings if finding.verdict == "fails"] == [severity]
