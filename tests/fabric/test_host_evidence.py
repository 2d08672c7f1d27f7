"""What hosts show of their adapters: bonds, InfiniBand network devices, Windows adapters, iWARP among RoCE."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import Network, NicText, host, written

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy.values import Policy

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")


def findings(folder: Path, rule: str) -> list[Finding]:
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [f for f in found if f.rule == rule and f.verdict == "fails" and f.because_of is None]


def bonded(second_pfc: tuple[int, ...], files: dict[str, str]) -> dict[str, str]:
    first = NicText("ens1f0np0", lag="bond0", pfc=(3,), trust="dscp")
    second = NicText("ens1f1np1", lag="bond0", pfc=second_pfc, trust="dscp" if second_pfc else "pcp")
    return host("gpu1", first, second) | {f"gpu1/{name}": text for name, text in files.items()}


GIDS = (
    "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
    "mlx5_bond_0\t1\t3\t0000:0000:0000:0000:0000:ffff:0a01:0101\t10.1.1.1  \t\tv2\tbond0\nn_gids_found=1\n"
)


LINK = "link mlx5_bond_0/1 state ACTIVE physical_state LINK_UP netdev ens1f0np0\n"
"""`rdma link show` names the first member of a bond as the network device of its RDMA device."""


@pytest.mark.parametrize(
    "files",
    [
        {"ibdev2netdev.txt": "mlx5_bond_0 port 1 ==> bond0 (Up)\n"},
        {"show_gids.txt": GIDS},
        {"rdma_link_show.txt": LINK},
        {"rdma_link_show.txt": LINK, "show_gids.txt": GIDS},
    ],
    ids=["map", "gids", "link", "link-and-gids"],
)
def test_the_second_member_of_a_bond_without_pfc(tmp_path: Path, files: dict[str, str]) -> None:
    assert Network(tmp_path, bonded((3,), files)).answer("gpu1:ens1f1np1") == (True, "port_config")
    assert findings(tmp_path, "pfc/priority-off") == []
    assert Network(tmp_path, bonded((), files)).answer("gpu1:ens1f1np1") == (True, "port_config")
    (found,) = findings(tmp_path, "pfc/priority-off")
    assert (found.severity, found.device, found.subject) == ("error", "gpu1", "ens1f1np1")


@pytest.mark.parametrize(
    "files",
    [{"ibdev2netdev.txt": "mlx5_bond_0 port 1 ==> bond0 (Up)\n"}, {"rdma_link_show.txt": LINK}],
    ids=["map", "link"],
)
def test_the_forced_class_of_a_bond_is_judged(tmp_path: Path, files: dict[str, str]) -> None:
    forced = "/sys/class/infiniband/mlx5_bond_0/tc/1/traffic_class:Global tclass=136\n"
    hosts = bonded((3,), files) | {"gpu1/sysfs.txt": "/sys/class/net/ens1f0np0/device/vendor:0x15b3\n" + forced}
    policy = written(tmp_path, hosts, policy="roce: {dscp: [26], priority: [3]}\n")
    found = check(Request((str(tmp_path),), policy)).report.findings
    (marked,) = [one for one in found if one.rule == "app/traffic-outside-class"]
    assert (marked.severity, marked.subject) == ("error", "ens1f0np0 and 1 more")


def test_what_libraries_are_told_holds_for_the_device_of_the_bond(tmp_path: Path) -> None:
    """NCCL keeps to another device, so its class is not that of the bond's second member; the class of the bond's device is."""
    nics = GPU, *(NicText(name, lag="bond1", pfc=(4,), trust="dscp") for name in ("ens2f0np0", "ens2f1np1"))
    files = host("gpu1", *nics, env="NCCL_IB_HCA=mlx5_0\nNCCL_IB_TC=106\n")
    files["gpu1/ibdev2netdev.txt"] += "mlx5_bond_0 port 1 ==> bond1 (Up)\n"
    members = [f"gpu1:{nic.netdev}" for nic in nics]
    found = [Network(tmp_path, files).port(name).application for name in members]
    assert [(app.named.value, app.nccl_tos.value) for app in found if app] == [
        (True, 106),
        (False, None),
        (False, None),
    ]
    files["gpu1/sysfs.txt"] += "/sys/class/infiniband/mlx5_bond_0/tc/1/traffic_class:Global tclass=136\n"
    found = [Network(tmp_path, files).port(name).application for name in members]
    assert [app.forced_tos.value for app in found if app] == [None, 136, 136]


def test_the_network_device_of_an_infiniband_port(tmp_path: Path) -> None:
    """Neither a line that nobody understood nor a port of which nothing is known."""
    files = host("gpu1", GPU, NicText("ibs2"))
    del files["gpu1/ip_-d_-j_link_show.json"]
    files["gpu1/ethtool_-i_ibs2.txt"] = "driver: mlx5_core[ib_ipoib]\nversion: 23.10-1.1.9\n"
    assert Network(tmp_path, files).answer("gpu1:ibs2") == (None, "not_data")
    assert findings(tmp_path, "input/unread-line") == []


def _windows(name: str, rdma: bool, **more: object) -> dict[str, str]:
    adapter = {"Name": "SLOT 3 Port 1", "Enabled": rdma, "InterfaceDescription": "Mellanox ConnectX-6 Dx Adapter"}
    answers: dict[str, object] = {"Get-NetAdapterRdma": [adapter], **more}
    texts = {f"{name}/{command}.json": json.dumps(answer, indent=1) for command, answer in answers.items()}
    return texts | {f"{name}/hostname.txt": f"{name}\n"}


SMB = {"Get-NetQosPolicy": [{"Name": "SMB", "NetDirectPortMatchCondition": 445, "PriorityValue8021Action": 3}]}


@pytest.mark.parametrize(("rdma", "wanted"), [(True, True), (False, None)])
def test_a_windows_adapter_with_rdma_under_a_policy_for_smb_direct(
    tmp_path: Path, rdma: bool, wanted: bool | None
) -> None:
    found = Network(tmp_path, _windows("node1", rdma, **SMB))
    assert found.port("node1:SLOT 3 Port 1").roce.carries in ((True,) if wanted else (None, False))


def test_a_windows_adapter_with_rdma_alone(tmp_path: Path) -> None:
    assert Network(tmp_path, _windows("node1", True)).answer("node1:SLOT 3 Port 1") == (None, "none")


def _iwarp(name: str, **nic: object) -> dict[str, str]:
    files = host(name, NicText("ens1f0np0", "mlx5_0", **nic))  # type: ignore[arg-type]
    files[f"{name}/sysfs.txt"] += "/sys/class/infiniband/mlx5_0/node_type:4: RNIC\n"
    return files


def test_an_iwarp_node_among_roce_nodes(tmp_path: Path) -> None:
    Network(tmp_path, host("gpu1", GPU), host("gpu2", GPU))
    assert findings(tmp_path, "fleet/iwarp-beside-roce") == []
    Network(tmp_path, _iwarp("gpu2"))
    (found,) = findings(tmp_path, "fleet/iwarp-beside-roce")
    assert (found.severity, found.device) == ("warning", "gpu2")
    assert "node_type:4" in found.locations[0].text
    assert "gpu1:ens1f0np0" in found.message


@pytest.mark.parametrize("nic", [{"default_route": True}, {"up": False}])
def test_an_iwarp_adapter_that_is_not_meant_for_it(tmp_path: Path, nic: dict[str, object]) -> None:
    Network(tmp_path, host("gpu1", GPU), _iwarp("gpu2", **nic))
    assert findings(tmp_path, "fleet/iwarp-beside-roce") == []


def test_iwarp_alone_is_nothing_to_tell(tmp_path: Path) -> None:
    Network(tmp_path, _iwarp("gpu1"), _iwarp("gpu2"))
    assert findings(tmp_path, "fleet/iwarp-beside-roce") == []


def test_an_application_entry_for_roce_on_a_nic_without_pfc(tmp_path: Path) -> None:
    told = {
        "gpu1/ethtool_-i_ens3f0np0.txt": "driver: bnxt_en\nbus-info: 0000:3d:00.0\n",
        "gpu1/rdma_link_show.txt": "link bnxt_re0/1 state ACTIVE physical_state LINK_UP netdev ens3f0np0\n",
        "gpu1/dcb_-N_-j_pfc_show_dev_ens3f0np0.txt": json.dumps({"pfc_cap": 8, "prio_pfc": [False] * 8}) + "\n",
    }
    nameless = {path: text for path, text in told.items() if "rdma" not in path}
    entry = {"gpu1/dcb_-N_-j_app_show_dev_ens3f0np0.txt": json.dumps({"dgram_port_prio": [[4791, 3]]}) + "\n"}
    assert Network(tmp_path / "without", told).answer("gpu1:ens3f0np0")[0] is not True
    assert Network(tmp_path / "with", told | entry).answer("gpu1:ens3f0np0") == (True, "port_config")
    assert Network(tmp_path / "nameless", nameless | entry).answer("gpu1:ens3f0np0") == (True, "port_config")
