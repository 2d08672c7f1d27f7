"""The shape of a fabric: what is odd among cables that are regular otherwise, and what no partial input may claim."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.model import Position

NAMES = (*(f"leaf{leaf}" for leaf in range(1, 6)), "spine1", "spine2")
FULL = tuple((leaf, spine) for leaf in range(1, 6) for spine in (1, 2))


def node(name: str, slow: str = "") -> dict[str, str]:
    ports = {f"Ethernet{i}/1": [ROCE, "speed 400g-8"] for i in range(1, 7)}
    if slow:
        ports[slow] = [ROCE, "speed 100g-1"]
    return switch(name, ports)


def up(*pairs: tuple[int, int]) -> list[str]:
    return [f"leaf{leaf}:Ethernet{spine}/1 spine{spine}:Ethernet{leaf}/1" for leaf, spine in pairs]


def position(tmp_path: Path, name: str, *links: str, slow: str = "") -> Position:
    parts = [node(one, slow if one == name else "") for one in NAMES]
    return Network(tmp_path, *parts, cables(*links)).site.positions[name]


def test_roles(tmp_path: Path) -> None:
    assert position(tmp_path, "leaf1", *up(*FULL)).role.get() == "leaf"
    assert position(tmp_path / "spine", "spine1", *up(*FULL)).role.get() == "spine"


def test_a_slow_uplink(tmp_path: Path) -> None:
    found = position(tmp_path, "leaf1", *up(*FULL), slow="Ethernet2/1")
    assert (found.comparable_uplinks, found.slow_uplinks.value) == (2, {"Ethernet2/1"})
    even = position(tmp_path / "even", "leaf1", *up(*FULL))
    assert (even.comparable_uplinks, even.slow_uplinks.is_absent) == (2, True)
    down = position(tmp_path / "down", "spine1", *up(*FULL), slow="Ethernet2/1")
    assert down.comparable_uplinks == 0, "leaves of two speeds are no fault of the spine"


def test_a_missing_cable(tmp_path: Path) -> None:
    found = position(tmp_path, "leaf3", *up(*(pair for pair in FULL if pair != (3, 2))))
    assert (found.cabled_alike, found.missing_above.value) == (4, {"spine2"})
    assert position(
        tmp_path / "other", "leaf1", *up(*(pair for pair in FULL if pair != (3, 2)))
    ).missing_above.is_absent


@pytest.mark.parametrize(
    "links",
    [
        up(*(pair for pair in FULL if pair not in ((3, 2), (4, 1)))),
        [*up(*(pair for pair in FULL if pair != (3, 2))), "leaf1:Ethernet6/1 spine9:Ethernet1"],
    ],
    ids=["two are odd", "a cable leads to what was not read"],
)
def test_no_cable_is_missed_where_that_is_not_certain(tmp_path: Path, links: list[str]) -> None:
    found = position(tmp_path, "leaf3", *links)
    assert (found.cabled_alike, found.missing_above.is_absent) == (0, True)


def rails(tmp_path: Path, hosts: int, *crossed: int, lag: str = "") -> Network:
    """Hosts with two NICs, each on the leaf of its rail; of the crossed hosts on the other's."""
    nics = (
        NicText("ens9np0", "mlx5_0", pfc=(3,), trust="dscp", lag=lag),
        NicText("ens11np0", "mlx5_1", pfc=(3,), trust="dscp", lag=lag),
    )
    leaves = [switch(f"leaf{n}", {f"Ethernet{i}/1": [ROCE] for i in range(1, hosts + 1)}) for n in (1, 2)]
    wires = [
        f"leaf{rail if number not in crossed else 3 - rail}:Ethernet{number}/1 gpu{number}:{nic.netdev}"
        for number in range(1, hosts + 1)
        for rail, nic in enumerate(nics, 1)
    ]
    return Network(tmp_path, *leaves, *(host(f"gpu{n}", *nics) for n in range(1, hosts + 1)), cables(*wires))


SWAPPED = "Ethernet4/1 (gpu4:ens11np0, swapped with gpu4:ens9np0 on leaf2:Ethernet4/1)"


def test_rails(tmp_path: Path) -> None:
    good = rails(tmp_path / "good", 10).site.positions["leaf1"]
    assert (good.rail_nics, good.other_rail.is_absent) == (10, True)
    crossed = rails(tmp_path / "crossed", 10, 4).site.positions
    assert (crossed["leaf1"].rail_nics, crossed["leaf1"].other_rail.value) == (9, {SWAPPED})
    assert (crossed["leaf2"].rail_nics, crossed["leaf2"].other_rail.is_absent) == (9, True)  # told at the other


@pytest.mark.parametrize("hosts", [4, 9])
def test_one_of_few_hosts_with_its_cables_swapped(tmp_path: Path, hosts: int) -> None:
    found = rails(tmp_path, hosts, 4).site.positions["leaf1"]
    assert (found.rail_nics, found.other_rail.value) == (hosts - 1, {SWAPPED})


def test_the_members_of_a_bond_have_no_order(tmp_path: Path) -> None:
    assert rails(tmp_path, 4, 4, lag="bond0").site.positions["leaf1"].rail_nics == 0


@pytest.mark.parametrize(("hosts", "crossed"), [(3, (1,)), (9, (4, 5)), (12, (1, 2, 3))])
def test_a_leaf_without_a_rail(tmp_path: Path, hosts: int, crossed: tuple[int, ...]) -> None:
    found = rails(tmp_path, hosts, *crossed).site.positions["leaf1"]
    assert (found.rail_nics, found.other_rail.is_absent) == (0, True)
