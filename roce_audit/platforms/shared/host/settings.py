"""What was said of the host itself: its release, its kernel, and the variables of its communication libraries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from roce_audit.model import Host, HostVariable, JobNumber
from roce_audit.patterns import lazy
from roce_audit.platforms.shared.host.boot import MISREAD
from roce_audit.platforms.shared.host.transports import MPI, mpi_sockets, net_of, ucx_rdma
from roce_audit.text.statements.misspelling import meant
from roce_audit.values import Cell, Place, Why, absent, known, unknown


@dataclass
class HostFacts:
    """What was said of the host itself: (value, place), the first that is said wins unless a tool knows better."""

    values: dict[str, Cell[Any]] = field(default_factory=dict)
    variables: dict[str, tuple[int, Cell[str]]] = field(default_factory=dict)
    misspelt: dict[str, tuple[Place, str]] = field(default_factory=dict)
    elsewhere: dict[str, dict[str, Cell[str]]] = field(default_factory=dict)
    """ToS bytes that other containers of the same job are given: variable -> its values."""
    """Variable -> what was to set it, and does not."""
    environment: Cell[Any] | None = None
    agents: dict[str, Place] = field(default_factory=dict)
    agents_seen: Cell[Any] | None = None


NUMBERS = {
    "nccl_traffic_class": "NCCL_IB_TC",
    "nccl_control_class": "NCCL_IB_FIFO_TC",
    "nccl_gid_index": "NCCL_IB_GID_INDEX",
    "nccl_timeout": "NCCL_IB_TIMEOUT",
    "nccl_retries": "NCCL_IB_RETRY_CNT",
    "nccl_ib_disable": "NCCL_IB_DISABLE",
    "ucx_traffic_class": "UCX_IB_TRAFFIC_CLASS",
    "ucx_gid_index": "UCX_IB_GID_INDEX",
    "nvshmem_traffic_class": "NVSHMEM_IB_TRAFFIC_CLASS",
    "nvshmem_gid_index": "NVSHMEM_IB_GID_INDEX",
    "mooncake_traffic_class": "MC_IB_TC",
    "mooncake_gid_index": "MC_GID_INDEX",
    "nccl_sl": "NCCL_IB_SL",
    "ucx_sl": "UCX_IB_SL",
    "hccl_traffic_class": "HCCL_RDMA_TC",
    "hccl_sl": "HCCL_RDMA_SL",
    "perftest_traffic_class": "PERFTEST_TCLASS",
    "storage_traffic_class": "STORAGE_TCLASS",
    "storage_gid_index": "STORAGE_GID_INDEX",
    "uccl_traffic_class": "UCCL_IB_TC",
    "uccl_gid_index": "UCCL_IB_GID_INDEX",
    "rocshmem_traffic_class": "ROCSHMEM_GDA_TRAFFIC_CLASS",
    "mori_traffic_class": "MORI_RDMA_TC",
    "mori_transfer_class": "MORI_IO_TC",
    "mori_gid_index": "MORI_IB_GID_INDEX",
}
_SENDERS = {"nccl_control_class": "control", "perftest_traffic_class": "test"}
_SHOWN_AS = {
    "perftest_traffic_class": "the traffic class of the bandwidth test",
    "storage_traffic_class": "the ToS byte of this storage client",
    "storage_gid_index": "the GID index of this storage",
}
"""What stands for no variable of its own."""
_BYTES = [name for name in NUMBERS if name.endswith(("_traffic_class", "_control_class", "_transfer_class"))]
_INDEXES = [name for name in NUMBERS if name.endswith("_gid_index")]
"""The fields of NUMBERS that are ToS bytes, and indexes of GID tables."""
WORDS = {
    "nccl_hca": "NCCL_IB_HCA",
    "ucx_devices": "UCX_NET_DEVICES",
    "nvshmem_devices": "NVSHMEM_HCA_LIST",
    "uccl_devices": "UCCL_IB_HCA",
    "rocshmem_devices": "ROCSHMEM_HCA_LIST",
    "mori_devices": "MORI_RDMA_DEVICES",
    "option_devices": "MC_IB_OPTION",
    "store_devices": "MOONCAKE_DEVICE",
    "storage_devices": "STORAGE_DEVICES",
}
TRANSPORTS = {"nccl_net": ("NCCL_NET", net_of), "ucx_rdma": ("UCX_TLS", ucx_rdma), "mpi_sockets": (MPI[0], mpi_sockets)}
"""Field -> the variable, and what it comes to beside all others that are set."""
VARIABLES = frozenset((*NUMBERS.values(), *WORDS.values(), *(name for name, _ in TRANSPORTS.values()), *MPI))
"""The variables that are judged."""
LIBRARY_NAMES = (
    "NCCL", "RCCL", "HCCL", "UCCL", "UCX", "NVSHMEM", "ROCSHMEM", "GLOO", "FI", "I_MPI", "MORI", "DEEPEP",
)  # fmt: skip
LIBRARY_PREFIXES = rf"{'|'.join(LIBRARY_NAMES)}|MC(?=_IB_|_GID_)|MOONCAKE(?=_DEVICE)"
"""How the variables of libraries begin, before a low line: one of these."""
OTHER_PREFIXES = "OMPI_MCA|PERFTEST|STORAGE"
"""How those begin by which readers tell what stands in no variable: parameters, options of tests, files of storage clients."""
_LIBRARY = lazy(rf"(?:[A-Z]CCL|{LIBRARY_PREFIXES}|{OTHER_PREFIXES})_")
"""A letter before CCL is a library of its own: RCCL, HCCL, UCCL (uccl-project/uccl, ep/README.md), and more that nothing here reads."""
_NONE_UNLESS_SAID = (
    "smb_direct_priority",
    "smb_direct_untagged",
    "default_priority",
    "cluster_priority",
    "nic_setups",
    "rdma_resource",
)
"""What most hosts have not: there is none where nothing says so."""
_AUTOMATIC = {"-1", "auto"}
_LARGEST = {"class": 255, "sl": 15, "timeout": 31, "retries": 7, "index": 255}
"""Last word of a field -> the largest value that its variable can take: a ToS byte, a service level of four bits, a time-out of
five and a count of three (InfiniBand Architecture Specification, volume 1, attributes of queue pairs), an entry of a GID table
(ibverbs: eight bits)."""
_BEYOND = {
    "timeout": " (no number of seconds: 20 stands for 4.3 s, each one more doubles it, and 31 is the largest)",
    "retries": " (three bits of a queue pair hold it: 7 is the largest)",
}
"""What is said of a value beyond that."""
_ENDS = "HCCL takes {} alone and ends with an error (EI0001) where it is given another value"
_REFUSED = {"hccl_traffic_class": _ENDS.format("multiples of 4 up to 252"), "hccl_sl": _ENDS.format("0 to 7")}
"""What becomes of a value that its library refuses (Huawei CANN, HCCL troubleshooting, EI0001)."""
_LARGEST_OF = {"hccl_sl": 7}
_STEPS = {"hccl_traffic_class": 4}
"""HCCL_RDMA_SL goes from 0 to 7, and HCCL_RDMA_TC is a multiple of four (Huawei CANN, environment variables of HCCL)."""
_COMPUTED = lazy(r"[$`]|\A(?:\*{3,}|<[^<>]{1,60}>)\Z")
"""A value that stands elsewhere, is masked (`***`), or is to be filled in (`<INDEX>`)."""
_OF_ROCE = lazy(r"(?<![\w.^])(?:roce[A-Za-z]\w{1,30}|bnxt_re\d{1,3}|ionic_\d{1,3}|hns_\d{1,3})(?![\w.])")
"""Devices of NICs that are no InfiniBand: by their place (rdma-core, rdma_rename), or by the driver."""
_OF_INFINIBAND = lazy(r"=?ib\w{0,30}(?::\d{1,3})?(?:,ib\w{0,30}(?::\d{1,3})?){0,63}")
"""Lists of network devices of IPoIB alone, or of RDMA devices that are named after InfiniBand (rdma-core, rdma_rename)."""
_LISTS_OF_INFINIBAND = ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "NCCL_IB_HCA", "UCX_NET_DEVICES")
_PARTITION = "NCCL_IB_PKEY"
"""An entry of the table of partitions, which Ethernet has none of (NVIDIA NCCL, Environment Variables)."""


def _aliases() -> dict[str, str]:
    """Names that no library knows -> what one of them calls it: its own prefix before another library's word for the same."""
    kinds: dict[str, dict[str, str]] = {}
    for field_name, variable in {**NUMBERS, **WORDS}.items():
        library, _, word = variable.partition("_")
        kind = "devices" if field_name in WORDS else field_name.partition("_")[2]
        if kind in _KINDS and library in _PREFIXES:
            kinds.setdefault(kind, {})[library] = word
    known_names = {*NUMBERS.values(), *WORDS.values()}
    return {
        f"{library}_{word}": f"{library}_{own}"
        for words in kinds.values()
        for library, own in words.items()
        for word in words.values()
        if f"{library}_{word}" not in known_names
    }


_KINDS = frozenset({"traffic_class", "gid_index", "devices"})
_PREFIXES = frozenset({"NCCL", "UCX", "NVSHMEM"})
_ALIASES = _aliases()
"""`NCCL_IB_TRAFFIC_CLASS` for NCCL_IB_TC, `UCX_IB_TC` for UCX_IB_TRAFFIC_CLASS."""


def meant_variable(name: str) -> str | None:
    """The variable that a name is a misspelling of; a name of another library is none."""
    if (alias := _ALIASES.get(name)) is not None:
        return alias
    wanted = meant(name, (*NUMBERS.values(), *WORDS.values()))
    library = _LIBRARY.match(name)
    return wanted if wanted is not None and (library is None or wanted.startswith(library.group())) else None


def host_of(said: HostFacts) -> tuple[Host, tuple[tuple[Place, str], ...]]:
    """The host's nic, and the settings whose value was not understood, as (place, text)."""
    unread: list[tuple[Place, str]] = []
    nothing: Cell[Any] = absent(*said.environment.at) if said.environment is not None else unknown(Why.NOT_VISIBLE)
    values: dict[str, Any] = {
        name: said.values.get(name, unknown(Why.NOT_VISIBLE)) for name in Host.__dataclass_fields__
    }
    values |= {name: said.values.get(name, absent()) for name in _NONE_UNLESS_SAID}
    for field_name in (*NUMBERS, *WORDS):
        values[field_name] = _of_variable(field_name, said, nothing, unread)
    values["roce_device"] = _of_roce([values[field_name] for field_name in WORDS])
    values["infiniband"] = _of_infiniband(said.variables)
    values["tos_bytes"] = _told(values, _BYTES, nothing, said.elsewhere)
    values["gid_indexes"] = _told(values, _INDEXES, nothing, {})
    given = {name: cell for name, (_, cell) in said.variables.items()}
    for field_name, (variable, told_by) in TRANSPORTS.items():
        transport = told_by(given)
        values[field_name] = nothing if transport is None else transport
        if transport is not None and transport.why is Why.NOT_PARSED:
            unread.append((_place_of(transport), f"{variable}={given[variable].get()}"))
    if said.variables or said.environment is not None:
        listed = tuple(HostVariable(name=n, value=c) for n, (_, c) in sorted(said.variables.items()))
        at = tuple(where for _, cell in said.variables.values() for where in cell.at)[:1]
        values["variables"] = known(listed, *(at or (said.environment.at if said.environment is not None else ())))
    if said.agents_seen is not None and not said.agents_seen.is_known:
        values["dcb_agents"] = said.agents_seen
    elif said.agents or said.agents_seen is not None:
        seen = said.agents_seen.at if said.agents_seen is not None else ()
        values["dcb_agents"] = known(frozenset(said.agents), *(said.agents.values() or seen))
    return Host(**values), tuple(unread)


def _of_variable(field_name: str, said: HostFacts, nothing: Cell[Any], unread: list[tuple[Place, str]]) -> Cell[Any]:
    """What the variable of a field is set to; what is no value that it can have is `unread`."""
    variable = NUMBERS.get(field_name) or WORDS[field_name]
    found, slip = said.variables.get(variable), said.misspelt.get(variable)
    if slip is not None and not (found is not None and slip[1].partition("=")[0] in _ALIASES):
        unread.append(slip)
        return unknown(Why.NOT_PARSED, slip[0])
    if found is None:
        return nothing
    if field_name == "store_devices" and found[1].get() == "auto":
        return absent(*found[1].at)
    cell = _variable(found[1], field_name in NUMBERS)
    beyond = refused = ""
    if field_name in NUMBERS and cell.is_known and _is_out_of_range(field_name, cell.get()):
        cell = unknown(Why.NOT_PARSED, *cell.at)
        beyond = _BEYOND.get(field_name.rpartition("_")[2], "")
        refused = _REFUSED.get(field_name, "")
    # no RDMA device has a dot in its name, or begins with the sign that stands before the other one
    if field_name == "nccl_hca" and cell.is_known and ("." in cell.get() or cell.get().startswith("=^")):
        cell = unknown(Why.NOT_PARSED, *cell.at)
    if cell.why is Why.NOT_PARSED:
        written = f"{variable}={found[1].get()}"
        unread.append((_place_of(cell), f"{MISREAD} {written}: {refused}" if refused else f"{written}{beyond}"))
    return cell


def _place_of(cell: Cell[Any]) -> Place:
    return next(at for at in cell.at if isinstance(at, Place))


def _told(
    values: Mapping[str, Cell[Any]],
    names: Sequence[str],
    nothing: Cell[Any],
    elsewhere: Mapping[str, Mapping[str, Cell[str]]],
) -> Cell[tuple[JobNumber, ...]]:
    """Those of the fields of these names that something sets, and what sets them `elsewhere`."""
    told = [(name, values[name]) for name in names if values[name] is not nothing]
    others = ((name, _variable(cell, True)) for name in names for cell in elsewhere.get(NUMBERS[name], {}).values())
    told += [(name, cell) for name, cell in others if cell.is_known and not _is_out_of_range(name, cell.get())]
    numbers = tuple(
        JobNumber(
            number=number,
            sender=_SENDERS.get(name, "storage" if name.startswith("storage") else "job"),
            library=name.partition("_")[0],
            name=_SHOWN_AS.get(name, NUMBERS[name]),
            value=cell,
        )
        for number, (name, cell) in enumerate(told)
    )
    return known(numbers, *told[0][1].at[:1]) if numbers else nothing


def _of_roce(lists: list[Cell[Any]]) -> Cell[str]:
    """The first device of the lists that only RoCE has; unknown where a list was not understood."""
    hidden = next((cell for cell in lists if cell.why is Why.NOT_PARSED), None)
    if hidden is not None:
        return unknown(Why.NOT_PARSED, *hidden.at)
    found = ((one[0], cell) for cell in lists if cell.is_known and (one := _OF_ROCE.search(cell.get())) is not None)
    return next((known(device, *cell.at) for device, cell in found), absent())


def _of_infiniband(variables: Mapping[str, tuple[int, Cell[str]]]) -> Cell[str]:
    """The first variable that only a job over InfiniBand is given."""
    for name in (*_LISTS_OF_INFINIBAND, _PARTITION):
        cell = variables[name][1] if name in variables else absent()
        if cell.is_known and (cell.get() != "0" if name == _PARTITION else _OF_INFINIBAND.fullmatch(cell.get())):
            return known(f"{name}={cell.get()}", *cell.at)
    return absent()


def _is_out_of_range(field_name: str, value: int) -> bool:
    largest = _LARGEST_OF.get(field_name, _LARGEST.get(field_name.rpartition("_")[2], value))
    return value > largest or value % _STEPS.get(field_name, 1) != 0


def _variable(cell: Cell[str], is_number: bool) -> Cell[Any]:
    # a list that begins with nothing is made by what follows
    if _COMPUTED.search(cell.get()) or not (is_number or cell.get()):
        return unknown(Why.NOT_VISIBLE, *cell.at)  # understood: the shell puts in what another place decides
    if not is_number:
        return (
            cell
            if re.fullmatch(r"[\^=]{0,2}[A-Za-z0-9_.,:-]{1,500}", cell.get())
            else unknown(Why.NOT_PARSED, *cell.at)
        )
    text = cell.get().strip()
    if text in _AUTOMATIC:
        return absent(*cell.at)
    if re.fullmatch(r"[0-9]{1,6}|0[xX][0-9a-fA-F]{1,4}", text):
        return known(int(text, 0) if text[:2].lower() == "0x" else int(text), *cell.at)
    return unknown(Why.NOT_PARSED, *cell.at)
