"""Transit: which ports RoCE must pass though nothing shows that they carry it, and where nobody may say so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fabric_samples import ROCE, Network, NicText, cables, host, switch

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")
SECOND = NicText("ens2f0np0", "mlx5_1", pfc=(3,), trust="dscp")
LINKS = (
    "leaf1:Ethernet1/1 gpu1:ens1f0np0",
    "leaf2:Ethernet1/1 gpu2:ens1f0np0",
    "leaf1:Ethernet2/1 spine1:Ethernet1/1",
    "leaf2:Ethernet2/1 spine2:Ethernet1/1",
    "spine1:Ethernet2/1 core1:Ethernet1/1",
    "spine2:Ethernet2/1 core1:Ethernet2/1",
)


def passed(tmp_path: Path, bare: Iterable[str], *more: str, same_host: bool = False) -> set[str]:
    """The ports that only a way shows to carry RoCE; `bare` are ports without a setting for it."""
    names = ("leaf1", "leaf2", "spine1", "spine2", "core1")
    wanted = [end for link in (*LINKS, *more) for end in link.split()]
    parts = [
        switch(
            name,
            {
                port: [] if f"{name}:{port}" in bare else [ROCE]
                for port in ("Ethernet1/1", "Ethernet2/1", "Ethernet3/1")
                if f"{name}:{port}" in wanted
            },
        )
        for name in names
    ]
    links = [link.replace("gpu2:ens1f0np0", "gpu1:ens2f0np0") if same_host else link for link in (*LINKS, *more)]
    hosts = [host("gpu1", GPU, SECOND)] if same_host else [host("gpu1", GPU), host("gpu2", GPU)]
    transit = Network(tmp_path, *parts, *hosts, cables(*links)).site.transit
    return {port for port, way in transit.items() if not way.known_to_carry}


ABOVE = {"spine1:Ethernet2/1", "spine2:Ethernet2/1", "core1:Ethernet1/1", "core1:Ethernet2/1"}


def test_all_ways_lead_over_bare_ports(tmp_path: Path) -> None:
    assert passed(tmp_path, ABOVE) == ABOVE


def test_one_bare_link_decided_by_its_other_end_is_no_question(tmp_path: Path) -> None:
    assert passed(tmp_path, {"spine1:Ethernet2/1"}) == set()


def test_a_way_around_them_is_left(tmp_path: Path) -> None:
    around = "leaf1:Ethernet3/1 spine2:Ethernet3/1"
    assert passed(tmp_path, ABOVE, around) == set()


def test_roce_may_be_meant_for_one_rack(tmp_path: Path) -> None:
    """Not even the leaf's own port on the way is set up: nobody says that the class is to leave the rack."""
    below = {"leaf1:Ethernet2/1", "leaf2:Ethernet2/1", "spine1:Ethernet1/1", "spine2:Ethernet1/1"}
    assert passed(tmp_path, ABOVE | below).isdisjoint(ABOVE)


def test_two_rails_of_one_host_need_no_way(tmp_path: Path) -> None:
    assert passed(tmp_path, ABOVE, same_host=True) == set()
