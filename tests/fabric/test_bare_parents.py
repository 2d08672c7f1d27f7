"""Ports that route by their subinterfaces alone, where no line says that a port is routed."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

PROFILE = (
    "hw-module profile priority-flow-control location 0/RP0/CPU0\n"
    " buffer-internal traffic-class 3 pause-threshold 1574400 bytes headroom 1651200 bytes\n!\n"
    "class-map match-any ROCE\n match dscp 26 \n end-class-map\n!\n"
    "policy-map IN\n class ROCE\n  set traffic-class 3\n !\n class class-default\n !\n end-policy-map\n!\n"
)
PORT = (
    "interface HundredGigE0/0/0/{n}\n mtu 9216\n service-policy input IN\n priority-flow-control mode on\n{parent}!\n"
)
BELOW = (
    "interface HundredGigE0/0/0/{n}.100\n{mtu} ipv4 address 10.0.{n}.0 255.255.255.254\n encapsulation dot1q 100\n!\n"
)


@pytest.mark.parametrize(
    ("parent", "mtu", "told"),
    [
        ("", " mtu 1518\n", True),
        ("", "", False),
        (" ipv4 address 10.9.0.0 255.255.255.254\n", " mtu 1518\n", False),
        (" l2transport\n !\n", " mtu 1518\n", False),
    ],
)
def test_a_small_subinterface_of_a_bare_port(tmp_path: Path, parent: str, mtu: str, told: bool) -> None:
    ports = "".join(PORT.format(n=n, parent=parent) + BELOW.format(n=n, mtu=mtu) for n in range(4))
    text = f"!! IOS XR Configuration 24.4.2\nhostname leaf1\n{PROFILE}{ports}end\n"
    (tmp_path / "leaf1.cfg").write_text(text)
    policy = Policy.empty()
    report = check(Request((str(tmp_path),), policy, select=("mtu/vlan-interface-below-roce",), context=())).report
    assert bool([one for one in report.findings if one.verdict == "fails"]) is told
