"""Counters: how far those of a port went between two snapshots. Observations, and no part of a port's facts.

Every cell is a growth: what a counter showed in the later snapshot less what it showed in the earlier one. It is unknown
where one of the two does not show the counter, and where both cannot be compared (a reset, a wrap, a reboot between them).
"""

from __future__ import annotations

from roce_audit.model.base import doc, model
from roce_audit.values import Cell


@model
class PriorityCounters:
    """One 802.1p priority. PFC counters count frames on the wire, not packets that were held back."""

    number: int = doc("802.1p priority, 0..7")
    pause_received: Cell[int] = doc("PFC frames received that name this priority, frames")
    pause_sent: Cell[int] = doc("PFC frames sent that name this priority, frames")
    discards: Cell[int] = doc("packets of this priority that a NIC dropped on receipt for want of buffer, packets")
    paused_us: Cell[int] = doc("time for which pauses received held this priority back, microseconds")
    pausing_us: Cell[int] = doc("time for which pauses sent held the far end back, microseconds")
    packets: Cell[int] = doc("packets of this priority that came in or left, of RDMA or not, packets")


@model
class GroupCounters:
    """One ingress priority group of a switch port."""

    number: int = doc("group number, 0..7")
    drops: Cell[int] = doc("packets dropped on entering because the group and its headroom were full, packets")
    dropped_bytes: Cell[int] = doc("bytes dropped on entering for the same reason: at least so many, bytes")


@model
class QueueCounters:
    """One unicast egress queue of a switch port."""

    number: int = doc("queue number, 0..7")
    drops: Cell[int] = doc("packets dropped at the egress queue, packets; those of a PFC watchdog may be among them")
    dropped_bytes: Cell[int] = doc("bytes dropped at the egress queue for want of buffer: at least so many, bytes")
    marked: Cell[int] = doc("packets that left with the mark CE set by this queue, packets")
    storms: Cell[int] = doc("times that the PFC watchdog found the queue stuck, events")


@model
class Counters:
    """All counters of one port. What no snapshot shows is unknown; `compared` says whether anything was compared at all."""

    compared: Cell[bool] = doc("two snapshots both show counters of this port")
    seconds: Cell[float] = doc("time between the two, seconds; unknown without two times of one kind")
    sure_seconds: Cell[float] = doc("the same; unknown where only the times of files tell it, which copying changes")
    hours: Cell[float] = doc("the same in hours, at least one: what is put up with each hour; 1 where no time is known")
    since: Cell[str] = doc("when the earlier snapshot was taken and who says so, in words")
    priorities: tuple[PriorityCounters, ...] = doc("802.1p priorities", size=8)
    groups: tuple[GroupCounters, ...] = doc("ingress priority groups", size=8)
    queues: tuple[QueueCounters, ...] = doc("unicast egress queues", size=8)
    pause_received: Cell[int] = doc("PFC frames received, all priorities together, frames")
    pause_sent: Cell[int] = doc("PFC frames sent, all priorities together, frames")
    discards: Cell[int] = doc("packets of any class dropped on receipt at the port for want of buffer, packets")
    storms: Cell[int] = doc("PFC storms that the switch's watchdog or the NIC's stall guard saw, events")
    out_of_sequence: Cell[int] = doc("RoCE packets that came in out of sequence, packets (responder side)")
    sequence_errors: Cell[int] = doc(
        "NAKs for a missing packet that came back (requester side), or packets thrown away since one before them was missing"
    )
    marked_received: Cell[int] = doc("RoCE packets that came in with CE set, packets")
    cnps_sent: Cell[int] = doc("CNPs sent by the notification point, packets")
    cnps_handled: Cell[int] = doc("CNPs that came in and slowed a flow down, packets; on some NICs all that came in")
    cnps_ignored: Cell[int] = doc("CNPs that came in and were ignored by the reaction point, packets")
    lossless_ingress_drops: Cell[int] = doc(
        "packets of what the device itself takes for RoCE, or pauses, dropped on entering for want of buffer, packets"
    )
    lossless_egress_drops: Cell[int] = doc(
        "packets of what the device itself takes for RoCE dropped at the egress queue, packets"
    )
    rdma_packets: Cell[int] = doc("RDMA packets that came in or left, packets")
    link_pause_received: Cell[int] = doc(
        "802.3x pauses received, which stop the whole link, frames; PFC frames are others"
    )
    crc_errors: Cell[int] = doc("frames that came in with a wrong checksum, frames")
    link_downs: Cell[int] = doc("times that the link went down, events")
    fec_uncorrectable: Cell[int] = doc("FEC code words that could not be corrected, code words")
    uncorrected_errors: Cell[int] = doc(
        "bits or symbols that came in wrong and that FEC did not correct, or nothing did on a link without FEC"
    )
    fec_corrected: Cell[int] = doc("bits, or code words, that FEC corrected: at least so many bits came in wrong")
    receive_errors: Cell[int] = doc("frames that came in wrong in any way (checksum, length, alignment), frames")
    marked: Cell[int] = doc("packets that left with the mark CE set by any queue of the port, packets")
    marked_by_switch: Cell[int] = doc(
        "packets that left with CE set by all ports of this switch that carry RoCE: at least so many; none is known only where all show it"
    )
    ack_timeouts: Cell[int] = doc(
        "times that a queue pair waited in vain for an acknowledgement, events (requester side)"
    )
    corrupt_packets: Cell[int] = doc("RoCE packets that came in with a wrong invariant checksum (ICRC), packets")
    roce_discards: Cell[int] = doc(
        "RoCE packets that the NIC itself threw away on receipt, for whatever reason, packets"
    )
    pcie_stalled_s: Cell[int] = doc(
        "seconds of which the NIC waited more than 30 % for PCIe to take what came in, seconds"
    )


@model
class ClassCounters:
    """The counters of one class at one port, found over its priority, group and queue there."""

    ingress_drops: Cell[int] = doc(
        "packets of the class's ingress group (NIC: of its priority) dropped on entering, packets; absent = bytes are counted instead"
    )
    ingress_drop_bytes: Cell[int] = doc(
        "bytes of the class's ingress group dropped on entering: at least so many; absent = packets are counted, or nobody saw it"
    )
    egress_drops: Cell[int] = doc("packets dropped at the class's egress queue, packets; a NIC has no such counter")
    egress_drop_bytes: Cell[int] = doc(
        "bytes dropped at the class's egress queue, bytes: at least so many; absent = the device counts packets, or nobody saw it"
    )
    marked: Cell[int] = doc("packets that the class's egress queue marked CE, packets; a NIC has no such counter")
    pause_received: Cell[int] = doc("PFC frames received for the class's priority, frames")
    pause_sent: Cell[int] = doc("PFC frames sent for the class's priority, frames")


@model
class FabricCounters:
    """Sums over the ports of a fabric that carry RoCE: at least so many. None at all is known only where all ports show it."""

    compared: Cell[bool] = doc("two snapshots both show counters of some NIC that carries RoCE")
    pauses: Cell[int] = doc("PFC frames sent or received by any port that carries RoCE, frames")
    cnps_sent: Cell[int] = doc("CNPs sent by all NICs that carry RoCE, packets")
    cnps_handled: Cell[int] = doc("CNPs handled by all NICs that carry RoCE, packets")
