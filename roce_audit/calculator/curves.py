"""`calc ecn` and `calc dcqcn`: where a queue marks, where PFC begins, and where DCQCN's fluid model comes to rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from roce_audit.calculator.sums import Calculation, Sum, Term, gigabit
from roce_audit.formulas import dcqcn as model
from roce_audit.formulas import ecn as formulas
from roce_audit.formulas import stability
from roce_audit.formulas.dcqcn import Parameters

__all__ = ["Parameters", "dcqcn", "ecn"]

_DCQCN = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, section 4"
_FLUID = "Zhu et al., ECN or Delay, CoNEXT 2016, section 3 (the published algorithm, not the firmware of a NIC)"


def ecn(
    kmin: int,
    kmax: int,
    pmax: float,
    queue: int | None = None,
    senders: int = 1,
    xoff_at: int | None = None,
    alpha: float | None = None,
    pool: int | None = None,
    ports: int | None = None,
    priorities: int | None = None,
) -> Calculation:
    """The marking curve, and with a buffer's numbers where PFC starts. Raises ValueError."""
    if xoff_at is not None and alpha is not None:
        raise ValueError("the threshold of a group is static (--xoff-at) or dynamic (--alpha and --pool), not both")
    if senders != 1 and xoff_at is None and alpha is None:
        raise ValueError("--senders asks where PFC starts: it needs --xoff-at, or --alpha and --pool")
    if priorities is not None and ports is None:
        raise ValueError(
            "--priorities is about the worst case of a shared buffer: it needs --ports, --alpha and --pool"
        )
    if kmin > kmax:
        raise ValueError(f"Kmin ({kmin:,} B) is above Kmax ({kmax:,} B)")
    depths = (queue,) if queue is not None else (kmin, (kmin + kmax) // 2, kmax, kmax + 1)
    shares = [(depth, formulas.marking_probability_percent(depth, kmin, kmax, pmax)) for depth in depths]
    *others, last = [Term(f"are marked at a queue of {depth:,} B", share, "%") for depth, share in shares]
    curve = f"0 up to Kmin, {pmax:g} % at Kmax, all above"
    sums = [Sum(f"packets that are marked ({curve})", tuple(others), last, f"RED, Floyd 1993; {_DCQCN}, figure 5")]
    notes: list[str] = []
    if xoff_at is not None:
        depth = formulas.pfc_start_depth(xoff_at, senders)
        static = (
            Term("XOFF threshold of a group", xoff_at, "B"),
            Term("senders", senders, "", "equal ones, one queue"),
        )
        sums.append(_against(static, depth, kmin, "", "static threshold"))
        notes.append(_order(kmin, kmax, depth))
    if (alpha is None) != (pool is None):
        raise ValueError("a dynamic threshold needs both --alpha and --pool")
    if alpha is not None and pool is not None:
        depth = formulas.pfc_start_depth_dynamic(alpha, pool, senders)
        terms = (
            Term("alpha", alpha, "", "threshold = alpha x (pool - used)"),
            Term("shared pool after headroom", pool, "B"),
            Term("senders", senders, "", "equal ones, one queue"),
        )
        sums.append(_against(terms, depth, kmin, "shared_on_chip", "dynamic threshold"))
        notes.append(_order(kmin, kmax, depth))
        if ports is not None:
            sums.append(_worst_case(alpha, pool, ports, priorities or 1))
    elif ports is not None:
        raise ValueError("--ports asks for the worst case of a shared buffer: it needs --alpha and --pool")
    return Calculation("ecn", f"Kmin {kmin:,} B, Kmax {kmax:,} B, Pmax {pmax:g} %", tuple(sums), tuple(notes))


def _against(terms: Sequence[Term], depth: float, kmin: int, architecture: str, kind: str) -> Sum:
    share = f"Kmin is {100 * kmin / depth:.3g} % of it" if depth else ""
    result = Term("egress queue at which PFC starts", depth, "B", share)
    return Sum(
        f"where PFC starts, {kind}", tuple(terms), result, f"{_DCQCN}, solved for the egress queue", architecture
    )


def _order(kmin: int, kmax: int, depth: float) -> str:
    if kmin >= depth:
        return "ECN marks only after PFC has started: senders are paused before they are told to slow down"
    if kmax >= depth:
        return "ECN starts before PFC, but marks every packet only after PFC has started"
    return "ECN starts before PFC, and marks every packet before it"


def _worst_case(alpha: float, pool: int, ports: int, priorities: int) -> Sum:
    bound = formulas.ecn_bound_dynamic(alpha, pool, ports, priorities)
    static = formulas.pfc_threshold_static(pool, ports, priorities)
    terms = (
        Term("ports", ports, ""),
        Term("lossless priorities", priorities, ""),
        Term("static XOFF that every group can have at once", static, "B"),
    )
    result = Term(
        "largest Kmin that surely marks first", bound, "B", "one ingress port feeds all queues; most sites exceed it"
    )
    return Sum("the worst case", terms, result, _DCQCN, "shared_on_chip")


def dcqcn(
    speed_bps: int,
    senders: int,
    kmin: int,
    kmax: int,
    pmax: float,
    dce_tcp_g: int | None = None,
    parameters: Parameters = model.PAPER,
    delay_us: float | None = None,
) -> Calculation:
    """Where equal senders on one link come to rest, and for a delay of the loop whether they stay there. Raises ValueError."""
    if parameters.additive_increase_bps > speed_bps:
        raise ValueError(
            f"an increase of {gigabit(int(parameters.additive_increase_bps))} is more than the port's {gigabit(speed_bps)}"
        )
    if dce_tcp_g is not None:
        parameters = replace(parameters, gain=model.gain(dce_tcp_g))
    rest = model.rest_point(speed_bps, senders, kmin, kmax, pmax, parameters)
    estimate = model.marking_probability_estimate(speed_bps, senders, parameters)
    terms = (
        Term("increase step (RAI)", parameters.additive_increase_bps / 1e6, "Mbit/s"),
        Term("CNP interval", parameters.cnp_interval_us, "us"),
        Term("alpha timer", parameters.alpha_interval_us, "us"),
        Term("rate timer", parameters.rate_timer_us, "us"),
        Term("byte counter", parameters.byte_counter_bytes, "B"),
        Term("rate of each sender", rest.rate_bps / 1e9, "Gbit/s"),
        Term("packets marked, closed form for small values", 100 * estimate, "%"),
        Term("packets marked, by bisection", 100 * rest.marking_probability, "%"),
    )
    result = Term("queue in equilibrium", rest.queue_bytes, "B", _rest(rest.queue_bytes, kmax, speed_bps))
    sums = [Sum("the fixed point of DCQCN's fluid model", terms, result, _FLUID)]
    if dce_tcp_g is not None:
        g = model.gain(dce_tcp_g)
        result = Term("gain g of alpha", g, "", f"1/{1 / g:.4g}" if g else "alpha never moves")
        source = "NVIDIA DOCA, DCQCN parameters: dce_tcp_g is 1,024 x (1 - g)"
        sums.append(Sum("the gain", (Term("dce_tcp_g", dce_tcp_g, ""),), result, source))
    if delay_us is not None:
        sums.append(_stability(speed_bps, senders, stability.Curve(kmin, kmax, pmax), delay_us, parameters))
    given = f"{senders} senders on {gigabit(speed_bps)}, Kmin {kmin:,} B, Kmax {kmax:,} B, Pmax {pmax:g} %"
    notes = ("equal senders, one bottleneck, a steady state: a direction for tuning, and no forecast for a NIC",)
    return Calculation("dcqcn", given, tuple(sums), notes)


def _stability(speed_bps: int, senders: int, curve: stability.Curve, delay_us: float, parameters: Parameters) -> Sum:
    growing = stability.growing_modes(speed_bps, senders, curve, delay_us, parameters)
    longest = stability.longest_stable_delay_us(speed_bps, senders, curve, parameters, max(delay_us, 1000.0))
    slope = curve.max_probability_percent / (curve.max_bytes - curve.min_bytes) * 1e5
    advice = "swings ever wider: a smaller increase or a wider Kmin..Kmax calms it" if growing else "stable"
    terms = (
        Term("delay of the loop", delay_us, "us", "from the marking to the slower packet, back at the queue"),
        Term("slope of the curve per 100 kB", slope, "%"),
        Term("gain g of alpha", parameters.gain, "", f"1/{1 / parameters.gain:.4g}" if parameters.gain else ""),
        Term("stable up to a delay of about", longest, "us", "tried in steps of half as much again"),
    )
    result = Term("growing oscillations", growing, "", advice)
    return Sum("whether the model is stable there (advice)", terms, result, f"{_FLUID}; linearised, zeros counted")


def _rest(queue: float, kmax: int, speed_bps: int) -> str:
    wait = f"{queue * 8e6 / speed_bps:,.1f} us of delay"
    return f"above Kmax: every packet is marked, the queue swings about Kmax; {wait}" if queue > kmax else wait
