"""Switches that mark and do not pause, beside hosts that are told to pause: only one of the two can be meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, NicText, cables, host, switch, written

from roce_audit.audit import Request, check

PFC = "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n   !\n"
SCRIPT = (
    "#!/bin/bash\nfor d in ens1f0np0 ens2f0np0; do\n  mlnx_qos -i $d --trust dscp\n  mlnx_qos -i $d --pfc {}\ndone\n"
)
ON, OFF = "0,0,0,1,0,0,0,0", "0,0,0,0,0,0,0,0"
LOSSY = "lossless: false\n"


def told(folder: Path, *parts: dict[str, str], pfc: bool = False, policy: str = "") -> list[tuple[str, str, int]]:
    """Rule, severity and line of each finding about PFC but its watchdog."""
    leaf = switch(
        "leaf1", {f"Ethernet{n}/1": [f"description gpu{n} ens1f0np0", "mtu 9214", ROCE] for n in (1, 2, 3, 4)}
    )
    files = {name: text if pfc else text.replace(PFC, "") for name, text in leaf.items()}
    given = written(folder, files, *parts, policy=policy)
    found = check(Request((str(folder),), given)).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.topic == "pfc" and one.because_of is None]
    rows = [(one.rule, one.severity, one.locations[0].line) for one in failing]
    return [row for row in rows if "watchdog" not in row[0]]


@pytest.mark.parametrize("policy", ["", LOSSY], ids=["no policy", "meant to be lossy"])
def test_a_script_that_pauses_beside_switches_that_do_not(tmp_path: Path, policy: str) -> None:
    script = {"setup.sh": SCRIPT.format(ON)}
    assert told(tmp_path, script, policy=policy) == [("pfc/setup-off-class", "warning", 4)]


@pytest.mark.parametrize(("pfc", "priorities"), [(True, ON), (False, OFF)], ids=["both pause", "neither does"])
def test_a_script_that_fits_its_switches(tmp_path: Path, pfc: bool, priorities: str) -> None:
    assert told(tmp_path, {"setup.sh": SCRIPT.format(priorities)}, pfc=pfc) == []


def test_a_script_beside_part_of_a_switch_is_not_judged(tmp_path: Path) -> None:
    part = {"leaf1.cfg": f"interface Ethernet1/1\n   description gpu1 roce\n   {ROCE}\n"}
    assert told(tmp_path, part, {"setup.sh": SCRIPT.format(ON)}) == []


@pytest.mark.parametrize(("pfc", "told_of"), [((3,), [("pfc/extra-priority", "warning", 17)]), ((), [])])
def test_a_nic_that_pauses_in_a_fabric_that_is_meant_to_be_lossy(
    tmp_path: Path, pfc: tuple[int, ...], told_of: list[tuple[str, str, int]]
) -> None:
    hosts = [host(f"gpu{n}", NicText("ens1f0np0", "mlx5_0", pfc=pfc, trust="dscp")) for n in (1, 2, 3, 4)]
    wires = cables(*(f"leaf1:Ethernet{n}/1 gpu{n}:ens1f0np0" for n in (1, 2, 3, 4)))
    assert told(tmp_path, *hosts, wires, policy=LOSSY) == told_of


CLASSES = "classes:\n  - {{name: a, dscp: [26], priority: 3}}\n  - {{name: b, dscp: [34], priority: 4, lossless: {}}}\n"
BOTH = "   priority-flow-control priority 3 no-drop\n   priority-flow-control priority 4 no-drop\n"


@pytest.mark.parametrize(("lossless", "severities"), [("false", ["warning"]), ("true", [])])
def test_pause_for_a_class_that_the_policy_calls_lossy(tmp_path: Path, lossless: str, severities: list[str]) -> None:
    ports = {f"Ethernet{n}/1": [f"description gpu{n} ens1f0np0", "mtu 9214", ROCE] for n in (1, 2, 3, 4)}
    leaf = switch("leaf1", ports, "qos map dscp 34 to traffic-class 4\n")
    both = {name: text.replace(PFC, f"   priority-flow-control on\n{BOTH}   !\n") for name, text in leaf.items()}
    found = told(tmp_path, both, policy=CLASSES.format(lossless))
    assert [severity for rule, severity, _ in found if rule == "pfc/extra-priority"] == severities
