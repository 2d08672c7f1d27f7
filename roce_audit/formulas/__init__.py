"""The arithmetic of the field: plain numbers in, plain numbers or terms out, each with its source.

FUNCTIONS is what rule expressions may call; the expression language lifts them over unknown values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.formulas import chipheadroom, chipmemory, dcqcn, ecn, ets, headroom, mtu, retry, templates, versions
from roce_audit.formulas.function import Function

__all__ = ["FUNCTIONS", "Function"]


def _total(terms: Callable[..., Any]) -> Callable[..., Any]:
    def total_bytes(*values: Any) -> Any:
        return terms(*values).total_bytes

    return total_bytes


_TEMPLATE = (("template", str), ("speed_bps", int), ("facing", str))
_PROFILES = "what the profile's guide says, row by row"
_HEADROOM = (("speed_bps", int), ("cable_m", float), ("lossless_mtu_bytes", int), ("any_mtu_bytes", int))

FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        Function(
            "headroom_floor_bytes",
            _HEADROOM,
            int,
            _total(headroom.floor),
            "IEEE 802.1Q annex N, terms that physics dictates",
        ),
        Function(
            "headroom_with_response_bytes",
            _HEADROOM,
            int,
            _total(headroom.with_peer_response),
            "IEEE 802.1Q annex N with IEEE 802.3 31B.3.7",
        ),
        Function(
            "headroom_planning_bytes",
            _HEADROOM,
            int,
            _total(headroom.planning_bound),
            "IEEE 802.1Q annex N with IEEE 802.3 31B.3.7 at both ends",
        ),
        Function(
            "headroom_metres",
            (("headroom_bytes", int), ("speed_bps", int), ("lossless_mtu_bytes", int), ("any_mtu_bytes", int)),
            float,
            headroom.metres_paid_for,
            "IEEE 802.1Q annex N, solved for the length",
        ),
        Function(
            "asked_for_by_chip",
            (
                ("chip", str),
                ("speed_bps", int),
                ("cable_m", float),
                ("lossless_bytes", int),
                ("any_bytes", int),
            ),
            str,
            chipheadroom.asked_for,
            "sonic-swss, cfgmgr/buffer_headroom_mellanox.lua; sonic-buildimage, pg_profile_lookup.ini",
            takes_unknown=True,
        ),
        Function(
            "asked_for_by_chip_bytes",
            (
                ("chip", str),
                ("speed_bps", int),
                ("cable_m", float),
                ("lossless_bytes", int),
                ("any_bytes", int),
            ),
            int,
            chipheadroom.asked_for_bytes,
            "sonic-swss, cfgmgr/buffer_headroom_mellanox.lua; sonic-buildimage, pg_profile_lookup.ini; 0 where none is known",
            takes_unknown=True,
        ),
        Function(
            "chip_memory_bytes",
            (("chip", str),),
            int,
            chipmemory.chip_memory_bytes,
            "J. Warner, Packet Buffers; 0 for a chip of which no source tells",
            takes_unknown=True,
        ),
        Function(
            "mlx5_xoff_bytes",
            (("speed_bps", int), ("cable_m", float), ("mtu_bytes", int)),
            int,
            _total(headroom.mlx5_xoff),
            "Linux, mlx5/core/en/port_buffer.c",
            "static_per_port",
        ),
        Function("pause_ns", (("quanta", int), ("speed_bps", int)), float, headroom.pause_ns, "IEEE 802.3 annex 31B"),
        Function(
            "pfc_start_depth",
            (("xoff_at_bytes", float), ("senders", int)),
            float,
            ecn.pfc_start_depth,
            "Zhu et al., SIGCOMM 2015, section 4",
        ),
        Function(
            "pfc_start_depth_dynamic",
            (("alpha", float), ("pool_bytes", float), ("senders", int)),
            float,
            ecn.pfc_start_depth_dynamic,
            "Zhu et al., SIGCOMM 2015, section 4",
            "shared_on_chip",
        ),
        Function(
            "ecn_bound_dynamic",
            (("alpha", float), ("pool_bytes", float), ("ports", int), ("lossless_priorities", int)),
            float,
            ecn.ecn_bound_dynamic,
            "Zhu et al., SIGCOMM 2015, section 4",
            "shared_on_chip",
        ),
        Function(
            "roce_packet_bytes",
            (("rdma_mtu_bytes", int),),
            int,
            _total(mtu.roce_packet),
            "IBTA annex A17: RDMA WRITE with immediate data over IPv4",
        ),
        Function("rdma_mtu_of", (("netdev_mtu_bytes", int),), int, mtu.rdma_mtu_of, "Linux, include/rdma/ib_addr.h"),
        Function(
            "netdev_mtu_for", (("rdma_mtu_bytes", int),), int, mtu.netdev_mtu_for, "Linux, include/rdma/ib_addr.h"
        ),
        Function(
            "gives_up_after_ms",
            (("timeout", int), ("retries", int)),
            float,
            retry.gives_up_after_ms,
            "NVIDIA NCCL, NCCL_IB_TIMEOUT; rdma-core, librdmacm/man/rdma_set_option.3: ACK timeout",
        ),
        Function(
            "version_meets",
            (("version", str), ("driver", str), ("floors", str)),
            bool,
            versions.meets,
            "the numbers of both versions in their order, as the lists of least versions mean them",
        ),
        Function(
            "alpha_left_percent",
            (("g_over_1024", int), ("alpha_period_us", float), ("between_cnps_us", float)),
            float,
            dcqcn.alpha_left_percent,
            "Zhu et al., SIGCOMM 2015, section 3.1; NVIDIA DOCA, DCQCN parameters",
        ),
        Function("template_speaks", _TEMPLATE, bool, templates.speaks, _PROFILES, takes_unknown=True),
        Function(
            "template_allows", (*_TEMPLATE, ("value", float)), bool, templates.allows, _PROFILES, takes_unknown=True
        ),
        Function(
            "deviation",
            (("name", str), ("unit", str), *_TEMPLATE, ("value", float)),
            str,
            templates.deviation,
            _PROFILES,
            takes_unknown=True,
        ),
        Function(
            "share_percent",
            (("weight", float), ("weight_sum", float)),
            float,
            ets.share_percent,
            "IEEE 802.1Q cl. 37.3",
        ),
    )
}
