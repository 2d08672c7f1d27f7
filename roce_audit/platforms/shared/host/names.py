"""Names of RDMA devices that a job is told to use: one that no device of the host bears leaves a NIC idle without a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.host.collector import Collector
from roce_audit.platforms.shared.host.tools import host_parts
from roce_audit.text.document import Document
from roce_audit.values import Place

_VARIABLES = ("NCCL_IB_HCA", "UCX_NET_DEVICES")


def strangers(collector: Collector, documents: Iterable[Document]) -> Iterator[Seen]:
    """The names in NCCL_IB_HCA and UCX_NET_DEVICES that nothing of this host bears; none where not all devices were seen."""
    devices = {about[1] for about, _, _ in collector.statements if about[0] == "rdma"}
    devices |= set(collector.rdma_netdev) | {nic.rdma for nic in collector.nics.values() if nic.rdma}
    if not devices or not any(_is_whole(document) for document in documents):
        return
    for variable in _VARIABLES:
        found = collector.host.variables.get(variable)
        if found is None or not found[1].is_known:
            continue
        cell = found[1]
        place = next((at for at in cell.at if isinstance(at, Place)), None)
        unborne = list(_unborne(variable, cell.get(), devices, set(collector.nics)))
        if place is not None and unborne:
            text = f"{', '.join(unborne)}: no RDMA device of this host has this name, so {variable} leaves out what was meant"
            yield seen("undefined", unborne[0], text, place, f"{variable}={cell.get()}"[:200], ())


def _is_whole(document: Document) -> bool:
    """Whether it is a whole answer that names every RDMA device of the host."""
    if document.command is None or document.truncated or document.exit_status not in (None, 0):
        return False
    return any(re.fullmatch(part.names_every_device, document.command) for part in host_parts())


def _unborne(variable: str, text: str, devices: set[str], netdevs: set[str]) -> Iterator[str]:
    """NCCL takes a name without `=` as a beginning; UCX takes network devices as well, and `all`."""
    text = text.strip()
    if text.startswith("^"):
        return
    exact, text = text.startswith("="), text.removeprefix("=")
    for piece in text.split(","):
        name = piece.strip().partition(":")[0]
        if variable == "NCCL_IB_HCA":
            borne = name in devices if exact else any(device.startswith(name) for device in devices)
        else:
            borne = name == "all" or name in devices or name in netdevs
        if name and not borne:
            yield name
