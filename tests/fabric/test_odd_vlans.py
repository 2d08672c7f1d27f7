"""The one of several ports for hosts that lacks a VLAN."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch


def leaf(*trunks: str, name: str = "leaf1", words: str = "node{0} bond0", lag: bool = False) -> dict[str, str]:
    """A switch with a port for each host, with these VLANs."""
    ports: dict[str, list[str]] = {}
    for number, vlans in enumerate(trunks, 1):
        said = [
            f"description {words.format(number)}",
            "switchport mode trunk",
            f"switchport trunk allowed vlan {vlans}",
        ]
        ports[f"Port-Channel{number}" if lag else f"Ethernet{number}"] = [ROCE, *said]
        if lag:
            ports[f"Port-Channel{number}"].append(f"mlag {number}")
            ports[f"Ethernet{number}"] = [ROCE, f"channel-group {number} mode active"]
    found = switch(name, ports)
    return {file: text.replace("   no switchport\n", "") for file, text in found.items()}


def told(folder: Path, *leaves: dict[str, str]) -> list[str]:
    return [one.text for one in Network(folder, *leaves).site.observations if one.kind == "conflict"]


@pytest.mark.parametrize("lag", [False, True])
def test_a_port_without_the_vlan_of_the_others(tmp_path: Path, lag: bool) -> None:
    assert told(tmp_path, leaf("20,310", "20,310", "20,310", "20,310", lag=lag)) == []
    kind = "Port-Channel" if lag else "Ethernet"
    (one,) = told(tmp_path, leaf("20,310", "20,310", "20,311", "20,310", lag=lag))
    assert one == (
        f"leaf1:{kind}3 does not carry VLAN 310, and 3 ports beside it that are described alike do, such as leaf1:{kind}1: "
        "what its host sends there goes nowhere"
    )


@pytest.mark.parametrize(
    "trunks",
    [
        ("20,310", "20,310", "20"),
        ("310", "310", "310", "20"),
        ("20,310", "20,310", "20,310", "20,310,311"),
        ("20,310", "20,310", "20,311", "20,312"),
    ],
    ids=["three ports", "another network", "one more", "two of them"],
)
def test_ports_that_differ_on_purpose(tmp_path: Path, trunks: tuple[str, ...]) -> None:
    assert told(tmp_path, leaf(*trunks)) == []


def test_what_the_other_half_of_a_channel_shows_is_told_once(tmp_path: Path) -> None:
    whole, short = ("20,310",) * 4, ("20,310", "20,310", "20", "20,310")
    (one,) = told(tmp_path, leaf(*whole, lag=True), leaf(*short, name="leaf2", lag=True))
    assert "the channel mlag 3 carries VLAN 20 here" in one


UPLINK = f"interface Ethernet49\n   no switchport\n   ip address 10.9.0.0/31\n   {ROCE}\n!\n"
SPINE = switch("spine1", {"Ethernet1": [ROCE, "ip address 10.9.0.1/31"]})


@pytest.mark.parametrize(
    ("last", "more", "is_told"),
    [
        ("20", UPLINK, True),
        ("20", UPLINK + "interface Vlan20\n   ip address 10.1.20.1/24\n!\n", False),
        ("20", UPLINK + f"interface Ethernet48\n   switchport trunk allowed vlan 20\n   {ROCE}\n!\n", False),
        ("20", UPLINK + f"interface Ethernet48\n   switchport mode trunk\n   {ROCE}\n!\n", False),
        ("310", UPLINK, False),
    ],
    ids=["alone", "routed", "bridged by another", "a trunk of any VLAN", "alike"],
)
def test_a_port_in_a_vlan_that_leads_nowhere(tmp_path: Path, last: str, more: str, is_told: bool) -> None:
    its = leaf("310", "310", "310", last)
    its = {file: text.removesuffix("end\n") + more + "end\n" for file, text in its.items()}
    text = (
        "leaf1:Ethernet4 is in VLAN 20, which nothing routes and no other port with RoCE has, and 3 ports beside it that are described "
        "alike are in VLAN 310, such as leaf1:Ethernet1: its host reaches none with RoCE"
    )
    assert told(tmp_path, its, SPINE, cables("leaf1:Ethernet49 spine1:Ethernet1")) == ([text] if is_told else [])
