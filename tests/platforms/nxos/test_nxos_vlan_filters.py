"""VLAN access lists of NX-OS: what they drop of RoCE, and at which ports."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

TEXT = """!Command: show running-config
version 10.3(4a)
hostname tor1
ip access-list RDMA
  10 permit udp any any eq 4791
ip access-list REST
  10 permit ip any any
vlan access-map GUARD 20
  match ip address REST
  action forward
vlan access-map GUARD 10
  match ip address RDMA
  action drop
vlan filter GUARD vlan-list 711-712
interface Ethernet1/1
  switchport access vlan 711
interface Ethernet1/2
  switchport mode trunk
  switchport trunk allowed vlan 7,711
interface Ethernet1/3
  switchport access vlan 7
"""


def read(text: str) -> DeviceReading:
    return platform("nxos").read(DeviceInput("tor1", "nxos", (Document("tor1.cfg", text),)))


def told(reading: DeviceReading) -> list[tuple[int, tuple[str, ...]]]:
    return [(one.place.line, one.ports) for one in reading.seen if one.observation.kind == "conflict"]


def test_a_map_drops_at_ports_all_of_whose_vlans_it_filters_and_is_told_of_the_others() -> None:
    reading = read(TEXT)
    dropped = {port.name: port.facts.drops_roce for port in reading.ports}
    assert {name for name, cell in dropped.items() if cell.value is True} == {"Ethernet1/1"}
    assert [place.line for place in dropped["Ethernet1/1"].at] == [13, 14]  # type: ignore[union-attr]
    assert told(reading) == [(13, ("Ethernet1/2",))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("vlan filter GUARD vlan-list 711-712", "vlan filter GUARD vlan-list 800"),
        ("action drop", "action forward"),
        ("eq 4791", "eq 4789"),
        ("GUARD 20", "GUARD 5"),
        ("address RDMA", "address GONE"),
        ("  match ip address RDMA\n", "  match ip address RDMA\n  match mac address M\n"),
    ],
    ids=["other VLANs", "forwards", "another port", "what comes first counts", "undefined", "asks more"],
)
def test_a_map_that_lets_roce_through_or_is_not_read_is_not_blamed(old: str, new: str) -> None:
    reading = read(TEXT.replace(old, new))
    assert not any(port.facts.drops_roce.value is True for port in reading.ports)
    assert told(reading) == []
