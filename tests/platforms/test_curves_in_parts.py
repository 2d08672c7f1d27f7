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


def told(folder: Path, text: str) -> list[str]:
    (folder / "part.cfg").write_text(text, encoding="utf-8")
    found = check(Request((str(folder / "part.cfg"),), Policy.empty())).report.findings
    return [
        one.rule
        for one in found
        if one.verdict == "fails" and one.severity in ("error", "warning") and not one.because_of
    ]


@pytest.mark.parametrize(
    ("text", "line"), [(COMWARE, " qos wred queue 5 ecn\n"), (ESONIC, " ecn green\n")], ids=["comware", "esonic"]
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
