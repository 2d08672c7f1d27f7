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


ONYX = """##
## Running database "initial"
## Hostname: leaf1
##
no cli default prefix-modes enable
   hostname leaf1
   traffic pool roce type lossless
   traffic pool roce map switch-priority 3
   dcb priority-flow-control enable force
   dcb priority-flow-control priority 3 enable
   interface ethernet 1/1-1/8 dcb priority-flow-control mode on force
   interface ethernet 1/1-1/6 {0}
   interface ethernet 1/7-1/8 qos trust L3
cli default prefix-modes enable
"""


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("switchport access vlan 10", True),
        ("switchport access vlan 10\n   interface ethernet 1/1-1/6 qos trust L3", False),
        ("switchport access vlan 10\n   interface ethernet 1/1-1/6 qos trust L2", False),
        ("switchport mode trunk", False),
    ],
)
def test_ports_that_lines_forgot_do_not_outvote_those_that_trust_code_points(
    tmp_path: Path, lines: str, told: bool
) -> None:
    """Six of eight ports trust the tag for want of a line, or by one, or because tags come to them."""
    (tmp_path / "leaf1.cfg").write_text(ONYX.format(lines))
    request = Request((str(tmp_path),), Policy.empty(), select=("marking/class-broken-in-box",), context=())
    found = check(request).report.findings
    assert [len(one.members) for one in found if one.severity == "error"] == [6] * told


HOST = "   switchport mode trunk\n   qos trust dscp\n   service-policy type qos input IN\n"
POLICY = (
    "class-map type qos match-any ROCE\n   match dscp 26\n!\npolicy-map type quality-of-service IN\n   class ROCE\n"
    "      set traffic-class 3\n   !\n   class class-default\n      set traffic-class 1\n!\n"
)


@pytest.mark.parametrize("peers", [1, 4])
def test_what_the_switch_maps_by_itself_on_a_peer_link_is_not_the_class_of_its_hosts(
    tmp_path: Path, peers: int
) -> None:
    """One host port singles DSCP 26 out; the ports without a line, however many, do not speak of the class."""
    hosts = PORT.format(1, "gpu", HOST, "")
    others = "".join(
        PORT.format(n, "leaf2 ", "   switchport mode trunk\n   qos trust dscp\n", "") for n in range(2, 2 + peers)
    )
    (tmp_path / "leaf1.cfg").write_text(
        f"{HEAD.replace('qos map dscp 26 to traffic-class 3', POLICY)}{hosts}{others}end\n"
    )
    rule = "marking/class-broken-in-box"
    assert len(check(Request((str(tmp_path),), Policy.empty(), select=(rule,), context=())).report.findings) == 0
