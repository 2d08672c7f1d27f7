"""Sending: with which ToS byte the RDMA packets of a host's NIC leave, as far as somebody said so."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.values import Cell


def tos_bytes(port: FabricPort) -> frozenset[int]:
    """The ToS bytes that a NIC's packets were told to carry; none where nobody was seen to say so."""
    return frozenset(cell.get() for cell in told(port))


def told(port: FabricPort) -> tuple[Cell[int], ...]:
    """Who says so. The first that speaks hides the rest, and defaults say nothing.

    The class that the driver forces, what NCCL and UCX are told, the NIC's own DSCP for RoCE, what rdma_cm gives.
    """
    found = (tuple(cell for cell in cells if cell.is_known) for cells in _ranks(port))
    return next((cells for cells in found if cells), ())


def _ranks(port: FabricPort) -> Iterator[tuple[Cell[int], ...]]:
    app, nic = port.application, nic_of(port)
    if app is not None:
        yield (app.forced_tos,)
        told = ((app.nccl_tos, app.nccl_tos_is_default), (app.ucx_tos, app.ucx_tos_is_default))
        yield tuple(tos for tos, is_default in told if not is_default.or_else(True))
    if nic is not None:
        yield (
            Cell(None if nic.roce_dscp.value is None else nic.roce_dscp.value * 4, nic.roce_dscp.why, nic.roce_dscp.at),
        )
        if nic.cma_tos.or_else(0):  # 0 is what the kernel fills in
            yield (nic.cma_tos,)
