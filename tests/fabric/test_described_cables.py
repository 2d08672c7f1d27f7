"""Two ports whose descriptions name each other are cabled, and a port with the NIC of the host it names that shares its subnet; one
description alone tells nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch


def _two(first: str, second: str) -> dict[str, str]:
    """leaf1:Ethernet1/1 and spine1:Ethernet3/1 with these descriptions."""
    leaf = switch("leaf1", {"Ethernet1/1": [f"description {first}", ROCE], "Ethernet2/1": [ROCE]})
    return leaf | switch("spine1", {"Ethernet3/1": [f"description {second}", ROCE], "Ethernet4/1": [ROCE]})


def _ids(found: Network) -> set[str]:
    return {link.id for link in found.site.links}


LINK = {"leaf1:Ethernet1/1 <-> spine1:Ethernet3/1"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("spine1 Ethernet3/1", "leaf1 Ethernet1/1"),
        ("to spine1:Et3/1", "uplink of LEAF1.example.net Ethernet 1/1 (rack 7)"),
        ("[spine1, Ethernet3/1]", "leaf1;Ethernet1/1"),
        ("gpu9, then spine1 Ethernet3/1", "leaf1: Ethernet1/1"),
        ("facing_spine1:Ethernet3/1", "Rack-to-Rack-leaf1:Eth1/1"),
        ("P2P_LINK_TO_SPINE1_Ethernet3/1", "P2P_UPLINK_TO_LEAF1_Ethernet1/1"),
        ("to-spine1-Ethernet3/1", "leaf1-1/1"),
        ("to spine1-Ethernet 3/1", "uplink to-leaf1-Ethernet1/1"),
    ],
)
def test_each_names_the_other(tmp_path: Path, first: str, second: str) -> None:
    assert _ids(Network(tmp_path, _two(first, second))) == LINK


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("spine1 Ethernet3/1", "to the leaves"),
        ("spine1 Ethernet3/1", "leaf1"),
        ("spine1 Ethernet3/1", "leaf1 Ethernet2/1"),
        ("spine1 Ethernet3/1", "leaf7 Ethernet1/1"),
        ("leaf1 Ethernet1/1", "spine1 Ethernet3/1"),
    ],
)
def test_one_that_is_not_named_back_tells_nothing(tmp_path: Path, first: str, second: str) -> None:
    found = Network(tmp_path, _two(first, second))
    assert _ids(found) == set()
    assert not found.site.observations


def test_of_several_that_name_each_other_none_counts(tmp_path: Path) -> None:
    texts = _two("spine1 Ethernet3/1 spine1 Ethernet4/1", "leaf1 Ethernet1/1")
    texts["spine1.cfg"] = texts["spine1.cfg"].replace(
        "interface Ethernet4/1\n", "interface Ethernet4/1\n   description leaf1 Ethernet1/1\n"
    )
    assert _ids(Network(tmp_path, texts)) == set()


def test_a_plan_counts_before_descriptions(tmp_path: Path) -> None:
    texts = _two("spine1 Ethernet3/1", "leaf1 Ethernet1/1")
    found = Network(tmp_path, texts, cables("leaf1:Ethernet1/1 spine1:Ethernet4/1"))
    assert _ids(found) == {"leaf1:Ethernet1/1 <-> spine1:Ethernet4/1"}
    assert not found.site.observations


def test_a_length_of_the_policy_holds_for_such_a_cable(tmp_path: Path) -> None:
    texts = _two("spine1 Ethernet3/1", "leaf1 Ethernet1/1")
    (link,) = Network(tmp_path, texts, policy="cables: [{between: [leaf, spine], length_m: 40}]\n").site.links
    assert link.link.length_m.get() == 40


def test_a_bare_number_names_the_one_port_that_ends_in_it(tmp_path: Path) -> None:
    leaf = switch("leaf1", {"Ethernet1/53": ["description spine1:7<==leaf1", ROCE], "Ethernet1/5": [ROCE]})
    spine = {"Ethernet1/7": ["description leaf1:53<==spine1", ROCE], "Ethernet1/17": [ROCE], "Vlan7": []}
    assert _ids(Network(tmp_path, leaf | switch("spine1", spine))) == {"leaf1:Ethernet1/53 <-> spine1:Ethernet1/7"}


def test_a_bare_number_that_two_ports_end_in_names_none(tmp_path: Path) -> None:
    leaf = switch("leaf1", {"Ethernet1/53": ["description spine1:7<==leaf1", ROCE], "Ethernet1/5": [ROCE]})
    spine = {"Ethernet1/7": ["description leaf1:53<==spine1", ROCE], "Ethernet2/7": [ROCE]}
    assert _ids(Network(tmp_path, leaf | switch("spine1", spine))) == set()


@pytest.mark.parametrize(
    ("description", "address", "linked"),
    [
        ("gpu7 rdma0", "10.1.0.1/31", True),
        ("to GPU7.example.net", "10.1.0.1/31", True),
        ("gpu7 rdma0", "10.1.0.3/31", False),
        ("gpu8 rdma0", "10.1.0.1/31", False),
        ("gpu7 rdma0", "10.1.0.1/24", False),
    ],
    ids=["both", "a domain", "another subnet", "another host", "a subnet of many"],
)
def test_a_host_that_is_named_and_shares_the_subnet(
    tmp_path: Path, description: str, address: str, linked: bool
) -> None:
    length = address.partition("/")[2]
    leaf = switch("leaf1", {"Ethernet1/1": [f"description {description}", f"ip address 10.1.0.0/{length}", ROCE]})
    found = Network(tmp_path, leaf, _addressed("gpu7", address))
    assert _ids(found) == ({"gpu7:ens1f0np0 <-> leaf1:Ethernet1/1"} if linked else set())


def test_a_subnet_that_a_third_port_shares_joins_no_two(tmp_path: Path) -> None:
    leaf = switch("leaf1", {"Ethernet1/1": ["description gpu7 rdma0", "ip address 10.1.0.0/31", ROCE]})
    assert _ids(Network(tmp_path, leaf, _addressed("gpu7", "10.1.0.1/31"), _addressed("gpu6", "10.1.0.1/31"))) == set()


def _addressed(name: str, address: str) -> dict[str, str]:
    local, _, length = address.partition("/")
    info = {"family": "inet", "local": local, "prefixlen": int(length), "scope": "global"}
    answer = json.dumps([{"ifindex": 2, "ifname": "ens1f0np0", "addr_info": [info]}])
    return host(name, NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")) | {f"{name}/ip_-j_addr_show.json": answer}


@pytest.mark.parametrize(
    ("first", "second", "linked"),
    [
        ("gpu7 ens1f0np0", "gpu7 ens2f0np0", True),
        ("GPU7:mlx5_0", "spare", True),
        ("gpu7 ens1f0np0", "was gpu7 ens1f0np0", False),
        ("gpu7 ens1f0np0 and gpu7 ens2f0np0", "spare", False),
        ("gpu7 rdma0", "spare", False),
        ("gpu7", "spare", False),
        ("gpu7 bmc", "spare", False),
    ],
    ids=[
        "each its own",
        "the RDMA device",
        "two ports",
        "two NICs",
        "an unknown NIC",
        "the host alone",
        "another port of it",
    ],
)
def test_a_nic_that_one_port_names(tmp_path: Path, first: str, second: str, linked: bool) -> None:
    """A NIC has no description that could name the switch."""
    leaf = {f"Ethernet{n}/1": [f"description {description}", ROCE] for n, description in enumerate((first, second), 1)}
    nics = [NicText(f"ens{n}f0np0", f"mlx5_{n - 1}", pfc=(3,), trust="dscp") for n in (1, 2)]
    found = _ids(Network(tmp_path, switch("leaf1", leaf), host("gpu7", *nics)))
    assert ("gpu7:ens1f0np0 <-> leaf1:Ethernet1/1" in found) is linked


def test_a_host_that_ports_name_is_of_their_fabric(tmp_path: Path) -> None:
    """Which port leads to which NIC is open; that they are one network is not."""
    leaf = switch("leaf1", {f"Ethernet{n}/1": [f"description gpu{n} bond0", ROCE] for n in (7, 8)})
    other = switch("edge1", {"Ethernet1/1": ["description gpu9", ROCE]})
    hosts = [host(f"gpu{n}", NicText("ens1f0np0", "mlx5_0", pfc=(4,), trust="dscp")) for n in (7, 8, 9, 10)]
    texts = {f"hosts/{path}": text for one in hosts for path, text in one.items()}
    switches = {f"a/{path}": text for path, text in leaf.items()} | {f"b/{path}": text for path, text in other.items()}
    found = Network(tmp_path, texts, switches).site
    of = {device.name: fabric.name for fabric in found.fabrics for device in fabric.devices}
    assert of["gpu7"] == of["gpu8"] == of["leaf1"]
    assert of["gpu9"] == of["edge1"] != of["leaf1"]


@pytest.mark.parametrize(
    ("descriptions", "lag", "linked"),
    [
        (("gpu7",), "", 1),
        (("to gpu7", "server GPU7 bond0"), "bond0", 2),
        (("gpu7", "gpu7"), "", 0),
        (("gpu7",), "bond0", 0),
        (("gpu7 bmc", "gpu7"), "bond0", 0),
        (("gpu7 bmc",), "", 0),
        (("gpu7 gpu8",), "", 0),
    ],
    ids=["one NIC", "a bond", "two NICs", "half a bond", "another port", "the BMC alone", "two hosts"],
)
def test_as_many_ports_name_a_host_as_it_has_nics(
    tmp_path: Path, descriptions: tuple[str, ...], lag: str, linked: int
) -> None:
    """Two NICs that are no bond cannot be told apart."""
    leaves = [
        switch(f"leaf{n}", {"Ethernet1/1": [f"description {words}", ROCE]}) for n, words in enumerate(descriptions, 1)
    ]
    wanted = 2 if lag or len(descriptions) == 2 else 1
    nics = [NicText(f"ens{n}f0np0", f"mlx5_{n - 1}", pfc=(3,), trust="dscp", lag=lag) for n in range(1, wanted + 1)]
    management = NicText("eno1", default_route=True)
    found = Network(tmp_path, *leaves, host("gpu7", *nics, management), host("gpu8", NicText("ens9f0np0", pfc=(3,))))
    assert len(_ids(found)) == linked
