"""A part in which one port trusts the tag, and others that pause the same trust DSCP."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

HEAD = "qos map dscp 26 to traffic-class 3\n!\n"
PORT = "interface Ethernet{0}\n   mtu 9214\n   {1}\n{2}   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"
DSCP, TAG = "   qos trust dscp\n", "   qos trust cos\n"


def told(folder: Path, kind: str, trust: str, more: str = "") -> list[tuple[str, str, int]]:
    ports = [(1, kind, DSCP), (2, kind, trust), (3, kind, DSCP)]
    (folder / "leaf1.txt").write_text(HEAD + "".join(PORT.format(*one) for one in ports) + more)
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [
        (one.rule, one.severity, one.locations[0].line)
        for one in found
        if one.verdict == "fails" and one.severity != "info" and one.rule != "pfc/watchdog-off"
    ]


@pytest.mark.parametrize(
    ("kind", "trust", "more", "expected"),
    [
        ("no switchport", TAG, "", [("marking/map-without-trust", "error", 13)]),
        ("switchport access vlan 20", TAG, "", [("marking/map-without-trust", "error", 13)]),
        ("no switchport", f"{TAG}   qos cos 3\n", "", []),
        ("switchport mode trunk", TAG, "", []),
        ("no switchport", TAG, "interface Ethernet2.100\n   encapsulation dot1q vlan 100\n!\n", []),
        ("no switchport", DSCP, "", []),
        ("switchport access vlan 20", "", "", [("fleet/device-left-out", "warning", 10)]),
        ("switchport mode trunk", "", "", []),
        ("no switchport", "", "", []),  # a routed port trusts DSCP by itself
    ],
)
def test_one_port_that_trusts_the_tag(
    tmp_path: Path, kind: str, trust: str, more: str, expected: list[tuple[str, str, int]]
) -> None:
    assert told(tmp_path, kind, trust, more) == expected
