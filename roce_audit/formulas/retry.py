"""How long a reliable connection waits before it gives up."""

from __future__ import annotations

_TICK_NS = 4096
MOST = 31


def gives_up_after_ms(timeout: int, retries: int) -> float:
    """Milliseconds until a queue pair fails whose packets are not answered: 4.096 us x 2^timeout for the first try and each retry.

    NVIDIA NCCL User Guide, NCCL_IB_TIMEOUT, and rdma-core, librdmacm/man/rdma_set_option.3, RDMA_OPTION_ID_ACK_TIMEOUT: 4.096 us x
    2^timeout; InfiniBand Architecture Specification, Volume 1, 9.7.6: adapters may take longer, and zero waits for ever.
    Raises ValueError outside of 0 to 31 (`timeout`) and 0 to 7 (`retries`).
    """
    if not 0 <= timeout <= MOST or not 0 <= retries <= 7:
        raise ValueError("a timeout is an exponent from 0 to 31, and there are 0 to 7 retries")
    return float("inf") if timeout == 0 else (retries + 1) * _TICK_NS * 2.0**timeout / 1e6
