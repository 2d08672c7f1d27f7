"""The options of `roce-audit calc`."""

from __future__ import annotations

import argparse
from typing import get_args

from roce_audit.calculator import quantities
from roce_audit.calculator.vendorheadroom import ASICS, LATEST, Edition
from roce_audit.cli import usage
from roce_audit.cli.parsing import quantity

_SPEED = quantity(quantities.speed_bps)
_RATE = quantity(quantities.rate_bps)
_PACKET = quantity(quantities.packet_bytes)
_SIZE = quantity(quantities.buffer_bytes)
_START = quantity(quantities.start_bytes)
_METRES = quantity(quantities.metres)
_PERCENT = quantity(quantities.percent)
_NS = quantity(quantities.nanoseconds)
_US = quantity(quantities.microseconds)
_WHOLE = quantity(quantities.whole)
_SENDERS = quantity(quantities.senders)
_WEIGHTS = quantity(quantities.weights)


def add(parser: argparse.ArgumentParser) -> None:
    """All subjects of `calc`."""
    subjects = parser.add_subparsers(dest="subject", metavar="SUBJECT", required=True)
    _headroom(subjects.add_parser("headroom", help="PFC headroom: cable, frames, the peer's response"))
    _ecn(subjects.add_parser("ecn", help="how much is marked, and whether ECN comes before PFC"))
    _mtu(subjects.add_parser("mtu", help="packets and frames of an RDMA path MTU"))
    _dcqcn(subjects.add_parser("dcqcn", help="where DCQCN's model comes to rest, and whether it is stable"))
    _ets(subjects.add_parser("ets", help="shares and guaranteed rates of queues"))
    _pause(subjects.add_parser("pause", help="pause quanta, and headroom in metres"))
    for name, subject in subjects.choices.items():
        subject.add_argument("-f", "--format", choices=("text", "json"), default="text", help="default: text")
        subject.formatter_class = argparse.RawDescriptionHelpFormatter
        subject.epilog = usage.examples("calc", name)


def _headroom(parser: argparse.ArgumentParser) -> None:
    _wire(parser)
    parser.add_argument("--any-mtu", type=_PACKET, metavar="BYTES", help="largest packet of any class (default: --mtu)")
    parser.add_argument("--peer-response", type=_NS, metavar="NS", help="in place of the standard's limit: 500, 1.2us")
    parser.add_argument("--have", type=_SIZE, metavar="BYTES", help="your headroom: how many metres does it pay for?")
    parser.add_argument("--asic", choices=ASICS, metavar="CHIP", help=f"adds what SONiC reserves: {', '.join(ASICS)}")
    parser.add_argument("--small-packets", type=_PERCENT, metavar="%", help="share of small packets for it (100)")
    parser.add_argument("--lanes", type=int, choices=(1, 2, 4, 8), metavar="N", help="of the port (4)")
    parser.add_argument("--gearbox", type=quantity(quantities.gearbox_ns), metavar="NS", help="delay of a gearbox (0)")
    parser.add_argument("--shared-headroom", action="store_true", help="the switch has a shared headroom pool")
    parser.add_argument(
        "--script",
        choices=get_args(Edition),
        metavar="MONTH",
        help=f"edition of SONiC's script: {', '.join(get_args(Edition))} ({LATEST})",
    )
    parser.add_argument("--nic", action="store_true", help="adds the reserve of a ConnectX receive buffer")


def _wire(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--speed", type=_SPEED, required=True, metavar="RATE", help="of the port: 400G")
    parser.add_argument("--cable", type=_METRES, required=True, metavar="METRES", help="one way: 40 or 40m")
    parser.add_argument(
        "--mtu", type=_PACKET, default=9216, metavar="BYTES", help="largest packet of the lossless class (9216)"
    )


def _ecn(parser: argparse.ArgumentParser) -> None:
    _thresholds(parser)
    parser.add_argument("--queue", type=_SIZE, metavar="BYTES", help="depth of the egress queue")
    parser.add_argument(
        "--senders", type=_SENDERS, default=1, metavar="N", help="ingress ports that feed the queue (1)"
    )
    parser.add_argument("--xoff-at", type=_SIZE, metavar="BYTES", help="static threshold at which a group pauses")
    parser.add_argument("--alpha", type=quantity(quantities.alpha), help="dynamic threshold: alpha x (pool - used)")
    parser.add_argument("--pool", type=_SIZE, metavar="BYTES", help="shared pool after headroom")
    parser.add_argument(
        "--ports", type=quantity(quantities.ports), metavar="N", help="ports of the chip: adds the worst case"
    )
    parser.add_argument(
        "--priorities", type=quantity(quantities.priorities), metavar="N", help="lossless priorities (1)"
    )


def _thresholds(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kmin", type=_START, required=True, metavar="BYTES", help="where marking starts: 150kB")
    parser.add_argument("--kmax", type=_SIZE, required=True, metavar="BYTES", help="above it every packet is marked")
    parser.add_argument("--pmax", type=_PERCENT, required=True, metavar="%", help="share that is marked at Kmax: 5")


def _mtu(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rdma-mtu", type=_PACKET, metavar="BYTES", help="path MTU: 256, 512, 1024, 2048 or 4096")
    parser.add_argument("--netdev-mtu", type=_PACKET, metavar="BYTES", help="what does Linux make of this MTU?")
    parser.add_argument("--ipv6", action="store_true", help="IPv6 in place of IPv4")
    parser.add_argument("--tags", type=int, choices=(0, 1, 2), default=0, metavar="N", help="VLAN tags (0)")
    parser.add_argument("--vxlan", action="store_true", help="over a VXLAN underlay with IPv4")


def _dcqcn(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--speed", type=_SPEED, required=True, metavar="RATE", help="of the bottleneck: 400G")
    parser.add_argument("--senders", type=_SENDERS, required=True, metavar="N", help="that share it equally")
    _thresholds(parser)
    parser.add_argument("--dce-tcp-g", type=_WHOLE, metavar="N", help="NVIDIA's parameter (1019): adds the gain g")
    parser.add_argument("--delay", type=_US, metavar="US", help="of the control loop: adds whether it is stable there")
    parser.add_argument("--increase", type=_RATE, default=40_000_000, metavar="RATE", help="additive increase (40M)")
    parser.add_argument("--cnp-interval", type=_US, default=50.0, metavar="US", help="microseconds (50)")
    parser.add_argument("--alpha-timer", type=_US, default=55.0, metavar="US", help="microseconds (55)")
    parser.add_argument("--rate-timer", type=_US, default=55.0, metavar="US", help="microseconds (55)")
    parser.add_argument("--byte-counter", type=_SIZE, default=10_000_000, metavar="BYTES", help="(10MB)")


def _ets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--shares", type=_WEIGHTS, required=True, metavar="A,B,...", help="weights or percent: 50,50")
    parser.add_argument("--speed", type=_SPEED, required=True, metavar="RATE", help="of the port: 400G")
    parser.add_argument("--strict", type=_RATE, default=0, metavar="RATE", help="what strict queues take at most (0)")


def _pause(parser: argparse.ArgumentParser) -> None:
    _wire(parser)
