"""How sure it is that a setup and the jobs beside it belong to one cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

SETUP = "#!/bin/bash\nmlnx_qos -i ens1f0np0 --trust dscp --pfc 0,0,0,1,0,0,0,0\n"
JOB = "#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC={}\nsrun ./train\n"


@pytest.mark.parametrize(
    ("files", "severity"),
    [
        ({"roce.sh": SETUP, "job.sbatch": JOB.format(136)}, "error"),
        ({"roce.sh": SETUP, "a.sbatch": JOB.format(136), "b.sbatch": JOB.format(138)}, "error"),
        ({"roce.sh": SETUP, "a.sbatch": JOB.format(136), "b.sbatch": JOB.format(160)}, "warning"),
        ({"roce.sh": SETUP, "a.sbatch": JOB.format(136), "b.sbatch": JOB.format(106)}, "error"),
        ({"roce.sh": SETUP, "jobs/job.sbatch": JOB.format(136)}, "error"),
        ({"roce.sh": SETUP, "cluster2/job.sbatch": JOB.format(136)}, "warning"),
        # where other jobs of its folder send in the class
        ({"roce.sh": SETUP, "serve/a.sh": JOB.format(136), "serve/b.sh": JOB.format(106)}, "error"),
        ({"roce.sh": SETUP, "serve/a.sh": JOB.format(136), "train/b.sh": JOB.format(106)}, "warning"),
        # where the setup itself gives rdma_cm what they send with
        ({"net/roce.sh": f"{SETUP}cma_roce_tos -d mlx5_0 -t 136\n", "serve/a.sh": JOB.format(138)}, "error"),
        ({"net/roce.sh": f"{SETUP}cma_roce_tos -d mlx5_0 -t 136\n", "serve/a.sh": JOB.format(160)}, "warning"),
        ({"nodes/roce.sh": SETUP, "jobs/job.sbatch": JOB.format(136)}, "error"),
        ({"etc/rc.local": SETUP, "jobs/job.sbatch": JOB.format(136)}, "error"),
        ({"roce.sh": SETUP, "other.sh": SETUP, "job.sbatch": JOB.format(136)}, "warning"),
        ({"roce.sh": SETUP, "job.sbatch": JOB.format(106)}, None),
        # folders of one host's file system
        ({"gpu/opt/roce.sh": SETUP, "gpu/etc/nccl.conf": "NCCL_IB_TC=136\n"}, "error"),
        ({"gpu/opt/roce.sh": SETUP, "cpu/etc/nccl.conf": "NCCL_IB_TC=136\n"}, None),  # another host
        ({"gpu/opt/roce.sh": SETUP, "gpu/etc/nccl.conf": "NCCL_IB_TC=106\n"}, None),
    ],
)
def test_one_setup_and_its_jobs(files: dict[str, str], severity: str | None, tmp_path: Path) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    told = {str(f.severity) for f in report.findings if f.rule == "app/job-outside-setups" and f.verdict == "fails"}
    assert told == ({severity} if severity else set())


def test_of_a_setup_that_contradicts_itself_no_job_is_blamed(tmp_path: Path) -> None:
    (tmp_path / "roce.sh").write_text(f"{SETUP}mlnx_qos -i ens1f0np0 --dscp2prio set,26,4\n")
    (tmp_path / "job.sbatch").write_text(JOB.format(106))
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [f.rule for f in report.findings if f.verdict == "fails"] == ["marking/setup-misses-own-pfc"]
