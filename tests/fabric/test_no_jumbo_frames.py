"""Ports that all keep the MTU of a new switch agree with each other, and are told all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.policy.values import Policy

RULE = "mtu/no-jumbo-frames"
NXOS = """\
!Command: show running-config
version 10.2(3)
hostname leaf1
class-map type qos match-all RDMA
  match dscp 26
policy-map type qos MARKS
  class RDMA
    set qos-group 3
class-map type network-qos RDMA
  match qos-group 3
policy-map type network-qos LOSSLESS
  class type network-qos RDMA
    {mtu}
    pause pfc-cos 3
system qos
  service-policy type network-qos LOSSLESS
"""


def eos(*sizes: int) -> str:
    profile = "qos profile ROCE\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    ports = (f"interface Ethernet{n}/1\n   mtu {size}\n   service-profile ROCE\n!\n" for n, size in enumerate(sizes, 1))
    return f"hostname leaf1\n!\n{profile}!\n{''.join(ports)}end\n"


def nxos(mtu: str) -> str:
    ports = (
        f"interface Ethernet1/{n}\n  priority-flow-control mode on\n  service-policy type qos input MARKS\n  no shutdown\n"
        for n in range(1, 5)
    )
    return NXOS.format(mtu=mtu) + "".join(ports)


def told(folder: Path, text: str, policy: str = "") -> list[str]:
    (folder / "leaf1.cfg").write_text(text, encoding="utf-8")
    (folder / "roce-audit.yaml").write_text(policy, encoding="utf-8")
    held = load(folder / "roce-audit.yaml") if policy else Policy.empty()
    found = check(Request((str(folder / "leaf1.cfg"),), held)).report.findings
    return [one.severity for one in found if one.rule == RULE and one.verdict == "fails"]


@pytest.mark.parametrize(
    ("sizes", "severities"),
    [
        ((1500,) * 4, ["warning"]),
        ((2000,) * 4, ["warning"]),
        ((2200,) * 4, []),
        ((9214,) * 4, []),
        ((1500, 1500, 1500, 9214), []),
    ],
)
def test_no_port_carries_a_path_mtu_of_2048(tmp_path: Path, sizes: tuple[int, ...], severities: list[str]) -> None:
    assert told(tmp_path, eos(*sizes)) == severities


def test_a_policy_with_that_path_mtu_changes_nothing(tmp_path: Path) -> None:
    assert told(tmp_path, eos(*(1500,) * 4), "mtu: {roce: 1024}\n") == ["warning"]


@pytest.mark.parametrize(("mtu", "severities"), [("mtu 2240", []), ("mtu 9216", []), ("mtu 1500", ["warning"])])
def test_a_class_may_have_an_mtu_of_its_own(tmp_path: Path, mtu: str, severities: list[str]) -> None:
    assert told(tmp_path, nxos(mtu)) == severities
