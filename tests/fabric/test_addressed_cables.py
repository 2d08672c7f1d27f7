"""Two ports that alone have a subnet for two are cabled, where the site has several such cables and nothing names other far ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch


def spine(name: str, first: int, *, of: int = 3, end: int = 0, words: str = "fabric") -> dict[str, str]:
    """A switch with so many addressed ports, each in a subnet of its own; the `end` is the address in it that the switch has."""
    ports = {
        f"Ethernet{n + 1}/1": [ROCE, f"description {words}", f"ip address 10.0.{first + n}.{end}/31"] for n in range(of)
    }
    return switch(name, ports)


def leaf(name: str, *subnets: int, end: int = 1, words: str = "uplink") -> dict[str, str]:
    """A switch with an uplink in each of these subnets and two ports to hosts that were not read."""
    ports = {
        f"Ethernet{n}/1": [ROCE, f"description {words}", f"ip address 10.0.{subnet}.{end}/31"]
        for n, subnet in enumerate(subnets, 49)
    }
    ports |= {f"Ethernet{n}/1": [ROCE, f"ip address 10.9.{subnets[0]}.{2 * n}/31"] for n in (1, 2, 3)}
    return switch(name, ports)


TWO_SPINES = spine("spine1", 0) | spine("spine2", 10)
LEAVES = leaf("leaf0", 0, 10) | leaf("leaf1", 1, 11) | leaf("leaf2", 2, 12)


def links(found: Network) -> list[str]:
    return sorted(link.id for link in found.site.links)


ALL = [f"leaf{n}:Ethernet{49 + s}/1 <-> spine{s + 1}:Ethernet{n + 1}/1" for n in range(3) for s in range(2)]


def test_subnets_of_two_ports_are_cables(tmp_path: Path) -> None:
    assert links(Network(tmp_path, TWO_SPINES, LEAVES)) == ALL


def test_devices_in_folders_of_other_names_are_one_fabric(tmp_path: Path) -> None:
    texts = TWO_SPINES | LEAVES
    inside = {f"unit{n}/running.cfg": text for n, text in enumerate(texts.values())}
    assert [len(fabric.devices) for fabric in Network(tmp_path, inside).site.fabrics] == [5]


@pytest.mark.parametrize(
    "others",
    [
        leaf("leaf0", 0, 10, end=0) | leaf("leaf1", 1, 11, end=0) | leaf("leaf2", 2, 12, end=0),
        LEAVES | leaf("twin0", 0, 10) | leaf("twin1", 1, 11) | leaf("twin2", 2, 12),
        leaf("leaf0", 0, 10) | leaf("leaf1", 21, 31) | leaf("leaf2", 22, 32),
        leaf("leaf0", 0, 10, words="leaf1 Ethernet1/1") | leaf("leaf1", 1, 11, words="leaf2") | leaf("leaf2", 22, 32),
    ],
    ids=["the same addresses", "another network with the same", "few in common", "descriptions name other switches"],
)
def test_addresses_that_tell_no_cable(tmp_path: Path, others: dict[str, str]) -> None:
    assert links(Network(tmp_path, TWO_SPINES, others)) == []


def test_one_network_with_a_few_addresses_of_another(tmp_path: Path) -> None:
    """Three by chance, of many on both sides."""
    assert links(Network(tmp_path, spine("spine1", 0, of=9), spine("core1", 6, of=9, end=1))) == []


def test_a_plan_counts_before_addresses(tmp_path: Path) -> None:
    plan = cables("leaf0:Ethernet49/1 spine1:Ethernet2/1", "leaf1:Ethernet49/1 spine1:Ethernet1/1")
    found = links(Network(tmp_path, TWO_SPINES, LEAVES, plan))
    assert found[0] == "leaf0:Ethernet49/1 <-> spine1:Ethernet2/1"
    assert len(found) == len(ALL)
