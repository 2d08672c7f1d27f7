"""Names that nothing defines: told in a part of a configuration where a slip is plain, and evidence where they can only mean no-drop."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import Network

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy.values import Policy

PART = """\
policy-map type qos {defined}
  class RDMA
    set qos-group 3
class-map type qos match-all RDMA
  match cos 3

interface Ethernet1/15
  switchport mode trunk
  priority-flow-control mode on
  service-policy type qos input {used}
"""


def undefined(folder: Path) -> list[Finding]:
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [f for f in found if f.rule == "input/undefined-or-unapplied" and f.verdict == "fails"]


@pytest.mark.parametrize(
    ("defined", "used", "told"),
    [
        ("AZLocal_SERVICES", "AZS_SERVICES", True),
        ("AZLocal_SERVICES", "AZLocal_SERVICES", False),
        ("MARKING", "AZS_SERVICES", False),
    ],
    ids=["a slip", "the same", "another name"],
)
def test_a_part_of_a_configuration_tells_a_slip(tmp_path: Path, defined: str, used: str, told: bool) -> None:
    Network(tmp_path, {"part.cfg": PART.format(defined=defined, used=used)})
    found = undefined(tmp_path)
    assert [(f.severity, f.locations[0].line) for f in found] == [("error", 10)] * told
    assert all(f"{defined} is defined and never applied: is it meant?" in f.message for f in found)


OS10 = """\
! Version 10.5.5.5
hostname tor1
class-map type network-qos ROCE
 match qos-group 3
!
policy-map type network-qos PAUSING
 class ROCE
  pause
  pfc-cos 3
!
""" + "".join(
    f"interface ethernet1/1/{n}\n no shutdown\n description node{n}\n{{bound}}!\n".replace("{n}", str(n))
    for n in range(1, 6)
)


@pytest.mark.parametrize(
    ("bound", "carries", "severity"),
    [
        (" service-policy input type network-qos PFC-POLICY\n", True, "error"),
        (" service-policy input type qos MARKS\n", None, "warning"),
    ],
    ids=["for no-drop classes alone", "may be anything"],
)
def test_a_port_that_names_a_no_drop_policy_carries_roce(
    tmp_path: Path, bound: str, carries: bool | None, severity: str
) -> None:
    network = Network(tmp_path, {"tor1.cfg": OS10.format(bound=bound)})
    assert network.answer("tor1:ethernet1/1/1")[0] is carries
    assert [f.severity for f in undefined(tmp_path) if "used here" in f.message] == [severity]


@pytest.mark.parametrize(
    ("used", "told"),
    [("pfc-in_l0", True), ("PFC_IN_10", True), ("pfc_in_lO", True), ("pfc_in_11", False), ("pfc_out_10", False)],
)
def test_in_a_part_a_name_that_reads_like_one_in_use_is_told(tmp_path: Path, used: str, told: bool) -> None:
    other = "interface Ethernet1/16\n  priority-flow-control mode on\n  service-policy type qos input pfc_in_10\n"
    Network(tmp_path, {"leaf1.cfg": PART.format(defined="pfc_in_10", used=used) + other})
    assert bool(undefined(tmp_path)) is told


BUFFERS = """\
{{
  "PORT": {{"Ethernet0": {{"speed": "400000"}}}},
  "BUFFER_PROFILE": {{
    "egress_lossless_profile": {{"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"}}
  }},
  "BUFFER_QUEUE": {{
    "Ethernet0|3": {{"profile": "egress_lossless_profile"}},
    "Ethernet0|4": {{"profile": "{used}"}}
  }}
}}
"""
SRLINUX = """\
set / qos buffer-management buffer-allocation-profile roce-out queues queue roce-q maximum-burst-size 5211064
set / qos interfaces interface eth1 interface-ref interface ethernet-1/1
set / qos interfaces interface eth1 output buffer-allocation-profile {used}
set / interface ethernet-1/1 admin-state enable
"""
JUNOS = """\
set class-of-service congestion-notification-profile PFC-IN input ieee-802.1 code-point 011 pfc
set class-of-service interfaces et-0/0/0 congestion-notification-profile {used}
set interfaces et-0/0/0 mtu 9216
"""


@pytest.mark.parametrize(
    ("file", "text", "used", "told"),
    [
        ("buffers.json", BUFFERS, "egress_lossless_porfile", True),
        ("buffers.json", BUFFERS, "egress_lossless_profile", False),
        ("buffers.json", BUFFERS, "q_lossy_profile", False),
        ("roce.set", SRLINUX, "rcoe-out", True),
        ("roce.set", SRLINUX, "roce-out", False),
        ("roce.set", SRLINUX, "best-effort", False),
        ("roce.set", JUNOS, "PFC-NI", True),
        ("roce.set", JUNOS, "PFC-IN", False),
        ("roce.set", JUNOS, "CNP-200G", False),
    ],
)
def test_a_part_of_a_datastore_tells_a_slip(tmp_path: Path, file: str, text: str, used: str, told: bool) -> None:
    Network(tmp_path, {file: text.format(used=used)})
    assert [used in one.message for one in undefined(tmp_path)] == [True] * told


PROFILED = """\
hostname leaf1
qos profile {defined}
   {says}
interface Ethernet1/1
   service-profile AI-LEAF
interface Ethernet2/1
   service-profile AI-LEAF
"""


@pytest.mark.parametrize("mark", ["", "! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.1F)\n"], ids=["a part", "whole"])
@pytest.mark.parametrize(
    ("says", "severity"),
    [
        ("priority-flow-control on\n   priority-flow-control priority 3 no-drop", "error"),
        ("qos trust dscp", "warning"),
    ],
)
def test_a_misspelt_name_of_all_that_would_pause_is_an_error(
    tmp_path: Path, mark: str, says: str, severity: str
) -> None:
    text = PROFILED.format(defined="AI-LEAFS", says=says)
    Network(tmp_path, {"leaf1.cfg": f"{mark}{text}end\n" if mark else text})
    assert [(f.severity, f.locations[0].text.strip()) for f in undefined(tmp_path)] == [
        (severity, "service-profile AI-LEAF")
    ]


LIMITS = """\
!Software Version V300R024C00SPC500
#
sysname leaf1
#
traffic classifier storage type or
 if-match dscp 26
#
traffic behavior {behavior}
#
traffic policy idle
 classifier storage behavior one precedence 5
#
""" + "".join(
    f"interface 100GE1/0/{n}\n undo portswitch\n description gpu{n}\n trust dscp\n dcb pfc enable mode manual\n#\n"
    for n in range(1, 5)
)


@pytest.mark.parametrize(
    ("behavior", "severity"),
    [
        ("one\n car cir 100 gbps green pass red discard", "warning"),
        ("one\n remark dscp 0", "warning"),
        ("one\n car cir 100 gbps green pass red discard\n remark local-precedence 3", "error"),
        ("one\n remark local-precedence 3", "error"),
    ],
    ids=["polices", "marks", "polices and classifies", "classifies"],
)
def test_a_policy_without_use_that_only_limits_takes_no_class_away(
    tmp_path: Path, behavior: str, severity: str
) -> None:
    Network(tmp_path, {"leaf1.cfg": LIMITS.format(behavior=behavior) + "return\n"})
    assert [(f.severity, f.locations[0].text.strip()) for f in undefined(tmp_path)] == [
        (severity, "traffic policy idle")
    ]


EOS = (
    "! device: leaf1 (DCS-7060X6-64PE, EOS-4.32.2F)\nhostname leaf1\n{line}qos map dscp 48 to traffic-class 6\n"
    "qos profile RDMA\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    "class-map type qos match-any OTHER\n   match dscp {mark}\n"
    "policy-map type quality-of-service OTHER\n   class OTHER\n      set traffic-class {number}\n"
    "interface Ethernet1/1\n   mtu 9214\n   no switchport\n   service-profile RDMA\nend\n"
)


@pytest.mark.parametrize(
    ("line", "mark", "number", "severity"),
    [("qos map dscp 24 to traffic-class 3\n", 46, 5, "info"), ("", 40, 3, "error")],
    ids=["a line maps the class", "defaults alone"],
)
def test_a_policy_that_nobody_needs_is_left_over(
    tmp_path: Path, line: str, mark: int, number: int, severity: str
) -> None:
    Network(tmp_path, {"leaf1.cfg": EOS.format(line=line, mark=mark, number=number)})
    assert [(f.severity, "policy-map OTHER" in f.message) for f in undefined(tmp_path)] == [(severity, True)]
