"""`calc mtu` and `calc ets`: packets and frames of a path MTU, shares and guaranteed rates of queues."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.calculator.sums import Calculation, Sum, Term, gigabit
from roce_audit.formulas import ets as shares
from roce_audit.formulas import mtu as formulas

_LINUX = "Linux, include/rdma/ib_addr.h (iboe_get_mtu)"
_ETS = "IEEE 802.1Q, clause 37.3 (ETS)"


def mtu(
    rdma_mtu_bytes: int | None, netdev_mtu_bytes: int | None, ipv6: bool = False, tags: int = 0, vxlan: bool = False
) -> Calculation:
    """What a path MTU needs of an interface, or what an interface gives. Raises ValueError."""
    sums: list[Sum] = []
    if netdev_mtu_bytes is not None:
        found = formulas.rdma_mtu_of(netdev_mtu_bytes)
        room = Term("room for payload", netdev_mtu_bytes - formulas.LINUX_RESERVE_BYTES, "B", "96 B are kept free")
        how = "one of 256, 512, 1024, 2048, 4096" if found else "not even 256 B fit"
        sums.append(Sum("what Linux makes of the interface", (room,), Term("RDMA path MTU", found, "B", how), _LINUX))
        if rdma_mtu_bytes is not None and found < rdma_mtu_bytes:
            raise ValueError(
                f"an interface of {netdev_mtu_bytes:,} B has no path MTU of {rdma_mtu_bytes:,} B, but of {found:,} B: ask for one of them"
            )
        rdma_mtu_bytes = found if rdma_mtu_bytes is None else rdma_mtu_bytes
    if rdma_mtu_bytes is None:
        raise ValueError("calc mtu needs --rdma-mtu or --netdev-mtu")
    given = f"path MTU {rdma_mtu_bytes:,} B" + (", IPv6" if ipv6 else ", IPv4")
    if rdma_mtu_bytes:
        sums += [_packet(rdma_mtu_bytes, ipv6), _frame(rdma_mtu_bytes, ipv6, tags, vxlan), _interface(rdma_mtu_bytes)]
    return Calculation(
        "mtu", given + (f", {tags} VLAN tags" if tags else "") + (", VXLAN" if vxlan else ""), tuple(sums)
    )


def _packet(rdma_mtu: int, ipv6: bool) -> Sum:
    found = formulas.roce_packet(rdma_mtu, ipv6=ipv6)
    terms = (
        Term("IPv6 header" if ipv6 else "IPv4 header", found.ip_bytes, "B"),
        Term("UDP header", found.udp_bytes, "B"),
        Term("BTH", found.bth_bytes, "B", "base transport header"),
        Term("RETH", found.reth_bytes, "B", "address, key and length of an RDMA WRITE"),
        Term("immediate data", found.immediate_bytes, "B"),
        Term("payload", found.payload_bytes, "B"),
        Term("ICRC", found.icrc_bytes, "B"),
    )
    result = Term("largest IP packet", found.total_bytes, "B", "the IP MTU that every hop must carry")
    return Sum("the largest RoCEv2 packet", terms, result, "IBTA annex A17; RFC 791, 8200, 768")


def _frame(rdma_mtu: int, ipv6: bool, tags: int, vxlan: bool) -> Sum:
    frame = formulas.roce_frame_bytes(rdma_mtu, ipv6=ipv6, tags=tags)
    packet = formulas.roce_packet(rdma_mtu, ipv6=ipv6).total_bytes
    terms = [Term("IP packet", packet, "B"), Term("header and FCS", 18, "B")]
    if tags:
        terms.append(Term("VLAN tags", 4 * tags, "B"))
    if not vxlan:
        source = "IEEE 802.3 clause 3, 802.1Q clause 9"
        return Sum("the frame", tuple(terms), Term("frame with FCS", frame, "B"), source)
    more = formulas.vxlan_overhead_bytes()
    terms.append(Term("VXLAN", more, "B", "outer Ethernet 14, IPv4 20, UDP 8, VXLAN 8"))
    outer = Term("outer frame with FCS", frame + more, "B", f"outer IP packet {frame + more - 18:,} B: underlay MTU")
    return Sum("the frame on the underlay", tuple(terms), outer, "RFC 7348, section 5")


def _interface(rdma_mtu: int) -> Sum:
    needs = formulas.netdev_mtu_for(rdma_mtu)
    terms = (
        Term("payload", rdma_mtu, "B"),
        Term("kept free", formulas.LINUX_RESERVE_BYTES, "B", "the largest headers"),
    )
    return Sum("what a Linux interface needs", terms, Term("smallest interface MTU", needs, "B"), _LINUX)


def ets(weights: Sequence[float], speed_bps: int, strict_bps: int = 0) -> Calculation:
    """Shares of weighted queues, and the rate that each surely gets. Raises ValueError."""
    if strict_bps > speed_bps:
        raise ValueError(
            f"strict queues (--strict {gigabit(strict_bps)}) take no more than the port's {gigabit(speed_bps)}"
        )
    found = shares.shares_percent(weights)
    whole = sum(weights)
    rates = [shares.guaranteed_bps(speed_bps, strict_bps, weight, whole) / 1e9 for weight in weights]
    left = (speed_bps - strict_bps) / 1e9
    parts = tuple(
        Term(f"queue {i}", share, "%", f"weight {weight:g} of {whole:g}")
        for i, (weight, share) in enumerate(zip(weights, found, strict=True), 1)
    )
    floors = tuple(Term(f"queue {i} surely gets", rate, "Gbit/s") for i, rate in enumerate(rates, 1))
    less = f"{gigabit(speed_bps)} less {strict_bps / 1e9:g}G of strict queues" if strict_bps else "no strict queue"
    sums = (
        Sum("shares of what strict queues leave", parts, Term("together", sum(found), "%"), _ETS),
        Sum("rates when all queues are full", floors, Term("together", left, "Gbit/s", less), _ETS),
    )
    written = ", ".join(f"{weight:g}" for weight in weights)
    notes = ("a share is a floor, no ceiling: what a queue leaves unused, the others take",)
    return Calculation("ets", f"weights {written} on {gigabit(speed_bps)}", sums, notes)
