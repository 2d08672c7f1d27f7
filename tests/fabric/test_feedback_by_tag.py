"""CNPs at ports that believe the tag alone: of a CNP class that is known by its DSCP, its priority says where it goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import written

from roce_audit.audit import Request, check

_CLASSES = """\
set version 22.4R3
set system host-name leaf1
set class-of-service classifiers ieee-802.1 TAGS forwarding-class rdma loss-priority low code-points 011
set class-of-service classifiers ieee-802.1 TAGS forwarding-class feedback loss-priority low code-points 110
set class-of-service classifiers dscp MARKS forwarding-class rdma loss-priority low code-points 011000
set class-of-service classifiers dscp MARKS forwarding-class feedback loss-priority low code-points 110000
set class-of-service forwarding-classes class rest queue-num 0
set class-of-service forwarding-classes class rdma queue-num 3
set class-of-service forwarding-classes class rdma no-loss
set class-of-service forwarding-classes class rdma pfc-priority 3
set class-of-service forwarding-classes class feedback queue-num 6
set class-of-service congestion-notification-profile TAGGED input ieee-802.1 code-point 011 pfc
set class-of-service congestion-notification-profile ROUTED input dscp code-point 011000 pfc
set class-of-service scheduler-maps OUT forwarding-class rdma scheduler S-RDMA
set class-of-service scheduler-maps OUT forwarding-class feedback scheduler S-FEEDBACK
set class-of-service scheduler-maps OUT forwarding-class rest scheduler S-REST
set class-of-service schedulers S-REST transmit-rate percent 30
set class-of-service schedulers S-RDMA transmit-rate percent 60
set class-of-service schedulers S-FEEDBACK priority strict-high
"""
_TAGGED = """\
set interfaces xe-0/0/{0} unit 0 family ethernet-switching interface-mode trunk
set class-of-service interfaces xe-0/0/{0} congestion-notification-profile TAGGED
set class-of-service interfaces xe-0/0/{0} scheduler-map OUT
set class-of-service interfaces xe-0/0/{0} unit 0 classifiers ieee-802.1 TAGS
"""
_ROUTED = """\
set interfaces et-0/0/50 unit 0 family inet address 192.0.2.0/31
set class-of-service interfaces et-0/0/50 congestion-notification-profile ROUTED
set class-of-service interfaces et-0/0/50 scheduler-map OUT
set class-of-service interfaces et-0/0/50 unit 0 classifiers dscp MARKS
"""


@pytest.mark.parametrize(("priority", "told"), [("", False), (", priority: 6", False), (", priority: 0", True)])
def test_the_priority_of_cnps_is_their_tag(tmp_path: Path, priority: str, told: bool) -> None:
    text = _CLASSES + "".join(_TAGGED.format(n) for n in range(1, 4)) + _ROUTED
    policy = f"cnp: {{dscp: [48]{priority}}}\n" if priority else ""
    given = written(tmp_path, {"leaf1.set": text}, policy=policy)
    found = check(Request((str(tmp_path),), given)).report.findings
    assert any(one.rule == "cnp/in-data-class" and one.verdict == "fails" for one in found) is told
