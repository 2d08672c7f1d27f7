"""`roce-audit calc`: the formulas, term by term."""

from __future__ import annotations

import argparse
import json

from roce_audit.calculator import curves, headroom, packets
from roce_audit.calculator.sums import Calculation, plain, text
from roce_audit.calculator.vendorheadroom import LATEST, Edition, Traffic

_OF_CHIP = {"small_packets": "small_packet_percent", "lanes": "lanes", "gearbox": "gearbox_ns"}
"""Options that only a chip's own model asks for -> what it calls them."""
_OPTIONS_OF_CHIP = "--small-packets, --lanes, --gearbox, --shared-headroom and --script"


def run(options: argparse.Namespace) -> int:
    """Print one calculation."""
    done = _calculated(options)
    if options.format == "json":
        print(json.dumps(plain(done), indent=2, ensure_ascii=False, allow_nan=False))
        return 0
    for line in text(done):
        print(line)
    return 0


def _calculated(given: argparse.Namespace) -> Calculation:
    if given.subject == "headroom":
        return headroom.headroom(
            given.speed,
            given.cable,
            given.mtu,
            given.any_mtu,
            given.peer_response,
            given.have,
            *_switch(given),
            given.nic,
        )
    if given.subject == "pause":
        return headroom.pause(given.speed, given.cable, given.mtu)
    if given.subject == "ecn":
        buffer = (given.xoff_at, given.alpha, given.pool, given.ports, given.priorities)
        return curves.ecn(given.kmin, given.kmax, given.pmax, given.queue, given.senders, *buffer)
    if given.subject == "mtu":
        return packets.mtu(given.rdma_mtu, given.netdev_mtu, given.ipv6, given.tags, given.vxlan)
    if given.subject == "ets":
        return packets.ets(given.shares, given.speed, given.strict)
    return _dcqcn(given)


def _switch(given: argparse.Namespace) -> tuple[str | None, Traffic, Edition]:
    said = {field: vars(given)[option] for option, field in _OF_CHIP.items() if vars(given)[option] is not None}
    if given.asic is None and (said or given.shared_headroom or given.script):
        raise ValueError(f"{_OPTIONS_OF_CHIP} ask what SONiC reserves on a chip: they need --asic")
    sizes = {"port_mtu_bytes": given.any_mtu or given.mtu, "lossless_mtu_bytes": given.mtu}
    return given.asic, Traffic(**sizes, **said, shared_headroom=given.shared_headroom), given.script or LATEST


def _dcqcn(given: argparse.Namespace) -> Calculation:
    parameters = curves.Parameters(
        cnp_interval_us=given.cnp_interval,
        alpha_interval_us=given.alpha_timer,
        rate_timer_us=given.rate_timer,
        byte_counter_bytes=given.byte_counter,
        additive_increase_bps=given.increase,
    )
    return curves.dcqcn(
        given.speed, given.senders, given.kmin, given.kmax, given.pmax, given.dce_tcp_g, parameters, given.delay
    )
