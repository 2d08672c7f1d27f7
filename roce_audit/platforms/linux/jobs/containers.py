"""Services of Compose and containers of a cluster's jobs that are to use RDMA, and get no device or may pin no memory for it.

Sources: Compose specification (devices, cap_add, ulimits); NVIDIA Container Toolkit (NVIDIA_MOFED);
Mellanox/k8s-rdma-shared-dev-plugin (IPC_LOCK); Kubernetes API (SecurityContext of a container, PodSecurityContext, resources, claims).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.linux.jobs.containerruns import NO_DEVICE, NO_MEMORY, uses_rdma
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.records import dataclass
from roce_audit.text.structured.yamltext import YamlText

_OF_POD = "capabilities are a container's own: the cluster takes none from the securityContext of a pod, so no container has IPC_LOCK"
_PINS = frozenset({"IPC_LOCK", "CAP_IPC_LOCK", "ALL"})
_DEPTH = 40


def compare(answer: Answer, found: Sequence[YamlText]) -> None:
    """Say which services of Compose, and which containers of a cluster's jobs, are without what RDMA needs."""
    for document in found:
        value = document.value
        services = value.get("services") if isinstance(value, dict) else None
        for name, service in services.items() if isinstance(services, dict) else ():
            if isinstance(service, dict) and (meaning := _of_service(service)):
                _tell(answer, document.nearest_line_of(("services", name)), f"{name}:", meaning)
        if isinstance(value, dict) and "apiVersion" in value:
            _unlike(answer, document)
            _of_pods(answer, document)


def _tell(answer: Answer, line: int, text: str, meaning: str) -> None:
    answer.collector.seen.append(noticed("conflict", place(answer, line), text, meaning))


def _texts(value: Any) -> list[str]:
    """The entries of a list as text; a mapping among them as what stands in it."""
    listed = value if isinstance(value, list) else []
    return [" ".join(str(part) for part in one.values()) if isinstance(one, dict) else str(one) for one in listed]


def _of_service(service: Mapping[str, Any]) -> str:
    """What a service of Compose is without; "" where it has it, or something else may give it."""
    given = service.get("environment")
    pairs = given.items() if isinstance(given, dict) else (text.split("=", 1) for text in _texts(given) if "=" in text)
    variables = {str(name): str(value) for name, value in pairs}
    is_free = service.get("privileged") not in (None, False) or "extends" in service or "NVIDIA_MOFED" in variables
    if is_free or not uses_rdma(variables):
        return ""
    devices = [*_texts(service.get("devices")), *_texts(service.get("volumes"))]
    if not any(_gives_rdma(text) for text in devices) and "device_cgroup_rules" not in service:
        return NO_DEVICE
    limits = service.get("ulimits")
    may_pin = isinstance(limits, dict) and "memlock" in limits
    return "" if may_pin or _PINS & frozenset(_texts(service.get("cap_add"))) or "$" in str(limits) else NO_MEMORY


def _gives_rdma(text: str) -> bool:
    """Whether an entry of `devices` or `volumes` may be an RDMA device: its path, all devices, a name of CDI, a placeholder."""
    return (
        "/dev/infiniband" in text
        or re.match(r"/dev/?(?:[:\s]|$)", text) is not None
        or "$" in text
        or (not text.startswith(("/", ".", "~")) and "/" in text.partition("=")[0] and "=" in text)
    )


_GPU = re.compile(r"[\w.-]{1,60}/(?:gpu|mig-[\w.-]{1,40}|gpu[.-][\w.-]{1,40})")
_NIC = re.compile(
    r"rdma/[\w.-]{1,60}|[\w.-]{1,60}/(?:[\w.]{0,40}[_.-])?(?:rdma|roce|rail|hca|v?nic|vfs?|sriov|hostdev|efa|ib|cx)[\w.-]{0,60}"
)
"""As the device plugins for NICs call what they hand out: `rdma/hca`, `nvidia.com/hostdev`, `openshift.io/rail0`, `amd.com/vnic`."""
_Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _Container:
    """A container of an object of Kubernetes."""

    path: _Path
    pod: Mapping[str, Any]
    value: Mapping[str, Any]

    def asks_for(self, pattern: re.Pattern[str]) -> set[str]:
        """The resources of such a name among its limits and requests."""
        resources = _mapping(self.value.get("resources"))
        asked = (_mapping(resources.get(key)) for key in ("limits", "requests"))
        named = {str(name) for one in asked for name, amount in one.items() if str(amount) not in ("0", "")}
        return {name for name in named if pattern.fullmatch(name) is not None}

    @property
    def may_pin(self) -> bool:
        """Whether it has the capability to lock memory."""
        capabilities = _mapping(_mapping(self.value.get("securityContext")).get("capabilities"))
        return bool(_PINS & frozenset(_texts(capabilities.get("add"))))

    @property
    def has_all(self) -> bool:
        """Whether it is privileged, or RDMA devices may come otherwise: by claims, or a path of the node."""
        is_privileged = _mapping(self.value.get("securityContext")).get("privileged") not in (None, False)
        has_claims = self.pod.get("resourceClaims") or _mapping(self.value.get("resources")).get("claims")
        return is_privileged or bool(has_claims) or any("/dev" in one for one in _texts(self.pod.get("volumes")))

    @property
    def uses_rdma(self) -> bool:
        """Whether its own variables say how RDMA is to be used."""
        listed = self.value.get("env")
        entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        return uses_rdma({str(one.get("name")): str(one.get("value", "")) for one in entries})


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _containers(value: Any, path: _Path) -> Iterator[_Container]:
    """All containers of an object."""
    if len(path) > _DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "containers" and isinstance(inner, list):
                yield from (
                    _Container((*path, key, index), value, one)
                    for index, one in enumerate(inner)
                    if isinstance(one, dict)
                )
            else:
                yield from _containers(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _containers(inner, (*path, index))


def _unlike(answer: Answer, document: YamlText) -> None:
    """Containers of one object that ask for GPUs and run one image are the ranks of one job: each needs what any of them has for
    RDMA."""
    ranks = [one for one in _containers(document.value, ()) if one.asks_for(_GPU)]
    for rank in ranks:
        if rank.has_all:
            continue
        others = [
            one
            for one in ranks
            if one is not rank and (rank.uses_rdma or one.value.get("image") == rank.value.get("image"))
        ]
        asked = {name for one in others for name in one.asks_for(_NIC)}
        name = f"name: {rank.value.get('name', '')}"
        if asked and not rank.asks_for(_NIC):
            meaning = (
                f"another container of this job asks for {', '.join(sorted(asked))} beside its GPUs, and this one for no such device: "
                "it has no NIC for RDMA"
            )
            _tell(answer, document.nearest_line_of((*rank.path, "resources", "limits")), name, meaning)
        elif any(one.may_pin for one in others) and not rank.may_pin:
            meaning = "another container of this job has IPC_LOCK, and this one may not pin the memory that RDMA needs"
            _tell(answer, document.nearest_line_of((*rank.path, "name")), name, meaning)


def _of_pods(answer: Answer, document: YamlText) -> None:
    """Capabilities that stand with a pod instead of a container."""
    pods = {one.path[:-2]: one.pod for one in _containers(document.value, ())}
    for path, pod in pods.items():
        capabilities = _mapping(_mapping(pod.get("securityContext")).get("capabilities"))
        if _PINS & frozenset(_texts(capabilities.get("add"))):
            line = document.nearest_line_of((*path, "securityContext", "capabilities"))
            _tell(answer, line, "securityContext: capabilities", _OF_POD)
