"""Flow control between neighbours: PFC, its watchdog, and the protocol that may negotiate it."""

from __future__ import annotations

from typing import Literal

from roce_audit.model.base import doc, model
from roce_audit.values import Cell


@model
class Watchdog:
    """PFC storm watchdog of one port."""

    on: Cell[bool] = doc("the watchdog acts on this port")
    priorities: Cell[frozenset[int]] = doc("priorities (or their queues) that are watched; absent = all with PFC")
    poll_ms: Cell[float] = doc("polling interval, ms; absent = chosen by the device")
    least_polls: Cell[int] = doc(
        "polls that must fit into the shorter of detection and restoration; absent = nothing says more than one"
    )
    detect_ms: Cell[float] = doc("how long a queue must be stuck before action, ms")
    restore_ms: Cell[float] = doc("how long it must be free before the action ends, ms")
    action: Cell[Literal["drop", "forward", "alert", "errdisable", "notify"]] = doc("what is done with a stuck queue")
    by_hand: Cell[bool] = doc("what was done stays until somebody undoes it; absent = nothing that was read says so")


@model
class Pfc:
    """Priority flow control of one port, both directions."""

    mode: Cell[Literal["on", "off", "auto"]] = doc("administrative mode; auto = negotiated by DCBX")
    priorities: Cell[frozenset[int]] = doc("802.1p priorities for which this port sends and obeys pause")
    unasked: Cell[frozenset[int]] = doc(
        "those of them that no statement asks for, beside others: the system pauses them unless it is told not to; absent = none"
    )
    most: Cell[int] = doc("most priorities for which the hardware can have PFC on at once; absent = nothing says so")
    receive_only: Cell[frozenset[int]] = doc("priorities whose pause is obeyed but never sent (asymmetric PFC)")
    send_only: Cell[frozenset[int]] = doc("priorities for which pause is sent but never obeyed (asymmetric PFC)")
    operational: Cell[frozenset[int]] = doc(
        "priorities on which PFC really runs, from a show command; absent = none was read, or the link is down"
    )
    shown_off: Cell[bool] = doc(
        "an answer shows PFC as switched off here, whatever is configured and whether or not the link is up; absent = none does"
    )
    overrides_link_pause: Cell[bool] = doc(
        "while PFC is on, the port neither obeys nor sends 802.3x pause, whatever is said"
    )
    watchdog: Cell[Watchdog] = doc("PFC storm watchdog; absent = the platform or port has none")


@model
class Dcbx:
    """LLDP / DCBX on one port."""

    lldp: Cell[bool] = doc("LLDP is sent and received")
    mode: Cell[Literal["off", "ieee", "cee", "auto", "on"]] = doc("DCBX version, off = not spoken")
    willing: Cell[bool] = doc("accepts PFC/ETS from the peer; absent on a NIC where nothing says so")
    roce_priority: Cell[int] = doc(
        "802.1p priority that the application TLV of this port gives to RoCEv2 (UDP 4791); absent = nothing says so"
    )
    owner: Cell[Literal["os", "firmware"]] = doc("host: who speaks DCBX")
