"""Junos: the source port is in the hash for equal paths unless a statement takes it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

BASE = Path(__file__).parents[2] / "roce_audit" / "platforms" / "junos" / "examples" / "base" / "leaf1.set"


@pytest.mark.parametrize(
    ("field", "failing"), [("no-l4-source-port", 1), ("no-l4-destination-port", 0), ("vlan-id", 0)]
)
def test_a_hash_without_the_source_port_is_told(tmp_path: Path, field: str, failing: int) -> None:
    said = f"set forwarding-options enhanced-hash-key inet {field}\n"
    (tmp_path / "leaf1.set").write_text(BASE.read_text() + said)
    report = check(Request((str(tmp_path),), Policy.empty(), select=("fabric/hash-without-ports",))).report
    found = [finding for finding in report.findings if finding.verdict == "fails"]
    assert len(found) == failing
    assert all(finding.locations[0].text == said.strip() for finding in found)
