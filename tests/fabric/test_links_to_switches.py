"""Links to two switches of one kind are made alike, be the speed of one of them written and that of the other not."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

QOS = "   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
PORT = (
    "interface Ethernet{0}\n   description {1}\n   mtu 9214\n{2}   no switchport\n   ip address 10.0.{0}.1/31\n{3}!\n"
)


@pytest.mark.parametrize(
    ("label", "speed", "found"),
    [
        ("spine2:Et7", "", ["error"]),
        ("spine2:Et7", "   speed forced 100gfull\n", ["error"]),
        ("firewall2:Et7", "", []),
    ],
)
def test_the_link_to_the_second_spine_left_out(tmp_path: Path, label: str, speed: str, found: list[str]) -> None:
    ports = [("1", "spine1:Et7", "", QOS), ("2", label, speed, ""), ("3", "gpu1", "", QOS), ("4", "gpu2", "", QOS)]
    text = (
        "! Command: show running-config\nhostname leaf1\n!\n" + "".join(PORT.format(*port) for port in ports) + "end\n"
    )
    (tmp_path / "leaf1.cfg").write_text(text)
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert [f.severity for f in report.findings if f.rule == "pfc/priority-off"] == found
