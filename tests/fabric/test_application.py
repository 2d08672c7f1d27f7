"""What NCCL and UCX do with a NIC: seen, defaulted, forced, or nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import Network, NicText, host

from roce_audit.model import Application
from roce_audit.values import Place, Why

FORCED = ("/sys/class/infiniband/mlx5_0/tc/1/traffic_class:Global tclass=104",)
FREE = ("/sys/class/infiniband/mlx5_0/tc/1/traffic_class:",)


def application(folder: Path, env: str = "", sysfs: tuple[str, ...] = (), rdma: str = "mlx5_0") -> Application:
    nic = NicText("ens1f0np0", rdma, pfc=(3,), trust="dscp", sysfs=sysfs)
    found = Network(folder, host("gpu1", nic, env=env)).port("gpu1:ens1f0np0").application
    assert found is not None
    return found


def test_nothing_seen_is_absent_and_not_in_doubt(tmp_path: Path) -> None:
    found = application(tmp_path)
    cells = (found.forced_tos, found.nccl_tos, found.ucx_tos, found.gid_index, found.named)
    assert all(cell.is_absent for cell in cells)


@pytest.mark.parametrize("sysfs", [(), FREE])
def test_what_the_environment_says(tmp_path: Path, sysfs: tuple[str, ...]) -> None:
    """The inbox driver shows no forced class at all; that is no reason to doubt NCCL_IB_TC."""
    found = application(tmp_path, "NCCL_IB_TC=106\nUCX_IB_TRAFFIC_CLASS=96\nNCCL_IB_GID_INDEX=3\n", sysfs)
    assert (found.nccl_tos.value, found.ucx_tos.value, found.gid_index.value) == (106, 96, 3)
    (at,) = found.nccl_tos.at
    assert isinstance(at, Place)
    assert (Path(at.path).name, at.line) == ("env.txt", 1)


def test_forced_class_beats_the_application(tmp_path: Path) -> None:
    found = application(tmp_path, "NCCL_IB_TC=26\nUCX_IB_TRAFFIC_CLASS=26\n", FORCED)
    assert found.forced_tos.value == 104
    assert found.nccl_tos.is_absent
    assert found.ucx_tos.is_absent


def test_library_in_use_without_a_class_takes_its_default(tmp_path: Path) -> None:
    found = application(tmp_path, "NCCL_IB_HCA=mlx5\nUCX_NET_DEVICES=all\n")
    assert (found.nccl_tos.value, found.nccl_tos_is_default.value) == (0, True)
    assert (found.ucx_tos.value, found.ucx_tos_is_default.value) == (106, True)


def test_library_that_is_not_seen_in_use_has_no_default(tmp_path: Path) -> None:
    found = application(tmp_path, "HOME=/root\nNCCL_DEBUG=INFO\n")
    assert found.nccl_tos.is_absent
    assert found.ucx_tos.is_absent


def test_library_keeps_to_its_list(tmp_path: Path) -> None:
    found = application(tmp_path, "NCCL_IB_HCA==mlx5_4\nNCCL_IB_TC=26\nUCX_IB_TRAFFIC_CLASS=104\n")
    assert found.nccl_tos.is_absent
    assert found.ucx_tos.value == 104
    assert found.named.value is False


def test_value_that_is_no_number_is_in_doubt(tmp_path: Path) -> None:
    found = application(tmp_path, "NCCL_IB_TC=high\n")
    assert found.nccl_tos.why is Why.NOT_PARSED


def test_the_list_that_names_the_nic_is_told(tmp_path: Path) -> None:
    found = application(tmp_path, "NCCL_IB_HCA==mlx5_4\nUCX_NET_DEVICES=mlx5_0:1\n")
    assert (found.named.value, found.named_by.value) == (True, "UCX_NET_DEVICES=mlx5_0:1")


def test_nics_of_one_subnet(tmp_path: Path) -> None:
    def addresses(*local: str) -> dict[str, str]:
        rows = [
            f'{{"ifindex": {i}, "ifname": "ens{i}f0np0", "addr_info": [{{"local": "{text}", "prefixlen": 24, "scope": "global"}}]}}'
            for i, text in enumerate(local, 1)
        ]
        return {"gpu1/ip_-j_addr_show.json": "[\n" + ",\n".join(rows) + "\n]\n"}

    nics = [NicText(f"ens{i}f0np0", f"mlx5_{i}", pfc=(3,), trust="dscp") for i in (1, 2)]
    for folder, local, wanted in (
        ("same", ("192.0.2.1", "192.0.2.2"), "ens2f0np0"),
        ("apart", ("192.0.2.1", "198.51.100.1"), None),
    ):
        found = Network(tmp_path / folder, host("gpu1", *nics), addresses(*local)).port("gpu1:ens1f0np0").application
        assert found is not None
        assert found.shares_subnet_with.value == wanted
