"""A code point that a line leads away from the priority that PFC pauses: the likeliest slip on a switch, and nothing else tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load
from roce_audit.policy.values import Policy

RULE = "marking/taken-out-of-lossless"


def eos(*maps: str, trust: str = "dscp") -> str:
    profile = f"qos profile ROCE\n   qos trust {trust}\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    ports = "".join(f"interface Ethernet{n}/1\n   mtu 9214\n   service-profile ROCE\n!\n" for n in range(1, 5))
    return "\n".join(("hostname leaf1", *maps, f"{profile}!\n{ports}end\n"))


def told(folder: Path, text: str, policy: str = "") -> list[Finding]:
    (folder / "leaf1.cfg").write_text(text, encoding="utf-8")
    (folder / "roce-audit.yaml").write_text(policy, encoding="utf-8")
    held = load(folder / "roce-audit.yaml") if policy else Policy.empty()
    found = check(Request((str(folder / "leaf1.cfg"),), held)).report.findings
    return [one for one in found if one.rule == RULE and one.verdict == "fails"]


@pytest.mark.parametrize(
    ("maps", "severity"),
    [
        (("qos map dscp 26 to traffic-class 4",), "error"),
        (("qos map dscp 26 to traffic-class 4", "qos map dscp 48 to traffic-class 6"), "error"),
        (("qos map dscp 26 to traffic-class 0",), "error"),
        (("qos map dscp 30 to traffic-class 5",), "warning"),
    ],
)
def test_a_code_point_of_the_paused_block_that_is_led_elsewhere_is_told(
    tmp_path: Path, maps: tuple[str, ...], severity: str
) -> None:
    (found,) = told(tmp_path, eos(*maps))
    assert found.severity == severity
    assert found.locations[0].line == 2


@pytest.mark.parametrize(
    "maps",
    [
        (),
        ("qos map dscp 26 to traffic-class 3",),
        ("qos map dscp 46 to traffic-class 5",),
        ("qos map dscp 26 to traffic-class 4", "qos map dscp 24 to traffic-class 3"),
        ("qos map dscp 10 18 26 34 36 38 to traffic-class 4",),
    ],
)
def test_maps_that_leave_the_paused_block_alone_or_name_another_code_point_for_it(
    tmp_path: Path, maps: tuple[str, ...]
) -> None:
    assert told(tmp_path, eos(*maps)) == []


@pytest.mark.parametrize("marking", [(3,), (), (3, 4), (4,), (5,)])
def test_the_usual_code_point_in_what_nothing_pauses_is_lost_whatever_ecn_marks(
    tmp_path: Path, marking: tuple[int, ...]
) -> None:
    curve = (
        "random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 20 weight 0"
    )
    queues = "".join(f"   uc-tx-queue {number}\n      {curve}\n" for number in marking)
    text = eos("qos map dscp 26 to traffic-class 3").replace("priority 3 no-drop\n", f"priority 4 no-drop\n{queues}")
    (found,) = told(tmp_path, text)
    assert found.severity == "error"


@pytest.mark.parametrize(
    ("line", "severities"),
    [
        ("ip-dscp-inbound 26 phb af3 green", ["error"]),
        ("ip-dscp-inbound 26 phb be green", ["error"]),
        ("ip-dscp-inbound 26 phb af4 green", []),
        ("ip-dscp-inbound 24 phb af3 green", []),
    ],
)
def test_the_usual_code_point_is_led_elsewhere_than_to_what_another_number_pauses(
    tmp_path: Path, line: str, severities: list[str]
) -> None:
    port = " trust dscp\n trust upstream rdma\n dcb pfc enable mode manual\n"
    ports = "".join(f"#\ninterface 100GE1/0/{n}\n undo portswitch\n{port}" for n in range(1, 5))
    text = (
        "!Software Version V300R023C00SPC500\n#\nsysname leaf1\n#\ndcb pfc\n priority 4\n undo priority 3\n#\n"
        "dcb pfc dscp-mapping enable slot 1\n#\nqos buffer headroom-pool size 8 mbytes slot 1\n#\n"
        f"diffserv domain rdma\n {line}\n{ports}#\nreturn\n"
    )
    assert [one.severity for one in told(tmp_path, text)] == severities


def test_a_policy_that_names_the_code_point_of_roce_decides(tmp_path: Path) -> None:
    text = eos("qos map dscp 26 to traffic-class 4")
    assert told(tmp_path, text, "roce: {dscp: [24], priority: [3]}\n") == []


def test_a_port_that_believes_the_tag_alone_is_not_asked(tmp_path: Path) -> None:
    assert told(tmp_path, eos("qos map dscp 26 to traffic-class 4", trust="cos")) == []


def test_the_same_on_cumulus(tmp_path: Path) -> None:
    lines = (
        "nv set system hostname leaf1",
        "nv set qos mapping default-global trust l3",
        "nv set qos mapping default-global dscp 26 switch-priority 4",
        "nv set qos pfc default-global switch-priority 3",
        "nv set interface swp1-8 link mtu 9216",
    )
    (found,) = told(tmp_path, "".join(f"{line}\n" for line in lines))
    assert found.locations[0].line == 3


BESIDE = "marking/code-point-beside-usual"


@pytest.mark.parametrize(
    ("maps", "policy", "told_of"),
    [
        (("qos map dscp 27 to traffic-class 3",), "", True),
        (("qos map dscp 25 to traffic-class 3",), "", True),
        (("qos map dscp 26 to traffic-class 3",), "", False),
        (("qos map dscp 26 27 to traffic-class 3",), "", False),
        (("qos map dscp 59 to traffic-class 3",), "", False),
        (("qos map dscp 27 to traffic-class 3",), "roce: {dscp: [27], priority: [3]}\n", False),
    ],
)
def test_the_number_beside_the_usual_one_is_told_unless_somebody_says_it_is_meant(
    tmp_path: Path, maps: tuple[str, ...], policy: str, told_of: bool
) -> None:
    (tmp_path / "leaf1.cfg").write_text(eos(*maps), encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(policy, encoding="utf-8")
    held = load(tmp_path / "roce-audit.yaml") if policy else Policy.empty()
    found = check(Request((str(tmp_path / "leaf1.cfg"),), held)).report.findings
    assert [one.severity for one in found if one.rule == BESIDE and one.verdict == "fails"] == ["warning"] * told_of


@pytest.mark.parametrize(
    ("group", "priority", "severity"), [(3, 3, None), (3, 4, "error"), (0, 3, "error"), (4, 4, None)]
)
def test_where_code_points_of_cnps_end_makes_no_doubt(
    tmp_path: Path, group: int, priority: int, severity: str | None
) -> None:
    """Part of a configuration, in which the group of the class of CNPs is not to be seen."""
    maps = "qos map dscp-tc R\n dscp 26 traffic-class 3\n dscp 48 traffic-class 6\n!\n"
    groups = f"qos map tc-pg R\n traffic-class 3 priority-group {group}\n!\n"
    groups += "qos map pfc-priority-queue R\n pfc-priority 3 queue 3\n!\n"
    bound = "".join(f" qos-map {kind} R\n" for kind in ("dscp-tc", "tc-pg", "pfc-priority-queue"))
    port = f"interface Eth1/1\n{bound} priority-flow-control priority {priority}\n!\n"
    assert [found.severity for found in told(tmp_path, maps + groups + port)] == ([severity] if severity else [])


@pytest.mark.parametrize(("out", "is_told"), [((26,), True), ((26, 28), False), ((28,), False), ((), False)])
def test_lines_lead_all_of_its_block_to_what_is_paused_but_the_usual_code_point(
    tmp_path: Path, out: tuple[int, ...], is_told: bool
) -> None:
    others = " ".join(str(mark) for mark in (*range(16, 24), *out))
    block = " ".join(str(mark) for mark in range(24, 32) if mark not in out)
    found = told(tmp_path, eos(f"qos map dscp {others} to traffic-class 2", f"qos map dscp {block} to traffic-class 3"))
    assert [(one.severity, one.locations[0].line) for one in found] == [("error", 2)] * is_told
    assert all("the others of its block of eight are led" in one.message for one in found)


VRP = """sysname leaf1
diffserv domain roce
 ip-dscp-inbound 26 phb af3 green
dcb pfc
 priority 4
{undo}interface 25GE1/0/1
 trust upstream roce
 trust dscp
 dcb pfc enable mode manual
"""


@pytest.mark.parametrize(("undo", "lines"), [(" undo priority 3\n", [3]), ("", [])])
def test_by_queues_where_nobody_documents_the_groups(tmp_path: Path, undo: str, lines: list[int]) -> None:
    """Priority 3 is paused unless a line takes it back."""
    assert [one.locations[0].line for one in told(tmp_path, VRP.format(undo=undo))] == lines
