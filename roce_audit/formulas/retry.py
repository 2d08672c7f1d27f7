"""How long a reliable connection waits before it gives up."""

from __future__ import annotations

_TICK_NS = 4096
MOST = 31


def gives_up_after_ms(timeout: int, retries: int) -> float:
    """Milliseconds until a queue pair fails whose packets are not answered: retries x 4.096 us x 2^timeout.

    rdma-core, libibverbs/man/ibv_modify_qp.3: 4.096 us x 2^timeout for each of the tries; zero waits for ever.
    Raises ValueError outside of 0 to 31 (`timeout`) and 0 to 7 (`retries`).
    """
    if not 0 <= timeout <= MOST or not 0 <= retries <= 7:
        raise ValueError("a timeout is an exponent from 0 to 31, and there are 0 to 7 retries")
    return float("inf") if timeout == 0 else (retries + 1) * _TICK_NS * 2.0**timeout / 1e6
