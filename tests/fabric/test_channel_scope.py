"""A member of a channel carries what the other members carry, unless something speaks against it."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch

CHANNEL = "channel-group 20 mode active"
MEMBER, LAST = "leaf1:Ethernet9/1", "Ethernet9/1"


@pytest.mark.parametrize(
    ("first", "last", "answer"),
    [
        ([ROCE], [], (True, "similar_ports")),
        ([ROCE], ["no priority-flow-control on"], (True, "similar_ports")),
        ([], [], (None, "none")),
        ([ROCE], ["description oob firewall"], (False, "hint")),
    ],
    ids=["nothing said", "turned off", "none of them", "hint"],
)
def test_members_of_a_channel(tmp_path: Path, first: list[str], last: list[str], answer: tuple[bool, str]) -> None:
    ports = {"Ethernet8/1": [CHANNEL, *first], LAST: [CHANNEL, *last]}
    assert Network(tmp_path, switch("leaf1", ports)).answer(MEMBER) == answer


def test_another_channel_says_nothing(tmp_path: Path) -> None:
    ports = {"Ethernet8/1": [CHANNEL, ROCE], LAST: ["channel-group 21 mode active"]}
    assert Network(tmp_path, switch("leaf1", ports)).answer(MEMBER) == (None, "none")


@pytest.mark.parametrize("settings", [[ROCE], []])
def test_a_member_of_a_peer_link_whose_settings_were_taken_away(tmp_path: Path, settings: list[str]) -> None:
    pair = "mlag configuration\n   peer-link Port-Channel20\n!\n"
    ports = {"Ethernet8/1": [CHANNEL, ROCE], LAST: [CHANNEL, *settings]}
    found = Network(tmp_path, switch("leaf1", ports, pair)).answer(MEMBER)
    assert found == ((True, "port_config") if settings else (True, "similar_ports"))


@pytest.mark.parametrize(
    ("other", "wires", "answer"),
    [
        ("mlag 20", ("leaf1:Ethernet5/1 leaf2:Ethernet5/1",), (True, "similar_ports")),
        ("mlag 21", ("leaf1:Ethernet5/1 leaf2:Ethernet5/1",), (None, "none")),
        ("mlag 20", (), (None, "none")),
    ],
    ids=["both halves", "another channel", "another pair"],
)
def test_the_other_half_of_a_channel(
    tmp_path: Path, other: str, wires: tuple[str, ...], answer: tuple[bool | None, str]
) -> None:
    pair = "mlag configuration\n   peer-link Port-Channel99\n!\ninterface Port-Channel20\n   {}\n!\n"
    peer_link = {"Ethernet5/1": ["channel-group 99 mode active", ROCE]}
    here = switch("leaf1", {LAST: [CHANNEL], **peer_link}, pair.format("mlag 20"))
    there = switch("leaf2", {LAST: [CHANNEL, ROCE], **peer_link}, pair.format(other))
    assert Network(tmp_path, here, there, cables(*wires)).answer(MEMBER) == answer


@pytest.mark.parametrize(("end", "carries"), [("end\n", None), ("", True)], ids=["whole", "part"])
def test_a_channel_that_waits_for_its_host_carries_nothing(tmp_path: Path, end: str, carries: bool | None) -> None:
    """Of a part of a configuration nobody knows whether it has members."""
    its = switch("leaf1", {"Ethernet1/1": [ROCE], "Port-Channel7": [ROCE, "mlag 7"]})
    its = {
        file: (text if end else text.removesuffix("end\n").replace("! Command: show running-config\n", ""))
        for file, text in its.items()
    }
    assert Network(tmp_path, its).answer("leaf1:Port-Channel7")[0] is carries
