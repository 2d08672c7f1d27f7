"""How many NICs have their way through what a finding is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.fabric.radius import Radius, Reach

NICS = {f"gpu{n}": NicText("ens1f0np0", "mlx5_0", (3,), "dscp") for n in range(1, 5)}
PORTS = {"Ethernet1/1": (ROCE,), "Ethernet2/1": (ROCE,), "Ethernet33/1": (ROCE,)}
FABRIC = (
    switch("leaf1", PORTS),
    switch("leaf2", PORTS),
    switch("spine1", {"Ethernet1/1": (ROCE,), "Ethernet2/1": (ROCE,)}),
    *(host(name, nic) for name, nic in NICS.items()),
)
CABLES = (
    "leaf1:Ethernet1/1 gpu1:ens1f0np0",
    "leaf1:Ethernet2/1 gpu2:ens1f0np0",
    "leaf2:Ethernet1/1 gpu3:ens1f0np0",
    "leaf2:Ethernet2/1 gpu4:ens1f0np0",
    "leaf1:Ethernet33/1 spine1:Ethernet1/1",
    "leaf2:Ethernet33/1 spine1:Ethernet2/1",
)


def reach(net: Network, *ports: str) -> Reach | None:
    return Radius(net.site).of_ports(net.site.fabrics[0].name, [net.port(port) for port in ports])


@pytest.fixture
def net(tmp_path: Path) -> Network:
    return Network(tmp_path, *FABRIC, cables(*CABLES))


@pytest.mark.parametrize(
    ("ports", "nics"),
    [
        (("gpu1:ens1f0np0",), 1),
        (("leaf1:Ethernet1/1",), 1),
        (("leaf1:Ethernet33/1",), 2),
        (("spine1:Ethernet1/1",), 2),
        (("leaf1:Ethernet33/1", "spine1:Ethernet1/1", "leaf1:Ethernet1/1"), 2),
        (("spine1:Ethernet1/1", "leaf2:Ethernet1/1"), 3),
        (("spine1:Ethernet1/1", "spine1:Ethernet2/1"), 4),
    ],
)
def test_nics_below_ports_count_once(net: Network, ports: tuple[str, ...], nics: int) -> None:
    assert reach(net, *ports) == Reach(nics, 4)


@pytest.mark.parametrize(("device", "nics"), [("gpu1", 1), ("leaf2", 2), ("spine1", 4)])
def test_nics_below_a_device(net: Network, device: str, nics: int) -> None:
    assert Radius(net.site).of_devices(net.site.fabrics[0].name, [device]) == Reach(nics, 4)


def test_a_fabric_is_on_the_way_of_all(net: Network) -> None:
    assert Radius(net.site).of_fabric(net.site.fabrics[0].name) == Reach(4, 4)


@pytest.mark.parametrize("missing", range(len(CABLES)))
def test_nothing_is_said_where_a_cable_is_not_known(tmp_path: Path, missing: int) -> None:
    partial = Network(tmp_path, *FABRIC, cables(*CABLES[:missing], *CABLES[missing + 1 :]))
    known = {fabric.name: Radius(partial.site).of_fabric(fabric.name) for fabric in partial.site.fabrics}
    assert None in known.values()
    assert Reach(4, 4) not in known.values()


def test_nothing_is_said_of_a_port_without_roce(tmp_path: Path) -> None:
    leaf = switch("leaf1", {**PORTS, "Ethernet60/1": ("priority-flow-control mode off",)})
    quiet = Network(
        tmp_path, *FABRIC, leaf, cables(*CABLES), policy='ports: [{match: "*:Ethernet60/1", roce: false}]\n'
    )
    assert reach(quiet, "leaf1:Ethernet60/1") is None
    assert reach(quiet, "leaf1:Ethernet33/1") == Reach(2, 4)
