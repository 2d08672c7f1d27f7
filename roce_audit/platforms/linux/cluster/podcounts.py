"""How many nodes an object of Kubernetes runs a job on.

Sources: Kubernetes API (Job: parallelism and completions are 1 where they are left out); kubeflow/trainer (PyTorchJob: replicas);
PyTorch, torchrun (--nnodes, --standalone).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.linux.jobs.variables import on_one_node
from roce_audit.text.structured.yamltext import YamlText

_DEPTH = 40
_BESIDE_OTHERS = re.compile(
    r"\b(?:MASTER_ADDR|WORLD_SIZE|NODE_RANK|NNODES|PET_NNODES|rendezvous|rdzv|dist[-_]init|ray|deepspeed|horovod|mpirun|srun|disaggregation)\b"
    r"|--?(?:nnodes|num[_-](?:nodes|machines)|node[_-]rank|master[_-]addr|hostfile|rdzv|kv-transfer)"
)
"""What a rank is told of others on other nodes."""
_RDMA = re.compile(r"rdma/|infiniband|[/_.-](?:rdma|roce|hca)\b")
"""A device for RDMA that a container asks for: then it is not meant to go without."""


def is_on_one_node(document: YamlText) -> bool:
    """Whether all that an object says of its job is that it stays on one node, and asks for no device for RDMA."""
    value = document.value
    if not isinstance(value, dict) or "apiVersion" not in value or _RDMA.search(str(value)) is not None:
        return False
    words = "\n".join(_commands(value, 0))
    if on_one_node(words):
        return True
    is_told = (
        bool(words) or value.get("kind") != "Pod"
    )  # a pod of which nothing says what it runs may be one of several
    return is_told and _is_one_pod(value) and _BESIDE_OTHERS.search(str(value)) is None


def _is_one_pod(value: Mapping[Any, Any]) -> bool:
    kind, spec = value.get("kind"), value.get("spec")
    if not isinstance(spec, dict):
        return False
    if kind == "Job" and str(value["apiVersion"]).startswith("batch/"):
        return all(str(spec.get(key, 1)) == "1" for key in ("parallelism", "completions"))
    if kind == "PyTorchJob":
        roles = spec.get("pytorchReplicaSpecs")
        return isinstance(roles, dict) and [_replicas(one) for one in roles.values()] == ["1"]
    return kind in ("Pod", "Notebook")


def _replicas(role: Any) -> str:
    return str(role.get("replicas", 1)) if isinstance(role, dict) else ""


def _commands(value: Any, depth: int) -> Iterator[str]:
    """The command of each container, as one text."""
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        words = [str(word) for key in ("command", "args") for word in _listed(value.get(key))]
        if words:
            yield " ".join(words)
        for inner in value.values():
            yield from _commands(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _commands(inner, depth + 1)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
