"""Ways over switches that were not read: `trace` says that it did not see them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch, written

from roce_audit.cli.main import main

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")
TO_HOSTS = [f"leaf{number}:Ethernet3/1 gpu{number}:ens1f0np0" for number in (1, 2)]
UP = [f"leaf{leaf}:Ethernet{spine}/1 spine{spine}:Ethernet{leaf}/1" for leaf in (1, 2) for spine in (1, 2)]


def traced(
    capsys: pytest.CaptureFixture[str], folder: Path, *links: str, spines: tuple[int, ...] = (1,)
) -> dict[str, Any]:
    ports = {f"Ethernet{number}/1": [ROCE] for number in (1, 2, 3, 4)}
    names = ["leaf1", "leaf2", *(f"spine{number}" for number in spines)]
    written(
        folder,
        *(switch(name, ports) for name in names),
        host("gpu1", GPU),
        host("gpu2", GPU),
        cables(*TO_HOSTS, *links),
    )
    main(["trace", "gpu1:ens1f0np0", "gpu2:ens1f0np0", str(folder), "-f", "json"])
    (found,) = json.loads(capsys.readouterr().out)["traces"]
    return dict(found)


def unseen(found: dict[str, Any], way: dict[str, Any]) -> list[str]:
    return [one["text"] for hop in way["hops"] for one in hop["unseen"]]


def test_all_spines_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = traced(capsys, tmp_path, *UP, spines=(1, 2))
    assert not any("no file" in text for text in unseen(found, found["way"]))


def test_a_spine_that_was_not_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = traced(capsys, tmp_path, *UP)
    assert found["holds"] is None
    assert "packets go over spine2 as well, where leaf1:Ethernet2/1 leads, and no file of it was read" in unseen(
        found, found["way"]
    )
    assert any("where leaf2:Ethernet2/1 leads" in text for text in unseen(found, found["cnps"]["way"]))


@pytest.mark.parametrize(
    "more",
    [
        [f"leaf{leaf}:Ethernet4/1 gpu9:ens1f{leaf}np0" for leaf in (1, 2)],
        [f"leaf{leaf}:Ethernet4/1 store:ens1f{leaf}np0" for leaf in (1, 2)],
        ["leaf1:Ethernet4/1 other:Ethernet1/1"],
    ],
    ids=["one more host", "a host of another name", "leads nowhere else"],
)
def test_what_no_packet_of_this_path_passes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, more: list[str]
) -> None:
    found = traced(capsys, tmp_path, *UP, *more, spines=(1, 2))
    assert not any("no file" in text for text in unseen(found, found["way"]))


FOUR = {f"Ethernet{number}/1": [ROCE] for number in (1, 2, 3, 4)}


def plane(number: int, ports: dict[str, list[str]]) -> dict[str, str]:
    """A leaf and a spine of one of two planes, in folders of their own."""
    both = switch(f"p{number}-leaf", ports) | switch(f"p{number}-spine", {"Ethernet1/1": next(iter(ports.values()))})
    return {f"plane{number}/{name}": text for name, text in both.items()}


def planes(hosts: int, nics: tuple[str, str], other: dict[str, list[str]] | None = None) -> list[dict[str, str]]:
    """Two planes that so many hosts connect, none of which was read."""
    up = [f"p{n}-leaf:Ethernet4/1 p{n}-spine:Ethernet1/1" for n in (1, 2)]
    down = [f"p{n}-leaf:Ethernet{h}/1 gpu{h}:{nics[n - 1]}" for n in (1, 2) for h in range(1, hosts + 1)]
    return [plane(1, FOUR), plane(2, other or FOUR), cables(*up, *down)]


def of_storage(parts: list[dict[str, str]]) -> list[dict[str, str]]:
    """The same, where the switches of the second network have names of their own."""
    return [{file: text.replace("p2-", "storage-") for file, text in part.items()} for part in parts]


@pytest.mark.parametrize(
    ("parts", "fabrics"),
    [
        (planes(3, ("ens1np0", "ens2np0")), 1),
        (planes(2, ("ens1np0", "ens2np0")), 2),
        (planes(3, ("eth0", "eth0")), 2),
        (planes(3, ("Ethernet1", "Ethernet2")), 2),
        (planes(3, ("ens1np0", "ens2np0"), {port: ["mtu 9214"] for port in FOUR}), 2),
        (of_storage(planes(3, ("ens1np0", "ens2np0"))), 2),
    ],
    ids=["three hosts", "two hosts", "of templates", "other switches", "a lossy network", "for storage"],
)
def test_hosts_that_were_not_read_make_two_planes_one_fabric(
    tmp_path: Path, parts: list[dict[str, str]], fabrics: int
) -> None:
    found = Network(tmp_path, *parts)
    assert len({fabric.name for fabric in found.site.fabrics if fabric.ports}) == fabrics


@pytest.mark.parametrize(
    ("right", "nic", "told"),
    [(7, "ens1np0", 1), (6, "ens1np0", 0), (7, "bond0", 0)],
    ids=["a slip", "every seventh", "a bond"],
)
def test_a_nic_that_was_not_read_at_two_ports(tmp_path: Path, right: int, nic: str, told: int) -> None:
    ports = {f"Ethernet{number}/1": [ROCE] for number in range(1, 11)}
    plan = cables(
        *(f"leaf1:Ethernet{number}/1 gpu{number}:ens1np0" for number in range(1, right + 1)),
        f"leaf1:Ethernet9/1 gpu9:{nic}",
        f"leaf1:Ethernet10/1 gpu9:{nic}",
    )
    found = [one for one in Network(tmp_path, switch("leaf1", ports), plan).site.observations if one.kind == "conflict"]
    assert [one.text for one in found] == [
        "leaf1:Ethernet9/1 and leaf1:Ethernet10/1 are both cabled to gpu9:ens1np0: one of the two is a slip"
    ] * told


@pytest.mark.parametrize(("other", "told"), [("", 1), ("older/", 0)], ids=["one plan", "another plan"])
def test_what_two_plans_say_of_a_nic_is_about_two_sites(tmp_path: Path, other: str, told: int) -> None:
    ports = {f"Ethernet{number}/1": [ROCE] for number in range(1, 11)}
    first = [f"leaf1:Ethernet{number}/1 gpu{number}:ens1np0" for number in range(1, 10)]
    second = ["leaf2:Ethernet9/1 gpu9:ens1np0"]
    plans = (
        {f"{other}topology.yaml": text for text in cables(*second).values()} if other else cables(*first, *second),
        cables(*first) if other else {},
    )
    network = Network(tmp_path, switch("leaf1", ports), switch("leaf2", ports), *plans)
    assert len([one for one in network.site.observations if "both cabled to" in one.text]) == told


@pytest.mark.parametrize(("second", "told"), [("gpu2", 1), ("gpu1.example.net", 0)], ids=["another host", "its domain"])
def test_a_channel_to_two_hosts_that_were_not_read(tmp_path: Path, second: str, told: int) -> None:
    member = [ROCE, "channel-group 3 mode active"]
    ports = {"Port-Channel3": [ROCE], "Ethernet1/1": member, "Ethernet2/1": member}
    plan = cables("leaf1:Ethernet1/1 gpu1:ens1np0", f"leaf1:Ethernet2/1 {second}:ens2np0")
    found = [one for one in Network(tmp_path, switch("leaf1", ports), plan).site.observations if one.kind == "conflict"]
    assert [one.text.partition(",")[0] for one in found] == [
        "leaf1:Ethernet1/1 leads to gpu1 and leaf1:Ethernet2/1 to gpu2"
    ] * told
