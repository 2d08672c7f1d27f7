"""Where an access list picks RoCE out by its UDP port, what is said of DSCPs is said of RoCE packets alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.policy import Policy, load_text

INFERRED = load_text("", "roce-audit.yaml")
NXOS = """!Command: show running-config
hostname leaf1
ip access-list ROCE-UDP
  10 permit {what}
class-map type qos match-all ROCE
  match access-group name ROCE-UDP
class-map type qos match-all CNP
  match dscp 48
policy-map type qos MARK
  class CNP
    set qos-group 7
  class ROCE
    set qos-group 3
policy-map type network-qos LL
  class type network-qos c-8q-nq3
    pause pfc-cos 3
  class type network-qos c-8q-nq-default
    mtu 9216
policy-map type queuing OUT
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
system qos
  service-policy type network-qos LL
  service-policy type queuing output OUT
interface Ethernet1/1
  no switchport
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  mtu 9216
  service-policy type qos input MARK
  no shutdown
"""
EOS = """! Command: show running-config
! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.2F)
!
hostname leaf1
!
ip access-list ROCE-UDP
   10 permit {what}
!
class-map type qos match-any ROCE
   match ip access-group ROCE-UDP
!
policy-map type quality-of-service MARK
   class ROCE
      set traffic-class 3
!
interface Ethernet1/1
   no switchport
   mtu 9214
   priority-flow-control on
   priority-flow-control pause watchdog
   priority-flow-control priority 3 no-drop
   service-policy type qos input MARK
   uc-tx-queue 3
      random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 20 weight 0
!
end
"""


def checked(folder: Path, text: str, what: str, policy: Policy) -> Checked:
    (folder / "leaf1.cfg").write_text(text.replace("{what}", what))
    return check(Request((str(folder),), policy))


@pytest.mark.parametrize("text", [NXOS, EOS], ids=["nxos", "eos"])
@pytest.mark.parametrize("policy", ["", "roce: {dscp: [26], priority: [3]}\n"], ids=["inferred", "policy"])
def test_unmarked_and_control_packets_are_not_meant(text: str, policy: str, tmp_path: Path) -> None:
    found = checked(tmp_path, text, "udp any any eq 4791", load_text(policy, "roce-audit.yaml"))
    facts = found.devices[0].ports[0].facts
    assert facts.trust.get() == "acl"
    assert facts.dscp.get()[26].get() == 3
    assert [f.message for f in found.report.findings if f.verdict == "fails"] == []


@pytest.mark.parametrize("text", [NXOS, EOS], ids=["nxos", "eos"])
def test_a_list_that_permits_everything_takes_unmarked_packets_along(text: str, tmp_path: Path) -> None:
    found = checked(tmp_path, text, "ip any any", load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml"))
    assert "acl" not in str(found.devices[0].ports[0].facts.trust.value)
    assert "marking/default-in-lossless" in {f.rule for f in found.report.findings if f.verdict == "fails"}


@pytest.mark.parametrize("text", [NXOS, EOS], ids=["nxos", "eos"])
@pytest.mark.parametrize(
    "what",
    ["udp any any eq 4791 dscp af31", "ip any any dscp 26", "udp any any eq 4791 dscp 26 log"],
    ids=["both", "dscp", "logged"],
)
def test_a_list_may_ask_for_the_dscp(text: str, what: str, tmp_path: Path) -> None:
    found = checked(tmp_path, text, what, INFERRED)
    facts = found.devices[0].ports[0].facts
    classes = [cell.value for cell in facts.dscp.get()]
    assert facts.trust.get() == "dscp"
    assert [mark for mark, number in enumerate(classes) if number == 3 and mark not in range(24, 32)] == []
    assert classes[26] == 3
    assert None not in classes
    assert [f.message for f in found.report.findings if f.verdict == "fails"] == []


def test_a_list_that_asks_for_the_dscp_of_some_hosts_leaves_only_theirs_open(tmp_path: Path) -> None:
    facts = checked(tmp_path, NXOS, "udp host 10.1.1.1 any eq 4791 dscp 26", INFERRED).devices[0].ports[0].facts
    assert facts.dscp.get()[26].is_unknown
    assert facts.dscp.get()[24].get() == 0


@pytest.mark.parametrize("text", [NXOS, EOS], ids=["nxos", "eos"])
def test_a_list_whose_mark_is_not_understood_leaves_all_open(text: str, tmp_path: Path) -> None:
    facts = checked(tmp_path, text, "udp any any eq 4791 dscp roce", INFERRED).devices[0].ports[0].facts
    assert facts.dscp.get()[26].is_unknown
    assert facts.dscp.get()[12].is_unknown


def test_a_class_of_a_list_and_another_dscp_takes_nothing(tmp_path: Path) -> None:
    both = NXOS.replace("  match access-group name ROCE-UDP\n", "  match access-group name ROCE-UDP\n  match dscp 24\n")
    found = checked(tmp_path, both, "udp any any eq 4791 dscp af31", INFERRED)
    assert {f.rule for f in found.report.findings if f.severity == "error"} == {"marking/nothing-enters-lossless"}


def _and_by_mark(group: int) -> dict[str, str]:
    """The same policies with a second class behind that of the list, which leads DSCP 12 to this class."""
    nxos = NXOS.replace("  match dscp 48", "  match dscp 12").replace("  class CNP\n    set qos-group 7\n", "")
    nxos = nxos.replace(
        "    set qos-group 3\npolicy-map", f"    set qos-group 3\n  class CNP\n    set qos-group {group}\npolicy-map"
    )
    eos = EOS.replace("!\npolicy-map", "!\nclass-map type qos match-any MARKED\n   match dscp 12\n!\npolicy-map")
    eos = eos.replace(
        "      set traffic-class 3\n", f"      set traffic-class 3\n   class MARKED\n      set traffic-class {group}\n"
    )
    return {"nxos": nxos, "eos": eos}


@pytest.mark.parametrize("platform", ["nxos", "eos"])
def test_a_packet_is_led_where_it_is_led_whether_a_list_takes_it_or_not(platform: str, tmp_path: Path) -> None:
    what = "udp host 10.1.1.1 any eq 4791"
    facts = checked(tmp_path, _and_by_mark(3)[platform], what, INFERRED).devices[0].ports[0].facts
    assert facts.dscp.get()[12].get() == 3
    assert facts.dscp.get()[14].is_unknown


@pytest.mark.parametrize("platform", ["nxos", "eos"])
def test_where_a_list_leads_elsewhere_nobody_knows(platform: str, tmp_path: Path) -> None:
    what = "udp host 10.1.1.1 any eq 4791"
    facts = checked(tmp_path, _and_by_mark(4)[platform], what, INFERRED).devices[0].ports[0].facts
    assert facts.dscp.get()[12].is_unknown


@pytest.mark.parametrize("what", ["udp any any eq 4791", "udp host 10.1.1.1 any eq 4791"])
def test_what_no_list_takes_is_led_beside_it_by_the_default_class(what: str, tmp_path: Path) -> None:
    lossless = NXOS.replace(
        "    set qos-group 3\npolicy-map", "    set qos-group 3\n  class class-default\n    set qos-group 3\npolicy-map"
    )
    found = checked(tmp_path, lossless, what, load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml"))
    assert "marking/default-in-lossless" in {f.rule for f in found.report.findings if f.verdict == "fails"}
