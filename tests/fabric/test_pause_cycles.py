"""Pause cycles: the five cases with known answers, and whole fabrics read from files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.fabric.traffic.cycles import shortest_cycle
from roce_audit.model import Fabric
from roce_audit.values import Why

Turn = Callable[[str, str, str], bool]
"""Whether packets that came to the second switch from the first may leave to the third."""


def circle(links: Iterable[tuple[str, str]], may: Turn) -> int:
    """How many buffers wait for each other in the shortest circle; a buffer is named by the two ends of its wire."""
    beside: dict[str, set[str]] = {}
    for a, b in links:
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)
    waits = {
        (before, here): {(here, after) for after in beside[here] if after != before and may(before, here, after)}
        for here in beside
        for before in beside[here]
    }
    return len(shortest_cycle(waits))


CLOS = [(f"leaf{i}", f"spine{j}") for i in range(4) for j in range(2)]
RING = [("a", "b"), ("b", "c"), ("c", "a")]


def up_down(before: str, here: str, after: str) -> bool:
    """No way down and up again."""
    return not (before.startswith("spine") and after.startswith("spine"))


def bouncing(*leaves: str) -> Turn:
    return lambda before, here, after: here in leaves or up_down(before, here, after)


@pytest.mark.parametrize(
    ("links", "may", "waiting"),
    [
        (CLOS, up_down, 0),
        (CLOS, bouncing("leaf0"), 0),
        (CLOS, bouncing("leaf0", "leaf1"), 4),
        (CLOS, lambda *_: True, 4),
        (RING, lambda *_: True, 3),
    ],
    ids=["up and down", "one leaf bounces", "two leaves bounce", "any turn", "ring of three"],
)
def test_cases_with_known_answers(links: list[tuple[str, str]], may: Turn, waiting: int) -> None:
    assert circle(links, may) == waiting


def test_a_long_circle_needs_no_recursion() -> None:
    many = {number: [(number + 1) % 20_000] for number in range(20_000)}
    assert len(shortest_cycle(many)) == 20_000


def test_the_shortest_of_several_is_found() -> None:
    assert set(shortest_cycle({1: [2], 2: [3], 3: [1, 4], 4: [5, 3], 5: [1]})) == {3, 4}


def nodes(*names: str, more: tuple[str, ...] = ()) -> list[dict[str, str]]:
    return [switch(name, {f"Ethernet{i}/1": [ROCE, *more] for i in range(1, 7)}) for name in names]


def facts(network: Network) -> Fabric:
    (fabric,) = network.site.fabrics
    return fabric.facts


def ring(*names: str) -> tuple[str, ...]:
    return tuple(
        f"{one}:Ethernet1/1 {other}:Ethernet2/1" for one, other in zip(names, (*names[1:], names[0]), strict=True)
    )


def test_a_ring_of_four_has_one(tmp_path: Path) -> None:
    found = facts(Network(tmp_path, *nodes(*"abcd"), cables(*ring(*"abcd"))))
    assert found.pause_cycle.is_known
    assert found.pause_cycle.get().count("->") == 4
    assert len(found.pause_cycle.at) == 4
    assert not found.pause_cycle_bounces


@pytest.mark.parametrize("names", ["abc", "ab"])
def test_where_all_are_neighbours_nobody_is_passed_through(tmp_path: Path, names: str) -> None:
    assert facts(Network(tmp_path, *nodes(*names), cables(*ring(*names)[: len(names)]))).pause_cycle.is_absent


def test_a_ring_without_pause_in_one_place_has_none(tmp_path: Path) -> None:
    broken = switch("d", {"Ethernet1/1": ["no priority-flow-control"], "Ethernet2/1": [ROCE], "Ethernet3/1": [ROCE]})
    assert facts(Network(tmp_path, *nodes(*"abc"), broken, cables(*ring(*"abcd")))).pause_cycle.is_absent


def test_a_bridged_ring_is_cut_by_its_spanning_tree(tmp_path: Path) -> None:
    parts = nodes(*"abcd")
    bridged = [
        {name: text.replace("   no switchport\n", "   switchport\n") for name, text in part.items()} for part in parts
    ]
    assert facts(Network(tmp_path, *bridged, cables(*ring(*"abcd")))).pause_cycle.is_absent


def clos(*pairs: tuple[int, int]) -> tuple[str, ...]:
    """Leaf i with spine j."""
    return tuple(f"leaf{i}:Ethernet{j}/1 spine{j}:Ethernet{i}/1" for i, j in pairs)


FULL = tuple((leaf, spine) for leaf in range(1, 5) for spine in (1, 2))
NAMES = ("leaf1", "leaf2", "leaf3", "leaf4", "spine1", "spine2")


def test_leaf_and_spine_have_none(tmp_path: Path) -> None:
    assert facts(Network(tmp_path, *nodes(*NAMES), cables(*clos(*FULL)))).pause_cycle.is_absent


def two_sites(*, level: str) -> list[dict[str, str]]:
    """Three switches with ports for hosts below two, twice; cables join the two above, or two of those below, of both sites."""
    ends: dict[str, int] = {}
    wires = []

    def wire(a: str, b: str) -> None:
        for name in (a, b):
            ends[name] = ends.get(name, 0) + 1
        wires.append(f"{a}:Ethernet{ends[a]}/1 {b}:Ethernet{ends[b]}/1")

    for site in "ew":
        for low in (1, 2, 3):
            for high in (8, 9):
                wire(f"{site}{low}", f"{site}{high}")
    for number in (8, 9) if level == "above" else (1, 2):
        wire(f"e{number}", f"w{number}")
    open_ports = {name: int(name[1] < "8") for name in ends}
    parts = [
        switch(name, {f"Ethernet{n}/1": [ROCE] for n in range(1, count + 1 + open_ports[name])})
        for name, count in ends.items()
    ]
    return [*parts, cables(*wires)]


def test_cables_between_the_highest_switches_of_two_sites_are_level(tmp_path: Path) -> None:
    assert facts(Network(tmp_path / "above", *two_sites(level="above"))).pause_cycle.is_absent
    assert not facts(Network(tmp_path / "below", *two_sites(level="below"))).pause_cycle.is_absent


def nameless(*pairs: tuple[int, int]) -> tuple[str, ...]:
    """The same with names that say nothing: a1 to a4 below, b1 and b2 above."""
    return tuple(link.replace("leaf", "a").replace("spine", "b") for link in clos(*pairs))


def four_below_two(*above: str) -> list[dict[str, str]]:
    """Ports 5 and 6 of a1 to a4 lead to hosts of which no file was read; all ports of b1 and b2 to a1 to a4, but for those given."""
    ports = ("Ethernet1/1", "Ethernet2/1", "Ethernet3/1", "Ethernet4/1", *above)
    return [*nodes("a1", "a2", "a3", "a4"), *(switch(name, {port: [ROCE] for port in ports}) for name in ("b1", "b2"))]


def test_switches_with_ports_for_hosts_nobody_read_are_the_leaves(tmp_path: Path) -> None:
    network = Network(tmp_path, *four_below_two(), cables(*nameless(*FULL)))
    assert facts(network).pause_cycle.is_absent
    assert network.site.layers == {**dict.fromkeys(("a1", "a2", "a3", "a4"), 1), "b1": 2, "b2": 2}


def test_neither_a_peer_link_nor_a_core_above_hides_the_layers(tmp_path: Path) -> None:
    peer = "mlag configuration\n   peer-link Port-Channel9\n!\n"
    ports = {**{f"Ethernet{i}/1": [ROCE] for i in range(1, 6)}, "Ethernet6/1": [ROCE, "channel-group 9 mode active"]}
    pair = [switch(name, {**ports, "Port-Channel9": []}, peer) for name in ("a1", "a2")]
    parts = [*four_below_two("Ethernet7/1")[2:], *pair, switch("old-core", {"Ethernet1/1": [], "Ethernet2/1": []})]
    up = ("b1:Ethernet7/1 old-core:Ethernet1/1", "b2:Ethernet7/1 old-core:Ethernet2/1")
    network = Network(tmp_path, *parts, cables(*nameless(*FULL), *up, "a1:Ethernet6/1 a2:Ethernet6/1"))
    assert network.site.layers == {**dict.fromkeys(("a1", "a2", "a3", "a4"), 1), "b1": 2, "b2": 2, "old-core": 3}
    assert facts(network).pause_cycle.is_absent


def test_open_ports_everywhere_tell_no_layer(tmp_path: Path) -> None:
    network = Network(tmp_path, *four_below_two("Ethernet9/1"), cables(*nameless(*FULL)))
    assert network.site.layers == {}
    assert facts(network).pause_cycle.is_known


def test_a_pair_of_leaves_with_a_link_between_them_has_none(tmp_path: Path) -> None:
    wires = cables(*clos(*FULL), "leaf1:Ethernet6/1 leaf2:Ethernet6/1")
    assert facts(Network(tmp_path, *nodes(*NAMES), wires)).pause_cycle.is_absent


def test_two_leaves_that_must_bounce(tmp_path: Path) -> None:
    """Leaf 1 has lost spine 2 and leaf 2 spine 1: what they send each other turns up again at leaf 3 and leaf 4."""
    left = [pair for pair in FULL if pair not in ((1, 2), (2, 1))]
    found = facts(Network(tmp_path, *nodes(*NAMES), cables(*clos(*left))))
    assert found.pause_cycle.is_known
    assert found.pause_cycle_bounces


def test_one_lost_uplink_has_none(tmp_path: Path) -> None:
    left = [pair for pair in FULL if pair != (1, 2)]
    assert facts(Network(tmp_path, *nodes(*NAMES), cables(*clos(*left)))).pause_cycle.is_absent


def test_where_a_cable_leads_to_what_was_not_read_nobody_knows(tmp_path: Path) -> None:
    left = [pair for pair in FULL if pair not in ((1, 2), (2, 1))]
    wires = cables(*clos(*left), "leaf1:Ethernet5/1 spine3:Ethernet1/1")
    assert facts(Network(tmp_path, *nodes(*NAMES), wires)).pause_cycle.why is Why.NOT_VISIBLE


def test_rails_that_never_meet_have_none(tmp_path: Path) -> None:
    gpu = (NicText("rail1", "mlx5_0", pfc=(3,), trust="dscp"), NicText("rail2", "mlx5_1", pfc=(3,), trust="dscp"))
    wires = [f"leaf{rail}:Ethernet{number}/1 gpu{number}:rail{rail}" for rail in (1, 2) for number in (1, 2, 3)]
    hosts = [host(f"gpu{number}", *gpu) for number in (1, 2, 3)]
    assert facts(Network(tmp_path, *nodes("leaf1", "leaf2"), *hosts, cables(*wires))).pause_cycle.is_absent


def routed(name: str, ways: dict[str, str]) -> dict[str, str]:
    """The routing table of a switch: the number of the host's network -> the port."""
    routes = {f"10.0.{net}.0/24": {"vias": [{"interface": port}]} for net, port in ways.items()}
    answer = {"vrfs": {"default": {"routes": routes}}}
    return {f"{name}/show_ip_route_|_json.txt": json.dumps(answer, indent=1)}


def routed_ring(folder: Path, tables: dict[str, dict[str, str]]) -> Fabric:
    """a, b, c and d in a ring: by port 1 to the next one, by port 2 to the one before, by port 3 to a host."""
    texts: dict[str, str] = {}
    wires = []
    for number, (name, after) in enumerate(zip("abcd", "bcda", strict=True)):
        ports: dict[str, list[str]] = {f"Ethernet{i}/1": [ROCE] for i in (1, 2)}
        ports["Ethernet3/1"] = [ROCE, f"ip address 10.0.{number}.1/24"]
        (text,) = switch(name, ports).values()
        texts[f"{name}/show_running-config.txt"] = text
        texts |= {
            f"gpu{number}/{file.partition('/')[2]}": t for file, t in host(f"gpu{number}", NicText("eth1")).items()
        }
        wires += [f"{name}:Ethernet1/1 {after}:Ethernet2/1", f"{name}:Ethernet3/1 gpu{number}:eth1"]
    given = {file: text for name, ways in tables.items() for file, text in routed(name, ways).items()}
    return facts(Network(folder, texts, given, cables(*wires)))


def test_tables_that_send_all_round_the_ring_make_the_circle_sure(tmp_path: Path) -> None:
    found = routed_ring(
        tmp_path,
        {name: {str(net): "Ethernet1/1" for net in range(4) if net != own} for own, name in enumerate("abcd")},
    )
    assert found.pause_cycle.get().count("->") == 4
    assert found.pause_cycle_routed


def test_tables_that_leave_a_cable_out_make_no_circle(tmp_path: Path) -> None:
    """The ring is closed, and traffic never takes the cable between d and a."""
    ways = {
        own: {str(net): "Ethernet1/1" if net > own else "Ethernet2/1" for net in range(4) if net != own}
        for own in range(4)
    }
    assert routed_ring(tmp_path, {name: ways[own] for own, name in enumerate("abcd")}).pause_cycle.is_absent


def test_one_table_leaves_the_other_ways_assumed(tmp_path: Path) -> None:
    found = routed_ring(tmp_path, {"a": {"1": "Ethernet1/1"}})
    assert found.pause_cycle.is_known
    assert not found.pause_cycle_routed
