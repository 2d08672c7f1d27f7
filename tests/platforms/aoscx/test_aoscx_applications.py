"""An application entry for a port that is the one of RoCEv2 but for a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.proof import examples

ENTRY = "dcbx application udp 4791 priority 3"


@pytest.mark.parametrize(
    ("written", "is_told"),
    [
        ("udp 4719 priority 3", True),
        ("tcp-udp 479 priority 3", True),
        ("udp 4792 priority 3", True),
        ("udp 4791 priority 3", False),
        ("udp 4719 priority 3\ndcbx application udp 4791 priority 3", False),
        ("udp 4719 priority 1", False),
        ("udp 5445 priority 3", False),
        ("ether 35093 priority 3", False),
    ],
)
def test_the_port_of_another_application(tmp_path: Path, written: str, is_told: bool) -> None:
    for name, text in examples.base("aoscx").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        assert "show_running-config" not in name or ENTRY in text
        (tmp_path / name).write_text(text.replace(ENTRY, f"dcbx application {written}"), encoding="utf-8")
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    told = [f for f in found if f.verdict == "fails" and f.rule == "input/conflict"]
    assert bool(told) == is_told
    assert all("RoCEv2 is UDP port 4791" in f.message for f in told)
