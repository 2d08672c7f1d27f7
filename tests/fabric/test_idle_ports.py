"""Ports that carry no data: nothing is asked of them, they are counted, and what names one finds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch

from roce_audit.audit import Request, check
from roce_audit.fabric.port import NOT_DATA
from roce_audit.fabric.ports import FabricPorts
from roce_audit.policy.values import Policy

PORTS = {
    "Ethernet1": [ROCE],
    "Ethernet2": ["description spare", "shutdown"],
    "Ethernet3": [ROCE],
    "Vlan10": ["ip address 198.51.100.1/24", "mtu 9000"],
    "Loopback0": ["ip address 192.0.2.1/32"],
}


@pytest.fixture
def network(tmp_path: Path) -> Network:
    return Network(tmp_path, switch("leaf1", PORTS), switch("leaf2", PORTS), cables("leaf1:Ethernet1 leaf2:Ethernet1"))


def test_they_are_made_when_somebody_wants_all(network: Network) -> None:
    (fabric,) = network.site.fabrics
    assert [port.reading.name for port in fabric.in_use] == ["Ethernet1", "Ethernet3"] * 2
    names = [port.reading.name for port in fabric.ports]
    assert names == list(PORTS) * 2
    idle = [port for port in fabric.ports if port not in fabric.in_use]
    assert {(port.roce, port.fabric) for port in idle} == {(NOT_DATA, fabric.name)}
    assert {port.tier for port in idle} == {fabric.in_use[0].tier}
    assert [port for port in fabric.ports if port in fabric.in_use] == list(fabric.in_use)


def test_they_are_counted(network: Network, tmp_path: Path) -> None:
    assert network.site.fabrics
    coverage = check(Request((str(tmp_path),), Policy.empty(), rules=())).report.coverage
    assert coverage.ports == 2 * len(PORTS)
    assert coverage.ports_roce["not_data"] == 6
    assert coverage.ports_roce["yes"] == 4


@pytest.mark.parametrize("written", ["Ethernet2", "et2", "Vlan10", "VLAN10", "Lo0"])
def test_a_name_finds_one(network: Network, written: str) -> None:
    ports = FabricPorts([network.port("leaf1:Ethernet1").device])
    found = ports.find("leaf1", written)
    assert found is not None
    assert found is ports.find("LEAF1", written)
    assert found in ports.in_use
    assert found.roce is NOT_DATA


def test_a_number_with_a_slot_needs_no_kind_of_port_where_one_alone_has_it(tmp_path: Path) -> None:
    device = Network(tmp_path, switch("leaf1", {"Ethernet1/1": [ROCE], "Ethernet2/1": [ROCE], "Ethernet3": [ROCE]}))
    ports = FabricPorts([device.port("leaf1:Ethernet1/1").device])
    found = ports.find("leaf1", "2/1")
    assert found is not None
    assert found.reading.name == "Ethernet2/1"
    assert ports.find("leaf1", "4/1") is None
    assert ports.find("leaf1", "3") is None, "a bare number may be a VLAN's"


def test_a_cable_to_one_is_a_link(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1 leaf2:Ethernet2")
    network = Network(tmp_path, switch("leaf1", PORTS), switch("leaf2", PORTS), wires)
    (link,) = network.site.links
    assert {link.a.id, link.b.id} == {"leaf1:Ethernet1", "leaf2:Ethernet2"}
    shut = network.port("leaf1:Ethernet1").joined
    assert shut is not None
    assert shut.peer_shut.value is True
    assert "leaf2:Ethernet2" in [port.id for port in network.site.fabrics[0].in_use]


def test_descriptions_of_two_shut_ports_that_name_each_other_tell_a_cable(tmp_path: Path) -> None:
    one = switch("leaf1", {"Ethernet1": [ROCE], "Ethernet2": ["description to leaf2 Ethernet2", "shutdown"]})
    other = switch("leaf2", {"Ethernet1": [ROCE], "Ethernet2": ["description to leaf1 Ethernet2", "shutdown"]})
    (link,) = Network(tmp_path, one, other).site.links
    assert {link.a.id, link.b.id} == {"leaf1:Ethernet2", "leaf2:Ethernet2"}


def test_the_routed_interface_of_a_vlan_still_tells_its_mtu(tmp_path: Path) -> None:
    ports = {"Ethernet1": [ROCE, "switchport", "switchport access vlan 10"], "Vlan10": PORTS["Vlan10"]}
    network = Network(tmp_path, switch("leaf1", ports))
    joined = network.port("leaf1:Ethernet1").joined
    assert joined is not None
    assert joined.vlan_mtu_bytes.value == 9000
    assert [place.line for place in network.port("leaf1:Ethernet1").places(joined.vlan_mtu_bytes.at)] != []


def test_a_shut_member_of_a_channel_is_counted_among_its_members(tmp_path: Path) -> None:
    lag = "channel-group 5 mode active"
    ports = {"Ethernet1": [ROCE, lag], "Ethernet2": ["shutdown", lag], "Port-Channel5": []}
    joined = Network(tmp_path, switch("leaf1", ports)).port("leaf1:Ethernet1").joined
    assert joined is not None
    assert joined.channel_members.value == 2
