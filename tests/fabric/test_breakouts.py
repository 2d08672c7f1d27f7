"""Ports of one cage: a forgotten breakout child is told by its sibling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, switch

OTHERS: dict[str, list[str]] = {f"Ethernet{n}/1": [] for n in range(2, 6)}


def test_a_child_without_settings_beside_its_sibling(tmp_path: Path) -> None:
    found = Network(tmp_path, switch("leaf1", {"Ethernet1/1": [ROCE], "Ethernet1/2": [], **OTHERS}))
    assert found.answer("leaf1:Ethernet1/2") == (True, "similar_ports")
    assert found.answer("leaf1:Ethernet2/1") == (None, "none")


@pytest.mark.parametrize(
    "child",
    [["speed 100g-2"], ["description oob switch"], ["description backup server"], ["no priority-flow-control on"]],
    ids=["speed", "hint", "words", "explicitly off"],
)
def test_a_child_that_is_told_apart(tmp_path: Path, child: list[str]) -> None:
    sibling = ["description gpu1", "speed 400g-8", ROCE]
    child = ["speed 400g-8", *child] if "speed" not in child[0] else child
    found = Network(tmp_path, switch("leaf1", {"Ethernet1/1": sibling, "Ethernet1/2": child, **OTHERS}))
    assert found.answer("leaf1:Ethernet1/2")[0] is not True


@pytest.mark.parametrize("words", ["gpu05b eth_rail0", "gpu05 B eth_rail1"])
def test_a_child_of_another_speed_that_leads_to_the_same_kind_of_neighbour(tmp_path: Path, words: str) -> None:
    """The letter behind a number tells one neighbour from the next, as the number does."""
    sibling, child = ["description gpu04 eth_rail0", "speed 400g-4", ROCE], [f"description {words}", "speed 100g-1"]
    found = Network(tmp_path, switch("leaf1", {"Ethernet1/1": sibling, "Ethernet1/5": child, **OTHERS}))
    assert found.answer("leaf1:Ethernet1/5") == (True, "similar_ports")


@pytest.mark.parametrize(
    "others",
    [[], ["Ethernet2/1"], [*OTHERS, "Ethernet1/9"], ["Ethernet2/2", "Ethernet3/1", "Ethernet4/1", "Ethernet5/1"]],
)
def test_ports_of_a_line_card_are_no_siblings(tmp_path: Path, others: Sequence[str]) -> None:
    ports = {"Ethernet1/1": [ROCE], "Ethernet1/2": [], **{name: [] for name in others}}
    assert Network(tmp_path, switch("leaf1", ports)).answer("leaf1:Ethernet1/2") == (None, "none")


def test_a_number_more_than_other_ports_have_is_a_lane(tmp_path: Path) -> None:
    ports = {"Ethernet1/1": [], "Ethernet1/5/1": [ROCE], "Ethernet1/5/2": []}
    assert Network(tmp_path, switch("leaf1", ports)).answer("leaf1:Ethernet1/5/2") == (True, "similar_ports")


def test_cumulus_children(tmp_path: Path) -> None:
    lines = ["system hostname leaf1", "qos pfc p switch-priority 3", "qos pfc p tx enable", "qos pfc p rx enable"]
    lines += [f"interface swp5s{n} link speed 100G" for n in range(2)] + ["interface swp5s0 qos pfc profile p"]
    found = Network(tmp_path, {"leaf1.nv": "".join(f"nv set {line}\n" for line in lines)})
    assert found.answer("leaf1:swp5s1") == (True, "similar_ports")


NXOS = "!Command: show running-config\nhostname leaf1\n\ninterface Ethernet1/1\n  no switchport\n  "


@pytest.mark.parametrize(
    "text",
    [
        f"{NXOS}priority-flow-control mode on\n",
        (
            "! Command: show running-config\nhostname leaf1\ninterface Ethernet1/1\n   no switchport\n"
            "   priority-flow-control on\n   priority-flow-control priority 5 drop\nend\n"
        ),
    ],
    ids=["nothing bound", "nothing but drop"],
)
def test_pfc_for_no_priority_says_nothing_for_roce(tmp_path: Path, text: str) -> None:
    assert Network(tmp_path, {"leaf1.cfg": text}).answer("leaf1:Ethernet1/1") == (None, "none")
