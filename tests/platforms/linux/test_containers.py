"""Containers of jobs that are told how to use RDMA, and are given no device or may pin no memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy.values import Policy

SERVICE = """\
services:
  serve:
    image: example/serve:1
    devices:
      - /dev/infiniband:/dev/infiniband
    cap_add: [IPC_LOCK]
    environment:
      NCCL_IB_HCA: "=mlx5_0,mlx5_1"
      NCCL_IB_TC: "106"
"""
JOB = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    Master:
      template:
        spec:
          containers:
            - name: first
              image: example/train:1
              env: [{name: NCCL_IB_TC, value: "106"}]
              securityContext: {capabilities: {add: [IPC_LOCK]}}
              resources: {limits: {nvidia.com/gpu: 8, nvidia.com/rail0: 1}}
    Worker:
      template:
        spec:
          containers:
            - name: other
              image: example/train:1
              env: [{name: NCCL_IB_TC, value: "106"}]
              securityContext: {capabilities: {add: [ IPC_LOCK ]}}
              resources: {limits: {nvidia.com/gpu: 8, nvidia.com/rail0: "1"}}
"""
RUN = "docker run --gpus all --device /dev/infiniband --cap-add IPC_LOCK -e NCCL_IB_TC=106 image serve"


def told(folder: Path, name: str, text: str) -> list[tuple[str, int]]:
    """(rule, line) of what fails."""
    (folder / name).write_text(text)
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return [(one.rule, one.members[0].line) for one in report.findings if one.verdict == "fails"]


@pytest.mark.parametrize(
    ("sound", "slip"),
    [
        ("      - /dev/infiniband:/dev/infiniband", "      - /dev/fuse"),
        ("    cap_add: [IPC_LOCK]", "    cap_add: [SYS_PTRACE]"),
    ],
)
def test_a_service_of_compose(tmp_path: Path, sound: str, slip: str) -> None:
    assert not told(tmp_path, "compose.yaml", SERVICE)
    assert told(tmp_path, "compose.yaml", SERVICE.replace(sound, slip)) == [("input/conflict", 2)]


@pytest.mark.parametrize(
    ("sound", "other"),
    [
        ("    devices:\n      - /dev/infiniband:/dev/infiniband\n    cap_add: [IPC_LOCK]\n", "    privileged: true\n"),
        ("      - /dev/infiniband:/dev/infiniband", "      - nvidia.com/nic=all"),
        ("      - /dev/infiniband:/dev/infiniband", "      - ${DEVICES}"),
        ("    cap_add: [IPC_LOCK]", "    ulimits: {memlock: -1}"),
        ("      NCCL_IB_TC: ", '      NCCL_IB_DISABLE: "1"\n      NCCL_DEBUG: '),
    ],
)
def test_services_that_have_it_otherwise_or_use_no_rdma(tmp_path: Path, sound: str, other: str) -> None:
    text = SERVICE.replace(sound, other)
    assert text != SERVICE
    if "DISABLE" in other:
        text = text.replace("/dev/infiniband:/dev/infiniband", "/dev/fuse")
    assert "input/conflict" not in dict(told(tmp_path, "compose.yaml", text))


@pytest.mark.parametrize(("device", "expected"), [("infiniband", [("app/job-without-rdma", 8)]), ("fuse", [])])
def test_a_service_that_is_given_rdma_devices_and_kept_off_them(
    tmp_path: Path, device: str, expected: list[tuple[str, int]]
) -> None:
    head, _, _ = SERVICE.partition("      NCCL_IB_HCA")
    text = head.replace("infiniband", device) + '      NCCL_IB_DISABLE: "1"\n'
    assert told(tmp_path, "compose.yaml", text) == expected
    assert not told(tmp_path, "compose.yaml", text.replace('"1"', '"0"'))


@pytest.mark.parametrize(
    ("sound", "slip", "line"),
    [
        (', nvidia.com/rail0: "1"', "", 23),
        ("add: [ IPC_LOCK ]", "add: [SYS_PTRACE]", 19),
        ("add: [ IPC_LOCK ]", "add: [SYS_PTRACE]}, privileged: true, x: {y: [z]", 0),
        ("8, nvidia.com/rail0: 1}", "8}, claims: [{name: nic}]", 0),
    ],
)
def test_containers_of_one_job(tmp_path: Path, sound: str, slip: str, line: int) -> None:
    assert not told(tmp_path, "job.yaml", JOB)
    assert told(tmp_path, "job.yaml", JOB.replace(sound, slip)) == ([("input/conflict", line)] if line else [])


def test_capabilities_of_a_pod(tmp_path: Path) -> None:
    pod = JOB.replace(
        "          containers:\n            - name: first",
        "          securityContext: {capabilities: {add: [IPC_LOCK]}}\n          containers:\n            - name: first",
    )
    assert told(tmp_path, "job.yaml", pod) == [("input/conflict", 9)]


@pytest.mark.parametrize(
    ("sound", "slip"), [("--device /dev/infiniband ", "--device=/dev/kfd "), ("--cap-add IPC_LOCK ", "")]
)
def test_a_container_that_a_script_runs(tmp_path: Path, sound: str, slip: str) -> None:
    assert not told(tmp_path, "run.sh", f"#!/bin/bash\n{RUN}\n")
    assert told(tmp_path, "run.sh", f"#!/bin/bash\n{RUN.replace(sound, slip)}\n") == [("input/conflict", 2)]


@pytest.mark.parametrize(
    "options",
    [
        "--privileged",
        "$OPTIONS",
        "--device nvidia.com/nic=all --ulimit memlock=-1",
        "--device /dev/infiniband --ulimit=host",
    ],
)
def test_containers_that_have_it_otherwise(tmp_path: Path, options: str) -> None:
    run = RUN.replace("--device /dev/infiniband --cap-add IPC_LOCK", options)
    assert not told(tmp_path, "run.sh", f"#!/bin/bash\n{run}\n")


@pytest.mark.parametrize(("devices", "expected"), [("", []), ("{nvidia.com/gpu: 1}", [("app/job-without-rdma", 36)])])
def test_a_service_beside_a_job_is_no_part_of_it(tmp_path: Path, devices: str, expected: list[tuple[str, int]]) -> None:
    service = f"""\
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: page}}
spec:
  template:
    spec:
      containers:
        - name: page
          image: example/page:1
          resources: {{limits: {devices or "{cpu: 2}"}}}
          env:
            - {{name: NCCL_IB_DISABLE, value: "1"}}
"""
    assert told(tmp_path, "all.yaml", JOB + service) == expected


@pytest.mark.parametrize(("devices", "expected"), [("", []), ("    gpus: all\n", [("app/job-without-rdma", 14)])])
def test_a_service_of_compose_without_devices_is_no_part_of_the_job(
    tmp_path: Path, devices: str, expected: list[tuple[str, int]]
) -> None:
    page = f'  page:\n    image: example/page:1\n{devices}    environment:\n      NCCL_IB_DISABLE: "1"\n'
    assert [one for one in told(tmp_path, "compose.yaml", SERVICE + page) if one[0].startswith("app/")] == expected
