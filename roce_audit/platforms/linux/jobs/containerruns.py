"""Containers that a script runs, told how to use RDMA and given no RDMA device, or not free to pin memory for it.

Sources: Docker, docker run (--device, --privileged, --cap-add, --ulimit); podman-run(1) (--ulimit host); NVIDIA Container Toolkit
(NVIDIA_MOFED).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from roce_audit.platforms.linux.jobs.variables import assignments
from roce_audit.platforms.shared.shell.commands import commands

NO_DEVICE = (
    "it is told how to use RDMA and is given no RDMA device (/dev/infiniband), so its library sends over TCP or fails"
)
NO_MEMORY = (
    "it is told how to use RDMA and has neither IPC_LOCK nor a memlock limit of its own, so it may register no more memory than its "
    "runtime's default lets it pin"
)
_OF_RDMA = re.compile(r"(?:(?:NCCL|RCCL)_IB_(?!DISABLE)|UCX_IB_|NVSHMEM_(?:IB|HCA)_|MC_(?:IB|GID)_)[A-Z0-9_]{1,60}")


def uses_rdma(given: Mapping[str, str]) -> bool:
    """Whether variables say how RDMA is to be used, and none of them that it is not."""
    is_off = given.get("NCCL_IB_DISABLE", "0") != "0" or given.get("NCCL_NET", "").lower() == "socket"
    return not is_off and any(map(_OF_RDMA.fullmatch, given))


_RUN = re.compile(r"[^#\n]{0,200}\b(?:docker|podman|nerdctl)[ \t]+run[ \t]")
_OPEN = re.compile(r"(?:^|\s)[\"']?\$")
"""Options that stand elsewhere: `docker run $OPTIONS`."""
_DEVICE = re.compile(
    r"--privileged(?!=false)|--device[= \t][\"']?(?:/dev/?[:\s\"']|[^\s/]|/dev$)|/dev/infiniband|NVIDIA_MOFED="
)
"""All devices, one of RDMA, one by its name of CDI."""
_LOCKS = re.compile(
    r"--privileged(?!=false)|--cap-add[= \t][\"']?(?:CAP_)?(?:IPC_LOCK|ALL)\b|--ulimit[= \t][\"']?(?:memlock|host)"
)


def slips(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of commands of a script that run such a container."""
    for command in commands(texts):
        text = command.text
        if command.is_data or _RUN.match(text) is None or _OPEN.search(text) is not None:
            continue
        if not uses_rdma(dict(assignments(text))):
            continue
        if _DEVICE.search(text) is None:
            yield command.number, NO_DEVICE
        elif _LOCKS.search(text) is None:
            yield command.number, NO_MEMORY
