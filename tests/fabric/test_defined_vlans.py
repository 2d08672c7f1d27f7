"""VLANs in which ports carry RoCE and that their switch does not define."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, switch

DEFINED = "vlan 20\n   name RDMA\n!\nvlan 30\n!\n"


def leaf(
    name: str, vlans: str = DEFINED, *, svi: bool = False, trunk: str = "20,30", others: int = 0
) -> dict[str, str]:
    """A switch of a pair with two channels to hosts."""
    ports: dict[str, list[str]] = {"Vlan30": [f"ip address 10.0.0.{name[-1]}/24"]} if svi else {}
    for number in (1, 2):
        said = [f"description host{number + others}", "switchport mode trunk", f"switchport trunk allowed vlan {trunk}"]
        ports[f"Port-Channel{number}"] = [*said, f"mlag {number}", ROCE]
        ports[f"Ethernet1/{number}"] = [f"channel-group {number} mode active", ROCE]
    found = switch(name, ports, f"{vlans}mlag configuration\n   domain-id {name[:-1]}\n!\n")
    return {file: text.replace("   no switchport\n   description", "   description") for file, text in found.items()}


def told(folder: Path, *leaves: dict[str, str]) -> list[str]:
    return [one.text for one in Network(folder, *leaves).site.observations if one.kind == "undefined"]


LACKING = "vlan 20\n!\n"
NOT_DEFINED = "VLAN 30 is not defined on leaf2, where leaf2:Ethernet1/1 and 1 more carry RoCE in it: such packets are dropped there"


def test_the_other_one_of_the_pair_defines_it(tmp_path: Path) -> None:
    assert told(tmp_path, leaf("leaf1"), leaf("leaf2")) == []
    assert told(tmp_path, leaf("leaf1"), leaf("leaf2", LACKING)) == [NOT_DEFINED]


def test_it_has_an_address(tmp_path: Path) -> None:
    assert told(tmp_path, leaf("leaf2", LACKING, svi=True)) == [NOT_DEFINED]


@pytest.mark.parametrize(
    "leaves",
    [
        [leaf("leaf1", LACKING), leaf("leaf2", LACKING)],
        [leaf("leaf1"), leaf("other2", LACKING, others=2)],
        [leaf("leaf1"), leaf("leaf2", "")],
        [leaf("leaf1", trunk="1-4094"), leaf("leaf2", LACKING, trunk="1-4094")],
    ],
    ids=["nobody defines it", "another pair does", "VLANs are in no file", "a range"],
)
def test_a_list_of_a_trunk_alone_proves_nothing(tmp_path: Path, leaves: list[dict[str, str]]) -> None:
    assert told(tmp_path, *leaves) == []


@pytest.mark.parametrize(("vlan", "count"), [(20, 0), (31, 1)])
def test_a_port_of_hosts_in_one_vlan_alone(tmp_path: Path, vlan: int, count: int) -> None:
    texts = switch(
        "leaf1",
        {f"Ethernet1/{n}": ["switchport", f"switchport access vlan {v}", ROCE] for n, v in ((1, 20), (2, vlan))},
        DEFINED,
    )
    found = told(tmp_path, {file: text.replace("   no switchport\n", "") for file, text in texts.items()})
    assert [("leaf1:Ethernet1/2 carries RoCE in it" in one) for one in found] == [True] * count
