"""Jobs over InfiniBand beside a fabric with RoCE: what they are told is nothing that Ethernet has, and no fault of RoCE."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.platforms import platform
from roce_audit.policy import load
from roce_audit.text.document import DeviceInput, Document

RULES = tuple(rulepack.load())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("NCCL_SOCKET_IFNAME=eno1", ["app/job-level-without-class", "app/job-takes-default-gid"]),
        ("NCCL_SOCKET_IFNAME=^ib0", ["app/job-level-without-class", "app/job-takes-default-gid"]),
        ("NCCL_SOCKET_IFNAME=ib0,eno1", ["app/job-level-without-class", "app/job-takes-default-gid"]),
        ("NCCL_IB_PKEY=0", ["app/job-level-without-class", "app/job-takes-default-gid"]),
        ("NCCL_SOCKET_IFNAME=ib0", []),
        ("GLOO_SOCKET_IFNAME==ibs1,ibs2", []),
        ("NCCL_IB_HCA=ibp12s0:1,ibp75s0:1", []),
        ("NCCL_IB_PKEY=0x8001", []),
    ],
)
def test_what_only_infiniband_has(tmp_path: Path, said: str, told: list[str]) -> None:
    (tmp_path / "roce-audit.yaml").write_text("classes: [{name: roce, dscp: [26], priority: 3}]\n")
    (tmp_path / "job.sh").write_text(
        f"#!/bin/bash\nexport {said}\nexport NCCL_IB_SL=1\nexport NCCL_IB_GID_INDEX=0\nmpirun -np 8 ./train\n"
    )
    report = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), rules=RULES)).report
    assert sorted(one.rule for one in report.findings if one.verdict == "fails") == told


@pytest.mark.parametrize(("said", "told"), [("ib0", []), ("eno1", ["app/job-outside-class"])])
def test_a_traffic_class_of_zero(tmp_path: Path, said: str, told: list[str]) -> None:
    (tmp_path / "roce-audit.yaml").write_text("classes: [{name: roce, dscp: [26], priority: 3}]\n")
    (tmp_path / "job.sh").write_text(f"export NCCL_SOCKET_IFNAME={said}\nexport NCCL_IB_TC=0\nmpirun -np 8 ./train\n")
    report = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), rules=RULES)).report
    assert sorted(one.rule for one in report.findings if one.verdict == "fails") == told


def test_a_link_of_infiniband_is_read() -> None:
    text = (
        "$ rdma link show\n"
        "link mlx5_0/1 subnet_prefix fe80:0000:0000:0000 lid 12 sm_lid 1 lmc 0 state ACTIVE physical_state LINK_UP \n"
        "link mlx5_1/1 state ACTIVE physical_state LINK_UP netdev ens2np0 \n"
    )
    reading = platform("linux").read(DeviceInput("host1", "linux", (Document("rdma_link.txt", text),)))
    assert not reading.seen


@pytest.mark.parametrize(
    ("layer", "told"), [("InfiniBand", []), ("Ethernet", ["app/job-outside-class", "pfc/no-lossless-class-anywhere"])]
)
def test_a_job_beside_hosts_that_have_nothing_but_infiniband(tmp_path: Path, layer: str, told: list[str]) -> None:
    (tmp_path / "roce-audit.yaml").write_text("classes: [{name: roce, dscp: [26], priority: 3}]\n")
    (tmp_path / "gpu1").mkdir()
    (tmp_path / "gpu1" / "hostname.txt").write_text("gpu1\n")
    (tmp_path / "gpu1" / "ibstat.txt").write_text(
        "CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n"
        f"\t\tRate: 400\n\t\tLink layer: {layer}\n"
    )
    (tmp_path / "job.sh").write_text(
        "#!/bin/bash\nexport NCCL_IB_HCA=mlx5_0\nexport NCCL_IB_TC=0\nmpirun -np 8 ./train\n"
    )
    report = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), rules=RULES)).report
    assert sorted(one.rule for one in report.findings if one.verdict == "fails" and one.severity != "info") == told
