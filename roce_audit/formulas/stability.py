"""DCQCN: whether the fluid model stays at its fixed point or swings about it, for a delay of the control loop.

The model (Zhu et al., ECN or Delay, CoNEXT 2016, section 3) is a system of delay differential equations in the rate Rc of each
sender, its target Rt, alpha and the queue q. Linearised at the fixed point it is x' = A0 x + A1 x(t - delay), stable exactly if
det(sI - A0 - A1 e^(-s delay)) has no zero with a real part above 0. These are counted by the argument principle along the
imaginary axis. It describes the published algorithm, not the firmware of any NIC.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence

from roce_audit.formulas.dcqcn import PAPER, Parameters, increase_events, rest_point
from roce_audit.records import dataclass

LONGEST_DELAY_US = 100_000
_POINTS = 6_000
_FASTEST_PER_S = 3e6
_STEP = 1e-6
_Vector = tuple[float, ...]
_Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Curve:
    """How the switch marks: Kmin, Kmax in bytes, Pmax in percent."""

    min_bytes: float
    max_bytes: float
    max_probability_percent: float


def growing_modes(speed_bps: float, senders: int, curve: Curve, delay_us: float, parameters: Parameters = PAPER) -> int:
    """Zeros with a positive real part: 0 = the model is stable, 2 = it swings at one growing frequency.

    As in the paper the rising line of the curve goes on above Kmax. Raises ValueError for a step, which has no slope.
    """
    if not 0 < delay_us <= LONGEST_DELAY_US:
        raise ValueError(f"the delay of the loop must be greater than 0 and at most {LONGEST_DELAY_US:,} us")
    if parameters.gain == 0:
        raise ValueError("with a gain g of 0 alpha never moves: the model has no loop to be stable")
    present, delayed = _linearised(speed_bps, senders, curve, parameters)
    delay_s = delay_us * 1e-6
    turned, last = 0.0, _determinant(present, delayed, 0j, delay_s)
    for number in range(_POINTS + 1):
        s = 1j * _FASTEST_PER_S ** (number / _POINTS)
        value = _determinant(present, delayed, s, delay_s)
        turned += cmath.phase(value / last)
        last = value
    # the determinant is of degree 4: with all zeros on the left it turns by 4 x 90 degrees, and by 180 less for each on the right
    return round(2 - turned / math.pi)


def longest_stable_delay_us(
    speed_bps: float, senders: int, curve: Curve, parameters: Parameters = PAPER, up_to_us: float = 1000
) -> float:
    """Longest delay of the loop, us, below which every tried one is stable (0: not even 1 us; `up_to_us`: all of them)."""
    stable = 0.0
    for delay in _delays(up_to_us):
        if growing_modes(speed_bps, senders, curve, delay, parameters):
            return stable
        stable = delay
    return stable


def _delays(up_to_us: float) -> Sequence[float]:
    found, delay = [], 1.0
    while delay < up_to_us:
        found.append(round(delay, 1))
        delay *= 1.5
    return [*found, up_to_us]


def _linearised(speed_bps: float, senders: int, curve: Curve, parameters: Parameters) -> tuple[_Matrix, _Matrix]:
    """A0 and A1 at the fixed point, by central differences."""
    rest = rest_point(speed_bps, senders, curve.min_bytes, curve.max_bytes, curve.max_probability_percent, parameters)
    if curve.max_bytes <= curve.min_bytes:
        raise ValueError("a step (Kmin = Kmax) has no slope: the linear model does not apply")
    model = _Model(speed_bps, senders, curve, parameters)
    here = model.fixed_point(rest.marking_probability, rest.queue_bytes)
    return (
        _jacobian(lambda x: model.change(x, here), here),
        _jacobian(lambda x: model.change(here, x), here),
    )


class _Model:
    """The equations, in packets and seconds."""

    def __init__(self, speed_bps: float, senders: int, curve: Curve, parameters: Parameters) -> None:
        size = parameters.packet_bytes
        self.senders, self.parameters = senders, parameters
        self.link = speed_bps / (8 * size)
        self.kmin, self.kmax = curve.min_bytes / size, curve.max_bytes / size
        self.pmax = curve.max_probability_percent / 100
        self.tau = parameters.cnp_interval_us * 1e-6
        self.alpha_interval = parameters.alpha_interval_us * 1e-6
        self.increase = parameters.additive_increase_bps / (8 * size)

    def fixed_point(self, probability: float, queue_bytes: float) -> _Vector:
        """(Rc, Rt, alpha, q) where nothing changes."""
        rate = self.link / self.senders
        cut, _, late = self._events(probability, rate)
        target = rate * (1 + late * self.tau * self.increase / cut)
        return (
            rate,
            target,
            self._marked(probability, self.alpha_interval * rate),
            queue_bytes / self.parameters.packet_bytes,
        )

    def change(self, now: _Vector, before: _Vector) -> _Vector:
        """Derivatives of (Rc, Rt, alpha, q); marking and rate act after the delay."""
        rate, target, alpha, _ = now
        old_rate, _, _, old_queue = before
        probability = min(max((old_queue - self.kmin) / (self.kmax - self.kmin) * self.pmax, 1e-12), 1 - 1e-9)
        cut, early, late = self._events(probability, old_rate)
        marked = self._marked(probability, self.alpha_interval * old_rate)
        return (
            -rate * alpha * cut / (2 * self.tau) + (target - rate) / 2 * old_rate * early,
            -(target - rate) * cut / self.tau + self.increase * old_rate * late,
            self.parameters.gain / self.alpha_interval * (marked - alpha),
            self.senders * rate - self.link,
        )

    def _events(self, probability: float, rate: float) -> tuple[float, float, float]:
        """Chance of a cut in one CNP interval, increase events per packet, and those after fast recovery."""
        counter = self.parameters.byte_counter_bytes / self.parameters.packet_bytes
        timer = self.parameters.rate_timer_us * 1e-6 * rate
        by_bytes, late_bytes = increase_events(probability, counter, self.parameters)
        by_time, late_time = increase_events(probability, timer, self.parameters)
        return self._marked(probability, self.tau * rate), by_bytes + by_time, late_bytes + late_time

    @staticmethod
    def _marked(probability: float, packets: float) -> float:
        """Chance that one of so many packets is marked."""
        return -math.expm1(packets * math.log1p(-probability))


def _jacobian(function: Callable[[_Vector], _Vector], at: _Vector) -> _Matrix:
    columns = []
    for i, value in enumerate(at):
        step = abs(value) * _STEP + 1e-12
        up, down = (function((*at[:i], value + sign * step, *at[i + 1 :])) for sign in (1, -1))
        columns.append([(a - b) / (2 * step) for a, b in zip(up, down, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _determinant(present: _Matrix, delayed: _Matrix, s: complex, delay_s: float) -> complex:
    late = cmath.exp(-s * delay_s)
    rows = [
        [(s if i == j else 0) - a - b * late for j, (a, b) in enumerate(zip(now, then, strict=True))]
        for i, (now, then) in enumerate(zip(present, delayed, strict=True))
    ]
    result: complex = 1
    for i in range(len(rows)):
        best = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        if rows[best][i] == 0:
            return 0j
        if best != i:
            rows[i], rows[best], result = rows[best], rows[i], -result
        result *= rows[i][i]
        for below in rows[i + 1 :]:
            factor = below[i] / rows[i][i]
            for j in range(i, len(rows)):
                below[j] -= factor * rows[i][j]
    return result
