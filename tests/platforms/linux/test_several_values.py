"""Files that hand a library several values, or set NICs up besides: each of them counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load

POLICY = "fabrics: {ai: {devices: ['*'], classes: [{name: roce, dscp: [34], priority: 4}]}}\n"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: env}\ndata:\n  NCCL_IB_TC: '136'\n"
JOB = """---
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: all}
spec:
  template:
    command: [mpirun, -np, "16"%s, ./all_reduce]
"""
SERVE = """apiVersion: ray.io/v1
kind: RayService
metadata: {name: llm}
spec:
  serveConfigV2: |
    applications:
      - name: llm
        runtime_env:
          env_vars:
            NCCL_IB_TC: "%s"
            NCCL_IB_GID_INDEX: "3"
      - env:
          - name: UCX_IB_TRAFFIC_CLASS
            value: "%s"
"""
SETUP = """#!/bin/bash
: "${PRIORITY:=4}"
mlnx_qos -i ens6f0np0 --trust=dscp --pfc=%s
mlnx_qos -i ens6f0np0 --dscp2prio=set,34,$PRIORITY
nvme connect -t rdma -n nqn.a -a 10.0.0.1 --tos=136
nvme connect -t rdma -n nqn.b -a 10.0.1.1 -T %s
"""
UNSET = "#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC=136\n%ssrun ./train\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("job.yaml", MAP + JOB % ", -x, NCCL_IB_TC=136", []),
        ("job.yaml", MAP + JOB % ", -x, NCCL_IB_TC=5", [("app/job-outside-class", 12)]),
        ("serve.yaml", SERVE % (136, 138), []),
        ("serve.yaml", SERVE % (104, 136), [("app/job-outside-class", 10)]),
        ("serve.yaml", SERVE % (136, 104), [("app/job-outside-class", 14)]),
        ("up.sh", SETUP % ("0,0,0,0,1,0,0,0", 138), []),
        ("up.sh", SETUP % ("0,0,0,0,1,0,0,0", 104), [("app/job-outside-class", 6), ("app/job-outside-setup", 6)]),
        ("up.sh", SETUP % ("0,0,0,0,1,0,0", 136), [("input/rejected-call", 3)]),
        (
            "up.sh",
            (SETUP % ("0,0,0,0,1,0,0,0", 136)).replace(":=4", ":=5"),
            [("app/job-outside-setup", 5), ("marking/setup-off-class", 4)],
        ),
        ("run.sh", '#!/bin/bash\n: "${NCCL_IB_TC:=136}"\nexport NCCL_IB_TC\n./train\n', []),
        (
            "run.sh",
            '#!/bin/bash\n: "${NCCL_IB_TC:=104}"\nexport NCCL_IB_TC\n./train\n',
            [("app/job-outside-class", 2)],
        ),
        ("run.sh", UNSET % "", []),
        ("run.sh", UNSET % "srun ./test\nunset NCCL_IB_TC\n", []),
        ("run.sh", UNSET % "unset NCCL_IB_TC\n", [("input/conflict", 4)]),
    ],
)
def test_each_value_counts(tmp_path: Path, name: str, text: str, expected: list[tuple[str, int]]) -> None:
    (tmp_path / "roce-audit.yaml").write_text(POLICY)
    (tmp_path / name).write_text(text)
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    told = [
        one for one in found if one.verdict == "fails" and (one.severity == "error" or one.rule == "input/conflict")
    ]
    assert sorted((one.rule, one.locations[0].line) for one in told) == expected


@pytest.mark.parametrize(("byte", "lines"), [(136, []), (34, [3])])
def test_a_program_that_makes_an_environment(tmp_path: Path, byte: int, lines: list[int]) -> None:
    (tmp_path / "roce-audit.yaml").write_text(POLICY)
    text = f'import os\njob_env = os.environ.copy()\njob_env["NCCL_IB_TC"] = "{byte}"\nrun(["torchrun"], env=job_env)\n'
    (tmp_path / "launch.py").write_text(text)
    request = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("app/job-outside-class",))
    assert [one.locations[0].line for one in check(request).report.findings if one.verdict == "fails"] == lines
