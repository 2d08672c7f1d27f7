"""Hosts with NICs in two networks of switches: one fabric, unless switches and NICs say together that they are two."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from fabric_samples import PROFILE, ROCE, Network, NicText, cables, host, switch

COMPUTE = ("leaf1", "leaf2")
STORAGE = ("tor1", "tor2")
LINKS = (
    "leaf1:Ethernet1/1 gpu1:ens1f0",
    "leaf2:Ethernet1/1 gpu2:ens1f0",
    "leaf1:Ethernet2/1 leaf2:Ethernet2/1",
    "tor1:Ethernet1/1 gpu1:ens2f0",
    "tor2:Ethernet1/1 gpu2:ens2f0",
    "tor1:Ethernet2/1 tor2:Ethernet2/1",
)
BOTH = "fabrics:\n  compute: {devices: ['leaf*', 'gpu*']}\n  storage: {devices: ['tor*']}\n"


def at_priority(name: str, priority: int) -> dict[str, str]:
    files = switch(
        name, {f"Ethernet{n}/1": [ROCE] for n in (1, 2)}, f"qos map dscp {priority * 8} to traffic-class {priority}\n"
    )
    return {
        path: text.replace("priority-flow-control priority 3", f"priority-flow-control priority {priority}").replace(
            "uc-tx-queue 3", f"uc-tx-queue {priority}"
        )
        for path, text in files.items()
    }


def gpu(name: str, second: int) -> dict[str, str]:
    return host(
        name,
        NicText("ens1f0", "mlx5_0", pfc=(3,), trust="dscp"),
        NicText("ens2f0", "mlx5_1", pfc=(second,), trust="dscp"),
    )


def site(folder: Path, storage: Mapping[str, int], nics: Mapping[str, int], policy: str = "") -> Network:
    parts = [at_priority(name, 3) for name in COMPUTE] + [at_priority(name, storage[name]) for name in STORAGE]
    return Network(folder, *parts, *(gpu(name, nics[name]) for name in ("gpu1", "gpu2")), cables(*LINKS), policy=policy)


def classes(found: Network) -> list[set[int]]:
    return [set(cls.priority.get()) for fabric in found.site.fabrics for cls in fabric.classes.roce]


def test_storage_beside_compute_is_a_fabric_of_its_own(tmp_path: Path) -> None:
    found = site(tmp_path, {"tor1": 4, "tor2": 4}, {"gpu1": 4, "gpu2": 4})
    assert [sorted(device.name for device in fabric.devices) for fabric in found.site.fabrics] == [
        ["gpu1", "gpu2", "leaf1", "leaf2"],
        ["tor1", "tor2"],
    ]
    assert classes(found) == [{3}, {4}]


@pytest.mark.parametrize(("running", "fabrics"), [(4, 2), (3, 1)])
def test_switches_of_which_only_what_runs_was_seen_say_it_too(tmp_path: Path, running: int, fabrics: int) -> None:
    answer = "Port     Status Priorities Action\n" + "".join(
        f"Et{n}/1    E A W  {running}          drop\n" for n in (1, 2)
    )
    part = "".join(f"interface Ethernet{n}/1\n   no switchport\n!\n" for n in (1, 2))
    tors = {
        f"{name}/{file}": text
        for name in STORAGE
        for file, text in (("show_running-config_interfaces.txt", part), ("show_priority-flow-control.txt", answer))
    }
    leaves = [at_priority(name, 3) for name in COMPUTE]
    found = Network(tmp_path, *leaves, tors, gpu("gpu1", 4), gpu("gpu2", 4), cables(*LINKS))
    assert len(found.site.fabrics) == fabrics


@pytest.mark.parametrize(
    ("storage", "nics"),
    [
        ({"tor1": 3, "tor2": 3}, {"gpu1": 3, "gpu2": 3}),  # rails of one fabric
        (
            {"tor1": 4, "tor2": 4},
            {"gpu1": 3, "gpu2": 3},
        ),  # switches that were given another priority than the NICs at them
        ({"tor1": 4, "tor2": 4}, {"gpu1": 4, "gpu2": 3}),  # one host that was not
        ({"tor1": 4, "tor2": 3}, {"gpu1": 4, "gpu2": 3}),  # switches that are not of one mind
    ],
)
def test_what_hosts_alone_connect_is_one_fabric_otherwise(
    tmp_path: Path, storage: Mapping[str, int], nics: Mapping[str, int]
) -> None:
    assert len(site(tmp_path, storage, nics).site.fabrics) == 1


@pytest.mark.parametrize("policy", ["", BOTH])
def test_a_nic_belongs_to_the_fabric_of_its_switch(tmp_path: Path, policy: str) -> None:
    found = site(tmp_path, {"tor1": 4, "tor2": 4}, {"gpu1": 4, "gpu2": 4}, policy)
    of_nic = {port.id: port.fabric for fabric in found.site.fabrics for port in fabric.ports if port.is_nic}
    names = [fabric.name for fabric in found.site.fabrics]
    assert (of_nic["gpu1:ens1f0"], of_nic["gpu1:ens2f0"]) == (names[0], names[1])


def test_a_bond_belongs_to_the_network_of_its_members(tmp_path: Path) -> None:
    """Its RDMA device marks the class of storage, which is none of compute's."""
    names = ("ens2f0np0", "ens2f1np1")
    bonded = (NicText(name, pfc=(4,), trust="dscp", lag="bond1") for name in names)
    gpu1 = host("gpu1", NicText("ens1f0", "mlx5_0", pfc=(3,), trust="dscp"), *bonded)
    gpu1["gpu1/ibdev2netdev.txt"] = "mlx5_0 port 1 ==> ens1f0 (Up)\nmlx5_bond_0 port 1 ==> bond1 (Up)\n"
    ends = (f"{tor}:Ethernet1/1 gpu1:{name}" for tor, name in zip(STORAGE, names, strict=True))
    switches = [at_priority(name, 3) for name in COMPUTE] + [at_priority(name, 4) for name in STORAGE]
    found = Network(tmp_path, *switches, gpu1, cables("leaf1:Ethernet1/1 gpu1:ens1f0", *ends), policy=BOTH)
    assert [found.port(f"gpu1:{name}").fabric for name in ("ens1f0", *names, "bond1")] == ["compute", *["storage"] * 3]


def test_the_slow_nics_of_a_network_of_their_own_are_not_slow(tmp_path: Path) -> None:
    """Storage at a quarter of compute's speed and in another priority: a hint against RoCE only beside faster NICs of one network."""
    nics = (
        NicText("ens1f0", "mlx5_0", pfc=(3,), trust="dscp", speed_mbps=400_000),
        NicText("ens2f0", "mlx5_1", pfc=(4,), trust="dscp", speed_mbps=100_000),
    )
    switches = [at_priority(name, 3) for name in COMPUTE] + [at_priority(name, 4) for name in STORAGE]
    found = Network(tmp_path, *switches, *(host(name, *nics) for name in ("gpu1", "gpu2")), cables(*LINKS), policy=BOTH)
    assert [found.answer(f"gpu1:{nic.netdev}") for nic in nics] == [(True, "cabling")] * 2
    beside = Network(tmp_path, *switches, *(host(name, *nics) for name in ("gpu1", "gpu2")), cables(LINKS[0]))
    assert beside.answer("gpu1:ens2f0")[0] is not True


@pytest.mark.parametrize(("purpose", "carries"), [("", None), ("   switchport access vlan 10\n", True)])
def test_a_part_that_says_nothing_of_its_port_is_no_leaf_for_that(
    tmp_path: Path, purpose: str, carries: bool | None
) -> None:
    """A port with a phone in the configuration of another network, beside ports of a leaf of which nothing else is said either."""
    leaf = "".join(f"interface Ethernet{n}\n{purpose}   service-profile ROCE\n!\n" for n in range(1, 5))
    files = {"sw1.cfg": PROFILE + leaf, "sw2.cfg": f"interface Ethernet1\n{purpose}   qos trust cos\n!\n"}
    assert Network(tmp_path, files).answer("sw2:Ethernet1")[0] is carries
