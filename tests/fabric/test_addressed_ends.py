"""Cables whose ends are addressed for other far ends: the plan, the cabling or an address is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

A, B = NicText("ens1f0np0", "mlx5_0"), NicText("ens2f0np0", "mlx5_1")
LEAF = switch("leaf1", {f"Ethernet{n}/1": [ROCE, f"ip address 10.0.{n}.0/31"] for n in (1, 2)})


def told_address(nic: NicText, local: str, length: int) -> dict[str, object]:
    return {"ifindex": 2, "ifname": nic.netdev, "addr_info": [{"local": local, "prefixlen": length}]}


def addressed(*links: dict[str, object]) -> dict[str, str]:
    return {"gpu1/ip_-j_addr_show.json": json.dumps(links)}


GPU = host("gpu1", A, B) | addressed(told_address(A, "10.0.1.1", 31), told_address(B, "10.0.2.1", 31))
STRAIGHT = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0", "leaf1:Ethernet2/1 gpu1:ens2f0np0")
CROSSED = cables("leaf1:Ethernet1/1 gpu1:ens2f0np0", "leaf1:Ethernet2/1 gpu1:ens1f0np0")


def told(found: Network) -> list[str]:
    return [one.name for one in found.site.observations if one.kind == "addressed-otherwise"]


def test_nics_exchanged_on_one_leaf(tmp_path: Path) -> None:
    assert told(Network(tmp_path, LEAF, GPU, STRAIGHT)) == []
    assert told(Network(tmp_path, LEAF, GPU, CROSSED)) == [
        "leaf1:Ethernet1/1 <-> gpu1:ens2f0np0",
        "leaf1:Ethernet2/1 <-> gpu1:ens1f0np0",
    ]


def addressed_pairs(wrong: int, right: int) -> tuple[dict[str, str], ...]:
    """A leaf with so many NICs of other subnets at its ports, and so many of the same."""
    nics = [NicText(f"ens{n}f0np0", f"mlx5_{n - 1}") for n in range(1, wrong + right + 1)]
    leaf = switch("leaf1", {f"Ethernet{n}/1": [ROCE, f"ip address 10.0.{n}.0/31"] for n in range(1, wrong + right + 1)})
    told = [
        told_address(nic, f"10.{128 if n <= wrong else 0}.{n}.1", 31) | {"ifindex": n} for n, nic in enumerate(nics, 1)
    ]
    plan = cables(*(f"leaf1:Ethernet{n}/1 gpu1:ens{n}f0np0" for n in range(1, wrong + right + 1)))
    return leaf, host("gpu1", *nics) | addressed(*told), plan


def test_one_of_several_is_addressed_for_nobody(tmp_path: Path) -> None:
    """A slip in an address: the other cables show that the subnets are those of cables."""
    assert told(Network(tmp_path, *addressed_pairs(1, 3))) == ["leaf1:Ethernet1/1 <-> gpu1:ens1f0np0"]


def test_addresses_that_are_nowhere_those_of_cables(tmp_path: Path) -> None:
    """No cable of the site has them at both ends, and no other port is in any of these subnets: they tell nothing of cables."""
    assert told(Network(tmp_path, *addressed_pairs(4, 0))) == []
    assert told(Network(tmp_path / "mostly", *addressed_pairs(3, 1))) == []


def test_it_is_a_warning_at_the_port(tmp_path: Path) -> None:
    Network(tmp_path, LEAF, GPU, CROSSED)
    findings = check(
        Request((str(tmp_path),), Policy.empty(), topology=str(tmp_path / "topology.yaml"))
    ).report.findings
    one, other = (found for found in findings if found.rule == "link/ends-in-other-subnets")
    assert (one.severity, other.severity) == ("warning", "warning")
    assert "leaf1:Ethernet1/1 has 10.0.1.0/31, and gpu1:ens2f0np0 has 10.0.2.1/31" in one.message


@pytest.mark.parametrize(
    ("local", "length"), [("10.9.0.1", 24), ("10.0.1.1", 31), ("10.9.0.1", 32), ("fe80::1", 64), ("2001:db8::1", 127)]
)
def test_ends_that_may_reach_each_other(tmp_path: Path, local: str, length: int) -> None:
    """A larger subnet may hold others as well, a host route says nothing of the other end."""
    gpu = host("gpu1", A) | addressed(told_address(A, local, length))
    assert told(Network(tmp_path, LEAF, gpu, cables("leaf1:Ethernet1/1 gpu1:ens1f0np0"))) == []


def test_a_description_is_no_plan(tmp_path: Path) -> None:
    """Nobody may have kept it up to date: the cable that it tells is a guess."""
    leaf = switch("leaf1", {"Ethernet1/1": [ROCE, "ip address 10.0.1.0/31", "description gpu1 ens2f0np0"]})
    assert told(Network(tmp_path, leaf, GPU)) == []


def spines(*addresses: str) -> tuple[dict[str, str], ...]:
    """Two switches whose ports name each other, `spine1` with these addresses."""
    leaf = {
        f"Ethernet{n}/1": [ROCE, f"ip address 10.0.{n}.0/31", f"description spine1 Ethernet{n}/1"] for n in range(1, 5)
    }
    spine = {
        f"Ethernet{n}/1": [ROCE, f"ip address {address}", f"description leaf1 Ethernet{n}/1"]
        for n, address in enumerate(addresses, 1)
    }
    return switch("leaf1", leaf), switch("spine1", spine)


@pytest.mark.parametrize(
    ("addresses", "found"),
    [
        (("10.0.1.1/31", "10.0.2.1/31", "10.0.3.1/31", "10.0.4.1/31"), []),
        (("10.0.1.1/31", "10.0.2.1/31", "10.0.3.1/31", "10.0.5.1/31"), ["leaf1:Ethernet4/1 <-> spine1:Ethernet4/1"]),
        (("10.0.1.1/31", "10.9.2.1/31", "10.9.3.1/31", "10.9.4.1/31"), []),
    ],
    ids=["as described", "a slip", "most are elsewhere"],
)
def test_ports_that_name_each_other(tmp_path: Path, addresses: tuple[str, ...], found: list[str]) -> None:
    assert told(Network(tmp_path, *spines(*addresses))) == found


def test_channels_that_name_each_other(tmp_path: Path) -> None:
    def one(name: str, other: str, *addresses: str) -> dict[str, str]:
        ports = {
            f"Ethernet{n}/1": [ROCE, f"channel-group {(n + 1) // 2} mode active", f"description {other} Ethernet{n}/1"]
            for n in range(1, 9)
        }
        return switch(name, ports | {f"Port-Channel{n}": [f"ip address {to}"] for n, to in enumerate(addresses, 1)})

    leaf = one("leaf1", "spine1", *(f"10.0.{n}.0/31" for n in range(1, 5)))
    fine = one("spine1", "leaf1", *(f"10.0.{n}.1/31" for n in range(1, 5)))
    slip = one("spine1", "leaf1", "10.0.1.1/31", "10.0.2.1/31", "10.0.5.1/31", "10.0.4.1/31")
    assert told(Network(tmp_path / "fine", leaf, fine)) == []
    assert told(Network(tmp_path / "slip", leaf, slip)) == ["leaf1:Port-Channel3 <-> spine1:Port-Channel3"]


def had_twice(folder: Path, *parts: dict[str, str]) -> list[str]:
    return [one.name for one in Network(folder, *parts).site.observations if one.kind == "conflict"]


def hosts(*addresses: str) -> tuple[dict[str, str], ...]:
    """A leaf with a host at each port; the NICs have these addresses."""
    leaf = switch("leaf1", {f"Ethernet{n}/1": [ROCE] for n in range(1, len(addresses) + 1)})
    nics = [
        host(f"gpu{n}", A) | {f"gpu{n}/ip_-j_addr_show.json": json.dumps([told_address(A, address, 24)])}
        for n, address in enumerate(addresses, 1)
    ]
    plan = cables(*(f"leaf1:Ethernet{n}/1 gpu{n}:ens1f0np0" for n in range(1, len(addresses) + 1)))
    return leaf, plan, *nics


NINE = tuple(f"10.7.0.{n}" for n in range(1, 10))


def test_an_address_of_two_hosts(tmp_path: Path) -> None:
    assert had_twice(tmp_path / "own", *hosts(*NINE)) == []
    assert had_twice(tmp_path / "twice", *hosts(*NINE, "10.7.0.4")) == ["gpu4:ens1f0np0"]


@pytest.mark.parametrize(("vlan", "names"), [(711, ["gpu4:storage"]), (712, [])])
def test_an_address_of_two_hosts_in_a_vlan(tmp_path: Path, vlan: int, names: list[str]) -> None:
    """Of a VLAN above a NIC with RoCE; in another VLAN an address may be had again."""
    leaf, plan, *nics = hosts(*(f"10.9.0.{n}" for n in range(1, 11)))
    for number, files in enumerate(nics, 1):
        links = json.loads(files[link := f"gpu{number}/ip_-d_-j_link_show.json"])
        tagged = {"info_kind": "vlan", "info_data": {"id": vlan if number == 10 else 711}}
        its = {
            "ifname": "storage",
            "link": A.netdev,
            "flags": ["UP"],
            "mtu": 9000,
            "link_type": "ether",
            "linkinfo": tagged,
        }
        files[link] = json.dumps([*links, its])
        addresses = json.loads(files[held := f"gpu{number}/ip_-j_addr_show.json"])
        address = "10.7.0.4" if number == 10 else f"10.7.0.{number}"
        files[held] = json.dumps([*addresses, told_address(NicText("storage"), address, 24)])
    assert had_twice(tmp_path, leaf, plan, *nics) == names


def test_an_address_of_ipv6_however_it_is_written(tmp_path: Path) -> None:
    nine = tuple(f"2001:db8::{n}" for n in range(1, 10))
    assert had_twice(tmp_path / "own", *hosts(*nine, *["fe80::1"] * 2)) == []
    assert had_twice(tmp_path / "twice", *hosts(*nine, "2001:DB8:0::0004")) == ["gpu4:ens1f0np0"]


@pytest.mark.parametrize(
    ("third", "names"),
    [
        ("2001:db8:3::1/127", []),
        ("2001:db8:9::1/127", ["leaf1:Ethernet3/1 <-> spine1:Ethernet3/1"]),
        ("fe80::1/10", []),
    ],
)
def test_ends_in_other_subnets_of_ipv6(tmp_path: Path, third: str, names: list[str]) -> None:
    far = ("2001:db8:1::1/127", "2001:db8:2::1/127", third)
    leaf = {f"Ethernet{n}/1": [ROCE, f"ipv6 address 2001:db8:{n}::/127"] for n in (1, 2, 3)}
    spine = {f"Ethernet{n}/1": [ROCE, f"ipv6 address {address}"] for n, address in enumerate(far, 1)}
    plan = cables(*(f"leaf1:Ethernet{n}/1 spine1:Ethernet{n}/1" for n in (1, 2, 3)))
    assert told(Network(tmp_path, switch("leaf1", leaf), switch("spine1", spine), plan)) == names


def test_addresses_that_many_have_tell_nothing(tmp_path: Path) -> None:
    """They were replaced before the files were given away."""
    assert had_twice(tmp_path, *hosts(*NINE[:4], *NINE[:4])) == []


def test_an_address_of_another_cable_is_told_once(tmp_path: Path) -> None:
    twice = spines("10.0.1.1/31", "10.0.2.1/31", "10.0.3.1/31", "10.0.3.1/31")
    assert had_twice(tmp_path / "conflict", *twice) == []
    assert told(Network(tmp_path / "ends", *twice)) == ["leaf1:Ethernet4/1 <-> spine1:Ethernet4/1"]


def test_an_address_of_two_ports_of_one_switch(tmp_path: Path) -> None:
    """Cables that addresses alone tell are not known of the second one."""
    lines = {f"Ethernet{n}/1": [ROCE, f"ip address 10.0.{n}.1/31"] for n in range(1, 6)}
    assert had_twice(tmp_path / "own", switch("leaf1", lines)) == []
    lines["Ethernet6/1"] = [ROCE, "ip address 10.0.1.1/31"]
    assert had_twice(tmp_path / "twice", switch("leaf1", lines)) == ["leaf1:Ethernet6/1"]


def test_an_address_of_two_channels(tmp_path: Path) -> None:
    ports = {f"Ethernet{n}/1": [ROCE, f"channel-group {n} mode active"] for n in range(1, 7)}

    def leaf(last: int) -> dict[str, str]:
        return ports | {f"Port-Channel{n}": [f"ip address 10.0.{n if n < 6 else last}.1/31"] for n in range(1, 7)}

    assert had_twice(tmp_path / "own", switch("leaf1", leaf(6))) == []
    assert had_twice(tmp_path / "twice", switch("leaf1", leaf(2))) == ["leaf1:Port-Channel6"]


def ring(*loopbacks: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """Switches in a row of cables, with the addresses of their loopbacks."""
    switches = []
    for number, addresses in enumerate(loopbacks, 1):
        ports = {f"Ethernet{n}/1": [ROCE] for n in (1, 2)}
        ports |= {f"Loopback{n}": [f"ip address {one}/32"] for n, one in enumerate(addresses)}
        switches.append(switch(f"sw{number}", ports))
    plan = [f"sw{n}:Ethernet2/1 sw{n + 1}:Ethernet1/1" for n in range(1, len(loopbacks))]
    return *switches, cables(*plan)


FIVE = [(f"10.255.0.{number}",) for number in range(1, 6)]


@pytest.mark.parametrize(
    ("loopbacks", "names"),
    [
        (FIVE, []),
        ([*FIVE, FIVE[1]], ["sw6:Loopback0"]),
        ([*FIVE[:2], FIVE[1]], []),
        ([*FIVE, *FIVE[1:3]], []),
        ([*FIVE, (*FIVE[1], "10.255.1.6")], []),
        ([(*one, "10.255.1.1") for one in FIVE], []),
    ],
    ids=["own", "one twice", "few others", "two twice", "beside another", "meant for all"],
)
def test_a_loopback_that_two_switches_have(tmp_path: Path, loopbacks: list[tuple[str, ...]], names: list[str]) -> None:
    assert had_twice(tmp_path, *ring(*loopbacks)) == names


@pytest.mark.parametrize(
    ("ids", "loopbacks", "names"),
    [
        ((1, 2, 3, 4, 5, 6), FIVE, []),
        ((1, 2, 3, 4, 5, 2), FIVE, ["sw6:bgp router ID"]),
        ((1, 2, 3, 4, 2), FIVE, []),
        ((1, 2, 3, 4, 5, 2, 1), FIVE, []),
        ((1, 2, 3, 4, 5, 2), [*FIVE, FIVE[1]], ["sw6:Loopback0"]),
    ],
    ids=["own", "one twice", "few others", "two twice", "told with the loopback"],
)
def test_a_router_id_that_two_switches_have(
    tmp_path: Path, ids: tuple[int, ...], loopbacks: list[tuple[str, ...]], names: list[str]
) -> None:
    more = [(f"10.255.7.{number}",) for number in range(len(loopbacks), len(ids))]
    *switches, plan = ring(*(*loopbacks, *more)[: len(ids)])
    routed = [
        {
            file: text.replace("end\n", f"router bgp 65001\n   router-id 10.255.9.{number}\n!\nend\n")
            for file, text in its.items()
        }
        for its, number in zip(switches, ids, strict=True)
    ]
    assert had_twice(tmp_path, *routed, plan) == names
