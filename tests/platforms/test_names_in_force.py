"""What answers show in force on ports, against the statements that bind it: policies of NX-OS, maps of Enterprise SONiC."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

NXOS = """!Command: show running-config
version 10.4(3) Bios:version 05.52
hostname leaf1
class-map type qos match-all RDMA
  match dscp 26
policy-map type qos IN
  class RDMA
    set qos-group 3
policy-map type qos PLAIN
  class class-default
    set qos-group 0
interface Ethernet1/1
  mtu 9216
  service-policy type qos input IN
interface Ethernet1/2
  mtu 9216
"""
POLICIES = """

Ethernet1/1

  Service-policy (qos) input:   {}
    SNMP Policy Index:  285216354

Ethernet1/2

  Service-policy (qos) input:   PLAIN
"""
ESONIC = """hostname leaf1
!
qos map dscp-tc IN
 dscp 26 traffic-class 3
!
qos map dscp-tc OTHER
 dscp 26 traffic-class 0
!
interface Eth1/1
 mtu 9100
 qos-map dscp-tc IN
 scheduler-policy SHARES
!
"""
MAPS = """scheduler policy: {shares}
dscp-tc-map: {dscp}
tc-queue-map:
pfc-priority: 3
"""
SAME = {"shares": "SHARES", "dscp": "IN"}


def reading(name: str, configuration: str, command: str, answer: str) -> DeviceReading:
    documents = (Document("run.txt", configuration, "show running-config"), Document("answer.txt", answer, command))
    return platform(name).read(DeviceInput("leaf1", name, documents))


def told(found: DeviceReading) -> list[str]:
    return [one.observation.text for one in found.seen if one.observation.kind == "conflict"]


@pytest.mark.parametrize(
    ("policy", "dscp", "words"),
    [("IN", 3, ""), ("PLAIN", 0, "and PLAIN is in force"), ("default-in-policy", 0, "and none is in force")],
)
def test_policies_of_nxos(policy: str, dscp: int, words: str) -> None:
    found = reading("nxos", NXOS, "show policy-map interface type qos", POLICIES.format(policy))
    assert found.ports[0].facts.dscp.get()[26].value_or_none() == dscp
    assert len(told(found)) == bool(words)
    assert all(words in one and "input IN is configured on Ethernet1/1" in one for one in told(found))


@pytest.mark.parametrize(
    ("other", "dscp", "words"),
    [
        ({}, 3, ""),
        ({"dscp": "OTHER"}, 0, "qos-map dscp-tc IN is configured on Eth1/1, and OTHER is in force"),
        ({"dscp": "-"}, 3, ""),
        ({"shares": "OLD"}, 3, "scheduler-policy SHARES is configured on Eth1/1, and OLD is in force"),
    ],
)
@pytest.mark.parametrize(
    ("command", "head"), [("show qos interface Eth 1/1", ""), ("show qos interface Eth all", "Eth1/1:\n")]
)
def test_maps_of_enterprise_sonic(other: dict[str, str], dscp: int, words: str, command: str, head: str) -> None:
    found = reading("esonic", ESONIC, command, head + MAPS.format(**SAME | other))
    assert found.ports[0].facts.dscp.get()[26].value_or_none() == dscp
    assert found.ports[0].facts.pfc.get().operational.value_or_none() == frozenset({3})
    assert told(found) == ([words] if words else [])
