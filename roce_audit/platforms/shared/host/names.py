"""Names of RDMA devices that a job is told to use: one that no device of the host bears leaves a NIC idle without a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.host.collector import Collector
from roce_audit.platforms.shared.host.tools import host_parts
from roce_audit.text.devicelists import NCCL, UCX, Library
from roce_audit.text.document import Document
from roce_audit.values import Place

_LISTS = {
    "NCCL_IB_HCA": (NCCL, "leaves NCCL no RDMA device, and it takes TCP sockets"),
    "UCX_NET_DEVICES": (UCX, "leaves UCX no network device"),
}
"""Variable -> how its library reads it, and what follows where nothing bears any of its names."""


def strangers(collector: Collector, documents: Iterable[Document]) -> Iterator[Seen]:
    """The names in NCCL_IB_HCA and UCX_NET_DEVICES that nothing of this host bears; none where not all devices were seen."""
    devices = {about[1] for about, _, _ in collector.statements if about[0] == "rdma"}
    devices |= set(collector.rdma_netdev) | {nic.rdma for nic in collector.nics.values() if nic.rdma}
    if not devices or not any(_is_whole(document) for document in documents):
        return
    for variable, (library, nothing_left) in _LISTS.items():
        found = collector.host.variables.get(variable)
        if found is None or not found[1].is_known:
            continue
        cell = found[1]
        place = next((at for at in cell.at if isinstance(at, Place)), None)
        named = list(_named(library, cell.get(), devices, set(collector.nics)))
        unborne = [name for name, borne in named if not borne]
        if place is not None and unborne:
            left = "leaves out what was meant" if len(unborne) < len(named) else nothing_left
            text = f"{', '.join(unborne)}: no RDMA device of this host has this name, so {variable} {left}"
            yield seen("undefined", unborne[0], text, place, f"{variable}={cell.get()}"[:200], ())


def _is_whole(document: Document) -> bool:
    """Whether it is a whole answer that names every RDMA device of the host."""
    if document.command is None or document.truncated or document.exit_status not in (None, 0):
        return False
    return any(re.fullmatch(part.names_every_device, document.command) for part in host_parts())


def _named(library: Library, text: str, devices: set[str], netdevs: set[str]) -> Iterator[tuple[str, bool]]:
    """The names of a list as written, and whether something of the host bears them; UCX takes network devices as well."""
    for entry in library.entries(text):
        name, anywhere = entry.written.partition(":")[0], entry.alone.partition(":")[0]
        if not name:
            continue
        is_borne = any(library.names(entry.alone, device) for device in devices)
        is_netdev = library is UCX and name in netdevs
        is_of_name = any(library.names(anywhere, device) for device in devices)
        yield (entry.written if is_of_name else name), is_borne or is_netdev
