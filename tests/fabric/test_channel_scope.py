"""A member of a channel carries what the other members carry, unless something speaks against it."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, switch

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
