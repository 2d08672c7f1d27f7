"""Descriptions of two ports of a switch that are exchanged."""

from __future__ import annotations

from pathlib import Path

from fabric_samples import ROCE, Network, switch


def described(name: str, *said: str) -> dict[str, str]:
    return switch(name, {f"Ethernet{n}": [ROCE, f"description {text}"] for n, text in enumerate(said, 1)})


def told(folder: Path, *spine: str) -> list[str]:
    leaves = [described(f"leaf{n}", f"spine1 Ethernet{n}") for n in (1, 2, 3)]
    site = Network(folder, *leaves, described("spine1", *spine)).site
    return [one.text for one in site.observations if "are exchanged" in one.text]


def test_each_names_the_other(tmp_path: Path) -> None:
    assert told(tmp_path, "leaf1 Ethernet1", "leaf2 Ethernet1", "leaf3 Ethernet1") == []


def test_two_of_them_are_exchanged(tmp_path: Path) -> None:
    (one,) = told(tmp_path, "leaf1 Ethernet1", "leaf3 Ethernet1", "leaf2 Ethernet1")
    assert one == (
        "spine1:Ethernet2 is described as cabled to leaf3:Ethernet1, and spine1:Ethernet3 to leaf2:Ethernet1, and each of these names"
        " the other one: the descriptions or the cables are exchanged"
    )


def test_one_that_is_old_is_no_exchange(tmp_path: Path) -> None:
    assert told(tmp_path, "leaf1 Ethernet1", "leaf3 Ethernet1", "leaf3 Ethernet1") == []
