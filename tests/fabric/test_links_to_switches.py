"""Links to two switches of one kind are made alike, be the speed of one of them written and that of the other not."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

QOS = "   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
PORT = (
    "interface Ethernet{0}\n   description {1}\n   mtu 9214\n{2}   no switchport\n   ip address 10.0.{0}.1/31\n{3}!\n"
)


@pytest.mark.parametrize(
    ("label", "speed", "found"),
    [
        ("spine2:Et7", "", ["error"]),
        ("spine2:Et7", "   speed forced 100gfull\n", ["error"]),
        ("firewall2:Et7", "", []),
    ],
)
def test_the_link_to_the_second_spine_left_out(tmp_path: Path, label: str, speed: str, found: list[str]) -> None:
    ports = [("1", "spine1:Et7", "", QOS), ("2", label, speed, ""), ("3", "gpu1", "", QOS), ("4", "gpu2", "", QOS)]
    text = (
        "! Command: show running-config\nhostname leaf1\n!\n" + "".join(PORT.format(*port) for port in ports) + "end\n"
    )
    (tmp_path / "leaf1.cfg").write_text(text)
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert [f.severity for f in report.findings if f.rule == "pfc/priority-off"] == found


@pytest.mark.parametrize(
    ("links", "made", "hosts", "carries"),
    [(20, 1, 0, None), (20, 3, 0, True), (20, 1, 1, True), (2, 1, 0, True), (3, 1, 0, True)],
    ids=["a slip", "three of them", "beside a host", "one of two", "one of three"],
)
def test_one_link_of_many_may_be_a_slip(
    tmp_path: Path, links: int, made: int, hosts: int, carries: bool | None
) -> None:
    ports = {
        f"Ethernet{n}/1": [
            *([ROCE] if n <= made else []),
            f"description spine{n} Ethernet1/1",
            f"ip address 10.0.{n}.0/31",
        ]
        for n in range(1, links + 1)
    }
    gpus = {f"Ethernet{n}/1": [ROCE, f"description gpu{n}"] for n in range(41, 41 + hosts)}
    found = Network(tmp_path, switch("front1", ports | gpus))
    assert found.answer("front1:Ethernet1/1")[0] is True
    assert found.answer(f"front1:Ethernet{links}/1")[0] is carries


def test_a_peer_link_serves_no_hosts(tmp_path: Path) -> None:
    """A pair of switches between leaves with RoCE has another network below as well."""
    ports = {
        "Ethernet1/1": [ROCE, "description leaf1 Ethernet1/1"],
        "Ethernet5/1": ["description plain1 Ethernet1/1"],
        "Port-Channel100": [ROCE, "description peer link"],
        "Ethernet9/1": [ROCE, "channel-group 100 mode active"],
    }
    agg = switch("agg1", ports, "mlag configuration\n   peer-link Port-Channel100\n!\n")
    leaf = switch("leaf1", {"Ethernet1/1": [ROCE, "description agg1 Ethernet1/1"]})
    plain = switch("plain1", {"Ethernet1/1": ["description agg1 Ethernet5/1"]})
    found = Network(tmp_path, agg, leaf, plain)
    assert found.answer("agg1:Ethernet9/1")[0] is True
    assert found.answer("agg1:Ethernet5/1")[0] is None
    assert found.answer("plain1:Ethernet1/1")[0] is None


@pytest.mark.parametrize(("described", "carries"), [("leaf9_Ethernet1/1", None), ("gpu1_ens1f0np0", True)])
def test_a_port_described_as_those_to_switches_serves_no_hosts(
    tmp_path: Path, described: str, carries: bool | None
) -> None:
    """Its description names a far end that names another port, so no cable is known of it."""
    to_leaves = {f"Ethernet{n}/1": [ROCE, f"description leaf{n}_Ethernet1/1"] for n in (1, 2)}
    more = {"Ethernet3/1": [ROCE, f"description {described}"], "Ethernet9/1": ["description edge1_Ethernet1/1"]}
    leaves = [switch(f"leaf{n}", {"Ethernet1/1": [ROCE, f"description spine1_Ethernet{n}/1"]}) for n in (1, 2)]
    edge = switch("edge1", {"Ethernet1/1": ["description spine1_Ethernet9/1"]})
    found = Network(tmp_path, switch("spine1", to_leaves | more), *leaves, edge)
    assert [found.answer(port)[0] for port in ("spine1:Ethernet9/1", "edge1:Ethernet1/1")] == [carries, carries]


@pytest.mark.parametrize(
    ("description", "answer"),
    [("border-leaf Ethernet1/1", (None, "none")), ("spine1 Ethernet1/1", (True, "path"))],
)
def test_what_speaks_against_one_end_leaves_the_other_unclear(
    tmp_path: Path, description: str, answer: tuple[bool, str]
) -> None:
    hosts = {f"Ethernet{number}/1": [f"description gpu{number}", ROCE] for number in range(1, 4)}
    network = Network(
        tmp_path,
        switch("leaf1", {**hosts, "Ethernet9/1": [f"description {description}", "mtu 9214"]}),
        switch("far1", {"Ethernet1/1": ["mtu 9214"]}),
        cables("leaf1:Ethernet9/1 far1:Ethernet1/1"),
    )
    assert network.answer("far1:Ethernet1/1") == answer


@pytest.mark.parametrize(("mtu", "answer"), [("1500", (None, "none")), ("9214", (True, "path"))])
def test_a_link_of_small_packets_without_pause_at_either_end_is_a_way_for_others(
    tmp_path: Path, mtu: str, answer: tuple[bool | None, str]
) -> None:
    """To the core of before, say."""
    ports = {f"Ethernet{number}/1": [f"description gpu{number}", ROCE, "mtu 9214"] for number in range(1, 5)}
    network = Network(
        tmp_path,
        switch("leaf1", {**ports, "Ethernet9/1": ["description core1 Ethernet1/1", f"mtu {mtu}"]}),
        switch("core1", {"Ethernet1/1": ["description leaf1 Ethernet9/1"]}),
        cables("leaf1:Ethernet9/1 core1:Ethernet1/1"),
    )
    assert network.answer("leaf1:Ethernet9/1") == answer
    assert network.answer("core1:Ethernet1/1") == answer
