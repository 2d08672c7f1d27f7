"""Layers and routes: which ways traffic takes between two switches, and what is assumed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.fabric.traffic.routes import ANY_LAYER, OVER_OTHERS, OVER_PEER_LINK, SHORTEST, UP_DOWN, Routes

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")


def node(name: str, *more: str) -> dict[str, str]:
    return switch(name, {f"Ethernet{i}/1": [ROCE, *more] for i in range(1, 7)})


def ways(network: Network, source: str, target: str) -> tuple[str, list[set[str]]]:
    """What is assumed, and the ports by which traffic leaves, step by step."""
    route = Routes(network.site.links, network.site.layers).between(source, {target})
    assert route is not None
    return route.assumed, [{wire.leaving.id for wire in step} for step in route.steps]


def fabric(tmp_path: Path, *links: str, names: tuple[str, ...] = ("leaf1", "leaf2", "spine1", "spine2")) -> Network:
    hosts = [host(f"gpu{i}", GPU) for i in (1, 2)]
    own = cables(f"{names[0]}:Ethernet1/1 gpu1:ens1f0np0", f"{names[1]}:Ethernet1/1 gpu2:ens1f0np0", *links)
    return Network(tmp_path, *map(node, names), *hosts, own)


def full(*leaves: str) -> tuple[str, ...]:
    """Each leaf with two spines."""
    return tuple(
        f"{leaf}:Ethernet{spine + 1}/1 spine{spine}:Ethernet{port}/1"
        for port, leaf in enumerate(leaves, 1)
        for spine in (1, 2)
    )


def test_all_spines_are_equal(tmp_path: Path) -> None:
    found = fabric(tmp_path, *full("leaf1", "leaf2"))
    assert ways(found, "leaf1", "leaf2") == (
        UP_DOWN,
        [{"leaf1:Ethernet2/1", "leaf1:Ethernet3/1"}, {"spine1:Ethernet2/1", "spine2:Ethernet2/1"}],
    )


def test_parallel_cables_are_equal(tmp_path: Path) -> None:
    found = fabric(tmp_path, *full("leaf1", "leaf2"), "leaf1:Ethernet4/1 spine1:Ethernet5/1")
    assert ways(found, "leaf1", "leaf2")[1][0] == {"leaf1:Ethernet2/1", "leaf1:Ethernet3/1", "leaf1:Ethernet4/1"}


def test_a_leaf_between_two_others_is_no_way_up(tmp_path: Path) -> None:
    """The short cut over a third leaf would go up, down and up again; the longer way does not."""
    names = ("leaf1", "leaf2", "leaf3", "spine1", "spine2", "core1")
    links = (
        "leaf1:Ethernet2/1 spine1:Ethernet1/1",
        "leaf3:Ethernet2/1 spine1:Ethernet2/1",
        "leaf3:Ethernet3/1 spine2:Ethernet2/1",
        "leaf2:Ethernet2/1 spine2:Ethernet1/1",
        "spine1:Ethernet5/1 core1:Ethernet1/1",
        "spine2:Ethernet5/1 core1:Ethernet2/1",
    )
    found = fabric(tmp_path, *links, names=names)
    assert ways(found, "leaf1", "leaf2")[1][1:] == [
        {"spine1:Ethernet5/1"},
        {"core1:Ethernet2/1"},
        {"spine2:Ethernet1/1"},
    ]
    without = fabric(tmp_path / "without", *links[:4], names=names)
    assumed, steps = ways(without, "leaf1", "leaf2")
    assert (assumed, len(steps)) == (SHORTEST, 4)


def test_the_peer_link_is_the_last_way(tmp_path: Path) -> None:
    mlag = "mlag configuration\n   peer-link Port-Channel9\n!\ninterface Port-Channel9\n!\n"
    pair = [
        switch(
            name,
            {"Ethernet1/1": [ROCE], "Ethernet2/1": [ROCE], "Ethernet6/1": [ROCE, "channel-group 9 mode active"]},
            mlag,
        )
        for name in ("leaf1", "leaf2")
    ]
    link = "leaf1:Ethernet6/1 leaf2:Ethernet6/1"
    found = Network(tmp_path, *pair, node("spine1"), cables(link))
    assert ways(found, "leaf1", "leaf2") == (OVER_PEER_LINK, [{"leaf1:Ethernet6/1"}])
    up = cables(link, "leaf1:Ethernet2/1 spine1:Ethernet1/1", "leaf2:Ethernet2/1 spine1:Ethernet2/1")
    both = Network(tmp_path / "both", *pair, node("spine1"), up)
    assert ways(both, "leaf1", "leaf2") == (UP_DOWN, [{"leaf1:Ethernet2/1"}, {"spine1:Ethernet2/1"}])


def test_links_without_roce_are_taken_where_there_is_no_other(tmp_path: Path) -> None:
    side = [switch(name, {"Ethernet1/1": [ROCE], "Ethernet6/1": ["description oob"]}) for name in ("a", "b")]
    found = Network(tmp_path, *side, cables("a:Ethernet6/1 b:Ethernet6/1"))
    assert ways(found, "a", "b") == (OVER_OTHERS, [{"a:Ethernet6/1"}])


def test_names_that_tell_nothing(tmp_path: Path) -> None:
    links = ("a:Ethernet2/1 c:Ethernet1/1", "b:Ethernet2/1 c:Ethernet2/1")
    found = Network(tmp_path, *map(node, "abc"), cables(*links))
    assert found.site.layers == {}
    assert ways(found, "a", "b") == (ANY_LAYER, [{"a:Ethernet2/1"}, {"c:Ethernet2/1"}])


def test_hosts_tell_the_layers_of_others(tmp_path: Path) -> None:
    found = fabric(tmp_path, "a:Ethernet2/1 c:Ethernet1/1", "b:Ethernet2/1 c:Ethernet2/1", names=("a", "b", "c"))
    assert found.site.layers == {"gpu1": 0, "gpu2": 0, "a": 1, "b": 1, "c": 2}


@pytest.mark.parametrize(
    ("name", "layer"), [("leaf7", 1), ("tor-3", 1), ("spine4", 2), ("super-spine1", 3), ("core2", 3), ("sw5", None)]
)
def test_names_tell_the_layer(tmp_path: Path, name: str, layer: int | None) -> None:
    assert Network(tmp_path, node(name)).site.layers.get(name) == layer


def test_no_way(tmp_path: Path) -> None:
    found = fabric(tmp_path)
    assert Routes(found.site.links, found.site.layers).between("leaf1", {"leaf2"}) is None
