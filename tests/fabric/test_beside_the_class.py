"""A fabric in which only some switches serve RoCE: the others, and the ways to them, are no ports that somebody forgot."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")
ENV = "NCCL_IB_HCA=mlx5_0\n"
HOSTS = {f"leaf{n}": f"gpu{n}" for n in range(1, 4)}


def bridged(*lines: str) -> list[str]:
    return ["switchport", *lines]


def plain(name: str, ports: dict[str, list[str]]) -> dict[str, str]:
    """`switch` writes `no switchport` first; a bridged port says otherwise behind it."""
    return {
        file: text.replace("   no switchport\n   switchport\n", "   switchport\n").replace(
            "   no switchport\n   description", "   description"
        )
        for file, text in switch(name, ports).items()
    }


def with_access(folder: Path, vlan: int, uplink: bool = True) -> Network:
    """A leaf with hosts in VLAN 50, a spine, and an access switch behind a trunk for `vlan` alone."""
    trunk = bridged("switchport mode trunk", f"switchport trunk allowed vlan {vlan}")
    leaf = {"Ethernet5": bridged("switchport access vlan 50", ROCE), "Ethernet1": trunk, "Ethernet11": [ROCE]}
    up = ["leaf1:Ethernet11 spine1:Ethernet1"] if uplink else []
    parts = [plain("leaf1", leaf), plain("access1", {"Ethernet1": trunk}), switch("spine1", {"Ethernet1": [ROCE]})]
    wires = cables("leaf1:Ethernet5 gpu1:ens1f0np0", "leaf1:Ethernet1 access1:Ethernet1", *up)
    return Network(folder, *parts, host("gpu1", GPU, env=ENV), wires)


@pytest.mark.parametrize(("vlan", "uplink", "wanted"), [(40, True, None), (50, True, True), (40, False, True)], ids=str)
def test_a_trunk_without_the_hosts_vlan_is_on_no_way_of_theirs(
    tmp_path: Path, vlan: int, uplink: bool, wanted: bool | None
) -> None:
    """Unless the switch has no other way: then what leaves it is routed into that trunk."""
    found = with_access(tmp_path, vlan, uplink)
    assert {end: found.answer(end)[0] for end in ("leaf1:Ethernet1", "access1:Ethernet1")} == {
        "leaf1:Ethernet1": wanted,
        "access1:Ethernet1": wanted,
    }


def with_plain_leaf(folder: Path, leaf: list[str], spine: list[str]) -> Network:
    """Three leaves with hosts and a fourth one without, below one spine."""
    parts = [switch(name, {"Ethernet5": [ROCE], "Ethernet11": [ROCE]}) for name in HOSTS]
    parts += [switch("leaf4", {"Ethernet11": leaf})]
    parts += [
        switch("spine1", {**{f"Ethernet{n}": [f"description leaf{n}", ROCE] for n in (1, 2, 3)}, "Ethernet4": spine})
    ]
    parts += [host(name, GPU, env=ENV) for name in HOSTS.values()]
    up = [f"leaf{n}:Ethernet11 spine1:Ethernet{n}" for n in range(1, 5)]
    return Network(folder, *parts, cables(*up, *(f"{a}:Ethernet5 {b}:ens1f0np0" for a, b in HOSTS.items())))


def test_a_link_that_is_lossy_at_both_ends_leads_to_a_leaf_without_the_class(tmp_path: Path) -> None:
    assert with_plain_leaf(tmp_path, [], ["description leaf4"]).answer("spine1:Ethernet4")[0] is None


@pytest.mark.parametrize("forgotten", ["leaf", "spine"])
def test_one_end_that_pauses_says_that_the_other_was_forgotten(tmp_path: Path, forgotten: str) -> None:
    found = with_plain_leaf(
        tmp_path,
        [] if forgotten == "leaf" else [ROCE],
        ["description leaf4", *([] if forgotten == "spine" else [ROCE])],
    )
    assert found.answer("spine1:Ethernet4")[0] is True
    assert found.answer("leaf4:Ethernet11")[0] is True


def pairs(folder: Path, *setups: str, cabled: bool = False) -> Network:
    """Switches in twos, each with a peer link that no VLAN of hosts crosses."""
    domain = "mlag configuration\n   domain-id pair\n   peer-link Port-Channel1\n!\n"
    parts = []
    for number, setup in enumerate(setups, 1):
        member = bridged("channel-group 1 mode active")
        channel = bridged("switchport mode trunk", "switchport trunk allowed vlan 99", *([setup] if setup else []))
        ports = {
            "Ethernet49": member,
            "Port-Channel1": channel,
            "Ethernet1": bridged("switchport access vlan 10"),
            "Ethernet11": [],
        }
        parts.append(
            {file: text.replace("end\n", f"{domain}end\n") for file, text in plain(f"tor{number}", ports).items()}
        )
    if not cabled:
        return Network(folder, *parts)
    numbers = range(1, len(setups) + 1)
    wires = [f"tor{n}:Ethernet49 tor{n + 1}:Ethernet49" for n in numbers[::2]]
    wires += [f"tor{n}:Ethernet11 spine1:Ethernet{n}" for n in numbers]
    return Network(folder, *parts, switch("spine1", {f"Ethernet{n}": [] for n in numbers}), cables(*wires))


@pytest.mark.parametrize(("setups", "cabled"), [((ROCE, ROCE, "", ""), False), ((ROCE, "", "", ""), True)], ids=str)
def test_the_peer_link_of_another_pair_says_nothing(tmp_path: Path, setups: tuple[str, ...], cabled: bool) -> None:
    found = pairs(tmp_path, *setups, cabled=cabled)
    assert [found.answer(f"tor{n}:Ethernet49")[0] for n in (3, 4)] == [False, False]


def test_the_other_end_of_a_lone_lossless_peer_link_was_forgotten(tmp_path: Path) -> None:
    assert pairs(tmp_path, ROCE, "").answer("tor2:Ethernet49") == (True, "similar_ports")


@pytest.mark.parametrize(
    ("label", "vlan", "hosts", "wanted"),
    [
        ("nvme-tgt1 e0a", 50, 2, True),
        ("filer1 e0a", 50, 2, None),
        ("node17 port0", 50, 2, True),
        ("nvme-tgt1 e0a", 60, 2, None),
        ("nvme-tgt1 e0a", 50, 1, None),
        ("nvme-tgt1 e0a", 1, 2, None),
    ],
    ids=["storage", "nobody knows what", "called as the others", "another VLAN", "one host", "the VLAN of the factory"],
)
def test_a_port_for_storage_in_the_vlan_of_the_hosts(
    tmp_path: Path, label: str, vlan: int, hosts: int, wanted: bool | None
) -> None:
    """In whatever words it says so; on the same switch or another one."""
    common = 1 if vlan == 1 else 50
    names = [f"gpu{n}" for n in range(1, hosts + 1)]
    ports = {
        f"Ethernet{n}": [f"description node{n} port0", "switchport", f"switchport access vlan {common}", ROCE]
        for n in range(1, hosts + 1)
    }
    new = [f"description {label}", "switchport", f"switchport access vlan {vlan}"]
    found = Network(
        tmp_path,
        plain("leaf1", {**ports, "Ethernet9": new, "Ethernet49": [ROCE]}),
        plain("leaf2", {"Ethernet9": new, "Ethernet49": [ROCE]}),
        *(host(name, GPU, env=ENV) for name in names),
        cables("leaf1:Ethernet49 leaf2:Ethernet49", *(f"leaf1:Ethernet{n[3:]} {n}:ens1f0np0" for n in names)),
    )
    assert [found.answer(f"leaf{n}:Ethernet9")[0] for n in (1, 2)] == [wanted, wanted]


def test_a_port_in_the_vlan_that_was_told_to_carry_none(tmp_path: Path) -> None:
    ports = {f"Ethernet{n}": bridged("switchport access vlan 50", ROCE) for n in (1, 2)}
    new = {f"Ethernet{n}": ["description nvme", "switchport", "switchport access vlan 50"] for n in (8, 9)}
    wires = cables("leaf1:Ethernet1 gpu1:ens1f0np0", "leaf1:Ethernet2 gpu2:ens1f0np0")
    parts = [plain("leaf1", {**ports, **new}), host("gpu1", GPU, env=ENV), host("gpu2", GPU, env=ENV), wires]
    assert Network(tmp_path / "a", *parts).answer("leaf1:Ethernet9")[0] is True
    policy = "ports:\n  - {match: 'leaf1:Ethernet8', roce: false}\n"
    assert Network(tmp_path / "b", *parts, policy=policy).answer("leaf1:Ethernet9")[0] is None


def test_a_spine_that_pauses_nothing_is_told_once(tmp_path: Path) -> None:
    """Its ports to leaves with the class are at fault; those to a leaf without it say nothing of the switch."""
    names = [f"leaf{n}" for n in range(1, 5)]
    parts = [switch(name, {"Ethernet5": [ROCE], "Ethernet11": [ROCE], "Ethernet12": [ROCE]}) for name in names[:3]]
    parts.append(switch("leaf4", {"Ethernet11": [], "Ethernet12": []}))
    for spine, setup in (("spine1", []), ("spine2", [ROCE])):
        ports = {f"Ethernet{n}": [f"description leaf{n}", *(setup if n < 4 else [])] for n in range(1, 5)}
        parts.append(switch(spine, ports))
    wires = [f"{name}:Ethernet1{s} spine{s}:Ethernet{name[4:]}" for name in names for s in (1, 2)]
    found = Network(tmp_path, *parts, cables(*wires))
    assert found.answer("spine1:Ethernet1")[0] is True
    assert found.port("spine1:Ethernet4").left_out is None
