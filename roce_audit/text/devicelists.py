"""Device lists: what NCCL_IB_HCA and UCX_NET_DEVICES name, as the library reads it that the list is for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple


class Entry(NamedTuple):
    """One entry of a list of devices to use."""

    written: str
    """`mlx5_0` or `mlx5_0:1`"""
    alone: str
    """The same as a list of its own."""


class Library(NamedTuple):
    """How a library reads its lists."""

    names: Callable[[str, str], bool]
    """Whether a list names a device; the device may carry a port (`mlx5_0:2`), and has port 1 where it carries none."""
    entries: Callable[[str], Sequence[Entry]]
    """The entries of a list of devices to use; none of a list of what is left out."""


@lru_cache(4096)
def _nccl_names(text: str, device: str) -> bool:
    """`^` excludes, `=` asks for whole names instead of beginnings, `:1` for a port (NCCL, environment variables)."""
    text = text.strip()
    excluded, text = text.startswith("^"), text.removeprefix("^")
    exact, text = text.startswith("="), text.removeprefix("=")
    name, _, port = device.partition(":")
    pieces = [piece.strip().split(":") for piece in text.split(",") if piece.strip()]
    hit = any(
        (name == piece[0] if exact else name.startswith(piece[0]))
        and (len(piece) < 2 or not piece[1].isdigit() or piece[1] == (port or "1"))
        for piece in pieces
    )
    return (hit or not pieces) != excluded


@lru_cache(4096)
def _ucx_names(text: str, device: str) -> bool:
    """Whole names with their port, such as `mlx5_0:1`; `all` names every device (UCX, UCX_NET_DEVICES)."""
    text = text.strip()
    excluded, text = text.startswith("^"), text.removeprefix("^")
    name, _, port = device.partition(":")
    pieces = {piece.strip() for piece in text.split(",")}
    return bool(pieces & {"all", name, f"{name}:{port or '1'}"}) != excluded


def _nccl_entries(text: str) -> Sequence[Entry]:
    sign = "=" if text.lstrip().startswith("=") else ""
    return [Entry(piece, sign + piece) for piece in _pieces(text)]


def _ucx_entries(text: str) -> Sequence[Entry]:
    return [Entry(piece, piece) for piece in _pieces(text)]


def _pieces(text: str) -> Iterator[str]:
    text = text.strip()
    if not text.startswith("^"):
        yield from filter(None, map(str.strip, text.removeprefix("=").split(",")))


def _exact_names(text: str, device: str) -> bool:
    """Whole names without ports (MORI_RDMA_DEVICES)."""
    excluded, text = text.strip().startswith("^"), text.strip().removeprefix("^")
    return (device.partition(":")[0] in {piece.strip() for piece in text.split(",")}) != excluded


NCCL = Library(_nccl_names, _nccl_entries)
UCX = Library(_ucx_names, _ucx_entries)
EXACT = Library(_exact_names, _ucx_entries)
