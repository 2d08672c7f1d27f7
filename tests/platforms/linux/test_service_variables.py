"""Variables of jobs where no shell takes their quotes away, and services, programs and prologs that hand them on."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy.values import Policy

COMPOSE = """services:
  prefill:
    image: vllm
    devices: [/dev/infiniband]
    cap_add: [IPC_LOCK]
    environment:
      - NCCL_IB_TC=106
      - UCX_TLS=rc,cuda_copy
  decode:
    image: vllm
    devices: [/dev/infiniband]
    cap_add: [IPC_LOCK]
    environment:
      - {}
      - {}
"""
RAY = """import ray

ray.init(runtime_env={{"env_vars": {{"NCCL_IB_TC": "{}", "NCCL_IB_GID_INDEX": "3"}}}})
"""
PROLOG = "#!/bin/bash\n{}export NCCL_IB_TC=106{}\n"
CONF = "NCCL_IB_HCA=mlx5_0,mlx5_1{}\n{}NCCL_IB_TC={}\n"
IN_SHELL = "#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC=106\nsrun bash -c 'export NCCL_IB_TC={}; ./train'\n"
SBATCH = "#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC=106\nsrun --export=ALL,NCCL_IB_TC={} ./train\n"


def failing(folder: Path, name: str, text: str) -> list[tuple[str, int]]:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return [
        (one.rule, one.locations[0].line)
        for one in report.findings
        if one.verdict == "fails" and one.severity in ("error", "warning")
    ]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("compose.yaml", COMPOSE.format("NCCL_IB_TC=106", "UCX_TLS=rc"), []),
        ("compose.yaml", COMPOSE.format('NCCL_IB_TC="106"', "UCX_TLS=rc"), [("input/conflict", 14)]),
        ("compose.yaml", COMPOSE.format('"NCCL_IB_TC=106"', "UCX_TLS=^sm"), []),
        ("compose.yaml", COMPOSE.format("NCCL_IB_TC=26", "UCX_TLS=rc"), [("input/conflict", 14)]),
        ("compose.yaml", COMPOSE.format("NCCL_IB_TC=106", "UCX_TLS=tcp,cuda_copy"), [("input/conflict", 15)]),
        ("driver.py", RAY.format("106"), []),
        ("driver.py", RAY.format("26"), [("app/tos-reads-like-priority", 3)]),
        ("driver.py", RAY.format("106") + RAY.format("26"), []),
        ("task_prolog.sh", PROLOG.format('echo "', '"'), []),
        ("task_prolog.sh", PROLOG.format("", ""), [("input/conflict", 2)]),
        ("prolog.sh", PROLOG.format("", ""), []),
        ("etc/nccl.conf", CONF.format("", "", "106"), []),
        ("etc/nccl.conf", CONF.format("", "", "106 # DSCP 26"), []),
        ("etc/nccl.conf", CONF.format("", "export ", "106"), [("input/conflict", 2)]),
        ("etc/nccl.conf", CONF.format("  # rails", "", "106"), [("input/conflict", 1)]),
        ("etc/nccl.conf", CONF.format("", "", '"106"'), [("input/conflict", 2)]),
        ("job.sbatch", SBATCH.format("106"), []),
        ("job.sbatch", SBATCH.format("24"), [("app/tos-reads-like-priority", 4)]),
        ("job.sbatch", IN_SHELL.format("106"), []),
        ("job.sbatch", IN_SHELL.format("24"), [("app/tos-reads-like-priority", 4)]),
        ("job.sbatch", IN_SHELL.format("$TC"), []),
    ],
)
def test_variables_that_are_handed_on(tmp_path: Path, name: str, text: str, expected: list[tuple[str, int]]) -> None:
    assert failing(tmp_path, name, text) == expected


OFF = "#!/bin/bash\n{}\nexport NCCL_IB_TC=106\nexport NCCL_IB_DISABLE=1\n{}\n"


@pytest.mark.parametrize(
    ("asked", "launch", "told"),
    [
        ("#SBATCH -N 2", "srun ./train", True),
        ("#SBATCH --nodes=1", "srun ./train", False),
        ("#SBATCH -J one -N 1", "srun ./train", False),
        ("#SBATCH -n 1", "srun ./train", True),
        ("#SBATCH --nodes=1-4", "srun ./train", True),
        ("#PBS -l select=1:ngpus=8", "mpirun ./train", False),
        ("#BSUB -nnodes 1", "jsrun ./train", False),
        ("# one", "torchrun --nnodes=1 --nproc-per-node 8 train.py", False),
        ("# more", "torchrun --nnodes=$NNODES --nproc-per-node 8 train.py", True),
        ("#SBATCH -N 1", "torchrun --nnodes=2 --nproc-per-node 8 train.py", True),
    ],
)
def test_what_runs_on_one_node_is_kept_off_rdma_on_purpose(tmp_path: Path, asked: str, launch: str, told: bool) -> None:
    found = failing(tmp_path, "job.sh", OFF.format(asked, launch))
    assert found == ([("app/job-without-rdma", 4)] if told else [])


@pytest.mark.parametrize(("nodes", "told"), [("1", False), ("2", True)])
def test_a_table_of_variables_of_one_node(tmp_path: Path, nodes: str, told: bool) -> None:
    text = f'{{"env_vars": {{\n"NNODES": "{nodes}",\n"NCCL_IB_TC": "106",\n"NCCL_IB_DISABLE": "1"}}}}\n'
    assert failing(tmp_path, "job.json", text) == ([("app/job-without-rdma", 4)] if told else [])
