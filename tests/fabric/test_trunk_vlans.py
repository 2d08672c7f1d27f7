"""VLANs of hosts with RoCE that end at one end of a cable between two switches."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch


def leaf(name: str, *uplinks: str, hosts: tuple[int, ...] = (310, 320)) -> dict[str, str]:
    """A switch with a host in each of these VLANs, and trunks."""
    ports = {
        f"Ethernet1/{n}": [ROCE, "switchport", f"switchport access vlan {vlan}"] for n, vlan in enumerate(hosts, 1)
    }
    for number, vlans in enumerate(uplinks, 49):
        said = ["switchport", "switchport mode trunk", f"switchport trunk allowed vlan {vlans}"]
        ports[f"Ethernet1/{number}"] = [ROCE, *said]
    found = switch(name, ports)
    return {file: text.replace("   no switchport\n   service", "   service") for file, text in found.items()}


def told(folder: Path, *texts: dict[str, str]) -> list[tuple[str, str]]:
    site = Network(folder, *texts).site
    return [(one.kind, one.text) for one in site.observations if "at the other end of the cable" in one.text]


ONE = cables("leaf1:Ethernet1/49 leaf2:Ethernet1/49")
TWO = cables("leaf1:Ethernet1/49 leaf2:Ethernet1/49", "leaf1:Ethernet1/50 leaf2:Ethernet1/50")


def test_both_ends_carry_the_same(tmp_path: Path) -> None:
    assert told(tmp_path, leaf("leaf1", "310,320"), leaf("leaf2", "310,320"), ONE) == []


def test_the_only_cable_leaves_one_out_at_one_end(tmp_path: Path) -> None:
    (one,) = told(tmp_path, leaf("leaf1", "310"), leaf("leaf2", "310,320"), ONE)
    kind, text = one
    assert kind == "vlan-lost"
    assert text == (
        "leaf1:Ethernet1/49 does not carry VLAN 320, which leaf2:Ethernet1/49 at the other end of the cable carries, and hosts with RoCE"
        " are in it on both sides: nothing else leads there"
    )


def test_another_cable_leads_there(tmp_path: Path) -> None:
    (one,) = told(tmp_path, leaf("leaf1", "310", "310,320"), leaf("leaf2", *("310,320",) * 2), TWO)
    assert one[0] == "conflict"
    assert one[1].endswith("what is sent this way in it is lost")


def test_both_cables_of_two_switches_are_told_once(tmp_path: Path) -> None:
    (one,) = told(tmp_path, leaf("leaf1", *("7",) * 2), leaf("leaf2", *("310,320",) * 2), TWO)
    assert one[0] == "vlan-lost"
    assert "leaf1:Ethernet1/49 does not carry VLAN 310, 320, as does 1 more" in one[1]


@pytest.mark.parametrize(
    ("ours", "theirs", "hosts"),
    [
        ("310", "310,320", (310,)),
        ("310", "310,500", (310, 320)),
        ("310", "2-4000", (310, 320)),
        ("310", "all", (310, 320)),
    ],
    ids=["hosts on one side", "no hosts", "a range", "all"],
)
def test_trunks_that_leave_out_what_nobody_needs(
    tmp_path: Path, ours: str, theirs: str, hosts: tuple[int, ...]
) -> None:
    assert told(tmp_path, leaf("leaf1", ours, hosts=hosts), leaf("leaf2", theirs), ONE) == []
