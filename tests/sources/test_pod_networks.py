"""Networks, devices and ConfigMaps that pods ask for in one file, and that other files make otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from roce_audit.sources.files import Candidate
from roce_audit.sources.repository.cluster import podnetworks, podvariables
from roce_audit.sources.repository.cluster.files import ClusterFiles

POLICY = """kind: SriovNetworkNodePolicy
metadata: {{name: {0}}}
spec: {{resourceName: {0}, isRdma: true, nicSelector: {{pfNames: [{0}]}}}}
---
"""
NETWORK = """kind: SriovNetwork
metadata: {{name: {0}, namespace: operator}}
spec:
  resourceName: {1}
  networkNamespace: {2}
---
"""
POD = """kind: Job
metadata: {name: train, namespace: ml}
spec:
  template:
    metadata:
      annotations:
        k8s.v1.cni.cncf.io/networks: east,west
    spec:
      containers:
        - name: train
          envFrom: [{configMapRef: {name: nccl-env}}]
          resources:
            limits:
              nvidia.com/gpu: 8
              openshift.io/east: 1
              openshift.io/west: 1
"""
MAP = "kind: ConfigMap\nmetadata: {name: nccl-env, namespace: ml}\ndata: {NCCL_IB_TC: '106'}\n"
FILES = {
    "policies.yaml": POLICY.format("east") + POLICY.format("west"),
    "networks.yaml": NETWORK.format("east", "east", "ml") + NETWORK.format("west", "west", "ml"),
    "job.yaml": POD,
    "env.yaml": MAP,
}


def told(files: Mapping[str, str]) -> list[tuple[str, int]]:
    read = ClusterFiles([Candidate(path, path) for path in files], lambda one: files[one.path])
    return [(one.path, one.line) for module in (podnetworks, podvariables) for one in module.problems(read)]


def test_files_that_agree_say_nothing() -> None:
    assert not told(FILES)


@pytest.mark.parametrize(
    ("file", "sound", "slip", "expected"),
    [
        ("job.yaml", "networks: east,west", "networks: east,wset", [("job.yaml", 7)]),
        ("job.yaml", "networks: east,west", "networks: operator/east,west", [("job.yaml", 7)]),
        ("job.yaml", "networks: east,west", "networks: other/one,other/two", []),
        ("job.yaml", "networks: east,west", """networks: '[{"name": "east"}, {"name": "wst"}]'""", [("job.yaml", 7)]),
        ("job.yaml", "networks: east,west", "networks: '{{ rails }}'", []),
        ("job.yaml", "openshift.io/west", "openshift.io/wst", [("job.yaml", 16)]),
        ("job.yaml", "openshift.io/west", "rdma/hca", []),
        (
            "job.yaml",
            "openshift.io/east: 1\n              openshift.io/west: 1",
            "openshift.io/east: 2",
            [("job.yaml", 13)],
        ),
        ("job.yaml", "name: nccl-env}", "name: ncl-env}", [("job.yaml", 11)]),
        ("job.yaml", "name: nccl-env}", "name: ncl-env, optional: true}", []),
        ("job.yaml", "name: nccl-env}", "name: dataset}", []),
        ("env.yaml", "namespace: ml", "namespace: prod", [("job.yaml", 11)]),
        ("env.yaml", ", namespace: ml", "", []),
        ("networks.yaml", "resourceName: west", "resourceName: wst", [("networks.yaml", 10)]),
        ("networks.yaml", "resourceName: west", "resourceName: east", [("job.yaml", 13)]),
        ("networks.yaml", "networkNamespace: ml\n---\n\n", "networkNamespace: ml\n", []),
    ],
)
def test_what_pods_ask_for_and_no_file_makes(file: str, sound: str, slip: str, expected: list[tuple[str, int]]) -> None:
    assert told({**FILES, file: FILES[file].replace(sound, slip)}) == expected


def test_devices_of_pods_whose_networks_are_made_elsewhere() -> None:
    job = POD.replace("networks: east,west", "networks: other/one").replace("openshift.io/west", "openshift.io/wst")
    assert not told({**FILES, "job.yaml": job})


def test_a_network_of_another_namespace_is_told_once_for_all_pods() -> None:
    moved = NETWORK.format("east", "east", "ml") + NETWORK.format("west", "west", "prod")
    files = {**FILES, "networks.yaml": moved, "second.yaml": POD.replace("name: train", "name: second")}
    assert told(files) == [("job.yaml", 7)]
    assert not told({**files, "kustomization.yaml": "namespace: ml\n"})


@pytest.mark.parametrize(
    "text", ["a: [", "kind: SriovNetwork\nmetadata: {{ x }}\n", "kind: [ConfigMap]\n", "- 1\n", ""]
)
def test_no_file_raises(text: str) -> None:
    assert not told({"one.yaml": text, "two.yaml": text + "# k8s.v1.cni.cncf.io/networks ConfigMap configMapRef NCCL_"})


SHARED = """kind: NicClusterPolicy
metadata: {name: policy}
spec:
  rdmaSharedDevicePlugin:
    config: |
      {"configList": [
        {"resourceName": "a", "selectors": {"ifNames": ["ens1"]}},
        {"resourceName": "b", "selectors": {"ifNames": ["ens2"]}}
      ]}
---
kind: MacvlanNetwork
metadata: {name: east}
spec: {networkNamespace: ml, master: ens1}
---
kind: MacvlanNetwork
metadata: {name: west}
spec: {networkNamespace: ml, master: ens2.10}
"""
POLICY_ALONE, _, ABOVE = SHARED.partition("---\n")
OF_SHARED = {
    "policy.yaml": POLICY_ALONE,
    "nics.yaml": ABOVE,
    "job.yaml": POD.replace("openshift.io/east", "rdma/a").replace("openshift.io/west", "rdma/b"),
}


@pytest.mark.parametrize(
    ("file", "sound", "slip", "lines"),
    [
        ("nics.yaml", "", "", []),
        ("nics.yaml", "master: ens2.10", "master: ens3", [7]),
        ("nics.yaml", "master: ens2.10", "master: ens1", [7]),
        ("policy.yaml", '"ifNames": ["ens2"]', '"vendors": ["15b3"]', []),
        ("policy.yaml", '"configList"', '"configLis', []),
        ("policy.yaml", '["ens1"]', '["ens1", "ens5"]', []),
        ("job.yaml", "networks: east,west", "networks: east", [7]),
        ("job.yaml", "              rdma/a: 1\n              rdma/b: 1\n", "", [7]),
        (
            "job.yaml",
            "              rdma/a: 1\n              rdma/b: 1\n",
            "          securityContext: {privileged: true}\n",
            [],
        ),
    ],
)
def test_interfaces_of_networks_and_of_shared_devices(file: str, sound: str, slip: str, lines: list[int]) -> None:
    assert told({**OF_SHARED, file: OF_SHARED[file].replace(sound, slip)}) == [("job.yaml", line) for line in lines]


@pytest.mark.parametrize("other", [POLICY_ALONE.replace("ens2", "ens9"), ABOVE.replace("ens2", "ens9")])
def test_interfaces_that_two_files_say_otherwise_are_not_compared(other: str) -> None:
    slip = {**OF_SHARED, "nics.yaml": ABOVE.replace("ens2", "ens3")}
    assert told(slip)
    assert not told({"other/all.yaml": other, **slip})


def test_functions_without_the_rdma_device_that_a_network_moves() -> None:
    networks = FILES["networks.yaml"].replace(
        "  resourceName: west", """  metaPlugins: '{"type": "rdma"}'\n  resourceName: west"""
    )
    assert not told({**FILES, "networks.yaml": networks})
    policies = POLICY.format("east") + POLICY.format("west").replace("isRdma: true", "isRdma: false")
    assert told({**FILES, "networks.yaml": networks, "policies.yaml": policies}) == [("policies.yaml", 7)]


ONE = {
    "nics.yaml": POLICY.format("hostdev") + NETWORK.format("rails", "hostdev", "ml"),
    "job.yaml": POD.replace("east,west", "rails,rails").replace(
        "openshift.io/east: 1\n              openshift.io/west: 1", "nvidia.com/hostdev: 2"
    ),
}


@pytest.mark.parametrize(
    ("file", "sound", "slip", "lines"),
    [
        ("job.yaml", "", "", []),
        ("job.yaml", "hostdev: 2", "hostdevs: 2", [15]),
        ("job.yaml", "hostdev: 2", "other: 2", []),
        ("nics.yaml", "networkNamespace: ml", "networkNamespace: default", [7]),
    ],
)
def test_one_network_twice(file: str, sound: str, slip: str, lines: list[int]) -> None:
    files = {**ONE, file: ONE[file].replace(sound, slip) if sound else ONE[file]}
    assert told(files) == [("job.yaml", line) for line in lines]


def test_a_network_of_the_same_name_whose_device_the_pod_does_not_take() -> None:
    files = {**ONE, "nics.yaml": ONE["nics.yaml"].replace("networkNamespace: ml", "networkNamespace: default")}
    assert not told({**files, "job.yaml": files["job.yaml"].replace("hostdev: 2", "gpu: 2")})
