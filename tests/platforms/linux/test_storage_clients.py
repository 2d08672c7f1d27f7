"""Storage over RDMA: the ToS byte of Lustre, BeeGFS and 3FS, without a fabric to hold it against."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from host_answers import answer, host

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy import load
from roce_audit.policy.values import Policy
from roce_audit.text.document import Document

ROOT = Path(__file__).parents[3]
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
MAYASTOR = 'io_engine:\n  target:\n    nvmf:\n      rdma: {enabled: true}\n  nvme:\n    transportTos: "106"\n'
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
        ("ceph.conf", CEPH.replace("dscp = 106", "cm = true"), "ver = 1", "ver = 0", 5),
        ("ceph.conf", CEPH, "roce_ver = 1", "local_gid = fe80::1", 5),
        ("ceph.conf", CEPH, "async+rdma", "async+posix", 2),
        ("mmlsconfig.txt", GPFS, "ToS 106", "ToS 26", 5),
        ("mmlsconfig.txt", GPFS, "Cm enable", "Cm disable", 4),
        ("mmlsconfig.txt", GPFS, "verbsRdma enable", "verbsRdma disable", 2),
        ("values.yaml", MAYASTOR, "106", "26", 6),
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
    assert not told(tmp_path, "values.yaml", MAYASTOR.replace("106", ""))


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


CONNECT = "/usr/sbin/nvme connect -t rdma -a 10.0.0.1 -n nqn.2019-05.example:a --tos={}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("etc/systemd/system/nvme.service", f"[Service]\nExecStart={CONNECT}\n[Install]\nWantedBy=multi-user.target\n"),
        ("etc/rc.local", f"#!/bin/sh\n{CONNECT}\n"),
        ("etc/modprobe.d/lustre.conf", "# Lustre\noptions ko2iblnd tos={} peer_credits=32\n"),
    ],
)
def test_the_byte_that_a_boot_file_of_a_host_gives_its_storage(tmp_path: Path, path: str, text: str) -> None:
    shutil.copytree(ROOT / "roce_audit/platforms/linux/examples/base", tmp_path / "x")
    file = tmp_path / "x" / "gpu1" / path
    file.parent.mkdir(parents=True)
    policy = load(tmp_path / "x" / "roce-audit.yaml")
    told = {}
    for byte in (106, 184):
        file.write_text(text.format(byte))
        found = check(Request((str(tmp_path / "x"),), policy)).report.findings
        told[byte] = {
            (one.severity, one.members[0].path[-8:], one.members[0].line)
            for one in found
            if one.rule == "app/traffic-outside-class"
        }
    assert told == {106: set(), 184: {("error", path[-8:], 2)}}


def test_network_devices_of_lustre(tmp_path: Path) -> None:
    """LNet takes RDMA over network devices: one without an RDMA device, and one whose NIC pauses nothing."""
    shutil.copytree(ROOT / "roce_audit/platforms/linux/examples/base", tmp_path / "x")
    file = tmp_path / "x" / "gpu1" / "etc/modprobe.d/lustre.conf"
    file.parent.mkdir(parents=True)
    policy = load(tmp_path / "x" / "roce-audit.yaml")
    told = {}
    for names in ("o2ib0(ens1f0np0),o2ib1(ens2f0np0)", "o2ib(ens1f0np0, eno1np0)", "tcp(eno1np0),o2ib(ens1f0np0.100)"):
        file.write_text(f'options lnet networks="{names}"\n')
        found = check(Request((str(tmp_path / "x"),), policy)).report.findings
        told[names] = [one.message for one in found if one.members and one.members[0].path.endswith("lustre.conf")]
    assert not told["o2ib0(ens1f0np0),o2ib1(ens2f0np0)"]
    assert not told["tcp(eno1np0),o2ib(ens1f0np0.100)"]
    assert len(told["o2ib(ens1f0np0, eno1np0)"]) == 1, told


@pytest.mark.parametrize(("names", "said"), [("ens1f0np0", 0), ("ens1f0np0,eno2", 1), ("eno7", 0), ("bond0", 0)])
def test_lustre_over_a_network_device_without_rdma(names: str, said: int) -> None:
    """What no answer names may be there all the same, and a bond has the RDMA device of its members."""
    links = '[{"ifname": "ens1f0np0"}, {"ifname": "eno2", "parentbus": "pci", "parentdev": "0000:05:00.0"}, {"ifname": "bond0"}]'
    found = host(
        answer("ibdev2netdev", "mlx5_0 port 1 ==> ens1f0np0 (Up)\n"),
        answer("ip -j -d link show", links),
        answer("cat /etc/modprobe.d/lustre.conf", f"options lnet networks=o2ib0({names})\n"),
    )
    told = [seen.observation.text for seen in found.seen if seen.observation.kind == "conflict"]
    assert len(told) == said
    assert all("eno2" in text for text in told)
