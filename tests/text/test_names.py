"""VLANs and interfaces in the words of configurations."""

from __future__ import annotations

import pytest

from roce_audit.text.names import expand, is_untagged, vlan_words, with_prefix_length


@pytest.mark.parametrize(
    ("words", "vlans"),
    [
        ("10 20 to 22 30", {10, 20, 21, 22, 30}),
        ("allow-pass vlan 4090 to 9999", set(range(4090, 4095))),
        ("all", set()),
        ("to 5 7", {5, 7}),
        ("30 to 20", {30}),
        ("10 to", {10}),
    ],
)
def test_vlans_in_words(words: str, vlans: set[int]) -> None:
    assert vlan_words(words.split()) == vlans


@pytest.mark.parametrize(
    ("lines", "untagged"),
    [
        (["switchport", "switchport access vlan 711"], True),
        (["switchport", "switchport mode trunk", "switchport trunk allowed vlan 711"], False),
        (["switchport mode trunk", "switchport trunk native vlan 711", "switchport trunk allowed vlan 711"], True),
        (["switchport mode trunk", "switchport trunk native vlan 7", "switchport trunk allowed vlan 7,711"], False),
        (["switchport mode trunk", "switchport trunk native vlan 7", "switchport trunk allowed vlan add 7"], True),
        (["switchport access vlan 711", "switchport mode dot1q-tunnel"], False),
        (["switchport mode access", "switchport access vlan 711", "switchport trunk allowed vlan 711"], True),
        (["switchport access vlan 711", "switchport trunk allowed vlan 711"], False),
        (["switchport mode trunk", "switchport mode access", "switchport access vlan 711"], True),
        (["switchport mode access", "switchport access vlan 711", "switchport mode trunk"], False),
        (["no switchport"], False),
    ],
)
def test_whether_the_one_vlan_of_a_port_has_no_tag(lines: list[str], untagged: bool) -> None:
    assert is_untagged(lines) is untagged


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("ethernet1/1/1:1-1/1/3:1", ["1/1/1:1", "1/1/2:1", "1/1/3:1"]),
        ("ethernet 1/1/1:3-1/1/2:4", ["1/1/1:3", "1/1/1:4", "1/1/2:1", "1/1/2:2", "1/1/2:3", "1/1/2:4"]),
        ("ethernet1/1/1:1-1/1/1:4", ["1/1/1:1", "1/1/1:2", "1/1/1:3", "1/1/1:4"]),
    ],
)
def test_a_range_over_ports_that_are_split(text: str, numbers: list[str]) -> None:
    assert expand(text, {"ethernet": "ethernet"}) == tuple(f"ethernet{one}" for one in numbers)


@pytest.mark.parametrize("text", ["ethernet1/1/3:1-1/1/1:1", "ethernet1/1/1:1-1/2/1:1", "ethernet1/1/1:1-1/1/4"])
def test_no_range_over_ports_that_are_split(text: str) -> None:
    with pytest.raises(ValueError, match="range"):
        expand(text, {"ethernet": "ethernet"})


@pytest.mark.parametrize("text", ["Ethernet3/1-5/1", "Ethernet3-5/1", "Et3/1-Et5/1"])
def test_a_range_over_the_same_lane_of_several_ports(text: str) -> None:
    names = expand(text, {"ethernet": "Ethernet", "et": "Ethernet"})
    assert names == ("Ethernet3/1", "Ethernet4/1", "Ethernet5/1")


@pytest.mark.parametrize("text", ["Ethernet3/1-5/4", "Ethernet5/1-3/1", "Ethernet3/2-5/1"])
def test_no_range_over_lanes_that_depend_on_the_ports(text: str) -> None:
    with pytest.raises(ValueError, match="range"):
        expand(text, {"ethernet": "Ethernet"})


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("192.0.2.1/31", "192.0.2.1/31"),
        ("192.0.2.1/31 secondary", "192.0.2.1/31"),
        ("192.0.2.1 255.255.255.254", "192.0.2.1/31"),
        ("192.0.2.1 255.255.255.0 sub", "192.0.2.1/24"),
        ("192.0.2.1 31", "192.0.2.1/31"),
        ("2001:db8::1 64", "2001:db8::1/64"),
        ("dhcp-alloc", "dhcp-alloc"),
        ("unnumbered interface LoopBack0", "unnumbered"),
    ],
)
def test_an_address_and_its_length(words: str, address: str) -> None:
    assert with_prefix_length(words.split()) == address
