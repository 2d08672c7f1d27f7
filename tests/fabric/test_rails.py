"""Cables of rails: of two that are swapped for each other one is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

LINE = (
    "{0}: eth{1}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n"
    "    link/ether b8:3f:d2:06:{2:02x}:0{1} brd ff:ff:ff:ff:ff:ff\n"
)


def told(folder: Path, hosts: int, crossed: dict[tuple[int, int], int], nics: int = 3) -> list[tuple[str | None, str]]:
    """`crossed` is host and NIC -> the leaf that it leads to instead of its own."""
    files: dict[str, str] = {}
    for host in range(1, hosts + 1):
        lines = "".join(LINE.format(nic + 1, nic, host) for nic in range(1, nics + 1))
        files |= {f"gpu{host}/hostname.txt": f"gpu{host}\n", f"gpu{host}/ip_-d_link_show.txt": lines}
    leaves = [
        switch(f"leaf{leaf}", {f"Ethernet{host}/1": [ROCE] for host in range(1, hosts + 1)})
        for leaf in range(1, nics + 1)
    ]
    wires = cables(
        *(
            f"leaf{crossed.get((host, nic), nic)}:Ethernet{host}/1 gpu{host}:eth{nic}"
            for host in range(1, hosts + 1)
            for nic in range(1, nics + 1)
        )
    )
    Network(folder, wires, files, *leaves)
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [(f.device, f.message.partition(" is a")[0]) for f in found if f.rule == "fabric/rail-crossed"]


@pytest.mark.parametrize("hosts", [4, 12])
def test_a_swap_is_told_once(tmp_path: Path, hosts: int) -> None:
    swap = "Ethernet3/1 (gpu3:eth3, swapped with gpu3:eth2 on leaf3:Ethernet3/1)"
    assert told(tmp_path, hosts, {(3, 2): 3, (3, 3): 2}) == [("leaf2", swap)]


@pytest.mark.parametrize("hosts", [4, 12])
def test_three_in_a_circle_are_no_swap(tmp_path: Path, hosts: int) -> None:
    found = told(tmp_path, hosts, {(3, 1): 2, (3, 2): 3, (3, 3): 1})
    assert found == [(f"leaf{leaf}", f"Ethernet3/1 (gpu3:eth{nic})") for leaf, nic in ((1, 3), (2, 1), (3, 2))]


def test_rails_as_they_should_be(tmp_path: Path) -> None:
    assert told(tmp_path, 12, {}) == []
