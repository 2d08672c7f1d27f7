"""What people paste of a terminal in which something was changed: what was shown before it holds no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_pasted_reports import NEXUS, QOS, told

PFC = "enabled     0   0   0   1   0   0   0   0"
SWITCH = """admin@leaf1:~$ sudo config interface pfc priority Ethernet0 3 off
admin@leaf1:~$ show pfc priority

Interface    Lossless priorities
-----------  ---------------------
Ethernet0    4
Ethernet4    3,4
Ethernet8    3,4
"""
STOPPED = """admin@leaf1:~$ sudo pfcwd stop
admin@leaf1:~$ pfcwd show stats
       QUEUE    STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP    TX LAST OK/DROP    RX LAST OK/DROP
------------  --------  -------------------------  ------------  ------------  -----------------  -----------------
Ethernet36:4       N/A                        1/1       100/100         0/100            100/100              0/100
Ethernet96:4       N/A                        5/5       200/400       100/300              100/0              100/0
"""


@pytest.mark.parametrize(("before", "after", "is_told"), [("0", "1", False), ("1", "0", True)])
def test_what_a_tool_shows_after_it_set_something_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], before: str, after: str, is_told: bool
) -> None:
    first, second = (QOS.replace(PFC, PFC.replace("1", digit)) for digit in (before, after))
    second = second.partition("\n")[2].partition("\n")[2].replace("-i ens1", f"-i ens1 --pfc 0,0,0,{after},0,0,0,0")
    text = first + second + "root@gpu1:~# cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class\nGlobal tclass=106\n"
    found = told(tmp_path, capsys, gpu1=text)
    assert "input/conflict" not in found
    line = PFC.replace("1", "0")
    assert found.get("pfc/no-lossless-class-anywhere") == (("warning", line) if is_told else None)


def test_a_filtered_answer_is_of_the_device_that_its_command_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = QOS + "root@gpu1:~# ibv_devinfo -d mlx5_0 | grep mtu\n active_mtu: 4096 (5)\n"
    other = text.replace("gpu1", "gpu2").replace("4096 (5)", "1024 (3)")
    found = told(tmp_path, capsys, gpu1=text, gpu2=other)
    assert found["mtu/uneven-rdma-mtu"][1] == "active_mtu: 1024 (3)"


def test_a_priority_that_was_turned_off_is_what_is_shown_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(tmp_path, capsys, leaf1=SWITCH)
    assert found["pfc/priority-off"] == ("error", "Ethernet0    4")
    assert "pfc/operational-extra" not in found


def test_a_watchdog_that_was_stopped_has_no_state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind, line = told(tmp_path, capsys, leaf1=STOPPED)["input/conflict"]
    assert (kind, line.split()[0]) == ("warning", "Ethernet36:4")
    assert "input/conflict" not in told(tmp_path, capsys, leaf1=STOPPED.replace(" N/A ", " operational "))


@pytest.mark.parametrize(
    ("applied", "is_told"), [("", True), ("  service-policy type queuing output ROCE-OUT\n", False)]
)
def test_a_part_that_shows_where_policies_are_applied_shows_which_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], applied: str, is_told: bool
) -> None:
    queuing = "policy-map type queuing ROCE-OUT\n  class type queuing c-out-8q-q3\n    bandwidth remaining percent 60\n"
    port = "interface Ethernet1/27\n  service-policy type qos input ROCE-IN\n"
    text = queuing + NEXUS.partition("\n")[2].replace("interface Ethernet1/27\n", port) + applied
    found = told(tmp_path, capsys, leaf1=text).get("input/undefined-or-unapplied")
    assert found == (("warning", "policy-map type queuing ROCE-OUT") if is_told else None)
