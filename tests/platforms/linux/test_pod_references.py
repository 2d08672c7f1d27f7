"""ConfigMaps that pods of one file take by another name, in another namespace, or by a key that they do not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy.values import Policy

POD = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: nccl-env, namespace: training}
data:
  NCCL_IB_TC: "106"
  NCCL_IB_GID_INDEX: "3"
---
apiVersion: v1
kind: Pod
metadata: {name: train, namespace: training}
spec:
  containers:
    - name: train
      image: example/train:1
      envFrom: [{configMapRef: {name: nccl-env}}]
      env:
        - name: UCX_IB_TRAFFIC_CLASS
          valueFrom: {configMapKeyRef: {name: nccl-env, key: NCCL_IB_TC}}
"""
BOTH = POD.replace("namespace: training", "namespace: other")


def told(folder: Path, text: str) -> set[tuple[str, int]]:
    """(rule, line) of what fails."""
    (folder / "pod.yaml").write_text(text)
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return {(one.rule, member.line) for one in report.findings if one.verdict == "fails" for member in one.members}


@pytest.mark.parametrize(
    ("sound", "slip", "lines"),
    [
        ("{name: nccl-env, namespace: training}", "{name: nccl-envs, namespace: training}", {15, 18}),
        ("{name: nccl-env, namespace: training}", "{name: nccl-env, namespace: default}", {15, 18}),
        ("key: NCCL_IB_TC}", "key: NCCL_TC}", {18}),
        ("key: NCCL_IB_TC}", "key: NCCL_TC, optional: true}", set()),
        ("{name: nccl-env, namespace: training}", "{name: nccl-env}", set()),
        ("{name: nccl-env, namespace: training}", "{name: variables, namespace: training}", set()),
    ],
)
def test_configmaps_that_pods_take(tmp_path: Path, sound: str, slip: str, lines: set[int]) -> None:
    assert not told(tmp_path, POD)
    assert told(tmp_path, POD.replace(sound, slip)) == {("input/conflict", line) for line in lines}


def test_a_value_that_is_no_text(tmp_path: Path) -> None:
    assert told(tmp_path, POD.replace('NCCL_IB_TC: "106"', "NCCL_IB_TC: 106")) == {("input/rejected-call", 5)}


def test_one_name_in_two_namespaces(tmp_path: Path) -> None:
    assert not told(tmp_path, f"{POD}---\n{BOTH}")
