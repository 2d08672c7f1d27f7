"""Queues and buffers: egress queues with their ECN curve, ingress groups with their pool, and what maps there."""

from __future__ import annotations

from typing import Literal

from roce_audit.model.base import doc, model
from roce_audit.values import Cell

ThresholdUnit = Literal["bytes", "kbytes", "mbytes", "cells", "segments", "packets", "percent", "ms", "us"]


@model
class Ecn:
    """WRED / ECN curve of one egress queue. Thresholds count bytes of the *egress* queue."""

    marks: Cell[bool] = doc("ECN-capable packets are marked above the lower threshold")
    drops: Cell[bool] = doc("packets that could be marked are dropped early instead (WRED without ECN)")
    min_bytes: Cell[int] = doc("Kmin in bytes; unknown where the unit has no byte value (segments, time)")
    max_bytes: Cell[int] = doc("Kmax in bytes; unknown where the unit has no byte value")
    min_value: Cell[int] = doc("Kmin as written, in min_unit")
    max_value: Cell[int] = doc("Kmax as written, in max_unit")
    min_unit: Cell[ThresholdUnit] = doc("unit in which Kmin is written")
    max_unit: Cell[ThresholdUnit] = doc("unit in which Kmax is written")
    max_probability_percent: Cell[int] = doc("Pmax, marking probability at Kmax, percent 0..100")
    weight: Cell[int] = doc("averaging weight of the queue length; 0 = the instantaneous length")


@model
class Queue:
    """One egress queue."""

    number: int = doc("queue number, from 0")
    scheduling: Cell[Literal["strict", "weighted"]] = doc("strict priority, or a share by weight (DWRR, WRR, ETS)")
    share: Cell[int] = doc("share of a weighted queue, in the unit of share_kind; absent for a strict one")
    share_kind: Cell[Literal["percent_exact", "percent_at_most", "weight"]] = doc(
        "percent_exact: shares must sum to 100; percent_at_most: may sum to less; weight: relative"
    )
    max_rate_bps: Cell[int] = doc("shaper in bit/s; absent = none")
    max_rate_percent: Cell[int] = doc(
        "shaper below the port's speed, where it is written in percent of that speed; absent = none, or written in bit/s"
    )
    limit_bytes: Cell[int] = doc("static limit of the egress queue in bytes; absent = dynamic or none")
    alpha: Cell[float] = doc(
        "dynamic limit of the egress queue: alpha x what is free of its pool, beyond which it drops; absent = static, none, or not told"
    )
    ecn: Cell[Ecn] = doc("WRED/ECN curve bound to the queue; absent = none")


@model
class Pool:
    """A buffer pool that ingress groups share."""

    name: Cell[str] = doc("name of the pool; absent on chips without names")
    size_bytes: Cell[int] = doc("bytes shared by all groups of the pool")
    shared_headroom_bytes: Cell[int] = doc("bytes of the shared headroom pool; absent = headroom is per group")
    mode: Cell[Literal["static", "dynamic"]] = doc("static limits, or dynamic ones (alpha x free pool)")


@model
class PriorityGroup:
    """One ingress buffer group. All byte counts are of the *ingress* buffer of one port."""

    number: int = doc("group number, from 0")
    lossless: Cell[bool] = doc("the group sends PFC before it overflows (no-drop class, headroom, xoff)")
    headroom_bytes: Cell[int] = doc("bytes that may still arrive after XOFF was sent (SONiC calls this xoff)")
    headroom_is_shared: Cell[bool] = doc(
        "headroom beyond reserved_bytes comes from a shared headroom pool, of which the group takes headroom_bytes at the most"
    )
    xoff_at_bytes: Cell[int] = doc("occupancy in bytes at which XOFF is sent (static threshold); absent = dynamic")
    xon_at_bytes: Cell[int] = doc("occupancy in bytes at or below which XON is sent")
    xon_offset_bytes: Cell[int] = doc("how far below the XOFF occupancy XON is sent, bytes")
    reserved_bytes: Cell[int] = doc(
        "bytes reserved for the group alone (SONiC size, a NIC's receive buffer); absent = the firmware sizes it itself"
    )
    sized_for_bytes: Cell[int] = doc(
        "largest packet that the device's own headroom calculation allows for in this group; absent = nothing says so"
    )
    alpha: Cell[float] = doc("dynamic threshold factor: limit = alpha x free pool; absent = static threshold")
    pool: Cell[Pool] = doc("the pool the group draws from")
    profile: Cell[str] = doc("name of the buffer profile bound to the group; absent = none")
    profile_speed_bps: Cell[int] = doc("speed in the generated profile name, bit/s; absent = not such a name")
    profile_cable_m: Cell[int] = doc("cable length in the generated profile name, metres; absent = not such a name")


@model
class TrafficClass:
    """One internal class of a port (traffic class, qos-group, forwarding class)."""

    number: int = doc("number of the class, from 0")
    queue: Cell[int] = doc("egress queue of its packets")
    group: Cell[int] = doc("ingress priority group of its packets")
    mtu_bytes: Cell[int] = doc("largest packet of the class where classes have an MTU of their own; absent = none")
    new_dscp: Cell[int] = doc("DSCP written into its packets on the way out (or in); absent = theirs is kept")


@model
class Priority:
    """One 802.1p priority as PFC sees it."""

    number: int = doc("the bit in the PFC frame's class-enable vector, 0..7")
    group: Cell[int] = doc("ingress group that sends pause for this priority when it fills; absent = none")
    queue: Cell[int] = doc("egress queue that stops when pause for this priority arrives; absent = none")
