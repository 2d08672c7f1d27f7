"""Which NICs carry RoCE: an RDMA device alone proves nothing, and the front-end NIC has one too."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

A = NicText("ens1f0np0", "mlx5_0")
B = NicText("ens2f0np0", "mlx5_1")
FRONT = NicText("eno1np0", "mlx5_2", default_route=True, speed_mbps=25_000, model="MT4127")
PFC = {"pfc": (3,), "trust": "dscp"}
SWITCHES = "/sys/class/net/ens1f0np0/ecn/roce_rp/enable/{}:{}"
BACK_END = (NicText("ens1f0np0", "mlx5_0", **PFC), NicText("ens2f0np0", "mlx5_1", **PFC))


def test_rdma_device_alone_proves_nothing(tmp_path: Path) -> None:
    found = Network(tmp_path, host("gpu1", A, B))
    assert found.answer("gpu1:ens1f0np0") == (None, "none")


def test_pfc_that_is_off_is_no_word_against_roce(tmp_path: Path) -> None:
    """Off is how the driver sets a NIC up: the commonest fault must not make the NIC invisible."""
    found = Network(
        tmp_path, host("gpu1", A), switch("leaf1", {"Ethernet1/1": [ROCE]}), cables("leaf1:Ethernet1/1 gpu1:mlx5_0")
    )
    assert found.answer("gpu1:ens1f0np0") == (True, "cabling")


@pytest.mark.parametrize(
    ("nic", "said"),
    [
        (NicText("ens1f0np0", "mlx5_0", pfc=(3,)), "PFC"),
        (NicText("ens1f0np0", "mlx5_0", trust="dscp"), "DSCP trust"),
        (NicText("ens1f0np0", "mlx5_0", cnp_dscp=46), "CNP DSCP 46"),
        (
            NicText(
                "ens1f0np0", "mlx5_0", sysfs=("/sys/class/infiniband/mlx5_0/tc/1/traffic_class:Global tclass=106",)
            ),
            "forced to 106",
        ),
        (NicText("ens1f0np0", "mlx5_0", sysfs=tuple(SWITCHES.format(p, int(p == 3)) for p in range(8))), "DCQCN"),
    ],
)
def test_settings_that_no_driver_makes_speak_for_roce(tmp_path: Path, nic: NicText, said: str) -> None:
    port = Network(tmp_path, host("gpu1", nic)).port("gpu1:ens1f0np0")
    assert (port.roce.carries, port.roce.rank) == (True, "port_config")
    assert said in port.roce.because
    assert port.roce.at


@pytest.mark.parametrize("on", [(0, 0), (0, 8), (3, 4)])
def test_dcqcn_for_all_priorities_or_none_is_how_a_driver_leaves_it(tmp_path: Path, on: tuple[int, int]) -> None:
    shown = range(8) if on != (3, 4) else range(3, 4)  # of the last one the other switches are not seen
    nic = NicText("ens1f0np0", "mlx5_0", sysfs=tuple(SWITCHES.format(p, int(on[0] <= p < on[1])) for p in shown))
    assert Network(tmp_path, host("gpu1", nic)).answer("gpu1:ens1f0np0") == (None, "none")


@pytest.mark.parametrize(
    "env", ["NCCL_IB_HCA==mlx5_0,mlx5_1\n", "UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1\n", "NCCL_IB_HCA=^mlx5_2\n"]
)
def test_application_names_its_nics(tmp_path: Path, env: str) -> None:
    found = Network(tmp_path, host("gpu1", A, B, FRONT, env=env))
    assert [found.answer(f"gpu1:{nic}") for nic in ("ens1f0np0", "ens2f0np0")] == [(True, "port_config")] * 2
    assert found.answer("gpu1:eno1np0") == (False, "hint")
    (evidence,) = found.port("gpu1:ens1f0np0").roce.at
    assert str(evidence.path).endswith("gpu1/env.txt")  # type: ignore[union-attr]


def test_storage_nic_left_out_of_the_list_keeps_its_own_words(tmp_path: Path) -> None:
    storage = NicText("ens3f0np0", "mlx5_3", pfc=(4,), trust="dscp")
    found = Network(tmp_path, host("gpu1", A, B, storage, env="NCCL_IB_HCA==mlx5_0,mlx5_1\n"))
    assert found.answer("gpu1:ens3f0np0") == (True, "port_config")


def test_default_route_against_own_words_is_a_conflict(tmp_path: Path) -> None:
    front = NicText("eno1np0", "mlx5_2", pfc=(3,), default_route=True)
    found = Network(tmp_path, host("gpu1", *BACK_END, front))
    assert found.answer("gpu1:eno1np0") == (None, "conflict")
    (seen,) = (o for o in found.site.observations if o.kind == "scope-conflict")
    files = {Path(place.path).name for place in seen.at.at}  # type: ignore[union-attr]
    assert files == {"mlnx_qos_-i_eno1np0.txt", "ip_route_show.txt"}


def test_default_route_of_the_only_rdma_nic_is_no_hint(tmp_path: Path) -> None:
    only = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp", default_route=True)
    assert Network(tmp_path, host("store1", only)).answer("store1:ens1f0np0") == (True, "port_config")


def test_switch_port_prepared_for_roce_does_not_make_a_front_end_nic_carry_it(tmp_path: Path) -> None:
    found = Network(
        tmp_path,
        host("gpu1", *BACK_END, FRONT),
        switch("leaf1", {"Ethernet1/9": [ROCE]}),
        cables("leaf1:Ethernet1/9 gpu1:eno1np0"),
    )
    assert found.answer("gpu1:eno1np0") == (None, "conflict")


def test_slow_nic_is_no_roce_nic_unless_its_own_settings_say_so(tmp_path: Path) -> None:
    slow = NicText("ens5f0np0", "mlx5_4", speed_mbps=50_000)
    prepared = NicText("ens6f0np0", "mlx5_5", speed_mbps=50_000, pfc=(3,))
    found = Network(tmp_path, host("gpu1", *BACK_END, slow, prepared))
    assert found.answer("gpu1:ens5f0np0") == (False, "hint")
    assert found.answer("gpu1:ens6f0np0") == (True, "port_config")


def test_nic_without_rdma_device(tmp_path: Path) -> None:
    found = Network(tmp_path, host("gpu1", *BACK_END, NicText("eno1")))
    assert found.answer("gpu1:eno1") == (False, "hint")
    assert found.port("gpu1:eno1").roce.because == "no RDMA device"


def test_infiniband_and_nics_that_are_down_are_not_asked(tmp_path: Path) -> None:
    down = NicText("ens4f0np0", "mlx5_4", pfc=(3,), up=False)
    found = Network(tmp_path, host("gpu1", *BACK_END, NicText("ib0", "mlx5_3", layer="InfiniBand"), down))
    assert found.answer("gpu1:ib0") == (None, "not_data")
    assert found.answer("gpu1:ens4f0np0") == (None, "not_data")


def test_virtual_function_is_not_asked(tmp_path: Path) -> None:
    function = NicText("ens1f0v0", "mlx5_9", pfc=(3,), sysfs=("/sys/class/net/ens1f0v0/device/physfn/vendor:0x15b3",))
    assert Network(tmp_path, host("gpu1", *BACK_END, function)).answer("gpu1:ens1f0v0") == (None, "not_data")


def test_bond_members_are_judged_and_the_bond_is_not(tmp_path: Path) -> None:
    one = NicText("ens1f0np0", "mlx5_bond_0", pfc=(3,), trust="dscp", lag="bond0")
    two = NicText("ens1f1np1", pfc=(3,), trust="dscp", lag="bond0")
    found = Network(tmp_path, host("gpu1", one, two))
    assert found.answer("gpu1:ens1f0np0") == (True, "port_config")
    assert found.answer("gpu1:ens1f1np1") == (True, "port_config")  # its RDMA device is the bond's
    assert found.answer("gpu1:bond0") == (None, "not_data")


def test_policy_names_the_rdma_device(tmp_path: Path) -> None:
    policy = "ports:\n  - {match: 'gpu*:mlx5_1', roce: false}\n"
    found = Network(tmp_path, host("gpu1", *BACK_END), policy=policy)
    assert found.answer("gpu1:ens2f0np0") == (False, "policy")
    assert found.answer("gpu1:ens1f0np0") == (True, "port_config")


def test_similar_ports_on_the_same_host(tmp_path: Path) -> None:
    four = [NicText(f"ens{i}f0np0", f"mlx5_{i}", **PFC) for i in range(1, 5)]
    forgotten = NicText("ens5f0np0", "mlx5_5")
    other_model = NicText("ens6f0np0", "mlx5_6", model="MT4129")
    found = Network(tmp_path, host("gpu1", *four, forgotten, other_model))
    assert found.answer("gpu1:ens5f0np0") == (True, "similar_ports")
    assert found.answer("gpu1:ens6f0np0") == (None, "none")


def test_nics_of_unknown_model_and_speed_are_not_similar(tmp_path: Path) -> None:
    files = host("gpu1", *[NicText(f"ens{i}f0np0", **PFC) for i in range(1, 5)], NicText("ens5f0np0"))
    only_qos = {name: text for name, text in files.items() if "mlnx_qos" in name or "hostname" in name}
    assert Network(tmp_path, only_qos).answer("gpu1:ens5f0np0") == (None, "none")


def test_similar_ports_in_the_same_slot_over_the_fleet(tmp_path: Path) -> None:
    hosts = [host(f"gpu{i}", NicText("ens1f0np0", "mlx5_0", pci="0000:3b:00.0", **PFC)) for i in range(1, 4)]
    same = host("gpu7", NicText("ens1f0np0", "mlx5_0", pci="0000:3b:00.0"))
    elsewhere = host("gpu8", NicText("ens9f0np0", "mlx5_0", pci="0000:af:00.0"))
    found = Network(tmp_path, *hosts, same, elsewhere)
    assert found.answer("gpu7:ens1f0np0") == (True, "similar_ports")
    assert found.answer("gpu8:ens9f0np0") == (None, "none")


def test_a_port_without_link_and_cable_is_undecided_whatever_its_settings(tmp_path: Path) -> None:
    """The second port of a card is often set up by the same script, and nobody uses it."""
    spare = NicText("ens1f1np1", "mlx5_1", sysfs=("/sys/class/net/ens1f1np1/carrier:0",), **PFC)
    found = Network(tmp_path, host("gpu1", BACK_END[0], spare))
    assert found.answer("gpu1:ens1f0np0") == (True, "port_config")
    assert found.answer("gpu1:ens1f1np1") == (None, "conflict")


def test_a_port_without_link_that_has_a_cable_is_judged(tmp_path: Path) -> None:
    down = NicText("ens1f0np0", "mlx5_0", sysfs=("/sys/class/net/ens1f0np0/carrier:0",), **PFC)
    wire = cables("leaf1:Ethernet1/1 gpu1:mlx5_0")
    found = Network(tmp_path, host("gpu1", down), switch("leaf1", {"Ethernet1/1": [ROCE]}), wire)
    assert found.answer("gpu1:ens1f0np0") == (True, "cabling")


@pytest.mark.parametrize(("pfc", "wanted"), [((3,), (True, "port_config")), ((4,), (None, "conflict"))])
def test_a_slow_nic_with_another_class_than_the_fast_ones(
    tmp_path: Path, pfc: tuple[int, ...], wanted: tuple[bool | None, str]
) -> None:
    """A storage NIC runs a class of its own: that it lacks the back end's is no fault."""
    storage = NicText("ens3f0np0", "mlx5_2", speed_mbps=50_000, model="MT4117", pfc=pfc, trust="dscp")
    assert Network(tmp_path, host("gpu1", *BACK_END, storage)).answer("gpu1:ens3f0np0") == wanted
