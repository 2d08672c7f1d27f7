"""Objects of Kubernetes that make RDMA devices and networks for containers, and contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy.values import Policy

SRIOV = """\
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rails}
spec:
  deviceType: netdevice
  isRdma: true
  mtu: 9000
  nicSelector: {pfNames: [ens1f0np0, ens2f0np0]}
  numVfs: 8
  resourceName: rdma_rails
---
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {name: rails}
spec:
  networkNamespace: train
  resourceName: rdma_rails
"""
SHARED = """\
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  rdmaSharedDevicePlugin:
    config: |
      {"configList": [{"resourceName": "roce", "rdmaHcaMax": 64, "selectors": {"ifNames": ["ens1f0np0"]}}]}
---
apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: roce}
spec:
  master: ens1f0np0
  mode: bridge
  mtu: 9000
"""
HOSTDEV = """\
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  sriovDevicePlugin:
    config: |
      {"resourceList": [{"resourceName": "hostdev", "selectors": {"vendors": ["15b3"], "isRdma": true}}]}
---
apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: roce}
spec: {master: ens1f0np0, mtu: 9000}
---
apiVersion: mellanox.com/v1alpha1
kind: HostDeviceNetwork
metadata: {name: hostdev-net}
spec:
  resourceName: nvidia.com/hostdev
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: worker}
spec:
  containers:
  - name: worker
    env:
    - name: NCCL_IB_TC
      value: "104"
"""
CONFLICT = {("input/conflict", "warning")}
SLOW = {("mtu/setup-without-jumbo-frames", "warning")}


def fails(folder: Path, text: str) -> set[tuple[str, str]]:
    """(rule, severity) of what fails in a manifest."""
    (folder / "rdma.yaml").write_text(text)
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return {(one.rule, one.severity) for one in report.findings if one.verdict == "fails"}


@pytest.mark.parametrize(
    ("text", "sound", "slip", "told"),
    [
        (SRIOV, "isRdma: true", "isRdma: false", CONFLICT),
        (SRIOV.replace("rdma_rails", "rail_1"), "isRdma: true", "isRdma: false", CONFLICT),
        (SRIOV, "  isRdma: true\n", "", CONFLICT),
        (SRIOV, "mtu: 9000", "mtu: 1500", SLOW),
        (SRIOV, "train\n  resourceName: rdma_rails", "train\n  resourceName: rdma_rail", CONFLICT),
        (HOSTDEV, "nvidia.com/hostdev", "nvidia.com/hostdevs", CONFLICT),
        (SHARED, "master: ens1f0np0", "master: ens1f1np1", CONFLICT),
        (SHARED, "mtu: 9000", "mtu: 1500", SLOW),
        (POD, '"104"', "104", {("input/rejected-call", "error")}),
    ],
)
def test_slips(tmp_path: Path, text: str, sound: str, slip: str, told: set[tuple[str, str]]) -> None:
    assert sound in text
    assert not fails(tmp_path, text)
    assert fails(tmp_path, text.replace(sound, slip)) == told


@pytest.mark.parametrize(
    "text",
    [
        # a VLAN of the interface; devices that are selected by vendor alone; no file for the policy; functions for DPDK or plain networks
        SHARED.replace("master: ens1f0np0", "master: ens1f0np0.100"),
        SHARED.replace('"ifNames": ["ens1f0np0"]', '"vendors": ["15b3"]').replace("master: ens1f0np0", "master: ens7"),
        SRIOV[SRIOV.index("---") :],
        SRIOV.replace("isRdma: true", "isRdma: false").replace("rdma_rails", "frontend"),
        SRIOV.replace("isRdma: true", "isRdma: false").replace("netdevice", "vfio-pci"),
        # InfiniBand has no lossless classes of Ethernet, and an MTU of its own
        SRIOV.replace("isRdma: true", "isRdma: true\n  linkType: ib").replace("9000", "1500"),
        # values of a chart, which renders them
        "worker:\n  env:\n    NCCL_IB_TC: 104\n",
    ],
)
def test_sound_objects(tmp_path: Path, text: str) -> None:
    assert not fails(tmp_path, text)


def test_two_policies_for_one_nic(tmp_path: Path) -> None:
    first = SRIOV[: SRIOV.index("---")]
    second = (
        first.replace("name: rails", "name: storage").replace("rdma_rails", "rdma_storage").replace("ens1f0np0, ", "")
    )
    refused = {("input/rejected-call", "error")}
    assert fails(tmp_path, f"{first}---\n{second}") == refused
    assert not fails(tmp_path, f"{first}---\n{second.replace('ens2f0np0', 'ens3f0np0')}")
    assert not fails(
        tmp_path, f"{first}---\n{second.replace('numVfs', 'nodeSelector: {role: storage}' + chr(10) + '  numVfs')}"
    )
    parts = [one.replace("ens2f0np0", f"ens2f0np0#{said}") for one, said in ((first, "0-3"), (second, "4-7"))]
    assert not fails(tmp_path, "---\n".join(parts))
    assert fails(tmp_path, "---\n".join(parts).replace("4-7", "3-7")) == refused


@pytest.mark.parametrize("name", ["[rdma]", "{a: b}", "7"])
def test_a_name_of_another_kind_stops_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "sriov.yaml").write_text(SRIOV.replace("resourceName: rdma_rails", f"resourceName: {name}"))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert report.coverage.recognised
    assert report.problems == ()


def test_a_list_without_end_stops_nothing(tmp_path: Path) -> None:
    policy = SHARED.replace('{"configList"', "[" * 5_000 + '{"configList"')
    (tmp_path / "shared.yaml").write_text(f"{SRIOV}---\n{policy}")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert report.coverage.recognised
    assert report.problems == ()


def test_a_network_moves_rdma_devices_that_its_functions_do_not_have(tmp_path: Path) -> None:
    text = SRIOV.replace("rdma_rails", "rails") + '  metaPlugins: |\n    {"type": "rdma"}\n'
    assert not fails(tmp_path, text)
    assert fails(tmp_path, text.replace("isRdma: true", "isRdma: false")) == {("input/conflict", "warning")}
