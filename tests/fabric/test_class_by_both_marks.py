"""A class that the policy gives by tag and by DSCP: hosts tag, the fabric routes."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy import load_text

POLICY = "classes:\n  - {name: roce, pcp: [3], dscp: [26], priority: 3, lossless: true}\n"
PROFILE = """qos profile {name}
   qos trust {trust}
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      random-detect ecn minimum-threshold 640 kbytes maximum-threshold 3 mbytes max-mark-probability 20
!
"""
MAPS = "qos map cos 3 to traffic-class 3\nqos map dscp 26 to traffic-class 3\npriority-flow-control pause watchdog default timeout 0.2\n!\n"
PROFILES = PROFILE.format(name="EDGE", trust="cos") + PROFILE.format(name="FABRIC", trust="dscp")
TRUNK = "interface Ethernet{n}/1\n   mtu 9214\n   switchport trunk allowed vlan 7\n   switchport mode trunk\n   service-profile EDGE\n!\n"
ROUTED = "interface Ethernet{n}/1\n   mtu 9214\n   no switchport\n   ip address 10.0.0.{n}/31\n   service-profile {profile}\n!\n"


def findings(folder: Path, uplink: str) -> list[str]:
    """What is said of a leaf whose uplink has this profile, and its spine."""
    leaf = (
        f"hostname leaf\n!\n{MAPS}{PROFILES}"
        + "".join(TRUNK.format(n=n) for n in (2, 3, 4))
        + ROUTED.format(n=1, profile=uplink)
    )
    spine = f"hostname spine\n!\n{MAPS}{PROFILES}" + "".join(ROUTED.format(n=n, profile="FABRIC") for n in (0, 2, 4, 6))
    (folder / "leaf.cfg").write_text(leaf)
    (folder / "spine.cfg").write_text(spine)
    (folder / "topology.yaml").write_text("links:\n  - [leaf:Ethernet1/1, spine:Ethernet0/1]\n")
    report = check(Request((str(folder),), load_text(POLICY, "roce-audit.yaml"))).report
    loud = [f for f in report.findings if f.verdict == "fails" and f.severity in ("error", "warning")]
    return [f"{f.rule} {f.subject}" for f in loud if f.topic in ("marking", "fleet")]


def test_a_trunk_that_trusts_tags_carries_the_class_by_its_tag(tmp_path: Path) -> None:
    assert not findings(tmp_path, "FABRIC")


def test_a_routed_link_carries_no_tags(tmp_path: Path) -> None:
    assert "marking/tag-on-untagged-port Ethernet1/1" in findings(tmp_path, "EDGE")
