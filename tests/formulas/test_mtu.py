"""MTU arithmetic against the kernel's rule and the packet formats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.formulas import FUNCTIONS, mtu


@pytest.mark.parametrize(
    ("netdev", "rdma"),
    [(4192, 4096), (4191, 2048), (2144, 2048), (2143, 1024), (1500, 1024), (9000, 4096), (352, 256), (351, 0)],
)
def test_linux_choice(netdev: int, rdma: int) -> None:
    assert mtu.rdma_mtu_of(netdev) == rdma


@given(st.sampled_from(mtu.RDMA_MTUS_BYTES))
def test_the_smallest_interface_mtu_is_the_smallest(rdma: int) -> None:
    assert mtu.rdma_mtu_of(mtu.netdev_mtu_for(rdma)) == rdma
    assert mtu.rdma_mtu_of(mtu.netdev_mtu_for(rdma) - 1) < rdma


def test_packets_of_4096() -> None:
    v4, v6 = mtu.roce_packet(4096), mtu.roce_packet(4096, ipv6=True)
    assert (v4.total_bytes, v6.total_bytes) == (4160, 4180)
    assert v4.total_bytes - v4.immediate_bytes == 4156
    assert mtu.roce_frame_bytes(4096) - v4.immediate_bytes == 4174
    assert mtu.roce_frame_bytes(4096, tags=1) - v4.immediate_bytes == 4178


@given(st.sampled_from(mtu.RDMA_MTUS_BYTES), st.booleans())
def test_an_interface_mtu_that_linux_accepts_carries_the_packet(rdma: int, ipv6: bool) -> None:
    assert mtu.netdev_mtu_for(rdma) >= mtu.roce_packet(rdma, ipv6=ipv6).total_bytes


def test_vxlan() -> None:
    assert [
        mtu.vxlan_overhead_bytes(),
        mtu.vxlan_overhead_bytes(outer_tags=1),
        mtu.vxlan_overhead_bytes(outer_ipv6=True),
    ] == [50, 54, 70]


def test_no_path_mtu_is_refused() -> None:
    with pytest.raises(ValueError, match="no RDMA path MTU"):
        mtu.roce_packet(4200)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_says_who_says_so(name: str) -> None:
    function = FUNCTIONS[name]
    assert function.name == name
    assert function.citation
    assert function.architecture in ("", "shared_on_chip", "static_per_port", "voq")
