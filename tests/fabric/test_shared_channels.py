"""A channel that ends on two switches: they make it together, or half of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

RULE = "link/channel-on-unpaired-switches"
PEER = "mlag configuration\n   domain-id pair\n   peer-link Port-Channel1\n!\n"
PEER_LINKS = ("leaf1:Ethernet1/49 leaf2:Ethernet1/49", "leaf3:Ethernet1/49 leaf4:Ethernet1/49")


def leaf(name: str, *shared: str) -> dict[str, str]:
    """A switch of an MLAG pair with Port-Channel7, which it shares as `shared` says."""
    ports = {
        "Port-Channel7": [*shared, ROCE],
        "Ethernet1/1": ["channel-group 7 mode active", ROCE],
        "Ethernet1/49": ["channel-group 1 mode active", ROCE],
        "Port-Channel1": [ROCE],
    }
    return switch(name, ports, PEER)


AGGREGATION = switch("agg", {f"Ethernet1/{n}": ["channel-group 7 mode active", ROCE] for n in (1, 2)})


def verdicts(folder: Path, second: str, *leaves: dict[str, str], peer_links: tuple[str, ...] = PEER_LINKS) -> list[str]:
    wires = cables("leaf1:Ethernet1/1 agg:Ethernet1/1", f"{second}:Ethernet1/1 agg:Ethernet1/2", *peer_links)
    Network(folder, AGGREGATION, wires, *leaves)
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [f.verdict for f in found if f.rule == RULE]


def test_a_pair_with_one_number_is_one_partner(tmp_path: Path) -> None:
    assert verdicts(tmp_path, "leaf2", *(leaf(f"leaf{n}", "mlag 7") for n in (1, 2, 3, 4))) == []


def test_the_same_number_on_switches_of_two_pairs_is_no_channel(tmp_path: Path) -> None:
    assert verdicts(tmp_path, "leaf3", *(leaf(f"leaf{n}", "mlag 7") for n in (1, 2, 3, 4))) == ["fails"]


def test_where_the_peer_links_lead_may_not_be_seen(tmp_path: Path) -> None:
    """The number is all there is to go by."""
    assert verdicts(tmp_path, "leaf3", *(leaf(f"leaf{n}", "mlag 7") for n in (1, 2, 3, 4)), peer_links=()) == []


MEMBER = "channel-group 7 mode active"


@pytest.mark.parametrize(
    ("lines", "told"), [((MEMBER,), []), ((MEMBER, "shutdown"), []), ((), ["leaf2:Port-Channel7"])]
)
def test_a_channel_that_no_port_of_one_switch_is_in(tmp_path: Path, lines: tuple[str, ...], told: list[str]) -> None:
    halves = {
        name: switch(
            name,
            {
                "Port-Channel7": ["mlag 7", ROCE],
                "Ethernet1/1": [*its, ROCE],
                "Ethernet1/49": ["channel-group 1 mode active", ROCE],
                "Port-Channel1": [ROCE],
                **{f"Ethernet1/{n}": [ROCE] for n in range(2, 6)},
            },
            PEER,
        )
        for name, its in (("leaf1", (MEMBER,)), ("leaf2", lines))
    }
    observations = Network(tmp_path, *halves.values(), cables(*PEER_LINKS[:1])).site.observations
    assert [one.name for one in observations if one.kind == "conflict"] == told


@pytest.mark.parametrize("other", ["mlag 8", "description alone"])
def test_another_number_and_none_are_no_channel(tmp_path: Path, other: str) -> None:
    assert verdicts(tmp_path, "leaf2", leaf("leaf1", "mlag 7"), leaf("leaf2", other)) == ["fails"]


def test_one_ethernet_segment_needs_no_peer_link(tmp_path: Path) -> None:
    segment = ("evpn ethernet-segment", "   identifier 0000:0000:0000:0000:0007")
    assert verdicts(tmp_path, "leaf3", *(leaf(f"leaf{n}", *segment) for n in (1, 2, 3, 4))) == []


@pytest.mark.parametrize(("name", "carries"), [("0000:0000:0000:0000:0007", True), ("auto lacp", None)])
def test_a_segment_that_its_partner_names_may_be_any(tmp_path: Path, name: str, carries: bool | None) -> None:
    """A channel without RoCE is not the other half of one with it, for both are called after their partners."""
    segment = ("evpn ethernet-segment", f"   identifier {name}")
    plain = switch(
        "leaf2", {"Port-Channel7": [*segment], "Ethernet1/1": ["description web1", "channel-group 7 mode active"]}
    )
    assert Network(tmp_path, leaf("leaf1", *segment), plain).answer("leaf2:Ethernet1/1")[0] is carries


def test_a_number_against_a_segment_is_left_open(tmp_path: Path) -> None:
    segment = ("evpn ethernet-segment", "   identifier 0000:0000:0000:0000:0007")
    assert verdicts(tmp_path, "leaf2", leaf("leaf1", "mlag 7"), leaf("leaf2", *segment)) == ["unknown"]


def access(name: str, vlans: tuple[int, ...], *shared: str, peer: str = "to leaf1") -> dict[str, str]:
    """A switch with shared channels in these VLANs, a port that stands alone in VLAN 20, and a peer link."""
    ports = {
        "Ethernet1/40": [ROCE, "switchport access vlan 20"],
        "Ethernet1/49": [f"description {peer}", "channel-group 100 mode active", ROCE],
        "Port-Channel100": [f"description {peer}", ROCE],
    }
    for number, vlan in enumerate(vlans, 1):
        ports[f"Port-Channel{number}"] = [*(shared or (f"mlag {number}",)), ROCE, f"switchport access vlan {vlan}"]
        ports[f"Ethernet1/{number}"] = [f"channel-group {number} mode active", ROCE]
    return switch(name, ports, PEER.replace("Port-Channel1", "Port-Channel100"))


@pytest.mark.parametrize(
    ("leaves", "told"),
    [
        ((access("leaf1", (20, 20)), access("leaf2", (20, 21))), ["leaf2: interface Port-Channel2"]),
        ((access("leaf1", (21, 20)), access("leaf2", (20, 20))), ["leaf1: interface Port-Channel1"]),
        ((access("leaf1", (20, 20)), access("leaf2", (20, 20))), []),
        ((access("leaf1", (20,)), access("leaf2", (21,), "mlag 2")), []),
        ((access("leaf1", (20,), peer="peer"), access("leaf2", (21,), peer="to leaf11")), []),
        ((access("leaf1", (20,)), access("leaf2", (20,)), access("leaf3", (21,)), access("leaf4", (21,))), []),
    ],
    ids=["the second", "the first", "alike", "other numbers", "one of each of two pairs", "two pairs"],
)
def test_the_halves_of_a_channel_carry_the_same_vlans(
    tmp_path: Path, leaves: tuple[dict[str, str], ...], told: list[str]
) -> None:
    assert conflicts(tmp_path, *leaves) == told


def conflicts(folder: Path, *leaves: dict[str, str]) -> list[str]:
    """The lines at which something is told to contradict something else."""
    Network(folder, *leaves)
    found = [f for f in check(Request((str(folder),), Policy.empty())).report.findings if f.rule == "input/conflict"]
    lines = [(Path(member.path), member.line) for f in found if f.verdict == "fails" for member in f.members]
    return [f"{path.stem}: {path.read_text().splitlines()[line - 1].strip()}" for path, line in lines]


def described(
    name: str, *channels: tuple[str, str], vlans: str = "20-21", across: str = "20-21", vlans_of_2: str = "20-21"
) -> dict[str, str]:
    """A switch with channels, each with its description and what makes it shared, and a peer link that names no device."""
    ports = {
        "Ethernet1/49": ["description peer", "channel-group 100 mode active", ROCE],
        "Port-Channel100": [
            "description peer",
            "switchport mode trunk",
            f"switchport trunk allowed vlan {across}",
            ROCE,
        ],
    }
    for number, (title, shared) in enumerate(channels, 1):
        of = vlans_of_2 if number == 2 else vlans
        trunk = ["switchport mode trunk", f"switchport trunk allowed vlan {of}"]
        ports[f"Port-Channel{number}"] = [f"description {title}", shared or "no mlag", ROCE, *trunk]
        ports[f"Ethernet1/{number}"] = [f"channel-group {number} mode active", ROCE]
    return switch(name, ports, PEER.replace("Port-Channel1", "Port-Channel100"))


FIRST = (("host1", "mlag 1"), ("host2", "mlag 2"), ("host3", "mlag 3"))
SECOND = (("host4", "mlag 1"), ("host5", "mlag 2"), ("host6", "mlag 3"))
ALIKE = (("server", "mlag 1"), ("server", "mlag 2"), ("server", "mlag 3"))
OTHER_PAIR = (described("leaf3", *SECOND), described("leaf4", *SECOND))


@pytest.mark.parametrize(
    ("leaf2", "told"),
    [
        (described("leaf2", *FIRST), []),
        (described("leaf2", *FIRST, vlans_of_2="20"), ["leaf2: interface Port-Channel2"]),
        (described("leaf2", *FIRST[:2], ("host3", "mlag 33")), ["leaf2: interface Port-Channel3"]),
        (described("leaf2", *FIRST[:2], ("host3", "")), ["leaf2: interface Port-Channel3"]),
        (described("leaf2", *FIRST[:2], ("host3", "mlag 2")), ["leaf2: interface Port-Channel3"]),
        (described("leaf2", *FIRST, ("vault", "mlag 3")), ["leaf2: interface Port-Channel4"]),
        (described("leaf2", *FIRST, ("vault", ""), vlans="20-21"), []),
        (described("leaf2", *FIRST, across="20,4094"), ["leaf2: interface Port-Channel100"]),
        (described("leaf2", *FIRST, across="20"), []),
        (described("leaf2", *FIRST, across="4093-4094"), []),
        (described("leaf2", FIRST[0], ("host7", "mlag 2"), ("host8", "mlag 3"), vlans="20"), []),
        (described("leaf2", *ALIKE, vlans="20"), []),
    ],
    ids=[
        "alike",
        "a VLAN left out",
        "another number",
        "no number",
        "the number of another channel",
        "a number twice",
        "a channel of its own",
        "a VLAN that the peer link lacks",
        "a peer link with one VLAN",
        "a peer link with others alone",
        "one channel alike",
        "no host named",
    ],
)
def test_channels_that_are_described_alike_make_a_pair(tmp_path: Path, leaf2: dict[str, str], told: list[str]) -> None:
    """Other pairs use the same numbers, and the peer links name no device."""
    assert conflicts(tmp_path, described("leaf1", *FIRST), leaf2, *OTHER_PAIR) == told


@pytest.mark.parametrize(
    ("across", "told"),
    [
        ("20,22", ["leaf2: interface Port-Channel100"]),
        ("4093-4094", []),
        ("20", []),
    ],
)
def test_a_peer_link_that_carries_none_of_the_vlans_of_hosts(tmp_path: Path, across: str, told: list[str]) -> None:
    """Some are meant to carry none. That this one is not, its other end tells."""
    leaves = [
        described(name, *FIRST, vlans="21", vlans_of_2="21", across=vlans)
        for name, vlans in (("leaf1", "20-22"), ("leaf2", across))
    ]
    assert conflicts(tmp_path, *leaves) == told


def nexus(name: str, other: str, across: str) -> dict[str, str]:
    """A switch of a vPC pair whose hosts are in VLAN 10; packets without a tag cross the peer link in VLAN 99."""
    trunk = "  switchport\n  switchport mode trunk\n  switchport trunk native vlan 99\n"
    pfc = "  mtu 9216\n  priority-flow-control mode on\n"
    ports = {
        "port-channel1": f"{trunk}{across}{pfc}  vpc peer-link\n",
        **{f"port-channel1{n}": f"{trunk}  switchport trunk allowed vlan 10,99\n{pfc}  vpc 1{n}\n" for n in (1, 2)},
        **{f"Ethernet1/{n}": f"{trunk}{pfc}  channel-group 1{n} mode active\n" for n in (1, 2)},
        "Ethernet1/49": f"  description {other} Ethernet1/49\n{trunk}{across}{pfc}  channel-group 1 mode active\n",
    }
    qos = "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n    mtu 9216\n"
    top = f"!Command: show running-config\nversion 10.2(5)\nhostname {name}\nfeature vpc\n{qos}system qos\n"
    bound = "  service-policy type network-qos NQ\nvpc domain 1\n  peer-keepalive destination 192.0.2.1\n"
    return {f"{name}.cfg": top + bound + "".join(f"interface {port}\n{lines}" for port, lines in ports.items())}


@pytest.mark.parametrize(
    ("across", "told"),
    [("  switchport trunk allowed vlan 99\n", ["leaf2: interface port-channel1"]), ("", [])],
    ids=["one VLAN", "no list"],
)
def test_a_peer_link_that_carries_the_vlan_without_a_tag_alone(tmp_path: Path, across: str, told: list[str]) -> None:
    whole = "  switchport trunk allowed vlan 10,99\n"
    assert conflicts(tmp_path, nexus("leaf1", "leaf2", whole), nexus("leaf2", "leaf1", across)) == told


def test_a_vlan_that_one_half_alone_has_is_told_once(tmp_path: Path) -> None:
    leaves = [described(f"leaf{n}", *FIRST, vlans_of_2="20,22" if n == 2 else "20-21") for n in (1, 2)]
    assert len(conflicts(tmp_path, *leaves)) == 1


def test_pairs_without_a_word_of_hosts_are_not_told_apart(tmp_path: Path) -> None:
    leaves = [described(f"leaf{n}", *ALIKE, vlans="20" if n == 4 else "20-21") for n in (1, 2, 3, 4)]
    assert conflicts(tmp_path, *leaves) == []


@pytest.mark.parametrize(
    ("modes", "told"),
    [(("active", "on"), ["leaf2"]), (("on", "active"), ["leaf1"]), (("on", "on"), []), (("active", "passive"), [])],
)
def test_one_half_without_lacp(tmp_path: Path, modes: tuple[str, str], told: list[str]) -> None:
    """The host was not read."""
    wires = cables(PEER_LINKS[0])
    halves = [
        {
            file: text.replace("channel-group 7 mode active", f"channel-group 7 mode {mode}")
            for file, text in its.items()
        }
        for its, mode in ((leaf(f"leaf{n}", "mlag 7"), modes[n - 1]) for n in (1, 2))
    ]
    found = [one for one in Network(tmp_path, wires, *halves).site.observations if one.kind == "conflict"]
    assert [one.name.partition(":")[0] for one in found] == told
    assert all("the channel mlag 7 is bundled without LACP here" in one.text for one in found)
