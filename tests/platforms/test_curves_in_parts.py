"""A part of a configuration that sets PFC up and gives a curve its thresholds shows whether the curve marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

COMWARE = """interface FourHundredGigE1/0/1
 priority-flow-control enable
 priority-flow-control no-drop dot1p 5
 priority-flow-control dot1p 5 headroom 8000
 qos wred queue 5 low-limit 4000 high-limit 8000 discard-probability 20
 qos wred queue 5 ecn
#
interface FourHundredGigE1/0/2
 priority-flow-control enable
 priority-flow-control no-drop dot1p 5
 priority-flow-control dot1p 5 headroom 8000
 qos wred queue 5 low-limit 4000 high-limit 8000 discard-probability 20
 qos wred queue 5 ecn
#
"""
ESONIC = """qos wred-policy LOSSLESS
 green minimum-threshold 1000 maximum-threshold 9000 drop-probability 15
 ecn green
!
qos map pfc-priority-queue LOSSLESS
 pfc-priority 3 queue 3
!
interface Eth1/1
 queue 3 wred-policy LOSSLESS
 qos-map pfc-priority-queue LOSSLESS
 priority-flow-control priority 3
!
"""
JUNOS = """set class-of-service forwarding-classes class rdma queue-num 3 no-loss pfc-priority 3
set class-of-service congestion-notification-profile PFC input dscp code-point 011010 pfc
set class-of-service classifiers dscp D forwarding-class rdma loss-priority low code-points 011010
set class-of-service drop-profiles ECN interpolate fill-level [ 10 50 ] drop-probability [ 0 100 ]
set class-of-service schedulers RDMA drop-profile-map loss-priority any protocol any drop-profile ECN
set class-of-service schedulers RDMA explicit-congestion-notification
set class-of-service schedulers REST transmit-rate percent 40
set class-of-service scheduler-maps SM forwarding-class rdma scheduler RDMA
set class-of-service scheduler-maps SM forwarding-class best-effort scheduler REST
set class-of-service interfaces et-0/0/1 congestion-notification-profile PFC
set class-of-service interfaces et-0/0/1 scheduler-map SM
set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp D
"""
"""Where the queue of best effort stands elsewhere, it is none that a class of this part has."""


def told(folder: Path, text: str) -> list[str]:
    (folder / "part.cfg").write_text(text, encoding="utf-8")
    found = check(Request((str(folder / "part.cfg"),), Policy.empty())).report.findings
    return [
        one.rule
        for one in found
        if one.verdict == "fails" and one.severity in ("error", "warning") and not one.because_of
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (COMWARE, " qos wred queue 5 ecn\n"),
        (ESONIC, " ecn green\n"),
        (JUNOS, "set class-of-service schedulers RDMA explicit-congestion-notification\n"),
    ],
    ids=["comware", "esonic", "junos"],
)
def test_a_curve_without_the_line_that_makes_it_mark(tmp_path: Path, text: str, line: str) -> None:
    assert told(tmp_path, text) == []
    assert told(tmp_path, text.replace(line, "", 1)) == ["ecn/wred-drops-lossless"]


def test_thresholds_alone_say_nothing_of_it(tmp_path: Path) -> None:
    assert told(tmp_path, "interface FourHundredGigE1/0/1\n qos wred queue 5 low-limit 4000 high-limit 8000\n") == []


@pytest.mark.parametrize("cells", [9, 20])
def test_a_headroom_that_lost_its_digits(tmp_path: Path, cells: int) -> None:
    assert told(tmp_path, COMWARE.replace("headroom 8000", f"headroom {cells}", 1)) == ["input/conflict"]
    assert told(tmp_path, COMWARE.replace("headroom 8000", "headroom 800", 1)) == []


VRP = "".join(
    f"interface 25GE1/0/{n}\n dcb pfc enable mode manual\n dcb pfc buffer 3 xoff static 1500 cells\n#\n" for n in (1, 2)
)


def test_thresholds_of_pfc_on_a_port_that_does_not_turn_it_on(tmp_path: Path) -> None:
    part = f"dcb pfc\n priority 3\n#\n{VRP}"
    assert told(tmp_path, part) == []
    assert told(tmp_path, part.replace(" dcb pfc enable mode manual\n", "", 1)) == ["input/conflict"]
