"""A port that says only by a misspelt name that it carries RoCE."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

HEAD = (
    "! Command: show running-config\nhostname leaf1\n!\nqos profile LOSSLESS\n   qos trust dscp\n   priority-flow-control on\n"
    "   priority-flow-control priority 3 no-drop\n   priority-flow-control pause watchdog\n!\nqos profile PLAIN\n   qos trust dscp\n!\n"
)
PORT = "interface Ethernet{}\n   description {}\n   mtu 9214\n   no switchport\n   service-profile {}\n!\n"


@pytest.mark.parametrize(("profile", "loud"), [("LOSLESS", "error"), ("PLAINS", "warning"), ("OTHER", "warning")])
def test_how_loud_a_name_is_that_nothing_defines(tmp_path: Path, profile: str, loud: str) -> None:
    ports = [("1/1", "gpu a", "LOSSLESS"), ("2/1", "gpu b", "LOSSLESS"), ("3/1", "x", profile), ("4/1", "y", "PLAIN")]
    (tmp_path / "leaf1.cfg").write_text(HEAD + "".join(PORT.format(*port) for port in ports) + "end\n")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [f.severity for f in found if f.rule == "input/undefined-or-unapplied"] == [loud]
