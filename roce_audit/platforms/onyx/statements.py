"""The statements of Onyx in its own terms."""

from __future__ import annotations

from typing import NamedTuple


class Nothing(NamedTuple):
    """Understood, and says nothing to the model."""


class Roce(NamedTuple):
    """`roce [lossless|semi-lossless|lossy]`; None = `no roce`."""

    mode: str | None


class PfcEnabled(NamedTuple):
    """`dcb priority-flow-control enable` for the whole switch."""

    on: bool


class PfcPriorities(NamedTuple):
    """`dcb priority-flow-control priority N enable` for the whole switch."""

    priorities: tuple[int, ...]
    on: bool


class PfcMode(NamedTuple):
    """`dcb priority-flow-control mode on|auto` of a port; off = `no ...`."""

    mode: str


class PfcState(NamedTuple):
    """What `show dcb priority-flow-control` tells of a port; None = that answer holds no list of priorities."""

    runs: bool
    priorities: tuple[int, ...] | None


class PfcWatchdog(NamedTuple):
    """`pfc-wd`."""

    on: bool


class TrafficPool(NamedTuple):
    """`traffic pool NAME ...`: what this statement says, None for what it does not; `gone` = `no traffic pool NAME`."""

    name: str
    kind: str | None = None
    priorities: tuple[int, ...] = ()
    gone: bool = False


class AdvancedBuffers(NamedTuple):
    """`advanced buffer management`: the groups of the ports are set by hand."""

    on: bool


class Pool(NamedTuple):
    """`pool iPool1 size N type dynamic`; bytes, None where the size has a suffix whose basis is not documented."""

    name: str
    size_bytes: int | None
    mode: str | None


class EtsShares(NamedTuple):
    """`dcb ets tc bandwidth A B C D` (switches with four traffic classes): percent."""

    percents: tuple[int, ...]


class PriorityClass(NamedTuple):
    """`vlan map-priority P traffic-class N` (switches with four traffic classes)."""

    priority: int
    traffic_class: int


class Lldp(NamedTuple):
    """`lldp` of the switch, `lldp transmit|receive` of a port."""

    on: bool


class Dcbx(NamedTuple):
    """`lldp tlv-select dcbx|dcbx-cee`; None = no DCBX among the selected TLVs."""

    version: str | None


class Trust(NamedTuple):
    """`qos trust port|L2|L3|both` in the model's words; None = back to the default."""

    what: str | None


class DscpMap(NamedTuple):
    """`qos map dscp ... to switch-priority N`; None = back to the default."""

    code_points: tuple[int, ...]
    priority: int | None


class PcpMap(NamedTuple):
    """`qos map pcp ... dei ... to switch-priority N`; None = back to the default."""

    tags: tuple[int, ...]
    priority: int | None


class DefaultPriority(NamedTuple):
    """`qos default switch-priority N`; None = back to the default."""

    priority: int | None


class DefaultPcp(NamedTuple):
    """`vlan default priority N`: the tag priority of untagged packets; None = back to the default."""

    tag: int | None


class RewriteDscp(NamedTuple):
    """`qos rewrite dscp`: the DSCP of leaving packets is written from their switch-priority."""

    on: bool


class RewriteMap(NamedTuple):
    """`qos rewrite map switch-priority N dscp D`."""

    priorities: tuple[int, ...]
    dscp: int


class AccessGroup(NamedTuple):
    """`ipv4 port access-group NAME`; None = removed."""

    name: str | None


class Mtu(NamedTuple):
    """`mtu N` (largest IP packet); None = back to the default."""

    ip_bytes: int | None


class Speed(NamedTuple):
    """`speed 100G`; None = automatic. `negotiates` None = not said."""

    bps: int | None
    negotiates: bool | None


class Fec(NamedTuple):
    """`fec-override`; None = removed."""

    kind: str | None


class FlowControl(NamedTuple):
    """`flowcontrol send|receive on|off`."""

    direction: str
    on: bool


class Shutdown(NamedTuple):
    """`shutdown` / `no shutdown`."""

    down: bool


class Channel(NamedTuple):
    """`channel-group N` or `mlag-channel-group N`: the port's channel by its canonical name."""

    name: str


class TrafficClass(NamedTuple):
    """`traffic-class N`: the block of one egress queue."""

    number: int


class Group(NamedTuple):
    """`ingress-buffer iPort.pgN`; None = a buffer that no priority is bound to (`iPort.mc`, `ePort.tc3`)."""

    number: int | None


class Curve(NamedTuple):
    """`congestion-control ecn|red|both minimum-... maximum-...`; None thresholds = removed.

    The unit is `kbytes` (absolute), `percent` (relative) or `suffixed` (a K or M whose basis is not documented).
    """

    kind: str
    thresholds: tuple[int, str, int, str] | None


class Scheduling(NamedTuple):
    """`dcb ets strict` or `dcb ets wrr WEIGHT`; None = back to the default."""

    kind: str | None
    weight: int | None = None


class Bind(NamedTuple):
    """`bind switch-priority ...` of a traffic class or of a buffer group; none = `no bind`."""

    priorities: tuple[int, ...]


class Shape(NamedTuple):
    """`bandwidth shape ...`: a shaper whose unit is not documented; off = removed."""

    on: bool


class GroupBuffer(NamedTuple):
    """`map pool X type T reserved R [xoff A] [xon B] [shared alpha F]`; sizes in bytes, None = suffixed or not said."""

    pool: str
    kind: str
    reserved: int | None
    xoff: int | None
    xon: int | None
    alpha: float | None
