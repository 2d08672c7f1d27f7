"""A port with a value of its own is not odd where the others have only a default that no document states."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

HEAD = """!Command: show running-config
version 10.3(4a)
hostname leaf1
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    pause pfc-cos 3
system qos
  service-policy type network-qos NQ
"""
PORT = "interface Ethernet1/{}\n  no switchport\n  priority-flow-control mode on\n  no shutdown\n"
QUEUING = """Egress Queuing for Ethernet1/1 [System]
------------------------------------------------------------------------------
Ingress Queuing for Ethernet1/1
-----------------------------------------------------
QoS-Group#                 Pause
           Buff Size       Pause Th      Resume Th
-----------------------------------------------------
      3        1049984         311104        124384
"""


def test_the_one_port_whose_thresholds_were_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "show_running-config.txt").write_text(HEAD + "".join(PORT.format(number) for number in range(1, 9)))
    (folder / "show_queuing_interface_ethernet_1-1.txt").write_text(QUEUING)
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert report.coverage.ports_roce["yes"] == 8
    assert not [one.message for one in report.findings if one.rule == "fleet/odd-port-out"]
