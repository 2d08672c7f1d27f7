"""A file that stands in the folder of each host and sets one thing otherwise than in all others."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import NicText, host, written

from roce_audit.audit import Request, check
from roce_audit.policy import Policy, load

SETUP = """#!/bin/bash
for dev in ens1np0 ens2np0; do
  mlnx_qos -i $dev --trust dscp --pfc 0,0,0,1,0,0,0,0
  echo {cnp} > /sys/class/net/$dev/ecn/roce_np/cnp_dscp
done
cma_roce_tos -d mlx5_0 -t {tos}
"""


@pytest.mark.parametrize(
    ("marks", "told"),
    [
        (((48, 106), (48, 106), (48, 106), (46, 106)), ["DSCP 46 for CNPs here, and DSCP 48 for CNPs"]),
        (((48, 106), (48, 106), (48, 96), (48, 106)), ["ToS byte 96 for connections of rdma_cm here"]),
        (((48, 106), (48, 106), (46, 96), (48, 106)), ["here, and"]),
        (((48, 106), (48, 106), (48, 106), (48, 106)), []),
        (((48, 106), (48, 106), (46, 106), (46, 106)), []),
        (((48, 106), (48, 106), (46, 106)), []),
        (((48, 106), (48, 106), (48, 106), ("$CNP", 106)), []),
    ],
    ids=["CNPs", "data", "both, told once", "alike", "two groups", "too few", "a variable"],
)
def test_the_one_that_differs_is_told(
    tmp_path: Path, marks: tuple[tuple[int | str, int], ...], told: list[str]
) -> None:
    for number, (cnp, tos) in enumerate(marks):
        (tmp_path / f"gpu{number}").mkdir()
        (tmp_path / f"gpu{number}" / "roce.sh").write_text(SETUP.format(cnp=cnp, tos=tos))
    found = [f for f in check(Request((str(tmp_path),), Policy.empty())).report.findings if f.rule == "input/conflict"]
    assert len(found) == len(told)
    assert all(words in finding.message for finding, words in zip(found, told, strict=True))
    odd = [f"gpu{number}" for number, one in enumerate(marks) if marks.count(one) == 1]
    assert [Path(f.members[0].path).parent.name for f in found] == odd[: len(told)]


def test_folders_that_are_no_hosts_of_one_kind_are_not_compared(tmp_path: Path) -> None:
    for name, cnp in (("amd", 46), ("broadcom", 48), ("intel", 48), ("nvidia", 48)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "roce.sh").write_text(SETUP.format(cnp=cnp, tos=106))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert not [f for f in found if f.rule == "input/conflict"]


def test_a_mark_outside_of_the_class_is_told_by_the_rule_for_it(tmp_path: Path) -> None:
    for number, tos in enumerate((106, 106, 106, 26)):
        (tmp_path / f"gpu{number}").mkdir()
        (tmp_path / f"gpu{number}" / "roce.sh").write_text(SETUP.format(cnp=48, tos=tos))
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    rules = [f.rule for f in found if f.severity in ("error", "warning") and not f.because_of]
    assert "app/setup-rdma-cm-outside-class" in rules
    assert "input/conflict" not in rules


WHOLE = """#!/bin/bash
for dev in ens1np0 ens2np0; do
  mlnx_qos -i $dev --trust dscp
  mlnx_qos -i $dev --pfc 0,0,0,1,0,0,0,0
  ip link set $dev mtu 9000
  echo 48 > /sys/class/net/$dev/ecn/roce_np/cnp_dscp
  echo 1 > /sys/class/net/$dev/ecn/roce_rp/enable/3
done
"""


def beside(tmp_path: Path, odd: str, hosts: int = 4) -> list[str]:
    """What is told where the file of one host is another one."""
    for number in range(hosts):
        (tmp_path / f"gpu{number}").mkdir()
        (tmp_path / f"gpu{number}" / "roce.sh").write_text(odd if number == 2 else WHOLE)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    return [f.message for f in found if f.rule == "input/conflict" and "in the same file of" in f.message]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--trust dscp", "trust in dscp"),
        ("--pfc", "PFC for priority 3"),
        ("mtu 9000", "an MTU of 9000 B"),
        ("roce_rp", "CNPs obeyed for priority 3"),
    ],
)
def test_a_line_that_one_host_lacks(tmp_path: Path, line: str, told: str) -> None:
    (said,) = beside(tmp_path, "".join(one for one in WHOLE.splitlines(keepends=True) if line not in one))
    assert "says nothing of what stands in the same file of 3 other hosts, such as gpu0" in said
    assert told in said


def test_a_line_that_changes_nothing_may_be_lacking(tmp_path: Path) -> None:
    assert beside(tmp_path, "".join(one for one in WHOLE.splitlines(keepends=True) if "cnp_dscp" not in one)) == []


def test_a_nic_that_one_host_leaves_out(tmp_path: Path) -> None:
    (said,) = beside(tmp_path, WHOLE.replace("ens1np0 ens2np0", "ens1np0"))
    assert "PFC is turned on for ens1np0, and in the same file of 3 other hosts for ens2np0 as well" in said


@pytest.mark.parametrize(
    ("odd", "hosts"), [("ens1np0 ens2np0 ens3np0", 4), ("ens7np0", 4), ("ens1np0", 3), ("$NICS", 4)]
)
def test_a_host_with_other_nics_is_no_host_that_lacks_one(tmp_path: Path, odd: str, hosts: int) -> None:
    assert beside(tmp_path, WHOLE.replace("ens1np0 ens2np0", odd), hosts) == []


NETPLAN = """network:
  ethernets:
    ens1np0: {{mtu: 9000}}
  vlans:
    ens1np0.310: {{id: 310, link: ens1np0, mtu: {mtu}, addresses: [10.31.0.{number}/24]}}
"""


@pytest.mark.parametrize(
    ("mtus", "told"),
    [
        ((9000, 9000, 9000, 1500), ["an MTU of 1500 B here, and an MTU of 9000 B in the same file of 3 other hosts"]),
        ((9000, 9000, 9000, 9000), []),
        ((1500, 1500, 1500, 9000), []),
        ((9000, 9000, 9000, 8900), []),
        ((9000, 9000, 1500), ["an MTU of 9000 B in the same file of 2 other hosts"]),
        ((9000, 1500, 1500), []),
    ],
)
def test_a_small_vlan_in_the_tree_of_one_host(tmp_path: Path, mtus: tuple[int, ...], told: list[str]) -> None:
    for number, mtu in enumerate(mtus, 1):
        file = tmp_path / f"node{number}" / "etc" / "netplan" / "50-roce.yaml"
        file.parent.mkdir(parents=True)
        file.write_text(NETPLAN.format(mtu=mtu, number=number))
    found = [f for f in check(Request((str(tmp_path),), Policy.empty())).report.findings if f.rule == "input/conflict"]
    assert len(found) == len(told)
    assert all(words in finding.message for finding, words in zip(found, told, strict=True))


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        (
            "0,0,0,1,0,0,0,0",
            [("error", "ens1np0: PFC for priority 3 here, and PFC for priority 3-4 in the same file of 3")],
        ),
        ("0,0,0,1,1,0,0,0", []),
    ],
)
def test_one_of_two_classes_in_a_script_beside_the_answers_of_its_host(
    tmp_path: Path, odd: str, told: list[tuple[str, str]]
) -> None:
    """The script lies in `opt`, and nothing that is called at boot was seen to call it."""
    nic = NicText("ens1np0", rdma="mlx5_0", pfc=(3, 4), trust="dscp")
    answers = [host(f"gpu{number}", nic) for number in range(4)]
    setups = {
        f"gpu{number}/opt/qos.sh": f"mlnx_qos -i ens1np0 --trust dscp --pfc {odd if number == 2 else '0,0,0,1,1,0,0,0'}\n"
        for number in range(4)
    }
    policy = written(tmp_path, *answers, setups, policy="roce: {priority: [3, 4], dscp: [26, 34]}\n")
    found = [f for f in check(Request((str(tmp_path),), policy)).report.findings if f.rule == "input/conflict"]
    assert [f.severity for f in found] == [severity for severity, _ in told]
    assert all(words in f.message for f, (_, words) in zip(found, told, strict=True))


@pytest.mark.parametrize(
    ("odd", "severity", "words"),
    [
        ("-m 3 -s 26 -r 3", None, ""),
        (
            "-m 2 -s 26",
            "error",
            "gets PFC for no priority, and enp21s0f0np0, which sends alike, PFC for priority 3",
        ),
        ("-m 3 -s 26 -r 4", "error", "gets PFC for priority 4"),
        ("-m 3 -s 34 -r 3", "warning", "with DSCP 34, and enp21s0f0np0, which gets the same PFC, with DSCP 26"),
        ("-m 3 -s 34 -r 4", None, ""),  # of another class
        ("-m 3 -s $DSCP -r 3", None, ""),
    ],
)
def test_a_nic_that_sends_like_the_others_of_its_file(
    tmp_path: Path, odd: str, severity: str | None, words: str
) -> None:
    nics = [(21, "-m 3 -s 26 -r 3"), (22, odd), (23, "-m 3 -s 26 -r 3")]
    calls = (f"bnxt_setupcc.sh -d bnxt_re{n} -i enp{n}s0f0np0 {options} -p 48 -c 7 -u 4\n" for n, options in nics)
    (tmp_path / "roce.sh").write_text("#!/bin/bash\n" + "".join(calls))
    found = [f for f in check(Request((str(tmp_path),), Policy.empty())).report.findings if f.verdict == "fails"]
    assert [(f.rule, str(f.severity), f.members[0].line) for f in found] == (
        [("input/conflict", severity, 3)] if severity else []
    )
    assert all(words in f.message for f in found)


def test_a_nic_that_is_given_no_pfc_by_its_own_line(tmp_path: Path) -> None:
    calls = [f"mlnx_qos -i ens{n}np0 --trust dscp --pfc 0,0,0,{int(n != 13)},0,0,0,0\n" for n in range(11, 15)]
    marks = [f"echo 106 > /sys/class/infiniband/mlx5_{n}/tc/1/traffic_class\n" for n in range(4)]
    (tmp_path / "roce.sh").write_text("".join(("#!/bin/bash\n", *calls, *marks)))
    found = [f for f in check(Request((str(tmp_path),), Policy.empty())).report.findings if f.verdict == "fails"]
    assert [(f.rule, f.members[0].line) for f in found] == [("input/conflict", 4)]
    assert "ens13np0, which roce.sh:4 sets up as well, gets none" in found[0].message


PLAN = "network:\n  version: 2\n  ethernets:\n    enP2p1s0f0np0:\n      addresses: [10.100.0.{}/30]\n{}"


@pytest.mark.parametrize(
    ("mtus", "told"),
    [
        ((9000, 1500), ["an MTU of 1500 B here, and an MTU of 9000 B in the same file of spark1"]),
        (
            (9000, 9000, 1500),
            ["an MTU of 1500 B here, and an MTU of 9000 B in the same file of 2 other hosts, such as spark1"],
        ),
        ((9000, 4200), []),
        ((1500, 1500), []),
        ((9000, None), []),  # of two hosts nobody knows which of them is set elsewhere
        ((9000, "$MTU"), []),
        ((9000, 1500, 1500), []),
    ],
)
def test_the_mtu_of_two_hosts_that_are_cabled_to_each_other(
    tmp_path: Path, mtus: tuple[int | str | None, ...], told: list[str]
) -> None:
    for number, mtu in enumerate(mtus, 1):
        (tmp_path / f"spark{number}" / "netplan").mkdir(parents=True)
        text = PLAN.format(number, "" if mtu is None else f"      mtu: {mtu}\n")
        (tmp_path / f"spark{number}" / "netplan" / "40-cx7.yaml").write_text(text)
    (tmp_path / "job.env").write_text("NCCL_IB_HCA=roceP2p1s0f0\nNCCL_IB_GID_INDEX=3\n")
    found = [f for f in check(Request((str(tmp_path),), Policy.empty())).report.findings if f.rule == "input/conflict"]
    assert len(found) == len(told)
    assert all(words in finding.message for finding, words in zip(found, told, strict=True))
