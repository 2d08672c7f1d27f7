"""Forwarding: how a switch chooses among equal paths, and what becomes of a packet's marks in a tunnel."""

from __future__ import annotations

from typing import Literal

from roce_audit.model.base import doc, model
from roce_audit.values import Cell


@model
class Forwarding:
    """What a switch does with packets on their way; the same on all ports but for `sprays`."""

    hash_uses_ports: Cell[bool] = doc(
        "the hash that chooses among equal-cost paths takes in the UDP source port; absent = nothing that was read says so"
    )
    hash_seed: Cell[int] = doc(
        "the number that this switch's hash starts from, where somebody set one; absent = nothing that was read says so"
    )
    max_paths: Cell[int] = doc(
        "equal-cost paths that a route of BGP may use at most; absent = nothing that was read says so"
    )
    sprays: Cell[bool] = doc(
        "packets of one flow may leave by several equal-cost paths (adaptive routing, per-packet balancing); absent = nothing"
        " that was read says so"
    )
    tunnels: Cell[bool] = doc("the switch ends VXLAN tunnels; absent = nothing that was read says so")
    tunnel_fixed_dscp: Cell[int] = doc(
        "the DSCP that every packet gets in the outer header of a tunnel, whatever its own is; absent = the outer header"
        " follows the packet, or nothing that was read says so"
    )
    tunnel_dscp_from: Cell[Literal["packet", "class"]] = doc(
        "where the DSCP of a tunnel's outer header comes from: the packet inside, or its traffic class; absent = nothing that was"
        " read says so"
    )
    tunnel_keeps_marks: Cell[bool] = doc(
        "the ECN bits go from the packet to the outer header of a tunnel and back; absent = nothing that was read says so"
    )
