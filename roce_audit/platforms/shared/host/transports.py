"""By what the libraries of a job are let send: RDMA, or sockets alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from roce_audit.patterns import lazy
from roce_audit.values import Cell, Why, absent, known, unknown

_Value = TypeVar("_Value")
_COMPUTED = lazy(r"[$`]")
_NETS = {"ib": "ib", "socket": "socket"}
_NAME = lazy(r"[A-Za-z0-9_. -]{1,64}")
_RDMA = lazy(r"(?:all|ib|(?:rc|ud|dc)(?:_[vx]|_verbs|_mlx5)?|gga(?:_mlx5)?|srd)(?::aux)?")
_OTHERS = lazy(
    r"(?:tcp|sm|shm|mm|self|posix|sysv|xpmem|knem|cma|sockcm|rdmacm|cuda(?:_copy|_ipc)?|gdr_copy|rocm(?:_copy|_ipc|_gdr)?"
    r"|ze(?:_copy|_ipc|_gdr)?|ugni(?:_smsg|_udt|_rdma)?)(?::aux)?"
)
"""Transports without an RDMA device, and what only connects or copies (UCX, ucp_context.c and the components of uct)."""
_OF_RDMA_IN_UCX = ("UCX_IB_TRAFFIC_CLASS", "UCX_IB_GID_INDEX", "UCX_IB_SL")
_RDMA_PORT = lazy(r"(?:^|[,^=])[A-Za-z0-9_]{1,64}:[0-9]{1,3}(?:,|$)")
"""UCX names an RDMA device with its port, and a network device without."""
_LIBFABRIC = lazy(r"(?i:(?:^|[^a-z])ofi(?:[^a-z]|$)|libfabric)")
_OF_NCCL = lazy(r"(?:NCCL|RCCL)_(?!DEBUG)")


def net_of(given: Mapping[str, Cell[str]]) -> Cell[str] | None:
    """What NCCL_NET says; None where it is not set. The name of anything else is that of a plug-in; that of libfabric (aws-ofi-nccl,
    NCCL_NET_PLUGIN) sends by the provider that FI_PROVIDER names.
    """
    provider = given.get("FI_PROVIDER")
    nets = (given[name].get() for name in ("NCCL_NET_PLUGIN", "NCCL_NET") if name in given)
    if provider is not None and _is_of_sockets(provider.get()) and any(map(_LIBFABRIC.search, nets)):
        return known("libfabric-sockets", *provider.at)
    return _told(given, "NCCL_NET", _net)


def ucx_rdma(given: Mapping[str, Cell[str]]) -> Cell[bool] | None:
    """Whether UCX_TLS lets UCX use RDMA; None where it is not set.

    Beside settings of NCCL, UCX mostly starts the processes of a job and sends none of its data: then it may well keep to
    sockets, and only who tells it how to use RDMA besides means it to.
    """
    may = _told(given, "UCX_TLS", _lets_use_rdma)
    if may is not None and may.is_known and not may.get() and _is_for_nccl(given):
        return absent(*may.at)
    return may


MPI = ("FI_PROVIDER", "I_MPI_OFI_PROVIDER", "I_MPI_FABRICS", "OMPI_MCA_BTL", "OMPI_MCA_PML")
_SOCKETS = frozenset({"tcp", "sockets", "udp"})
"""Providers of libfabric without RDMA (fi_provider(7)), and the fabric of older releases of Intel MPI."""
_WITH_OTHERS = frozenset({"ofi_rxm", "ofi_rxd", "shm", "self", "sm", "vader", "smcuda", "cuda"})
"""What goes on top of a provider, and what stays in the host."""


def mpi_sockets(given: Mapping[str, Cell[str]]) -> Cell[str] | None:
    """What keeps MPI's messages on sockets; None where nothing is set, absent where nothing does.

    Beside settings of NCCL, MPI only starts the processes of a job. Open MPI asks UCX before its own transports, unless a job
    chooses ob1 (Open MPI, openmpi.org/faq, tuning of the pml).
    """
    said = [(name, given[name]) for name in MPI if name in given]
    if not said:
        return None
    if any(map(_OF_NCCL.match, given)):
        return absent(*(where for _, cell in said for where in cell.at))
    own = given.get("I_MPI_OFI_PROVIDER", given.get("FI_PROVIDER"))
    lists = [(name, cell) for name, cell in said if name not in MPI[:2] or cell is own]
    pml = given.get("OMPI_MCA_PML")
    if pml is None or pml.get() != "ob1":
        lists = [(name, cell) for name, cell in lists if name != "OMPI_MCA_BTL"]
    found = next(((name, cell) for name, cell in lists if _is_of_sockets(cell.get())), None)
    if found is not None:
        return known(f"{found[0]}={found[1].get()}", *found[1].at)
    hidden = next((cell for _, cell in lists if _COMPUTED.search(cell.get())), None)
    return absent(*said[0][1].at) if hidden is None else unknown(Why.NOT_VISIBLE, *hidden.at)


def _is_of_sockets(text: str) -> bool:
    names = {word.strip().lower() for word in _PARTS.split(text) if word.strip()}
    return bool(names & _SOCKETS) and names <= _SOCKETS | _WITH_OTHERS


_PARTS = lazy(r"[,;:]")


def _told(given: Mapping[str, Cell[str]], variable: str, read: Callable[[str], _Value | None]) -> Cell[_Value] | None:
    """What a variable says; None where it is not set. `read` gives None for what says nothing, and raises ValueError for what it
    does not understand."""
    said = given.get(variable)
    if said is None:
        return None
    text = said.get().strip()
    if _COMPUTED.search(text):
        return unknown(Why.NOT_VISIBLE, *said.at)
    try:
        value = read(text)
    except ValueError:
        return unknown(Why.NOT_PARSED, *said.at)
    return absent(*said.at) if value is None else known(value, *said.at)


def _net(text: str) -> str | None:
    text = text.strip("\"'\\ ")  # a program that writes a script quotes what has a blank in it
    if text and not _NAME.fullmatch(text):
        raise ValueError(text)
    return _NETS.get(text.lower(), "plugin") if text else None


def _lets_use_rdma(text: str) -> bool | None:
    is_kept_out, text = text.startswith("^"), text.removeprefix("^")
    words = [word.strip().removeprefix("\\") for word in text.split(",") if word.strip()]
    if not words:
        return None
    if not all(_RDMA.fullmatch(word) or _OTHERS.fullmatch(word) for word in words):
        raise ValueError(text)
    rdma = {word.partition(":")[0].partition("_")[0] for word in words if _RDMA.fullmatch(word)}
    return not rdma & {"ib", "all"} and not rdma >= {"rc", "ud", "dc"} if is_kept_out else bool(rdma)


def _is_for_nccl(given: Mapping[str, Cell[str]]) -> bool:
    """Whether NCCL is set up, and nothing says that UCX is to use RDMA as well."""
    listed = given.get("UCX_NET_DEVICES")
    meant = listed is not None and _RDMA_PORT.search(listed.get()) is not None
    return any(map(_OF_NCCL.match, given)) and not meant and not any(name in given for name in _OF_RDMA_IN_UCX)
