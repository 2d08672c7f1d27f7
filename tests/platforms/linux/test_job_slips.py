"""Jobs that leave RDMA out, or name what UCX does not know, without a fabric to hold them against."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy import load
from roce_audit.policy.values import Policy

UCX = ["export UCX_NET_DEVICES=mlx5_1:1", "export UCX_TLS=rc,self", "export UCX_IB_TRAFFIC_CLASS=106", "srun ./a.out"]
ARMS = [
    'case "$1" in',
    "blue) tclass=106 ;;",
    "red) tclass=66 ;;",
    "esac",
    "mpirun -x NCCL_IB_GID_INDEX=3 -x NCCL_IB_TC=$tclass -x NCCL_IB_DISABLE=0 ./all_reduce_perf",
]


def told(folder: Path, *lines: str) -> set[tuple[str, str]]:
    """(rule, severity) of what fails."""
    (folder / "job.sh").write_text("\n".join(("#!/bin/bash", *lines, "")))
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return {(one.rule, one.severity) for one in report.findings if one.verdict == "fails"}


@pytest.mark.parametrize(
    ("lines", "sound", "slip", "rule", "severity"),
    [
        (UCX, "mlx5_1:1", "mlx5_1", "input/conflict", "warning"),
        (UCX, "mlx5_1:1", "mlx5_0:1,bnxt_re1", "input/conflict", "warning"),
        (UCX, "rc,self", "tcp,self", "app/job-without-rdma", "warning"),
        (ARMS, "GID_INDEX=3", "GID_INDEX=0", "app/job-takes-default-gid", "warning"),
        (ARMS, "DISABLE=0", "DISABLE=1", "app/job-without-rdma", "warning"),
    ],
)
def test_slips_of_jobs(tmp_path: Path, lines: list[str], sound: str, slip: str, rule: str, severity: str) -> None:
    assert not told(tmp_path, *lines)
    assert told(tmp_path, *(line.replace(sound, slip) for line in lines)) == {(rule, severity)}


def test_network_devices_of_ucx_have_no_port(tmp_path: Path) -> None:
    assert not told(tmp_path, "export UCX_NET_DEVICES=eth0,bond0", "export UCX_TLS=tcp,self", "srun ./a.out")


EIGHT = "export NCCL_IB_HCA=mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7"
HEAD = ["export NCCL_IB_TC=106", "export NCCL_DEBUG=INFO"]


def test_one_device_of_all_is_left_out(tmp_path: Path) -> None:
    assert not told(tmp_path, EIGHT, "srun ./a.out")
    assert told(tmp_path, EIGHT.replace("mlx5_5,", ""), "srun ./a.out") == {("input/conflict", "warning")}
    # front-end NICs between the rails; few of them; those that are not to be used
    assert not told(
        tmp_path, "export NCCL_IB_HCA=mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_6,mlx5_7,mlx5_8,mlx5_9", "srun ./a.out"
    )
    assert not told(tmp_path, "export NCCL_IB_HCA=mlx5_0,mlx5_1,mlx5_3", "srun ./a.out")
    assert not told(tmp_path, EIGHT.replace("HCA=", "HCA=^").replace("mlx5_5,", ""), "srun ./a.out")


def test_a_variable_that_is_exported_twice(tmp_path: Path) -> None:
    assert told(tmp_path, *HEAD, "export NCCL_IB_TC=104", "srun ./a.out") == {("input/conflict", "warning")}
    assert not told(tmp_path, *HEAD, "export NCCL_IB_TC=106", "srun ./a.out")
    assert not told(tmp_path, *HEAD, "srun ./a.out", "export NCCL_IB_TC=104", "srun ./a.out")
    assert not told(tmp_path, "if a; then", *HEAD, "else", "export NCCL_IB_TC=104", "fi", "srun ./a.out")


def test_what_a_launcher_hands_over_counts(tmp_path: Path) -> None:
    assert not told(tmp_path, *HEAD, "mpirun -x NCCL_IB_TC=106 ./a.out")
    assert told(tmp_path, *HEAD, "mpirun -x NCCL_IB_TC=26 ./a.out") == {("app/tos-reads-like-priority", "warning")}


def test_a_dscp_in_one_arm_and_a_byte_in_the_other(tmp_path: Path) -> None:
    assert not told(tmp_path, *ARMS)
    assert told(tmp_path, *(line.replace("tclass=106", "tclass=26") for line in ARMS)) == {
        ("input/conflict", "warning")
    }


def test_several_variables_that_one_line_exports(tmp_path: Path) -> None:
    said = "export NCCL_IB_TC=106"
    assert not told(tmp_path, "export NCCL_DEBUG=info export NCCL_IB_DISABLE=0", said, "torchrun a.py")
    assert told(tmp_path, "export NCCL_DEBUG=info export NCCL_IB_DISABLE=1", said, "torchrun a.py") == {
        ("app/job-without-rdma", "warning")
    }


def test_one_device_by_another_port(tmp_path: Path) -> None:
    said = "export NCCL_IB_HCA==mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_3:1"
    assert not told(tmp_path, said, "srun ./a.out")
    assert told(tmp_path, said.replace("5_2:1", "5_2:2"), "srun ./a.out") == {("input/conflict", "warning")}
    # cards whose two ports are ports of one device
    assert not told(tmp_path, "export NCCL_IB_HCA==mlx5_0:1,mlx5_0:2,mlx5_1:1,mlx5_1:2", "srun ./a.out")


@pytest.mark.parametrize(
    ("said", "words"),
    [("NCCL_IB_TIMEOUT=120", "no number of seconds"), ("NCCL_IB_RETRY_CNT=20", "7 is the largest")],
)
def test_a_number_that_no_queue_pair_holds(tmp_path: Path, said: str, words: str) -> None:
    (tmp_path / "train.sh").write_text(f"#!/bin/bash\nexport {said}\nsrun ./a.out\n")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [words in line.text for line in report.coverage.unread] == [True]


def test_a_container_that_the_script_becomes(tmp_path: Path) -> None:
    head = "exec docker run --rm --privileged --network host \\", "  --env 'NCCL_IB_HCA==mlx5_0:1' \\"
    assert not told(tmp_path, *head, "  --env NCCL_IB_GID_INDEX=3 --env NCCL_IB_TC=106 image serve")
    assert told(tmp_path, *head, "  --env NCCL_IB_GID_INDEX=3 --env NCCL_IB_TC=26 image serve") == {
        ("app/tos-reads-like-priority", "warning")
    }


def test_a_name_of_one_library_with_the_word_of_another(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text("#!/bin/bash\nexport NCCL_IB_TRAFFIC_CLASS=106\nsrun ./a.out\n")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [line.text for line in report.coverage.unread] == ["NCCL_IB_TRAFFIC_CLASS=106"]
    (tmp_path / "train.sh").unlink()
    assert not told(tmp_path, "export UCX_IB_TC=106", "export UCX_IB_TRAFFIC_CLASS=106", "srun ./a.out")


LISTED = "export NCCL_IB_HCA==mlx5_0,mlx5_1"


def test_a_blank_in_a_list_of_devices(tmp_path: Path) -> None:
    assert not told(tmp_path, LISTED, "srun ./a.out mlx5_0, mlx5_1")
    assert told(tmp_path, LISTED.replace(",", ", "), "srun ./a.out") == {("input/conflict", "warning")}


@pytest.mark.parametrize("export", ["export NCCL_IB_TC", "declare -x NCCL_IB_TC", "set -a"])
def test_a_variable_of_the_shell_that_a_launcher_is_to_hand_on(tmp_path: Path, export: str) -> None:
    call = "mpirun -np 16 -H a,b -x NCCL_IB_TC ./all_reduce_perf"
    assert not told(
        tmp_path, *(("set -a", "NCCL_IB_TC=106") if export == "set -a" else ("NCCL_IB_TC=106", export)), call
    )
    assert told(tmp_path, "NCCL_IB_TC=106", call) == {("input/conflict", "warning")}


def test_a_script_that_runs_a_job_with_rdma_and_without(tmp_path: Path) -> None:
    said = (
        "export NCCL_IB_TC=106",
        "if [ $1 = tcp ]; then",
        "export NCCL_IB_DISABLE=1",
        "else",
        "export NCCL_IB_DISABLE=0",
        "fi",
    )
    assert not told(tmp_path, *said, "srun ./a.out")
    assert told(tmp_path, said[0], said[2], "srun ./a.out") == {("app/job-without-rdma", "warning")}


@pytest.mark.parametrize("library", ["UCCL", "ACCL", "VCCL"])
def test_another_collective_library_is_no_slip_of_the_first(tmp_path: Path, library: str) -> None:
    said = f"export {library}_IB_GID_INDEX=3", f"export {library}_IB_TC=104", "torchrun a.py"
    (tmp_path / "train.sh").write_text("\n".join(("#!/bin/bash", *HEAD, *said)) + "\n")
    assert not check(Request((str(tmp_path),), policy=Policy.empty())).report.coverage.unread
    slip = "export NCLL_IB_TC=104", "torchrun a.py"
    (tmp_path / "train.sh").write_text("\n".join(("#!/bin/bash", *HEAD, *slip)) + "\n")
    assert check(Request((str(tmp_path),), policy=Policy.empty())).report.coverage.unread


def test_names_for_other_nodes_that_are_made_elsewhere(tmp_path: Path) -> None:
    lines = "export NCCL_IB_TC=106", "mpirun --hostfile hosts -x PATH -x {} ./all_reduce_perf"
    assert told(tmp_path, lines[0], lines[1].format("HOME")) == {("input/conflict", "warning")}
    assert told(tmp_path, lines[0], lines[1].format("HOME=$HOME")) == {("input/conflict", "warning")}
    assert not told(tmp_path, "NAMES=$(echo ${!NCCL*} | sed 's/ / -x /g')", lines[0], lines[1].format("$NAMES"))


@pytest.mark.parametrize(
    ("listed", "is_told"),
    [
        ("mlx5_0,mlx5_2", False),
        ("mx5_0,mlx5_2", True),
        ("mlx_5_0", True),
        ("=bnxt_re0,bntx_re1", True),
        ("mlx5_0,mlx4_0", False),
        ("mlx", False),
        ("mlx5_bond_0,mlx5_roce1", False),
        ("rocep1s0f0,ibp_0", False),
    ],
)
def test_a_device_that_no_driver_calls_so(tmp_path: Path, listed: str, is_told: bool) -> None:
    found = told(tmp_path, f"export NCCL_IB_HCA={listed}", "srun ./a.out")
    assert found == ({("input/conflict", "warning")} if is_told else set())


@pytest.mark.parametrize(
    ("lines", "is_told"),
    [
        (["export NCCL_IB_ROCE_VERSION_NUM=1"], True),
        (["export NCCL_IB_ROCE_VERSION_NUM=2"], False),
        (["export NCCL_IB_ROCE_VERSION_NUM=1", "export NCCL_IB_GID_INDEX=3"], False),  # the entry is named
    ],
)
def test_a_library_that_looks_for_the_first_version(tmp_path: Path, lines: list[str], is_told: bool) -> None:
    found = told(tmp_path, "export NCCL_IB_HCA=mlx5_0", "export NCCL_IB_TC=106", *lines, "srun ./a.out")
    assert found == ({("input/conflict", "warning")} if is_told else set())


ENV = "UCX_IB_TRAFFIC_CLASS=160 UCX_NET_DEVICES=mlx5_0:1"
POD = """apiVersion: v1
kind: Pod
metadata: {name: w0}
spec:
  containers:
  - name: w
    command: [bash, -c]
    args:
    - |
      export UCX_IB_TRAFFIC_CLASS=104
      export UCX_IB_TRAFFIC_CLASS=160
      ./run.sh
    securityContext: {capabilities: {add: [IPC_LOCK]}}
    resources: {limits: {rdma/hca: 1}}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        # a line of two assignments or more before a command is no single variable with blanks in its value
        ("notes.sh", f"# server\n{ENV} ucx_perftest -t tag_bw\n"),
        ("notes.sh", f"# server\n{ENV} \\\n  ./run.sh 4\n"),
        ("run.sh", f'#!/bin/bash\nfor h in a b; do\n  ssh $h "cd /work && {ENV} nohup ./run.sh &"\ndone\n'),
        ("pasted.txt", "$ mpirun -np 2 -x UCX_IB_TRAFFIC_CLASS=160 -x UCX_NET_DEVICES=mlx5_0:1 ./a.out\n# nThread 1\n"),
        ("pod.yaml", POD),
    ],
)
def test_where_jobs_are_handed_variables(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "roce-audit.yaml").write_text("classes:\n  - {name: roce, dscp: [26], priority: 3, lossless: true}\n")
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    assert [one.rule for one in found if one.verdict == "fails"] == ["app/job-outside-class"]


@pytest.mark.parametrize(
    ("nodes", "launch", "fails"),
    [
        ("#SBATCH -N 1", "srun ./a.out", False),
        ("#SBATCH --gpus=8 --nodes=1", "srun ./a.out", False),
        ("# one host", "torchrun --standalone --nproc-per-node 8 a.py", False),
        ("# one host", "torchrun --nnodes=1 --nproc-per-node 8 a.py", False),
        ("#SBATCH -N 1", "torchrun --nnodes=$NODES a.py", True),
        ("#SBATCH --nodes=1-4", "srun ./a.out", True),
        ("#SBATCH -N 16", "srun ./a.out", True),
        ("#SBATCH -n 1", "srun ./a.out", True),
    ],
)
def test_a_job_on_one_node_needs_no_network(tmp_path: Path, nodes: str, launch: str, fails: bool) -> None:
    said = (nodes, "export NCCL_IB_TC=106", "export NCCL_IB_DISABLE=1", launch)
    assert (("app/job-without-rdma", "warning") in told(tmp_path, *said)) is fails
