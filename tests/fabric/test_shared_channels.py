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


@pytest.mark.parametrize("other", ["mlag 8", "description alone"])
def test_another_number_and_none_are_no_channel(tmp_path: Path, other: str) -> None:
    assert verdicts(tmp_path, "leaf2", leaf("leaf1", "mlag 7"), leaf("leaf2", other)) == ["fails"]


def test_one_ethernet_segment_needs_no_peer_link(tmp_path: Path) -> None:
    segment = ("evpn ethernet-segment", "   identifier 0000:0000:0000:0000:0007")
    assert verdicts(tmp_path, "leaf3", *(leaf(f"leaf{n}", *segment) for n in (1, 2, 3, 4))) == []


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
    Network(tmp_path, *leaves)
    found = [f for f in check(Request((str(tmp_path),), Policy.empty())).report.findings if f.rule == "input/conflict"]
    lines = [(Path(member.path), member.line) for f in found if f.verdict == "fails" for member in f.members]
    assert [f"{path.stem}: {path.read_text().splitlines()[line - 1].strip()}" for path, line in lines] == told
