"""What a launcher does not hand its ranks, lists that are cut or name no RDMA device, and marks that say congestion."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy.values import Policy

RUN = [
    "mpirun -np 16 --hostfile hosts --allow-run-as-root -mca btl ^openib \\",
    "  -x NCCL_IB_TC=104 -x NCCL_IB_HCA=mlx5_0,mlx5_1 \\",
    "  -x NCCL_IB_GID_INDEX=3 ./all_reduce_perf -b 8",
]
EXPORTED = ["export NCCL_IB_TC=104", "mpirun -H a,b -np 2 -x NCCL_IB_TC -x NCCL_DEBUG=INFO ./all_reduce_perf"]
EIGHT = ",".join(f"mlx5_bond_{n}:1" for n in range(1, 9))
SHMEM = [f"export NCCL_IB_HCA={EIGHT}", f"export NVSHMEM_HCA_LIST={EIGHT}", "torchrun train.py"]
ROCE = ["export NCCL_IB_HCA=rocep9s0f0:1,rocep67s0f0:1,rocep137s0f0:1,rocep201s0f0:1", "exec $*"]
INDICES = ["MC_GID_INDEX=3 NCCL_IB_GID_INDEX=3 NCCL_IB_TC=106 python3 -m sglang.launch_server"]
GOES_ON = [
    "export UCX_TLS=rc,self \\",
    "       NCCL_DEBUG=WARN \\",
    "       NCCL_IB_TC=136 \\",
    "       NCCL_IB_GID_INDEX=3",
    "srun ./a.out",
]
LISTED = ["export NCCL_IB_TC=104", "export NCCL_SOCKET_IFNAME=ens1", "srun -N 2 --export=ALL,NCCL_DEBUG=INFO ./a.out"]
CONFLICT = ("input/conflict", "warning")
CE = ("app/job-congestion-bits", "warning")
FIRST = ("app/job-takes-default-gid", "warning")


def fails(folder: Path, name: str, *lines: str) -> set[tuple[str, str]]:
    """(rule, severity) of what fails in one file."""
    (folder / name).write_text("\n".join((*lines, "")))
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return {(one.rule, one.severity) for one in report.findings if one.verdict == "fails"}


@pytest.mark.parametrize(
    ("lines", "sound", "slip", "told"),
    [
        (RUN, "-x NCCL_IB_HCA", "NCCL_IB_HCA", CONFLICT),
        (RUN, "^openib \\", "^openib NCCL_IB_SL=3 \\", CONFLICT),
        (EXPORTED, "-x NCCL_IB_TC ", "-x PATH ", CONFLICT),
        (SHMEM, "LIST=mlx5_bond_1:1,", "LIST=mlx5_bond_9:1,", CONFLICT),
        (SHMEM, "LIST=mlx5_bond_1:1,mlx5_bond_2:1,", "LIST=", CONFLICT),
        (ROCE, "137s0f0:1", "137s0f0:2", CONFLICT),
        (ROCE, ",rocep", ";rocep", CONFLICT),
        (ROCE, ROCE[0].partition("=")[2], "rocep9s0f0,enP2p1s0f1np1", CONFLICT),
        (INDICES, "NCCL_IB_TC=106", "NCCL_IB_TC=106 NCCL_IB_HCA=enp1s0f1np1,enP2p1s0f1np1", CONFLICT),
        (INDICES, "NCCL_IB_TC=106", "NCCL_IB_HCA=eth0", CONFLICT),
        (GOES_ON, "WARN \\", "WARN", CONFLICT),
        (GOES_ON, "TC=136", "TC=34", ("app/tos-reads-like-priority", "warning")),
        (LISTED, "ALL,", "", CONFLICT),
        (LISTED, "IFNAME=ens1", "IFNAME=mlx5_0", CONFLICT),
        (INDICES, "TC=106", "TC=107", CE),
        (INDICES, "MC_GID_INDEX=3", "MC_GID_INDEX=0", FIRST),
        (INDICES, "NCCL_IB_GID_INDEX=3 NCCL_IB_TC=106", "NCCL_IB_GID_INDEX=0", FIRST),
    ],
)
def test_slips(tmp_path: Path, lines: list[str], sound: str, slip: str, told: tuple[str, str]) -> None:
    assert not fails(tmp_path, "job.sh", "#!/bin/bash", *lines)
    assert fails(tmp_path, "job.sh", "#!/bin/bash", *(line.replace(sound, slip) for line in lines)) == {told}


@pytest.mark.parametrize(
    "lines",
    [
        # an environment of the command itself, a wrapper that may set it, and a scheduler that hands everything over
        ["NCCL_IB_TC=104 mpirun -np 2 -x NCCL_IB_TC ./a.out"],
        ["mpirun -np 2 -x NCCL_DEBUG env NCCL_IB_TC=104 ./a.out"],
        [EXPORTED[0], "mpirun -H a,b -np 2 -x NCCL_DEBUG=INFO bash run.sh"],
        ["#SBATCH -N 2", EXPORTED[0], "mpirun -H a,b -np 2 -x NCCL_DEBUG=INFO ./a.out"],
        [EXPORTED[0], "mpirun -np 8 -x NCCL_DEBUG=INFO ./a.out"],
        # an option that nobody knows may take the word behind it
        ["mpirun -np 2 --report NCCL_IB_TC=104 -x NCCL_DEBUG ./a.out"],
        # lists that are meant to differ
        [SHMEM[0], "export NVSHMEM_HCA_LIST=mlx5_bond_1:1,mlx5_bond_2:1", "torchrun train.py"],
        [SHMEM[0], "export NVSHMEM_HCA_LIST=^mlx5_bond_9", "torchrun train.py"],
        ["export NCCL_IB_HCA=rocep1s0f1,roceP2p1s0f1; echo started"],
        # sockets on purpose
        ["mpirun -np 64 -x NCCL_SOCKET_IFNAME=eth0 -x NCCL_IB_HCA=eth0 -x NCCL_NET_PLUGIN=none ./all_reduce_perf"],
        # an assignment of its own behind an export, and one for a command
        [*GOES_ON[:2], "       NCCL_IB_TC=136", "NCCL_ROOT=/opt/nccl", "srun ./a.out"],
        ["export A=1 \\", "  B=2", "  NCCL_IB_TC=136 ./a.out"],
        ["export NCCL_IB_TC=104", "srun --export=NCCL_IB_TC,PATH ./a.out"],
        ["export NCCL_IB_TC=104", "srun --export=PATH hostname", "srun ./a.out"],
        ["export NCCL_IB_TC=104", "srun --export=$VARS ./a.out"],
        # both of InfiniBand
        ["export NCCL_IB_GID_INDEX=0", "export NCCL_IB_HCA=mlx5_0", "torchrun train.py"],
    ],
)
def test_sound_jobs(tmp_path: Path, lines: list[str]) -> None:
    assert not fails(tmp_path, "job.sh", "#!/bin/bash", *lines)


MPIJOB = """\
apiVersion: kubeflow.org/v1
kind: MPIJob
metadata: {name: all-reduce}
spec:
  mpiReplicaSpecs:
    Launcher:
      template:
        spec:
          containers:
          - name: launcher
            env:
            - name: NCCL_TOPO_FILE
              value: /opt/topo.xml
            command:
            - mpirun
            - -np
            - "16"
            - -x
            - NCCL_IB_GID_INDEX=3
            - -x
            - NCCL_IB_TC=104
            - /opt/all_reduce_perf
            resources: {limits: {rdma/ib: "1"}}
    Worker:
      template:
        spec:
          containers:
          - name: worker
            env:
            - name: UCX_TLS
              value: rc,cuda_copy
            resources:
              limits:
                rdma/ib: "1"
"""


@pytest.mark.parametrize(
    ("sound", "slip", "told"),
    [
        ("            - -x\n            - NCCL_IB_TC", "            - NCCL_IB_TC", CONFLICT),
        ("            - -x\n            - NCCL_IB_GID_INDEX", "            - NCCL_IB_GID_INDEX", CONFLICT),
        (
            "name: NCCL_TOPO_FILE\n              value: /opt/topo.xml",
            'name: NCCL_IB_SL\n              value: "3"',
            CONFLICT,
        ),
    ],
)
def test_mpi_jobs_of_kubernetes(tmp_path: Path, sound: str, slip: str, told: tuple[str, str]) -> None:
    assert sound in MPIJOB
    assert not fails(tmp_path, "job.yaml", MPIJOB)
    assert told in fails(tmp_path, "job.yaml", MPIJOB.replace(sound, slip, 1))


WORKER = MPIJOB[MPIJOB.index("          containers:\n          - name: worker") :]


def test_sockets_beside_an_rdma_device(tmp_path: Path) -> None:
    head = "apiVersion: batch/v1\nkind: Job\nspec:\n      template:\n        spec:\n"
    assert not fails(tmp_path, "job.yaml", head + WORKER)
    tcp = (head + WORKER).replace("value: rc,", "value: tcp,")
    assert fails(tmp_path, "job.yaml", tcp) == {("app/job-without-rdma", "warning")}
    assert not fails(tmp_path, "job.yaml", tcp.replace("rdma/ib", "nvidia.com/gpu"))


def test_containers_of_one_job_at_two_places_of_the_gid_table(tmp_path: Path) -> None:
    env = "".join(
        f'          - {{name: {name}, value: "{value}"}}\n'
        for name, value in (("NCCL_IB_TC", "136"), ("NVSHMEM_IB_TRAFFIC_CLASS", "136"), ("NVSHMEM_IB_GID_INDEX", "%s"))
    )
    env = f"        - env:\n{env}"
    head = "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nspec:\n  leaderWorkerTemplate:\n"
    both = (
        "    leaderTemplate:\n      spec:\n        containers:\n"
        + env
        + "    workerTemplate:\n      spec:\n        containers:\n"
        + env
    )
    assert not fails(tmp_path, "job.yaml", head + both % ("3", "3"))
    assert not fails(tmp_path, "job.yaml", head + both % ("3", "5"))
    assert fails(tmp_path, "job.yaml", head + both % ("3", "0")) == {CONFLICT}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "run.sbatch",
            "#!/bin/bash\n#SBATCH -N 2\nexport APPTAINERENV_NCCL_IB_TC={}\nsrun apptainer exec a.sif ./a.out",
        ),
        (
            "run.sbatch",
            "#!/bin/bash\n#SBATCH -N 2\nsrun apptainer exec --env NCCL_DEBUG=INFO,NCCL_IB_TC={},NCCL_IB_SL=3 a.sif ./a.out",
        ),
        (
            "run.sh",
            '#!/bin/bash\nfor h in a b; do\n  ssh $h "NCCL_IB_TC={} NCCL_IB_GID_INDEX=3 torchrun train.py" &\ndone',
        ),
        ("job.lsf", "#BSUB -n 16\nexport NCCL_IB_TC={}\njsrun -E NCCL_IB_GID_INDEX=3 python train.py"),
        ("rccl.lua", 'help("libraries")\nsetenv("NCCL_IB_TC", "{}")\nsetenv("NCCL_IB_GID_INDEX", "3")'),
    ],
)
def test_ways_to_hand_a_variable_over(tmp_path: Path, name: str, text: str) -> None:
    assert not fails(tmp_path, name, text.format(104))
    assert fails(tmp_path, name, text.format(26)) == {("app/tos-reads-like-priority", "warning")}


@pytest.mark.parametrize("name", ["[NCCL_IB_SL]", "{NCCL_IB_SL: 3}", "3"])
def test_a_name_of_another_kind_stops_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "job.yaml").write_text(MPIJOB.replace("name: NCCL_TOPO_FILE", f"name: {name}"))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert report.coverage.recognised
    assert report.problems == ()
