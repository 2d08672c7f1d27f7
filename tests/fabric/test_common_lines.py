"""What the switches of a pair, and of a network, must say alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy


def leaf(
    name: str,
    domain: str = "pod1",
    system: str = "0000.0000.0001",
    vni: int = 10020,
    *,
    first: int = 1,
    gateway: str = "10.0.0.1",
    own: str = "",
) -> dict[str, str]:
    """A switch with two channels that it shares, for hosts that its pair alone has."""
    own = own or f"10.0.0.1{name[-1]}"
    ports: dict[str, list[str]] = {"Vlan20": [f"ip address {own}/24", f"ip virtual-router address {gateway}"]}
    for number in (1, 2):
        said = [f"description host{first + number}", "switchport access vlan 20"]
        ports[f"Port-Channel{number}"] = [*said, f"mlag {number}", f"lacp system-id {system}", ROCE]
        ports[f"Ethernet1/{number}"] = [f"channel-group {number} mode active", ROCE]
    more = f"interface Vxlan1\n   vxlan vlan 20 vni {vni}\n!\nmlag configuration\n   domain-id {domain}\n!\n"
    return switch(name, ports, more)


def told(folder: Path, *leaves: dict[str, str]) -> list[str]:
    Network(folder, *leaves)
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [f.message for f in found if f.rule == "input/conflict"]


def test_a_pair_that_says_the_same(tmp_path: Path) -> None:
    assert told(tmp_path, leaf("leaf1"), leaf("leaf2")) == []


def test_each_of_a_pair_has_a_router_id_of_its_own(tmp_path: Path) -> None:
    both = [leaf(name) for name in ("leaf1", "leaf2")]
    for number, one in enumerate(both, 1):
        for file, text in one.items():
            one[file] = text.replace(
                "mlag configuration", f"router bgp 65001\n   router-id 10.255.0.{number}\n!\nmlag configuration"
            )
    assert told(tmp_path, *both) == []


def test_pairs_of_a_fabric_differ(tmp_path: Path) -> None:
    second = [leaf(name, "pod2", "0000.0000.0002", first=3, gateway="10.0.9.1") for name in ("leaf3", "leaf4")]
    assert told(tmp_path, leaf("leaf1"), leaf("leaf2"), *second) == []


def test_another_domain(tmp_path: Path) -> None:
    (message,) = told(tmp_path, leaf("leaf1"), leaf("leaf2", "pod2"))
    assert message.startswith("MLAG domain is pod2 on leaf2 and pod1 on leaf1")


def test_another_system_id(tmp_path: Path) -> None:
    (message,) = told(tmp_path, leaf("leaf1"), leaf("leaf2", system="0000.0000.0009"))
    assert message.startswith("LACP system ID of Port-Channel1 is 0000.0000.0009 on leaf2")
    assert "and 1 more like it differ: the host sees two partners" in message


def test_another_gateway(tmp_path: Path) -> None:
    (message,) = told(tmp_path, leaf("leaf1"), leaf("leaf2", gateway="10.0.0.9"))
    assert message.startswith("virtual address of VLAN 20 is 10.0.0.9 on leaf2")


def test_another_gateway_that_is_the_only_address(tmp_path: Path) -> None:
    both = [leaf("leaf1"), leaf("leaf2", gateway="10.0.0.9")]
    for one in both:
        for file, text in one.items():
            one[file] = text.replace("ip virtual-router address", "ip address virtual")
    (message,) = told(tmp_path, *both)
    assert message.startswith("virtual address of VLAN 20 is 10.0.0.9 on leaf2")


def test_an_address_of_its_own_that_both_have(tmp_path: Path) -> None:
    (message,) = told(tmp_path, leaf("leaf1", own="10.0.0.2"), leaf("leaf2", own="10.0.0.2"))
    assert message.startswith("leaf2:Vlan20 has the address 10.0.0.2/24 of leaf1:Vlan20, beside the virtual address")


def test_one_address_for_both_is_the_virtual_one(tmp_path: Path) -> None:
    assert told(tmp_path, leaf("leaf1", own="10.0.0.1"), leaf("leaf2", own="10.0.0.1")) == []


def test_a_vni_that_one_switch_of_a_network_has_otherwise(tmp_path: Path) -> None:
    others = [leaf("leaf1"), *(leaf(name, "pod2", first=3) for name in ("leaf3", "leaf4"))]
    (message,) = told(tmp_path, *others, leaf("leaf2", vni=10200))
    assert message.startswith("VNI of VLAN 20 is 10200 on leaf2 and 10020 on leaf1")


def test_the_switch_that_others_contradict_is_the_one_that_is_told(tmp_path: Path) -> None:
    others = [leaf(name, "pod2", first=3) for name in ("leaf3", "leaf4")]
    (message,) = told(tmp_path, leaf("leaf1", vni=10200), leaf("leaf2"), *others)
    assert message.startswith("VNI of VLAN 20 is 10200 on leaf1")


def test_two_pairs_may_number_their_own_way(tmp_path: Path) -> None:
    others = [leaf(name, "pod2", vni=20020, first=3) for name in ("leaf3", "leaf4")]
    assert told(tmp_path, leaf("leaf1"), leaf("leaf2"), *others) == []


@pytest.mark.parametrize(
    ("first", "second", "more", "count"),
    [
        ("10.255.1.1", "10.255.1.1", "", 0),
        ("10.255.1.1", "10.255.1.2", "", 1),
        ("10.255.1.1", "10.255.1.2", "   vxlan mlag source-interface Loopback2\n", 0),
    ],
    ids=["one", "two", "one for each and one for both"],
)
def test_a_pair_tunnels_from_one_address(tmp_path: Path, first: str, second: str, more: str, count: int) -> None:
    both = [leaf(name) for name in ("leaf1", "leaf2")]
    members = "".join(f"interface Ethernet1/{n}\n   channel-group 9 mode active\n!\n" for n in (49, 50))
    for address, one in zip((first, second), both, strict=True):
        loopback = f"interface Loopback1\n   ip address {address}/32\n!\ninterface Port-Channel9\n   switchport mode trunk\n!\n"
        for file, text in one.items():
            text = text.replace(
                "interface Vxlan1\n",
                f"{loopback}{members}interface Vxlan1\n   vxlan source-interface Loopback1\n{more}",
            )
            one[file] = text.replace("   domain-id", "   peer-link Port-Channel9\n   domain-id")
    messages = told(tmp_path, *both)
    assert len(messages) == count
    assert all("leaf2:Loopback1, from which leaf2 tunnels, has 10.255.1.2" in one for one in messages)


@pytest.mark.parametrize(
    ("second", "count"),
    [("vxlan vlan 20 vni 10020", 0), ("vxlan vlan 10-20 vni 10010-10020", 0), ("vxlan vrf a vni 7", 1)],
)
def test_a_vlan_that_one_of_a_pair_leads_into_no_tunnel(tmp_path: Path, second: str, count: int) -> None:
    both = [leaf(name) for name in ("leaf1", "leaf2")]
    for line, one in zip(("vxlan vlan 20 vni 10020", second), both, strict=True):
        for file, text in one.items():
            text = text.replace("interface Vxlan1\n", "interface Vxlan1\n   vxlan source-interface Loopback1\n")
            ports = [f"interface Ethernet1/{n}\n   no switchport\n   channel-group" for n in (1, 2)]
            for port in ports:
                text = text.replace(port, port.replace("no switchport", "switchport access vlan 20"))
            one[file] = text.replace("vxlan vlan 20 vni 10020", line)
    messages = told(tmp_path, *both)
    assert len(messages) == count
    assert all(
        "VLAN 20, in which leaf2:Ethernet1/1 carries RoCE, has a VNI on leaf1 and none on leaf2" in one
        for one in messages
    )
