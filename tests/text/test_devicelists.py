"""Which RDMA devices a list of NCCL or UCX names."""

from __future__ import annotations

import pytest

from roce_audit.text.devicelists import NCCL, UCX


@pytest.mark.parametrize(
    ("listed", "device", "wanted"),
    [
        ("mlx5_1", "mlx5_1", True),
        ("mlx5_1", "mlx5_10", True),
        ("=mlx5_1", "mlx5_10", False),
        ("=mlx5_1,mlx5_10", "mlx5_10", True),
        ("mlx5", "mlx5_bond_0", True),
        ("^mlx5_1", "mlx5_10", False),
        ("^=mlx5_1", "mlx5_10", True),
        ("^=mlx5_1", "mlx5_1", False),
        ("=mlx5_0:1", "mlx5_0", True),
        ("=mlx5_0:2", "mlx5_0", False),
        ("=mlx5_0:2", "mlx5_0:2", True),
        ("mlx5_0:1", "mlx5_0:2", False),
        ("=mlx5_0:1:3", "mlx5_0", True),
    ],
)
def test_nccl_list(listed: str, device: str, wanted: bool) -> None:
    assert NCCL.names(listed, device) is wanted


@pytest.mark.parametrize(
    ("listed", "device", "wanted"),
    [
        ("mlx5_1:1", "mlx5_1", True),
        ("mlx5_1:1", "mlx5_10", False),
        ("all", "mlx5_7", True),
        ("mlx5_0:x", "mlx5_0", False),
        ("mlx5_0:2", "mlx5_0", False),
        ("mlx5_0:2", "mlx5_0:2", True),
        ("eth0", "mlx5_0", False),
    ],
)
def test_ucx_list(listed: str, device: str, wanted: bool) -> None:
    assert UCX.names(listed, device) is wanted
