"""Parts of a NIC that a switch port does not have: congestion control and the GID table."""

from __future__ import annotations

from typing import Literal

from roce_audit.model.base import doc, model
from roce_audit.values import Cell


@model
class Parameter:
    """A parameter in its vendor's own unit or meaning: good for comparing NICs of one model, not for arithmetic."""

    name: str = doc("name of the parameter as its vendor calls it, in lower case")
    value: Cell[int] = doc("value as the tool shows it")


@model
class Dcqcn:
    """Congestion control of a NIC. NP (notification point) is port-wide on some drivers, RP per priority."""

    np_priorities: Cell[frozenset[int]] = doc("priorities for which CE-marked packets are answered with CNPs")
    rp_priorities: Cell[frozenset[int]] = doc("priorities that slow down when CNPs arrive")
    off_alone: Cell[frozenset[int]] = doc(
        "priorities for which both are off, where those of single priorities were shown; absent = none of these is"
    )
    half_on_alone: Cell[frozenset[int]] = doc(
        "priorities for which one of the two is on, the other off, where those of single priorities were shown; absent = none of these is"
    )
    algorithm: Cell[str] = doc("congestion control algorithm, as the tool names it")
    min_time_between_cnps_us: Cell[int] = doc("CNP pacing, microseconds")
    ai_rate_mbps: Cell[int] = doc("additive increase, Mbit/s")
    hai_rate_mbps: Cell[int] = doc("hyper increase, Mbit/s")
    min_rate_mbps: Cell[int] = doc("rate floor, Mbit/s")
    max_rate_mbps: Cell[int] = doc("rate cap, Mbit/s; 0 = line rate")
    time_reset_us: Cell[int] = doc("rate increase timer, microseconds; 0 = off")
    byte_reset_bytes: Cell[int] = doc("rate increase byte counter, bytes; 0 = off")
    fast_recovery_stages: Cell[int] = doc(
        "increases by halves towards the target rate before it is raised (NVIDIA rpg_threshold, Intel dcqcn_F, AMD threshold)"
    )
    g_over_1024: Cell[int] = doc(
        "alpha gain term dce_tcp_g, in 1/1024: what is left of alpha after a period without CNP"
    )
    alpha_period_us: Cell[int] = doc("time after which alpha falls without a CNP, microseconds (NVIDIA dce_tcp_rtt)")
    initial_alpha_over_1024: Cell[int] = doc("alpha before the first CNP, in 1/1024 (NVIDIA initial_alpha_value)")
    rate_reduce_period_us: Cell[int] = doc("at most one rate cut in this time, microseconds")
    min_decrease_percent: Cell[int] = doc(
        "share of the rate that a single cut leaves at least (NVIDIA rpg_min_dec_fac, Intel dcqcn_min_dec_factor)"
    )
    first_cnp_rate_mbps: Cell[int] = doc(
        "rate set at the first CNP of a flow, Mbit/s; 0 = no such step (NVIDIA rate_to_set_on_first_cnp)"
    )
    clamps_target: Cell[bool] = doc("every CNP lowers the target rate to the current one (NVIDIA clamp_tgt_rate)")
    clamps_target_after_timer: Cell[bool] = doc(
        "so does the first CNP after an increase by timer (NVIDIA clamp_tgt_rate_after_time_inc)"
    )
    out_of_range: Cell[frozenset[str]] = doc(
        "parameters, in the vendor's names, that were seen with a value the vendor's own tool refuses; absent = none was looked at"
    )
    vendor: Cell[tuple[Parameter, ...]] = doc("further parameters, in the vendor's own names and units")


@model
class Gid:
    """One entry of an RDMA port's GID table."""

    index: int = doc("index in the table")
    kind: Cell[Literal["roce-v1", "roce-v2", "ib"]] = doc("type of the entry")
    link_local: Cell[bool] = doc("an IPv6 link-local address: good on one link only, never routed")
    ipv4: Cell[bool] = doc("an address of IPv4; packets of one queue pair are of one version at both ends")
