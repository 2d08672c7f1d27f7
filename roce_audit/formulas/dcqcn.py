"""DCQCN: where the fluid model of the algorithm comes to rest.

Model and symbols: Zhu, Ghobadi, Misra, Padhye, "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY",
CoNEXT 2016. It describes the published algorithm, not the firmware of any NIC.
"""

from __future__ import annotations

import math

from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of sender and receiver; the defaults are those of the paper, table 1."""

    cnp_interval_us: float = 50.0
    alpha_interval_us: float = 55.0
    rate_timer_us: float = 55.0
    byte_counter_bytes: float = 10_000_000.0
    fast_recovery_steps: int = 5
    additive_increase_bps: float = 40e6
    packet_bytes: int = 1000
    gain: float = 1 / 256
    """g: how fast alpha follows what is marked. It moves no fixed point, but decides whether it is stable."""

    def __post_init__(self) -> None:
        """Raises ValueError for a parameter with which the model never moves."""
        numbers = {
            "the CNP interval": self.cnp_interval_us,
            "the alpha timer": self.alpha_interval_us,
            "the rate timer": self.rate_timer_us,
            "the byte counter": self.byte_counter_bytes,
            "the increase": self.additive_increase_bps,
        }
        for name, value in numbers.items():
            if not 0 < value < math.inf:
                raise ValueError(f"{name} must be greater than 0: without it the model has no fixed point")
        if not 0 <= self.gain <= 1:
            raise ValueError("the gain g must lie in 0..1")


@dataclass(frozen=True, slots=True)
class RestPoint:
    """Where the model settles: marking probability (0..1), rate of each sender, queue depth it needs."""

    marking_probability: float
    rate_bps: float
    queue_bytes: float


PAPER = Parameters()


def gain(dce_tcp_g: int) -> float:
    """Alpha gain g of an NVIDIA `dce_tcp_g`, which is 1,024 x (1 - g) (NVIDIA DOCA, DCQCN parameters)."""
    if not 0 <= dce_tcp_g <= 1024:
        raise ValueError("dce_tcp_g must lie in 0..1024")
    return (1024 - dce_tcp_g) / 1024


def marking_probability_estimate(speed_bps: float, senders: int, parameters: Parameters = PAPER) -> float:
    """Closed form for small marking probabilities (CoNEXT 2016, fixed point of the DCQCN model)."""
    link = _packets(speed_bps, senders, parameters)
    increase = parameters.additive_increase_bps / (8 * parameters.packet_bytes)
    counter = parameters.byte_counter_bytes / parameters.packet_bytes
    triggers = 1 / counter + senders / (parameters.rate_timer_us * 1e-6 * link)
    return float((increase * senders**2 / (parameters.alpha_interval_us * 1e-6 * link**2) * triggers**2) ** (1 / 3))


def rest_point(
    speed_bps: float,
    senders: int,
    min_bytes: float,
    max_bytes: float,
    max_probability_percent: float,
    parameters: Parameters = PAPER,
) -> RestPoint:
    """Fixed point of the model for equal senders on one link, by bisection (CoNEXT 2016, section 3).

    A marking probability above Pmax means that the queue settles above Kmax, where every packet is marked.
    """
    if not 0 < max_probability_percent <= 100 or min_bytes > max_bytes:
        raise ValueError("Pmax must lie above 0 and up to 100 percent, and Kmin must not be above Kmax")
    rate = _packets(speed_bps, senders, parameters) / senders
    low, high = math.log(1e-9), math.log(0.5)
    for _ in range(100):
        middle = (low + high) / 2
        if _imbalance(math.exp(middle), rate, parameters) > 0:
            high = middle
        else:
            low = middle
    probability = math.exp(low)
    queue = min_bytes + probability / (max_probability_percent / 100) * (max_bytes - min_bytes)
    return RestPoint(probability, speed_bps / senders, queue)


def increase_events(probability: float, packets: float, parameters: Parameters) -> tuple[float, float]:
    """Increase events per packet of a trigger that fires every `packets`, and those after fast recovery."""
    exponent = -packets * math.log1p(-probability)
    events = probability / math.expm1(exponent) if exponent < 600 else 0.0
    return events, events * math.exp(-parameters.fast_recovery_steps * exponent)


def _packets(speed_bps: float, senders: int, parameters: Parameters) -> float:
    if speed_bps <= 0 or senders < 1:
        raise ValueError("speed_bps must be greater than 0 and senders at least 1")
    return speed_bps / (8 * parameters.packet_bytes)


def _imbalance(probability: float, rate: float, parameters: Parameters) -> float:
    """Logarithm of (rate cuts / rate increases): monotone in the probability, zero at the fixed point."""
    tau, timer = parameters.cnp_interval_us * 1e-6, parameters.rate_timer_us * 1e-6
    unmarked = math.log1p(-probability)
    cut = -math.expm1(tau * rate * unmarked)
    alpha = -math.expm1(parameters.alpha_interval_us * 1e-6 * rate * unmarked)
    counter = parameters.byte_counter_bytes / parameters.packet_bytes
    by_bytes, by_bytes_late = increase_events(probability, counter, parameters)
    by_time, by_time_late = increase_events(probability, timer * rate, parameters)
    increase = parameters.additive_increase_bps / (8 * parameters.packet_bytes)
    gains = (by_bytes + by_time) * (by_bytes_late + by_time_late) + 1e-300
    return 2 * math.log(cut) + math.log(alpha) - math.log(gains) - math.log(tau * tau * increase * rate)


def alpha_left_percent(g_over_1024: int, alpha_period_us: float, between_cnps_us: float) -> float:
    """What is left of alpha between two CNPs, percent: each period without a CNP multiplies it by g / 1,024.

    Source: Zhu et al., SIGCOMM 2015, 3.1 (alpha falls by the factor 1 - g); NVIDIA DOCA, DCQCN parameters (DCE_TCP_G, DCE_TCP_RTT).
    """
    if not 0 <= g_over_1024 <= 1024 or alpha_period_us <= 0 or between_cnps_us < 0:
        raise ValueError(
            "dce_tcp_g must lie in 0..1024, the alpha period must be greater than 0 and the interval not negative"
        )
    return 100 * float((g_over_1024 / 1024) ** (between_cnps_us / alpha_period_us))
