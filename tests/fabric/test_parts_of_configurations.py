"""What parts of configurations are told though nobody sees the rest: two numbers of one part that do not fit each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import Network

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

COMWARE = """\
interface FourHundredGigE1/0/17
 priority-flow-control enable
 priority-flow-control no-drop dot1p 5
 priority-flow-control dot1p {room} headroom 9000
 qos trust dscp
 qos wred queue {queue} low-limit 4000 high-limit 8000 discard-probability 20
 qos wred queue {queue} ecn
"""
AOSCX = """\
qos pool 1 lossless size 50.00 percent headroom 8000 kbytes priorities {room}
interface 1/1/1
    no shutdown
    qos trust dscp
    flow-control priority rxtx 3
"""
ESONIC = """\
qos map dscp-tc ROCE
 dscp 26 traffic-class 3
!
qos map tc-queue ROCE
 traffic-class 3 queue {queue}
!
qos map tc-pg ROCE
 traffic-class 3 priority-group 3
!
qos map pfc-priority-queue ROCE
 pfc-priority 3 queue 3
!
interface Eth1/1
 mtu 9100
 qos-map dscp-tc ROCE
 qos-map tc-queue ROCE
 qos-map tc-pg ROCE
 qos-map pfc-priority-queue ROCE
 priority-flow-control priority 3
"""
CUMULUS = """\
traffic.packet_priority_source_set = [dscp]
traffic.cos_0.priority_source.dscp = [0,1,2,3,4,5,6,7,8]
traffic.cos_3.priority_source.dscp = [26]
pfc.port_group_list = [roce]
pfc.roce.port_set = swp1-swp8
pfc.roce.cos_list = [3]
pfc.roce.tx_enable = true
pfc.roce.rx_enable = true
ecn_red.port_group_list = [marks]
ecn_red.marks.port_set = allports
ecn_red.marks.egress_queue_list = [{queue}]
ecn_red.marks.ecn_enable = true
ecn_red.marks.min_threshold_bytes = 150000
ecn_red.marks.max_threshold_bytes = 1500000
ecn_red.marks.probability = 100
"""


@pytest.mark.parametrize(
    ("file", "text", "good", "bad", "rule"),
    [
        ("part.cfg", COMWARE, {"room": 5, "queue": 5}, {"room": 6}, "buffer/room-for-other-priority"),
        ("part.cfg", COMWARE, {"room": 5, "queue": 5}, {"queue": 6}, "ecn/marks-other-queue"),
        ("part.cfg", AOSCX, {"room": 3}, {"room": 4}, "buffer/room-for-other-priority"),
        ("part.txt", ESONIC, {"queue": 3}, {"queue": 4}, "marking/class-broken-in-box"),
        ("qos_features.conf", CUMULUS, {"queue": 3}, {"queue": 4}, "ecn/off-on-lossless-queue"),
    ],
)
def test_two_numbers_of_one_part_that_do_not_fit(
    tmp_path: Path, file: str, text: str, good: dict[str, int], bad: dict[str, int], rule: str
) -> None:
    def told(numbers: dict[str, int]) -> set[str]:
        Network(tmp_path, {file: text.format(**numbers)})
        found = check(Request((str(tmp_path),), Policy.empty())).report.findings
        return {one.rule for one in found if one.verdict == "fails" and one.severity != "info"}

    assert told(good) == set()
    assert rule in told({**good, **bad})
