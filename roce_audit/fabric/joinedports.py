"""What the fabric knows of each port, as rules read it.

What the facts of a port and of the one at its far end say is worked out once for all ports that have the same: its places are those of
the port and of its far end, whichever port that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roce_audit.fabric import bootstate
from roce_audit.fabric.classes.emptyqueues import empty_queues, strict_queue_unreached
from roce_audit.fabric.classes.nextswitch import lossy_dscps
from roce_audit.fabric.classes.otherroom import room_for_others
from roce_audit.fabric.classes.takenout import (
    beside_the_usual,
    beside_the_usual_of_cnps,
    paused_by_another_number,
    taken_out,
)
from roce_audit.fabric.lags.channels import Membership
from roce_audit.fabric.port import FabricPort, RoceEvidence, as_said, from_afar
from roce_audit.model import Joined, Port
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import Role, roles_of
from roce_audit.values import HERE, THERE, At, Cell, Cited, Why, absent, known, unknown

_NONE: Cell[Any] = absent()
_UNSEEN: Cell[Any] = unknown(Why.NOT_VISIBLE)
_Cells = Mapping[str, Cell[Any]]
"""Fields of a joined port."""


_AS_USUAL: Cell[Any] = known((), HERE)
_OF_MOST: _Cells = {
    "odd_settings": _AS_USUAL,
    "odd_in_channel": _AS_USUAL,
    "odd_congestion_control": _AS_USUAL,
    "odd_versions": _AS_USUAL,
    "parent_pfc": _NONE,
    "headroom_claimed_bytes": _NONE,
    "vlan_mtu_bytes": _NONE,
    "vlan_mtu_elsewhere_bytes": _NONE,
    "vlan_left_for": _NONE,
    "vlan_drops_roce": _NONE,
    "subinterface_mtu_bytes": _NONE,
    "next_lossy_dscps": _NONE,
}
"""What is said of a port that nothing was found of."""


class JoinedPorts:
    """Joins ports one by one."""

    def __init__(
        self,
        saved: Mapping[tuple[str, str], PortReading],
        found: Mapping[str, Mapping[str, Cell[Any]]],
        uplink_speeds: Mapping[str, Cell[frozenset[int]]],
    ) -> None:
        """`saved` are ports of saved configurations by device and name, `found` field by field what was found of some ports by
        their ids, and `uplink_speeds` those of each device."""
        self._saved = saved
        self._uplink_speeds = uplink_speeds
        self._found: dict[str, _Cells] = {}
        for name, cells in found.items():
            for port, cell in cells.items():
                self._found[port] = {**self._found.get(port, _OF_MOST), name: cell}
        self._alike: dict[tuple[object, ...], _Cells] = {}
        self._alone: dict[tuple[object, ...], Joined] = {}
        """What is joined of ports without a far end, by all that it follows from; equal readings share it."""
        self._decided: dict[tuple[object, ...], _Cells] = {}
        """What evidence comes to, by its answer and the id of its places, which the cells hold."""
        self._similar: dict[int, Cell[int]] = {}

    def of(self, port: FabricPort, similar: int, channel: Membership) -> Joined:
        """`similar` are other ports."""
        if port.peer is not None or port.device.saved is not None:
            return self._joined(port, similar, channel)
        reading = port.reading
        of_device = self._uplink_speeds.get(port.device.name)
        key = (
            similar,
            reading.labels.untagged,
            bool(reading.labels.vlans),
            id(self._found.get(port.id)),
            id(reading.facts),
            id(port.roce),
            id(port.facing),
            id(port.length),
            id(port.hint),
            id(channel),
            id(of_device),
            id(port.peer_offers_pfc),
            id(port.peer_offers_shares),
            id(port.peer_offers_roce_priority),
        )
        found = self._alone.get(key)
        if found is None:
            found = self._alone[key] = self._joined(port, similar, channel)
        return found

    def _joined(self, port: FabricPort, similar: int, channel: Membership) -> Joined:
        peer = port.peer
        alike = self._of_facts(port)
        if port.device.saved is not None:
            boots = self._saved.get((port.device.name, port.reading.name))
            alike = {**alike, **_at_boot(bootstate.compared(port, boots))}
        return Joined(
            **alike,
            **self._found.get(port.id, _OF_MOST),
            channel=channel.channel,
            channel_members=channel.members,
            far_channel=channel.far,
            usual_far_channel=channel.usual_far,
            strange_channel=channel.strange,
            uplink_speeds=self._uplink_speeds.get(port.device.name, _NONE),
            **self._of_evidence(port.roce),
            facing=port.facing if port.facing is not None else _UNSEEN,
            peer=_NONE if peer is None else Cell(peer.id, None, (THERE,)),
            peer_pfc_priorities=_offered(port.peer_offers_pfc),
            peer_shares=_offered(port.peer_offers_shares),
            peer_roce_priority=_offered(port.peer_offers_roce_priority),
            announced_pfc=_NONE if peer is None else _offered(peer.peer_offers_pfc),
            announced_shares=_NONE if peer is None else _offered(peer.peer_offers_shares),
            length_m=port.length if port.length is not None else _UNSEEN,
            assumed_length_m=_assumed_length(port),
            similar_ports=self._similar_ports(similar),
            hint_against=_NONE if port.hint is None else Cell(port.hint.because, None, port.hint.at),
        )

    def _of_evidence(self, answer: RoceEvidence) -> _Cells:
        key = (answer.carries, answer.rank, id(answer.at))
        found = self._decided.get(key)
        if found is None:
            carries: Cell[bool] = Cell(answer.carries, None, answer.at)
            if answer.carries is None:
                carries = Cell(None, Why.CONFLICT if answer.rank == "conflict" else Why.NOT_VISIBLE, answer.at)
            found = self._decided[key] = {"carries_roce": carries, "rank": Cell(answer.rank, None, answer.at)}
        return found

    def _similar_ports(self, count: int) -> Cell[int]:
        found = self._similar.get(count)
        if found is None:
            found = self._similar[count] = known(count, HERE)
        return found

    def _of_facts(self, port: FabricPort) -> _Cells:
        """What follows from the facts at both ends, and from three words that the lines of the ports say; without what a saved
        configuration says."""
        reading, peer = port.reading, port.peer
        far = None if peer is None else peer.reading
        key = (
            id(reading.facts),
            reading.labels.untagged,
            bool(reading.labels.vlans),
            reading.labels.peer_link,
            None if far is None else id(far.facts),
            None if far is None else far.labels.routed,
        )
        found = self._alike.get(key)
        if found is None:
            found = self._alike[key] = {
                **_at_boot(bootstate.of_facts(reading.facts)),
                "untagged": known(True, HERE) if reading.labels.untagged else _NONE,
                "has_vlans": known(True, HERE) if reading.labels.vlans and reading.facts.is_nic else _NONE,
                "is_peer_link": known(reading.labels.peer_link, HERE),
                "stated_length_m": _stated_length(reading.facts),
                "length_for_all_ports": _allows_for_all(reading.facts, roles_of(reading.parts)),
                "names_roce_priority": _names_roce_priority(reading.facts),
                "taken_out_dscps": taken_out(reading.facts),
                "unusual_dscp": beside_the_usual(reading.facts),
                "unusual_cnp_dscp": beside_the_usual_of_cnps(reading.facts),
                "number_of_class": paused_by_another_number(reading.facts),
                "room_for_others": room_for_others(reading.facts),
                "empty_queues": empty_queues(reading.facts),
                "strict_queue_unreached": strict_queue_unreached(reading.facts),
                "peer_shut": _NONE if far is None else _shut(far.facts),
                "peer_routed": _NONE if far is None else _routed(far),
                "peer_sends_priority_tag": _NONE if far is None else _sends_priority_tag(far.facts),
                "peer_lossy_dscps": _NONE if far is None else _lossy_dscps(far.facts),
                "peer_speaks_dcbx": _NONE if far is None else _speaks_dcbx(far.facts),
            }
        return found


def _lossy_dscps(peer: Port) -> Cell[frozenset[int]]:
    dscps = lossy_dscps(peer)
    return _NONE if dscps is None else known(dscps, THERE)


def _at_boot(found: bootstate.BootState) -> _Cells:
    return {"unsaved": found.unsaved, "not_running": found.not_running}


def _offered(heard: Cell[Any] | None) -> Cell[Any]:
    return _NONE if heard is None else heard


def _routed(peer: PortReading) -> Cell[bool]:
    if peer.facts.is_nic:
        return known(False, THERE)
    routed = peer.labels.routed
    return _UNSEEN if routed is None else known(routed, THERE)


def _sends_priority_tag(peer: Port) -> Cell[bool]:
    said = peer.nic.get().sends_priority_tag if peer.nic.is_known else _NONE
    return Cell(said.value, said.why, from_afar(as_said(said.at)))


def _shut(peer: Port) -> Cell[bool]:
    """Whether a line shuts the port down. What is down by default is told on its own."""
    up = peer.admin_up
    if up.is_known and up.get():
        return known(False, THERE)
    lines = [at for at in from_afar(as_said(up.at)) if not isinstance(at, Cited)]
    if up.is_unknown and lines:
        return unknown(up.why or Why.NOT_PARSED, *lines)
    return known(True, *lines) if up.is_known and not up.get() and lines else known(False, THERE)


def _speaks_dcbx(peer: Port) -> Cell[bool]:
    mode: Cell[Any] = peer.dcbx.get().mode if peer.dcbx.is_known else peer.dcbx
    if not mode.is_known and not mode.at:
        return mode
    at = from_afar(as_said(mode.at))
    return known(mode.get() != "off", *at) if mode.is_known else Cell(None, mode.why, at)


def _names_roce_priority(facts: Port) -> Cell[bool]:
    """That a line of a switch does so is rare, and few systems have such lines: where none was read there is none."""
    if facts.is_nic or not facts.dcbx.is_known:
        return _NONE if facts.is_nic or not facts.dcbx.at else Cell(None, facts.dcbx.why, as_said(facts.dcbx.at))
    said = facts.dcbx.get().roce_priority
    if said.is_unknown and said.at:
        return Cell(None, said.why, as_said(said.at))
    return known(True, *as_said(said.at)) if said.is_known else _NONE


def _assumed_length(port: FabricPort) -> Cell[float]:
    """The known length of the cable, else the one that is configured for buffer sizing."""
    if port.length is not None and port.length.is_known:
        return port.length
    configured = port.reading.facts.cable_m
    return known(float(configured.get()), *configured.at) if configured.is_known else _UNSEEN


def _allows_for_all(facts: Port, roles: Sequence[Role]) -> Cell[bool]:
    """Whether the line that states the length is one for all ports of the switch, which allows for the longest of their cables."""
    configured = facts.cable_m
    wide = configured.at and isinstance(configured.at[0], At) and roles[configured.at[0].part] == "device"
    return known(True, configured.at[0]) if wide else _NONE


def _stated_length(facts: Port) -> Cell[int]:
    """The configured length where a line states it: what a system assumes without one says nothing of the cable."""
    configured = facts.cable_m
    if configured.is_unknown:
        return Cell(None, configured.why, as_said(configured.at))
    return configured if configured.at and not isinstance(configured.at[0], Cited) else _NONE
