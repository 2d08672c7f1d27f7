"""What a member of a port channel says that its channel does not.

Of PFC: NX-OS shows members with the channel's lines, so one of the two is not in force (Cisco Nexus 9000 Interfaces Configuration Guide,
port channels: compatibility requirements). Of policies: those of a port take effect while it is in no channel (Quality of Service
Configuration Guide, Attaching and Detaching a QoS Policy Action); files that were written by hand have them at members alone, and
whether the switch gave them to the channel when that was made is not to be seen there, so they count, and are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.nxos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.policy.statements import Binding
from roce_audit.values import Place

S = TypeVar("S")


def contrary_members(reading: DeviceReading) -> Iterator[Seen]:
    """One observation for each member whose own PFC mode is not that of its channel, or that has a policy where the channel has none."""
    for port in reading.ports:
        if port.labels.lag:
            yield from _own_policies(port)
            own, channel = _mode(port, "own"), _mode(port, "lag")
            if own is not None and channel is not None and own[0] != channel[0]:
                text = (
                    f"PFC mode is {own[0]} on this member and {channel[0]} on {port.labels.lag}: what the channel says holds for its"
                    " members, so the line of the member does not describe what runs, or the member is not in the channel"
                )
                kind: ObservationKind = "unprotected" if own[0] == "off" else "conflict"
                yield seen(kind, port.name, text, own[1], own[2], (port.name,), channel[1])


def _own_policies(port: PortReading) -> Iterator[Seen]:
    bound = {
        role: {
            (said.kind, said.direction): (said.name, place, quote)
            for said, place, quote in _said(port, role, Binding)
            if said.name is not None
        }
        for role in ("own", "lag")
    }
    is_shown = any(part.role == "lag" for part in port.parts)
    for what, (name, place, statement) in bound["own"].items() if is_shown else ():
        if what not in bound["lag"]:
            text = (
                f"policy {name} stands on a member of {port.labels.lag}, and {port.labels.lag} has no {' '.join(what)} policy: policies of"
                " members take effect while they are in no channel"
            )
            yield seen("conflict", port.name, text, place, statement, (port.name,))


def _mode(port: PortReading, role: str) -> tuple[str, Place, str] | None:
    """The last mode that the port or its channel says, its place, and the line."""
    said = [(one.mode, place, quote) for one, place, quote in _said(port, role, st.PfcMode) if one.mode is not None]
    return said[-1] if said else None


def _said(port: PortReading, role: str, kind: type[S]) -> Iterator[tuple[S, Place, str]]:
    """What the port ("own") or its channel ("lag") says of one kind, with its place and line."""
    for part in port.parts:
        for index, statement in enumerate(
            part.block.texts.statements if part.role == role and part.kind == "port" else ()
        ):
            value = TABLE.parse("port", statement).value
            if isinstance(value, kind):
                yield value, part.block.place(index), statement
