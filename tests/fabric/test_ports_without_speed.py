"""Shapers and classifiers on ports whose speed no line says, and ports of which an access list says what is RoCE."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

HEAD = "! Command: show running-config\nhostname leaf1\n!\nip access-list ROCE\n   10 permit udp any any eq 4791\n!\n"
POLICY = (
    "class-map type qos match-any ROCE\n   match ip access-group ROCE\n!\npolicy-map type quality-of-service IN\n"
    "   class ROCE\n      set traffic-class 3\n   !\n   class class-default\n      set traffic-class 1\n!\n"
)
PORT = (
    "interface Ethernet{n}\n   description trainer{n} nic0\n   mtu 9214\n   no switchport\n   service-policy type qos input IN\n{pfc}"
    "   tx-queue 3\n      random-detect ecn minimum-threshold 1 mbytes maximum-threshold 5 mbytes\n{shaper}!\n"
)
ON = "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
OFF = "   no priority-flow-control\n   priority-flow-control priority 3 no-drop\n"


def subjects(folder: Path, rule: str, ports: str) -> list[tuple[str, str]]:
    """Verdict and subject of what a rule says."""
    (folder / "leaf1.cfg").write_text(f"{HEAD}{POLICY}{ports}end\n")
    report = check(Request((str(folder),), Policy.empty(), select=(rule,), context=())).report
    return [(finding.verdict, finding.subject) for finding in report.findings]


@pytest.mark.parametrize(("rate", "verdicts"), [("1 gbps", ["fails"]), ("40 gbps", ["unknown"])])
def test_a_shaper_slower_than_any_port_of_roce_needs_no_speed(tmp_path: Path, rate: str, verdicts: list[str]) -> None:
    ports = "".join(PORT.format(n=n, pfc=ON, shaper=f"      shape rate {rate}\n") for n in range(1, 5))
    assert [verdict for verdict, _ in subjects(tmp_path, "ets/shaper-on-lossless", ports)] == verdicts


def test_the_queue_of_an_access_list_is_not_that_of_unmarked_packets(tmp_path: Path) -> None:
    """PFC that is off on one of the ports whose queue for RoCE marks."""
    ports = "".join(PORT.format(n=n, pfc=OFF if n == 3 else ON, shaper="") for n in range(1, 6))
    assert subjects(tmp_path, "pfc/priority-off", ports) == [("fails", "Ethernet3")]
