"""How many NICs have their way through what a finding is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.fabric.traffic.radius import Radius, Reach

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


SECOND = switch("spine2", {"Ethernet1/1": (ROCE,), "Ethernet2/1": (ROCE,)})
LEAVES = tuple(switch(name, {**PORTS, "Ethernet34/1": (ROCE,)}) for name in ("leaf1", "leaf2"))
MORE = ("leaf1:Ethernet34/1 spine2:Ethernet1/1", "leaf2:Ethernet34/1 spine2:Ethernet2/1")


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        pytest.param((), (2, 2, 4, 4), id="both spines serve all"),
        pytest.param(("from: leaf1, to: leaf2, via: [spine2]",), (0, 2, 0, 4), id="one way for all"),
        pytest.param(
            ("from: gpu1, to: '*', via: [spine1]", "from: '*', to: '*', via: [spine2]"),
            (1, 1, 3, 3),
            id="one host apart",
        ),
        pytest.param(("from: gpu1, to: gpu3, via: [spine1]",), (2, 2, 4, 4), id="of the others nothing is said"),
        pytest.param(
            ("from: leaf1, to: leaf2, via: [spine2], one_way: true",),
            (2, 2, 4, 4),
            id="nothing is said of the way back",
        ),
    ],
)
def test_the_path_file_says_whom_a_port_serves(
    tmp_path: Path, paths: tuple[str, ...], expected: tuple[int, ...]
) -> None:
    policy = "path_file: ways.yaml\n" if paths else ""
    ways = {"ways.yaml": "paths:\n" + "".join(f"  - {{{entry}}}\n" for entry in paths)} if paths else {}
    net = Network(tmp_path, *FABRIC, *LEAVES, SECOND, ways, cables(*CABLES, *MORE), policy=policy)
    found = [reach(net, "leaf1:Ethernet33/1"), reach(net, "leaf1:Ethernet34/1")]
    name = net.site.fabrics[0].name
    found += [Radius(net.site).of_devices(name, [spine]) for spine in ("spine1", "spine2")]
    assert found == [Reach(nics, 4) for nics in expected]
