"""Classes of policies that name access lists: what a list takes of RoCE is led where the policy says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import esonic
from roce_audit.policy import load_text

BASE = Path(esonic.__file__).parent / "examples" / "base"
LIST = """interface-naming standard
ip access-list ITS
 seq 10 permit udp any any dscp {dscp}
!
class-map ITS match-type acl
 match access-group ip ITS
!
policy-map EDGE type qos
 class ITS priority 10
  set traffic-class 5
"""
RULE = "marking/class-broken-in-box"


@pytest.mark.parametrize(("dscp", "fails"), [(46, False), (26, True)])
def test_a_list_of_another_dscp_leaves_the_class_alone(tmp_path: Path, dscp: int, fails: bool) -> None:
    shutil.copytree(BASE, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "leaf1.cfg"
    text = file.read_text().replace("interface-naming standard\n", LIST.format(dscp=dscp))
    file.write_text(text.replace("interface Eth1/2\n", "interface Eth1/2\n service-policy type qos in EDGE\n"))
    policy = load_text((tmp_path / "roce-audit.yaml").read_text(), "roce-audit.yaml", folder=tmp_path)
    report = check(Request((str(tmp_path),), policy, select=(RULE,))).report
    assert [found.verdict for found in report.findings] == ["fails"] * fails


@pytest.mark.parametrize(
    ("asked", "fails"),
    [
        (["match ip protocol tcp"], False),
        (["match dscp 46"], False),
        (["match dscp 26"], True),
        (["match ip protocol udp"], True),
        (["match access-group ip NOWHERE"], True),
        (["match vlan 7"], True),
        (["match dscp 46", "match dscp 26"], True),
    ],
)
def test_a_policer_of_other_packets_is_none_of_roce(tmp_path: Path, asked: list[str], fails: bool) -> None:
    shutil.copytree(BASE, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "leaf1.cfg"
    its = "".join(f" {line}\n" for line in asked)
    maps = f"class-map ITS match-type fields match-all\n{its}!\npolicy-map EDGE type qos\n class ITS priority 10\n  police cir 9000\n"
    text = file.read_text().replace("interface-naming standard\n", f"interface-naming standard\n{maps}")
    file.write_text(text.replace("interface Eth1/2\n", "interface Eth1/2\n service-policy type qos in EDGE\n"))
    policy = load_text((tmp_path / "roce-audit.yaml").read_text(), "roce-audit.yaml", folder=tmp_path)
    report = check(Request((str(tmp_path),), policy, select=("marking/policed",))).report
    assert [found.verdict for found in report.findings] == ["fails"] * fails
