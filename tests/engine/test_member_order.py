"""Ports that one line concerns are named in the order of their numbers."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy import load_text


def test_port_two_comes_before_port_ten(tmp_path: Path) -> None:
    text = (
        "hostname tor1\npolicy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
        "system qos\n  service-policy type network-qos NQ\n"
        "interface Ethernet1/1-12\n  priority-flow-control mode on\n  mtu 1500\n  no shutdown\n"
    )
    (tmp_path / "tor1.cfg").write_text(text)
    report = check(Request((str(tmp_path),), load_text("mtu: {roce: 4096}\n", "roce-audit.yaml"))).report
    (finding,) = [one for one in report.findings if one.rule == "mtu/below-roce" and one.verdict == "fails"]
    assert [member.subject for member in finding.members] == [f"Ethernet1/{n}" for n in range(1, 13)]
