"""Evidence that only hosts give: which NICs the application names, and the hints against a NIC."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from roce_audit.fabric.seats import Answer, Seat
from roce_audit.model import Host, Nic
from roce_audit.values import Where


def nic_of(seat: Seat) -> Nic | None:
    """The NIC facts of a host port, where it has any."""
    return seat.port.facts.nic.or_else(None)  # type: ignore[arg-type]


def named_by_application(host: Host, host_at: Sequence[Where], device: str) -> Answer | None:
    """What NCCL_IB_HCA says of an RDMA device: prefix match, `=` exact, `^` exclusion; None where it is unset."""
    listed = host.nccl_hca
    if not listed.is_known or not device:
        return None
    text = listed.get().strip()
    exclude, text = text.startswith("^"), text.removeprefix("^")
    exact, text = text.startswith("="), text.removeprefix("=")
    wanted = [piece.partition(":")[0].strip() for piece in text.split(",") if piece.strip()]
    hit = any(device == name if exact else device.startswith(name) for name in wanted)
    value = hit != exclude
    return Answer(value, "words", tuple(host_at), f"NCCL_IB_HCA={listed.get()[:80]}")


def hints_against(seats: Iterable[Seat]) -> dict[str, Answer]:
    """Port id -> hint, over the NICs of one host: no RDMA device, the default route, under half the fastest RDMA NIC."""
    nics = [(seat, nic_of(seat)) for seat in seats]
    fastest = max((_speed(seat) for seat, nic in nics if nic is not None and nic.rdma_device.is_known), default=0)
    hints: dict[str, Answer] = {}
    for seat, nic in nics:
        if nic is None or nic.rdma_device.is_absent:
            hints[seat.id] = Answer(False, "hint", (seat.port.header,), "no RDMA device")
        elif nic.default_route.or_else(False):
            at = seat.absolute(nic.default_route.at)
            hints[seat.id] = Answer(False, "hint", at, "holds the host's default route")
        elif 0 < _speed(seat) * 2 < fastest:
            at = seat.absolute(seat.port.facts.speed_bps.at)
            hints[seat.id] = Answer(False, "hint", at, "under half the speed of the host's fastest RDMA NIC")
    return hints


def _speed(seat: Seat) -> int:
    return seat.port.facts.speed_bps.or_else(0)
