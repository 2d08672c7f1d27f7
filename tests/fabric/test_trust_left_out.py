"""A map of code points beside switched ports that trust the tag because no line says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

HEAD = "! Command: show running-config\nhostname leaf1\n!\nqos map dscp 26 to traffic-class 3\n!\n"
PORT = (
    "interface Ethernet{0}\n   description {1}{0}\n{2}   mtu 9214\n{3}"
    "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"
)


@pytest.mark.parametrize(
    ("trust", "told"),
    [("", {"Ethernet3 and 2 more"}), ("   qos trust dscp\n", set()), ("   qos trust cos\n", set())],
)
def test_what_lines_single_out_is_the_class(tmp_path: Path, trust: str, told: set[str]) -> None:
    """Two ports are routed and trust DSCP by themselves; three are switched."""
    routed = "".join(PORT.format(n, "spine", "   no switchport\n", "") for n in (1, 2))
    switched = "".join(PORT.format(n, "gpu", "   switchport access vlan 10\n", trust) for n in (3, 4, 5))
    (tmp_path / "leaf1.cfg").write_text(f"{HEAD}{routed}{switched}end\n")
    report = check(
        Request((str(tmp_path),), Policy.empty(), select=("marking/class-broken-in-box",), context=())
    ).report
    assert {f.subject for f in report.findings if f.severity == "error"} == told
