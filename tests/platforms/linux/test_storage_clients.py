"""Storage over RDMA: the ToS byte of Lustre, BeeGFS and 3FS, without a fabric to hold it against."""

from __future__ import annotations

from pathlib import Path

import pytest
from host_answers import host

from roce_audit.audit import Request, check
from roce_audit.engine import rulepack
from roce_audit.policy.values import Policy
from roce_audit.text.document import Document

HF3FS = """\
[[server.base.groups]]
network_type = 'RDMA'
services = [ 'StorageSerde' ]

[server.base.groups.io_worker.ibsocket]
traffic_class = 106

[[server.base.groups]]
network_type = 'TCP'
services = [ 'Core' ]
"""
LNET = "net:\n  - net type: o2ib\n    local NI(s):\n      - interfaces: {0: ens1f0np0}\n        lnd tunables:\n          tos: 106\n"
BEEGFS = "sysMgmtdHost = mgmt1\nconnUseRDMA = true\nconnRDMATypeOfService = 106\n"
CEPH = "[global]\nms_type = async+rdma\nms_async_rdma_device_name = mlx5_0\nms_async_rdma_dscp = 106\nms_async_rdma_roce_ver = 1\n"
NVME = """[{"hostnqn": "nqn.2014-08.org.nvmexpress:uuid:1", "subsystems": [
  {"nqn": "nqn.2019-05.example:a", "ports": [
    {"transport": "rdma", "traddr": "10.0.0.1"},
    {"transport": "rdma", "traddr": "10.0.0.2"}
  ]}
]}]
"""
GPFS = "clusterName scratch.nsd1\nverbsRdma enable\nverbsPorts mlx5_0/1 mlx5_1/1\nverbsRdmaCm enable\nverbsRdmaRoCEToS 106\n"
SPDK = """{"subsystems": [{"subsystem": "bdev", "config": [
  {"method": "bdev_nvme_set_options", "params": {"transport_ack_timeout": 14,
    "transport_tos": 106}},
  {"method": "bdev_nvme_attach_controller", "params": {"name": "a", "trtype": "RDMA", "traddr": "10.0.0.1", "subnqn": "nqn:a"}},
  {"method": "bdev_nvme_attach_controller", "params": {"name": "a", "trtype": "RDMA", "traddr": "10.0.0.2", "subnqn": "nqn:a"}}
]}, {"subsystem": "nvmf", "config": [
  {"method": "nvmf_create_transport", "params": {"trtype": "RDMA"}},
  {"method": "nvmf_subsystem_add_listener", "params": {"nqn": "nqn:b",
    "listen_address": {"trtype": "RDMA", "traddr": "10.0.1.1"}}}
]}]}
"""
LUSTRE = "options lnet networks=o2ib0(ens1f0np0)\noptions ko2iblnd peer_credits=32 tos=106\n"


def told(folder: Path, name: str, text: str) -> list[tuple[str, int]]:
    """(rule, line) of what fails."""
    (folder / name).write_text(text)
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return [(one.rule, one.members[0].line) for one in report.findings if one.verdict == "fails"]


@pytest.mark.parametrize(
    ("name", "text", "sound", "slip", "line"),
    [
        ("storage_main.toml", HF3FS, "106", "26", 6),
        ("storage_main.toml", HF3FS, "'RDMA'", "'TCP'", 2),
        ("lnet.conf", LNET, "tos: 106", "tos: 26", 6),
        ("beegfs-client.conf", BEEGFS, "= 106", "= 26", 3),
        ("beegfs-client.conf", BEEGFS, "= true", "= false", 2),
        ("lustre.conf", LUSTRE, "tos=106", "tos=26", 2),
        ("ceph.conf", CEPH, "= 106", "= 26", 4),
        ("ceph.conf", CEPH, "ver = 1", "ver = 0", 5),
        ("ceph.conf", CEPH, "async+rdma", "async+posix", 2),
        ("mmlsconfig.txt", GPFS, "ToS 106", "ToS 26", 5),
        ("mmlsconfig.txt", GPFS, "Cm enable", "Cm disable", 4),
        ("mmlsconfig.txt", GPFS, "verbsRdma enable", "verbsRdma disable", 2),
        ("bdev.json", SPDK, "106", "26", 3),
        ("bdev.json", SPDK, '"RDMA", "traddr": "10.0.0.2"', '"TCP", "traddr": "10.0.0.2"', 5),
        ("bdev.json", SPDK, '"RDMA", "traddr": "10.0.1.1"', '"TCP", "traddr": "10.0.1.1"', 9),
        ("config.json", NVME, '"rdma", "traddr": "10.0.0.2"', '"tcp", "traddr": "10.0.0.2"', 4),
    ],
)
def test_slips_of_storage_clients(tmp_path: Path, name: str, text: str, sound: str, slip: str, line: int) -> None:
    assert not told(tmp_path, name, text)
    rule = "app/tos-reads-like-priority" if slip.endswith("26") else "input/conflict"
    assert told(tmp_path, name, text.replace(sound, slip)) == [(rule, line)]


def test_ceph_that_uses_rdma_between_its_servers_alone(tmp_path: Path) -> None:
    assert not told(
        tmp_path,
        "ceph.conf",
        CEPH.replace("ms_type = async+rdma", "ms_type = async+posix\nms_cluster_type = async+rdma"),
    )


def test_storage_that_goes_over_tcp_and_sets_no_class(tmp_path: Path) -> None:
    text = HF3FS.replace("'RDMA'", "'TCP'").replace("traffic_class = 106", "max_rdma_wr = 128")
    assert not told(tmp_path, "storage_main.toml", text)
    assert not told(tmp_path, "beegfs-client.conf", BEEGFS.replace("106", "0"))


def test_another_byte_than_the_first_that_reads_like_a_dscp(tmp_path: Path) -> None:
    text = LUSTRE + LUSTRE.replace("106", "26")
    assert told(tmp_path, "lustre.conf", text) == [("input/conflict", 4)]


@pytest.mark.parametrize(
    ("text", "lists", "indices"),
    [
        (CEPH + "ms_async_rdma_gid_idx = 3\n", "=mlx5_0", 3),
        ("[global]\nms async rdma gid idx = 3 ; of RoCEv2\nms async rdma device name = mlx5_0\n", "=mlx5_0", 3),
        # the address decides, not the number
        (CEPH + "ms_async_rdma_gid_idx = 3\nms_async_rdma_local_gid = ::ffff:10.0.0.1\n", "=mlx5_0", None),
        (GPFS, "=mlx5_0:1,mlx5_1:1", None),
        (GPFS.replace("mlx5_1/1", "mlx5_1/2/1"), "=mlx5_0:1,mlx5_1:2", None),
        # each kind of node has its own
        (GPFS + "[nsd]\nverbsPorts mlx5_4/1\n", None, None),
    ],
)
def test_devices_and_gids_of_storage(text: str, lists: str | None, indices: int | None) -> None:
    facts = host(Document("storage.conf", text, None)).host
    assert facts is not None
    assert (facts.storage_devices.value_or_none(), facts.storage_gid_index.value_or_none()) == (lists, indices)
