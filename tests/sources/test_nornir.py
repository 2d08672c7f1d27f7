"""What a program of nornir printed: the answers of each host are told apart, and those of no known command are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

CONFIGURATION = """! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)
hostname leaf1
interface Ethernet1/1
   priority-flow-control on
   priority-flow-control priority 3 no-drop
end
"""
TABLE = "Port    Status Priorities Action\nEt1/1   D\n"
TITLE = "netmiko_multiple************************************************************\n"
HOST = "* {} ** changed : False ***********************************************\n"
TASK = "vvvv {} ** changed : False vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv INFO\n"
END = "^^^^ END netmiko_multiple ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"


@pytest.mark.parametrize(
    ("task", "off", "told"), [("show priority-flow-control", True, False), ("netmiko_send_command", False, True)]
)
def test_each_task_is_an_answer(tmp_path: Path, task: str, off: bool, told: bool) -> None:
    first = HOST.format("leaf1") + TASK.format("netmiko_send_command") + CONFIGURATION + TASK.format(task) + TABLE + END
    (tmp_path / "out.txt").write_text(TITLE + first)
    checked = check(Request((str(tmp_path),), Policy.empty()))
    (device,) = checked.devices
    assert device.name == "leaf1"
    (port,) = device.ports
    operational = port.facts.pfc.get().operational
    assert (operational.is_known and operational.get() == frozenset()) is off
    assert bool(checked.report.coverage.unrecognised) is told
    assert not [f for f in checked.report.findings if f.rule == "input/truncated" and f.verdict == "fails"]


def test_hosts_are_told_apart(tmp_path: Path) -> None:
    blocks = [
        HOST.format(name) + TASK.format("show run") + CONFIGURATION.replace("leaf1", name) + END
        for name in ("leaf1", "leaf2")
    ]
    (tmp_path / "out.txt").write_text(TITLE + "".join(blocks))
    assert {device.name for device in check(Request((str(tmp_path),), Policy.empty())).devices} == {"leaf1", "leaf2"}
