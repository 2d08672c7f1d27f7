"""MTU arithmetic: from an interface's MTU to the RDMA path MTU, and from that to packets and frames. All in bytes."""

from __future__ import annotations

from roce_audit.records import dataclass

RDMA_MTUS_BYTES = (256, 512, 1024, 2048, 4096)
"""The path MTUs InfiniBand knows (IBTA specification, vol. 1, 9.5)."""
LINUX_RESERVE_BYTES = 96
"""GRH 40, UDP 8, BTH 12, XRC-ETH 4, AtomicETH 28, ICRC 4: what Linux keeps free (include/rdma/ib_addr.h)."""


@dataclass(frozen=True, slots=True)
class RocePacket:
    """The largest RoCEv2 packet of a path MTU, term by term; `total_bytes` is the IP packet."""

    ip_bytes: int
    udp_bytes: int
    bth_bytes: int
    reth_bytes: int
    immediate_bytes: int
    payload_bytes: int
    icrc_bytes: int
    total_bytes: int


def rdma_mtu_of(netdev_mtu_bytes: int) -> int:
    """RDMA path MTU that Linux takes for an interface MTU; 0: none fits (iboe_get_mtu, include/rdma/ib_addr.h)."""
    room = netdev_mtu_bytes - LINUX_RESERVE_BYTES
    return max((mtu for mtu in RDMA_MTUS_BYTES if mtu <= room), default=0)


def netdev_mtu_for(rdma_mtu_bytes: int) -> int:
    """Smallest interface MTU with which Linux gives this RDMA path MTU (iboe_get_mtu, include/rdma/ib_addr.h)."""
    _known(rdma_mtu_bytes)
    return rdma_mtu_bytes + LINUX_RESERVE_BYTES


def roce_packet(rdma_mtu_bytes: int, *, ipv6: bool = False) -> RocePacket:
    """Largest RoCEv2 packet: an RDMA WRITE with immediate data in one packet (IBTA annex A17; RFC 791, 8200, 768)."""
    _known(rdma_mtu_bytes)
    terms = (40 if ipv6 else 20, 8, 12, 16, 4, rdma_mtu_bytes, 4)
    return RocePacket(*terms, sum(terms))


def roce_frame_bytes(rdma_mtu_bytes: int, *, ipv6: bool = False, tags: int = 0) -> int:
    """Ethernet frame of that packet with header and FCS and `tags` VLAN tags (IEEE 802.3 cl. 3, 802.1Q cl. 9)."""
    return roce_packet(rdma_mtu_bytes, ipv6=ipv6).total_bytes + 18 + 4 * tags


def vxlan_overhead_bytes(*, outer_ipv6: bool = False, outer_tags: int = 0) -> int:
    """What VXLAN adds to an inner Ethernet frame without FCS, in outer frame bytes (RFC 7348 section 5)."""
    return 14 + 4 * outer_tags + (40 if outer_ipv6 else 20) + 8 + 8


def _known(rdma_mtu_bytes: int) -> None:
    if rdma_mtu_bytes not in RDMA_MTUS_BYTES:
        raise ValueError(f"{rdma_mtu_bytes} is no RDMA path MTU (256, 512, 1024, 2048, 4096)")
